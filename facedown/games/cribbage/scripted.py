"""The scripted player of Kelly (2017), section 3.2: the most points at once, with no look ahead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from facedown.games.cribbage.counting import count, play_points
from facedown.games.cribbage.state import GO, THROWS
from facedown.games.cribbage.text import cards_of, pair_cards


def choose(view: Any, player: int, legal: Sequence[int]) -> int:
    """Keep the four cards that count most by themselves; play the card that makes most now.

    Among equals the first in the order of `legal`.
    """
    if len(legal) == 1:
        return legal[0]
    if legal[0] < GO:
        now = view["line"][view["first"] : view["n"]]
        pile = [int(card) for card in now if card >= 0]
        return max(legal, key=lambda card: play_points([*pile, card]))
    hand = int(view["held"][player])
    return max(legal, key=lambda move: _kept(hand, move - THROWS))


def _kept(hand: int, pair: int) -> int:
    """What is left of a hand of six without the pair, counted with no cut."""
    thrown = pair_cards(pair)
    kept = [card for card in cards_of(hand) if card not in thrown]
    return sum(count(kept, None).values())
