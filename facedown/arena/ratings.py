"""Ratings of agents that met in matches: Bradley and Terry's model, with intervals.

An agent has a strength; where several meet, each wins a game with the chance of its strength,
times the seats that it fills, among those of all: Bradley and Terry (1952) for two agents, the
first choice of Luce and Plackett for more. In a game with sides a side has a strength, too, which
multiplies that of whoever plays it. What is shared counts in parts. Strengths are those of the
highest likelihood, with one more game in every match that all seats share, so that who won every
game has a finite one.

Games of one deal go together. So the errors are those of a sandwich (White 1982) over deals: the
curvature of the likelihood on both sides, in between how much deals differ from what the model
says. Where one agent wins nearly everything deals hardly differ, and that would be too sure: a
match's spread over deals is taken towards the model's by the weight of one game (`_WEIGHT`).
`benchmarks/tournaments.py` shows what the intervals cover.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy import special

LEVEL = 0.95
ELO = 400 / math.log(10)
"""Points of Elo's scale for a unit of log odds."""

_WEIGHT = 1.0  # in units of p (1 - p), summed over games
_STEPS = 200

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Shares:
    """What the games of a match add up to, for its entries: all that ratings want to know.

    `won` are shares of wins; `square` adds up their products over deals, `sized` the shares times
    the games of the deal, `sizes` the squares of these.
    """

    agents: tuple[str, ...]
    seats: tuple[int, ...]
    games: int
    deals: int
    won: tuple[float, ...]
    square: tuple[tuple[float, ...], ...]
    sized: tuple[float, ...]
    sizes: float
    sides: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As plain JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> Shares:
        """What `to_json` gave."""
        given: dict[str, Any] = {
            k: tuple(v) if isinstance(v, list) else v for k, v in plain.items()
        }
        given["square"] = tuple(map(tuple, plain["square"]))
        return cls(**given)


def shares(
    agents: Sequence[str],
    seats: Sequence[int],
    deals: Iterable[Sequence[Sequence[float]]],
    sides: Sequence[str] = (),
) -> Shares:
    """Add up deals, each the shares of all entries in each of its games.

    >>> shares(["a", "b"], [1, 1], [[(1, 0), (0, 1)], [(1, 0), (1, 0)]]).won
    (3.0, 1.0)
    """
    size = len(agents)
    won, sized, square = np.zeros(size), np.zeros(size), np.zeros((size, size))
    games = count = 0
    sizes = 0.0
    for deal in deals:
        total = np.sum(np.asarray(deal, float), axis=0)
        won += total
        sized += len(deal) * total
        square += np.outer(total, total)
        sizes += len(deal) ** 2
        games, count = games + len(deal), count + 1
    return Shares(
        tuple(agents), tuple(seats), games, count, tuple(won.tolist()),
        tuple(map(tuple, square.tolist())), tuple(sized.tolist()), sizes, tuple(sides),
    )  # fmt: skip


@dataclass(frozen=True)
class Rating:
    """How strong an agent is, on Elo's scale, with the mean of all at 0; `low`, `high` at 95 %.

    `games` are those that it took part in, `share` its part of their wins.
    """

    agent: str
    rating: float
    low: float
    high: float
    games: int
    share: float


def rate(matches: Sequence[Shares]) -> list[Rating]:
    """The ratings of all agents, the highest first; matches must join all of them.

    >>> won = shares(["a", "b"], [1, 1], [[(1, 0), (1, 0)], [(1, 0), (0, 1)]] * 25)
    >>> [(one.agent, round(one.rating)) for one in rate([won])]
    [('a', 94), ('b', -94)]
    """
    model = _Model(matches)
    strengths = model.fitted()
    spread = model.spread(strengths)
    half = float(special.ndtri(0.5 + LEVEL / 2))
    made = []
    for k, agent in enumerate(model.agents):
        rating, error = ELO * float(strengths[k]), ELO * half * math.sqrt(max(spread[k, k], 0.0))
        games = sum(one.games for one in matches if agent in one.agents)
        won = sum(won for one in matches for who, won in _won(one) if who == agent)
        made.append(Rating(agent, rating, rating - error, rating + error, games, won / games))
    return sorted(made, key=lambda one: (-one.rating, one.agent))


def _won(match: Shares) -> Iterable[tuple[str, float]]:
    return zip(match.agents, match.won, strict=True)


class _Model:
    """A multinomial logit: a row of the design for each entry of each match."""

    def __init__(self, matches: Sequence[Shares]) -> None:
        self._matches = [one for one in matches if one.games]
        self.agents = list(dict.fromkeys(agent for one in matches for agent in one.agents))
        self._sides = list(dict.fromkeys(side for one in matches for side in one.sides))
        place = {agent: k for k, agent in enumerate(self.agents)}
        at = {side: len(place) + k for k, side in enumerate(self._sides)}
        self._size = len(place) + len(at)
        self._designs = []
        for one in self._matches:
            design = np.zeros((len(one.agents), self._size))
            for row, agent in enumerate(one.agents):
                design[row, place[agent]] = 1.0
                if one.sides:
                    design[row, at[one.sides[row]]] = 1.0
            self._designs.append(design)

    def _chances(self, strengths: Array, match: Shares, design: Array) -> Array:
        """The share of wins that the model gives each entry of a match."""
        logs = design @ strengths + np.log(np.asarray(match.seats, float))
        found: Array = special.softmax(logs)
        return found

    def fitted(self) -> Array:
        """Strengths, as logarithms: agents' add up to 0, and sides' do."""
        strengths = np.zeros(self._size)
        for _ in range(_STEPS):
            slope, curve = np.zeros(self._size), self._pins()
            for match, design in zip(self._matches, self._designs, strict=True):
                chance = self._chances(strengths, match, design)
                even = np.asarray(match.seats, float) / sum(match.seats)
                slope += design.T @ (np.asarray(match.won) + even - (match.games + 1) * chance)
                curve += (match.games + 1) * _information(design, chance)
            step = np.linalg.solve(curve, slope)
            strengths += step / max(1.0, float(np.abs(step).max()))
            if float(np.abs(step).max()) < 1e-10:
                break
        return strengths

    def _pins(self) -> Array:
        """What keeps the sums at 0, which no game says anything about."""
        pins = np.zeros((self._size, self._size))
        agents = len(self.agents)
        pins[:agents, :agents] = 1.0
        pins[agents:, agents:] = 1.0
        return pins

    def spread(self, strengths: Array) -> Array:
        """The covariance of the strengths."""
        curve, meat = self._pins(), np.zeros((self._size, self._size))
        for match, design in zip(self._matches, self._designs, strict=True):
            chance = self._chances(strengths, match, design)
            curve += (match.games + 1) * _information(design, chance)
            meat += design.T @ _between(match, chance) @ design
        inverse = np.linalg.inv(curve)
        found: Array = inverse @ meat @ inverse
        return found


def _information(design: Array, chance: Array) -> Array:
    """What one game says about the strengths."""
    found: Array = design.T @ (np.diag(chance) - np.outer(chance, chance)) @ design
    return found


def _between(match: Shares, chance: Array) -> Array:
    """How much the deals of a match differ from what the model says, added up over deals."""
    mixed = np.outer(np.asarray(match.sized), chance)
    found = np.asarray(match.square) - mixed - mixed.T + match.sizes * np.outer(chance, chance)
    if match.deals > 1:
        found = found * (match.deals / (match.deals - 1))
    one: Array = np.diag(chance) - np.outer(chance, chance)
    whole = match.games * one  # as it would be if every game had a deal of its own
    scale = float(np.trace(whole))
    share = (float(np.trace(found)) + _WEIGHT) / (scale + _WEIGHT)
    if match.deals < 2:
        share = max(share, 1.0)
    # a matrix of the deals' own shape where they say enough, of the model's where they do not
    trust = float(np.trace(found)) / (float(np.trace(found)) + _WEIGHT)
    shaped: Array = trust * found * (share * scale / max(float(np.trace(found)), 1e-12))
    return shaped + (1 - trust) * share * whole
