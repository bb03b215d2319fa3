"""The door of a player: HTTP, one message a request, with bounds on what is let in.

A request has to arrive within a time, all of it, however its bytes drip. Where no more can be
served, whoever has been sending for longest has to make room.
"""

from __future__ import annotations

import io
import logging
import socket
import threading
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic
from typing import Any

from facedown.core.errors import SpecError
from facedown.ggp.messages import MAX_BYTES, error_reply, one_line
from facedown.ggp.player import Player

log = logging.getLogger("facedown.ggp")

PATIENCE = 20.0
"""Seconds in which a request has to arrive."""

GUESTS = 32
"""Requests that are served at once; of those that have not arrived the oldest makes room."""

_ROOM = 1.0  # seconds that a guest waits for another to leave
_LINE = 256  # bytes of the line before a chunk, and of a trailer


BROKEN_OFF = "a message of %s broke off"


class PlayerServer(ThreadingHTTPServer):
    """Serves a player at an address; port 0 takes any that is free."""

    daemon_threads = True
    request_queue_size = GUESTS

    def __init__(self, host: str, port: int, player: Player) -> None:
        self.player = player
        self._room = threading.BoundedSemaphore(GUESTS)
        self._arriving: dict[Any, None] = {}  # connections, the oldest first
        self._lock = threading.Lock()
        if ":" in host:
            self.address_family = socket.AF_INET6
        try:
            super().__init__((host, port), _Handler)
        except (OSError, OverflowError, TypeError, ValueError) as error:  # a name that is none
            reason = getattr(error, "strerror", None) or str(error)
            raise SpecError(f"cannot listen at {host}, port {port}: {reason}") from None

    @property
    def url(self) -> str:
        """Where the player is."""
        host, port = self.server_address[:2]
        shown = f"[{host!s}]" if ":" in str(host) else host
        return f"http://{shown!s}:{port}/"

    def server_bind(self) -> None:
        """Bind without asking who we are by name, which can take long."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a request in a thread of its own, where there is room for one more."""
        if not self._room.acquire(blocking=False):
            self._make_room()
            if not self._room.acquire(timeout=_ROOM):
                log.warning("too many requests at once; %s is turned away", client_address[0])
                self.shutdown_request(request)
                return
        with self._lock:
            self._arriving[request] = None
        super().process_request(request, client_address)

    def _make_room(self) -> None:
        """Have the guest leave who has been sending for longest."""
        with self._lock:
            oldest = next(iter(self._arriving), None)
            if oldest is None:
                return
            del self._arriving[oldest]
        log.warning("too many requests at once; one that has not arrived is broken off")
        with suppress(OSError):
            oldest.shutdown(socket.SHUT_RDWR)

    def arrived(self, request: Any) -> None:
        """A request is there, or will never be: it makes no room for others."""
        with self._lock:
            self._arriving.pop(request, None)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """The thread of one request."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.arrived(request)
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A guest who leaves in the middle, or talks nonsense, is no reason to stop."""
        debugging = log.isEnabledFor(logging.DEBUG)
        log.warning("a request of %s was broken off", client_address[0], exc_info=debugging)


class _Arriving(io.RawIOBase):
    """What a guest sends, as long as there is time for it."""

    def __init__(self, connection: socket.socket, seconds: float) -> None:
        self._connection, self._deadline = connection, monotonic() + seconds
        self.began: float | None = None  # when the first byte was there

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Bytes as they come; TimeoutError when the time is over, whatever still comes."""
        left = self._deadline - monotonic()
        if left <= 0:
            raise TimeoutError("the request has not arrived in time")
        self._connection.settimeout(left)
        received = self._connection.recv_into(buffer)
        self.began = self.began or monotonic()
        return received


class _Handler(BaseHTTPRequestHandler):
    server: PlayerServer
    server_version, sys_version = "facedown", ""
    timeout = PATIENCE

    def setup(self) -> None:
        """Read by the clock, from the first byte of the first header on."""
        super().setup()
        self.rfile.close()
        self._arriving = _Arriving(self.connection, PATIENCE)
        self.rfile = io.BufferedReader(self._arriving)

    def do_POST(self) -> None:
        """A message, and its answer."""
        length = self.headers.get("Content-Length")
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            self._reply(self._chunks())
        elif length is None:
            self._reply(self._closed())
        elif not length.strip().isdecimal():
            self._send(HTTPStatus.LENGTH_REQUIRED, error_reply("Content-Length is wanted"))
        elif int(length[:20]) > MAX_BYTES:
            words = f"more than {MAX_BYTES:,} bytes"
            self._send(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, error_reply(words))
        else:
            self._reply(self._body(int(length)))

    def do_GET(self) -> None:
        """For a person with a browser."""
        self._send(HTTPStatus.OK, f"a player of facedown: {self.server.player.answer('(INFO)')}\n")

    def _body(self, length: int) -> bytes | None:
        """What was sent; None where it does not all come in time."""
        body = self.rfile.read(length)
        if len(body) < length:
            log.warning(BROKEN_OFF, self.client_address[0])
            return None
        return body

    def _chunks(self) -> bytes | None:
        """What was sent in chunks, each after its length; None where that breaks off."""
        parts, length = list[bytes](), 0
        while True:
            size = self.rfile.readline(_LINE).partition(b";")[0].strip()
            if not size or len(size) > 8 or set(size) - set(b"0123456789abcdefABCDEF"):
                self._send(HTTPStatus.BAD_REQUEST, error_reply("a chunk without its length"))
                return None
            count = int(size, 16)
            length += count
            if length > MAX_BYTES:
                words = f"more than {MAX_BYTES:,} bytes"
                self._send(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, error_reply(words))
                return None
            if count == 0:
                return b"".join(parts) if self._trailers() else None
            part = self._body(count)
            if part is None or self.rfile.readline(_LINE).strip():
                return None
            parts.append(part)

    def _trailers(self) -> bool:
        """Read what may follow the last chunk, to the empty line; whether that came."""
        for _ in range(100):
            line = self.rfile.readline(_LINE)
            if not line.strip():
                return bool(line)
        return False

    def _closed(self) -> bytes | None:
        """What a manager sent that does not say how long it is: until all parentheses are closed.

        None where they are not in time, or more was sent than is let in.
        """
        parts, opened, length = list[bytes](), 0, 0
        while not parts or opened > 0:
            part = self.rfile.read1(1 << 16)
            length += len(part)
            if not part or length > MAX_BYTES:
                log.warning(BROKEN_OFF, self.client_address[0])
                return None
            parts.append(part)
            opened += part.count(b"(") - part.count(b")")
        return b"".join(parts)

    def _reply(self, body: bytes | None) -> None:
        self.server.arrived(self.connection)
        if body is not None:
            text = body.decode("utf-8", errors="replace")
            self._send(HTTPStatus.OK, self.server.player.answer(text, self._arriving.began))

    def _send(self, status: HTTPStatus, text: str) -> None:
        data = text.encode("utf-8", "backslashreplace")
        self.connection.settimeout(PATIENCE)
        self.send_response(status)
        self.send_header("Content-Type", "text/acl")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Requests that HTTP itself refuses; messages are logged with their answers."""
        log.debug("%s: %s", self.client_address[0], one_line(format % args))
