"""Reading a schema: the walker, the dialect, the normal form, patterns."""
