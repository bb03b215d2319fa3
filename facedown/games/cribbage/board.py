"""A cribbage board, drawn: four rows of thirty holes a player, two pegs each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from facedown.core import drawing

_ROW, _HOLE, _GROUP, _LANE = 17, 16, 5, 23  # between rows, between holes, between fives, the middle
WIDTH, HEIGHT = 186, 600
_PEGS = (("#d8534e", "#7d1f1c"), ("#3d6fb6", "#1b3763"))
_TOP, _DARK = 30, "#3a2413"


def _place(player: int, score: int) -> tuple[float, float]:
    """The middle of a hole. Tracks run up and down in turn from the lower end; 0 is below it."""
    lane = 22 + player * (4 * _ROW + _LANE)
    bottom = _TOP + 29 * _HOLE + 5 * _GROUP
    if score <= 0:
        return lane, bottom + 21
    if score > 120:
        return lane + 3 * _ROW, bottom + 21
    row, k = divmod(score - 1, 30)
    step = k if row % 2 == 0 else 29 - k
    return lane + row * _ROW, bottom - step * _HOLE - step // 5 * _GROUP


def _hole(x: float, y: float) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="3.1" fill="{_DARK}"/>'


def _peg(x: float, y: float, player: int, *, front: bool) -> str:
    fill, edge = _PEGS[player]
    size = 6.6 if front else 5.2
    return (
        f'<circle cx="{x + 1.5:g}" cy="{y + 2:g}" r="{size:g}" fill="#000" fill-opacity="0.35"/>'
        f'<circle cx="{x:g}" cy="{y:g}" r="{size:g}" fill="{fill}" stroke="{edge}" '
        f'stroke-width="1.5"/><circle cx="{x - 1.8:g}" cy="{y - 1.8:g}" r="1.7" fill="#fff" '
        'fill-opacity="0.7"/>'
    )


@cache
def _empty() -> str:
    """The board without pegs and scores."""
    pieces = [
        f'<rect x="4" y="6" width="{WIDTH}" height="{HEIGHT}" rx="16" fill="#000" '
        f'fill-opacity="0.3"/><rect width="{WIDTH}" height="{HEIGHT}" rx="16" fill="#c08a52" '
        f'stroke="#6d4523" stroke-width="3"/><rect x="7" y="7" width="{WIDTH - 14}" '
        f'height="{HEIGHT - 14}" rx="11" fill="none" stroke="#e0b483" stroke-width="1.5"/>'
    ]
    for player in range(2):
        x = _place(player, 1)[0]
        pieces.append(
            f'<rect x="{x - 9:g}" y="{_TOP - 12}" width="{3 * _ROW + 18}" height="{HEIGHT - 67}" '
            f'rx="9" fill="{_PEGS[player][0]}" fill-opacity="0.16"/>'
        )
        pieces += [_hole(*_place(player, score)) for score in range(122)]
    return "".join(pieces)


def _lane(player: int, score: int, back: int) -> Iterator[str]:
    """A player's name, score and pegs."""
    x = _place(player, 1)[0] + 1.5 * _ROW
    yield drawing.text(x, HEIGHT - 33, f"player {player}", size=13, colour=_DARK, bold=True)
    yield drawing.text(x, HEIGHT - 13, str(score), size=20, colour=_DARK, bold=True)
    yield _peg(*_place(player, back), player, front=False)
    yield _peg(*_place(player, score), player, front=True)


def board(x: float, y: float, scores: Sequence[int], backs: Sequence[int]) -> str:
    """A board with its upper left corner at (x, y); front pegs at `scores`, the others behind."""
    pegs = [piece for p in range(2) for piece in _lane(p, scores[p], backs[p])]
    return f'<g transform="translate({x:g} {y:g})">{_empty()}{"".join(pegs)}</g>'
