"""Agents that think for so long before a move, and those of them that run the one search."""

# Annotations here are real objects, not strings: specs are converted by them, in subclasses too.
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Protocol

from facedown.agents.base import Agent
from facedown.belief.belief import Belief, NoWorldError, Wanted
from facedown.belief.model import room_of
from facedown.belief.pool import Pool
from facedown.belief.sources import Means, make_belief
from facedown.core import PUBLIC, Memos, Position, SpecError, Stream, derive
from facedown.core.clocks import now, own_time
from facedown.core.machine import cores, memory, most_threads
from facedown.search.bandits import bandit_number
from facedown.search.budget import Budget
from facedown.search.habits import WORLDS, Habits
from facedown.search.recipe import Recipe
from facedown.search.report import Report
from facedown.search.search import MEMORY, Search, check_recipe, check_worlds, prepare
from facedown.search.thread import MOST_ITERATIONS, Foreseen

ITERATIONS = 1000
"""How long an agent thinks when neither its spec nor its class says more."""

LEAST: dict[str, float] = {"seconds": 0, "cpu": 0, "c": 0, "sure": 0, "thorough": 0}
LEAST |= dict.fromkeys(("iterations", "threads", "memory", "depth", "models", "limit"), 1)
LEAST |= dict.fromkeys(("samples", "nested", "nested_samples"), 1)
"""The lowest that an option of this name may be."""

MOST: dict[str, float] = {"seconds": 10**7, "cpu": 10**7}
MOST |= dict.fromkeys(("depth", "limit", "thorough", "samples", "nested_samples"), (1 << 31) - 1)
"""The highest, where that is the same on every machine and in every game."""


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

    `seconds` are the wall's, `cpu` the processor's: what its own thread has had of one.

    It has a belief, or one for each viewer that it models, which are told what the player and the
    public see. If no world agrees with that, any legal move is played, and the summary says so.
    """

    iterations: int | None = None
    seconds: float | None = None
    cpu: float | None = None

    usual: ClassVar[int] = ITERATIONS
    """Iterations of a decision where its spec says nothing."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check()
        self._check_cpu()
        self._most_seconds = self.seconds
        self.budget = self._budget()
        self.memos = Memos(self.game, self.player)
        self.search: Thought | None = None
        self._report: Report | None = None
        self._began = now()
        self._thought = 0
        self.guessed: str | None = None  # why the last move was any legal one, where it was

    def _check(self) -> None:
        for name, low in LEAST.items():
            value = getattr(self, name, None)
            if value is not None and not value >= low:
                raise SpecError(f"{name}={value}: at least {low} is wanted")
            if value == math.inf:
                raise SpecError(f"{name}={value}: a finite number is wanted")
        for name, (most, why) in self.most().items():
            value = getattr(self, name, None)
            if value is not None and value > most:
                raise SpecError(f"{name}={value}: at most {most:,} is wanted{why}")

    def most(self) -> dict[str, tuple[float, str]]:
        """The highest that options may be here, and why."""
        room = room_of(self.game)
        models = memory() // 2 // room
        told = f": there is no memory for more models of {self.game.name}"
        threads = getattr(self, "threads", 1)
        return {
            **{name: (most, "") for name, most in MOST.items()},
            "iterations": (
                MOST_ITERATIONS * max(1, threads),
                " a thread",
            ),
            "threads": (most_threads(), f" on this machine of {cores()} processors"),
            "memory": (max(MEMORY, memory()) >> 20, ": this machine has no more megabytes"),
            "models": (models, told),
            "nested": (models // self.game.players, told),
        }

    def _check_cpu(self) -> None:
        if self.cpu is None:
            return
        if self.seconds is not None:
            raise SpecError(f"cpu={self.cpu:g},seconds={self.seconds:g}: one of them is wanted")
        if getattr(self, "threads", 1) > 1:
            raise SpecError("cpu is the time of one thread: threads=1 is wanted")

    @property
    def time_limit(self) -> float | None:
        """The seconds of a decision, the wall's or the processor's."""
        return self.seconds if self.cpu is None else self.cpu

    def _budget(self) -> Budget:
        if self.iterations is None and self.time_limit is None:
            return Budget(self.usual)
        return Budget(self.iterations, self.time_limit)

    def allow(self, seconds: float) -> None:
        """Think so long, or less where the spec says so: without a budget of its own, all of it."""
        most = self._most_seconds
        self.seconds = seconds if most is None else min(seconds, most)
        self.budget = self._budget()

    def prepare(self) -> None:
        """Have the beliefs made; a subclass has compiled what it will need."""
        _ = self.beliefs

    # --- what is believed ------------------------------------------------------------------------

    def viewers(self) -> tuple[int, ...]:
        """Whose beliefs it keeps: its player's own, and PUBLIC for what an onlooker believes."""
        return (self.player,)

    def make_belief(self, viewer: int) -> Belief:
        """A belief of this viewer's, at the start of the game."""
        raise SpecError(f"{type(self).__name__} does not say what it believes")

    @cached_property
    def beliefs(self) -> dict[int, Belief]:
        """The belief of each viewer."""
        return {viewer: self.make_belief(viewer) for viewer in self.viewers()}

    @property
    def belief(self) -> Belief:
        """What it believes itself."""
        return self.beliefs[self.player]

    def belief_seed(self, viewer: int) -> int:
        """The seed of a viewer's belief."""
        return derive(self.seed, "bag", "public" if viewer == PUBLIC else "own")

    @property
    def remembers(self) -> bool:
        kept = any(belief.remembers for belief in self.beliefs.values())
        return kept or self.game.has("remember")

    def observe(self, token: int, text: str) -> None:
        self.memos.observe(token)
        if self.player in self.beliefs:
            self.belief.observe(token)

    def overhear(self, token: int) -> None:
        self.memos.overhear(token)
        for viewer, belief in self.beliefs.items():
            if viewer == PUBLIC:
                belief.observe(token)
            else:
                belief.overhear(token)

    def clocked(self, player: int, seconds: float) -> None:
        for belief in self.beliefs.values():
            belief.clocked(player, seconds)

    @property
    def belief_seconds(self) -> float | None:
        """What a belief may take for a decision: half of an agent's time, where that is limited."""
        return None if self.time_limit is None else self.time_limit / 2

    # --- the move --------------------------------------------------------------------------------

    def start_search(self, view: Position, legal: Sequence[int]) -> Thought:
        """A search of this position that has not begun."""
        raise SpecError(f"{type(self).__name__} does not say what it searches")

    def choose(self, view: Position, legal: Sequence[int]) -> int:
        self.search = self._report = self.guessed = None
        with own_time(self.cpu is not None):
            self._began = now()
            try:
                return self.think(view, legal)
            except NoWorldError as error:
                self.guessed = f"any legal move: {error}"
                return self.stream.choice(legal)

    def think(self, view: Position, legal: Sequence[int]) -> int:
        """The move to play; NoWorldError where there is no world to search."""
        self.search = self.start_search(view, legal)
        self.search.run(self.left())
        return self.decide(self.report())

    def report(self) -> Report:
        """What the search of the last decision found: made once, when it is first asked for."""
        if self._report is None:
            if self.search is None:
                raise SpecError("nothing was searched, so there is nothing to report")
            self._report = self.search.report()
        return self._report

    def so_far(self) -> int | None:
        """The best move of a decision that was broken off; None where nothing was tried yet.

        Told when `choose` did not return: what it was thinking is read as it stands.
        """
        if self.search is None:
            return None
        report = self.search.report()
        tried = any(candidate.visits > 0 for candidate in report.candidates)
        return self.decide(report) if tried else None

    def left(self) -> Budget:
        """What is left of the budget: the clock has run since the decision began."""
        return self.budget.after(now() - self._began)

    def decide(self, report: Report) -> int:
        """The move to play after a search."""
        self._thought += report.plies
        return report.best().move

    @property
    def states(self) -> int:
        """States visited in this game so far: moves tried by the belief, and made in searches."""
        return self._thought + (self.belief.states or 0)

    def summary(self) -> dict[str, Any] | None:
        belief = self.beliefs.get(self.player)
        found = None if self.search is None else self.report().to_json()
        if self.guessed is not None:
            found = {**(found or {}), "fallback": self.guessed}
        if belief is None or (found is None and belief.states is None):
            return found
        spent = {} if belief.states is None else {"states": self.states}
        return {**(found or {}), **spent, **belief.summary()}


_OWN = Recipe()
"""Stands for the recipe of an agent's class."""


@dataclass(eq=False)
class Searcher(Thinker):
    """Runs the one search by a `recipe`, that of its class unless another is given.

    `memory` is in megabytes: at the cap the tree stops growing and the search goes on. The options
    of its specs are its own fields and those of the recipe that its class `offers`.
    """

    threads: int = 1
    memory: int = 2048
    recipe: Recipe = _OWN

    base: ClassVar[Recipe] = Recipe()
    offers: ClassVar[tuple[str, ...] | None] = None
    """The names of the recipe's options that specs may set; None: all of them."""
    engine: ClassVar[type[Search]] = Search

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.recipe is _OWN:
            self.recipe = self.base
        self.recipe = self.make_recipe()
        self._seen = list[int]()  # tokens since the start, for a recipe that reuses trees
        self._before: Search | None = None  # its last search, for the same
        bandit_number(self.recipe.bandit)
        most, worlds = memory() // 2 // max(1, self.game.rules.size), self.recipe.samples
        if worlds is not None and worlds > most:
            told = f"at most {most:,} is wanted: there is no memory for more of {self.game.name}"
            raise SpecError(f"worlds={worlds}: {told}")

    def make_recipe(self) -> Recipe:
        """The recipe as it is in this agent's game."""
        return self.recipe.in_game(self.game)

    def require(self) -> None:
        check_recipe(self.game, self.recipe, self.player)
        check_worlds(self.game, self.recipe)

    def prepare(self) -> None:
        super().prepare()
        prepare(self.engine.loop)
        self.game.rules.rollout()
        _ = self.habits

    @cached_property
    def habits(self) -> Habits | None:
        """What it has seen of the others' preferences, where its recipe adapts to them."""
        if self.recipe.adapting is None:
            return None
        stream = Stream(derive(self.seed, "habits"))
        return Habits(self.game, self.recipe, self.player, stream)

    @property
    def remembers(self) -> bool:
        return super().remembers or self.recipe.adapting is not None or self.recipe.reuse

    def observe(self, token: int, text: str) -> None:
        super().observe(token, text)
        if self.recipe.reuse:
            self._seen.append(token)
        if self.habits is not None:
            self.habits.observe(token)

    @property
    def means(self) -> Means:
        """What its beliefs may spend."""
        return Means(determinize=self.recipe.determinize, draws=self.draws)

    @property
    def draws(self) -> int:
        """Worlds that are drawn beforehand: no more than there are iterations."""
        most = self.budget.iterations
        return Means.draws if most is None else max(1, min(most, Means.draws))

    def make_belief(self, viewer: int) -> Belief:
        check_worlds(self.game, self.recipe)
        seed = self.belief_seed(viewer)
        return make_belief(self.game, self.recipe.belief, viewer, seed, self.means)

    def wanted(self) -> Wanted:
        """What its recipe wants of worlds, by what its player and the public remember."""
        return self.recipe.wanted(self.stream, self.belief_seconds, self.memos)

    def start_search(self, view: Position, legal: Sequence[int]) -> Search:
        wanted = self.wanted()
        worlds = self.belief.worlds(view, wanted)
        if self.habits is not None:
            self.habits.begin(self._some(worlds))
        return self.new_search(view, legal, worlds, wanted.seed)

    def _some(self, worlds: Pool) -> Iterator[Position]:
        """A few worlds of a pool, by their weights; completed where they are views."""
        stream = Stream(derive(self.seed, "some", self.stream.state))
        for _ in range(WORLDS):
            world = worlds.position(stream.pick(worlds.weights.tolist()))
            if worlds.views:
                memo = self.memos.of(self.player)
                world.determinize(self.player, stream, self.recipe.determinize, memo)
            yield world

    def new_search(self, view: Position, legal: Sequence[int], worlds: Pool, seed: int) -> Search:
        """A search of these worlds by this agent's recipe."""
        return self.engine(
            self.game,
            self.recipe,
            view,
            self.player,
            legal,
            seed,
            worlds=worlds,
            threads=self.threads,
            memory=self.memory << 20,
            foreseen=self.foresee(view, legal),
            memos=self.memos,
            habits=self.habits,
            before=self._before,
            seen=self._seen,
        )

    def foresee(self, view: Position, legal: Sequence[int]) -> Foreseen | None:
        """What is known of the first replies to the legal moves, for the search; None: nothing."""
        return None

    def decide(self, report: Report) -> int:
        super().decide(report)
        if self.recipe.reuse and isinstance(self.search, Search):
            self._before = self.search
        final = self.recipe.final
        return self.by_visits(report) if final == "average" else report.best(final).move

    def by_visits(self, report: Report) -> int:
        """A move drawn in proportion to visits: the average strategy."""
        point = self.stream.random() * sum(candidate.visits for candidate in report.candidates)
        for candidate in report.candidates:
            point -= candidate.visits
            if point < 0:
                return candidate.move
        return report.best().move
