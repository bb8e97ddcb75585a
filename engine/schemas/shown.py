"""JSON values as short text, for messages: bounded in length and in work, whatever the value is."""

from __future__ import annotations

import json
import re
import unicodedata

from toolglot.json_values import Json, kind

_HALF = re.compile("[\ud800-\udfff]")
_JOINERS = "\u200d\ufe0e\ufe0f"
# Digits of a longer integer are not made at all: that costs the square of their number.
_LONGEST_INTEGER = 1000
_SUMMARY = {"array": "a list of {count:,} items", "object": "an object with {count:,} keys"}


def cut(text: str, length: int) -> str:
    """The first characters of a text, at most `length`, never ending inside a combined character."""
    if len(text) <= length:
        return text
    end = max(length, 0)
    while end and (unicodedata.combining(text[end]) or text[end] in _JOINERS or text[end - 1] == "\u200d"):
        end -= 1
    return text[:end]


def speakable(text: str) -> str:
    """The text with each half of a surrogate pair as its escape, so that it can be sent as UTF-8."""
    return _HALF.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def quoted(text: str, length: int = 80) -> str:
    """The text as JSON text; a long one cut, with its length."""
    beginning = cut(text, length)
    shown_text = speakable(json.dumps(beginning, ensure_ascii=False))
    if len(beginning) < len(text):
        return f'{shown_text[:-1]}…" ({len(text):,} characters)'
    return shown_text


def shown(value: Json, length: int = 80) -> str:
    """The value as JSON text where that is short, else its beginning or its size in words."""
    if isinstance(value, str):
        return quoted(value, length)
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, int):
        return _whole_number(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, (dict, list, tuple)):
        return _container(value, length)
    return f"a value of the type {type(value).__name__}"


def number_text(value: float) -> str:
    """A number as a reader writes it: `1` for `1.0`."""
    return shown(int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e16 else value)


def _whole_number(value: int) -> str:
    digits = value.bit_length() * 3 // 10
    return str(value) if digits < _LONGEST_INTEGER else f"a number of about {digits:,} digits"


def _number(value: float) -> str:
    return repr(value) if value == value and abs(value) != float("inf") else json.dumps(value)  # noqa: PLR0124 - NaN


def _container(value: Json, length: int) -> str:
    """The JSON text of a small list or object, else its size in words."""
    if len(value) * 2 <= length and _is_flat(value):
        items = [shown(item, length) for item in (value.values() if isinstance(value, dict) else value)]
        text = _braced(value, items)
        if len(text) <= length:
            return text
    words = _SUMMARY[kind(value)].format(count=len(value))
    return words[:-1] if len(value) == 1 else words


def _is_flat(value: Json) -> bool:
    """Whether each item is a scalar or an empty container, so that showing it goes no deeper."""
    items = value.values() if isinstance(value, dict) else value
    return all(not item or not isinstance(item, (dict, list, tuple)) for item in items)


def _braced(value: Json, items: list[str]) -> str:
    if not isinstance(value, dict):
        return f"[{', '.join(items)}]"
    return f"{{{', '.join(f'{quoted(str(key))}: {item}' for key, item in zip(value, items, strict=True))}}}"
