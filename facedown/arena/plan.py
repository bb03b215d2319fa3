"""Which agent sits where in which game of a match, and from which seeds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from facedown.arena.apart.seat import Isolation
from facedown.core import Game, SpecError


@dataclass(frozen=True)
class Plan:
    """All that decides a match. `entries` are the agents in the order given, with their seats.

    A *seat* belongs to an agent through the whole match; a *player* is a place in the rules. Seat
    `s` plays player `(s + rotation) % seats`, and game `g` has rotation `g % seats`. Duplicate
    deals: game `g` has deal `g // seats`, so that every rotation plays the same one; else every
    game has its own.

    In a match of sides `seating` has the side of every player for each outcome of chance's first
    move. These are taken in turn, game by game; entry `s` plays all of side `s`, nothing rotates,
    and every game has its own deal.

    `isolation` says which agents play in processes of their own: started anew for every game.
    """

    game: str
    entries: tuple[tuple[str, int], ...]
    games: int
    seed: int
    duplicate: bool = True
    clock: float | None = None
    seating: tuple[tuple[int, ...], ...] = ()
    isolation: Isolation = field(default_factory=Isolation)

    @cached_property
    def seats(self) -> tuple[int, ...]:
        """The entry of each seat."""
        return tuple(k for k, (_, count) in enumerate(self.entries) for _ in range(count))

    @cached_property
    def repeats(self) -> int:
        """How many games a deal is played."""
        return len(self.seats) if self.duplicate and not self.seating else 1

    @cached_property
    def cycle(self) -> int:
        """After how many games every agent has been everywhere equally often."""
        return len(self.seating or self.seats)

    def who(self, number: int) -> tuple[int, ...]:
        """The entry that plays each player in the game of this number."""
        if self.seating:
            return self.seating[number % self.cycle]
        seats = self.seats
        return tuple(seats[(player - number) % len(seats)] for player in range(len(seats)))


def expand(specs: Sequence[str], game: Game) -> tuple[tuple[str, int], ...]:
    """The agents of a match with the number of seats of each; `AGENT*3` fills three.

    >>> from facedown.games.registry import load_game
    >>> expand(["random*2"], load_game("kuhn"))
    (('random', 2),)
    """
    entries = [seats_of(spec) for spec in specs]
    filled = sum(count for _, count in entries)
    if filled != game.players:
        given = ", ".join(specs) or "no agents"
        raise SpecError(
            f"{game.spec} has {game.players} seats; {given} would fill {filled} "
            "(AGENT*3 fills three)"
        )
    return tuple(entries)


def seats_of(spec: str) -> tuple[str, int]:
    """An agent as it is given, with the number of seats that it fills.

    >>> seats_of("random*3"), seats_of("random")
    (('random', 3), ('random', 1))
    """
    found = re.fullmatch(r"(.+)\*(\d+)", spec)
    if found is None:
        return spec, 1
    if int(found[2]) < 1:
        raise SpecError(f"{spec!r} fills no seat; AGENT*1 is the least")
    return found[1], int(found[2])
