"""What asks for an edit and is no row of the tables: a report names it where a rule stands otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from toolglot.tables.limits import LIMITS
from toolglot.wire.guards import Cause

NOTHING_FITS: Cause = (
    "nothing-fits",
    "what no value fits is not said: a target refuses such a schema, or takes it for any value",
)


def of_limit(limit: str) -> Cause:
    """The cause of an edit that a target's limit asks for."""
    return f"limits.{limit}", f"the target limits {LIMITS[limit]}"


CAUSES: Mapping[str, str] = MappingProxyType(dict([NOTHING_FITS, *map(of_limit, LIMITS)]))
