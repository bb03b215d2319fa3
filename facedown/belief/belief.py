"""A belief: told what a viewer sees, asked for worlds, and for what to show a person."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Protocol

import numpy as np

from facedown.belief.pool import Pool
from facedown.core import Game, Memo, Memos, Position, Stream
from facedown.core.errors import FacedownError

Shares = np.ndarray[Any, np.dtype[np.float64]]
Marginals = list[tuple[str, float]]
"""What may be hidden, in words, and how likely it is; the likeliest first."""


class NoWorldError(FacedownError):
    """A belief has found no world that agrees with what was observed, though there is one."""


@dataclass
class Wanted:
    """What is wanted of worlds.

    By weight, as many as the belief has or sees fit to draw; or so many `samples` that all count
    the same; or `labelled` by their secrets, every label as likely. Within so many `seconds`, where
    they are limited. Random numbers come from the `stream` of whoever asks, and so do `memos`, in a
    game that keeps any.
    """

    stream: Stream
    samples: int | None = None
    labelled: bool = False
    seconds: float | None = None
    memos: Memos | None = None

    @cached_property
    def seed(self) -> int:
        """The seed of the search that the worlds are for; drawn when it is first asked for."""
        return self.stream.bits()

    def memo(self, viewer: int) -> Memo | None:
        """The viewer's memo, as far as whoever asks has it."""
        return None if self.memos is None else self.memos.of(viewer)

    def arranged(self, pool: Pool, viewer: int) -> Pool:
        """Worlds with weights, as they are wanted."""
        if self.samples is not None:
            return _redrawn(pool, self.samples, self.stream)
        return _by_secret(pool, viewer) if self.labelled else pool


class Counts(Protocol):
    """How often the iterations of a search came to what a viewer sees, by the labels of worlds."""

    @property
    def root(self) -> Shares:
        """Before anything is seen: all iterations."""

    def see(self, token: int) -> Shares:
        """After one more observation."""


class Listener:
    """Is told what happens; does nothing with it unless a subclass says what."""

    def observe(self, token: int) -> None:
        """One observation of the viewer's, its own moves included, in the order they come."""

    def overhear(self, token: int) -> None:
        """What everyone saw of a move; after `observe` of it."""

    def clocked(self, player: int, seconds: float) -> None:
        """How long a player took over a decision, NaN if nobody knows; before it shows."""

    def expect(self, counts: Counts) -> None:
        """What the last search of the viewer's counted, for the observations that come now."""


class Belief(Listener, ABC):
    """What `viewer`, a player or PUBLIC, may hold for possible.

    A subclass says how worlds are made (`pool`), and listens to what it wants to know. What it is
    told never comes from the true position, but for what its viewer has seen of it. `seed` starts
    random streams of its own.
    """

    remembers: ClassVar[bool] = True
    """Whether it goes by what it was told, so that a view alone would not do."""
    learns: bool = False
    """Whether it learns from searches: they then count what its viewer sees (`expect`)."""

    def __init__(self, game: Game, viewer: int, seed: int = 0) -> None:
        self.game, self.viewer, self.seed = game, viewer, seed

    @property
    def labels(self) -> Sequence[int]:
        """Where it learns: the labels of its worlds, by which searches count for it."""
        return range(self.game.worlds)

    @abstractmethod
    def pool(self, view: Position, wanted: Wanted) -> Pool:
        """Worlds that agree with the viewer's view and all it was told, with weights.

        Where they are drawn, `samples` of them. NoWorldError where none is found.
        """

    def worlds(self, view: Position, wanted: Wanted) -> Pool:
        """Worlds for a search, as it wants them."""
        return wanted.arranged(self.pool(view, wanted), self.viewer)

    def odds(self, view: Position, labels: Sequence[int]) -> Mapping[int, float]:
        """How likely each label of the worlds is, for searches that keep labels apart."""
        return {label: 1 / len(labels) for label in labels}

    def marginals(self, view: Position, wanted: Wanted) -> Marginals:
        """What the viewer cannot see, for a person; empty where there are no words for it.

        Here: the share of the pool's worlds in which each of their `hidden_facts` holds.
        """
        pool = self.pool(view, wanted)
        found: dict[str, float] = defaultdict(float)
        for k, weight in enumerate(pool.weights.tolist()):
            for fact in pool.position(k).hidden_facts(self.viewer):
                found[fact] += weight
        return ranked(found, float(pool.weights.sum()))

    @property
    def states(self) -> int | None:
        """Moves that were tried so far to find worlds; None where none need be tried."""
        return None

    def summary(self) -> dict[str, Any]:
        """What is worth recording of it with a choice, as plain JSON."""
        return {}


def ranked(found: Mapping[str, float], total: float) -> Marginals:
    """Shares of a total of what was found, the largest first."""
    in_order = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    return [(text, min(share / total, 1.0)) for text, share in in_order]


def _redrawn(pool: Pool, samples: int, stream: Stream) -> Pool:
    """So many worlds that all count the same: evenly spaced along the weights."""
    points = (np.arange(samples) + stream.random()) * (pool.cumulative[-1] / samples)
    places = np.minimum(np.searchsorted(pool.cumulative, points, side="right"), len(pool) - 1)
    return Pool([pool.position(int(k)) for k in places])


def _by_secret(pool: Pool, viewer: int) -> Pool:
    """Each world under its secret, every label as likely (Bitan and Kraus 2017, Algorithm 1)."""
    worlds = [pool.position(k) for k in range(len(pool))]
    labels = [world.secret(viewer) % (1 << 64) for world in worlds]
    masses: dict[int, float] = defaultdict(float)
    for label, weight in zip(labels, pool.weights.tolist(), strict=True):
        masses[label] += weight
    weights = [w / masses[label] for w, label in zip(pool.weights, labels, strict=True)]
    return Pool(worlds, weights, labels)
