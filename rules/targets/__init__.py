"""One table per provider: its surfaces, limits and hazards."""
