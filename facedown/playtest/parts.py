"""The matches of a playtest: an agent at doubled budgets, against itself and against one who peeks.

All are matches of one run in a store: the same playtest goes on where it was stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from facedown.agents.options import agent_options
from facedown.agents.registry import agent_class
from facedown.arena.match import Fixture, fixture_of, keep_match
from facedown.arena.ratings import Shares
from facedown.arena.schedule import counted
from facedown.arena.sweep import swept
from facedown.arena.tournament import Description, Tournament
from facedown.core import Game, SpecError, derive
from facedown.core.specs import parse
from facedown.games.registry import load_game
from facedown.store.kept import Kept
from facedown.store.store import Store

KIND = "playtest"
"""Of runs, in a store."""

CHEAT, RANDOM = "cheating-uct", "random"

Progress = Callable[[int, int], None]
"""Told how many games of how many are played."""


@dataclass(frozen=True)
class Playtest:
    """All that decides a playtest.

    `agent` plays at `levels` budgets, `budget` iterations a move at most and half as many at each
    level below; one that does not iterate is a level of its own, above `random`. `games` are those
    of a match.
    """

    game: str
    agent: str = "so-ismcts"
    budget: int = 400
    levels: int = 5
    games: int = 200
    seed: int = 0

    def check(self) -> None:
        """SpecError where a number is out of bounds."""
        bounds = {"budget": (1, 10**9), "levels": (2, 20), "games": (2, 10**6)}
        for name, (low, high) in bounds.items():
            if not low <= getattr(self, name) <= high:
                what = f"{low} to {high:,} is wanted"
                raise SpecError(f"{name} is {getattr(self, name)}; {what}")
        if self.budget >> (self.levels - 1) < 1:
            what = f"halved {self.levels - 1} times it is less than 1"
            raise SpecError(f"budget is {self.budget}; {what}")

    def ladder(self, game: Game) -> list[str]:
        """The levels, the weakest first, the agent without any search at the bottom."""
        iterates = "iterations" in agent_options(agent_class(self.agent, game))
        if not iterates:
            return [RANDOM, self.agent]
        if "iterations" in parse(self.agent).options:
            raise SpecError(f"{self.agent}: its iterations are the playtest's to choose (--budget)")
        budgets = [self.budget >> k for k in reversed(range(self.levels))]
        return [RANDOM, *(swept(self.agent, {"iterations": [str(n)]})[0] for n in budgets)]


class Parts:
    """A playtest in a store: its run, and its matches as they are played."""

    def __init__(self, test: Playtest, store: Store, jobs: int | None = 1) -> None:
        test.check()
        self.test, self._store, self._jobs = test, store, jobs
        self.game = load_game(test.game)
        if self.game.players < 2:
            raise SpecError(f"{self.game.spec} is for one player; a playtest is for two or more")
        self.ladder = test.ladder(self.game)
        self.cheat = f"{CHEAT}:iterations={test.budget}"
        agents = tuple(dict.fromkeys((*self.ladder, self.cheat)))
        self._cup = Tournament(Description(self.game.spec, agents, games=test.games), jobs=jobs)
        self.run = self._begun()
        self.self_play = self._self_play()
        self.pairs = [
            *pairwise(self.ladder),
            *([(self.ladder[1], self.top)] if len(self.ladder) > 3 else []),
            (self.cheat, self.top),
        ]
        legs = [fixture for pair in self.pairs for fixture in self._cup.legs(pair)]
        self.total = test.games * (1 + len(legs))
        self.done = 0
        self.kept: dict[tuple[str, ...], list[tuple[Fixture, Kept]]] = {}

    @property
    def top(self) -> str:
        """The strongest level."""
        return self.ladder[-1]

    @property
    def bottom(self) -> str:
        """The weakest level that thinks; `random` where there is only one that does."""
        return self.ladder[1] if len(self.ladder) > 2 else self.ladder[0]

    def _begun(self) -> int:
        settings = asdict(self.test)
        found = self._store.find_run(KIND, settings)
        if found is not None:
            return found
        name = f"{self.game.spec}, {self.test.agent}"
        return self._store.begin_run(KIND, name, settings, self.test.seed)

    def _self_play(self) -> Fixture:
        sides, players = self.game.sides, self.game.players
        words = [f"{side}={self.top}" for side in sides] if sides else [f"{self.top}*{players}"]
        return fixture_of(self.game, words, self.test.games, True, None)

    def play(self, progress: Progress | None = None) -> Parts:
        """Play what is missing."""
        self.play_equals(progress)
        for pair in self.pairs:
            self._match(pair, self._cup.legs(pair), progress)
        self._store.finish_run(self.run)
        return self

    def play_equals(self, progress: Progress | None = None) -> Parts:
        """Play the games of the strongest level with itself alone."""
        self._match((), [self.self_play], progress)
        return self

    def _match(
        self, key: tuple[str, ...], fixtures: Sequence[Fixture], progress: Progress | None
    ) -> None:
        """The matches of one encounter."""
        for k, fixture in enumerate(fixtures):
            seed = derive(self.test.seed, KIND, *(key or ("self",)), k)
            kept = self._store.match(fixture.ask(seed, kind=KIND), run=self.run)
            before = self.done

            def tell(done: int, total: int, before: int = before, **_: Any) -> None:
                if progress is not None:
                    progress(before + done, self.total)

            keep_match(fixture, kept, self._jobs, progress=tell, whole_run=False)
            self.done = before + fixture.games
            self.kept.setdefault(key, []).append((fixture, kept))

    def shares(self, pair: tuple[str, ...]) -> list[Shares]:
        """What the games of an encounter add up to."""
        return [
            counted(kept, fixture.plan(kept.seed), fixture.sides)
            for fixture, kept in self.kept[pair]
        ]
