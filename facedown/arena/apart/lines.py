"""Lines of JSON over a socket, from one who may be trusted with nothing."""

from __future__ import annotations

import contextlib
import json
import select
import socket
from collections.abc import Mapping
from time import monotonic
from typing import Any

LONGEST = 1 << 20
"""Bytes of a line that an agent may send."""

_PIECE = 1 << 16
_DEPTH = 64  # of lists in lists that an agent may send


class LineError(Exception):
    """What came is no line of the protocol; the text says why."""


class LateError(Exception):
    """The time is up."""


class GoneError(Exception):
    """The other side has closed the line."""


def encoded(message: Mapping[str, Any]) -> bytes:
    """A message as a line."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"


def decoded(line: bytes) -> dict[str, Any]:
    """The message of a line; LineError where it is none, whatever it is.

    >>> decoded(b'{"move": 3}')
    {'move': 3}
    """
    try:
        text = line.decode("utf-8")
        if _nested(text) > _DEPTH:
            raise LineError(f"lists are nested more than {_DEPTH} deep")
        message = json.loads(text, parse_constant=_refused)
    except UnicodeDecodeError:
        raise LineError("it is not UTF-8") from None
    except (ValueError, RecursionError) as error:  # numbers of 5,000 digits among them
        raise LineError(f"it is not JSON: {error}") from None
    if not isinstance(message, dict):
        raise LineError(f"it is no JSON object but {type(message).__name__}")
    return message


def _nested(text: str) -> int:
    """No less than the depth of lists and objects in a text: brackets in strings count too."""
    deepest = depth = 0
    for mark in text:
        if mark in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif mark in "]}":
            depth -= 1
    return deepest


def _refused(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


class Line:
    """One end of a socket that lines pass through, by a time of the monotonic clock."""

    def __init__(self, end: socket.socket) -> None:
        self._socket, self._came = end, bytearray()
        end.setblocking(False)
        self._poll, self._awaited = select.poll(), 0

    def send(self, message: Mapping[str, Any], deadline: float) -> None:
        """Send a message. LateError where the other side does not take it in time; GoneError."""
        left = memoryview(encoded(message))
        while left:
            try:
                left = left[self._socket.send(left) :]
            except BlockingIOError:
                self._wait(select.POLLOUT, deadline)
            except OSError:
                raise GoneError from None

    def receive(self, deadline: float) -> dict[str, Any]:
        """The next message. LateError, GoneError, LineError."""
        while (end := self._came.find(b"\n")) < 0:
            if len(self._came) > LONGEST:
                raise LineError(f"it is longer than {LONGEST:,} bytes")
            self._take(deadline)
        line = bytes(self._came[:end])
        del self._came[: end + 1]
        if len(line) > LONGEST:
            raise LineError(f"it is longer than {LONGEST:,} bytes")
        return decoded(line)

    def unasked(self) -> bool:
        """Whether anything came that nobody has asked for."""
        with contextlib.suppress(LateError, GoneError):
            if not self._came and self._ready(select.POLLIN, 0.0):
                self._take(monotonic() + 1.0)
        return bool(self._came)

    def _take(self, deadline: float) -> None:
        self._wait(select.POLLIN, deadline)
        try:
            piece = self._socket.recv(_PIECE)
        except OSError:
            raise GoneError from None
        if not piece:
            raise GoneError
        self._came += piece

    def _wait(self, event: int, deadline: float) -> None:
        left = deadline - monotonic()
        if left <= 0 or not self._ready(event, left):
            raise LateError

    def _ready(self, event: int, seconds: float) -> bool:
        if self._awaited != event:
            self._poll.register(self._socket, event)
            self._awaited = event
        return bool(self._poll.poll(seconds * 1000))

    def close(self) -> None:
        """Close this end."""
        self._socket.close()


def first_line(end: socket.socket) -> dict[str, Any]:
    """The first message of a socket that blocks; what follows it is left there."""
    ahead = b""
    while b"\n" not in ahead:
        ahead = end.recv(_PIECE, socket.MSG_PEEK)
        if not ahead:
            raise GoneError
    return decoded(_whole(end, ahead.index(b"\n") + 1))


def _whole(end: socket.socket, size: int) -> bytes:
    came = b""
    while len(came) < size:
        came += end.recv(size - len(came))
    return came
