"""What a constraint says, in a few words, for the description of the node that it left."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from importlib.resources import files

from toolglot.json_values import Json

Pairs = tuple[tuple[str, Json], ...]


@cache
def _table() -> dict[str, Json]:
    return tomllib.loads(files("toolglot.rules").joinpath("words.toml").read_text("utf-8"))


def in_words(lost: Pairs) -> str:
    """The constraints in a few words, such as `at least 3 characters; no two items alike`."""
    table = _table()
    said = []
    for keyword, value in lost:
        template = table["words"].get(keyword, keyword + " {}")
        text = template.replace("{}", _compact(value)) if "{}" in template else template
        if len(text) > table["longest"]:
            text = table["long"].get(keyword, "")
        said.append(text)
    return "; ".join(dict.fromkeys(filter(None, said)))


def verbatim(lost: Pairs) -> str:
    """The constraints as JSON text, whole."""
    return "must also fit " + _compact(dict(lost))


def _compact(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
