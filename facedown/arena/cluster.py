"""Games on a Ray cluster: the same tasks as on one machine, on whatever nodes there are.

A node that goes away takes its games with it; they are handed out again. Every worker makes sure,
once for each match, that its code is that of whoever asks, and has its node compile what the match
needs before any other worker of the node begins.
"""

from __future__ import annotations

import hashlib
import os
import socket
import sys
import time
from collections.abc import MutableMapping
from functools import cache
from typing import Any

from facedown.arena.bench import warm_up
from facedown.arena.crew import Crew
from facedown.arena.plan import Plan
from facedown.arena.work import Agenda, Chunk, Task, play_task
from facedown.core import FacedownError, Game, SpecError
from facedown.core.files import lock
from facedown.core.jit import cache_root
from facedown.games.registry import load_game
from facedown.store.codec import Batch
from facedown.store.revision import revision

_LOOK = 5.0  # seconds between two looks at how many processors the cluster has
_WAIT = 1.0  # seconds until it looks anyway


class MissingRayError(SpecError):
    """A cluster wants the extra `cluster`."""


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise MissingRayError(
            "the backend ray wants Ray: pip install 'facedown[cluster]'"
        ) from None
    return ray


class Cluster:
    """An existing Ray cluster as a backend; SpecError where there is none at the address."""

    def __init__(self, address: str) -> None:
        self._address, self._ray = address, _ray()

    def play(self, agenda: Agenda, games: MutableMapping[str, Game]) -> None:
        """Play all that is left on the nodes of the cluster."""
        nodes = Nodes(self._ray, self._address)
        try:
            Crew(nodes, agenda).run()
        except BaseException:
            nodes.stop()
            raise
        finally:
            nodes.close()


class Nodes:
    """The workers of a cluster as a pool."""

    def __init__(self, ray: Any, address: str) -> None:
        self._ray = ray
        try:
            ray.init(address=address, logging_level="ERROR", log_to_driver=False)
        except (ConnectionError, ValueError, RuntimeError) as error:
            what = " ".join(str(error).split())[:200]
            raise SpecError(f"no Ray cluster at {address}: {what}") from None
        self._play = ray.remote(num_cpus=1, max_retries=0)(play_on_node)
        self._running: dict[Any, Task] = {}
        self._size, self._looked = 0, -_LOOK

    def size(self) -> int:
        """How many processors there are now; nodes come and go."""
        if time.monotonic() - self._looked >= _LOOK:
            self._size = max(1, int(self._ray.cluster_resources().get("CPU", 0)))
            self._looked = time.monotonic()
        return self._size

    def submit(self, task: Task) -> None:
        """Have one of them play games."""
        self._running[self._play.remote(task, code_of(task.plan))] = task

    def collect(self) -> list[tuple[Task, Chunk | None]]:
        """Wait until something is finished, or a little; None for games whose worker died."""
        ready = self._ready(1, _WAIT)
        return [(self._running.pop(one), self._chunk(one)) for one in ready]

    def _ready(self, least: int, seconds: float) -> list[Any]:
        """What is finished: all of it, once there is any."""
        running = list(self._running)
        if not running:
            return []
        found, _ = self._ray.wait(running, num_returns=least, timeout=seconds)
        if found:
            found, _ = self._ray.wait(running, num_returns=len(running), timeout=0)
        return list(found)

    def _chunk(self, reference: Any) -> Chunk | None:
        """What a worker gave back; None where it, its node or what it gave is lost."""
        errors = self._ray.exceptions
        try:
            chunk: Chunk = self._ray.get(reference)
            return chunk
        except errors.RayTaskError as error:
            what = " ".join(str(error.cause or error).split())
            raise FacedownError(f"a worker of the cluster failed: {what}") from None
        except errors.RayError:
            return None

    def finished(self) -> list[tuple[Task, Chunk]]:
        """What is finished already, nothing waited for."""
        found = [(self._running.pop(one), self._chunk(one)) for one in self._ready(1, 0)]
        return [(task, chunk) for task, chunk in found if chunk is not None]

    def stop(self) -> None:
        """Take back what is being played or waits."""
        for reference in self._running:
            self._ray.cancel(reference, force=True)

    def close(self) -> None:
        """Leave the cluster to itself."""
        self._ray.shutdown()


# --- here and there ------------------------------------------------------------------------------


def code_of(plan: Plan) -> str:
    """The revision of the code that plays a plan, here."""
    return _revision_of(plan.game, tuple(spec for spec, _ in plan.entries))


@cache
def _revision_of(game: str, agents: tuple[str, ...]) -> str:
    return revision(load_game(game), agents)


# --- on a node -----------------------------------------------------------------------------------


def play_on_node(task: Task, wanted: str) -> Chunk:
    """Play games in a worker of a cluster, if its code is the one that is wanted."""
    sys.stdout = sys.stderr
    try:
        _make_ready(task.plan, wanted)
    except FacedownError as error:
        return Chunk(Batch(), 0.0, error)
    return play_task(task)


def _make_ready(plan: Plan, wanted: str) -> None:
    """Once a worker for each match; what must be compiled is compiled once a node."""
    found = code_of(plan)
    if found != wanted:
        raise FacedownError(
            f"node {socket.gethostname()} has revision {found} of the code that plays {plan.game}, "
            f"{wanted} is wanted: install the same version of facedown, and the same files, there"
        )
    compile_once(plan.game, tuple(spec for spec, _ in plan.entries), wanted)


@cache
def compile_once(game: str, agents: tuple[str, ...], code: str) -> None:
    """Whoever is first on a node compiles into its cache; the others wait and find it there."""
    name = hashlib.sha256(" ".join((game, *agents, code)).encode()).hexdigest()[:24]
    folder = cache_root() / "nodes"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / name).open("a+") as stamp:
        lock(stamp)
        if os.fstat(stamp.fileno()).st_size == 0:
            warm_up(game, agents)
            stamp.write("compiled")
