"""HyperPlay's own host: Monte Carlo over a bag of models (Schofield and Thielscher 2019)."""

# Annotations here are real objects, not strings: specs are converted by them, in subclasses too.
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from facedown.agents.searching import SearchAgent
from facedown.belief.hyperplay import Bag, Weighing
from facedown.core import Game, Position, SpecError, derive
from facedown.search.budget import Budget
from facedown.search.pool import Pool
from facedown.search.recipe import Identity, Labels, Playout, Recipe, Worlds
from facedown.search.search import Search
from facedown.search.weighed import WeighedSearch

SAMPLES = 4
"""Playouts for each model and each move, unless the spec says how long to think."""


class HyperPlayer(SearchAgent):
    """The paper's player (section 4.1, equations 12 to 14).

    A bag of `models` follows what the player observes. For each model and each legal move there are
    so many `samples`, random games after that move; a move is worth its mean payoff over the models
    by their weights, and the best is played. `iterations` or `seconds` bound all playouts together
    in place of `samples`. Without `choices` all models weigh alike. `weight` and `rebalance` are
    the remedies of section 5.6 for histories that many models share; `limit` is the number of
    states that a model may visit in an update.
    """

    base: ClassVar[Recipe] = Recipe(
        identity=Identity.SINGLE,
        bandit="uniform",
        worlds=Worlds.SAMPLED,
        labels=Labels.TREE,
        playout=Playout(depth=1),
        final="mean",
    )
    engine: ClassVar[type[Search]] = WeighedSearch

    def __init__(
        self,
        game: Game,
        player: int,
        seed: int,
        models: int = 100,
        samples: int | None = None,
        iterations: int | None = None,
        seconds: float | None = None,
        choices: bool = True,
        weight: bool = True,
        rebalance: bool = False,
        limit: int = 10_000,
        informed: bool = False,
        horizon: bool | None = None,
        discount: float = 1.0,
        threads: int = 1,
        memory: int = 2048,
    ) -> None:
        if samples is not None and samples < 1:
            raise SpecError(f"samples={samples}: at least 1 is wanted")
        if samples is not None and (iterations is not None or seconds is not None):
            raise SpecError("samples are for each model and move; iterations and seconds for all")
        self.samples = SAMPLES if samples is None else samples
        self.choices, self.weight, self.rebalance = choices, weight, rebalance
        super().__init__(
            game,
            player,
            seed,
            iterations=iterations,
            seconds=seconds,
            bandit="uniform",
            informed=informed,
            horizon=horizon,
            discount=discount,
            final="mean",
            threads=threads,
            memory=memory,
            models=models,
            limit=limit,
        )

    def make_recipe(self) -> Recipe:
        """Nobody else is in the tree: before its move and after it the others play at random."""
        others = tuple(p for p in range(self.game.players) if p != self.player)
        return replace(super().make_recipe(), frozen=others)

    @property
    def weighing(self) -> Weighing:
        """What a model of the bag weighs."""
        if not self.choices:
            return "even"
        return "distinct" if self.weight else "choices"

    def make_bag(self, viewer: int) -> Bag:
        return Bag(
            self.game,
            viewer,
            self.models,
            derive(self.seed, "bag", "own"),
            limit=self.limit,
            weigh=self.weighing,
            rebalance=self.rebalance,
        )

    def worlds_of(self, bag: Bag | None) -> Pool | None:
        return None if bag is None else bag.worlds(self.bag_seconds)

    def start_search(self, view: Position, legal: Sequence[int]) -> Search:
        search = super().start_search(view, legal)
        if self.iterations is None and self.seconds is None:
            self.budget = Budget(self.samples * len(search.pool) * max(len(legal), 1))
        return search
