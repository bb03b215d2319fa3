"""Is there a history that gives these tokens and leads to this world? A quick try, no proof.

A sampled world that nothing leads to is impossible. To prove that takes all histories
(`laws.informed`); to make it unlikely takes one that is sought where it should be: among moves that
show the viewer the right tokens, those whose traces are in the world, or were in the true game for
a while and are gone there too (a card that was dealt, then played).
"""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core import Position, Stream
from facedown.laws.probes import Atom, atoms
from facedown.laws.stories import MOST_CANDIDATES, playable

_TRIES = 2
_STRAY = 4  # moves beyond those of the true game


def passing(trail: Sequence[frozenset[Atom]]) -> frozenset[Atom]:
    """What was there for a while in a game with these atoms, position by position, and is gone."""
    met = frozenset[Atom]().union(*trail)
    return met - trail[-1]


def led_to(
    world: Position,
    tokens: Sequence[int],
    viewer: int,
    gone: frozenset[Atom],
    most: int,
    stream: Stream,
) -> bool:
    """Whether a history of at most so many moves is found that ends in the world."""
    held, digest = atoms(world), world.digest()
    tries = (_follow(world, tokens, viewer, held, gone, most, stream) for _ in range(_TRIES))
    return any(end is not None and end.digest() == digest for end in tries)


def _follow(
    world: Position,
    tokens: Sequence[int],
    viewer: int,
    held: frozenset[Atom],
    gone: frozenset[Atom],
    most: int,
    stream: Stream,
) -> Position | None:
    """Where one such try ends; None where the tokens do not come."""
    position, shown, here = world.game.start(), 0, frozenset[Atom]()
    for _ in range(most + _STRAY):
        if shown == len(tokens):
            return position
        legal = playable(position)
        fitting = [m for m in legal if position.sees(m, viewer) in (0, tokens[shown])]
        if not fitting:
            return None
        stream.shuffle(fitting)
        best, token = None, 0
        most_fit = float("-inf")
        for move in fitting[:MOST_CANDIDATES]:
            after = position.copy()
            after.apply(move)
            found = atoms(after) if len(fitting) > 1 else here
            fit = sum(1.0 if a in held else 0.5 if a in gone else -1.0 for a in found - here)
            if fit > most_fit:
                most_fit, best, token, kept = fit, after, position.sees(move, viewer), found
        assert best is not None
        position, here, shown = best, kept, shown + (token != 0)
    return position if shown == len(tokens) else None
