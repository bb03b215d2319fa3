"""What one viewer may believe of the others in The Resistance, by a model of how people play."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.core import Stream
from facedown.core.records import address_of, lined_up
from facedown.games.resistance.careful import by_votes
from facedown.games.resistance.layout import (
    ATTEMPTS,
    DEALING,
    MASKS,
    MOST_PLAYERS,
    OWN,
    TEMPERS,
    VOTING,
    State,
)
from facedown.games.resistance.reckoning import MINDS, reckon, share_out
from facedown.games.resistance.table import Table
from facedown.games.resistance.text import hidden_facts, proposals

Array = np.ndarray[Any, Any]
WEIGHTS = (0.7, 0.7, 0.7)
ALIKE = 0.5
PLAIN = 0.2
EVIDENCE = len(WEIGHTS)
_LEAST = 1e-12


@dataclass(frozen=True, eq=False)
class Reckoned:
    """Shares of the worlds [worlds], and of minds [worlds, players, minds] in each of them."""

    shares: Array
    minds: Array


class Suspicion:
    """A belief over spies and minds, by the record of a view alone: it keeps all that was public.

    `weights`: how much of what teams, votes and cards say counts, as powers of their likelihoods;
    less than 1 where players may be none of the model's. `alike`: how much of a player's prior
    comes from what the others at the table seem to be, for strangers often come together. `plain`:
    to which power missions and votes as people vote count beside the model, which may be wrong.
    """

    def __init__(
        self,
        table: Table,
        context: Array,
        viewer: int,
        weights: tuple[float, ...] = WEIGHTS,
        alike: float = ALIKE,
        plain: float = PLAIN,
    ) -> None:
        self.table, self.context, self.viewer = table, context, viewer
        self.weights, self.alike, self.plain = weights, alike, plain
        self._view: Any = None
        self._done = 0
        self._begin()

    def observe(self, token: int) -> None:
        """The view has it all."""

    def fill(self, worlds: Any, stream: Stream) -> int:
        """Draw spies and minds anew in worlds of one view."""
        if not len(worlds) or worlds[0]["phase"] == DEALING:
            return 0
        view = worlds[0].copy()
        if not int(view["spies"]) >> max(self.viewer, 0) & 1 or self.viewer < 0:
            view["spies"] = 0
        found = self.reckon(view)
        random = np.random.default_rng(stream.bits())
        drawn = random.choice(len(found.shares), len(worlds), p=found.shares)
        worlds["spies"] = np.array(self.table.configs)[drawn]
        edges = np.cumsum(found.minds[drawn], axis=2)
        points = random.random(edges.shape[:2])[..., None] * edges[..., -1:]
        worlds["minds"][:, : self.table.players] = 1 + (points >= edges).sum(axis=2)
        if self.viewer >= 0:
            worlds["minds"][:, self.viewer] = OWN
        return len(worlds)

    def told(self, view: Any) -> list[tuple[str, float]]:
        """How likely each is a spy."""
        if view["phase"] == DEALING:
            return []
        found, world = defaultdict[str, float](float), view.copy()
        for spies, share in zip(self.table.configs, self.reckon(view).shares, strict=True):
            world["spies"] = spies
            if share > 0:
                for fact in hidden_facts(self.table, world, self.viewer):
                    found[fact] += float(share)
        return list(found.items())

    # --- reckoning -------------------------------------------------------------------------------

    def reckon(self, view: Any) -> Reckoned:
        """The shares by the record of a view; what was reckoned before is gone on with."""
        if not self._goes_on(view):
            self._begin()
        block, shown = lined_up(1, State), self.possible(view)
        block[0] = view
        place = address_of(self.context), address_of(block)
        self._done = int(reckon(*place, self.viewer, self._done, shown, self._odds, self._logs))
        self._view = view.copy()
        minds, shares = self._odds.copy(), np.zeros(self.table.worlds)
        known = shown, np.array(self.weights), self.alike, minds, self._logs, shares
        share_out(place[0], self.viewer, *known)
        if self.plain:
            usual = np.maximum(by_votes(self.context, view, self.viewer), _LEAST)
            shares *= usual**self.plain
            shares /= shares.sum()
        return Reckoned(shares, minds[:, : self.table.players])

    def _begin(self) -> None:
        """Nothing is seen yet: everyone may have any mind, as many have it in the crowd."""
        v = self.context[0]
        kinds, tempers = v["shares"][: int(v["kinds"])], v["temperate"][:TEMPERS]
        self._first = np.maximum(np.outer(kinds, tempers).ravel(), 1e-12)
        self._odds = np.zeros((self.table.worlds, MOST_PLAYERS, MINDS))
        self._odds[:, :, : len(self._first)] = self._first
        self._logs, self._done = np.zeros((EVIDENCE, self.table.worlds)), 0

    def _goes_on(self, view: Any) -> bool:
        """Whether a view is a later one of the game whose view was reckoned last."""
        last = self._view
        if last is None or (int(last["spies"]) and last["spies"] != view["spies"]):
            return False
        past, failures = last["past"], last["failures"]
        if last["phase"] == VOTING and self._done % 3:
            place = ATTEMPTS * int(last["round"]) + int(last["attempt"])
            now = int(view["past"][place]) % MASKS or int(view["team"])
            if now != last["team"]:
                return False
        return bool(
            (view["past"][past != 0] == past[past != 0]).all()
            and (view["failures"][failures >= 0] == failures[failures >= 0]).all()
        )

    def possible(self, view: Any) -> Array:
        """The worlds that are not ruled out: a spy knows, others have seen failures."""
        known = int(view["spies"])
        if known:
            return np.array([spies == known for spies in self.table.configs])
        own = 1 << self.viewer if self.viewer >= 0 else 0
        sent = [(one.team, one.failures) for one in proposals(self.table, view)]
        return np.array(
            [
                not spies & own
                and all(f is None or (spies & team).bit_count() >= f for team, f in sent)
                for spies in self.table.configs
            ]
        )
