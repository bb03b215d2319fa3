"""What a card makes in the play: fifteen and thirty-one, pairs and runs."""

from __future__ import annotations

from typing import Any

from facedown.core import jit
from facedown.games.cribbage.cards import RANKS, SUITS, value


@jit
def alike(s: Any, card: int) -> int:
    """How many of the cards just before `card`, at this count, have its rank."""
    n, k = 0, int(s["n"]) - 1
    while k >= s["first"]:
        before = int(s["line"][k])
        if before >= 0:
            if before // SUITS != card // SUITS:
                break
            n += 1
        k -= 1
    return n


@jit
def run_length(s: Any, card: int) -> int:
    """The longest run that `card` makes with the cards just before it, in any order; 0 if none."""
    low = high = card // SUITS
    seen, cards, longest = 1 << low, 1, 0
    k = int(s["n"]) - 1
    while k >= s["first"] and cards < RANKS:
        before = int(s["line"][k])
        k -= 1
        if before < 0:
            continue
        rank = before // SUITS
        if seen & (1 << rank):
            break
        seen |= 1 << rank
        cards += 1
        low, high = min(low, rank), max(high, rank)
        if cards >= 3 and high - low == cards - 1:
            longest = cards
    return longest


@jit
def card_points(s: Any, card: int) -> int:
    """The points of playing `card`, but for the one of a last card."""
    same = alike(s, card)
    points = same * (same + 1) if same > 0 else run_length(s, card)
    count = int(s["count"]) + value(card)
    return points + 2 if count in (15, 31) else points


@jit
def is_last(s: Any, card: int) -> bool:
    """Whether the player gets one for the last card with this play: nobody can go on.

    Where the other has cards that do not fit it takes a go to know; then the point comes later.
    """
    player = int(s["actor"])
    if int(s["count"]) + value(card) == 31 or s["left"][player] > 1:
        return False
    return s["left"][1 - player] == 0 or s["gone"] == 1 - player  # type: ignore[no-any-return]


@jit
def closes(s: Any) -> bool:
    """Whether the go that the actor says ends this count."""
    other = 1 - int(s["actor"])
    return s["gone"] == other or s["left"][other] == 0  # type: ignore[no-any-return]


@jit
def last_to_play(s: Any) -> int:
    """Who played the last card."""
    k = int(s["n"]) - 1
    while s["line"][k] < 0:
        k -= 1
    card = int(s["line"][k])
    return int((s["played"][1] >> card) & 1)
