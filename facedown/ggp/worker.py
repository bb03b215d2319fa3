"""The process in which a player's mind runs, as its owner sees it: asked, waited for, ended."""

from __future__ import annotations

import contextlib
import importlib
import multiprocessing
import os
import queue
import resource
import signal
import sys
import threading
from collections import deque
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any

from facedown.core.errors import FacedownError

MEGABYTES = 8_000
"""Of memory that a mind may take: what rules of others would have it do is not known."""

WARMING = 600.0
"""Seconds that warming up may take: on a cold cache everything is compiled."""

GRACE = 30.0
"""Seconds beyond those allowed for a request after which a mind is stuck, and not just late."""

NO_MATCH = "no match has begun"
"""What a mind says that is to play, and could not get ready for a match."""

POLL = 0.5  # seconds between looks at whether the process is alive


class GoneError(FacedownError):
    """The process has ended, or was ended, or does not come back."""


@dataclass
class Answer:
    """What came back by a deadline: all that was answered, or else what was told on the way."""

    done: bool = False
    value: Any = None
    error: str = ""
    legal: list[str] = field(default_factory=list)


class Worker:
    """One process with a mind in it. Its requests are numbered: late answers are dropped.

    `mind` names the class, as "module:name", made there of a spec and a seed; requests are calls of
    its methods, and the first is `warm_up`.
    """

    def __init__(self, spec: str, seed: int, mind: str = "facedown.ggp.mind:Mind") -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, name=mind, args=(theirs, mind, spec, seed), daemon=True
        )
        self._process.start()
        theirs.close()
        self._asked = 0  # the last request; the warming up is request 0
        self._allowed = deque([WARMING])  # seconds for each request not answered yet, in order
        self._begun = monotonic()  # when the mind could begin on the first of those
        self._outbox: queue.SimpleQueue[tuple[int, str, tuple[Any, ...]]] = queue.SimpleQueue()
        threading.Thread(target=self._send, daemon=True).start()

    def _send(self) -> None:
        """Send what is told. A mind at work reads nothing, and no clock waits until it does."""
        with contextlib.suppress(OSError, ValueError):  # it is gone
            while (request := self._outbox.get())[1]:
                self._connection.send(request)

    def tell(self, kind: str, *args: Any, seconds: float = 0.0) -> None:
        """Ask for something that may take so long, and do not wait for it."""
        if not self._allowed:
            self._begun = monotonic()
        self._allowed.append(max(seconds, 0.0))
        self._asked += 1
        self._outbox.put((self._asked, kind, args))

    def ask(self, kind: str, *args: Any, deadline: float, seconds: float = 0.0) -> Answer:
        """Ask for something; what is answered by a time of the monotonic clock. GoneError.

        It may take until then, or `seconds` if that is longer.
        """
        self.tell(kind, *args, seconds=max(seconds, deadline - monotonic()))
        return self.wait(deadline)

    @property
    def idle(self) -> bool:
        """Whether all is answered that was asked. GoneError."""
        self.wait(0.0)
        return not self._allowed

    @property
    def _stuck(self) -> bool:
        """Whether the mind is late beyond GRACE with what it is at."""
        if not self._allowed:
            return False
        return monotonic() - self._begun > self._allowed[0] + GRACE

    def wait(self, deadline: float) -> Answer:
        """What is answered to the last request by a time of the monotonic clock. GoneError."""
        answer = Answer()
        try:
            while not answer.done:
                left = deadline - monotonic()
                if self._connection.poll(max(0.0, min(left, POLL))):
                    self._take(self._connection.recv(), answer)
                elif not self._process.is_alive():
                    raise EOFError
                elif self._stuck:
                    raise GoneError("the player's process was to be back long ago")
                elif left <= 0:
                    break
        except (EOFError, OSError):
            raise GoneError("the player's process has ended") from None
        return answer

    def _take(self, told: tuple[int, str, Any], answer: Answer) -> None:
        number, kind, value = told
        if kind != "legal":
            self._allowed.popleft()  # answers come in the order of requests
            self._begun = monotonic()
        if number != self._asked:
            return
        if kind == "legal":
            answer.legal = value
        elif kind == "error":
            answer.done, answer.error = True, value
        else:
            answer.done, answer.value = True, value

    def end(self) -> None:
        """End the process at once, with all that it has started."""
        self._outbox.put((0, "", ()))
        pid = self._process.pid
        with contextlib.suppress(ProcessLookupError, PermissionError, TypeError):
            os.killpg(pid, signal.SIGKILL)  # type: ignore[arg-type]
        self._process.kill()  # it may not have its own group yet
        self._process.join(10)


# --- in the process ------------------------------------------------------------------------------


def _serve(connection: Connection, name: str, spec: str, seed: int) -> None:
    """Answer requests until the owner is gone."""
    os.setsid()  # so that Ctrl-C is the owner's alone, and that children can be ended too
    sys.stdout = sys.stderr
    room = MEGABYTES << 20
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    threading.Thread(target=_leave_with_owner, daemon=True).start()
    module, _, made = name.partition(":")
    mind = getattr(importlib.import_module(module), made)(spec, seed)
    _answer(connection, mind, 0, "warm_up", ())
    while True:
        try:
            number, kind, args = connection.recv()
        except EOFError:
            return
        _answer(connection, mind, number, kind, args)


def _leave_with_owner() -> None:
    owner = multiprocessing.parent_process()
    if owner is not None:
        owner.join()
        os.killpg(0, signal.SIGKILL)


def _answer(
    connection: Connection, mind: Any, number: int, kind: str, args: tuple[Any, ...]
) -> None:
    """Have the mind do what it is asked, and send back what came of it. No error ends it."""
    if kind == "play":
        args = (*args, lambda legal: connection.send((number, "legal", legal)))
    try:
        told: tuple[int, str, Any] = (number, "done", getattr(mind, kind)(*args))
    except FacedownError as error:
        told = (number, "error", str(error))
    except MemoryError:
        told = (number, "error", f"more than {MEGABYTES:,} MB of memory are needed")
    except Exception as error:
        told = (number, "error", f"{type(error).__name__}: {error}")
    with contextlib.suppress(OSError):
        connection.send(told)
