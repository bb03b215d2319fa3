"""A game looked at: its tree, its decisions, and which recipe to try first."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from facedown.arena.analysis.advice import Advice, advise
from facedown.arena.analysis.decisions import Decisions, measure_decisions
from facedown.arena.analysis.tree import Tree, measure_tree
from facedown.core import Game, SpecError
from facedown.search.search import prepare

SECONDS = 30.0
"""How long a look takes unless told otherwise; compiling comes before that."""

_COUNT, _TREE = 0.2, 0.5  # shares of the time at which counting and random games end
_EACH = 10  # random games for the tree to one decision that is searched, where games are counted

Tick = Callable[[float, float], None]
"""Told how many seconds of how many have gone, or how many games of how many."""


@dataclass(frozen=True)
class Analysis:
    """What a game is like, and which recipe to try first."""

    game: str
    players: int
    tree: Tree
    decisions: Decisions
    advice: Advice
    seed: int
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """The analysis as plain JSON."""
        plain = {**asdict(self.tree), **asdict(self.decisions)}
        plain |= {"samples": self.tree.samples, "searched": self.decisions.samples}
        return {
            **plain,
            "game": self.game,
            "players": self.players,
            "seed": self.seed,
            "advice": asdict(self.advice),
            "seconds": round(self.seconds, 3),
        }


def analyse_game(
    game: Game,
    seconds: float | None = SECONDS,
    samples: int | None = None,
    seed: int = 0,
    tick: Tick | None = None,
) -> Analysis:
    """Look at a game for so many seconds; with `samples`, at so many random games instead.

    The random games come from the seed; how many there is time for depends on the machine. With
    `samples` the result depends on the seed alone; one decision is searched for every ten games.

    >>> from facedown.games.registry import load_game
    >>> found = analyse_game(load_game("kuhn"), seconds=0.5)
    >>> found.tree.branching.value, found.tree.decisions.value
    (2.0, 2.25)
    """
    if samples is not None and samples < 2:
        raise SpecError(f"samples is {samples}; at least 2 are wanted")
    if seconds is None or not 0 < seconds < 10**7:
        raise SpecError(f"seconds is {seconds}; more than 0 is wanted")
    prepare()
    game.rules.rollout()
    clock = _Clock(seconds, samples, tick)
    counting, going = clock.until(_COUNT, samples), clock.until(_TREE, samples)
    tree = measure_tree(game, samples, seed, going, counting)
    looked = None if samples is None else max(2, samples // _EACH)
    decisions = measure_decisions(game, tree.spread, looked, seed, clock.until(1.0, looked))
    advice = advise(game, tree, decisions)
    return Analysis(game.spec, game.players, tree, decisions, advice, seed, clock.gone)


class _Clock:
    """The time that a look has, or the games."""

    def __init__(self, seconds: float, samples: int | None, tick: Tick | None) -> None:
        self._began, self._seconds = time.perf_counter(), seconds
        self._counted, self._tick = samples is not None, tick

    @property
    def gone(self) -> float:
        """Seconds since it began."""
        return time.perf_counter() - self._began

    def until(self, share: float, games: int | None) -> Callable[[], bool]:
        """Whether this share of the time is still to come; asked once a game."""
        asked = 0

        def going() -> bool:
            nonlocal asked
            asked += 1
            if self._tick is not None:
                done = (asked, games or 0) if self._counted else (self.gone, self._seconds)
                self._tick(*done)
            return self._counted or self.gone < share * self._seconds

        return going
