"""Rows of `rules/messages.toml`: where a provider's answer holds calls, and how a result is sent back for one."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from toolglot.errors import Path
from toolglot.json_values import Json
from toolglot.tables import shipped
from toolglot.tables.envelopes import Shape, at, leaves_of, shape_of
from toolglot.tables.reading import Lines, Row, found
from toolglot.tables.rows import PROOFS
from toolglot.tables.toml import parsed_toml

FILE = "messages.toml"
# A step that stands for each entry of a list.
EACH = "*"
_CALL_SLOTS = ("<id>", "<name>", "<arguments>")
CONTENT = "<content>"


@dataclass(frozen=True, slots=True)
class MessageExample:
    """A message and what is read out of it; each text is JSON.

    Attributes:
        name: what the example shows.
        given: the message.
        calls: the id, the name and the arguments of each call, in order.
        replied: the reply to the first call, with the text `It rains.`
        refused: the same where the call was refused; None where there is no difference, or no reply.
    """

    name: str
    given: str
    calls: str
    replied: str | None
    refused: str | None


@dataclass(frozen=True, slots=True)
class MessageForm:
    """A row of the table: how calls stand in a provider's answer, and how results go back.

    Attributes:
        at: the paths at which calls lie, the widest first; `*` is each entry of a list.
        shapes: how a call is spelled.
        every: whether nothing but calls lies there.
        unless: what marks an entry as something else, each with its path.
        signs: paths that show the form where a message calls nothing.
        is_object: whether arguments are written as an object, where that tells the form from another.
        reply: the template of a reply, or None where there is none.
        failed: the template where the call was refused or the tool failed.
        text: how a text stands in content that is a list, or None where it stands there itself.
        blocks: whether the content may be a list of blocks.
    """

    id: str
    title: str
    at: tuple[Path, ...]
    shapes: tuple[Shape, ...]
    every: bool
    unless: tuple[tuple[Path, Json], ...]
    signs: tuple[Path, ...]
    is_object: bool
    reply: Mapping[str, Json] | None
    failed: Mapping[str, Json] | None
    text: Mapping[str, Json] | None
    blocks: bool
    why: str
    source: tuple[str, ...]
    seen: str
    proof: str
    examples: tuple[MessageExample, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        """The row of the package's own table by its id: a call is pickled and copied with it."""
        return _form_of, (self.id,)


def _form_of(name: str) -> MessageForm:
    return message_forms()[name]


@functools.cache
def message_forms() -> Mapping[str, MessageForm]:
    """Every form of the package's own table, by id, in the table's order."""
    return load_messages(shipped.text(FILE), FILE)


def load_messages(text: str, file: str) -> Mapping[str, MessageForm]:
    """The forms of a table's text.

    Raises:
        RuleError: a row is wrong, with the file, the field and the reason.
    """
    table = parsed_toml(text, file)
    lines, rows = Lines(text), dict[str, Mapping[str, Json]]()
    forms: dict[str, MessageForm] = {}
    for name, own in table.get("message", {}).items():
        where = f"message.{name}"
        base = rows.get(own.get("like", ""), {})
        row = Row(file, where, {**base, **own}, lines, lines.header(where))
        if "like" in own and not base:
            row.refuse("like", f"no row above is called {own['like']!r}")
        rows[name] = {key: value for key, value in row.table.items() if key != "example"}
        forms[name] = _form(name, row)
    return MappingProxyType(forms)


_FIELDS = (
    *("title", "at", "call", "reads", "every", "unless", "signs", "object", "reply", "failed", "text", "blocks"),
    *("like", "why", "source", "seen", "proof", "example"),
)


def _form(name: str, row: Row) -> MessageForm:
    row.know(_FIELDS)
    reply = _template(row, "reply")
    unless = _template(row, "unless") or {}
    return MessageForm(
        id=name,
        title=row.text("title"),
        at=_paths(row, "at", required=True),
        shapes=_shapes(row),
        every=row.flag("every"),
        unless=tuple((path, at(unless, path)) for path in leaves_of(unless)),
        signs=_paths(row, "signs"),
        is_object=row.flag("object"),
        reply=reply,
        failed=_template(row, "failed") or reply,
        text=_template(row, "text"),
        blocks=row.flag("blocks"),
        why=row.text("why"),
        source=row.texts("source", required=True),
        seen=str(row.day("seen")),
        proof=row.choice("proof", PROOFS),
        examples=_examples(row),
    )


def _paths(row: Row, field: str, *, required: bool = False) -> tuple[Path, ...]:
    paths = row.table.get(field, [])
    steps = [step for path in paths if isinstance(path, list) for step in path] if isinstance(paths, list) else [0]
    if not all(isinstance(step, str) for step in steps) or not all(isinstance(path, list) for path in paths):
        row.refuse(field, f"wanted a list of paths, each a list of keys, got {found(paths)}")
    if required and not paths:
        row.refuse(field, "wanted at least one path, got none")
    return tuple(tuple(path) for path in paths)


def _template(row: Row, field: str) -> Mapping[str, Json] | None:
    value = row.table.get(field)
    if value is not None and not isinstance(value, dict):
        row.refuse(field, f"wanted a template, got {found(value)}")
    return value


def _shapes(row: Row) -> tuple[Shape, ...]:
    templates = [row.table.get("call"), *row.table.get("reads", [])]
    for template in templates:
        if not isinstance(template, dict):
            row.refuse("call", f"wanted a template of a call, got {found(template)}")
    shapes = tuple(shape_of(template, _CALL_SLOTS) for template in templates)
    for slot in ("<name>", "<arguments>"):
        if any(slot not in shape.slots for shape in shapes):
            row.refuse("call", f"the template has no {slot}")
    return shapes


def _examples(row: Row) -> tuple[MessageExample, ...]:
    """The examples: at least one with calls, and one without any."""
    examples = tuple(map(_example, row.examples()))
    empty = [example.calls.strip() == "[]" for example in examples]
    if all(empty) or not any(empty):
        row.refuse("example", "wanted one example with calls, and one with none")
    return examples


def _example(row: Row) -> MessageExample:
    row.know(("name", "given", "calls", "replied", "refused"))
    given, calls = row.json("given"), row.json("calls")
    if given is None or calls is None:
        row.refuse("given" if given is None else "calls", "this field is missing")
    return MessageExample(row.text("name"), given, calls, row.json("replied"), row.json("refused"))
