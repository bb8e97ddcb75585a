"""The straight way from the wire: a call that is a spelling throughout and leaves nothing to choose.

Nearly every call is. The ledger looks for other readings only where this way ends.
"""

from __future__ import annotations

from toolglot.json_values import Json
from toolglot.wire.codecs import ABSENT, Unread
from toolglot.wire.fitting import DEEPEST, Fitting
from toolglot.wire.steps import Step


class _Fork(Exception):  # noqa: N818 - no error: the value has to be looked at in other ways
    """The value fits no branch of a union, or more than one, or is too deep."""


def straight(root: Step, value: Json, fitting: Fitting | None) -> Json:
    """The one reading of a call, or `ABSENT` where there may be none or more.

    Args:
        root: the first step.
        value: the call's arguments.
        fitting: what tells branches apart; wanted where the root `forks`.
    """
    try:
        return _read(root, value, fitting, 0)
    except (Unread, _Fork, RecursionError):
        return ABSENT


def _read(step: Step, value: Json, fitting: Fitting | None, depth: int) -> Json:
    if depth > DEEPEST:
        raise _Fork
    if step.branches_lead:
        if value is not None or step.node.get("nullable") is not True:
            value = _read_branch(step, value, fitting, depth)
    elif isinstance(value, dict):
        value = _read_object(step, value, fitting, depth + 1)
    elif isinstance(value, list):
        value = _read_list(step, value, fitting, depth + 1)
    return _decoded(step, value)


def _decoded(step: Step, value: Json) -> Json:
    for codec in step.codecs:
        if value is ABSENT:
            break
        value = codec.decode(value)
    return value


def _read_branch(step: Step, value: Json, fitting: Fitting | None, depth: int) -> Json:
    branches = step.branches
    if not step.is_reference:
        likely = branches
        if isinstance(value, dict):
            likely = tuple([branch for branch in branches if branch.needs <= value.keys()])
        branches = tuple([branch for branch in likely if fitting and fitting.fits(branch.node, value, depth)])
    if len(branches) != 1:
        raise _Fork
    branch = branches[0]
    return _read(branch, value, fitting, depth) if branch.leads else value


def _read_object(step: Step, value: dict[str, Json], fitting: Fitting | None, depth: int) -> Json:
    if depth > DEEPEST:
        raise _Fork
    made = dict(value)
    for key, below in step.leading if step.is_declared else _leading(step, value):
        if key in made:
            item = made[key]
            item = _decoded(below, item) if below.is_last else _read(below, item, fitting, depth)
            if item is ABSENT:
                del made[key]
            else:
                made[key] = item
    return made


def _leading(step: Step, value: dict[str, Json]) -> list[tuple[str, Step]]:
    """The keys of an object that need reading, where undeclared ones may."""
    found = [(key, step.at(key)) for key in value]
    return [(key, below) for key, below in found if below is not None]


def _read_list(step: Step, value: list[Json], fitting: Fitting | None, depth: int) -> Json:
    made = list(value)
    for at, item in enumerate(value):
        below = step.at(at)
        if below is not None:
            read = _read(below, item, fitting, depth)
            made[at] = item if read is ABSENT else read  # a list has no place that may be left out
    return made
