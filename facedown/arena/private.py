"""A game of its own for each agent and the match, so that no agent can reach another's positions.

The rules of a plain Python game keep the objects of all living positions in one place. An agent
that shared them with the match would hold the truth in its hand. So the match and every agent get
their own: views are carried over, moves are translated by their values. It also makes the numbers
of moves, which such a game gives as it meets them, depend on nothing but this one game. Compiled
rules keep nothing between calls, and are shared.
"""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core import Game, Position
from facedown.core.plain import PlainRules, adapt


def unshared(game: Game) -> Game:
    """The same game, sharing no position with anyone."""
    return adapt(game.definition, game.spec) if isinstance(game.rules, PlainRules) else game


class PrivateGame:
    """The game as one agent holds it, and the way between it and the match's own."""

    def __init__(self, truth: Game) -> None:
        self.game = unshared(truth)
        self._truth = truth

    def carry(self, position: Position) -> Position:
        """The position as one of this game's; the one given is used up."""
        here, there = self.game.rules, self._truth.rules
        if not (isinstance(here, PlainRules) and isinstance(there, PlainRules)):
            return position
        carried = Position(self.game)
        here.objects[carried.address] = there.objects.pop(position.address)
        return carried

    def moves(self, moves: Sequence[int]) -> list[int]:
        """The match's moves as this game numbers them."""
        here, there = self.game.rules, self._truth.rules
        if not (isinstance(here, PlainRules) and isinstance(there, PlainRules)):
            return list(moves)
        return [here.number(there.values[move]) for move in moves]

    def learn(self, token: int) -> None:
        """Let this game put the token into words, as the match's can."""
        here, there = self.game.rules, self._truth.rules
        if isinstance(here, PlainRules) and isinstance(there, PlainRules) and token in there.tokens:
            here.tokens[token] = there.tokens[token]
