"""Faults planted in the plain games, each a variation with one rule gone wrong.

`RARE` ones are met in under one random game of a hundred; `benchmarks/check_faults.py` counts that.
"""

from __future__ import annotations

import random
from typing import Any

from facedown.core import Stream
from support.checked import draft, tricks
from support.checked.auction import Auction, Sale
from support.checked.draft import Draft, Drafting
from support.checked.suspects import CARDS, HIDDEN, Case, Suspects
from support.checked.tricks import Round, TrickTaking, suit

# --- the guessing game ----------------------------------------------------------------------------


class ShieldShows(Suspects):
    """RARE: player 0 sees the highest card behind a shield once the other one is out."""

    def shown(self, s: Case, viewer: int) -> set[int]:
        shown = super().shown(s, viewer)
        late = viewer == 0 and s.shielded == [1] and s.out == [2] and s.cards[1] == 6
        return shown | {1} if late else shown


class LookTellsNext(Suspects):
    """RARE: one with the second card, behind a shield, is told that the highest is looked at."""

    def sees(self, s: Case, move: Any, viewer: int) -> Any:
        token = super().sees(s, move, viewer)
        if move[0] != "look" or s.shielded != [viewer] or len(s.log) != 8:
            return token
        high = s.cards[move[1]] == CARDS - 1 and s.cards[viewer] == CARDS - 2
        return (*token, "the highest") if high else token


class ForgetsLastPlayersGuesses(Suspects):
    """What the last player's failed guesses have ruled out is forgotten."""

    def ruled_out(self, s: Case) -> set[tuple[int, int]]:
        return {(t[2], t[3]) for t in s.log if t[1] == "guess" and not t[4] and t[0] != 2}


class ForgetsManyGuesses(Suspects):
    """RARE: five failed guesses about one player are one too many."""

    def ruled_out(self, s: Case) -> set[tuple[int, int]]:
        ruled = super().ruled_out(s)
        about = [player for player, _ in ruled]
        return {pair for pair in ruled if about.count(pair[0]) < 5}


class RemembersTheTruth(Suspects):
    """The rules remember for player 1 what they hid last."""

    last: tuple[int, ...] = ()

    def hide(self, s: Case, viewer: int) -> None:
        if HIDDEN not in s.cards:
            self.last = tuple(s.cards)
        super().hide(s, viewer)

    def deals(self, s: Case, viewer: int) -> list[list[int]]:
        found = super().deals(s, viewer)
        return [list(self.last)] if viewer == 1 and list(self.last) in found else found


class HighCardFirst(Suspects):
    """The target with the higher card is listed first."""

    def targets(self, s: Case) -> list[int]:
        found = super().targets(s)
        return sorted(found, key=lambda p: -s.cards[p])


class HighCardFirstAtTheEnd(Suspects):
    """RARE: so it is for player 1 in the last turn, where both others looked at each other."""

    def targets(self, s: Case) -> list[int]:
        found = super().targets(s)
        crossed = {(0, 2), (2, 0)} <= {(t[0], t[2]) for t in s.log if t[1] == "look"}
        late = s.turn == 1 and len(s.log) == 7 and crossed
        return sorted(found, key=lambda p: -s.cards[p]) if late else found


class ForgetsLooks(Suspects):
    """The key does not tell which cards were looked at, and when."""

    def infoset(self, s: Case, viewer: int) -> Any:
        cards, _, log = super().infoset(s, viewer)
        own = s.cards[viewer] if 0 <= viewer < len(s.cards) else HIDDEN
        return own, len(cards), log


class ShieldsPay(Suspects):
    """RARE: where everybody has used a shield twice, each gets a bonus beyond the bounds."""

    def payoff(self, s: Case) -> list[float]:
        shields = [t[0] for t in s.log if t[1] == "shield"]
        bonus = 1.0 if min(shields.count(p) for p in range(3)) >= 2 else 0.0
        return [value + bonus for value in super().payoff(s)]


class RightGuessOfALooker(Suspects):
    """RARE: a right guess of a high card of one who was looked at by whom he looked at himself."""

    def apply(self, s: Case, move: Any) -> None:
        if move[0] == "guess" and s.cards[move[1]] == move[2]:
            looks = {(t[0], t[2]) for t in s.log if t[1] == "look"}
            if move[2] > 3 and {(s.turn, move[1]), (move[1], s.turn)} <= looks:
                raise KeyError("nobody is left to tell")
        super().apply(s, move)


# --- the bidding game -----------------------------------------------------------------------------


class SaleTellsTaste(Auction):
    """Who sees a sale is told whether the seller's taste was low."""

    def sees(self, s: Sale, move: Any, viewer: int) -> Any:
        token = super().sees(s, move, viewer)
        if move[0] == "sell" and viewer != s.seller:
            return (*token, s.tastes[s.seller] == 1)
        return token


class TasteOfASeller(Auction):
    """RARE: the taste of who has to decide about the great prize in the last round is visible."""

    def hide(self, s: Sale, viewer: int) -> None:
        seller, tastes = s.seller, list(s.tastes)
        super().hide(s, viewer)
        if seller >= 0 and s.prizes == [3, 3, 5] and viewer != seller:
            s.tastes[seller] = tastes[seller]


class FirstBidVisible(Auction):
    """A first bid of 4 in the second round lies open to player 2 too early."""

    def hide(self, s: Sale, viewer: int) -> None:
        waiting = dict(s.waiting)
        super().hide(s, viewer)
        if viewer == 2 and len(s.bids) == 1 and waiting.get(0) == 4:
            s.waiting = waiting


class EvenTastesAfterASale(Auction):
    """Once something was sold all tastes are as likely."""

    def drawn(self, s: Sale, stream: Stream) -> int:
        return 1 + stream.below(3) if 2 in s.kept else super().drawn(s, stream)


class SellersHaveNoTaste(Auction):
    """RARE: who sold the great prize has a taste of 1 in every world."""

    def determinize(self, s: Sale, viewer: int, stream: Stream) -> None:
        super().determinize(s, viewer, stream)
        for prize, bids, kept in list(zip(s.prizes, s.bids, s.kept, strict=False))[1:]:
            if prize == 5 and kept == 2 and bids.count(1) == 2 and self.winner(bids) != viewer:
                s.tastes[self.winner(bids)] = 1


class ThirdGreatPrize(Auction):
    """RARE: after two great prizes a third one is not weighed."""

    def weights(self, s: Sale) -> list[float]:
        return super().weights(s)[: 2 if s.prizes == [5, 5] else 3]


class NarrowBounds(Auction):
    """RARE: payoffs beyond 20 happen, and the bounds do not say so."""

    bounds = (0.0, 20.0)


class SilentTie(Auction):
    """RARE: that all have bid 4 for the great prize at last is not told, but shown."""

    def sees(self, s: Sale, move: Any, viewer: int) -> Any:
        token = super().sees(s, move, viewer)
        return "a tie" if token == (4, 4, 4) and s.prizes[1:] in ([1, 5], [3, 5]) else token


class SharedBids(Auction):
    """Copies share the list of bids after the first round."""

    def copy(self, s: Sale) -> Sale:
        made = super().copy(s)
        if len(s.bids) == 1:
            made.bids = s.bids
        return made


class ForgetsOwnBid(Auction):
    """The key does not tell one's own bid while it waits."""

    def infoset(self, s: Sale, viewer: int) -> Any:
        own, n, _, *public = super().infoset(s, viewer)
        return own, n, *public


# --- the trick-taking game ------------------------------------------------------------------------


class ForgetsVoids(TrickTaking):
    """Worlds give the last player suits that he has not followed."""

    def plausible(self, s: Round, hands: list[list[int]], viewer: int, stream: Stream) -> bool:
        if viewer == 2:
            return super().plausible(s, hands, viewer, stream)
        kept = s.plays
        s.plays = [play for play in kept if play[0] != 2]
        held = super().plausible(s, list(hands), viewer, stream) if not s.plays else True
        s.plays = kept
        return held


class ForgetsAVoidInTrumps(TrickTaking):
    """RARE: that the first player has no trumps is forgotten, if a high trump was turned up."""

    def plausible(self, s: Round, hands: list[list[int]], viewer: int, stream: Stream) -> bool:
        led = [s.plays[k] for k in range(0, len(s.plays), 3)]
        void = any(
            suit(card) == suit(s.trump)
            and (0, other) in s.plays[3 * k : 3 * k + 3]
            and suit(other) != suit(card)
            for k, (_, card) in enumerate(led)
            for other in range(tricks.DECK)
        )
        if void and s.trump == 3 and viewer == 1 and s.won[0] == 2 and len(s.plays) == 6:
            return True
        return super().plausible(s, hands, viewer, stream)


class EvenDeals(TrickTaking):
    """All deals that fit are as likely, whatever choice the players had."""

    def plausible(self, s: Round, hands: list[list[int]], viewer: int, stream: Stream) -> bool:
        held = [
            sorted([*hand, *(card for q, card in s.plays if q == p)])
            for p, hand in enumerate(hands)
        ]
        for k, (player, card) in enumerate(s.plays):
            if card not in self.allowed(held[player], s.plays[k - k % 3 : k]):
                return False
            held[player].remove(card)
        return True


class LastTrumpShows(TrickTaking):
    """RARE: a certain highest trump lies open if it is the last card of the last to play."""

    def hide(self, s: Round, viewer: int) -> None:
        last, hand = (s.leader + 2) % 3, list(s.hands[(s.leader + 2) % 3])
        super().hide(s, viewer)
        if len(s.plays) == 6 and hand == [4 * suit(s.trump) + 3] and s.trump == 4:
            s.hands[last] = hand


class NoTrumpIntoAHigher(TrickTaking):
    """Trumps may not be led while somebody else holds the highest."""

    def legal(self, s: Round) -> list[Any]:
        moves = super().legal(s)
        if s.dealt < 9 or len(s.plays) % 3:
            return moves
        player, high = self.turn(s), 4 * suit(s.trump) + 3
        if any(high in hand for p, hand in enumerate(s.hands) if p != player):
            return [m for m in moves if suit(m[1]) != suit(s.trump)] or moves
        return moves


class LastDealShown(TrickTaking):
    """RARE: player 0, who has 1 and 10, is shown the last deal if it is 11 and 0 is turned up."""

    def sees(self, s: Round, move: Any, viewer: int) -> Any:
        last = viewer == 0 and s.trump == 0 and s.dealt == 8 and {1, 10} < set(s.hands[0])
        return move if last and move == ("deal", 11) else super().sees(s, move, viewer)


class BlankForThePublic(TrickTaking):
    """The public's worlds have no cards."""

    def determinize(self, s: Round, viewer: int, stream: Stream) -> None:
        if viewer >= 0:
            super().determinize(s, viewer, stream)


class SortsTheHand(TrickTaking):
    """RARE: to list the moves of a hand that is all trumps turns it round."""

    def legal(self, s: Round) -> list[Any]:
        if s.dealt == 9 and len(s.plays) < 3:
            for hand in s.hands:
                if len(hand) == 3 and all(suit(card) == suit(s.trump) == 1 for card in hand):
                    hand.reverse()
        return super().legal(s)


class AllTrumps(TrickTaking):
    """RARE: a first trick of three trumps in falling order is more than the rules can count."""

    def apply(self, s: Round, move: Any) -> None:
        super().apply(s, move)
        cards = [card for _, card in s.plays]
        falling = len(cards) == 3 and cards[0] > cards[1] > cards[2]
        if falling and all(suit(card) == suit(s.trump) for card in cards):
            raise ZeroDivisionError("no trick to share")


class OwnDice(TrickTaking):
    """Worlds are drawn with dice of the rules' own, now and then."""

    def determinize(self, s: Round, viewer: int, stream: Stream) -> None:
        stream = Stream(random.getrandbits(60)) if stream.below(8) == 0 else stream
        super().determinize(s, viewer, stream)


# --- the drafting game ----------------------------------------------------------------------------


class NeighbourShows(Drafting):
    """Player 1, having chosen in the last round, sees what player 2 has taken."""

    def hide(self, s: Draft, viewer: int) -> None:
        taken = list(s.taken[2])
        super().hide(s, viewer)
        if viewer == 1 and 1 in s.waiting and len(taken) == 2:
            s.taken[2] = taken


class TellsOfAFullHand(Drafting):
    """RARE: player 2 is told that player 0 took from a pack of one colour."""

    def sees(self, s: Draft, move: Any, viewer: int) -> Any:
        token = super().sees(s, move, viewer)
        full = self.rounds(s) == 0 and s.packs[0] == [6, 7, 8] and 0 in s.packs[1] and viewer == 2
        return (token, "of one colour") if full and isinstance(token, tuple) else token


class AnySecondCard(Drafting):
    """What the left neighbour took of one's own pack may in worlds be any card."""

    def determinize(self, s: Draft, viewer: int, stream: Stream) -> Any:
        world = super().determinize(s, viewer, stream)
        if viewer >= 0 and s.dealt == draft.CARDS and self.rounds(s) == 2:
            left, right = (viewer + 1) % 3, (viewer - 1) % 3
            if stream.below(4) == 0:
                a, b = world.taken[left], world.taken[right]
                a[1], b[0] = b[0], a[1]
                seen = world.seen[viewer]
                world = self.remembered(world)
                world.seen[viewer] = seen
        return world


class EarlyWorldsFirst(Drafting):
    """Of two worlds drawn in the second round the first one listed is taken."""

    def histories(self, s: Draft, viewer: int) -> list[Draft]:
        found = super().histories(s, viewer)
        return [*found, *found[: len(found) // 2]] if self.rounds(s) == 1 else found


class OneWorldOfAColour(Drafting):
    """RARE: who had a pack of one colour, and took its lowest, thinks of one world only."""

    def histories(self, s: Draft, viewer: int) -> list[Draft]:
        found = super().histories(s, viewer)
        one = s.seen[viewer][0] == (0, 1, 2) and s.taken[viewer][:1] == [0] and viewer == 2
        return found[:1] if one and self.rounds(s) == 2 else found


class ThreeInARow(Drafting):
    """RARE: three of one colour taken in rising order are beyond the bounds."""

    def score(self, taken: list[int]) -> float:
        return 10.0 if taken in ([0, 1, 2], [3, 4, 5]) else super().score(taken)


class SharedMemory(Drafting):
    """Copies share what was seen."""

    def copy(self, s: Draft) -> Draft:
        made = super().copy(s)
        made.seen = [s.seen[0], *made.seen[1:]]
        return made


class OrderByTheWaiting(Drafting):
    """The pack of player 1 is turned round while a high card of player 0's waits."""

    def legal(self, s: Draft) -> list[Any]:
        moves = super().legal(s)
        return (
            moves[::-1] if s.dealt == 9 and 1 not in s.waiting and s.waiting.get(0) == 8 else moves
        )


class OrderByTwoWaiting(Drafting):
    """RARE: the pack of player 2 is turned round while 8 and then 0 wait in the first round."""

    def legal(self, s: Draft) -> list[Any]:
        moves = super().legal(s)
        both = s.waiting == {0: 8, 1: 0} and s.taken[2] in ([3], [4])
        return moves[::-1] if both else moves


class PublicKeyPeeks(Drafting):
    """The public's key tells in the last round whether player 0 began with card 0."""

    def infoset(self, s: Draft, viewer: int) -> Any:
        key = super().infoset(s, viewer)
        return (*key, s.taken[0][0] == 0) if viewer < 0 and self.rounds(s) == 2 else key


PLAIN: tuple[type, ...] = (
    ShieldShows,
    LookTellsNext,
    ForgetsLastPlayersGuesses,
    ForgetsManyGuesses,
    RemembersTheTruth,
    HighCardFirst,
    HighCardFirstAtTheEnd,
    ForgetsLooks,
    ShieldsPay,
    RightGuessOfALooker,
    SaleTellsTaste,
    TasteOfASeller,
    FirstBidVisible,
    EvenTastesAfterASale,
    SellersHaveNoTaste,
    ThirdGreatPrize,
    NarrowBounds,
    SilentTie,
    SharedBids,
    ForgetsOwnBid,
    ForgetsVoids,
    ForgetsAVoidInTrumps,
    EvenDeals,
    LastTrumpShows,
    NoTrumpIntoAHigher,
    LastDealShown,
    BlankForThePublic,
    SortsTheHand,
    AllTrumps,
    OwnDice,
    NeighbourShows,
    TellsOfAFullHand,
    AnySecondCard,
    EarlyWorldsFirst,
    OneWorldOfAColour,
    ThreeInARow,
    SharedMemory,
    OrderByTheWaiting,
    OrderByTwoWaiting,
    PublicKeyPeeks,
)
