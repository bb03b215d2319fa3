"""The value of a small two-player zero-sum game, by the sequence-form linear program.

Koller, Megiddo and von Stengel 1996: with realization plans x and y and the payoff matrix A of
player 0, max over x of min over y of x'Ay, each plan bound by one equation for an information set.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linprog

from facedown.core import CHANCE, Game, Position

Sequence = tuple[int, int]  # information set, move


@dataclass
class RealizationPlan:
    """A player's sequences, and for each of their information sets the one that leads there."""

    sequences: dict[Sequence | None, int] = field(default_factory=lambda: {None: 0})
    leading: dict[int, int] = field(default_factory=dict)
    choices: dict[int, list[int]] = field(default_factory=dict)

    def enter(self, infoset: int, legal: list[int], last: int) -> None:
        """Meet an information set; by perfect recall always the same sequence leads there."""
        assert self.leading.setdefault(infoset, last) == last
        if infoset not in self.choices:
            first = len(self.sequences)
            self.choices[infoset] = list(range(first, first + len(legal)))
            for move in legal:
                self.sequences[(infoset, move)] = len(self.sequences)

    def constraints(self) -> np.ndarray:
        """[1 + information sets, sequences]: the empty sequence is 1, choices sum to what leads."""
        matrix = np.zeros((1 + len(self.choices), len(self.sequences)))
        matrix[0, 0] = 1.0
        for row, (infoset, columns) in enumerate(self.choices.items(), 1):
            matrix[row, self.leading[infoset]] = -1.0
            matrix[row, columns] = 1.0
        return matrix


def value(game: Game) -> tuple[float, int]:
    """What player 0 wins under best play, and how many information sets both have to decide in."""
    plans, payoffs = (RealizationPlan(), RealizationPlan()), {}
    _walk(game.start(), plans, payoffs, (0, 0), 1.0)
    matrix = np.zeros([len(plan.sequences) for plan in plans])
    for (x, y), amount in payoffs.items():
        matrix[x, y] = amount
    e, f = (plan.constraints() for plan in plans)
    target = np.concatenate([np.zeros(len(matrix)), -np.eye(len(f))[0]])
    above = np.hstack([-matrix.T, f.T])
    found = linprog(
        target,
        A_ub=above,
        b_ub=np.zeros(len(above)),
        A_eq=np.hstack([e, np.zeros((len(e), len(f)))]),
        b_eq=np.eye(len(e))[0],
        bounds=[(0, None)] * len(matrix) + [(None, None)] * len(f),
    )
    return -float(found.fun), sum(len(plan.choices) for plan in plans)


def _walk(
    position: Position,
    plans: tuple[RealizationPlan, RealizationPlan],
    payoffs: dict[tuple[int, int], float],
    last: tuple[int, int],
    reach: float,
) -> None:
    if position.over:
        payoffs[last] = payoffs.get(last, 0.0) + reach * position.payoff()[0]
        return
    who, legal = position.turn(), position.legal()
    chances = position.weights() if who == CHANCE else [1.0] * len(legal)
    key = 0
    if who != CHANCE:
        key = position.infoset(who)
        plans[who].enter(key, legal, last[who])
    for move, chance in zip(legal, chances, strict=True):
        after, now = position.copy(), list(last)
        after.play(move)
        if who != CHANCE:
            now[who] = plans[who].sequences[(key, move)]
        _walk(after, plans, payoffs, (now[0], now[1]), reach * chance)
