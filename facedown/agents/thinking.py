"""Agents that think for so long before a move, and those of them that run the one search."""

# Annotations here are real objects, not strings: specs are converted by them, in subclasses too.
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from facedown.agents.base import Agent
from facedown.agents.worlds import given, pool_of
from facedown.belief.hyperplay import Bag, NoWorldError
from facedown.belief.pool import Pool
from facedown.core import Position, SpecError
from facedown.search.bandits import bandit_number
from facedown.search.budget import Budget
from facedown.search.recipe import Recipe
from facedown.search.report import Report
from facedown.search.search import Search, check_recipe, prepare
from facedown.search.thread import Foreseen

ITERATIONS = 1000
"""How long an agent thinks when its spec says nothing."""

LEAST: dict[str, float] = {"seconds": 0, "c": 0, "sure": 0}
LEAST |= dict.fromkeys(("iterations", "threads", "memory", "depth", "models", "limit"), 1)
LEAST |= dict.fromkeys(("samples", "nested", "nested_samples"), 1)
"""The lowest that an option of this name may be."""


class Thought(Protocol):
    """A search that can be run, watched, stopped, resumed and read."""

    def run(self, budget: Budget) -> "Thought":
        """Think on within the budget; returns when it is used up or `stop` is called."""

    def stop(self) -> None:
        """Have it stop at once; any thread may call this."""

    def report(self) -> Report:
        """What was found so far."""


@dataclass(eq=False)
class Thinker(Agent):
    """Thinks for so many iterations or seconds at every decision, then plays what it found.

    Where it has a bag of models, that is told what the player observes; if none of them agrees with
    it, any legal move is played.
    """

    iterations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check()
        self._most_seconds = self.seconds
        self.budget = self._budget()
        self.prepare()
        self.bag = self.make_bag(self.player)
        self.search: Thought | None = None
        self._began = time.perf_counter()
        self._thought = 0

    def _check(self) -> None:
        for name, low in LEAST.items():
            value = getattr(self, name, None)
            if value is not None and not value >= low:
                raise SpecError(f"{name}={value}: at least {low} is wanted")
            if value == math.inf:
                raise SpecError(f"{name}={value}: a finite number is wanted")
        discount = getattr(self, "discount", 1.0)
        if not 0 < discount <= 1:
            raise SpecError(f"discount={discount}: more than 0, at most 1 is wanted")

    def _budget(self) -> Budget:
        if self.iterations is None and self.seconds is None:
            return Budget(ITERATIONS)
        return Budget(self.iterations, self.seconds)

    def allow(self, seconds: float) -> None:
        """Think so long, or less where the spec says so: without a budget of its own, all of it."""
        most = self._most_seconds
        self.seconds = seconds if most is None else min(seconds, most)
        self.budget = self._budget()

    def prepare(self) -> None:
        """Have all compiled that will be needed: a clock may run later."""

    # --- what is seen ----------------------------------------------------------------------------

    def make_bag(self, viewer: int) -> Bag | None:
        """The bag of models of what a viewer may be in; None where nothing is modelled."""
        return None

    @property
    def remembers(self) -> bool:
        return self.bag is not None

    def observe(self, token: int, text: str) -> None:
        if self.bag is not None:
            self.bag.observe(token)

    @property
    def bag_seconds(self) -> float | None:
        """What a bag may take for a decision: half of an agent's time, where that is limited."""
        return None if self.seconds is None else self.seconds / 2

    # --- the move --------------------------------------------------------------------------------

    def start_search(self, view: Position, legal: Sequence[int]) -> Thought:
        """A search of this position that has not begun."""
        raise SpecError(f"{type(self).__name__} does not say what it searches")

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
        """What is left of the budget: the clock has run since the decision began."""
        return self.budget.after(time.perf_counter() - self._began)

    def decide(self, report: Report) -> int:
        """The move to play after a search."""
        self._thought += report.plies
        return report.best().move

    @property
    def states(self) -> int:
        """States visited in this game so far: moves tried by the bag, and made in searches."""
        return self._thought + (self.bag.states if self.bag is not None else 0)

    def summary(self) -> dict[str, Any] | None:
        found = self.search.report().to_json() if self.search is not None else None
        if self.bag is None:
            return found
        bag = {"models": len(self.bag.models), "active": self.bag.active, "states": self.bag.states}
        return {**(found or {}), "states": self.states, "bag": bag}


@dataclass(eq=False)
class Searcher(Thinker):
    """Runs the one search by a recipe; `memory` is in megabytes.

    At the cap the tree stops growing and the search goes on. Where the game cannot draw the worlds
    that the recipe wants, they come from a HyperPlay bag.
    """

    threads: int = 1
    memory: int = 2048

    base: ClassVar[Recipe] = Recipe()
    engine: ClassVar[type[Search]] = Search

    def prepare(self) -> None:
        self.recipe = self._asked = self.make_recipe()
        bandit_number(self.recipe.bandit)
        prepare(self.engine.loop)
        self.game.rules.rollout()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.bag is not None:
            self.recipe = given(self.recipe)

    def require(self) -> None:
        check_recipe(self.game, self._asked, self.player, given=self.bag is not None)

    def make_recipe(self) -> Recipe:
        """The recipe with this agent's options filled in."""
        return self.base

    def worlds_of(self, bag: Bag | None) -> Pool | None:
        """The worlds of a bag for this agent's recipe; None where the search finds its own."""
        if bag is None:
            return None
        return pool_of(bag, self.recipe, self.player, self.stream, self.bag_seconds)

    def start_search(self, view: Position, legal: Sequence[int]) -> Search:
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
            foreseen=self.foresee(view, legal),
        )

    def foresee(self, view: Position, legal: Sequence[int]) -> Foreseen | None:
        """What is known of the first replies to the legal moves, for the search; None: nothing."""
        return None

    def decide(self, report: Report) -> int:
        super().decide(report)
        return report.best(self.recipe.final).move

    def by_visits(self, report: Report) -> int:
        """A move drawn in proportion to visits: the average strategy."""
        point = self.stream.random() * sum(candidate.visits for candidate in report.candidates)
        for candidate in report.candidates:
            point -= candidate.visits
            if point < 0:
                return candidate.move
        return report.best().move
