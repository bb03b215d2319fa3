"""Agents that search: each a recipe of the one search."""

# Annotations here are real objects, not strings: specs are converted by them, in subclasses too.
from dataclasses import dataclass
from typing import ClassVar

from facedown.agents.thinking import Searcher
from facedown.belief.sources import Means
from facedown.search.recipe import Growth, Identity, Labels, Playout, Recipe, Smooth, Worlds

WHERE_IT_CAN = Playout(horizon=None)
"""To the game's horizon, where it has one."""


@dataclass(eq=False)
class SearchAgent(Searcher):
    """Searches anew at every decision, for so many iterations or seconds, and plays the result.

    Its further options are its recipe's. Where worlds come from a HyperPlay bag it has so many
    `models`, each of which may visit `limit` states for a decision.
    """

    models: int = 100
    limit: int = 10_000
    base: ClassVar[Recipe] = Recipe(playout=WHERE_IT_CAN)

    @property
    def means(self) -> Means:
        return Means(self.models, self.limit, self.recipe.determinize, self.draws)


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
    base: ClassVar[Recipe] = Recipe(identity=Identity.FULL, belief=("truth",), playout=WHERE_IT_CAN)


@dataclass(eq=False)
class DeterminizedUCT(SearchAgent):
    """UCT on so many sampled worlds, visits summed (Kelly 2017, section 3.2.2)."""

    base: ClassVar[Recipe] = Recipe(
        identity=Identity.FULL,
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
        smooth=Smooth(),
        growth=Growth.PLAYER,
        playout=WHERE_IT_CAN,
        final="average",
    )
