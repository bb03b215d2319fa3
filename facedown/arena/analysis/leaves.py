"""Where a game's tree ends, and the ends that lie side by side below one decision."""

from __future__ import annotations

from dataclasses import dataclass

from facedown.core import OVER, Position


def tree_end(position: Position, ply: int) -> list[float] | None:
    """The values of an end: of the game, or at a horizon after the first ply; None elsewhere."""
    if ply > 0 and (values := position.horizon()) is not None:
        return values
    return position.payoff() if position.turn() == OVER else None


def forced_end(position: Position, ply: int) -> list[float] | None:
    """The values of the end that forced moves alone lead to, played in place; None: a choice."""
    while (values := tree_end(position, ply)) is None:
        legal = position.legal()
        if len(legal) > 1:
            return None
        position.play(legal[0])
        ply += 1
    return values


@dataclass(frozen=True)
class SiblingLeaves:
    """The payoffs of ends that lie side by side, each one number a player."""

    payoffs: list[list[float]]

    @property
    def same_payoff(self) -> bool:
        """Whether all of them pay the same."""
        return all(payoffs == self.payoffs[0] for payoffs in self.payoffs)

    @property
    def same_winner(self) -> bool:
        """Whether the same players get most in all of them."""
        return all(_winners(payoffs) == _winners(self.payoffs[0]) for payoffs in self.payoffs)

    @property
    def share(self) -> float:
        """Player 0's share of the first: 1 alone at the top, a part if tied there, else 0."""
        winners = _winners(self.payoffs[0])
        return 1.0 / len(winners) if 0 in winners else 0.0


def _winners(payoffs: list[float]) -> list[int]:
    return [p for p, value in enumerate(payoffs) if value == max(payoffs)]


def sibling_leaves(position: Position, legal: list[int], ply: int) -> SiblingLeaves | None:
    """The ends below a decision, one for each move that leads to one; None if less than two."""
    ends = []
    for move in legal:
        after = position.copy()
        after.play(move)
        values = forced_end(after, ply + 1)
        if values is not None:
            ends.append(values)
    return SiblingLeaves(ends) if len(ends) > 1 else None
