"""The server: pages over a house of tables, behind a guard."""

from __future__ import annotations

import asyncio
import importlib.util
import ipaddress
import logging
import os
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from facedown.core import SpecError
from facedown.table.house import House, Table

if TYPE_CHECKING:
    from fastapi import FastAPI

    from facedown.table.web.guard import Gate

GRACE = 15.0
"""Seconds after which a game sleeps that nobody looks at: a reload takes less."""

RECONNECT = 30.0
"""Seconds for which a page may be out of reach without being made anew: a busy machine's."""

_FIRST = 3.0  # seconds that whoever waits for the first page has the processor for

LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class Address:
    """Where to serve; `allowed` are further hosts by which the server may be called."""

    host: str = "127.0.0.1"
    port: int = 8000
    allowed: tuple[str, ...] = ()

    def serves(self, host: str) -> bool:
        """Whether a value of the header Host is this server's.

        Beyond this machine any address of numbers is: a page elsewhere that has its own name lead
        here (DNS rebinding) still calls by that name. Of names only those are that were allowed,
        and this machine's own.
        """
        name, port = _parted(host.lower())
        allowed = {one.lower() for one in self.allowed}
        if host.lower() in allowed or name in allowed:
            return True
        if port is not None and not port.isdecimal():
            return False
        if self.host.lower() in LOOPBACK:
            return name in LOOPBACK
        own = socket.gethostname().lower()
        return name in {*LOOPBACK, self.host.lower(), own, f"{own}.local"} or _numbers(name)

    def url(self, port: int, path: str = "/") -> str:
        """An address for people."""
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::", "localhost") else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{port}{path}"


def _parted(host: str) -> tuple[str, str | None]:
    """The name, and the port, if there is one, of a header Host.

    >>> _parted("[::1]:8000"), _parted("localhost"), _parted("a:b:c")
    (('::1', '8000'), ('localhost', None), ('a:b', 'c'))
    """
    if host.startswith("[") and "]" in host:
        name, _, rest = host[1:].partition("]")
        return name, rest.removeprefix(":") if rest else None
    name, colon, port = host.rpartition(":")
    return (name, port) if colon else (host, None)


def _numbers(name: str) -> bool:
    """Whether this is an address of numbers, IPv4 or IPv6."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def bind(address: Address) -> socket.socket:
    """A socket that listens there; SpecError where nobody can."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((address.host, address.port))
        found.listen(1024)
    except (OSError, OverflowError, TypeError, ValueError) as error:  # a name or port that is none
        found.close()
        where = f"{address.host} port {address.port}"
        reason = getattr(error, "strerror", None) or str(error)
        raise SpecError(f"cannot serve at {where}: {reason}") from None
    return found


def needs_extra() -> None:
    """SpecError where what the pages need is not installed."""
    os.environ.setdefault("NICEGUI_STORAGE_PATH", os.path.join(tempfile.gettempdir(), "nicegui"))
    if importlib.util.find_spec("nicegui") is None:
        raise SpecError("the page needs the extra `web`: pip install 'facedown[web]'")


def make_app(house: House, pages: Sequence[Callable[[House], None]] = ()) -> FastAPI:
    """The app with all pages, or with `pages` in place of open tables; SpecError: no extra."""
    needs_extra()
    from fastapi import FastAPI
    from nicegui import core, ui

    if core.app.config.has_run_config:
        raise SpecError("the pages are served once in a process, and have been")
    from facedown.table.web import lobby, replay, seat
    from facedown.table.web.guard import MOST_BYTES, Gate

    logging.getLogger("nicegui").setLevel(logging.ERROR)
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    for register in (seat.register, *(pages or (lobby.register, replay.register))):
        register(house)
    ui.run_with(
        app, title="facedown", dark=None, reconnect_timeout=RECONNECT, show_welcome_message=False,
        favicon="🂠", binding_refresh_interval=None, tailwind=False,
    )  # fmt: skip
    core.sio.eio.max_http_buffer_size = MOST_BYTES
    _gated(core.sio, Gate(core.sio.rooms, core.sio.handlers["/"]["event"], _waiting(core.sio)))
    _house_keeping(core.app, house)
    return app


def _gated(sio: Any, gate: Gate) -> None:
    """Have events of pages come through a gate, which forgets connections that have ended."""
    then = sio.handlers["/"]["disconnect"]

    def left(sid: str, *more: Any) -> None:
        gate.forget(sid)
        then(sid)

    sio.on("event", gate)
    sio.on("disconnect", left)


def _waiting(sio: Any) -> Callable[[str], int]:
    """How many messages a connection has not taken yet."""

    def count(sid: str) -> int:
        line = sio.eio.sockets.get(sio.manager.eio_sid_from_sid(sid, "/"))
        return 0 if line is None else int(line.queue.qsize())

    return count


def _house_keeping(app: Any, house: House) -> None:
    """Have games sleep that nobody looks at."""
    left: dict[str, float] = {}

    def absent(table: Table) -> bool:
        if table.present:
            left.pop(table.kept.id, None)
            return False
        since = left.setdefault(table.kept.id, time.monotonic())
        return time.monotonic() - since > GRACE

    async def sweep() -> None:
        while True:
            await asyncio.sleep(GRACE / 5)
            await asyncio.to_thread(house.sweep, absent)

    tasks: list[asyncio.Task[None]] = []
    app.on_startup(lambda: tasks.append(asyncio.get_running_loop().create_task(sweep())))
    app.on_shutdown(lambda: [task.cancel() for task in tasks])


def serve(
    house: House,
    address: Address,
    *,
    pages: Sequence[Callable[[House], None]] = (),
    ready: Callable[[str], None] | None = None,
    warm: Sequence[tuple[str, str]] = (),
) -> None:
    """Serve until interrupted; `ready` is told the address once it can be called.

    `warm` are games with agents that are got ready meanwhile.
    """
    app = make_app(house, pages)
    import uvicorn

    from facedown.table.web.guard import MOST_BYTES, Guard, refused
    from facedown.table.web.limits import watched

    listening = bind(address)
    port = int(listening.getsockname()[1])
    config = uvicorn.Config(
        Guard(app, address.serves), log_level="error", access_log=False,
        ws_max_size=MOST_BYTES, lifespan="on", timeout_graceful_shutdown=2, server_header=False,
    )  # fmt: skip
    config.load()
    config.http_protocol_class = watched(config.http_protocol_class, refused)
    server = uvicorn.Server(config)
    warming = threading.Timer(_FIRST, house.ready.warm_up, (warm,))
    warming.daemon = True
    warming.start()
    if ready is not None:
        ready(address.url(port))
    try:
        server.run(sockets=[listening])
    finally:
        listening.close()
        house.close()
