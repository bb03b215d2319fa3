"""Leduc hold'em in words."""

from __future__ import annotations

from typing import Any

from facedown.games.leduc.state import BOARD, BOARD_CARD, CALL, FACE_DOWN, OWN_CARD
from facedown.games.wording import columns, count, seat_name, turn_text

RANK_NAMES = "JQK"
MOVE_NAMES = ("fold", "call", "raise", "deal J", "deal Q", "deal K")
_DEEDS = ("folds", "calls", "raises")


def card_text(card: int) -> str:
    """A card in brackets, a question mark where it is face down."""
    return f"[{RANK_NAMES[card] if card >= 0 else '?'}]"


def observation_text(token: int) -> str:
    """What a token of `sees` tells."""
    if token < OWN_CARD:
        player, move = divmod(token - 1, 3)
        return f"player {player} {_DEEDS[move]}"
    if token < FACE_DOWN:
        return f"you are dealt {RANK_NAMES[token - OWN_CARD]}"
    if token < BOARD_CARD:
        return f"player {token - FACE_DOWN} is dealt a card face down"
    return f"the board is {RANK_NAMES[token - BOARD_CARD]}"


def betting(view: Any) -> tuple[list[int], list[int]]:
    """The players' moves in the first and in the second round."""
    line = [int(move) for move in view["line"][: view["n"]]]
    ends = [k + 1 for k, move in enumerate(line) if k > 0 and move == CALL]
    split = ends[0] if ends else len(line)  # only a check that opens a round does not end it
    return line[:split], line[split:]


def hidden_text(world: Any, viewer: int) -> str:
    """The cards that the viewer does not see."""
    held = [
        f"player {player} holds {RANK_NAMES[world['cards'][player]]}"
        for player in range(min(int(world["dealt"]), BOARD))
        if player != viewer
    ]
    return ", ".join(held)


def view_text(view: Any, viewer: int) -> str:
    """A view for the terminal."""
    dealt, chips = int(view["dealt"]), [int(n) for n in view["chips"]]
    rows = [
        (
            seat_name(player, viewer),
            card_text(view["cards"][player]) if player < dealt else "",
            f"{count(chips[player], 'chip')} in the pot",
        )
        for player in range(2)
    ]
    board = card_text(view["cards"][BOARD]) if dealt > BOARD else "not dealt yet"
    lines = [f"Leduc hold'em: pot {sum(chips)}, {turn_text(int(view['actor']), viewer)}"]
    lines += [*columns(rows), f"  board: {board}"]
    for number, moves in enumerate(betting(view), 1):
        if moves:
            lines.append(f"  round {number}: {', '.join(MOVE_NAMES[move] for move in moves)}")
    return "\n".join(lines)
