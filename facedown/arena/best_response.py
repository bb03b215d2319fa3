"""Exact best responses in two-player zero-sum games that are small enough to enumerate.

A game is laid out once in sequence form (Koller, Megiddo and von Stengel 1996): each player's
sequences of own moves, and for each pair of sequences the payoff that chance lets through. A best
response is then one pass over a player's information sets, last decisions first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from facedown.core import CHANCE, OVER, Game, Position, RuleError, SpecError

MOST_HISTORIES = 100_000
"""Games with more histories than this are not enumerated."""


class TooLargeError(SpecError):
    """A game has too many histories to enumerate them."""


Vector = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class InfoSet:
    """Where a player decides, as the player knows it: all that it has seen and done so far.

    `key` is the game's own key of it, `observations` are the tokens in the order they came, `moves`
    one of the histories that lead there, `view` what the player is shown.
    """

    player: int
    memory: tuple[int, ...]  # observations and own moves; the latter also where they show nothing
    key: int = field(compare=False)
    legal: tuple[int, ...] = field(compare=False)
    observations: tuple[int, ...] = field(compare=False)
    moves: tuple[int, ...] = field(compare=False)
    view: Position = field(compare=False, repr=False)


Strategy = Mapping[InfoSet, Mapping[int, float]]
"""The probability of each move at each information set; a move that is left out is never made."""


@dataclass(frozen=True)
class Exploited:
    """What best responses win: `values[p]` is player p's, against the strategy of the other."""

    values: tuple[float, float]

    @property
    def exploitability(self) -> float:
        """The mean of both (NashConv / 2): 0 exactly at an equilibrium."""
        return sum(self.values) / 2


@dataclass
class _RealizationPlan:
    """A player's information sets, in an order in which earlier decisions come first.

    The sequences of the k-th begin at `first[k]`, one for each legal move; `leading[k]` is the
    sequence of own moves that leads there. Sequence 0 is the empty one.
    """

    infosets: list[InfoSet] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    leading: list[int] = field(default_factory=list)
    sequences: int = 1
    place: dict[tuple[int, ...], int] = field(default_factory=dict)  # of a memory

    def enter(self, line: _Line, player: int, legal: list[int], here: Position) -> int:
        """The place of the information set in which a line stands."""
        memory = line.memories[player]
        if memory not in self.place:
            self.place[memory] = len(self.infosets)
            self.infosets.append(line.infoset(player, here))
            self.first.append(self.sequences)
            self.leading.append(line.last[player])
            self.sequences += len(legal)
        k = self.place[memory]
        if self.infosets[k].legal != tuple(legal):
            what = f"what player {player} has seen does not tell which moves are legal"
            raise RuleError(what, rule="legal", moves=line.text(here.game))
        return k

    def realization(self, strategy: Strategy) -> Vector:
        """The probability of each sequence as far as its player decides it. [sequences]"""
        plan = np.zeros(self.sequences)
        plan[0] = 1.0
        for infoset, first, leading in zip(self.infosets, self.first, self.leading, strict=True):
            for k, share in enumerate(_shares(infoset, strategy), first):
                plan[k] = plan[leading] * share
        return plan

    def best_value(self, worth: Vector) -> float:
        """The most that the player can get where its sequences end the game with this worth.

        Takes `worth` [sequences] and adds to it what comes after each sequence.
        """
        for k in reversed(range(len(self.infosets))):
            first = self.first[k]
            best = worth[first : first + len(self.infosets[k].legal)].max()
            worth[self.leading[k]] += best
        return float(worth[0])


def _shares(infoset: InfoSet, strategy: Strategy) -> list[float]:
    """The probabilities of the legal moves; ValueError where they are none."""
    if infoset not in strategy:
        raise ValueError(f"the strategy does not say what to do at {infoset}")
    given = strategy[infoset]
    shares = [given.get(move, 0.0) for move in infoset.legal]
    if min(shares) < 0 or abs(sum(shares) - 1) > 1e-9:
        raise ValueError(f"{dict(given)} are no probabilities of the legal moves at {infoset}")
    return shares


@dataclass
class _Line:
    """A history on the way through the game, and what both players remember of it.

    Until it is entered its last move is still to be played, in the position of the line before.
    """

    chance: float = 1.0
    moves: tuple[int, ...] = ()
    mover: int = CHANCE
    memories: tuple[tuple[int, ...], ...] = ((), ())
    seen: tuple[tuple[int, ...], ...] = ((), ())
    last: tuple[int, ...] = (0, 0)  # each player's sequence

    def after(self, move: int, mover: int, chance: float = 1.0, sequence: int = 0) -> _Line:
        """The line with one more move; `sequence` is the mover's, where a player moves."""
        last = tuple(sequence if p == mover else self.last[p] for p in range(2))
        moves = (*self.moves, move)
        return _Line(self.chance * chance, moves, mover, self.memories, self.seen, last)

    def enter(self, before: Position, here: Position) -> None:
        """Play the last move, so that `here` is the position after it; both remember it."""
        move = self.moves[-1]
        heard = [(token,) if (token := before.sees(move, p)) else () for p in range(2)]
        own = [(-1 - move,) if p == self.mover else () for p in range(2)]
        self.memories = tuple(self.memories[p] + own[p] + heard[p] for p in range(2))
        self.seen = tuple(self.seen[p] + heard[p] for p in range(2))
        here.game.rules.copy(here.address, before.address)
        here.play(move)

    def infoset(self, player: int, here: Position) -> InfoSet:
        """The information set in which the player stands here."""
        view, legal = here.offer(player)
        return InfoSet(
            player,
            self.memories[player],
            key=here.infoset(player),
            legal=tuple(legal),
            observations=self.seen[player],
            moves=self.moves,
            view=view,
        )

    def text(self, game: Game) -> list[str]:
        """The moves in words."""
        return [game.move_text(move) for move in self.moves]


class SequenceForm:
    """A small two-player zero-sum game, laid out so that many strategies are valued fast.

    >>> from facedown.games.registry import load_game
    >>> form = SequenceForm(load_game("kuhn"))
    >>> round(form.exploit(form.uniform()).exploitability, 4)
    0.4583
    """

    def __init__(self, game: Game, most: int = MOST_HISTORIES) -> None:
        if game.players != 2:
            raise SpecError(
                f"{game.name} is played by {game.players}; exploitability is for two players"
            )
        self.game, self.histories = game, 0
        self._plans = (_RealizationPlan(), _RealizationPlan())
        payoffs = self._walk(most)
        self._rows = np.array([pair[0] for pair in payoffs])
        self._columns = np.array([pair[1] for pair in payoffs])
        self._payoffs = np.array(list(payoffs.values()))

    def _walk(self, most: int) -> dict[tuple[int, int], float]:
        """Every history once; what each pair of sequences pays player 0, times chance."""
        payoffs: dict[tuple[int, int], float] = {}
        open_lines, path = [_Line()], [self.game.start()]  # path: the position at each depth
        while open_lines:
            line = open_lines.pop()
            self._count(most)
            depth = len(line.moves)
            if depth == len(path):
                path.append(self.game.start())
            if depth:
                line.enter(path[depth - 1], path[depth])
            if path[depth].turn() == OVER:
                pair = line.last[0], line.last[1]
                gain = line.chance * self._payoff(line, path[depth])
                payoffs[pair] = payoffs.get(pair, 0.0) + gain
            else:
                open_lines += reversed(self._children(line, path[depth]))
        return payoffs

    def _count(self, most: int) -> None:
        self.histories += 1
        if self.histories > most:
            raise TooLargeError(
                f"{self.game.name} has more than {most:,} histories; exploitability is for games "
                "as small as kuhn and leduc, and --mode search bounds it in larger ones"
            )

    def _children(self, line: _Line, here: Position) -> list[_Line]:
        turn = here.turn()
        if turn == CHANCE:
            outcomes = zip(here.legal(), here.weights(), strict=True)
            return [line.after(move, turn, chance) for move, chance in outcomes if chance > 0]
        plan, legal = self._plans[turn], here.choices()
        k = plan.enter(line, turn, legal, here)
        first, order = plan.first[k], plan.infosets[k].legal
        return [line.after(move, turn, sequence=first + order.index(move)) for move in legal]

    def _payoff(self, line: _Line, here: Position) -> float:
        payoff = here.payoff()
        if abs(sum(payoff)) > 1e-9:
            raise SpecError(
                f"{self.game.name} is not zero-sum: {', '.join(line.text(self.game))} pays "
                f"{payoff[0]:g} and {payoff[1]:g}"
            )
        return payoff[0]

    @property
    def infosets(self) -> tuple[InfoSet, ...]:
        """Every information set in which a player decides, player 0's first."""
        return (*self._plans[0].infosets, *self._plans[1].infosets)

    def uniform(self) -> Strategy:
        """Every legal move as often as any other."""
        return {at: dict.fromkeys(at.legal, 1 / len(at.legal)) for at in self.infosets}

    def value(self, strategy: Strategy, opponent: Strategy | None = None) -> float:
        """What player 0 wins on average by `strategy`, against itself or an opponent's."""
        mine = self._plans[0].realization(strategy)
        other = self._plans[1].realization(opponent if opponent is not None else strategy)
        return float((self._payoffs * mine[self._rows] * other[self._columns]).sum())

    def best_response(self, player: int, strategy: Strategy) -> float:
        """The most that `player` can win on average against the other one's `strategy`."""
        mine, other = self._plans[player], self._plans[1 - player]
        places, facing = (self._rows, self._columns)[:: 1 if player == 0 else -1]
        gains = self._payoffs if player == 0 else -self._payoffs
        reach = other.realization(strategy)[facing]
        worth = np.zeros(mine.sequences)
        np.add.at(worth, places, gains * reach)
        return mine.best_value(worth)

    def exploit(self, strategy: Strategy) -> Exploited:
        """What best responses win against the strategy, played in both seats."""
        return Exploited((self.best_response(0, strategy), self.best_response(1, strategy)))


def exploitability(game: Game, strategy: Strategy) -> float:
    """How much a best response wins on average against a strategy, seats alternating.

    For many strategies of one game keep a `SequenceForm` and ask that.
    """
    return SequenceForm(game).exploit(strategy).exploitability
