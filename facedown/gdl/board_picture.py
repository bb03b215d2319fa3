"""Boards of rule files as a picture: grids of cells with pieces, other facts beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from facedown.core import drawing
from facedown.gdl.boards import Board, Cell, Label
from facedown.gdl.scene import UNSURE, WRAP, Scene, Signs, in_words

_CELL, _MARGIN, _GAP, _SIDE, _LEAST = 58, 62, 34, 300, 560
_PALE, _LINES = "#cfe8da", 20
_OWNERS = ("#fdf8ec", "#2b2a33", "#d8534e", "#3d6fb6", "#e7b84b", "#7a4a9f", "#3f9a6b", "#c97a3a")
_NAMED = {
    "white": _OWNERS[0],
    "black": _OWNERS[1],
    "red": _OWNERS[2],
    "blue": _OWNERS[3],
    "yellow": _OWNERS[4],
    "gold": _OWNERS[4],
    "green": _OWNERS[6],
}
_LETTER = 0.65  # how wide a bold letter is, of its size
_PALES = (_OWNERS[0], _OWNERS[4])  # with dark letters on them


def scene_picture(head: str, scene: Scene, signs: Signs, notes: Sequence[str]) -> str:
    """The boards one below another on the left, a key and what else holds on the right."""
    pieces, y, wide = [], 84.0, 0.0
    for number, board in enumerate(scene.layout.boards):
        drawn, across, down = _board(number, board, scene, signs, _MARGIN, y)
        pieces.append(drawn)
        y, wide = y + down + _GAP, max(wide, across)
    side = _MARGIN + wide + (_GAP if wide else 0)
    beside, low = _beside(scene, signs, notes, side, 84.0)
    width, height = max(int(side + _SIDE + 24), _LEAST), int(max(y, low) + 30)
    fitting = int((width - _MARGIN - 24) / (_LETTER * max(len(head), 1)))
    size = max(10, min(20, fitting))
    title = drawing.text(_MARGIN, 52, head, size=size, bold=True, anchor="start")
    return drawing.svg(width, height, [title, *pieces, *beside])


def part_name(number: int, board: Board, cell: Cell) -> str:
    """The name of a cell as a part of the picture, or of its column where moves name those."""
    place = board.across[cell[0]]
    prefix = "" if number == 0 else f"{number}:"
    if board.columns:
        return f"column:{prefix}{place}"
    return f"cell:{prefix}{place}" if board.row else f"cell:{prefix}{place},{board.up[cell[1]]}"


def _board(
    number: int, board: Board, scene: Scene, signs: Signs, x: float, y: float
) -> tuple[str, float, float]:
    """A board with its upper left corner at (x, y); how wide and how high it is."""
    across = min(len(board.across), WRAP) if board.row else len(board.across)
    rows = -(-len(board.across) // WRAP) if board.row else len(board.up)
    pieces = []
    for k, name in enumerate(board.across):
        column = []
        for j in range(len(board.up)):
            place = (k % WRAP, k // WRAP) if board.row else (k, rows - 1 - j)
            left, top = x + _CELL * place[0], y + (_CELL + (22 if board.row else 0)) * place[1]
            cell = _cell(left, top, sum(place) % 2, scene.cells.get((number, (k, j)), ()), signs)
            if (number, (k, j)) in scene.unsure and (number, (k, j)) not in scene.cells:
                cell += _unsure(left, top)
            if board.row:
                cell += drawing.text(left + _CELL / 2, top + _CELL + 16, name, size=13)
            column.append(cell if board.columns else _part(number, board, (k, j), cell))
        joined = "".join(column)
        pieces.append(_part(number, board, (k, 0), joined) if board.columns else joined)
    high = rows * (_CELL + (22 if board.row else 0))
    if not board.row:
        pieces += _edges(board, x, y)
        high += 22
    return "".join(pieces), across * _CELL, high


def _part(number: int, board: Board, cell: Cell, piece: str) -> str:
    return drawing.part(part_name(number, board, cell), piece)


def _edges(board: Board, x: float, y: float) -> Iterator[str]:
    """The names of columns and rows."""
    low = y + _CELL * len(board.up) + 18
    for k, name in enumerate(board.across):
        yield drawing.text(x + _CELL * (k + 0.5), low, name[:6], size=13, colour=_PALE)
    for j, name in enumerate(board.up):
        middle = y + _CELL * (len(board.up) - 0.5 - j) + 5
        yield drawing.text(x - 9, middle, name[:6], size=13, colour=_PALE, anchor="end")


def _cell(x: float, y: float, dark: int, labels: Sequence[Label], signs: Signs) -> str:
    fill = "#c9a877" if dark else "#ecdcb9"
    box = (
        f'<rect x="{x:g}" y="{y:g}" width="{_CELL}" height="{_CELL}" fill="{fill}" '
        'stroke="#6d4523" stroke-width="1"/>'
    )
    n = len(labels)
    size = 1.0 if n <= 1 else 0.62 if n == 2 else 0.5
    wide, high = _CELL / min(max(n, 1), 2), _CELL / max(-(-n // 2), 1)
    for k, label in enumerate(labels):
        box += piece(x + wide * (k % 2 + 0.5), y + high * (k // 2 + 0.5), label, signs, size)
    return box


def _unsure(x: float, y: float) -> str:
    """The mark of a cell of which it is not known what lies there."""
    words = drawing.text(
        x + _CELL / 2, y + _CELL / 2 + 8, UNSURE, size=24, colour="#8a744c", serif=True
    )
    return f'<g opacity="0.75">{words}</g>'


def piece(x: float, y: float, label: Label, signs: Signs, size: float = 1.0) -> str:
    """What lies on a cell, its middle at (x, y): a disc of its owner's colour, or a tile."""
    sign, fill = signs.of(label), _fill(label, signs)
    radius = 22 * size
    letters = (24 if len(sign) == 1 else 18 if len(sign) == 2 else 14) * size
    if fill is None:
        shape = (
            f'<rect x="{x - radius:g}" y="{y - radius:g}" width="{2 * radius:g}" '
            f'height="{2 * radius:g}" rx="{6 * size:g}" fill="#f7f1e1" stroke="#7d6a45"/>'
        )
        ink = drawing.INK
    else:
        shape = (
            f'<circle cx="{x + 1.5:g}" cy="{y + 2:g}" r="{radius:g}" fill-opacity="0.3"/>'
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" '
            'stroke="#4b3b22" stroke-width="1.5"/>'
        )
        ink = drawing.INK if fill in _PALES else drawing.CREAM
    return shape + drawing.text(
        x, y + 0.36 * letters, sign, size=round(letters), colour=ink, bold=True, serif=True
    )


def _fill(label: Label, signs: Signs) -> str | None:
    """The colour of a piece: by its name, or its owner's; None for what is nobody's."""
    named = next((_NAMED[word] for word in label[1:] if word in _NAMED), None)
    owner = signs.owner(label)
    return named or (None if owner is None else _OWNERS[owner % len(_OWNERS)])


def _beside(
    scene: Scene, signs: Signs, notes: Sequence[str], x: float, y: float
) -> tuple[list[str], float]:
    """The key of the pieces, the other facts, and what is told; where they end."""
    pieces = []
    for number in range(len(scene.layout.boards)):
        for label in scene.labels(number)[:12]:
            pieces.append(piece(x + 14, y + 10, label, signs, 0.6))
            words = " ".join(label)[:32]
            pieces.append(drawing.text(x + 36, y + 15, words, size=15, anchor="start"))
            y += 32
    facts = sorted(map(in_words, scene.beside))
    left = [f"and {len(facts) - _LINES} more"] if len(facts) > _LINES else []
    for k, words in enumerate([*notes, *facts[:_LINES], *left]):
        colour = drawing.CREAM if k >= len(notes) else _PALE
        pieces.append(drawing.text(x, y + 16, words[:40], size=15, anchor="start", colour=colour))
        y += 23
    return pieces, y
