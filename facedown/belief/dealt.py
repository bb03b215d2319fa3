"""Beliefs that need no memory: the game's own `determinize`, and the position as it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from facedown.belief.belief import Belief, Wanted
from facedown.belief.pool import Pool
from facedown.core import Game, Position, RuleError, Stream, derive

DRAWS = 2000
"""Worlds that are drawn where nobody says how many."""

SECRET_DRAWS = 256
"""Worlds that are drawn to see which secrets there are, in games that cannot suppose one."""


class Dealt(Belief):
    """Worlds as the game draws them: chance by its weights, others' moves all as likely.

    `variant` names another of the game's rules to draw by. A search gets the view itself, and has
    the rule draw a new world for every iteration. For roots by label it gets the view once for
    every secret that some worlds have, which the view supposes where the game has a rule for that:
    they are taken in turn (Bitan and Kraus 2017, Algorithm 1). In a game that keeps memos whoever
    asks brings the viewer's.
    """

    remembers: ClassVar[bool] = False

    def __init__(self, game: Game, viewer: int, seed: int = 0, variant: str | None = None) -> None:
        super().__init__(game, viewer, seed)
        self.variant = variant

    def worlds(self, view: Position, wanted: Wanted) -> Pool:
        if wanted.samples is not None:
            return self.pool(view, wanted)
        if wanted.labelled:
            return self._by_secret(view, wanted)
        return Pool([view], labels=[0], views=True)

    def pool(self, view: Position, wanted: Wanted) -> Pool:
        """So many draws of the rule, which all weigh the same."""
        samples = DRAWS if wanted.samples is None else wanted.samples
        return Pool(list(self.draws(view, wanted, samples)))

    def draws(self, view: Position, wanted: Wanted, samples: int) -> Iterator[Position]:
        """So many worlds, one after another."""
        stream, memo = Stream(derive(wanted.seed, "pool")), wanted.memo(self.viewer)
        for _ in range(samples):
            world = view.copy()
            world.determinize(self.viewer, stream, self.variant, memo)
            yield world

    def _by_secret(self, view: Position, wanted: Wanted) -> Pool:
        """The view for each of its labels."""
        if self.game.has("suppose"):
            supposed = view.supposed(self.viewer)
            if not supposed:
                raise RuleError("suppose allows no label at all", rule="suppose")
            return Pool(list(supposed.values()), labels=list(supposed), views=True)
        draws = self.draws(view, wanted, SECRET_DRAWS)
        labels = sorted({world.secret(self.viewer) % (1 << 64) for world in draws})
        return Pool([view] * len(labels), labels=labels, views=True)


class Certain(Belief):
    """No doubt at all: the position that it is shown is the world.

    For benchmarks that cheat, and for searches from the start of a game, where nothing is hidden.
    """

    remembers: ClassVar[bool] = False

    def pool(self, view: Position, wanted: Wanted) -> Pool:
        return Pool([view], labels=[0])

    def worlds(self, view: Position, wanted: Wanted) -> Pool:
        return self.pool(view, wanted)
