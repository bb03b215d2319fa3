"""Kuhn poker in words."""

from __future__ import annotations

from typing import Any

from facedown.core.constants import CHANCE, OVER
from facedown.games.kuhn.rules import BET, DEAL, PASS
from facedown.games.wording import columns, count, seat_name, turn_text

RANK_NAMES = "JQK"
MOVE_NAMES = ("pass", "bet", "deal J", "deal Q", "deal K")


def observation_text(token: int) -> str:
    """What a token of `sees` tells."""
    move = token - 1
    if move < DEAL:
        return MOVE_NAMES[move]
    rank = move - DEAL
    return f"you are dealt {RANK_NAMES[rank]}" if rank < 3 else "a card is dealt face down"


def played(view: Any) -> list[int]:
    """What the players have done."""
    return [int(move) for move in view["line"][: view["n"]]]


def turn_of(view: Any) -> int:
    """Who acts in a view."""
    line = played(view)
    if view["dealt"] < 2:
        return CHANCE
    over = len(line) == 3 or (len(line) == 2 and line != [PASS, BET])
    return OVER if over else len(line) % 2


def chips(view: Any) -> list[int]:
    """What each player has put into the pot."""
    line = played(view)
    return [1 + (BET in line[player::2]) for player in range(2)]


def hidden_text(world: Any, viewer: int) -> str:
    """The cards that the viewer does not see."""
    held = [
        f"player {player} holds {RANK_NAMES[world['cards'][player]]}"
        for player in range(int(world["dealt"]))
        if player != viewer
    ]
    return ", ".join(held)


def view_text(view: Any, viewer: int) -> str:
    """A view for the terminal."""
    rows = []
    for player in range(2):
        card = int(view["cards"][player])
        shown = f"[{RANK_NAMES[card] if card >= 0 else '?'}]" if player < view["dealt"] else ""
        paid = f"{count(chips(view)[player], 'chip')} in the pot"
        rows.append((seat_name(player, viewer), shown, paid))
    head = f"Kuhn poker: pot {sum(chips(view))}, {turn_text(turn_of(view), viewer)}"
    line = ", ".join(MOVE_NAMES[move] for move in played(view))
    return "\n".join([head, *columns(rows), f"  played: {line or 'nothing yet'}"])
