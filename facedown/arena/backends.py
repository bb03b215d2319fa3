"""Where games are played: on this machine, or on a cluster."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Protocol

from facedown.arena.work import Agenda
from facedown.arena.workers import play_here, play_in_workers
from facedown.core import Game
from facedown.core.machine import cores


class Backend(Protocol):
    """Plays whatever an agenda has."""

    def play(self, agenda: Agenda, games: MutableMapping[str, Game]) -> None:
        """Play all that is left; `games` are those that are loaded already."""


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
