"""Names that a target takes, for the properties and tools whose names it does not take."""

from __future__ import annotations

from collections.abc import Iterable

from toolglot.schemas.patterns import matcher

FEW_LETTERS = 8  # names that begin so are numbered together
MOST_ALIASES = 2_000  # names tried for one name, before it is left as it is


class Alias:
    """Names that a target takes, for names that it does not: each name of a schema has one, wherever it stands."""

    def __init__(self, pattern: str, longest: int, taken: Iterable[str]) -> None:
        self._fits, self._longest = matcher(pattern), longest
        self._stems = {name.rstrip("_") for name in taken}
        self._known: dict[str, str] = {}
        self._letters: dict[str, bool] = {}
        self._next: dict[str, int] = {}

    def __call__(self, name: str) -> str:
        """The name that the target takes: the name itself where it can be."""
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = name if self._takes(name) else self._made(name)
        return known

    def _takes(self, name: str) -> bool:
        return len(name) <= self._longest and self._fits(name)

    def _made(self, name: str) -> str:
        plain = "".join(letter if self._takes_letter(letter) else "_" for letter in name).strip("_") or "p"
        stem = plain[:FEW_LETTERS]
        for number in range(self._next.get(stem, 1), MOST_ALIASES):
            self._next[stem] = number + 1
            end = "" if number == 1 else self._numbered(number)
            named = self._numbered(number)
            for alias in (plain[: self._longest - len(end)] + end, f"p{named}", f"P{named}"):
                if alias.rstrip("_") not in self._stems and self._takes(alias):
                    self._stems.add(alias.rstrip("_"))
                    return alias
        return name

    def _takes_letter(self, letter: str) -> bool:
        known = self._letters.get(letter)
        if known is None:
            known = self._letters[letter] = any(map(self._fits, (letter, "a" + letter, "A" + letter)))
        return known

    def _numbered(self, number: int) -> str:
        """A number as digits; as letters where the target takes no digits in a name."""
        if self._takes_letter("1"):
            return str(number)
        base, first = (26, "a") if self._takes_letter("a") else (26, "A")
        text = ""
        while number:
            number, digit = divmod(number, base)
            text = chr(ord(first) + digit) + text
        return text
