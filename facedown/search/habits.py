"""Preferences as a prior that is updated towards those who sit at the table.

The shares of kinds under a set of legal kinds are the mean of a Dirichlet distribution that counts
for so many decisions (`strength`); what an opponent is seen to choose under that set is added to it
(the first item of future work of Dobre and Lascarides 2018). What was legal depends on his hidden
cards: so a decision is counted, in parts, in each of some worlds that agree with what was observed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from facedown.belief.following import Following
from facedown.core.kinds import Policy, fill_shares
from facedown.search.preferences import KindPolicy, Reading, policy_of

if TYPE_CHECKING:
    from facedown.core import Game, Position, Stream
    from facedown.search.recipe import Recipe

WORLDS = 8
"""Worlds in which the others' decisions are followed."""


class Habit(KindPolicy):
    """One opponent's policy over kinds: another policy, and what he was seen to choose since."""

    def __init__(self, base: KindPolicy, strength: float) -> None:
        self._base, self.strength = base, strength
        self.counts: dict[int, np.ndarray[Any, np.dtype[np.float64]]] = {}
        self._record = np.zeros(1, Policy)
        self._take(base.sets.copy(), base.shares.copy())

    def note(self, legal: int, kind: int, share: float) -> None:
        """Under this set of legal kinds he chose this one, as far as `share` goes.

        Shares are then (strength * prior + counts) / (strength + decisions under the set).
        """
        kinds = self.shares.shape[1]
        counts = self.counts.setdefault(legal, np.zeros(kinds))
        counts[kind] += share
        prior = np.zeros(kinds)
        fill_shares(self._base.address, legal, prior)
        shares = self.strength * prior + counts
        row = self._row(legal)  # which may make the tables larger
        self.shares[row] = shares / shares.sum()

    def _row(self, legal: int) -> int:
        """The row of a set, made now where there is none."""
        if not self.sets[self.place(legal)]:
            if 2 * np.count_nonzero(self.sets) >= len(self.sets):
                self._grow()
            self.sets[self.place(legal)] = legal
        return self.place(legal)

    def _grow(self) -> None:
        """Twice as many slots."""
        sets, shares = self.sets, self.shares
        slots, kinds = 2 * len(sets), shares.shape[1]
        self._take(np.zeros(slots, np.uint64), np.zeros((slots + 1, kinds)))
        self.shares[slots] = shares[-1]
        for old in np.flatnonzero(sets):
            place = self.place(int(sets[old]))
            self.sets[place], self.shares[place] = sets[old], shares[old]


class Habits:
    """What a player has seen of the others' preferences, for searches by its recipe.

    It is told the player's tokens, and at every decision of the player's own worlds to go on from.
    """

    def __init__(self, game: Game, recipe: Recipe, player: int, stream: Stream) -> None:
        self.game, self.player = game, player
        self._following = Following(game, player, stream, WORLDS)
        self._habits: dict[tuple[int, Reading], Habit] = {}
        for reading in (recipe.playout.kinds, recipe.kind_priors):
            if reading is None or recipe.adapting is None:
                continue
            base = policy_of(game, recipe.preferences, reading, recipe.unchosen)
            for other in range(game.players):
                if other != player:
                    self._habits[other, reading] = Habit(base, recipe.adapting)

    def of(self, player: int, reading: Reading) -> Habit | None:
        """A player's policy over kinds, of this reading of preferences; None for one's own."""
        return self._habits.get((player, reading))

    def begin(self, worlds: Iterable[Position]) -> None:
        """Follow these worlds from now on."""
        self._following.begin(worlds)

    def observe(self, token: int) -> None:
        """Count what others decide by a token of the player's, where several kinds were legal."""
        for position, move, share in self._following.observe(token):
            legal, kind, player = position.kind_bits(), position.kind(move), position.turn()
            if legal & (legal - 1) == 0:
                continue
            for (other, _), habit in self._habits.items():
                if other == player:
                    habit.note(legal, kind, share)
