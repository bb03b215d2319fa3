"""Agents that search: each a recipe of the one search."""

# Annotations here are real objects, not strings: specs are converted by them, in subclasses too.
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from facedown.agents.base import Agent
from facedown.agents.worlds import given, lacks_worlds, pool_of
from facedown.belief.hyperplay import Bag, NoWorldError
from facedown.core import PUBLIC, Position, SpecError, derive
from facedown.search.bandits import bandit_number
from facedown.search.budget import Budget
from facedown.search.pool import Pool
from facedown.search.recipe import Growth, Identity, Labels, Playout, Recipe, Smooth, Worlds
from facedown.search.report import Report
from facedown.search.search import Search, check_recipe, prepare

ITERATIONS = 1000
"""How long an agent thinks when its spec says nothing."""

Choice = Literal["visits", "mean", "average"]


@dataclass(eq=False)
class SearchAgent(Agent):
    """Searches anew at every decision, for so many iterations or seconds, and plays the result.

    `final`: the most visited move, the best mean, or a move drawn in proportion to visits
    (`average`). `memory` is in megabytes; at the cap the tree stops growing and the search goes on.

    Where the game cannot draw worlds, they come from a HyperPlay bag that is told what the player
    observes: of so many `models`, each of which may visit `limit` states for a decision. If none of
    them agrees with what was observed, any legal move is played.
    """

    iterations: int | None = None
    seconds: float | None = None
    c: float = 0.7
    bandit: str = "ucb1"
    growth: Literal["edge", "node", "player"] = "edge"
    priors: bool = False
    informed: bool = False
    horizon: bool | None = None
    value: str | None = None
    belief: str | None = None
    discount: float = 1.0
    depth: int | None = None
    scaled: bool = True
    final: Choice = "visits"
    threads: int = 1
    memory: int = 2048
    models: int = 100
    limit: int = 10_000

    base: ClassVar[Recipe] = Recipe()
    engine: ClassVar[type[Search]] = Search

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check()
        self._most_seconds = self.seconds
        self.budget = self._budget()
        self.recipe = self._asked = self.make_recipe()
        self.bag = self.make_bag(self.player)
        if self.bag is not None:
            self.recipe = given(self.recipe)
        self.search: Search | None = None
        self._began = time.perf_counter()
        bandit_number(self.bandit)
        prepare(self.engine.loop)
        self.game.rules.rollout()  # compiled now: a clock may run later

    def require(self) -> None:
        check_recipe(self.game, self._asked, self.player, given=self.bag is not None)

    @property
    def remembers(self) -> bool:
        return self.bag is not None

    def _check(self) -> None:
        least = {"iterations": 1, "threads": 1, "memory": 1, "depth": 1, "seconds": 0, "c": 0}
        least |= {"models": 1, "limit": 1}
        for name, low in least.items():
            value = getattr(self, name)
            if value is not None and not value >= low:
                raise SpecError(f"{name}={value}: at least {low} is wanted")
            if value == math.inf:
                raise SpecError(f"{name}={value}: a finite number is wanted")
        if not 0 < self.discount <= 1:
            raise SpecError(f"discount={self.discount}: more than 0, at most 1 is wanted")

    def _budget(self) -> Budget:
        if self.iterations is None and self.seconds is None:
            return Budget(ITERATIONS)
        return Budget(self.iterations, self.seconds)

    def allow(self, seconds: float) -> None:
        """Think so long, or less where the spec says so: without a budget of its own, all of it."""
        most = self._most_seconds
        self.seconds = seconds if most is None else min(seconds, most)
        self.budget = self._budget()

    def make_recipe(self) -> Recipe:
        """The recipe with this agent's options filled in."""
        horizon = self.game.has("horizon") if self.horizon is None else self.horizon
        depth = self.base.playout.depth
        if self.depth is not None:
            depth = min(self.depth, Playout.depth)  # beyond any game, and what a desk can hold
        return replace(
            self.base,
            bandit=self.bandit,
            c=self.c,
            growth=Growth[self.growth.upper()],
            priors=self.priors,
            scaled=self.scaled,
            belief=self.belief,
            playout=Playout(self.informed, horizon, self.discount, depth, self.value),
        )

    def make_bag(self, viewer: int) -> Bag | None:
        """The bag that the worlds of this agent come from, as a viewer knows them; None without."""
        if not lacks_worlds(self.game, self._asked):
            return None
        seed = derive(self.seed, "bag", "public" if viewer == PUBLIC else "own")
        return Bag(self.game, viewer, self.models, seed, limit=self.limit, reseed=True)

    def observe(self, token: int, text: str) -> None:
        if self.bag is not None:
            self.bag.observe(token)

    def worlds_of(self, bag: Bag | None) -> Pool | None:
        """The worlds of a bag for this agent's recipe; None where the search finds its own."""
        if bag is None:
            return None
        return pool_of(bag, self.recipe, self.player, self.stream, self.bag_seconds)

    @property
    def bag_seconds(self) -> float | None:
        """What a bag may take for a decision: half of an agent's time, where that is limited."""
        return None if self.seconds is None else self.seconds / 2

    def start_search(self, view: Position, legal: Sequence[int]) -> Search:
        """A search of this position that has not begun."""
        return self.new_search(view, legal, self.worlds_of(self.bag))

    def new_search(
        self, view: Position, legal: Sequence[int], worlds: Pool | None = None
    ) -> Search:
        """A search by this agent's recipe, with worlds of its own where the recipe wants them."""
        seed, memory = self.stream.bits(), self.memory << 20
        return self.engine(
            self.game,
            self.recipe,
            view,
            self.player,
            legal,
            seed,
            worlds=worlds,
            threads=self.threads,
            memory=memory,
        )

    def choose(self, view: Position, legal: Sequence[int]) -> int:
        self._began, self.search = time.perf_counter(), None
        try:
            return self.think(view, legal)
        except NoWorldError:
            return self.stream.choice(legal)

    def think(self, view: Position, legal: Sequence[int]) -> int:
        """The move to play; NoWorldError where there is no world to search."""
        search = self.search = self.start_search(view, legal)
        return self.decide(search.run(self.left()).report())

    def left(self) -> Budget:
        """What is left of the budget after the bag has had its time."""
        if self.bag is None:
            return self.budget
        return self.budget.after(time.perf_counter() - self._began)

    def decide(self, report: Report) -> int:
        """The move to play after a search."""
        if self.final != "average":
            return report.best(self.final).move
        point = self.stream.random() * sum(candidate.visits for candidate in report.candidates)
        for candidate in report.candidates:
            point -= candidate.visits
            if point < 0:
                return candidate.move
        return report.best().move

    def summary(self) -> dict[str, Any] | None:
        found = self.search.report().to_json() if self.search is not None else None
        if self.bag is None:
            return found
        bag = {"models": self.models, "active": self.bag.active, "states": self.bag.states}
        return {**(found or {}), "bag": bag}


@dataclass(eq=False)
class FlatMonteCarlo(SearchAgent):
    """Every move equally often, random play after it, the best mean: no tree."""

    bandit: str = "uniform"
    final: Choice = "mean"
    base: ClassVar[Recipe] = Recipe(playout=Playout(depth=1))


@dataclass(eq=False)
class CheatingUCT(SearchAgent):
    """UCT on the true position (Kelly 2017, section 3.2.1): it cheats, and says so."""

    cheats: ClassVar[bool] = True
    base: ClassVar[Recipe] = Recipe(identity=Identity.FULL, worlds=Worlds.TRUTH)


@dataclass(eq=False)
class DeterminizedUCT(SearchAgent):
    """UCT on so many sampled worlds, visits summed (Kelly 2017, section 3.2.2)."""

    worlds: int = 100
    base: ClassVar[Recipe] = Recipe(
        identity=Identity.FULL, worlds=Worlds.SAMPLED, labels=Labels.TREE
    )

    def make_recipe(self) -> Recipe:
        if self.worlds < 1:
            raise SpecError(f"worlds={self.worlds}: at least 1 is wanted")
        return replace(super().make_recipe(), samples=self.worlds)


@dataclass(eq=False)
class SingleObserver(SearchAgent):
    """SO-ISMCTS (Cowling, Powley and Whitehouse 2012): nodes are the searcher's observations."""

    base: ClassVar[Recipe] = Recipe(identity=Identity.SINGLE)


@dataclass(eq=False)
class MultiObserver(SearchAgent):
    """MO-ISMCTS (Cowling, Powley and Whitehouse 2012): a tree for each player's observations."""

    base: ClassVar[Recipe] = Recipe(identity=Identity.MULTI)


@dataclass(eq=False)
class SmoothUCT(SearchAgent):
    """Smooth-UCT (Heinrich and Silver 2015): mixes in the average strategy, and plays it.

    A node is what its player knows: its information set at the root and what it has seen since.
    """

    growth: Literal["edge", "node", "player"] = "player"
    final: Choice = "average"
    eta: float = 0.9
    gamma: float = 0.1
    d: float = 0.002
    base: ClassVar[Recipe] = Recipe(identity=Identity.MANY)

    def make_recipe(self) -> Recipe:
        for name in ("eta", "gamma"):
            if not 0 <= getattr(self, name) <= 1:
                raise SpecError(f"{name}={getattr(self, name)}: between 0 and 1 is wanted")
        if not self.d >= 0:
            raise SpecError(f"d={self.d}: at least 0 is wanted")
        smooth = Smooth(self.eta, self.gamma, self.d)
        return replace(super().make_recipe(), smooth=smooth)
