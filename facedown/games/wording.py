"""Words that the games share when they describe a view."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.constants import CHANCE, OVER


def seat_name(player: int, viewer: int) -> str:
    """A player as the viewer would name them.

    >>> seat_name(1, 1), seat_name(0, 1)
    ('player 1 (you)', 'player 0')
    """
    return f"player {player}{' (you)' if player == viewer else ''}"


def turn_text(turn: int, viewer: int) -> str:
    """Whose turn it is, in words.

    >>> turn_text(0, 0), turn_text(0, 1), turn_text(CHANCE, 0), turn_text(OVER, 0)
    ('your move', 'player 0 to move', 'chance to move', 'the game is over')
    """
    if turn == CHANCE:
        return "chance to move"
    if turn == OVER:
        return "the game is over"
    return "your move" if turn == viewer else f"player {turn} to move"


def count(n: int, noun: str) -> str:
    """A number of things.

    >>> count(1, "chip"), count(3, "chip"), count(2, "die")
    ('1 chip', '3 chips', '2 dice')
    """
    plural = {"die": "dice"}.get(noun, noun + "s")
    return f"{n} {noun if n == 1 else plural}"


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as indented lines with aligned columns.

    >>> columns([("board", "[K]"), ("player 0", "[?]")])
    ['  board     [K]', '  player 0  [?]']
    """
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return [
        (
            "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
