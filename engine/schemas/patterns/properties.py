r"""Unicode properties: the code points that `\p{...}` names.

General categories and scripts come from the data inside re2, read by asking it which of all code points it
matches: one source, no table of ours. The binary properties are those whose data Python or the standard's own
text holds. Anything else is refused rather than guessed.
"""

from __future__ import annotations

import sys
from array import array
from functools import lru_cache

from toolglot.schemas.patterns.sets import EVERYTHING, LAST, SPACE, SURROGATES, Ranges, complement, union

CATEGORIES = {
    "Cased_Letter": "LC",
    "Close_Punctuation": "Pe",
    "Connector_Punctuation": "Pc",
    "Control": "Cc",
    "cntrl": "Cc",
    "Currency_Symbol": "Sc",
    "Dash_Punctuation": "Pd",
    "Decimal_Number": "Nd",
    "digit": "Nd",
    "Enclosing_Mark": "Me",
    "Final_Punctuation": "Pf",
    "Format": "Cf",
    "Initial_Punctuation": "Pi",
    "Letter": "L",
    "Letter_Number": "Nl",
    "Line_Separator": "Zl",
    "Lowercase_Letter": "Ll",
    "Mark": "M",
    "Combining_Mark": "M",
    "Math_Symbol": "Sm",
    "Modifier_Letter": "Lm",
    "Modifier_Symbol": "Sk",
    "Nonspacing_Mark": "Mn",
    "Number": "N",
    "Open_Punctuation": "Ps",
    "Other": "C",
    "Other_Letter": "Lo",
    "Other_Number": "No",
    "Other_Punctuation": "Po",
    "Other_Symbol": "So",
    "Paragraph_Separator": "Zp",
    "Private_Use": "Co",
    "Punctuation": "P",
    "punct": "P",
    "Separator": "Z",
    "Space_Separator": "Zs",
    "Spacing_Mark": "Mc",
    "Surrogate": "Cs",
    "Symbol": "S",
    "Titlecase_Letter": "Lt",
    "Unassigned": "Cn",
    "Uppercase_Letter": "Lu",
}
_SECONDS = [("C", "cfnos"), ("L", "lmotu"), ("M", "cen"), ("N", "dlo"), ("P", "cdefios"), ("S", "ckmo"), ("Z", "lps")]
SHORT = frozenset(
    ["C", "L", "LC", "M", "N", "P", "S", "Z", *(first + second for first, seconds in _SECONDS for second in seconds)]
)
# Scripts by their four letters, for those that stand in real patterns; re2 knows the long names.
SCRIPTS = {
    "Arab": "Arabic",
    "Armn": "Armenian",
    "Beng": "Bengali",
    "Bopo": "Bopomofo",
    "Cyrl": "Cyrillic",
    "Deva": "Devanagari",
    "Ethi": "Ethiopic",
    "Geor": "Georgian",
    "Grek": "Greek",
    "Gujr": "Gujarati",
    "Guru": "Gurmukhi",
    "Hang": "Hangul",
    "Hani": "Han",
    "Hebr": "Hebrew",
    "Hira": "Hiragana",
    "Kana": "Katakana",
    "Khmr": "Khmer",
    "Knda": "Kannada",
    "Laoo": "Lao",
    "Latn": "Latin",
    "Mlym": "Malayalam",
    "Mong": "Mongolian",
    "Mymr": "Myanmar",
    "Orya": "Oriya",
    "Qaai": "Inherited",
    "Sinh": "Sinhala",
    "Taml": "Tamil",
    "Telu": "Telugu",
    "Thai": "Thai",
    "Tibt": "Tibetan",
    "Zinh": "Inherited",
    "Zyyy": "Common",
}
HEXADECIMAL: Ranges = ((0x30, 0x39), (0x41, 0x46), (0x61, 0x66))


def property_set(expression: str) -> Ranges:
    r"""The code points of the property in `\p{expression}`; KeyError where there is none, or no data for it."""
    name, equals, value = expression.partition("=")
    if equals:
        if name in ("General_Category", "gc"):
            return _category(value)
        if name in ("Script", "sc"):
            return _script(value)
        raise KeyError(expression)
    if name in CATEGORIES or name in SHORT:
        return _category(name)
    return _binary(name)


def _category(name: str) -> Ranges:
    short = CATEGORIES.get(name, name)
    if short not in SHORT:
        raise KeyError(name)
    if short == "Cs":
        return SURROGATES
    if short == "LC":
        return union([*_asked("Lu"), *_asked("Ll"), *_asked("Lt")])
    if short in ("Cn", "C"):
        assigned = union([pair for group in "LMNPSZ" for pair in _asked(group)])
        others = [*_asked("Cc"), *_asked("Cf"), *_asked("Co"), *SURROGATES]
        return complement(union([*assigned, *others]) if short == "Cn" else assigned)
    return _asked(short)


def _script(name: str) -> Ranges:
    known = SCRIPTS.get(name, name)
    if known in SHORT or not known.replace("_", "").isalpha():
        raise KeyError(name)
    return _asked(known)


@lru_cache(maxsize=32)
def _binary(name: str) -> Ranges:
    if name == "Any":
        return EVERYTHING
    if name == "ASCII":
        return ((0, 0x7F),)
    if name in ("ASCII_Hex_Digit", "AHex"):
        return HEXADECIMAL
    if name == "Assigned":
        return complement(_category("Cn"))
    if name in ("White_Space", "space"):  # ECMA's \s without U+FEFF, with U+0085
        return union([(0x85, 0x85), *SPACE[:-1]])
    if name in ("Lowercase", "Lower"):
        return union((code, code) for code in range(LAST + 1) if chr(code).islower())
    if name in ("Uppercase", "Upper"):
        return union((code, code) for code in range(LAST + 1) if chr(code).isupper())
    raise KeyError(name)


@lru_cache(maxsize=1)
def _all_characters() -> bytes:
    codes = array("I", range(LAST + 1))
    del codes[0xD800:0xE000]
    order = "utf-32-le" if sys.byteorder == "little" else "utf-32-be"
    return codes.tobytes().decode(order).encode()


@lru_cache(maxsize=64)
def _asked(name: str) -> Ranges:
    """The code points that re2 has under a name of its own; KeyError where it has no such name."""
    import re2  # noqa: PLC0415 (a native library, loaded with the first pattern that needs it)

    options = re2.Options()
    options.log_errors = False
    try:
        runs = re2.compile(rf"\p{{{name}}}+".encode(), options)
    except re2.error as error:
        raise KeyError(name) from error
    return tuple((_first(run), _last(run)) for run in (found.group() for found in runs.finditer(_all_characters())))


def _first(run: bytes) -> int:
    return ord(run[:4].decode(errors="ignore")[0])


def _last(run: bytes) -> int:
    return ord(run[-4:].decode(errors="ignore")[-1])
