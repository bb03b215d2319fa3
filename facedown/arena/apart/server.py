"""The process that agents' processes are forked from: Python, facedown and the game, loaded once.

It is started as a new program with an environment of its own and without any descriptor of the
match, is told the game and nothing else, and hands what comes for an agent on unread. So nothing
can be found in it, nor in what is forked from it, that an agent may not know.

It stays outside of the walls that agents are put behind, and ends an agent's process when the match
closes its line, whatever the agent does: that process is the first of its namespace, and all that
it has started end with it.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import Any

from facedown.arena.apart import jail, linux
from facedown.arena.apart.jail import Cell
from facedown.arena.apart.lines import GoneError, encoded, first_line
from facedown.arena.apart.memory import Pass
from facedown.core import Game
from facedown.core.jit import KERNELS
from facedown.games.registry import load_game

SEAT, WARM = b"a", b"w"
"""What a server is asked for: a process for an agent, with two sockets; to load what is named."""

_LOOK, _GLANCE = 0.2, 0.02  # seconds between looks at what agents take, and of one
_LOADABLE = ("facedown.agents.", "facedown.belief.", "facedown.search.")


def main() -> None:
    """Serve until the match is gone."""
    line = socket.socket(fileno=int(sys.argv[1]))
    try:
        game = load_game(first_line(line)["game"])
        importlib.import_module("facedown.arena.apart.runner")
    except Exception as error:
        line.sendall(encoded({"error": f"{type(error).__name__}: {error}"}))
        return
    _share()
    line.sendall(encoded({"ready": True}))
    with contextlib.suppress(GoneError):
        _Server(line, game).serve()


class _Server:
    """Starts agents' processes, ends those whose match has closed their line."""

    def __init__(self, line: socket.socket, game: Game) -> None:
        self._line, self._game = line, game
        self._poll = select.poll()
        self._poll.register(line, select.POLLIN)
        self._wards: dict[int, _Ward] = {}  # by each of its descriptors
        self._looked = monotonic()  # when last at what agents take
        self._loading: list[Callable[[], object]] = []

    def serve(self) -> None:
        """Serve; GoneError when the match is gone. Processes end with this one."""
        try:
            while True:
                self._hear(0 if self._loading else _LOOK * 1000 if self._wards else None)
                self._look()
        finally:
            for ward in self._wards.values():
                ward.kill()

    def _hear(self, most: float | None) -> None:
        """Do what is asked for within so many milliseconds; if nothing is, load something."""
        events = self._poll.poll(most)
        if not events and self._loading:
            self._loading.pop(0)()
        for fd, _ in events:
            ward = self._wards.get(fd)
            if fd == self._line.fileno():
                self._answer()
            elif ward is not None and fd == ward.ended:
                self._bury(ward)
            elif ward is not None:
                self._poll.unregister(ward.control)
                ward.kill()

    def _look(self) -> None:
        """End who takes too much memory with all of its processes; now and then, for a moment."""
        if monotonic() - self._looked > _LOOK:
            for fd, ward in list(self._wards.items()):
                if fd == ward.ended:
                    ward.look(monotonic() + _GLANCE)
            self._looked = monotonic()

    def _answer(self) -> None:
        asked, fds, _, _ = socket.recv_fds(self._line, 1, 2)
        if not asked:
            raise GoneError
        if asked == WARM:
            self._loading += _to_load(first_line(self._line))
        elif len(fds) == 2:
            self._seat(socket.socket(fileno=fds[0]), socket.socket(fileno=fds[1]))

    def _seat(self, agent: socket.socket, control: socket.socket) -> None:
        """Fork an agent's process; what it is to be comes over its own line, unread here."""
        user, group = os.getuid(), os.getgid()
        with agent:
            given = first_line(control)
            walls = [name for name in jail.WALLS if name in given["walls"]]
            pid, built = jail.fork(walls)
            if pid == 0:
                game = self._game
                _in_child(lambda: _begin(agent, game, built, user, group))
        ward = _Ward(pid, control, given["memory"] << 20)
        for fd in (ward.ended, control.fileno()):
            self._wards[fd] = ward
            self._poll.register(fd, select.POLLIN)

    def _bury(self, ward: _Ward) -> None:
        """An agent's process has ended: say how."""
        with contextlib.suppress(KeyError):
            self._poll.unregister(ward.control)
        self._poll.unregister(ward.ended)
        del self._wards[ward.ended], self._wards[ward.control.fileno()]
        ward.bury()


class _Ward:
    """An agent's process, a descriptor that tells of its end, and the match's line about it.

    With all that it has started it may take so much `memory`, in bytes.
    """

    def __init__(self, pid: int, control: socket.socket, memory: int) -> None:
        self.pid, self.ended, self.control = pid, os.pidfd_open(pid), control
        self._memory, self._pass = memory, Pass(pid)
        self._greedy = False

    def kill(self) -> None:
        """End it, with all that it has started."""
        for kill in (os.kill, os.killpg):  # its group, where there is no namespace
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(self.pid, signal.SIGKILL)

    def look(self, until: float) -> None:
        """Go on counting its memory until then, and end it where that is too much."""
        more = True
        while more and monotonic() < until:
            more = self._pass.step()
            if self._pass.total > self._memory:
                self._greedy = True
                self.kill()
        if not more:
            self._pass = Pass(self.pid)

    def bury(self) -> None:
        """Tell the match of its end."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        with contextlib.suppress(OSError):
            self.control.sendall(encoded({"status": status, "greedy": self._greedy}))
        self.control.close()
        os.close(self.ended)


def _to_load(named: dict[str, Any]) -> list[Callable[[], object]]:
    """How to load modules and compiled loops of facedown that an agent has needed, one by one.

    Whoever plays against it is not to wait for all of what it names.
    """
    modules = [name for name in named.get("modules", ()) if str(name).startswith(_LOADABLE)]
    kernels = named.get("kernels", ())
    return [
        *(partial(_import, name) for name in modules if name not in sys.modules),
        *(partial(_ready, str(name)) for name in kernels),
        _share,
    ]


def _import(module: str) -> None:
    with contextlib.suppress(ImportError):
        importlib.import_module(module)


def _ready(name: str) -> None:
    for kernel in KERNELS:
        if kernel.function.__qualname__ == name:
            kernel.ready()


def _share() -> None:
    """Have what is there stay as it is, so that processes share its memory."""
    gc.collect()
    gc.freeze()


def _in_child(play: Any) -> None:
    """Run the rest of a process; it never comes back."""
    status = 1
    try:
        status = play() or 0
    except BaseException:
        status = 1
    finally:
        os._exit(status)


# --- the agent's process -------------------------------------------------------------------------


def _begin(agent: socket.socket, game: Game, built: list[str], user: int, group: int) -> int:
    """Finish the walls from inside, say what keeps this process in, and become the agent."""
    os.setsid()
    request = first_line(agent)
    cell = Cell.from_json(request["cell"])
    enforced = [wall for wall in built if wall != "files"]
    if "user" in built:
        jail.live_inside(user, group)
    if "processes" in built and jail.count_processes(cell.limits, root=user == 0):
        enforced.append(jail.COUNTED)
    if "files" in built and _furnished(cell):
        enforced.append("files")
    jail.confine(cell.limits)
    with contextlib.suppress(OSError, AttributeError):
        linux.die_with_parent()
    if "files" in enforced and jail.refuse_calls():  # else what it locks may be others'
        enforced.append(jail.REFUSED)
    agent.sendall(encoded({"enforced": enforced}))
    return _become(agent, request, game)


def _furnished(cell: Cell) -> bool:
    try:
        jail.furnish(cell)
    except (OSError, StopIteration):
        return False
    return True


def _become(agent: socket.socket, request: dict[str, Any], game: Game) -> int:
    """Become a program, or play an agent in Python; what comes from here on is the agent's."""
    _only(agent, keep=request["command"] is not None)
    os.environ.update(HOME="/tmp", TMPDIR="/tmp", FACEDOWN_CACHE=request["cell"]["cache"])
    with contextlib.suppress(OSError):
        os.chdir(request["folder"])
    if request["command"] is not None:
        os.execvp(request["command"][0], request["command"])
    from facedown.arena.apart.runner import run

    return run(agent, game)


def _only(agent: socket.socket, *, keep: bool) -> None:
    """Close every descriptor but the agent's line, which a program has as its input and output."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in range(3):
        os.dup2(agent.fileno() if keep and fd < 2 else nothing, fd)
    line = agent.fileno()
    os.closerange(3, line)
    os.closerange(line + 1, 1024)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL if keep else signal.SIG_IGN)
    os.set_inheritable(line, False)


def command_line(fd: int, path: list[str]) -> list[str]:
    """How the server is started: with a descriptor, and the places that its owner imports from."""
    code = (
        "import sys, json; sys.path[:] = json.loads(sys.argv.pop()); "
        "from facedown.arena.apart.server import main; main()"
    )
    return [sys.executable, "-c", code, str(fd), json.dumps(path)]
