"""The servers of this process, one for a game: started when first needed, ended with it."""

from __future__ import annotations

import atexit
import contextlib
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Collection
from time import monotonic
from typing import Any

from facedown.arena.apart.lines import GoneError, LateError, Line, encoded
from facedown.arena.apart.server import SEAT, WARM, command_line
from facedown.core import FacedownError, SpecError

POSSIBLE = sys.platform == "linux"
"""Whether agents can be isolated here."""

_KEPT = ("PATH", "HOME", "LANG", "LD_LIBRARY_PATH", "FACEDOWN_CACHE", "XDG_CACHE_HOME")
_PREFIXES = ("LC_", "NUMBA_")
_STARTING = 900.0  # seconds: on a cold cache everything is compiled
_MOST = 4  # servers that are kept at a time
_NAMES = 2000  # that agents may have it told to load


class Host:
    """A server of agents' processes for one game, as its owner sees it."""

    def __init__(self, game: str) -> None:
        if not POSSIBLE:
            what = "agents are isolated on Linux only; --no-isolate has those from files play here"
            raise SpecError(what)
        self.game = game
        self._socket, theirs = socket.socketpair()
        os.set_inheritable(theirs.fileno(), True)
        self._process = subprocess.Popen(
            command_line(theirs.fileno(), sys.path),
            pass_fds=[theirs.fileno()],
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        theirs.close()
        self._warm: set[str] = set()
        self._socket.sendall(encoded({"game": game}))
        self._await()

    def _await(self) -> None:
        try:
            answer = Line(self._socket).receive(monotonic() + _STARTING)
        except (GoneError, LateError):
            answer = {"error": "it does not start"}
        self._socket.setblocking(True)
        if "error" in answer:
            self.end()
            what = "agents apart want a game that can be loaded by its spec"
            raise FacedownError(f"{self.game!r} in a process of its own: {answer['error']}; {what}")

    def seat(self, walls: Collection[str], memory: int) -> tuple[socket.socket, socket.socket]:
        """A new process for an agent: the line to the agent, and the server's line about it.

        With all that it starts it may take so many megabytes of memory.
        """
        agent, theirs = socket.socketpair()
        control, servers = socket.socketpair()
        control.sendall(encoded({"walls": [*walls], "memory": memory}))
        with theirs, servers:
            try:
                socket.send_fds(self._socket, [SEAT], [theirs.fileno(), servers.fileno()])
            except OSError:
                raise FacedownError("the server of agents' processes has ended") from None
        return agent, control

    def warm(self, modules: Any, kernels: Any) -> None:
        """Have loaded, for the agents to come, what one has needed."""
        named = {"modules": _texts(modules), "kernels": _texts(kernels)}
        new = set(named["modules"] + named["kernels"]) - self._warm
        if new and len(self._warm) < _NAMES:
            self._warm |= new
            with contextlib.suppress(OSError):
                self._socket.sendall(WARM + encoded(named))

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return self._process.poll() is None

    def end(self) -> None:
        """End it; agents that play go on until their games are over."""
        self._socket.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _texts(names: Any) -> list[str]:
    """The names in what an agent has sent, few enough to remember."""
    given = names if isinstance(names, list) else []
    return [name for name in given[:500] if isinstance(name, str) and len(name) < 100]


def _environment() -> dict[str, str]:
    """Of this process's environment what a Python needs, and no more.

    Linear algebra gets no threads: what is forked must have one only.
    """
    kept = {k: v for k, v in os.environ.items() if k in _KEPT or k.startswith(_PREFIXES)}
    return {**kept, "PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1"}


_hosts: dict[tuple[str, str], Host] = {}  # by the game, and the folder that its spec is read in
_lock = threading.Lock()


def host_of(game: str) -> Host:
    """The server for a game by its spec."""
    with _lock:
        key = (game, os.getcwd())
        host = _hosts.pop(key, None)
        if host is None or not host.alive:
            while len(_hosts) >= _MOST:
                _hosts.pop(next(iter(_hosts))).end()
            host = Host(game)
        _hosts[key] = host
        return host


@atexit.register
def end_all() -> None:
    """End all servers."""
    with _lock:
        while _hosts:
            _hosts.popitem()[1].end()
