"""Asking players over HTTP, each within its clock, whatever they answer or do not answer."""

from __future__ import annotations

import contextlib
import http.client
import socket
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from urllib.parse import urlsplit

from facedown.core.errors import SpecError

MAX_REPLY = 100_000
"""Bytes of an answer that are read."""


@dataclass(frozen=True)
class Address:
    """Where a player listens."""

    url: str
    host: str
    port: int
    path: str


def address_of(url: str) -> Address:
    """The address in a URL; SpecError where it is none.

    >>> address_of("127.0.0.1:9147").port
    9147
    """
    full = url if "://" in url else f"http://{url}"
    try:
        parts = urlsplit(full)
        if parts.scheme == "http" and parts.hostname:
            return Address(full, parts.hostname, parts.port or 80, parts.path or "/")
    except ValueError:  # a port that is none
        pass
    raise SpecError(f"{url!r} is no player's address; http://host:port is wanted")


@dataclass
class Reply:
    """What came back: a text, or a fault (`late`, `unreachable`) in place of one."""

    text: str = ""
    fault: str = ""
    seconds: float = 0.0


class _Call(threading.Thread):
    """One message to one player; nobody has to wait for its end."""

    def __init__(self, address: Address, message: str, seconds: float) -> None:
        super().__init__(daemon=True)
        self.reply = Reply(fault="late", seconds=seconds)
        self._address, self._message, self._seconds = address, message, seconds
        self._socket: socket.socket | None = None
        self._left = False

    def run(self) -> None:
        began = monotonic()
        try:
            text = self._sent()
            reply = Reply(text, seconds=monotonic() - began)
        except TimeoutError:
            return
        except (OSError, http.client.HTTPException, ValueError):
            reply = Reply(fault="unreachable", seconds=monotonic() - began)
        if reply.seconds <= self._seconds:
            self.reply = reply

    def _sent(self) -> str:
        here = self._address
        headers = {"Content-Type": "text/acl", "Accept": "text/delim", "Sender": "facedown"}
        line = http.client.HTTPConnection(here.host, here.port, timeout=self._seconds)
        with contextlib.closing(line):
            line.connect()
            self._socket = line.sock  # kept: once there is a response, `line` lets go of it
            if self._left:
                raise TimeoutError
            line.request("POST", here.path, self._message.encode(), headers)
            with contextlib.closing(line.getresponse()) as response:
                return response.read(MAX_REPLY).decode("utf-8", errors="replace")

    def leave(self) -> None:
        """Break the connection off, which ends the thread soon, whatever it is waiting for."""
        self._left = True
        with contextlib.suppress(OSError):  # it is closed
            if self._socket is not None:
                self._socket.shutdown(socket.SHUT_RDWR)


def ask_all(addresses: Sequence[Address], messages: Sequence[str], seconds: float) -> list[Reply]:
    """Send each player its message, all at once, and wait for answers until the time is up."""
    calls = [_Call(*pair, seconds) for pair in zip(addresses, messages, strict=True)]
    deadline = monotonic() + seconds
    for call in calls:
        call.start()
    for call in calls:
        call.join(max(0.0, deadline - monotonic()))
    replies = [call.reply for call in calls]
    for call in calls:
        call.leave()
    return replies
