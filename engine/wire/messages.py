"""The calls in a provider's answer, found by its form; and the reply that is sent back for one, in that form.

A form is a row of `rules/messages.toml`. Nothing is checked here: what a call asks for is the toolbox's to read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from toolglot.errors import MessageError, Path
from toolglot.json_values import Json, equal, kind, plain
from toolglot.tables.envelopes import Shape, at
from toolglot.tables.messages import CONTENT, EACH, MessageForm, message_forms
from toolglot.tables.spelling import near
from toolglot.wire.envelopes import described


@dataclass(frozen=True, slots=True)
class SentCall:
    """One call as it stands in a message, whatever the model wrote there.

    Attributes:
        id: what the result has to name, or None where the call has none.
        name: what stands where the tool is named; a text, unless the call is broken.
        arguments: what stands where the arguments are, or None where nothing does.
        path: where in the message.
    """

    id: str | int | None
    name: Json
    arguments: Json
    path: Path


@dataclass(frozen=True, slots=True)
class ReadMessage:
    """A message that was read: its form, and its calls in the order they stand in."""

    form: MessageForm
    calls: tuple[SentCall, ...]


def read_message(message: Json, *, form: str | None = None, likely: str | None = None) -> ReadMessage:
    """The calls of a message: a whole answer, the model's message in it, or a list of its calls alone.

    An SDK's objects are taken too, where they can be dumped as JSON (`model_dump`). A message that calls nothing has no
    calls; neither has what the provider answers itself.

    Args:
        message: what the provider sent. Streamed deltas are no message before they are put together.
        form: the id of the form, where it is not to be recognised.
        likely: the form that is taken where another one fits as well.

    Raises:
        MessageError: the message is of no known form, or not of the one named.
    """
    rows = _rows(form)
    source = plain(message)
    row, entries = _recognised(rows, source, likely)
    if entries:
        return ReadMessage(row, tuple(_sent(row, place, entry) for place, entry in entries))
    if source == [] or any(_found(source, sign) for each in rows for sign in each.signs):
        return ReadMessage(row, ())
    raise _unknown(source, form)


def reply_to(form: MessageForm, call: SentCall, content: Json, *, failed: bool) -> Json:
    """What is sent back for a call, in the form that it came in; fresh but for the content.

    Args:
        form: the form of the message that the call stands in.
        call: the call.
        content: a text, or a list of blocks as the provider takes them.
        failed: whether the call was refused, or the tool failed.

    Raises:
        MessageError: the form has no reply, or its reply takes no such content.
    """
    template = form.failed if failed else form.reply
    if template is None:
        raise MessageError(f"a call in the form `{form.id}` has no reply of its own")
    if isinstance(content, str):
        content = content if form.text is None else [_filled(form.text, {CONTENT: content})]
    elif not (form.blocks and isinstance(content, list)):
        wanted = "a text or a list of blocks" if form.blocks else "a text"
        raise MessageError(f"a reply in the form `{form.id}` holds {wanted}, got {kind(content)}")
    return _filled(template, {"<id>": call.id, "<name>": call.name, CONTENT: content})


# Recognising --------------------------------------------------------------------------------------------------

_Entry = tuple[Path, Json]


def _rows(form: str | None) -> list[MessageForm]:
    known = message_forms()
    if form is None:
        return list(known.values())
    if form not in known:
        raise MessageError(f"no form is called {form!r}", hint=near(form, known) or f"known: {', '.join(known)}")
    return [known[form]]


def _recognised(rows: Sequence[MessageForm], message: Json, likely: str | None) -> tuple[MessageForm, list[_Entry]]:
    """The row that fits a message best, and the calls that it finds there."""
    for row in rows:
        if row.id == likely:  # nearly every message is of the form that its tools were sent in
            entries = _calls_in(row, message)
            if entries and all(_is_whole(row, entry) for _, entry in entries):
                return row, entries
    found = [(row, _calls_in(row, message)) for row in rows]
    return max(found, key=lambda each: _fit(each[0], each[1], likely))


def _calls_in(row: MessageForm, message: Json) -> list[_Entry]:
    """The entries that are calls by a row, from the first of its paths that leads to any."""
    for path in row.at:
        entries = [(place, entry) for place, entry in _found(message, path) if _is_call(row, entry)]
        if entries:
            return entries
    return []


def _found(value: Json, path: Path) -> list[_Entry]:
    """What stands at the end of a path, each with its place, in order."""
    reached: list[_Entry] = [((), value)]
    for step in path:
        reached = [below for place, each in reached for below in _below(place, each, step)]
    return reached


def _below(place: Path, value: Json, step: str | int) -> Iterator[_Entry]:
    if step == EACH:
        if isinstance(value, (list, tuple)):
            yield from (((*place, index), plain(item)) for index, item in enumerate(value))
    elif isinstance(value, dict) and value.get(step) is not None:
        yield (*place, step), plain(value[step])


def _is_call(row: MessageForm, entry: Json) -> bool:
    if any(equal(at(entry, path), value) for path, value in row.unless):
        return False
    return row.every or _is_whole(row, entry)


def _is_whole(row: MessageForm, entry: Json) -> bool:
    return any(_fits(shape, entry) for shape in row.shapes)


def _fits(shape: Shape, entry: Json) -> bool:
    """Whether an entry is spelled as a call; its name may be missing where something else tells it."""
    if any(not equal(at(entry, path), value) for path, value in shape.constants):
        return False
    if shape.constants:
        return True
    if shape.body:
        return at(entry, shape.body) is not None
    return all(at(entry, shape.slots[slot]) is not None for slot in ("<name>", "<arguments>"))


def _fit(row: MessageForm, entries: list[_Entry], likely: str | None) -> tuple[int, ...]:
    """How well a row fits the message that it found these calls in; the greatest is taken."""
    whole = [entry for _, entry in entries if _is_whole(row, entry)]
    marks = sum(_marks(row, entry) for entry in whole)
    return len(whole), len(entries), row.id == likely, marks


def _marks(row: MessageForm, entry: Json) -> int:
    """How much of an entry a row knows."""
    shape = _shape(row, entry)
    slots = sum(at(entry, path) is not None for path in shape.slots.values())
    return len(shape.constants) + slots + (row.is_object and isinstance(at(entry, shape.slots["<arguments>"]), dict))


def _shape(row: MessageForm, entry: Json) -> Shape:
    return next((shape for shape in row.shapes if _fits(shape, entry)), row.shapes[0])


def _unknown(message: Json, form: str | None) -> MessageError:
    wanted = f"a message of the form `{form}`" if form else "a message of a known form"
    first = message[0] if isinstance(message, list) and message else message
    found = f"a list of {described(first)}" if first is not message else described(first)
    hint = f"streamed deltas are put together first; known forms: {', '.join(message_forms())}"
    return MessageError(f"wanted {wanted}, got {found}", hint=hint)


# Reading and writing ------------------------------------------------------------------------------------------


def _sent(row: MessageForm, place: Path, entry: Json) -> SentCall:
    shape = _shape(row, entry)
    identity = at(entry, shape.slots["<id>"]) if "<id>" in shape.slots else None
    return SentCall(
        id=identity if isinstance(identity, (str, int)) and not isinstance(identity, bool) else None,
        name=at(entry, shape.slots["<name>"]),
        arguments=at(entry, shape.slots["<arguments>"]),
        path=place,
    )


def _filled(template: Mapping[str, Json], values: Mapping[str, Json]) -> dict[str, Json]:
    """A template (a few levels deep) with its slots filled; what has no value is left out."""
    filled: dict[str, Json] = {}
    for key, leaf in template.items():
        value = _filled(leaf, values) if isinstance(leaf, dict) else _value(leaf, values)
        if value is not None:
            filled[key] = value
    return filled


def _value(leaf: Json, values: Mapping[str, Json]) -> Json:
    return values.get(leaf, leaf) if isinstance(leaf, str) else leaf
