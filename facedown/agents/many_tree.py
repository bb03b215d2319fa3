"""MT-ISMCTS: many trees, inference and bluffing (Cowling, Whitehouse and Powley 2015)."""

# Annotations here are real objects, not strings: specs are converted by them, in subclasses too.
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from facedown.agents.searching import SearchAgent
from facedown.belief.hyperplay import Bag
from facedown.belief.listed import ListedBelief
from facedown.belief.pool import Pool
from facedown.core import PUBLIC, Position, SpecError
from facedown.search.budget import Budget
from facedown.search.recipe import Identity, Recipe, Worlds
from facedown.search.report import Candidate, Report
from facedown.search.search import Search
from facedown.search.tallies import Onlooker
from facedown.search.thread import Phase

Self = Literal["trueonly", "pure", "split", "twostep", "bluff"]


@dataclass(eq=False)
class ManyTree(SearchAgent):
    """MT-ISMCTS, Algorithm 1, with the inference of section V and the bluffing of section VI.

    `inference`: `particle` carries a belief over the game's listed worlds along (equation 2);
    `none` holds all that are possible for equally likely. By default `particle` where the game can
    list its worlds. Where it cannot, worlds are drawn by `determinize`; where there is none, they
    come from HyperPlay, by what the player has seen and by what the public has.

    `self`: whether worlds are searched that the agent itself knows to be false but others may
    consider. `trueonly`: none. `pure`: all worlds come from what the public knows. `split`: the
    share `split` of the iterations does (T1), the others come from what the agent knows. `twostep`:
    the same, and then the others play in proportion to their visits, and learn no more. `bluff`: as
    `split`, and of the moves that are not significantly worse than the best it plays the one most
    visited over all that it might hold (equation 3).
    """

    bandit: str = "ucb-tuned"
    c: float = 1.0
    inference: Literal["none", "particle"] | None = None
    self: Self = "trueonly"
    split: float = 0.5
    base: ClassVar[Recipe] = Recipe(identity=Identity.MANY)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.believed: ListedBelief | None = None
        self.overheard: ListedBelief | None = None
        self._own: Onlooker | None = None
        self._public: Onlooker | None = None
        self._public_bag = self.make_bag(PUBLIC) if self.self != "trueonly" else None
        if self.game.worlds:
            self.believed = ListedBelief(self.game, self.player)
            self.overheard = ListedBelief(self.game, PUBLIC)

    def make_recipe(self) -> Recipe:
        if not 0 <= self.split <= 1:
            raise SpecError(f"split={self.split}: between 0 and 1 is wanted")
        if self.inference == "particle" and not self.game.worlds:
            raise SpecError(
                f"{self.game.name} has no rule 'world', so inference=particle is not possible; "
                "inference=none is"
            )
        if self.abstract:
            raise SpecError("abstract: the trees of mt-ismcts are made of what players observe")
        if self.inference is None:
            self.inference = "particle" if self.game.worlds else "none"
        worlds = Worlds.GIVEN if self.game.worlds else Worlds.DETERMINIZE
        return replace(super().make_recipe(), worlds=worlds)

    # --- what is seen ----------------------------------------------------------------------------

    def observe(self, token: int, text: str) -> None:
        super().observe(token, text)
        learn(self.believed, self._own, token)

    def overhear(self, token: int) -> None:
        if self._public_bag is not None:
            self._public_bag.observe(token)
        learn(self.overheard, self._public, token)

    # --- searching -------------------------------------------------------------------------------

    def start_search(self, view: Position, legal: Sequence[int]) -> Search:
        """A search that stands before its first phase; the others are in `phases`."""
        self.phases = self._phases(view)
        first = self.phases[0][0]
        worlds = first.worlds if self.recipe.worlds is Worlds.GIVEN else None
        return self.new_search(view, legal, worlds).enter(first)

    def think(self, view: Position, legal: Sequence[int]) -> int:
        search = self.search = self.start_search(view, legal)
        for phase, budget in self.phases:
            if not search.stopped:
                search.enter(phase).run(budget)
        self._own = self._public = None
        if self.inference == "particle":
            self._own = search.onlooker(self.player)
            self._public = search.onlooker(PUBLIC)
        return self.decide(search.report())

    def _phases(self, view: Position) -> list[tuple[Phase, Budget]]:
        """What the public believes first, for the share T1, then what the agent knows."""
        share = {"trueonly": 0.0, "pure": 1.0}.get(self.self, self.split)
        watched, phases = self.inference == "particle", list[Phase]()
        if share > 0:
            sight = (self.player, PUBLIC) if watched else ()
            worlds = self._worlds(view.view(PUBLIC), self.overheard, self._public_bag)
            phases.append(Phase(worlds, PUBLIC, (), sight))
        worlds = self._worlds(view, self.believed, self.bag)  # which rules out, searched or not
        if share < 1:
            others = tuple(p for p in range(self.game.players) if p != self.player)
            frozen = others if self.self == "twostep" else ()
            phases.append(Phase(worlds, self.player, frozen, (self.player,) if watched else ()))
        budget = self.left()
        return [(phase, budget.part(share, last=phase.viewer != PUBLIC)) for phase in phases]

    def _worlds(self, view: Position, belief: ListedBelief | None, bag: Bag | None) -> Pool:
        if belief is None:
            return self.worlds_of(bag) or Pool([view], labels=[0])
        if self.inference == "none":
            belief.forget()
        return belief.meet(view)

    # --- the move --------------------------------------------------------------------------------

    def decide(self, report: Report) -> int:
        assert isinstance(self.search, Search)
        everywhere = self.search.visits_everywhere()
        if not any(candidate.visits for candidate in report.candidates):
            moves = [candidate.move for candidate in report.candidates]
            return max(self._shuffled(moves), key=lambda move: everywhere.get(move, 0.0))
        if self.self != "bluff":
            return super().decide(report)
        return max(admissible(report), key=lambda c: (everywhere[c.move], c.visits)).move

    def summary(self) -> dict[str, Any] | None:
        """The search's, and where the game lists its worlds the `belief` that it began with.

        These are shares in the order of the list, to four digits each: none that was not 0 is.
        """
        plain = super().summary()
        if plain is None or self.believed is None:
            return plain
        return {**plain, "belief": [float(f"{share:.4g}") for share in self.believed.shares]}

    def _shuffled(self, moves: list[int]) -> list[int]:
        self.stream.shuffle(moves)
        return moves


def learn(belief: ListedBelief | None, onlooker: Onlooker | None, token: int) -> None:
    """Update a belief by what the last search had counted for this observation."""
    if belief is not None and onlooker is not None:
        belief.update(onlooker.see(token), float(onlooker.root.sum()))


def admissible(report: Report) -> list[Candidate]:
    """The moves worth a bluff: A* of equation 3.

    A* = {a : mu_a* - mu_a < min(sigma_a*, sigma_a)}, where a* is the most visited move, mu the mean
    reward and sigma its standard deviation; and a* itself.
    """
    best = report.best()
    return [
        candidate
        for candidate in report.candidates
        if candidate.move == best.move
        or (candidate.visits and best.mean - candidate.mean < min(best.spread, candidate.spread))
    ]
