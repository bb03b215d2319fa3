"""What stands before the pages: who may call, how much, from which page; and a log of refusals."""

from __future__ import annotations

import logging
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from facedown.shown import one_line
from facedown.table.web.limits import MOST_SOCKETS, OPENED, PAGES, REQUESTS, Rates

log = logging.getLogger("facedown.table")

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_BYTES = 1 << 18
"""Of a request's body, and of a message over a socket."""
MOST_EVENTS, WITHIN = 150, 5.0  # events of a connection within so many seconds
MOST_WAITING = 200  # messages that a page has not taken yet

_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; "
    "connect-src 'self'{sockets}; frame-ancestors 'none'; base-uri 'self'; form-action 'self'"
)
_PLAIN_HOST = re.compile(r"[a-z0-9.-]+(:[0-9]+)?|\[[0-9a-f:.]+\](:[0-9]+)?")
_HEADERS = {
    "referrer-policy": "no-referrer",  # links have tokens in them
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}

_GAMES = ("/table/", "/replay/", "/study/")  # pages that take memory as long as they are open


def refused(what: str) -> None:
    """Note that something was refused."""
    log.warning("refused: %s", one_line(what))


class Guard:
    """An ASGI app before another one: hosts and origins that are not ours never reach it.

    `served` says whether a value of the header Host is the server's. A page of another origin is
    refused whatever it asks for, sockets included.
    """

    def __init__(self, app: App, served: Callable[[str], bool]) -> None:
        self.app, self.served = app, served
        self._requests, self._pages, self._opened = (
            Rates(*limit) for limit in (REQUESTS, PAGES, OPENED)
        )
        self.sockets: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve, or refuse."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        wrong = self._wrong(scope) or self._too_much(scope)
        if wrong is not None:
            refused(f"{wrong[1]} ({scope['type']} {clean_path(scope['path'])})")
            await _refuse(scope, send, wrong[0])
            return
        if scope["type"] == "http":
            await self.app(scope, receive, _with_headers(send, scope))
            return
        address = _address(scope)
        self.sockets[address] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.sockets -= Counter([address])

    def _too_much(self, scope: Scope) -> tuple[int, str] | None:
        """What is too much of an address, and the status that says so."""
        address = _address(scope)
        if scope["type"] == "websocket" and self.sockets[address] >= MOST_SOCKETS:
            return 429, "too many sockets of one address"
        if not self._requests.allow(address):
            return 429, "too many requests of one address"
        if scope["type"] == "websocket" or scope["path"].startswith("/_nicegui"):
            return None
        if scope["method"] == "POST" and not self._opened.allow(address):
            return 429, "too many tables of one address"
        if scope["path"].startswith(_GAMES) and not self._pages.allow(address):
            return 429, "too many pages of one address"
        return None

    def _wrong(self, scope: Scope) -> tuple[int, str] | None:
        """What is wrong with a request, and its status."""
        headers = _headers(scope)
        host, origin = headers.get("host", "").lower(), headers.get("origin")
        if not self.served(host):
            return 421, f"host {host!r}: --allow has a server answer to a name"
        if origin is not None and urlsplit(origin).netloc.lower() != host:
            return 403, f"origin {origin!r}"
        if headers.get("sec-fetch-site") == "cross-site" and scope["type"] == "websocket":
            return 403, "a socket from another site"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MOST_BYTES:
            return 413, f"a body of {length} bytes"
        if scope["type"] == "http" and "transfer-encoding" in headers:
            return 411, "a body of unknown length"
        return None


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1")
            for name, value in scope["headers"]}  # fmt: skip


def policy(host: str) -> str:
    """The content security policy of a page: it reaches the host that it came from, nothing else.

    Sockets are named besides 'self', which does not cover them in every browser.

    >>> policy("games.example.org").partition("connect-src ")[2].partition(";")[0]
    "'self' ws://games.example.org wss://games.example.org"
    >>> policy("a; script-src *").partition("connect-src ")[2].partition(";")[0]
    "'self'"
    """
    plain = _PLAIN_HOST.fullmatch(host.lower()) is not None
    return _POLICY.format(sockets=f" ws://{host} wss://{host}" if plain else "")


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""


def clean_path(path: str) -> str:
    """A path as it may be logged: without the tokens of seats.

    >>> clean_path("/table/abc/secret"), clean_path("/_nicegui_ws/socket.io/")
    ('/table/abc/…', '/_nicegui_ws/socket.io/')
    """
    parts = path.split("/")
    if len(parts) > 3 and parts[1] in ("table", "join", "study"):
        return "/".join((*parts[:3], "…"))
    return path


async def _refuse(scope: Scope, send: Send, status: int) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    text = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": text})
    await send({"type": "http.response.body", "body": b"refused\n"})


def _with_headers(send: Send, scope: Scope) -> Send:
    """Add our headers to a response; pages, which have secrets in them, are kept by nobody."""
    secured = policy(_headers(scope).get("host", ""))

    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            extra = {**_HEADERS, "content-security-policy": secured}
            if not scope["path"].startswith("/_nicegui/"):
                extra["cache-control"] = "no-store"
            kept = [pair for pair in message["headers"] if pair[0].decode().lower() not in extra]
            added = [(name.encode(), value.encode()) for name, value in extra.items()]
            message = {**message, "headers": [*kept, *added]}
        await send(message)

    return sending


class Gate:
    """Lets a connection's events through that are its own, well formed and not too many."""

    def __init__(
        self,
        rooms: Callable[[str], Iterable[str]],
        then: Callable[..., Any],
        waiting: Callable[[str], int] = lambda sid: 0,
    ) -> None:
        self._rooms, self._then, self._waiting = rooms, then, waiting
        self._counts: dict[str, tuple[float, int]] = {}

    @property
    def counted(self) -> int:
        """How many connections have their events counted."""
        return len(self._counts)

    def __call__(self, sid: str, message: Any = None) -> Any:
        """An event of a connection."""
        wrong = self._wrong(sid, message)
        if wrong:
            refused(wrong)
            return None
        try:
            return self._then(sid, message)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            refused(f"an event that is none ({type(error).__name__})")
            return None

    def forget(self, sid: str) -> None:
        """A connection has ended."""
        self._counts.pop(sid, None)

    def _wrong(self, sid: str, message: Any) -> str:
        began, count = self._counts.get(sid, (time.monotonic(), 0))
        if time.monotonic() - began > WITHIN:
            began, count = time.monotonic(), 0
        self._counts[sid] = began, count + 1
        if count >= MOST_EVENTS:
            return "too many events of one connection"
        if self._waiting(sid) > MOST_WAITING:
            return "an event of a page that does not take what it is sent"
        if not isinstance(message, dict) or not isinstance(message.get("client_id"), str):
            return "an event without a client"
        if message["client_id"] not in self._rooms(sid):
            return "an event for another connection's page"
        return ""
