"""A paper of your own: a belief that reads the other's bets in Kuhn poker, and its recipe."""

from dataclasses import dataclass
from typing import ClassVar

from facedown import Belief, Game, Pool, Position, Wanted
from facedown.agents.searching import SearchAgent
from facedown.search.recipe import Identity, Recipe

BETS = {0: 0.3, 1: 0.1, 2: 0.9}
"""How often others bet, or call, with a jack, a queen and a king."""

PASSED, BET = 1, 2  # what is seen of a move; higher tokens are cards being dealt


class Reader(Belief):
    """How likely the other holds each card: Bayes' rule, with every move it makes."""

    def __init__(self, game: Game, viewer: int, seed: int = 0) -> None:
        super().__init__(game, viewer, seed)
        self.shares = dict.fromkeys(BETS, 1.0)
        self.moves = 0

    def observe(self, token: int) -> None:
        if token not in (PASSED, BET):
            return
        mover, self.moves = self.moves % 2, self.moves + 1
        if mover != self.viewer:
            for card, bets in BETS.items():
                self.shares[card] *= bets if token == BET else 1 - bets

    def pool(self, view: Position, wanted: Wanted) -> Pool:
        own = view.record["cards"][self.viewer]
        cards = [card for card in self.shares if card != own]
        worlds = [view.copy() for _ in cards]
        for world, card in zip(worlds, cards, strict=True):
            world.record["cards"][1 - self.viewer] = card
        return Pool(worlds, [self.shares[card] for card in cards])


@dataclass(eq=False)
class Reading(SearchAgent):
    """MO-ISMCTS in the worlds of the reader; a move is worth its mean there."""

    base: ClassVar[Recipe] = Recipe(identity=Identity.MULTI, c=1.0, belief=(Reader,), final="mean")
