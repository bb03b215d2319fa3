"""The players of the HyperPlay paper (Schofield and Thielscher 2019): Monte Carlo over models."""

# Annotations here are real objects, not strings: specs are converted by them, in subclasses too.
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from facedown.agents.thinking import Searcher, Thinker, Thought
from facedown.belief.hyperplay import Bag
from facedown.belief.weighing import Weighing
from facedown.core import Position, SpecError
from facedown.search.budget import Budget
from facedown.search.nested.hyperplay_ii import Believed, NestedSearch, SharedSearch
from facedown.search.nested.sharing import Shared
from facedown.search.nested.simulation import simulate
from facedown.search.nested.simulator import NestedPlayers
from facedown.search.recipe import Identity, Labels, Playout, Recipe, Worlds
from facedown.search.report import Report
from facedown.search.search import Search
from facedown.search.settings import Range
from facedown.search.weighed import WeighedSearch

SAMPLES = 4
"""Playouts for each model and each move, unless the spec says how long to think."""

TRIALS, KEPT, FEWER = 40, 4, 3
"""Of nested players who share: random games by which one adds to what is known of a decision; how
many times as many models are kept of it as a bag has; and how many times fewer simulations there
are than without sharing."""


@dataclass(eq=False)
class Modelling(Thinker):
    """A player with a bag of its own, whatever else its game offers.

    A bag of `models` follows what the player observes; `limit` is the number of states that a model
    may visit in an update. Without `choices` all models weigh alike. `weight` and `rebalance` are
    the remedies of section 5.6 for histories that many models share. `policies` has models follow
    known policies of the other roles, as the game's rule `prior` says them, in what they play and
    in what they weigh (section 3.4); else all moves are as likely. Each legal move is tried in
    each model with so many `samples`, unless `iterations` or `seconds` bound all of them together.
    """

    models: int = 100
    samples: int | None = None
    choices: bool = True
    weight: bool = True
    rebalance: bool = False
    policies: bool = False
    limit: int = 10_000

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.samples is not None and not (self.iterations is None and self.time_limit is None):
            raise SpecError("samples are for each model and move; iterations and seconds for all")
        if self.policies and not self.game.has("prior"):
            raise SpecError(f"policies=true: {self.game.name} has no rule 'prior' to know them by")

    @property
    def weighing(self) -> Weighing:
        """What a model of the bag weighs."""
        if not self.choices:
            return "even"
        return "distinct" if self.weight else "choices"

    def make_belief(self, viewer: int) -> Bag:
        return Bag(
            self.game,
            viewer,
            self.models,
            self.belief_seed(viewer),
            limit=self.limit,
            weigh=self.weighing,
            rebalance=self.rebalance,
            priors=self.policies,
        )

    @property
    def bag(self) -> Bag:
        """What it believes: its models."""
        assert isinstance(self.belief, Bag)
        return self.belief

    def allot(self, models: int, legal: Sequence[int]) -> None:
        """Have the budget of a decision be that of the samples, where the spec says no other.

        A clock that runs (`allow`) ends even those that the spec asks for.
        """
        if self.samples is not None or (self.iterations is None and self.time_limit is None):
            tried = models * max(len(legal), 1)
            self.budget = Budget((self.samples or SAMPLES) * tried, self.time_limit)


@dataclass(eq=False)
class HyperPlayer(Modelling, Searcher):
    """The paper's player (section 4.1, equations 12 to 14): random games after each move.

    A move is worth its mean payoff over the models by their weights, and the best is played.
    """

    base: ClassVar[Recipe] = Recipe(
        identity=Identity.SINGLE,
        bandit="uniform",
        belief=("hyperplay",),
        worlds=Worlds.IN_TURN,
        samples=None,
        labels=Labels.TREE,
        playout=Playout(horizon=None, depth=1),
        final="mean",
    )
    offers: ClassVar[tuple[str, ...]] = ("playout", "horizon", "discount")
    engine: ClassVar[type[Search]] = WeighedSearch

    def make_recipe(self) -> Recipe:
        """Nobody else is in the tree: before its move and after it the others play at random."""
        others = tuple(p for p in range(self.game.players) if p != self.player)
        return replace(super().make_recipe(), frozen=others)

    def start_search(self, view: Position, legal: Sequence[int]) -> Search:
        search = super().start_search(view, legal)
        self.allot(len(search.pool), legal)
        return search


@dataclass(eq=False)
class HyperPlayerII(Modelling):
    """HyperPlay-II (section 6): a move is worth what it gets in imperfect-information simulations.

    A simulation takes a model for the truth and plays the game from its start, through the model
    and the move to the end, every player by a HyperPlayer of its own that knows what its player has
    seen there: with `nested` models, and `nested_samples` random games for each of them and each
    move. `discount`, `cut` (on a `win`, the highest payoff unless said otherwise) and `prune` (on
    depth) are those of section 7.3.
    """

    models: int = 20
    nested: int = 10
    nested_samples: int = 1
    cut: bool = False
    win: float | None = None
    prune: bool = False
    discount: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if fault := Range(0, 1, above=True).fault(self.discount):
            raise SpecError(f"discount={self.discount}: {fault}")

    def prepare(self) -> None:
        super().prepare()
        simulate.ready()
        self.game.rules.rollout()

    @property
    def nested_players(self) -> NestedPlayers:
        """What the nested players are like."""
        return NestedPlayers(
            self.nested,
            self.nested_samples,
            limit=self.limit,
            distinct=self.weight,
            discount=self.discount,
            cut=self.cut,
            win=self.win,
        )

    def modelled(self) -> Believed:
        """The histories of the own models; NoWorldError without any."""
        bag = self.bag.follow(self.belief_seconds)
        return Believed(bag.histories(), bag.shares().tolist())

    def start_search(self, view: Position, legal: Sequence[int]) -> Thought:
        believed, seed = self.modelled(), self.stream.bits()
        self.allot(len(believed.histories), legal)
        return NestedSearch(
            self.game, self.player, legal, believed, self.nested_players, seed, prune=self.prune
        )

    def decide(self, report: Report) -> int:
        super().decide(report)
        if not any(candidate.visits for candidate in report.candidates):
            return self.stream.choice([candidate.move for candidate in report.candidates])
        return report.best("mean").move


@dataclass(eq=False)
class SharedPlayerII(HyperPlayerII):
    """HyperPlay-II that can be afforded: nested players share what they found, a bandit spends.

    `c` is the constant of UCB1; thinking ends when a move is `sure` standard errors ahead of every
    other. What nested players find out they share with those of all simulations of a game, and they
    find it out little by little, in a part of the `nested` models at a time. Without `iterations`
    or `seconds` there are at most a third as many simulations as `hyperplay-ii` would run.
    """

    c: float = 0.35
    sure: float = 3.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.shared = Shared(self.nested, KEPT)

    @property
    def nested_players(self) -> NestedPlayers:
        return replace(super().nested_players, trials=TRIALS)

    def start_search(self, view: Position, legal: Sequence[int]) -> Thought:
        believed, seed = self.modelled(), self.stream.bits()
        self.allot(-(-len(believed.histories) // FEWER), legal)
        return SharedSearch(
            self.game,
            self.player,
            legal,
            believed,
            self.nested_players,
            seed,
            self.shared,
            prune=self.prune,
            c=self.c,
            sure=self.sure,
        )
