"""Matches of sides: `spies=AGENT resistance=AGENT` instead of one agent a seat.

A game with sides says so by `sides`, their names, and by `side(record, player)`, the place in that
tuple of a player's side once the first move of the game is made. That move is chance's, its
outcomes are equally likely, and they are what decides who is on which side.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from facedown.core import CHANCE, Game, RuleError, SpecError

_SIDE = re.compile(r"([^:=/]*)=(.*)")


def given_side(spec: str) -> tuple[str, str] | None:
    """The side and the agent of `SIDE=AGENT`; None for an agent that is given without a side.

    >>> given_side("spies=so-ismcts:iterations=9"), given_side("so-ismcts:iterations=9")
    (('spies', 'so-ismcts:iterations=9'), None)
    """
    found = _SIDE.fullmatch(spec)
    return None if found is None else (found[1], found[2])


def by_side(specs: Sequence[str], game: Game) -> tuple[str, ...] | None:
    """The agent of each of the game's sides; None where agents are given by seat.

    SpecError says what does not fit: every side wants one agent, which all its players are.
    """
    given = [given_side(spec) for spec in specs]
    if not any(given):
        return None
    if not game.sides:
        raise SpecError(f"{game.spec} has no sides; agents are given one a seat, without SIDE=")
    names = ", ".join(game.sides)
    found: dict[str, str] = {}
    for spec, pair in zip(specs, given, strict=True):
        if pair is None:
            raise SpecError(f"{spec!r} has no side, others have; sides of {game.spec}: {names}")
        side, agent = pair
        if side not in game.sides:
            raise SpecError(f"no side {side!r} in {game.spec}; sides: {names}")
        if side in found:
            raise SpecError(f"{side} is given twice; each side of {game.spec} has one agent")
        if not agent or re.search(r"\*\d+$", agent):
            raise SpecError(f"{spec!r}: {side}=AGENT is wanted, which all of the side will be")
        found[side] = agent
    missing = [side for side in game.sides if side not in found]
    if missing:
        raise SpecError(f"no agent for {missing[0]}; SIDE=AGENT is wanted for each of {names}")
    return tuple(found[side] for side in game.sides)


def headcount(agents: Sequence[str], seats: Sequence[Sequence[int]]) -> tuple[tuple[str, int], ...]:
    """The agents of a match of sides with the number of players that each has in a game."""
    return tuple((spec, seats[0].count(side)) for side, spec in enumerate(agents))


def seating(game: Game) -> tuple[tuple[int, ...], ...]:
    """The side of every player, for each outcome of the first move in the order of `legal`."""
    start = game.start()
    if start.turn() != CHANCE:
        raise RuleError(f"{game.spec} has sides, and its first move is not chance's")
    found = []
    for move in start.legal():
        dealt = start.copy()
        dealt.play(move)
        found.append(tuple(dealt.side(player) for player in range(game.players)))
    return tuple(found)
