"""What a content block is. Classifying is pure: it registers, marks and fetches nothing."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypedDict

from toolglot.json_values import Json, kind
from toolglot.results.labels import is_longer
from toolglot.results.shapes import accepts
from toolglot.results.table import FieldRule, references

Kind: TypeAlias = Literal["text", "inline", "reference", "embedded", "contradiction", "invalid", "unknown"]
"""`contradiction`: inline content that also claims a disposition or carries a uri; it is withheld."""


@dataclass(frozen=True, slots=True)
class Claims:
    """What a sender says of a payload. None of it is a fact; a field that broke its rule is None."""

    name: str | None = None
    type: str | None = None
    size: int | None = None
    digest: str | None = None
    expires: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """One content block, read.

    Attributes:
        kind: what it is.
        type: its own type word, as sent; the empty text where there is none.
        claims: the optional fields that hold.
        disposition: `never`, `ref` or None.
        missing: the optional fields that were there and broke their rule.
        reason: why an invalid block is refused whole.
        uri: the address; never for the model.
        text: a text block's or an embedded resource's text.
        data: inline content in base64.
    """

    kind: Kind
    type: str
    claims: Claims = Claims()
    disposition: Literal["never", "ref"] | None = None
    missing: tuple[str, ...] = ()
    reason: str = ""
    uri: str | None = field(default=None, repr=False)
    text: str | None = field(default=None, repr=False)
    data: str | None = field(default=None, repr=False)

    @property
    def is_never(self) -> bool:
        """Whether this block itself says that its payload and address are not for the model."""
        return self.disposition == "never" and self.kind != "invalid"


class _Common(TypedDict):
    """What the optional fields of a block come to."""

    claims: Claims
    disposition: Literal["never", "ref"] | None
    missing: tuple[str, ...]


def classify(value: Json) -> Block:
    """The block that a JSON value is; every value has an answer."""
    if not isinstance(value, dict):
        return Block("unknown", kind(value))
    word = value.get("type")
    if not isinstance(word, str):
        return _unknown(value, "")
    row = references().blocks.get(word)
    return _READERS[row.reads](value, word) if row else _unknown(value, word)


def said(value: Json) -> bool:
    """Whether a field says something; JSON's null is how many serializers write that it doesn't."""
    return value is not None


@functools.cache
def _rules() -> Mapping[str, tuple[FieldRule, Callable[[Json], bool]]]:
    """Each field's rule and its compiled schema."""
    return {name: (rule, accepts(rule.schema)) for name, rule in references().fields.items()}


def _field(value: Mapping[str, Json], name: str, missing: list[str] | None = None) -> Json:
    """A field's value, or None where it is absent or breaks its rule."""
    rule, fits = _rules()[name]
    for spelling in rule.keys:
        found = value.get(spelling)
        if found is None:
            continue
        too_long = rule.units is not None and isinstance(found, str) and is_longer(found, rule.units)
        if not too_long and fits(found):
            return found
        if missing is not None:
            missing.append(name)
    return None


def _common(value: Mapping[str, Json]) -> _Common:
    """The optional fields of a block."""
    missing: list[str] = []
    size = _field(value, "size", missing)
    claims = Claims(
        name=_field(value, "name", missing),
        type=_field(value, "type", missing),
        size=None if size is None else int(size),
        digest=_field(value, "digest", missing),
        expires=_field(value, "expires", missing),
        description=_field(value, "description", missing),
    )
    return {"claims": claims, "disposition": _field(value, "disposition", missing), "missing": tuple(missing)}


def _text(value: Mapping[str, Json], word: str) -> Block:
    text = value.get("text")
    if not isinstance(text, str):
        return Block("invalid", word, reason="it has no text")
    if said(value.get("disposition")):
        return Block("contradiction", word, text=text, uri=_field(value, "uri"), **_common(value))
    return Block("text", word, text=text)


def _media(value: Mapping[str, Json], word: str) -> Block:
    data = value.get("data")
    if not isinstance(data, str):
        return _reference(value, word)
    common = _common(value)
    if said(value.get("disposition")) or said(value.get("uri")):
        return Block("contradiction", word, uri=_field(value, "uri"), data=data, **common)
    return Block("inline", word, data=data, **common)


def _resource(value: Mapping[str, Json], word: str) -> Block:
    inner = value.get("resource")
    return _embedded(value, inner, word) if isinstance(inner, dict) else _reference(value, word)


def _embedded(outer: Mapping[str, Json], inner: Mapping[str, Json], word: str) -> Block:
    """Inline content with its address inside; a disposition may stand on either level, and the stricter one holds."""
    uri, common = _field(inner, "uri"), _common({**outer, **inner})
    dispositions = {_field(outer, "disposition"), _field(inner, "disposition")}
    common["disposition"] = "never" if "never" in dispositions else common["disposition"]
    if uri is None:
        return Block("invalid", word, reason=_uri_fault(inner), **common)
    text, blob = inner.get("text"), inner.get("blob")
    contradicts = any(said(value) for value in (outer.get("uri"), outer.get("disposition"), inner.get("disposition")))
    return Block(
        "contradiction" if contradicts else "embedded",
        word,
        uri=uri,
        text=text if isinstance(text, str) else None,
        data=blob if isinstance(blob, str) else None,
        **common,
    )


def _reference(value: Mapping[str, Json], word: str) -> Block:
    uri, common = _field(value, "uri"), _common(value)
    if uri is None:
        return Block("invalid", word, reason=_uri_fault(value), **common)
    return Block("reference", word, uri=uri, **common)


def _uri_fault(value: Mapping[str, Json]) -> str:
    """Why a block is refused for its uri, in words without the uri."""
    uri = value.get("uri")
    if uri is None:
        return "it has no uri"
    if not isinstance(uri, str):
        return f"its uri is no text but {kind(uri)}"
    return "its uri is too long" if uri else "its uri is empty"


def _unknown(value: Mapping[str, Json], word: str) -> Block:
    """A block of another type: what it says of itself is kept, and a `never` on it holds where it has something."""
    common, uri = _common(value), _field(value, "uri")
    text = next((value[key] for key in ("text", "blob") if isinstance(value.get(key), str)), None)
    data = value["data"] if isinstance(value.get("data"), str) else None
    if uri is None and text is None and data is None and not isinstance(value.get("resource"), dict):
        common["disposition"] = None
    return Block("unknown", word, uri=uri, text=text, data=data, **common)


_READERS: Mapping[str, Callable[[Mapping[str, Json], str], Block]] = {
    "text": _text,
    "media": _media,
    "resource": _resource,
    "link": _reference,
}
