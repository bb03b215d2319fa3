"""Online outcome sampling as an agent."""

# Annotations here are real objects, not strings: specs are converted by them, in subclasses too.
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from facedown.agents.thinking import Searcher
from facedown.core import Position
from facedown.search.outcome import OutcomeSearch
from facedown.search.recipe import Identity, OutcomeSettings, Recipe
from facedown.search.search import Search


@dataclass(eq=False)
class OutcomeSampling(Searcher):
    """OOS (Lisý, Lanctot and Bowling 2015): regrets from sampled games; plays the average strategy.

    Games are sampled from the start, a share `delta` of them aimed at what the player has observed;
    the player who is updated explores with probability `epsilon`. One tree serves all decisions of
    a game. No worlds are guessed, so any game will do.
    """

    base: ClassVar[Recipe] = Recipe(
        identity=Identity.MULTI, outcome=OutcomeSettings(), belief=("truth",), final="average"
    )
    offers: ClassVar[tuple[str, ...]] = ("epsilon", "delta")
    engine: ClassVar[type[Search]] = OutcomeSearch

    def __post_init__(self) -> None:
        self.observed = list[int]()
        super().__post_init__()

    @property
    def remembers(self) -> bool:
        return True

    def viewers(self) -> tuple[int, ...]:
        return ()  # it goes by observations, from the start of the game

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
        self._report = None
        self.search.run(self.budget)
        return self.decide(self.report())

    @property
    def states(self) -> int:
        return self._thought
