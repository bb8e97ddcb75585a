"""What the tests of all grammar engines share: examples and whole corpora, put to an engine and judged."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any, Protocol

import jsonschema
from tests.oracle.worker import Reply
from tests.wire.spellings import texts

from toolglot.calls.checker import checker_of
from toolglot.errors import SchemaError
from toolglot.wire.convert import Conversion, convert

SEEDS = (1, 2)
MOST = 96  # texts of one value


class Engine(Protocol):
    """What is asked of an engine, see tests.oracle."""

    def ask(self, schema: Any, *, texts: list[str] = ..., samples: int = ..., seed: int = ...) -> Reply: ...


def is_json(text: str) -> bool:
    """Whether a text is JSON."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


# Examples of rows -------------------------------------------------------------------------------------------


def faults(engine: Engine, example) -> list[str]:
    """What the engine does wrong with an example's source, sent as it is."""
    source = json.loads(example.given)
    spelled = partial(texts, wire=source, required_first=False)
    legal = [spelled(json.loads(text)) for text in example.accepts]
    illegal = [spelled(json.loads(text)) for text in example.rejects]
    reply = engine.ask(source, texts=[text for group in legal + illegal for text in group], samples=12)
    if not reply.answer.get("ok"):
        return ["does not compile"]
    matched = iter(reply.answer["texts"])
    found = [f"refuses {group[0]}" for group in legal if not any(list(islice(matched, len(group))))]
    found += [f"accepts {group[0]}" for group in illegal if any(list(islice(matched, len(group))))]
    found += [] if reply.answer["samples"] else ["no text can be ended"]
    return found + [f"makes {text!r}" for text in reply.answer["samples"] if not is_json(text)]


def faults_of_wire(engine: Engine, example, target: str) -> list[str]:
    """What goes wrong with the wire of an example: refused, no JSON, or a legal value that can't be said."""
    conversion = convert(json.loads(example.given), target, dialect="2020-12")
    groups = [spelled(conversion, json.loads(text)) for text in example.accepts]
    reply = engine.ask(conversion.wire, texts=[text for group in groups for text in group], samples=12)
    if not reply.answer.get("ok"):
        return [f"does not compile: {reply}"]
    found = [f"makes {text!r}" for text in reply.answer["samples"] if not is_json(text)]
    if "narrowed" in conversion.outcomes:
        return found
    matched = iter(reply.answer["texts"])
    return found + [f"refuses {group[0]}" for group in groups if not any(list(islice(matched, len(group))))]


def spelled(conversion: Conversion, value: Any) -> list[str]:
    """The texts of a value on the wire."""
    forms = conversion.spellings(value)
    said = (text for form in forms for text in texts(form, conversion.wire, required_first=False))
    return list(islice(said, MOST))


# The corpus -------------------------------------------------------------------------------------------------


def asked(engine: Engine, rows: Iterable[dict[str, Any]], target: str | None) -> dict[str, Any]:
    """What the engine does with each schema and its instances; without a target, with the sources as they are.

    A value is legal where jsonschema says so, and the check too where the dialect asserts formats.
    """
    found: dict[str, Any] = {"schemas": 0, "legal": 0, "illegal": 0, "samples": 0, "samples_refused": 0}
    found |= {"rejected": [], "not_json": [], "legal_refused": [], "unreported": [], "illegal_accepted": []}
    for row in rows:
        found["schemas"] += 1
        _ask_of_one(engine, row, target, found)
    return found


def _ask_of_one(engine: Engine, row: dict[str, Any], target: str | None, found: dict[str, Any]) -> None:
    name, conversion = row["name"], convert(row["schema"], target or "llguidance")
    wire = conversion.wire if target else row["schema"]
    groups = [
        (is_legal, _texts_of(conversion, value, is_legal=is_legal, target=target))
        for value, is_legal in judged(row, conversion)
    ]
    for seed in SEEDS:
        asked_texts = [text for _, group in groups for text in group] if seed == SEEDS[0] else []
        reply = engine.ask(wire, texts=asked_texts, samples=2, seed=seed)
        if not reply.answer.get("ok"):
            found["rejected"].append(f"{name}: {reply.fault or reply.answer['error'].splitlines()[0][:120]}")
            return
        found["samples"] += len(reply.answer["samples"])
        found["not_json"] += [name for text in reply.answer["samples"] if not is_json(text)]
        if target:
            found["samples_refused"] += sum(not _is_taken(conversion, text) for text in reply.answer["samples"])
        if seed == SEEDS[0]:
            _count(name, conversion, groups, reply.answer["texts"], found, must_report=target is not None)


def _count(name, conversion, groups, answers, found, *, must_report) -> None:  # noqa: PLR0913 - what was asked, and what came
    matched = iter(answers)
    for number, (is_legal, group) in enumerate(groups):
        is_said = any(list(islice(matched, len(group))))
        found["legal" if is_legal else "illegal"] += 1
        if is_legal and not is_said:
            found["legal_refused"].append(f"{name}#{number}")
            if must_report and "narrowed" not in conversion.outcomes:
                found["unreported"].append(f"{name}#{number}")
        if is_said and not is_legal:
            found["illegal_accepted"].append(f"{name}#{number}")


def in_words(target: str, found: dict[str, Any], raw: dict[str, Any]) -> str:
    """The figures of a target in a line, beside those of the schemas as they are."""

    def share(part: int, whole: int) -> str:
        return f"{part} of {whole} ({100 * part / max(whole, 1):.1f} %)"

    refused, accepted = len(found["legal_refused"]), len(found["illegal_accepted"])
    return (
        f"{target}: {found['schemas']} schemas, {len(found['rejected'])} rejected; legal instances refused"
        f" {share(refused, found['legal'])}, illegal ones accepted {share(accepted, found['illegal'])}; random texts"
        f" no JSON {share(len(found['not_json']), found['samples'])}, refused by the check"
        f" {share(found['samples_refused'], found['samples'])}. As they are, of {raw['schemas']} schemas:"
        f" {raw['rejected']} rejected, legal refused {share(raw['legal_refused'], raw['legal'])}, illegal accepted"
        f" {share(raw['illegal_accepted'], raw['illegal'])}, no JSON {share(raw['not_json'], raw['samples'])}"
    )


def judged(row: dict[str, Any], conversion: Conversion) -> Iterator[tuple[Any, bool]]:
    """The row's instances, each with whether it is legal. The check's own word has to be the same."""
    judge = jsonschema.validators.validator_for(row["schema"], default=jsonschema.Draft202012Validator)(row["schema"])
    shape, check = checker_of(conversion.normal, formats=False), checker_of(conversion.normal)
    for test in row["tests"]:
        is_legal = judge.is_valid(test["data"])
        assert shape.accepts(test["data"]) == is_legal, row["name"]
        yield test["data"], is_legal and check.accepts(test["data"])


def _texts_of(conversion: Conversion, value: Any, *, is_legal: bool, target: str | None) -> list[str]:
    if not target:
        source = {**conversion.normal.root, "$defs": dict(conversion.normal.definitions)}
        return texts(value, source, required_first=False)
    if is_legal:
        assert all(conversion.restore(form) == (value, ()) for form in conversion.spellings(value)), value
        return spelled(conversion, value)
    return texts(value, conversion.wire, required_first=False) + spelled(conversion, value)


def _is_taken(conversion: Conversion, text: str) -> bool:
    """Whether a text that the engine made is restored to a value that the check accepts; no exception either way."""
    if not is_json(text):
        return False
    value, problems = conversion.restore(json.loads(text))
    return not problems and checker_of(conversion.normal).accepts(value)


def every(rows: Iterable[dict[str, Any]], step: int) -> Iterator[dict[str, Any]]:
    """Every so many-th row, of those that are schemas at all."""
    for number, row in enumerate(rows):
        if number % step == 0 and _is_schema(row["schema"]):
            yield row


def _is_schema(schema: Any) -> bool:
    try:
        convert(schema, "llguidance")
    except SchemaError:
        return False
    return True
