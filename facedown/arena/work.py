"""Games as they are sent out to be played elsewhere, and as they come back."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from facedown.arena.plan import Plan
from facedown.arena.planned import play_planned
from facedown.core import FacedownError, Game
from facedown.games.registry import load_game
from facedown.store.codec import Batch, Heading, Packer
from facedown.store.records import GameRecord, version

CHUNK_SECONDS = 0.25
"""What a worker is given at a time: news come often, at little cost."""


@dataclass(frozen=True)
class Task:
    """Games of a match, by their numbers; `match` tells the matches of an agenda apart."""

    plan: Plan
    numbers: Sequence[int]
    match: int = 0


@dataclass(frozen=True)
class Chunk:
    """What a worker gives back: games, the seconds that they took, the error that came next."""

    games: Batch
    seconds: float
    error: FacedownError | None = None


class Agenda(Protocol):
    """Where games come from and finished ones go: a match, or many."""

    @property
    def left(self) -> int:
        """How many games nobody has been given yet, as far as is known."""

    def hand_out(self, seconds: float, hands: int) -> Task | None:
        """Games that will take so long, shared out among so many; None where there are none now."""

    def take(self, task: Task, record: GameRecord) -> None:
        """Keep a game that was played here."""

    def adopt(self, task: Task, chunk: Chunk) -> None:
        """Keep games that were played elsewhere."""

    def give_back(self, task: Task) -> None:
        """Nobody has played these games: hand them out once more."""

    def report(self) -> None:
        """Tell of the games that were kept since the last report."""


_games: dict[str, Game] = {}


def play_task(task: Task) -> Chunk:
    """Play games in a worker; a game is loaded once in each.

    They are packed here: records take longer on their way than a short game takes.
    """
    plan = task.plan
    if plan.game not in _games:
        _games[plan.game] = load_game(plan.game)
    game = _games[plan.game]
    packer = Packer(Heading(plan.game, plan.seed, version()))
    rows = []
    began, error = time.perf_counter(), None
    try:
        for number in task.numbers:
            rows.append(packer.pack(play_planned(plan, game, number)))
    except FacedownError as raised:
        error = raised
    batch = Batch(packer.casts.items, packer.words.items, rows)
    return Chunk(batch, time.perf_counter() - began, error)
