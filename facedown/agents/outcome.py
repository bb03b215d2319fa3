"""Online outcome sampling as an agent."""

# Annotations here are real objects, not strings: specs are converted by them, in subclasses too.
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from facedown.agents.thinking import Searcher
from facedown.core import Position, SpecError
from facedown.search.outcome import OutcomeSearch
from facedown.search.recipe import Identity, Outcome, Recipe, Worlds
from facedown.search.report import Report
from facedown.search.search import Search


@dataclass(eq=False)
class OutcomeSampling(Searcher):
    """OOS (Lisý, Lanctot and Bowling 2015): regrets from sampled games; plays the average strategy.

    Games are sampled from the start, a share `delta` of them aimed at what the player has observed;
    the player who is updated explores with probability `epsilon`. One tree serves all decisions of
    a game. No worlds are guessed, so any game will do.
    """

    epsilon: float = 0.4
    delta: float = 0.9

    base: ClassVar[Recipe] = Recipe(identity=Identity.MULTI, worlds=Worlds.TRUTH)
    engine: ClassVar[type[Search]] = OutcomeSearch

    def __post_init__(self) -> None:
        self.observed = list[int]()
        super().__post_init__()

    @property
    def remembers(self) -> bool:
        return True

    def make_recipe(self) -> Recipe:
        epsilon, delta = self.epsilon, self.delta
        if not 0 < epsilon <= 1:
            raise SpecError(f"epsilon={epsilon}: more than 0, at most 1 is wanted")
        if not 0 <= delta < 1:
            raise SpecError(f"delta={delta}: at least 0, less than 1 is wanted")
        return replace(self.base, outcome=Outcome(epsilon, delta))

    def observe(self, token: int, text: str) -> None:
        self.observed.append(token)

    def start_search(self, view: Position, legal: Sequence[int]) -> OutcomeSearch:
        return OutcomeSearch(
            self.game,
            self.recipe,
            self.game.start(),
            self.player,
            legal,
            self.stream.bits(),
            threads=self.threads,
            memory=self.memory << 20,
            observed=self.observed,
        )

    def choose(self, view: Position, legal: Sequence[int]) -> int:
        if isinstance(self.search, OutcomeSearch):
            self.search.aim(self.observed, legal)
        else:
            self.search = self.start_search(view, legal)
        return self.decide(self.search.run(self.budget).report())

    def decide(self, report: Report) -> int:
        super().decide(report)
        return self.by_visits(report)
