"""The line to a server: texts in and out, each wait with a deadline, kept in a file if wanted."""

from __future__ import annotations

import contextlib
import select
import socket
import threading
from collections.abc import Callable
from time import monotonic

from facedown.bridges.jsettlers.fields import Message
from facedown.bridges.jsettlers.framing import Frames, packed
from facedown.bridges.jsettlers.recording import Said, Side
from facedown.core.errors import FacedownError

BROKEN_OFF = 20.0
"""Seconds in which a message that has begun has to be whole."""

SENDING = 10.0
"""Seconds in which the other side has to take a message."""


class ClosedError(FacedownError):
    """The line is dead; says how."""


class Line:
    """A connection. Any thread may send; one receives, and gets a ClosedError once it is dead.

    Who sends is not told: what the other side said before it hung up is still to be heard.
    """

    def __init__(self, connection: socket.socket, keep: Callable[[Said], None] | None = None):
        self._socket, self._keep = connection, keep
        connection.settimeout(SENDING)
        self._frames = Frames()
        self._lock = threading.Lock()
        self._begun = self._heard = monotonic()
        self._deaf = ""  # why nothing can be sent any more
        self._broken: float | None = None  # since when a message is not whole

    @property
    def silence(self) -> float:
        """Seconds since anything came."""
        return monotonic() - self._heard

    def send(self, message: Message) -> None:
        """Send a message."""
        text = str(message)
        with self._lock:
            self._note("C", text)
            try:
                self._socket.sendall(packed(text))
            except OSError as error:
                self._deaf = f"nothing can be sent: {error.strerror or error}"

    def receive(self, seconds: float) -> list[str]:
        """The texts that come, as soon as some do; none after so many seconds."""
        try:
            if not select.select([self._socket], [], [], 0.0 if self._deaf else seconds)[0]:
                if self._deaf:
                    raise ClosedError(self._deaf)
                return self._whole(b"")
            data = self._socket.recv(1 << 16)
        except (OSError, ValueError) as error:  # ValueError: closed on this side
            raise ClosedError(
                f"the line broke: {getattr(error, 'strerror', '') or error}"
            ) from None
        if not data:
            raise ClosedError("the server closed the connection")
        self._heard = monotonic()
        return self._whole(data)

    def _whole(self, data: bytes) -> list[str]:
        texts = list(self._frames.feed(data))
        for text in texts:
            self._note("S", text)
        if not self._frames.broken_off:
            self._broken = None
        elif self._broken is None or texts:
            self._broken = monotonic()
        elif monotonic() - self._broken > BROKEN_OFF:
            raise ClosedError(f"a message broke off {BROKEN_OFF:.0f} s ago")
        return texts

    def _note(self, side: Side, text: str) -> None:
        if self._keep is not None:
            self._keep(Said(monotonic() - self._begun, side, text))

    def close(self) -> None:
        """Hang up."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
