"""A move where no history is found that fits what a player was told: by those that fit the most.

They are played on at random to the present step, with the player's own moves as they were told, and
show what is likely to be legal. Among the moves that most of them allow, random games decide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from time import monotonic

from facedown.core import CHANCE, FacedownError, Position, Stream
from facedown.gdl.syntax import Term
from facedown.ggp.seat import HiddenSeat

_WORLDS = 8
"""Positions that are wanted, at most."""


def guessed(seat: HiddenSeat, stream: Stream, deadline: float) -> Term | None:
    """The move by the best knowledge there is, by a time of the monotonic clock; None without."""
    middle = monotonic() + 0.5 * max(deadline - monotonic(), 0.0)
    worlds = _worlds(seat, stream, middle)
    votes = Counter(move for world in worlds for move in seat.choices(world))
    if not votes:
        return None
    most = max(votes.values())
    moves = sorted(move for move, count in votes.items() if count == most)
    return seat.words.term(_best(seat, worlds, moves, stream, deadline))


def _worlds(seat: HiddenSeat, stream: Stream, deadline: float) -> list[Position]:
    """Positions of the present step in which the player acts or has no choice; at least one try."""
    found: list[Position] = []
    for position in seat.bag.ends():
        for _ in range(2):
            try:
                there = _played_on(seat, position.copy(), stream)
            except FacedownError:  # a rule that does not hold out, or nothing is legal
                continue
            if there is not None:
                found.append(there)
                break
        if len(found) == _WORLDS or monotonic() > deadline:
            break
    return found


def _played_on(seat: HiddenSeat, position: Position, stream: Stream) -> Position | None:
    """The position at the present step, after random moves of others; None where it is over."""
    words, present = seat.words, len(seat.told)
    while not position.over and (step := words.steps(position)) < present:
        turn, legal = position.turn(), position.legal()
        move = position.draw(stream) if turn == CHANCE else stream.choice(legal)
        if turn == seat.player:
            own = words.number(words.role, seat.told[step])
            move = own if own in legal else move
        position.play(move)
    return None if position.over else seat.asked(position)


def _best(
    seat: HiddenSeat,
    worlds: Sequence[Position],
    moves: Sequence[int],
    stream: Stream,
    deadline: float,
) -> int:
    """The move that gets most in random games from these positions; any where there is no time."""
    worlds = [world for world in worlds if world.turn() == seat.player]
    total, played = dict.fromkeys(moves, 0.0), dict.fromkeys(moves, 0)
    order = list(moves)
    stream.shuffle(order)
    while len(order) > 1 and worlds and monotonic() < deadline:
        world = stream.choice(worlds)
        legal = set(world.legal())
        for move in order:
            if move in legal and monotonic() < deadline:
                total[move] += _played_out(seat, world.copy(), move, stream, deadline)
                played[move] += 1
    return max(order, key=lambda move: total[move] / max(played[move], 1))


def _played_out(
    seat: HiddenSeat, position: Position, move: int, stream: Stream, deadline: float
) -> float:
    """What the player gets after a move and random ones; nothing where time is over before."""
    position.play(move)
    while not position.over:
        if monotonic() > deadline:
            return 0.0
        chance = position.turn() == CHANCE
        position.play(position.draw(stream) if chance else stream.choice(position.legal()))
    return position.payoff()[seat.player]
