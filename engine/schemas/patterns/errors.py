"""What can go wrong with a pattern: nobody can read it, or running it costs too much."""

from __future__ import annotations

from toolglot.errors import CallError, Path, SchemaError


class PatternError(SchemaError):
    """A pattern that can't be read: for the author of the tool.

    Attributes:
        pattern: the pattern as it was given.
        position: the character at which reading stopped, counted from 0.
        flaw: what is wrong there.
    """

    def __init__(  # noqa: PLR0913 (what it is, and where it stands)
        self,
        pattern: str,
        position: int,
        flaw: str,
        *,
        path: Path = (),
        keyword: str = "pattern",
        tool: str | None = None,
    ) -> None:
        self.pattern, self.position, self.flaw = pattern, position, flaw
        super().__init__(path, keyword, f"pattern {shown(pattern)}, character {position}: {flaw}", tool=tool)

    def placed(self, path: Path, keyword: str) -> PatternError:
        """The same error at a place in a schema."""
        return PatternError(self.pattern, self.position, self.flaw, path=path, keyword=keyword, tool=self.tool)

    def of_tool(self, tool: str) -> PatternError:
        """The same error, naming the tool that the schema belongs to."""
        return PatternError(self.pattern, self.position, self.flaw, path=self.path, keyword=self.keyword, tool=tool)


class PatternTooCostly(CallError):  # noqa: N818 (a refusal's name says what happened)
    """Whether a text matches was not found out within the bound on work. The text counts as refused.

    Attributes:
        pattern: the pattern that was tried.
        length: how many characters the text has.
    """

    def __init__(self, pattern: str, length: int) -> None:
        self.pattern, self.length = pattern, length
        super().__init__(
            (),
            f"trying the pattern {shown(pattern)} on {length} characters takes more work than is allowed",
            hint="send a shorter text",
        )


def shown(pattern: str) -> str:
    """The pattern for a message, cut when it is long."""
    return repr(pattern if len(pattern) <= 80 else pattern[:77] + "...")
