"""What a mirror keeps: the table, and what was compared with the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from facedown.bridges.jsettlers.fields import Message
from facedown.bridges.jsettlers.table import ROLL, TO_WIN, Place, Table


class Ledger:
    """The table of seat `me`, how often the rules foretold a message, and where they did not.

    `due` is by seat what the last roll gives, until it is told.
    """

    def __init__(self, me: int) -> None:
        self.table = Table(me)
        self.checked: Counter[str] = Counter()
        self.differences: list[str] = []
        self.final: tuple[int, ...] | None = None
        self.due: dict[int, list[int]] = {}

    def compare(self, what: str, ours: Any, theirs: Any) -> None:
        """Count a comparison; note it where the rules foretold something else."""
        self.checked[what] += 1
        if ours != theirs:
            self.differences.append(f"{what}: {theirs} is told, the rules say {ours}")

    def odd(self, what: str) -> None:
        """Note what cannot be."""
        self.differences.append(what)

    def not_won(self) -> None:
        """Whoever goes on with his turn does not have the points to win."""
        table = self.table
        if table.turn >= 0 and table.state >= ROLL:
            place = table.places[table.turn]
            most = max(TO_WIN - 1 - table.public_points(table.turn), 0)
            place.silent = min(place.silent, most)

    def get(self, place: Place, cards: Sequence[int]) -> None:
        """Cards come into a hand."""
        for resource, amount in enumerate(cards):
            place.hand.gain(resource, amount)

    def pay(self, place: Place, cards: Sequence[int]) -> None:
        """Cards leave a hand, which should have had them."""
        for resource, amount in enumerate(cards):
            if amount and not place.hand.lose(resource, amount):
                self.odd(f"{place.name} pays {amount} of resource {resource + 1} out of nothing")


Handlers = dict[type[Message], Callable[[Ledger, Any], None]]
"""By kind of message what it does to a ledger."""
