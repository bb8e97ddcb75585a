"""The tables: data only."""
