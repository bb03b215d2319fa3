"""Every history of a small game, for the exact measures of its tree."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from facedown.arena.analysis.leaves import SiblingLeaves, sibling_leaves, tree_end
from facedown.core import CHANCE, Game, Position

Key = tuple[int, tuple[int, ...]]  # a player and what he has seen: an information set


@dataclass
class Weighted:
    """A mean of numbers by weights."""

    total: float = 0.0
    weight: float = 0.0

    def add(self, value: float, weight: float) -> None:
        """One more number."""
        self.total += value * weight
        self.weight += weight

    @property
    def mean(self) -> float | None:
        """The mean; None of nothing."""
        return self.total / self.weight if self.weight else None


@dataclass
class _Line:
    """A history: where it leads, how likely it is, what each player saw and last decided on.

    `since[p]` is player p's last decision on the way: its information set and its number as a
    history; `made[p]` counts his decisions.
    """

    position: Position
    ply: int
    chance: float
    seen: tuple[tuple[int, ...], ...]
    since: tuple[tuple[Key, int] | None, ...]
    made: tuple[int, ...]


@dataclass
class Census:
    """What the measures need to know of all histories, under uniformly random play.

    The worlds of an information set are its histories, by their probability. One survives to a
    later information set of the same player if a history there goes through it.
    """

    game: Game
    histories: int = 0
    same_payoff: Weighted = field(default_factory=Weighted)
    same_winner: Weighted = field(default_factory=Weighted)
    bias: Weighted = field(default_factory=Weighted)
    favoured: Weighted = field(default_factory=Weighted)
    plies: Weighted = field(default_factory=Weighted)
    branching: Weighted = field(default_factory=Weighted)
    _paid: Weighted = field(default_factory=Weighted)
    _squares: Weighted = field(default_factory=Weighted)
    _sets: dict[Key, float] = field(default_factory=dict)  # the probability of each
    _worlds: list[float] = field(default_factory=list)  # of each history that is a decision
    _positions: dict[Key, dict[bytes, float]] = field(default_factory=dict)  # of each set
    _next: dict[tuple[Key, Key, int], float] = field(default_factory=dict)
    _through: dict[tuple[Key, Key, int], set[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, game: Game, most: int, going: Callable[[], bool] | None = None) -> Census | None:
        """The census of a game; None if it has more than `most` histories, or time is up."""
        census, nobody = cls(game), ((),) * game.players
        none = (None,) * game.players
        lines = [_Line(game.start(), 0, 1.0, nobody, none, (0,) * game.players)]
        while lines:
            census.histories += 1
            if census.histories > most or (going is not None and not going()):
                return None
            lines += census._visit(lines.pop())
        return census

    def _visit(self, line: _Line) -> list[_Line]:
        """Note one history; those that are one move longer."""
        payoffs = tree_end(line.position, line.ply)
        if payoffs is not None:
            self.favoured.add(SiblingLeaves([payoffs]).share, line.chance)
            self.plies.add(line.ply, line.chance)
            self._paid.add(payoffs[0], line.chance)
            self._squares.add(payoffs[0] ** 2, line.chance)
            return []
        turn, legal = line.position.turn(), line.position.legal()
        if turn == CHANCE:
            shares = line.position.weights()
        else:
            shares = [1.0 / len(legal)] * len(legal)
            if len(legal) > 1:
                self._note_ends(sibling_leaves(line.position, legal, line.ply), line.chance)
                self.branching.add(len(legal), line.chance)
                self._decide(line, turn)
        moves = zip(legal, shares, strict=True)
        return [self._after(line, move, share) for move, share in moves if share > 0.0]

    def _after(self, line: _Line, move: int, share: float) -> _Line:
        tokens = [line.position.sees(move, p) for p in range(self.game.players)]
        seen = tuple((*s, t) if t else s for s, t in zip(line.seen, tokens, strict=True))
        position = line.position.copy()
        position.play(move)
        return _Line(position, line.ply + 1, line.chance * share, seen, line.since, line.made)

    def _note_ends(self, ends: SiblingLeaves | None, chance: float) -> None:
        if ends is None:
            return
        self.same_payoff.add(ends.same_payoff, chance)
        self.same_winner.add(ends.same_winner, chance)
        if ends.same_winner:
            self.bias.add(ends.share, chance)

    def _decide(self, line: _Line, player: int) -> None:
        """Note that a player decides here, and which decision of his came before."""
        key, before = (player, line.seen[player]), line.since[player]
        self._sets[key] = self._sets.get(key, 0.0) + line.chance
        alike = self._positions.setdefault(key, defaultdict(float))
        alike[line.position.digest()] += line.chance
        if before is not None:
            pair = before[0], key, line.made[player] - 1
            self._next[pair] = self._next.get(pair, 0.0) + line.chance
            self._through.setdefault(pair, set()).add(before[1])
        here = key, len(self._worlds)
        self._worlds.append(line.chance)
        line.since = tuple(here if p == player else s for p, s in enumerate(line.since))
        line.made = tuple(n + (p == player) for p, n in enumerate(line.made))

    def _shares(self) -> Iterator[tuple[int, float, float]]:
        """Of every pair of successive information sets: step, share ruled out, probability."""
        for pair, chance in self._next.items():
            left = sum(self._worlds[k] for k in self._through[pair]) / self._sets[pair[0]]
            yield pair[2], 1.0 - min(left, 1.0), chance

    def _sizes(self) -> list[tuple[float, float]]:
        """How many positions each information set holds in effect, and its probability."""
        found = []
        for key, alike in self._positions.items():
            agree = sum(chance**2 for chance in alike.values()) / self._sets[key] ** 2
            found.append((1.0 / agree, self._sets[key]))
        return sorted(found)

    def median_worlds(self) -> float | None:
        """The effective number of positions at the median decision; None without decisions."""
        sizes, below = self._sizes(), 0.0
        half = sum(chance for _, chance in sizes) / 2
        for size, chance in sizes:
            below += chance
            if below >= half - 1e-12:
                return round(size, 9)
        return None

    def hidden(self) -> float | None:
        """The share of decisions at which a player cannot tell the position."""
        found = Weighted()
        for size, chance in self._sizes():
            found.add(size > 1.0 + 1e-9, chance)
        return found.mean

    def spread(self) -> float:
        """The standard deviation of player 0's payoff."""
        mean = self._paid.mean or 0.0
        return math.sqrt(max((self._squares.mean or 0.0) - mean**2, 0.0))

    def disambiguation(self) -> float | None:
        """The share of worlds ruled out from one decision of a player to his next."""
        return self._mean(None)

    def steps(self) -> list[float | None]:
        """The same from each player's k-th decision on."""
        last = max((pair[2] for pair in self._next), default=-1)
        return [self._mean(k) for k in range(last + 1)]

    def _mean(self, step: int | None) -> float | None:
        found = Weighted()
        for k, share, chance in self._shares():
            if step is None or k == step:
                found.add(share, chance)
        return found.mean
