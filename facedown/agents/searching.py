"""Agents that search: each a recipe of the one search."""

# Annotations here are real objects, not strings: specs are converted by them, in subclasses too.
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from facedown.agents.thinking import Searcher
from facedown.agents.worlds import lacks_worlds
from facedown.belief.hyperplay import Bag
from facedown.core import PUBLIC, SpecError, derive
from facedown.search.recipe import Growth, Identity, Labels, Playout, Recipe, Smooth, Worlds
from facedown.search.report import Report

Choice = Literal["visits", "mean", "average"]


@dataclass(eq=False)
class SearchAgent(Searcher):
    """Searches anew at every decision, for so many iterations or seconds, and plays the result.

    `final`: the most visited move, the best mean, or a move drawn in proportion to visits
    (`average`). `abstract`: nodes are the game's own abstraction (`bucket`), whatever they are
    otherwise. Where worlds come from a HyperPlay bag it has so many `models`, each of which may
    visit `limit` states for a decision.
    """

    c: float = 0.7
    bandit: str = "ucb1"
    growth: Literal["edge", "node", "player"] = "edge"
    priors: bool = False
    informed: bool | None = False
    horizon: bool | None = None
    value: str | None = None
    belief: str | None = None
    abstract: bool | None = False
    discount: float = 1.0
    depth: int | None = None
    scaled: bool = True
    final: Choice = "visits"
    models: int = 100
    limit: int = 10_000

    def make_recipe(self) -> Recipe:
        horizon = self.game.has("horizon") if self.horizon is None else self.horizon
        depth = self.base.playout.depth
        if self.depth is not None:
            depth = min(self.depth, Playout.depth)  # beyond any game, and what a desk can hold
        return replace(
            self.base,
            identity=Identity.BUCKET if self.abstract else self.base.identity,
            bandit=self.bandit,
            c=self.c,
            growth=Growth[self.growth.upper()],
            priors=self.priors,
            scaled=self.scaled,
            belief=self.belief,
            final="visits" if self.final == "average" else self.final,
            playout=Playout(bool(self.informed), horizon, self.discount, depth, self.value),
        )

    def make_bag(self, viewer: int) -> Bag | None:
        if not lacks_worlds(self.game, self._asked):
            return None
        seed = derive(self.seed, "bag", "public" if viewer == PUBLIC else "own")
        return Bag(self.game, viewer, self.models, seed, limit=self.limit, reseed=True)

    def decide(self, report: Report) -> int:
        best = super().decide(report)
        return self.by_visits(report) if self.final == "average" else best


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
