"""Servers that a robot may meet: each a script of what is said on one connection after another."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic

from facedown.bridges.jsettlers.framing import Frames, packed

WELCOME = ["9998|2700,2.7.00,X,;ch;", "1003|", "1083"]
LET_IN = "1071|120,35,0.13,1.0,1.0,3.0,1.0,1,1"


class HungUpError(Exception):
    """The robot is gone, or said nothing in time."""


class Guest:
    """A robot as a server sees it."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket, self._frames = connection, Frames()
        self._waiting: list[str] = []
        self.heard: list[str] = []

    def say(self, *texts: str) -> None:
        self.send(b"".join(packed(text) for text in texts))

    def send(self, data: bytes) -> None:
        with suppress(OSError):
            self._socket.sendall(data)

    def hear(self, seconds: float = 20.0) -> str:
        """The next that the robot says; HungUpError where nothing comes."""
        deadline = monotonic() + seconds
        while not self._waiting:
            self._socket.settimeout(max(deadline - monotonic(), 0.01))
            try:
                data = self._socket.recv(1 << 16)
            except OSError as error:
                raise HungUpError(str(error)) from None
            if not data:
                raise HungUpError("closed")
            self._waiting += self._frames.feed(data)
        self.heard.append(self._waiting.pop(0))
        return self.heard[-1]

    def hear_until(self, start: str, seconds: float = 20.0) -> str:
        """The next that begins so; what comes before it is passed over."""
        deadline = monotonic() + seconds
        while True:
            text = self.hear(deadline - monotonic())
            if text.startswith(start):
                return text

    def let_in(self, *more: str) -> None:
        """Log the robot in."""
        self.hear_until("1022|")
        self.say(*WELCOME, *more, LET_IN)


Script = Callable[[Guest], None]


@contextmanager
def server(*scripts: Script) -> Iterator[tuple[int, list[Guest]]]:
    """A server at a port: the n-th connection goes by the n-th script, those beyond by none."""
    listening = socket.create_server(("127.0.0.1", 0))
    guests: list[Guest] = []
    faults: list[BaseException] = []

    def serve() -> None:
        for script in scripts:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            guest = Guest(connection)
            guests.append(guest)
            try:
                script(guest)
            except HungUpError:
                pass
            except BaseException as error:
                faults.append(error)
            connection.close()
        listening.close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield listening.getsockname()[1], guests
    finally:
        with suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join(5)
    if faults:
        raise faults[0]
