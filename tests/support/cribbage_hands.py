"""What the tests of cribbage share: hands dealt as wanted, scores set, plays by name."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core import Position
from support.naive_cribbage import PACK
from support.playing import game

PONE = "2c 2d 4h 4s 6c 6d"
DEALER = "3c 3d 5h 5s 7c 7d"


def play(position: Position, *moves: str) -> Position:
    """Play legal moves, given as text, in place."""
    for move in moves:
        position.apply(position.game.parse_move(move, position.legal()))
    return position


def canonical(cards: str) -> str:
    """Cards in the order of the pack."""
    return " ".join(sorted(cards.split(), key=PACK.index))


def dealt(
    pone: str = PONE,
    dealer: str = DEALER,
    *,
    scores: Sequence[int] = (0, 0),
    spec: str = "cribbage",
) -> Position:
    """The first hand after the deal; player 0 deals, so the pone is player 1."""
    position = game(spec).start()
    for one, other in zip(pone.split(), dealer.split(), strict=True):
        play(position, f"deal {one}", f"deal {other}")
    position.record["score"][:] = position.record["back"][:] = scores
    return position


def at_play(
    pone: str,
    dealer: str,
    cut: str,
    *,
    scores: Sequence[int] = (0, 0),
    spec: str = "cribbage",
    crib: tuple[str, str] = ("Kc Kd", "Qc Qd"),
) -> Position:
    """The beginning of the play, with hands of four; `crib` is what pone and dealer threw."""
    position = dealt(f"{pone} {crib[0]}", f"{dealer} {crib[1]}", scores=scores, spec=spec)
    return play(position, canonical(crib[0]), canonical(crib[1]), f"cut {cut}")


def scores(position: Position) -> list[int]:
    """The scores of player 0, who deals, and player 1, the pone."""
    return [int(score) for score in position.record["score"]]
