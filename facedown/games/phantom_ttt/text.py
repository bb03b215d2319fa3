"""Phantom tic-tac-toe in words."""

from __future__ import annotations

from typing import Any

from facedown.games.phantom_ttt.rules import ENDED, TAKEN, UNSEEN
from facedown.games.phantom_ttt.state import NONE, SQUARES
from facedown.games.wording import turn_text

SQUARE_NAMES = tuple(f"{column}{row}" for row in "123" for column in "abc")
SIGNS = "xo"


def observation_text(token: int) -> str:
    """What a token of `sees` tells."""
    if token == 0:
        return "nothing shows"
    if token == ENDED:
        return "an unseen mark ends the game"
    if token == UNSEEN:
        return "an unseen mark is made"
    if token >= TAKEN:
        return f"{SQUARE_NAMES[token - TAKEN]} is taken"
    return f"you mark {SQUARE_NAMES[token - 1]}"


def sign_at(view: Any, square: int) -> str:
    """The sign on a square, as far as a view knows it; empty for none."""
    return "".join(SIGNS[player] for player in range(2) if int(view["marks"][player]) >> square & 1)


def marked(record: Any, player: int) -> list[str]:
    """The squares of a player's marks."""
    return [SQUARE_NAMES[k] for k in range(SQUARES) if int(record["marks"][player]) >> k & 1]


def hidden_text(world: Any, viewer: int) -> str:
    """The marks that the viewer does not see."""
    return ", ".join(
        f"{SIGNS[player]} is on {' '.join(marked(world, player)) or 'no square'}"
        for player in range(2)
        if player != viewer
    )


def view_text(view: Any, viewer: int) -> str:
    """A view for the terminal: the board as far as the viewer knows it."""
    head = f"Phantom tic-tac-toe: {turn_text(int(view['actor']), viewer)}"
    rows = ["    a b c"]
    for row in range(3):
        signs = [sign_at(view, 3 * row + column) or "." for column in range(3)]
        rows.append(f"  {row + 1} {' '.join(signs)}")
    lines = [head, *rows, f"  marks on the board: {int(view['n'])}"]
    if viewer >= 0:
        tried = [SQUARE_NAMES[k] for k in map(int, view["tries"][viewer]) if k != NONE]
        lines.append(f"  you ({SIGNS[viewer]}) have tried: {' '.join(tried) or 'nothing yet'}")
    return "\n".join(lines)


def hidden_facts(world: Any, viewer: int) -> list[str]:
    """The same, square by square."""
    return [
        f"{SIGNS[player]} is on {square}"
        for player in range(2)
        if player != viewer
        for square in marked(world, player)
    ]
