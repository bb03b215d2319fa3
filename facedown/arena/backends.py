"""Where games are played: on this machine, or on a cluster."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Protocol

from facedown.arena.work import Agenda
from facedown.arena.workers import play_here, play_in_workers
from facedown.core import Game, SpecError
from facedown.core.machine import cores


class Backend(Protocol):
    """Plays whatever an agenda has."""

    def play(self, agenda: Agenda, games: MutableMapping[str, Game]) -> None:
        """Play all that is left; `games` are those that are loaded already."""


def backend_of(name: str, address: str | None, jobs: int | None) -> Backend:
    """The backend of a name; SpecError where it cannot be meant, before anything is played."""
    if name == "local":
        if address is not None:
            raise SpecError("--address is for --backend ray")
        return Local(jobs)
    if name != "ray":
        raise SpecError(f"no backend {name!r}; there are local and ray")
    if address is None:
        raise SpecError("the backend ray wants --address HOST:PORT, or --address auto")
    from facedown.arena.cluster import Cluster

    return Cluster(address)


class Local:
    """This machine: so many processes, or None: one as long as it looks short, else every core."""

    def __init__(self, jobs: int | None = 1) -> None:
        self.jobs = jobs

    def play(self, agenda: Agenda, games: MutableMapping[str, Game]) -> None:
        """Play all that is left."""
        jobs = self.jobs
        if jobs is None:
            play_here(agenda, games, while_short=True)
            jobs = cores()
        if agenda.left and min(jobs, agenda.left) > 1:
            play_in_workers(agenda, min(jobs, agenda.left))
        elif agenda.left:
            play_here(agenda, games)
