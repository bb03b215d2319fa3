"""Agents that search: each a recipe of the one search."""

# Annotations here are real objects, not strings: specs are converted by them, in subclasses too.
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from facedown.agents.thinking import Searcher
from facedown.belief.pool import Pool
from facedown.belief.sources import Means
from facedown.core import Position, SpecError, Stream, derive
from facedown.core.game import Script
from facedown.search.recipe import Growth, Identity, Labels, Playout, Recipe, Smooth, Worlds
from facedown.search.report import Candidate, Report
from facedown.search.search import Search

WHERE_IT_CAN = Playout(horizon=None)
"""To the game's horizon, where it has one."""


@dataclass(eq=False)
class SearchAgent(Searcher):
    """Searches anew at every decision, for so many iterations or seconds, and plays the result.

    Its further options are its recipe's. Where worlds come from a HyperPlay bag it has so many
    `models`, each of which may visit `limit` states for what it sees; what they weigh is found out
    by trying up to `thorough` moves for each that was not played. With a `script`, one of the
    game's scripted players, that one's move is played unless the search's is better by more than
    `doubt` standard errors: what a short search finds among near-ties is noise.
    """

    models: int = 100
    limit: int = 10_000
    thorough: int = 0
    script: str | None = None
    doubt: float = 2.0
    base: ClassVar[Recipe] = Recipe(playout=WHERE_IT_CAN)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._scripts = self._known_scripts()
        if self.script is not None and self.script not in self._scripts:
            known = ", ".join(self._scripts) or "none"
            raise SpecError(f"script={self.script}: scripts of {self.game.name}: {known}")
        if self.script is not None and self.recipe.early:
            raise SpecError(
                f"early=True: what script={self.script} asks is means, not visits alone"
            )
        self._stands: tuple[Position, Sequence[int]] | None = None

    def _known_scripts(self) -> dict[str, Script]:
        """The game's scripted players by name, the one that every such game has among them."""
        usual = self.game.scripted
        return {**({} if usual is None else {"scripted": usual}), **self.game.scripts}

    @property
    def means(self) -> Means:
        return Means(self.models, self.limit, self.recipe.determinize, self.draws, self.thorough)

    def new_search(self, view: Position, legal: Sequence[int], worlds: Pool, seed: int) -> Search:
        self._stands = view, legal
        return super().new_search(view, legal, worlds, seed)

    def decide(self, report: Report) -> int:
        found = super().decide(report)
        if self.script is None or self._stands is None:
            return found
        view, legal = self._stands
        stream = Stream(derive(self.seed, "script", self.stream.state))
        usual = int(self._scripts[self.script](view.record, self.player, legal, stream))
        by_move = {candidate.move: candidate for candidate in report.candidates}
        return found if exceeds(by_move[found], by_move.get(usual), self.doubt) else usual


def exceeds(one: Candidate, other: Candidate | None, errors: float) -> bool:
    """Whether a move is better than another by more than so many standard errors.

    Of a move that was hardly tried nothing can be said: better than that is what was not given up.
    """
    if other is None or one.move == other.move:
        return True
    if one.visits < 2 or other.visits < 2:
        return False
    return one.mean - other.mean > errors * math.hypot(one.error, other.error)


@dataclass(eq=False)
class FlatMonteCarlo(SearchAgent):
    """Every move equally often, random play after it, the best mean: no tree."""

    base: ClassVar[Recipe] = Recipe(
        bandit="uniform", playout=Playout(horizon=None, depth=1), final="mean"
    )


@dataclass(eq=False)
class CheatingUCT(SearchAgent):
    """UCT on the true position (Kelly 2017, section 3.2.1): it cheats, and says so."""

    cheats: ClassVar[bool] = True
    base: ClassVar[Recipe] = Recipe(
        identity=Identity.FULL, bandit="uct", belief=("truth",), playout=WHERE_IT_CAN
    )


@dataclass(eq=False)
class DeterminizedUCT(SearchAgent):
    """UCT on so many sampled worlds, visits summed (Kelly 2017, section 3.2.2)."""

    base: ClassVar[Recipe] = Recipe(
        identity=Identity.FULL,
        bandit="uct",
        worlds=Worlds.IN_TURN,
        labels=Labels.TREE,
        playout=WHERE_IT_CAN,
    )


@dataclass(eq=False)
class SingleObserver(SearchAgent):
    """SO-ISMCTS (Cowling, Powley and Whitehouse 2012): nodes are the searcher's observations."""

    base: ClassVar[Recipe] = Recipe(identity=Identity.SINGLE, playout=WHERE_IT_CAN)


@dataclass(eq=False)
class MultiObserver(SearchAgent):
    """MO-ISMCTS (Cowling, Powley and Whitehouse 2012): a tree for each player's observations."""

    base: ClassVar[Recipe] = Recipe(identity=Identity.MULTI, playout=WHERE_IT_CAN)


@dataclass(eq=False)
class SmoothUCT(SearchAgent):
    """Smooth-UCT (Heinrich and Silver 2015): mixes in the average strategy, and plays it.

    A node is what its player knows: its information set at the root and what it has seen since.
    """

    base: ClassVar[Recipe] = Recipe(
        identity=Identity.MANY,
        bandit="uct",
        smooth=Smooth(),
        growth=Growth.PLAYER,
        playout=WHERE_IT_CAN,
        final="average",
    )
