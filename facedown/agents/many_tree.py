"""MT-ISMCTS: many trees, inference and bluffing (Cowling, Whitehouse and Powley 2015)."""

# Annotations here are real objects, not strings: specs are converted by them, in subclasses too.
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from facedown.agents.searching import WHERE_IT_CAN, SearchAgent
from facedown.core import PUBLIC, Position, SpecError
from facedown.search.budget import Budget
from facedown.search.recipe import Identity, Recipe
from facedown.search.report import Candidate, Report
from facedown.search.search import Search
from facedown.search.thread import Phase

Self = Literal["trueonly", "pure", "split", "twostep", "bluff"]


@dataclass(eq=False)
class ManyTree(SearchAgent):
    """MT-ISMCTS, Algorithm 1, with the inference of section V and the bluffing of section VI.

    `inference`: `particle` carries a belief over the game's listed worlds along (equation 2);
    `facts` carries along how likely hidden facts are, in any game that draws its worlds; `none`
    holds all that are possible for equally likely. By default `particle` where the game can
    list its worlds. Where it cannot, worlds are drawn by `determinize`; where there is none, they
    come from HyperPlay, by what the player has seen and by what the public has.

    `self`: whether worlds are searched that the agent itself knows to be false but others may
    consider. `trueonly`: none. `pure`: all worlds come from what the public knows. `split`: the
    share `split` of the iterations does (T1), the others come from what the agent knows. `twostep`:
    the same, and then the others play in proportion to their visits, and learn no more. `bluff`: as
    `split`, and of the moves that are not significantly worse than the best it plays the one most
    visited over all that it might hold (equation 3).
    """

    inference: Literal["none", "particle", "facts"] | None = None
    self: Self = "trueonly"
    split: float = 0.5
    base: ClassVar[Recipe] = Recipe(
        identity=Identity.MANY,
        bandit="ucb-tuned",
        c=1.0,
        belief=("particle", "determinize", "hyperplay"),
        playout=WHERE_IT_CAN,
    )

    def make_recipe(self) -> Recipe:
        if not 0 <= self.split <= 1:
            raise SpecError(f"split={self.split}: between 0 and 1 is wanted")
        if self.inference == "particle" and not self.game.worlds:
            raise SpecError(
                f"{self.game.name} has no rule 'world', so inference=particle is not possible; "
                "inference=facts and inference=none are"
            )
        recipe = super().make_recipe()
        if recipe.bucket:
            raise SpecError("bucket: the trees of mt-ismcts are made of what players observe")
        if recipe.early:
            raise SpecError("early=True: the beliefs of mt-ismcts learn from all of a search")
        if self.inference == "facts":
            recipe = replace(recipe, belief=("facts",))
        if self.inference == "none":
            belief = tuple("listed" if one == "particle" else one for one in recipe.belief)
            recipe = replace(recipe, belief=belief)
        return recipe

    def viewers(self) -> tuple[int, ...]:
        return (self.player,) if self.self == "trueonly" else (self.player, PUBLIC)

    # --- searching -------------------------------------------------------------------------------

    def start_search(self, view: Position, legal: Sequence[int]) -> Search:
        """A search that stands before its first phase; the others are in `phases`."""
        self.phases = self._phases(view)
        first = self.phases[0][0]
        return self.new_search(view, legal, first.worlds, self.stream.bits()).enter(first)

    def think(self, view: Position, legal: Sequence[int]) -> int:
        search = self.search = self.start_search(view, legal)
        for phase, budget in self.phases:
            if not search.stopped:
                search.enter(phase).run(budget)
        for viewer in self._watched(*self.beliefs):
            belief = self.beliefs[viewer]
            belief.expect(search.onlooker(viewer, belief.labels))
        return self.decide(self.report())

    def _phases(self, view: Position) -> list[tuple[Phase, Budget]]:
        """What the public believes first, for the share T1, then what the agent knows."""
        share = {"trueonly": 0.0, "pure": 1.0}.get(self.self, self.split)
        phases, me = list[Phase](), self.player
        wanted = self.wanted()
        if share > 0:
            worlds = self.beliefs[PUBLIC].worlds(view.view(PUBLIC), wanted)
            phases.append(Phase(worlds, PUBLIC, (), self._watched(me, PUBLIC)))
        worlds = self.belief.worlds(view, wanted)  # which rules out, searched or not
        if share < 1:
            others = tuple(p for p in range(self.game.players) if p != me)
            frozen = others if self.self == "twostep" else ()
            phases.append(Phase(worlds, me, frozen, self._watched(me)))
        budget = self.left()
        return [(phase, budget.part(share, last=phase.viewer != PUBLIC)) for phase in phases]

    def _watched(self, *viewers: int) -> tuple[int, ...]:
        """Of these viewers those whose beliefs learn from what is counted."""
        return tuple(viewer for viewer in viewers if self.beliefs[viewer].learns)

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

    def _shuffled(self, moves: list[int]) -> list[int]:
        self.stream.shuffle(moves)
        return moves


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
