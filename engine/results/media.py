"""Media types: told by the first bytes, read from a header or a claim, and text taken out of bytes."""

from __future__ import annotations

import base64
import binascii
import codecs
import hashlib
import re

from toolglot.results.table import references

_TYPE = re.compile(r"\s*([A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+)\s*(?:;.*)?\Z", re.DOTALL)
_CHARSET = re.compile(r";\s*charset\s*=\s*\"?([A-Za-z0-9_.:-]{1,40})\"?", re.IGNORECASE)
_LONGEST_TYPE = 127
UNKNOWN_TYPE = "application/octet-stream"


def sniffed(content: bytes) -> str | None:
    """The media type that the first bytes tell, or None."""
    for sniff in references().sniffs:
        if all(content[offset : offset + len(part)] == part for offset, part in sniff.bytes):
            return sniff.type
    return None


def bare_type(text: str | None) -> str | None:
    """A media type without its parameters in small letters, or None where the text is none."""
    match = _TYPE.match(text[:1024]) if text else None
    return match[1].lower() if match and len(match[1]) <= _LONGEST_TYPE else None


def observed_type(content: bytes, header: str | None) -> str:
    """The type of received bytes: what they show, else what the answer's header says."""
    return sniffed(content) or bare_type(header) or UNKNOWN_TYPE


def extension(media_type: str) -> str:
    """The ending of a saved file of an observed type."""
    return references().extensions.get(media_type, "bin")


def is_textual(media_type: str | None) -> bool:
    """Whether content of this type is text."""
    bare, textual = bare_type(media_type), references().textual
    return bare is not None and (
        bare in textual.types or bare.startswith(textual.families) or bare.endswith(textual.suffixes)
    )


def decoded(data: str) -> bytes | None:
    """The bytes of a base64 text (either alphabet, line ends allowed), or None where it is none."""
    compact = "".join(data.split()).rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(compact + "=" * (-len(compact) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def text_of(data: str, media_type: str | None) -> str | None:
    """The text that a base64 body of a textual type spells, or None where it can't be decoded."""
    content = decoded(data)
    charset = _CHARSET.search((media_type or "")[:1024])
    name = (charset[1] if charset else "utf-8").lower()
    if content is None or name not in references().textual.charsets:
        return None
    try:
        return codecs.decode(content, "utf-8-sig" if name == "utf-8" else name)
    except UnicodeDecodeError:
        return None


def digest_of(body: str) -> bytes:
    """A digest of inline content: of its bytes where it is base64, else of its text."""
    content = decoded(body)
    return hashlib.sha256(body.encode("utf-8", "surrogatepass") if content is None else content).digest()
