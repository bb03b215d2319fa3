"""What a game may offer those who learn how people play it: features of views, simulated people."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from facedown.core.canonical import canonical
from facedown.core.streams import Stream


@dataclass(frozen=True)
class Predicted(ABC):
    """Something that is one of two ways, and the `names` of the numbers by which it is predicted.

    `words` are what is of each way, the one predicted last. `moment(view)` is the number of what
    is predicted; `revealed(view, player)` has by those numbers which way it was, of all that the
    player has come to know of the other since. `version` goes up when a number comes to mean
    something else under the same name.
    """

    names: tuple[str, ...]
    words: tuple[str, str]
    moment: Callable[[Any], int]
    revealed: Callable[[Any, int], Mapping[int, int]]
    version: int = field(default=1, kw_only=True)

    @property
    @abstractmethod
    def positive(self) -> int:
        """The way that is predicted, as `revealed` has it."""

    @property
    @abstractmethod
    def told(self) -> tuple[Any, ...]:
        """All that tells these from others: names, order, what is predicted, version."""

    @property
    def digest(self) -> str:
        """A fingerprint: models of others differ."""
        return hashlib.sha256(canonical(self.told).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Features(Predicted):
    """Numbers by which the unseen part of the action just made (the rule `secret`) is predicted.

    `values(view, player, seconds)` gives one number for each of `names`, NaN where it is unknown,
    from the record of the player's view and from what is public beside it: the seconds that the
    other took over each decision, NaN where nobody knows; empty where nobody measured them.

    `labels` are those of `secret` that are told apart, the one predicted last. `moment` is the
    number of the action just made.
    """

    labels: tuple[int, int]
    values: Callable[[Any, int, Sequence[float]], Sequence[float]]

    @property
    def positive(self) -> int:
        return self.labels[1]

    @property
    def told(self) -> tuple[Any, ...]:
        return self.version, self.labels, self.names


@dataclass(frozen=True)
class Replies(Predicted):
    """Numbers by which it is predicted whether the other answers a move with the move `reply`.

    `asks(move)` says whether a move can be answered so. `values(view, player, move, seconds)` gives
    the numbers for a move that the player may make, from the record of the player's own view before
    it and the seconds that the other took over each decision so far, as in `Features`. `moment` is
    the number of the action that comes next. In `revealed` 1 is the reply, 0 any other.
    """

    reply: int
    asks: Callable[[int], bool]
    values: Callable[[Any, int, int, Sequence[float]], Sequence[float]]

    @property
    def positive(self) -> int:
        return 1

    @property
    def told(self) -> tuple[Any, ...]:
        return self.version, "reply", self.reply, self.names


@dataclass(frozen=True)
class Traits:
    """The names of the numbers by which a player's choice among moves is learnt (rule `traits`).

    Some are of the position, the others of one move in it, and all of them are about 1 in size.
    They depend on what a viewer knows, and on nothing else: where another player acts the viewer
    tells what it sees of him. `version` goes up when a number comes to mean something else.
    """

    position: tuple[str, ...]
    move: tuple[str, ...]
    version: int = 1

    @property
    def digest(self) -> str:
        """A fingerprint: networks of others differ."""
        told = canonical((self.version, self.position, self.move))
        return hashlib.sha256(told.encode()).hexdigest()[:16]


class People(Protocol):
    """Simulated people of a game, by number: the same number is always the same person."""

    @property
    def frozen(self) -> str:
        """The recorded fingerprint of how they play, from before anybody played them."""

    def act(
        self,
        number: int,
        view: Any,
        player: int,
        legal: Sequence[int],
        stream: Stream,
        played: int = 0,
    ) -> tuple[int, float]:
        """What person `number` plays, from the record of their view, and the seconds it takes.

        `played` are the matches that they have behind them and have learnt from.
        """

    def figures(self, moves: Sequence[int]) -> Mapping[str, tuple[int, int]]:
        """By the name of a behaviour, how often a player's moves show it, and out of how many."""

    @property
    def published(self) -> Mapping[str, tuple[float, float]]:
        """What was published of people's behaviour, as ranges of shares."""
