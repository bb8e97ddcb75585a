"""schema to wire: a normal form and a target give the wire, the ledger and the report."""
