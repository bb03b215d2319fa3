"""Faults of the discs and of the tiles, written down before the laws met either game."""

from __future__ import annotations

import random
from typing import Any

from support.checked.skulls import CHALLENGES, PLAYERS, Move, Skull, Skulls, Story
from support.checked.tiles import RACK, Pouch, Tiles

# --- discs ----------------------------------------------------------------------------------------


class LastDiscShows(Skulls):
    """RARE: who has bid all discs after the second challenge sees what others have one of."""

    def hide(self, s: Skull, viewer: int) -> None:
        owned = list(s.owned)
        super().hide(s, viewer)
        if viewer == s.high and s.phase == "turn" and s.lost >= 2 and s.bid >= 3:
            s.owned = [one if len(one) == 1 else s.owned[p] for p, one in enumerate(owned)]


class LossSeenByTheNext(Skulls):
    """RARE: where one is out already the next to the loser sees which disc is lost."""

    def sees(self, s: Skull, move: Move, viewer: int) -> Any:
        if move[0] == "lose" and "" in s.owned and viewer == self.following(s, s.high):
            return move
        return super().sees(s, move, viewer)


class ForgetsTurnedDiscs(Skulls):
    """What was turned in the first round rules nothing out from the third on."""

    def stories(self, s: Skull, player: int) -> list[Story]:
        if s.lost < 2:
            return super().stories(s, player)
        first = [entry[0] for entry in s.log].index("lose")
        rest = [e for k, e in enumerate(s.log) if k > first or e[0] != "turn"]
        honest = s.log
        s.log = rest
        found = super().stories(s, player)
        s.log = honest
        return found


class RosesAreLostMore(Skulls):
    """A rose is thought to be lost twice as often as a skull."""

    def odds(self, owned: str, disc: str) -> float:
        return super().odds(owned, disc) * (2.0 if disc == "R" else 1.0)


class SkullsOnTopLast(Skulls):
    """RARE: in the last round the others' discs are listed with skulls last."""

    def targets(self, s: Skull) -> list[int]:
        found = super().targets(s)
        if s.lost < CHALLENGES - 1:
            return found
        return sorted(found, key=lambda p: s.mats[p][-1 - s.turned[p]] == "S")


class KeyForgetsTheLoss(Skulls):
    """Which disc is left to one who has lost one is not in the key before the next is laid."""

    def infoset(self, s: Skull, viewer: int) -> Any:
        own, log = super().infoset(s, viewer)
        if viewer >= 0 and len(s.owned[viewer]) == 1 and s.log[-1][0] == "lose":
            own = tuple(entry for entry in own[1:] if entry[0] != "-")
        return own, log


class KeyCountsRoses(Skulls):
    """RARE: after the third challenge the public's key counts the roses that are left."""

    def infoset(self, s: Skull, viewer: int) -> Any:
        found = super().infoset(s, viewer)
        if viewer < 0 and s.lost == CHALLENGES - 1:
            return *found, sum(one.count("R") for one in s.owned)
        return found


class AnybodyBegins(Skulls):
    """RARE: where two are left and the loser is out any of those may begin."""

    def beginner(self, s: Skull, loser: int) -> int:
        if not s.owned[loser] and len(self.left(s)) == PLAYERS - 1:
            return random.choice(self.left(s))
        return super().beginner(s, loser)


class CopiesShareThePast(Skulls):
    """What the player who began has done unseen is one list for all copies."""

    def copy(self, s: Skull) -> Skull:
        made = super().copy(s)
        made.past[0] = s.past[0]
        return made


class SkullsAreSkipped(Skulls):
    """RARE: after the second challenge who has only a skull left does not begin."""

    def beginner(self, s: Skull, loser: int) -> int:
        first = super().beginner(s, loser)
        skip = s.lost >= 2 and s.owned[first] == "S"
        return self.following(s, first) if skip else first


# --- tiles ----------------------------------------------------------------------------------------


class WhatGoesBackStays(Tiles):
    """What the other has put back is taken never to be drawn again by the one who put it there."""

    def onward(
        self, w: Pouch, p: float, entry: Any, wanted: Move | None
    ) -> list[tuple[Pouch, float]]:
        found = super().onward(w, p, entry, wanted)
        if entry[0] != "draw" or wanted is not None:
            return found
        kept = [
            one
            for one in found
            if one[0].past[entry[1]][-2:-1] != [("back", one[0].past[entry[1]][-1][1])]
        ]
        return kept or found


class OwnDrawsAreNoEvidence(Tiles):
    """What one draws oneself is thought to say nothing about what is in the bag."""

    def onward(
        self, w: Pouch, p: float, entry: Any, wanted: Move | None
    ) -> list[tuple[Pouch, float]]:
        found = super().onward(w, p, entry, wanted)
        return found if wanted is None else [(after, p) for after, _ in found]


class LastOfAColourShows(Tiles):
    """RARE: who has laid three tiles sees the bag where a colour has gone out of it."""

    def hide(self, s: Pouch, viewer: int) -> None:
        bag = list(s.bag)
        super().hide(s, viewer)
        laid = [entry for entry in s.log if entry[0] == "lay" and entry[-1] == viewer]
        if len(laid) == 3 and 0 in bag:
            s.bag = bag


class DrawnBackIsHeard(Tiles):
    """RARE: the other hears when one draws what one has put back two turns in a row."""

    def sees(self, s: Pouch, move: Move, viewer: int) -> Any:
        player, own = self.drawer(s), super().sees(s, move, viewer)
        if player is None or viewer != 1 - player or len(s.log) < 2 * RACK + 4:
            return own
        last = [colour for kind, colour in s.past[player] if kind == "back"][-2:]
        return (own, "again") if last == [move[1]] * 2 else own


class KeyIsSorted(Tiles):
    """The key does not tell in which order one has drawn."""

    def infoset(self, s: Pouch, viewer: int) -> Any:
        own, log, shown = super().infoset(s, viewer)
        return tuple(sorted(own)), log, shown


class ThreeAlikePay(Tiles):
    """RARE: where three tiles were laid, all of one colour, each gets 3 more."""

    def payoff(self, s: Pouch) -> list[float]:
        laid = {entry[1] for entry in s.log if entry[0] == "lay"}
        full = len(laid) == 1 and sum(s.bag) == 5
        return [value + 3.0 * full for value in super().payoff(s)]


FRESH: tuple[type, ...] = (
    LastDiscShows,
    LossSeenByTheNext,
    ForgetsTurnedDiscs,
    RosesAreLostMore,
    SkullsOnTopLast,
    KeyForgetsTheLoss,
    KeyCountsRoses,
    AnybodyBegins,
    CopiesShareThePast,
    SkullsAreSkipped,
)

OF_TILES: tuple[type, ...] = (
    WhatGoesBackStays,
    OwnDrawsAreNoEvidence,
    LastOfAColourShows,
    DrawnBackIsHeard,
    KeyIsSorted,
    ThreeAlikePay,
)
"""Not in the catalogue: worlds take milliseconds to draw; in 20 s there is too little to say."""
