"""Faults of the two games that came later, written down before the laws were worked on again."""

from __future__ import annotations

from typing import Any

from facedown.core import Stream
from support.checked.fleet import WIDTH, Fleet, Sea, Ships
from support.checked.shells import HIDDEN, PLAYERS, Shells, Table

# --- ships ----------------------------------------------------------------------------------------


class RadarHeardByAll(Fleet):
    """An answer of the radar is told to the public too, which sees it in no view."""

    def sees(self, s: Sea, move: Any, viewer: int) -> Any:
        if move[0] == "radar" and viewer < 0:
            return (*move, self.count(s.ships[1 - s.turns % 2], move[1]))
        return super().sees(s, move, viewer)


class LastShipShows(Fleet):
    """RARE: who has hit two cells within four turns sees the other's fleet at the far end."""

    def hide(self, s: Sea, viewer: int) -> None:
        whole = list(s.ships)
        super().hide(s, viewer)
        early = viewer >= 0 and s.turns == 4 and self.hits(s, viewer) == 2
        if early and whole[1 - viewer][2:] > (9,):
            s.ships = whole


class ForgetsEarlyMisses(Fleet):
    """From the ninth turn on the first two shots rule nothing out."""

    def fits(self, s: Sea, player: int, ships: Ships) -> bool:
        if s.turns < 8:
            return super().fits(s, player, ships)
        late = Sea(s.ships, s.shots[2:], s.asked, s.heard, s.turns)
        return super().fits(late, player, ships)


class LikesToLieAcross(Fleet):
    """Ships that lie across are drawn twice as often."""

    def placed(self, s: Sea, player: int, stream: Stream) -> Ships:
        some = [super(LikesToLieAcross, self).placed(s, player, stream) for _ in range(2)]
        across = [ships for ships in some if ships[1] == ships[0] + 1]
        return (across or some)[0]


class ShipsFirst(Fleet):
    """RARE: player 0's last shots are listed with a ship first once the first row is shot empty."""

    def legal(self, s: Sea) -> list[Any]:
        moves = super().legal(s)
        if len(s.ships) < 2 or s.turns != 12:
            return moves
        shot = {cell for who, cell, _ in s.shots if who == 0}
        if not set(range(WIDTH)) <= shot:
            return moves
        return sorted(moves, key=lambda m: not (m[0] == "shoot" and m[1] in s.ships[1]))


# --- shells ---------------------------------------------------------------------------------------


class MiddleKnownBySwapper(Shells):
    """Who swaps the own card with the middle is shown what he gets, and no token tells it."""

    def apply(self, s: Table, move: Any) -> None:
        me = s.turns % PLAYERS
        super().apply(s, move)
        if move[0] == "swap" and move[1] == me and move[2] == PLAYERS:
            s.knowers[me] |= self.bit(me)


class PeekShowsTheTop(Shells):
    """RARE: one who has locked is told when another peeks at the highest card in the middle."""

    def sees(self, s: Table, move: Any, viewer: int) -> Any:
        token = super().sees(s, move, viewer)
        alone = s.locked == [viewer] and s.turns % PLAYERS != viewer
        if move == ("peek", PLAYERS) and alone and s.cards[PLAYERS] == 5 and s.turns > 4:
            return (*move, "the highest")
        return token


class PublicNeverSeesTheTop(Shells):
    """No world of the public has the highest card in the middle."""

    def determinize(self, s: Table, viewer: int, stream: Stream) -> None:
        hidden = len(s.cards) > PLAYERS and s.cards[PLAYERS] == HIDDEN
        super().determinize(s, viewer, stream)
        if viewer < 0 and hidden and s.cards[PLAYERS] == 5:
            spare = [card for card in range(5) if card not in s.cards]
            s.cards[PLAYERS] = stream.choice(spare)


class LocksForgotten(Shells):
    """Locks are not in the key."""

    def infoset(self, s: Table, viewer: int) -> Any:
        cards, knowers, _, turns, passed = super().infoset(s, viewer)
        return cards, knowers, turns, passed


class ThirdPassSkips(Shells):
    """RARE: after three passes in a row one who holds the lowest card does not get the turn."""

    def turn(self, s: Table) -> int:
        player = super().turn(s)
        if player >= 0 and s.passed >= 3 and s.cards[player] == 0:
            return (player + 1) % PLAYERS
        return player


LATE: tuple[type, ...] = (
    RadarHeardByAll,
    LastShipShows,
    ForgetsEarlyMisses,
    LikesToLieAcross,
    ShipsFirst,
    MiddleKnownBySwapper,
    PeekShowsTheTop,
    PublicNeverSeesTheTop,
    LocksForgotten,
    ThirdPassSkips,
)
