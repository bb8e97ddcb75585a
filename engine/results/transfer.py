"""One transfer over HTTP: hop by hop, to addresses that were checked, no byte past the ceiling.

The host is resolved once for each hop, all its addresses are screened, and the connection goes to a screened address
itself, with the host's name in the `Host` header and the TLS handshake: a second answer of the name server can't
move it. Credentials go to the origin that the connection dialed; once a redirect has left it they are gone for good.
"""

from __future__ import annotations

import asyncio
import socket
import zlib
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from toolglot.results.policy import FetchError, FetchPolicy, parsed, screen, screen_addresses

if TYPE_CHECKING:
    import httpx

Resolve: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_STEP = 1 << 16
_GZIP = frozenset({"gzip", "x-gzip"})


@dataclass(frozen=True, slots=True)
class Received:
    """A payload in full, its content coding undone, and the type that the answer's header gave."""

    content: bytes = field(repr=False)
    header_type: str | None


async def resolved(host: str, port: int) -> Sequence[str]:
    """The addresses of a host, from the system."""
    answers = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(answer[4][0]) for answer in answers))


@dataclass(frozen=True, slots=True)
class Transfer:
    """What one transfer needs.

    Attributes:
        uri: where it starts.
        limit: the ceiling on decoded bytes.
        policy: the host's policy.
        credentials: the header for each dialed origin of a server that delivered the address itself.
        dialed: the origins of those servers.
        transport: makes the client's lower half.
        resolve: asks for addresses.
        allow: raises FetchError once the payload is marked; asked before each hop and at each chunk.
    """

    uri: str = field(repr=False)
    limit: int
    policy: FetchPolicy
    credentials: Mapping[str, str] = field(repr=False)
    dialed: frozenset[str]
    transport: Callable[[], httpx.AsyncBaseTransport]
    resolve: Resolve
    allow: Callable[[], None]

    async def run(self) -> Received:
        """The payload.

        Raises:
            FetchError: policy, the network or the ceiling stands against it.
        """
        url, left, first = parsed(self.uri), False, ""
        for _ in range(self.policy.redirects + 1):
            origin = screen(url, self.policy, self.dialed)
            first = first or origin
            left = left or origin != first
            headers = self._headers(url, None if left else self.credentials.get(origin))
            received, target = await self._hop(url, await self._addresses(url, origin), headers)
            if received is not None:
                return received
            url = _redirected(url, target)
        raise FetchError("redirects")

    def _headers(self, url: httpx.URL, authorization: str | None) -> dict[str, str]:
        headers = {"Host": url.netloc.decode("ascii"), "Accept": "*/*", "Accept-Encoding": "gzip"}
        return headers | ({"Authorization": authorization} if authorization else {})

    async def _addresses(self, url: httpx.URL, origin: str) -> tuple[str, ...]:
        """The addresses of this hop, screened."""
        self.allow()
        found: Sequence[str] = ()
        try:
            found = await self.resolve(url.host, url.port or (443 if url.scheme == "https" else 80))
        except (OSError, UnicodeError):
            found = ()  # a name without an address; said below, without the name
        return screen_addresses(found, origin, self.policy)

    async def _hop(
        self, url: httpx.URL, addresses: Sequence[str], headers: Mapping[str, str]
    ) -> tuple[Received | None, str]:
        """One request: the payload, or where it was moved to."""
        import httpx  # noqa: PLC0415 - an extra

        transport = self.transport()
        try:
            response = await self._dialed(transport, url, addresses, headers)
            try:
                return await self._answer(response)
            finally:
                await response.aclose()
        except (httpx.HTTPError, httpx.StreamError, OSError):
            failure = FetchError("network")
        finally:
            await transport.aclose()
        # Raised out here, so that no error with the address in it hangs on this one.
        raise failure

    async def _dialed(
        self, transport: httpx.AsyncBaseTransport, url: httpx.URL, addresses: Sequence[str], headers: Mapping[str, str]
    ) -> httpx.Response:
        """The answer of the first address that takes the connection."""
        import httpx  # noqa: PLC0415 - an extra

        for address in addresses:
            self.allow()
            timeout = dict.fromkeys(("connect", "read", "write", "pool"), self.policy.seconds)
            request = httpx.Request(
                "GET",
                url.copy_with(host=address),
                headers=headers,
                extensions={"sni_hostname": url.raw_host.decode("ascii"), "timeout": timeout},
            )
            try:
                return await transport.handle_async_request(request)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue
        raise httpx.ConnectError("no address took the connection")

    async def _answer(self, response: httpx.Response) -> tuple[Received | None, str]:
        """What an answer brings."""
        if response.status_code in _REDIRECTS:
            return None, response.headers.get("location", "")
        if response.status_code != 200:
            raise FetchError("status")
        coding = response.headers.get("content-encoding", "identity").strip().lower()
        if coding not in _GZIP | {"identity", ""}:
            raise FetchError("coding")
        content = await self._content(response, is_packed=coding in _GZIP)
        return Received(content, response.headers.get("content-type")), ""

    async def _content(self, response: httpx.Response, *, is_packed: bool) -> bytes:
        """The decoded bytes, counted as they come."""
        content, raw, unpack = bytearray(), 0, _Unpacked() if is_packed else None
        async for chunk in response.aiter_raw():
            self.allow()
            raw += len(chunk)
            if raw > 2 * self.limit + _STEP:
                raise FetchError("ceiling")
            for part in unpack.parts(chunk) if unpack else (chunk,):
                if len(content) + len(part) > self.limit:
                    raise FetchError("ceiling")
                content += part
        if unpack is not None and not unpack.is_whole:
            raise FetchError("coding")
        return bytes(content)


class _Unpacked:
    """gzip undone in bounded steps: no part is larger than a step, however well it was packed."""

    def __init__(self) -> None:
        self._engine = zlib.decompressobj(31)

    @property
    def is_whole(self) -> bool:
        """Whether the stream has come to its end."""
        return self._engine.eof

    def parts(self, chunk: bytes) -> Iterator[bytes]:
        """The output of one chunk. A full step may have more waiting although no input is left."""
        is_full = False
        while chunk or is_full:
            part, chunk = self._step(chunk)
            is_full = len(part) == _STEP and not self.is_whole
            yield part

    def _step(self, chunk: bytes) -> tuple[bytes, bytes]:
        """At most one step of output, and the input that is left. A further member may follow an ended one."""
        if self._engine.eof:
            self._engine = zlib.decompressobj(31)
        part, is_broken = b"", False
        try:
            part = self._engine.decompress(chunk, _STEP)
        except zlib.error:
            is_broken = True
        if is_broken:
            raise FetchError("coding")
        return part, self._engine.unused_data or self._engine.unconsumed_tail


def _redirected(url: httpx.URL, location: str) -> httpx.URL:
    """Where a redirect leads; never from https down to http."""
    if not location:
        raise FetchError("status")
    import httpx  # noqa: PLC0415 - an extra

    joined = ""
    try:
        joined = str(url.join(location))
    except (httpx.InvalidURL, UnicodeError, ValueError):
        joined = ""
    target = parsed(joined)
    if url.scheme == "https" and target.scheme != "https":
        raise FetchError("scheme")
    return target
