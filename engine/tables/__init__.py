"""Tables become frozen rows: TOML, the predicate language, verbs, the ruleset."""
