"""A game's own belief (`core.knowledge`) by the house's protocol."""

from __future__ import annotations

from typing import Any

from facedown.belief.belief import Belief, Marginals, Wanted
from facedown.belief.pool import Pool
from facedown.core import Game, Position, Stream, derive

DRAWS = 500
"""Worlds that are drawn for a decision where nobody says how many."""


class Factored(Belief):
    """Worlds of the game's own rule, in which its knowledge then fills in what it knows about.

    The rule (`determinize`, or a `variant`) and the viewer's memo make the world consistent with
    all that is proven; the knowledge, kept from the start of the game by tokens, has what is likely
    beyond that. Should it ever find that nothing agrees with a token, it is not asked again, and
    worlds are the rule's: the choices that are recorded from then on say so.
    """

    def __init__(
        self,
        game: Game,
        viewer: int,
        seed: int = 0,
        variant: str | None = None,
        draws: int = DRAWS,
    ) -> None:
        super().__init__(game, viewer, seed)
        self.knowledge = game.knowledge(viewer)
        self.draws, self.variant, self.lost = draws, variant, ""

    def observe(self, token: int) -> None:
        if self.lost:
            return
        try:
            self.knowledge.observe(token)
        except ValueError as error:
            self.lost = str(error)

    def pool(self, view: Position, wanted: Wanted) -> Pool:
        pool = Pool([view] * (self.draws if wanted.samples is None else wanted.samples))
        self._determinize(pool, wanted)
        if not self.lost:
            self.knowledge.fill(pool.records, Stream(derive(wanted.seed, "filled")))
        return pool

    def _determinize(self, pool: Pool, wanted: Wanted) -> None:
        """Turn views into worlds where they lie: making positions of them would take most time."""
        rules, memo = self.game.rules, wanted.memo(self.viewer)
        determinize = rules.python["determinize" + (f":{self.variant}" if self.variant else "")]
        known, stream = 0 if memo is None else memo.address, Stream(derive(wanted.seed, "pool"))
        for k in range(len(pool)):
            determinize(rules.ctx, pool.address(k), known, self.viewer, stream.address)

    def marginals(self, view: Position, wanted: Wanted) -> Marginals:
        if self.lost:
            return super().marginals(view, wanted)
        found = [(text, share) for text, share in self.knowledge.told(view.record) if share > 0]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))

    def summary(self) -> dict[str, Any]:
        return {"belief lost": self.lost} if self.lost else {}
