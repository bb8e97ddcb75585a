"""The verbs: every kind of edit that a rule may ask for.

A verb is declared once, in the table of its kind, and implemented in the room that it acts in. To add one, add an
entry there: its name, where it acts, what its options look like, what may become of the meaning, which keywords of the
node it reads or changes (two rules that touch one keyword need an `after`), and the name of its inverse on a call if a
call has to be turned back.
"""

from __future__ import annotations

from collections.abc import Mapping

from toolglot.tables.call_verbs import OF_CALLS
from toolglot.tables.edit_verbs import EDITS
from toolglot.tables.encoding_verbs import ENCODINGS, OF_THE_WHOLE
from toolglot.tables.verb_shapes import Verb

VERBS: Mapping[str, Verb] = {**EDITS, **ENCODINGS, **OF_THE_WHOLE, **OF_CALLS}
# What runs when no other rule of a node fires any more.
LATE = frozenset({"strip"})

__all__ = ["LATE", "VERBS", "Verb"]
