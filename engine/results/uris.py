"""When two spellings of a uri are one address, and what a uri's text could look like elsewhere.

The key of a uri is RFC 3986's syntax-based normalisation, with the readings of a browser (WHATWG) where they
differ: white space around it and tabs and line ends in it are dropped; in web addresses a backslash is a slash, and
a fragment points into the same payload. Two addresses with one key name one payload; a `never` said of one spelling
holds for all.
"""

from __future__ import annotations

import html
import re
import unicodedata
from urllib.parse import quote, unquote, unquote_to_bytes

_SPLIT = re.compile(r"(?:([a-z][a-z0-9+.-]*):)?(?://([^/?]*))?([^?]*)(\?.*)?\Z", re.IGNORECASE | re.DOTALL)
_DROPPED = re.compile(r"[\t\r\n]")
_EDGES = "".join(map(chr, range(0x21)))
_PERCENT = re.compile(r"(?:%[0-9a-fA-F]{2})+")
_DEFAULT_PORTS = {"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21"}
_KEPT = "!$&'()*+,;=:@/?%[]"


def key(uri: str) -> str:
    """The uri in its normal spelling: equal for two spellings of one address."""
    text = _DROPPED.sub("", unicodedata.normalize("NFC", uri).strip(_EDGES))
    if text.partition(":")[0].lower() in _DEFAULT_PORTS:
        text = text.partition("#")[0].replace("\\", "/")
    match = _SPLIT.match(text)
    if match is None or match[1] is None:
        return _escapes(text)
    scheme, authority, path, query = match[1].lower(), match[2], match[3], match[4] or ""
    if scheme in _DEFAULT_PORTS and authority is None:
        authority, _, rest = path.lstrip("/").partition("/")
        path = "/" + rest
    place = "" if authority is None else "//" + _authority(authority, scheme)
    path = _without_dots(_escapes(path)) if authority is not None else _escapes(path)
    return f"{scheme}:{place}{path or ('/' if authority is not None else '')}{_escapes(query)}"


def remainder(uri: str) -> str:
    """What follows the origin: the part that tells this payload from the others of its server."""
    match = _SPLIT.match(uri)
    return uri if match is None or match[2] is None else match[3] + (match[4] or "")


def spellings(uri: str) -> tuple[str, ...]:
    """The texts by which a uri could be shown: as sent, normal, unescaped, escaped for HTML."""
    texts = {uri: None, key(uri): None, unquote(uri): None, html.escape(uri): None, uri.replace("&", "&amp;"): None}
    return tuple(texts)


def _authority(text: str, scheme: str) -> str:
    """User, host and port, the host in small ASCII letters where it has such a form."""
    user, at, place = text.rpartition("@")
    host, colon, port = place.rpartition(":") if not place.endswith("]") and ":" in place else (place, "", "")
    host = unicodedata.normalize("NFKC", unquote(host)).lower().rstrip(".")
    if not host.isascii():
        host = _ascii_host(host)
    keep = colon and port and port.lstrip("0") != _DEFAULT_PORTS.get(scheme)
    return f"{_escapes(user)}{at}{host}{':' + (port.lstrip('0') or '0') if keep else ''}"


def _ascii_host(host: str) -> str:
    """The punycode form of a host; the text itself where there is none."""
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return host


def _escapes(text: str) -> str:
    """Percent escapes where they are needed, and nowhere else, in capitals."""
    text = _PERCENT.sub(lambda run: _unescaped(run[0]), text)
    return quote(unicodedata.normalize("NFC", text), safe=_KEPT + "#-._~", errors="surrogatepass")


def _unescaped(run: str) -> str:
    """A run of escapes with those undone that stand for letters, digits and characters outside ASCII."""
    octets = unquote_to_bytes(run)
    try:
        text = octets.decode("utf-8")
    except UnicodeDecodeError:
        return run.upper()
    return "".join(
        [
            character if character.isalnum() or character in "-._~" or character > "\x7f" else f"%{ord(character):02X}"
            for character in text
        ]
    )


def _without_dots(path: str) -> str:
    """A path without `.` and `..` steps."""
    if "/." not in path:
        return path
    kept: list[str] = []
    steps = path.split("/")
    for step in steps[1:]:
        if step == "..":
            del kept[-1:]
        elif step != ".":
            kept.append(step)
    if steps[-1] in {".", ".."}:
        kept.append("")
    return "/" + "/".join(kept)
