"""What a game may offer those who learn how people play it: features of views, simulated people."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from facedown.core.canonical import canonical
from facedown.core.streams import Stream


@dataclass(frozen=True)
class Features:
    """Numbers by which the unseen part of the action just made (the rule `secret`) is predicted.

    `values(view, player, seconds)` gives one number for each of `names`, NaN where it is unknown,
    from the record of the player's view and from what is public beside it: the seconds that the
    other took over each decision, NaN where nobody knows; empty where nobody measured them.

    `labels` are those of `secret` that are told apart, the one predicted last, and `words` what is
    of each. `moment(view)` is the number of the action just made; `revealed(view, player)` has by
    those numbers the labels of the other's actions that have come out since. `version` goes up when
    a feature comes to mean something else under the same name.
    """

    names: tuple[str, ...]
    labels: tuple[int, int]
    words: tuple[str, str]
    values: Callable[[Any, int, Sequence[float]], Sequence[float]]
    moment: Callable[[Any], int]
    revealed: Callable[[Any, int], Mapping[int, int]]
    version: int = 1

    @property
    def digest(self) -> str:
        """A fingerprint of names, order, labels and version: models of other features differ."""
        text = canonical((self.version, self.labels, self.names))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


class People(Protocol):
    """Simulated people of a game, by number: the same number is always the same person."""

    @property
    def frozen(self) -> str:
        """The recorded fingerprint of how they play, from before anybody played them."""

    def act(
        self, number: int, view: Any, player: int, legal: Sequence[int], stream: Stream
    ) -> tuple[int, float]:
        """What person `number` plays, from the record of their view, and the seconds it takes."""

    def figures(self, moves: Sequence[int]) -> Mapping[str, tuple[int, int]]:
        """By the name of a behaviour, how often a player's moves show it, and out of how many."""

    @property
    def published(self) -> Mapping[str, tuple[float, float]]:
        """What was published of people's behaviour, as ranges of shares."""
