"""A rule-of-thumb player of liar's dice: weighs each bid by the dice it cannot see."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

from facedown.core import Stream
from facedown.games.liars_dice.text import Table

_BLUFFS = 0.1


def chance_of(table: Table, own: Sequence[int], bid: int) -> float:
    """How likely a bid holds, for one who has the dice `own` and takes the others as random."""
    quantity, face = bid // table.faces + 1, bid % table.faces + 1
    have = sum(die in (face, table.faces) for die in own)
    unseen = table.players * table.dice - len(own)
    p = (1 if face == table.faces else 2) / table.faces
    return sum(
        comb(unseen, k) * p**k * (1 - p) ** (unseen - k)
        for k in range(max(0, quantity - have), unseen + 1)
    )


def choose(table: Table, view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
    """Call where the bid is less likely than the safest higher one; now and then bluff."""
    own = table.dice_of(view, player)
    bids = [move for move in legal if move < table.bids]
    if not bids:
        return table.bids
    best = max(bids, key=lambda bid: chance_of(table, own, bid))
    if table.bids not in legal:
        return stream.choice(bids[: table.faces]) if stream.random() < _BLUFFS else best
    false = 1.0 - chance_of(table, own, int(view["bids"][view["n"] - 1]))
    return table.bids if false > chance_of(table, own, best) else best
