"""What the host allows to be fetched, and with which credentials; checked for every address that is dialed."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from toolglot.errors import ToolglotError
from toolglot.results.table import references

if TYPE_CHECKING:
    import httpx

_PORTS = {"http": 80, "https": 443}
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_LOCAL_NAT64 = ipaddress.ip_network("64:ff9b:1::/48")
_COMPATIBLE = ipaddress.ip_network("::/96")
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class FetchError(ToolglotError):
    """A fetch was refused or failed. Its text holds no address and nothing of a payload, so the model may read it.

    Attributes:
        code: the row of refusals, such as `marked`, `origin` or `ceiling`.
    """

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(references().refusals[code])


@dataclass(frozen=True, slots=True)
class Connection:
    """A server that the host is connected to.

    Attributes:
        origin: the origin that was dialed; None for a transport without one, such as stdio.
        authorization: the value of the header that the connection sends; it goes to that origin alone.
    """

    origin: str | None = None
    authorization: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class FetchPolicy:
    """What may be fetched.

    Attributes:
        schemes: of `https` and `http`.
        origins: allowed beside those that the delivering servers were dialed at.
        any_origin: whether any public origin is allowed.
        private: origins that may resolve to loopback, link-local, private and other special addresses.
        max_bytes: the ceiling on decoded bytes.
        seconds: the time for one fetch.
        redirects: hops that are followed.
        eager_bytes: what a payload may claim at most to be fetched on receipt; None: nothing is.
        withhold: the strict reading of `never`, for hosts whose tools or scripts the model can see: nothing
            that is marked is fetched or saved at all. Without it the host may save such a payload, for itself.
    """

    schemes: frozenset[str] = frozenset({"https"})
    origins: frozenset[str] = frozenset()
    any_origin: bool = False
    private: frozenset[str] = frozenset()
    max_bytes: int = field(default_factory=lambda: references().limits["fetch-bytes"])
    seconds: float = field(default_factory=lambda: references().limits["fetch-seconds"])
    redirects: int = field(default_factory=lambda: references().limits["redirects"])
    eager_bytes: int | None = None
    withhold: bool = True


def parsed(uri: str) -> httpx.URL:
    """The address that will be dialed; policy and client read the same object, so they can't read it differently."""
    import httpx  # noqa: PLC0415 - an extra; `import toolglot` must not need it

    url = None
    if uri.isprintable() and "\\" not in uri and " " not in uri:
        try:
            found = httpx.URL(uri).copy_with(fragment=None)
            url = found if isinstance(found.host, str) else None  # asking for the host tells whether it is a name
        except (httpx.InvalidURL, UnicodeError, ValueError):
            url = None
    if url is None or not url.scheme:
        raise FetchError("malformed")
    return url


def origin_of(url: httpx.URL) -> str:
    """Scheme, host and port, the port always written."""
    return f"{url.scheme}://{url.raw_host.decode('ascii').lower()}:{url.port or _PORTS.get(url.scheme, 0)}"


def origins_of(texts: Iterable[str | None]) -> frozenset[str]:
    """The origins of addresses that the host wrote, in normal form."""
    return frozenset(origin_of(parsed(text)) for text in texts if text)


def screen(url: httpx.URL, policy: FetchPolicy, dialed: frozenset[str]) -> str:
    """The origin of an address that policy allows; raises FetchError for any other."""
    if url.scheme not in policy.schemes or url.scheme not in _PORTS:
        raise FetchError("scheme")
    if not url.host:
        raise FetchError("malformed")
    if url.userinfo:
        raise FetchError("credentials")
    origin = origin_of(url)
    if not policy.any_origin and origin not in dialed and origin not in origins_of(policy.origins):
        raise FetchError("origin")
    return origin


def screen_addresses(addresses: Iterable[str], origin: str, policy: FetchPolicy) -> tuple[str, ...]:
    """The resolved addresses of an origin, none of them special unless policy names the origin as private."""
    read = tuple([ipaddress.ip_address(text.partition("%")[0]) for text in addresses])
    if not read:
        raise FetchError("network")
    if origin not in origins_of(policy.private) and not all(is_public(address) for address in read):
        raise FetchError("private")
    return tuple(map(str, read))


def is_public(address: Address) -> bool:
    """Whether an address is one of the public internet, also when it wraps one of version 4."""
    if isinstance(address, ipaddress.IPv6Address):
        wrapped = _wrapped(address)
        if wrapped is not None:
            return is_public(wrapped)
        if address.is_site_local or address in _LOCAL_NAT64:
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def _wrapped(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The version 4 address that a version 6 one stands for: mapped, translated, tunnelled or compatible."""
    if address in _NAT64 or address in _COMPATIBLE:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    if address.teredo is not None:
        return address.teredo[1]
    return address.ipv4_mapped or address.sixtofour


def is_expired(expires: str | None, now: datetime) -> bool:
    """Whether a claimed expiry has passed; one that doesn't parse has, one that is absent has not."""
    if expires is None:
        return False
    try:
        moment = datetime.fromisoformat(expires)
    except ValueError:
        return True
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) <= now
