"""The course of games: who was ahead when, as random play from the true position judges it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from facedown.arena.replay import steps
from facedown.core import Game, Position, derive
from facedown.search.playouts import SHARED, WINS
from facedown.search.recipe import Recipe
from facedown.search.search import Search
from facedown.store.records import GameRecord

LOOKS, PLAYOUTS, PLAIN = 20, 100, 20
"""Looks at a game at most; random games from each, and by rules that are not compiled."""

DECIDED, AHEAD = 0.8, 0.1
"""The chance from which on a game is decided; how much more the next leader must have."""


@dataclass(frozen=True)
class Look:
    """A moment of a game, from 0 to 1 of its moves, and each player's chance to be a winner."""

    at: float
    chances: tuple[float, ...]

    @property
    def leader(self) -> int:
        """Who has most."""
        return max(range(len(self.chances)), key=self.chances.__getitem__)


@dataclass(frozen=True)
class Course:
    """How one game went: its number, its winners, and looks in order, the end excluded."""

    number: int
    winners: tuple[int, ...]
    looks: tuple[Look, ...]

    @property
    def drawn(self) -> bool:
        """Whether everybody won, which is nobody."""
        return len(self.winners) == len(self.looks[0].chances) if self.looks else False

    def _best(self, look: Look) -> float:
        return max(look.chances[p] for p in self.winners)

    @property
    def decided(self) -> float:
        """From when on the winners' chance stays above DECIDED; 1 is the last move."""
        since = 1.0
        for look in reversed(self.looks):
            if self._best(look) < DECIDED:
                break
            since = look.at
        return since

    @property
    def lowest(self) -> float:
        """The winners' chance at their worst moment."""
        return min((self._best(look) for look in self.looks), default=1.0)

    @property
    def changes(self) -> int:
        """How often the lead changed: another has AHEAD more than who led."""
        leader, count = -1, 0
        for look in self.looks:
            if leader < 0:
                leader = look.leader
            elif look.chances[look.leader] >= look.chances[leader] + AHEAD:
                leader, count = look.leader, count + 1
        return count

    def led(self, at: float) -> bool | None:
        """Whether who led at this moment was a winner; None before the first look."""
        before = [look for look in self.looks if look.at <= at + 1e-9]
        return before[-1].leader in self.winners if before else None


def winners(payoffs: Sequence[float]) -> tuple[int, ...]:
    """Who got most."""
    top = max(payoffs) - 1e-9
    return tuple(p for p, paid in enumerate(payoffs) if paid >= top)


def course(record: GameRecord, game: Game, seed: int) -> Course:
    """Look at a game as it went, before some of its moves: as many before any as before another."""
    plies = len(record.moves)
    wanted = {round(k * (plies - 1) / (LOOKS - 1)) for k in range(LOOKS)} if plies > 1 else {0}
    looks = tuple(_looks(record, game, wanted, seed))
    return Course(record.number, winners(record.payoffs), looks)


def _looks(record: GameRecord, game: Game, wanted: set[int], seed: int) -> Iterator[Look]:
    for ply, (_, position) in enumerate(steps(record, game)):
        if ply in wanted:
            yield Look(ply / len(record.moves), chances(position, derive(seed, "look", ply)))


def chances(position: Position, seed: int) -> tuple[float, ...]:
    """Each player's chance to be a winner, if all play at random from here on."""
    game = position.game
    count = PLAYOUTS if game.compiled else PLAIN
    search = Search(game, Recipe(belief=("truth",)), position, 0, [], seed)
    tally = search.play_out(count)
    return tuple(float(share) for share in np.minimum((tally[WINS] + tally[SHARED]) / count, 1.0))
