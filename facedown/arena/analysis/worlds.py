"""The worlds that one viewer of a random game holds for possible, decision by decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from facedown.belief.belief import NoWorldError, Wanted
from facedown.belief.sources import Means, make_belief
from facedown.core import Game, Memos, Position, Stream
from facedown.search.recipe import Recipe

MODELS, LIMIT = 60, 2_000
"""Models of a bag where the game draws no worlds, and states that each may visit at a time."""


class Looker:
    """Told what a viewer sees, asked for worlds: by `determinize`, else by HyperPlay's models."""

    def __init__(self, game: Game, viewer: int, seed: int) -> None:
        self.viewer = viewer
        self._belief = make_belief(game, Recipe.belief, viewer, seed, Means(MODELS, LIMIT))
        self._memos = Memos(game, viewer)

    def told(self, tokens: Sequence[int]) -> Looker:
        """What the viewer has seen since the last time."""
        for token in tokens:
            self._belief.observe(token)
            self._memos.observe(token)
        return self

    def draw(self, view: Position, count: int, stream: Stream) -> list[Position]:
        """So many worlds, all as likely; none where no history was found that agrees."""
        wanted = Wanted(stream, count, memos=self._memos)
        try:
            pool = self._belief.worlds(view, wanted)
        except NoWorldError:
            return []
        return [pool.position(k) for k in range(len(pool))]


def effective(worlds: Sequence[Position]) -> float:
    """How many worlds there are in effect: one over the chance that two drawn ones are the same.

    (The Hill number of order 2, estimated without bias from the pairs that agree.) Where no two
    agree there are more than can be told: as many as there are pairs.

    >>> from facedown.games.registry import load_game
    >>> effective([load_game("kuhn").start() for _ in range(4)])
    1.0
    """
    count = len(worlds)
    pairs = count * (count - 1)
    times = Counter(world.digest() for world in worlds).values()
    alike = sum(n * (n - 1) for n in times)
    return pairs / alike if alike else float(pairs // 2)
