"""What can go wrong, in three families: the rule's author, the tool's author, the model; and what a program hands over.

Each error carries its parts as fields; the sentence is made in one place (`sentence`), so that a
program never needs to read wording.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Path = tuple[str | int, ...]


def pointer(path: Path) -> str:
    """The JSON pointer (RFC 6901) of a path; the root is the empty text, printed as `/`."""
    if not path:
        return "/"
    return "".join(["/" + str(step).replace("~", "~0").replace("/", "~1") for step in path])


_LONGEST_NAME = 60


def short_pointer(path: Path, *, first: int = 4, last: int = 4) -> str:
    """The same for a person: of a deep place the beginning and the end, of a long name the beginning."""
    steps = [step if len(str(step)) <= _LONGEST_NAME else f"{step}"[:_LONGEST_NAME] + "…" for step in path]
    if len(steps) <= first + last:
        return pointer(tuple(steps))
    return f"{pointer(tuple(steps[:first]))}/…{pointer(tuple(steps[-last:]))}"


def sentence(where: str, reason: str, hint: str | None = None) -> str:
    """One plain sentence: the place, what is wrong, and what to do about it when that is known."""
    text = f"at {where}: {reason}" if where else reason
    return f"{text} ({hint})" if hint else text


class ToolglotError(Exception):
    """The base of every error that this library raises on purpose; each can be copied and pickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        """The error by its parts: Python would make it from its sentence, which is no argument of it."""
        return _made_again, (type(self), self.args, vars(self).copy())


def _made_again(kind: type[ToolglotError], args: tuple[Any, ...], parts: dict[str, Any]) -> ToolglotError:
    error = kind.__new__(kind, *args)
    vars(error).update(parts)
    return error


class RuleError(ToolglotError):
    """A table is wrong: for the author of a rule.

    Attributes:
        file: the table's path or package name, as it was given.
        field: the row and field, such as `rule.some-id.when`.
        reason: what was found and what was wanted.
        line: the line in the file, counted from 1, where it is known.
    """

    def __init__(self, file: str, field: str, reason: str, *, line: int | None = None, hint: str | None = None) -> None:
        self.file, self.field, self.reason, self.line, self.hint = file, field, reason, line, hint
        where = f"{file}:{line}" if line else file
        super().__init__(sentence(f"{where} {field}".strip(), reason, hint))


class SchemaError(ToolglotError):
    """A tool's schema is broken or past a limit: for the author of the tool.

    Attributes:
        path: where in the schema, as steps from its root.
        keyword: the keyword that is wrong, or the empty text.
        reason: what was found and what was wanted.
        tool: the tool's name where the schema belongs to one.
    """

    def __init__(
        self, path: Path, keyword: str, reason: str, *, tool: str | None = None, hint: str | None = None
    ) -> None:
        self.path, self.keyword, self.reason, self.tool, self.hint = path, keyword, reason, tool, hint
        where = short_pointer(path)
        super().__init__(sentence(f"{tool} {where}" if tool else where, reason, hint))

    @property
    def pointer(self) -> str:
        """The JSON pointer of `path`."""
        return pointer(self.path)

    def of_tool(self, tool: str) -> SchemaError:
        """The same error, naming the tool that the schema belongs to."""
        return SchemaError(self.path, self.keyword, self.reason, tool=tool, hint=self.hint)


class CallError(ToolglotError):
    """A call can't be read at all: an unknown tool, a value that is no JSON. For the model.

    Attributes:
        path: where in the arguments.
        reason: what was found and what was wanted.
    """

    def __init__(self, path: Path, reason: str, *, hint: str | None = None) -> None:
        self.path, self.reason, self.hint = path, reason, hint
        super().__init__(sentence(short_pointer(path) if path else "", reason, hint))


class MessageError(ToolglotError):
    """A message is of no known form, or a reply cannot be written: for the author of the program that asks.

    Attributes:
        reason: what was found and what was wanted.
    """

    def __init__(self, reason: str, *, hint: str | None = None) -> None:
        self.reason, self.hint = reason, hint
        super().__init__(sentence("", reason, hint))


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a call, all of it as fields.

    Attributes:
        path: where in the arguments, in the tool's own names.
        keyword: the schema keyword that was broken (`type`, `required`, `minimum`…).
        rule: the id of the rule or check that found it.
        got: the value found there; for a missing key, nothing stands there and `got` is None.
        wanted: the domain in words, such as `a whole number, 1 or more`.
        hint: what to send instead, where that is known.
        undeclared: beside a missing key: keys that came and that the schema does not declare, at most five.
        undeclared_count: how many such keys came in all.
        likely: beside a missing key: the one of them that was likely meant for it.
    """

    path: Path
    keyword: str
    rule: str
    got: Any
    wanted: str
    hint: str | None = None
    undeclared: tuple[str, ...] = ()
    undeclared_count: int = 0
    likely: str | None = None
