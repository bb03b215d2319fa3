"""The door of a player: HTTP, one message a request, with bounds on what is let in."""

from __future__ import annotations

import logging
import socket
import threading
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
"""Requests that are served at once; others are turned away."""


BROKEN_OFF = "a message of %s broke off"


class PlayerServer(ThreadingHTTPServer):
    """Serves a player at an address; port 0 takes any that is free."""

    daemon_threads = True
    request_queue_size = GUESTS

    def __init__(self, host: str, port: int, player: Player) -> None:
        self.player = player
        self._room = threading.BoundedSemaphore(GUESTS)
        if ":" in host:
            self.address_family = socket.AF_INET6
        try:
            super().__init__((host, port), _Handler)
        except (OSError, OverflowError) as error:
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
            log.warning("too many requests at once; %s is turned away", client_address[0])
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """The thread of one request."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A guest who leaves in the middle, or talks nonsense, is no reason to stop."""
        debugging = log.isEnabledFor(logging.DEBUG)
        log.warning("a request of %s was broken off", client_address[0], exc_info=debugging)


class _Handler(BaseHTTPRequestHandler):
    server: PlayerServer
    server_version, sys_version = "facedown", ""
    timeout = PATIENCE

    def do_POST(self) -> None:
        """A message, and its answer."""
        length = self.headers.get("Content-Length")
        if length is None:
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
        parts: list[bytes] = []
        deadline = monotonic() + PATIENCE
        while length > 0:
            part = self.rfile.read1(min(length, 1 << 16))
            if not part or monotonic() > deadline:
                log.warning(BROKEN_OFF, self.client_address[0])
                return None
            parts.append(part)
            length -= len(part)
        return b"".join(parts)

    def _closed(self) -> bytes | None:
        """What a manager sent that does not say how long it is: until all parentheses are closed.

        None where they are not in time, or more was sent than is let in.
        """
        parts, opened, length = list[bytes](), 0, 0
        deadline = monotonic() + PATIENCE
        while not parts or opened > 0:
            part = self.rfile.read1(1 << 16)
            length += len(part)
            if not part or monotonic() > deadline or length > MAX_BYTES:
                log.warning(BROKEN_OFF, self.client_address[0])
                return None
            parts.append(part)
            opened += part.count(b"(") - part.count(b")")
        return b"".join(parts)

    def _reply(self, body: bytes | None) -> None:
        if body is not None:
            text = body.decode("utf-8", errors="replace")
            self._send(HTTPStatus.OK, self.server.player.answer(text))

    def _send(self, status: HTTPStatus, text: str) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/acl")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Requests that HTTP itself refuses; messages are logged with their answers."""
        log.debug("%s: %s", self.client_address[0], one_line(format % args))
