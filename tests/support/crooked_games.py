"""Games that each break one law: small variations of the honest ones."""

from __future__ import annotations

import copy
import math
import random
from dataclasses import dataclass, field
from typing import Any

from facedown.core import CHANCE, OVER, Stream, Traits
from support.honest_games import (
    HIDDEN,
    Choices,
    Claim,
    Doors,
    Hand,
    HighRoll,
    Krieg,
    LoadedDie,
    Pennies,
    PlainKuhn,
    Table,
    Tricks,
)

# --- memos and kinds --------------------------------------------------------------------


class RemembersMore(PlainKuhn):
    """Its memo counts how often anybody was told anything."""

    told = 0

    def remember(self, memo: int | None, token: Any, viewer: int) -> int:
        self.told += 1
        return self.told

    def determinize(self, s: Hand, memo: int | None, viewer: int, stream: Stream) -> None:  # type: ignore[override]
        super().determinize(s, viewer, stream)


class KindsLeftOut(PlainKuhn):
    """Only the first move of a kind is listed."""

    def kinds(self, s: Hand) -> list[int]:
        return [0]

    def of_kind(self, s: Hand, kind: int) -> list[Any]:
        return self.legal(s)[:1]


class KindsMistaken(PlainKuhn):
    """A bet is of another kind than it is listed under."""

    def kind(self, s: Hand, move: str) -> int:
        return int(move == "bet")

    def kinds(self, s: Hand) -> list[int]:
        return [0]

    def of_kind(self, s: Hand, kind: int) -> list[Any]:
        return self.legal(s)


class KindsInVain(PlainKuhn):
    """A kind is told that no legal move has."""

    def kinds(self, s: Hand) -> list[int]:
        return [0, 5]

    def of_kind(self, s: Hand, kind: int) -> list[Any]:
        return self.legal(s) if kind == 0 else []


class TraitsOfHiddenCards(PlainKuhn):
    """The numbers of a position have the other player's card."""

    trait_names = Traits(("card",), ("bet",))

    def traits(self, s: Hand, viewer: int, moves: list[Any]) -> Any:
        return (float(s.cards[1 - viewer]),), [(float(move == "bet"),) for move in moves]


class TraitsOfOtherMoves(PlainKuhn):
    """The number of a move says how many were asked about."""

    trait_names = Traits(("turn",), ("how many",))

    def traits(self, s: Hand, viewer: int, moves: list[Any]) -> Any:
        return (float(len(s.line)),), [(float(len(moves)),) for _ in moves]


class TraitsWithoutEnd(PlainKuhn):
    """A number that is none."""

    trait_names = Traits(("turn",), ("worth",))

    def traits(self, s: Hand, viewer: int, moves: list[Any]) -> Any:
        return (0.0,), [(math.nan,) for _ in moves]


# --- suppose ----------------------------------------------------------------------------


class SupposesInVain(HighRoll):
    """`determinize` does not care what was supposed."""

    def determinize(self, s: Claim, viewer: int, stream: Stream) -> None:
        if s.roll is not None and s.roll < 0:
            s.roll = HIDDEN
        super().determinize(s, viewer, stream)


class SupposesTheLikely(HighRoll):
    """That the roll was not the highest is never thought of."""

    def suppose(self, s: Claim, viewer: int, label: int) -> tuple[None, bool]:
        rolled = s.roll == HIDDEN and viewer == 1
        possible = super().suppose(s, viewer, label)[1]
        return None, possible and not (rolled and label == 0)


class SupposesTheImpossible(HighRoll):
    secrets = 3

    def suppose(self, s: Claim, viewer: int, label: int) -> tuple[None, bool]:
        return super().suppose(s, viewer, min(label, 1))


class SupposesForGood(HighRoll):
    """A viewer who knows his roll has it forgotten."""

    def suppose(self, s: Claim, viewer: int, label: int) -> tuple[None, bool]:
        if s.roll is not None and viewer == 0:
            s.roll = 0
        return super().suppose(s, viewer, label)


class SupposesEvenly(HighRoll):
    """The loads of the die are forgotten with what is supposed."""

    def determinize(self, s: Claim, viewer: int, stream: Stream) -> None:
        if s.roll == HIDDEN - 1:
            s.roll = stream.below(2)
        super().determinize(s, viewer, stream)


# --- determinize ------------------------------------------------------------------------


class TruthKeptAside(PlainKuhn):
    """`hide` keeps the cards where no comparison sees them, and `determinize` puts them back."""

    def hide(self, s: Hand, viewer: int) -> None:
        s.aside = list(getattr(s, "aside", s.cards))  # type: ignore[attr-defined]
        super().hide(s, viewer)

    def apply(self, s: Hand, move: Any) -> None:
        super().apply(s, move)
        s.__dict__.pop("aside", None)

    def determinize(self, s: Hand, viewer: int, stream: Stream) -> None:
        s.cards = list(s.aside)  # type: ignore[attr-defined]


class TruthInTheRules(Tricks):
    """The rules remember what they hid last; larger, so that views seldom recur."""

    deck, hand, bounds = 12, 3, (-3.0, 3.0)

    def hide(self, s: Table, viewer: int) -> None:
        self.last = copy.deepcopy(s.hands)
        super().hide(s, viewer)

    def determinize(self, s: Table, viewer: int, stream: Stream) -> None:
        s.hands = copy.deepcopy(self.last)


class TruthHalfTheTime(TruthKeptAside):
    """Half of the worlds are the truth, the others are honest."""

    def determinize(self, s: Hand, viewer: int, stream: Stream) -> None:
        if stream.below(2):
            super().determinize(s, viewer, stream)
        else:
            PlainKuhn.determinize(self, s, viewer, stream)


class HighCardsElsewhere(Tricks):
    """Once a card is played, where all deals are too many to follow, others have the highest."""

    deck, hand, bounds = 20, 4, (-4.0, 4.0)

    def determinize(self, s: Table, viewer: int, stream: Stream) -> None:
        if not s.played:
            super().determinize(s, viewer, stream)
            return
        own = s.hands[viewer] if viewer >= 0 else ()
        left = [c for c in range(self.deck) if c not in own and c not in s.played]
        for player, hand in enumerate(s.hands):
            if player != viewer:
                s.hands[player] = tuple(sorted(left.pop() for _ in hand))


class ChangesOwnCards(PlainKuhn):
    def determinize(self, s: Hand, viewer: int, stream: Stream) -> None:
        deck = [0, 1, 2]
        stream.shuffle(deck)
        s.cards = deck[: len(s.cards)]


class OnlyForTheMover(PlainKuhn):
    """Takes the player to move for the viewer."""

    def determinize(self, s: Hand, viewer: int, stream: Stream) -> None:
        mover = self.turn(s)
        deck = [card for card in range(3) if mover < 0 or card != s.cards[mover]]
        stream.shuffle(deck)
        s.cards = [c if player == mover else deck.pop() for player, c in enumerate(s.cards)]


class BlankUnlessMoving(PlainKuhn):
    """Does nothing for a viewer who is not to move."""

    def determinize(self, s: Hand, viewer: int, stream: Stream) -> None:
        if viewer == self.turn(s):
            super().determinize(s, viewer, stream)


class ForgetsTheLoads(LoadedDie):
    def determinize(self, s: Claim, viewer: int, stream: Stream) -> None:
        if s.roll == HIDDEN:
            s.roll = stream.below(3)


class GuessesPending(Pennies):
    """Fills in a choice that is pending instead of leaving it to the search."""

    def determinize(self, s: Choices, viewer: int, stream: Stream) -> None:
        if viewer == 1 and self.turn(s) == 0:
            s.pending[0] = stream.choice(["heads", "tails"])


class OwnRandomness(PlainKuhn):
    """Draws its worlds from Python's global generator."""

    def determinize(self, s: Hand, viewer: int, stream: Stream) -> None:
        super().determinize(s, viewer, Stream(random.getrandbits(64)))


# --- views and tokens -------------------------------------------------------------------


class LeakyHide(PlainKuhn):
    def hide(self, s: Hand, viewer: int) -> None:
        if len(s.line) < 2:
            super().hide(s, viewer)


class LeakyLate(Tricks):
    """The last card of each hand shows; a game too large for views to recur by chance."""

    deck, hand, bounds = 14, 4, (-4.0, 4.0)

    def hide(self, s: Table, viewer: int) -> None:
        if max(map(len, s.hands)) > 1 or not s.played:
            super().hide(s, viewer)


class TellsMore(PlainKuhn):
    def sees(self, s: Hand, move: Any, viewer: int) -> Any:
        return move


class TellsLess(PlainKuhn):
    def sees(self, s: Hand, move: Any, viewer: int) -> Any:
        told = super().sees(s, move, viewer)
        return "acted" if move in ("pass", "bet") and viewer != self.turn(s) else told


class VisibleEarly(Pennies):
    """The first coin lies open before the second is chosen."""

    def hide(self, s: Choices, viewer: int) -> None:
        pass


class ForgetsWhatItSaw(Krieg):
    """The view depends on more than what came before: failed tries show their door at the end."""

    def hide(self, s: Doors, viewer: int) -> None:
        tries = list(s.tries)
        super().hide(s, viewer)
        if s.guess is not None:
            s.tries = tries


class HidesTwice(PlainKuhn):
    def hide(self, s: Hand, viewer: int) -> None:
        s.cards = [c if player == viewer else c - 10 for player, c in enumerate(s.cards)]


class CoarseInfoset(PlainKuhn):
    def infoset(self, s: Hand, viewer: int) -> Any:
        return super().infoset(s, viewer)[0], len(s.line), len(s.cards)


class PeekingInfoset(PlainKuhn):
    def infoset(self, s: Hand, viewer: int) -> Any:
        return tuple(s.cards), tuple(s.line)


class TurnFromHiddenCards(PlainKuhn):
    """`turn` counts the cards that it can see."""

    def turn(self, s: Hand) -> int:
        shown = [card for card in s.cards if card != HIDDEN]
        return super().turn(Hand(shown, s.line))


class LegalFromHiddenCards(PlainKuhn):
    """Who faces the king may not bet: his legal moves tell him so."""

    def legal(self, s: Hand) -> list[Any]:
        moves = super().legal(s)
        player = self.turn(s)
        return moves[:1] if player >= 0 and s.cards[1 - player] == 2 else moves


@dataclass
class Noted(Hand):
    notes: dict[str, int] = field(default_factory=dict)


class OrderInAView(PlainKuhn):
    """A dictionary in the view has an order that goes by the other's card."""

    def start(self) -> Noted:
        return Noted()

    def hide(self, s: Hand, viewer: int) -> None:
        others = [card for player, card in enumerate(s.cards) if player != viewer]
        assert isinstance(s, Noted)
        if not s.notes:
            s.notes = {"high": 0, "low": 0} if 2 in others else {"low": 0, "high": 0}
        super().hide(s, viewer)


class HiddenCardFirst(PlainKuhn):
    """What to do against the card that the other holds comes first."""

    def legal(self, s: Hand) -> list[Any]:
        moves = super().legal(s)
        player = self.turn(s)
        return moves[::-1] if player >= 0 and s.cards[1 - player] == 0 else moves


# --- moves ------------------------------------------------------------------------------


class IndexOwnTokenCard(Tricks):
    """A play is named by its place in the hand; the mover is told the card."""

    def legal(self, s: Table) -> list[Any]:
        moves = super().legal(s)
        return moves if isinstance(moves[0], tuple) else list(range(len(moves)))

    def _card(self, s: Table, move: Any) -> Any:
        return move if isinstance(move, tuple) else s.hands[self.turn(s)][move]

    def apply(self, s: Table, move: Any) -> None:
        super().apply(s, self._card(s, move))

    def sees(self, s: Table, move: Any, viewer: int) -> Any:
        return super().sees(s, self._card(s, move), viewer)


class IndexOwnTokenIndex(IndexOwnTokenCard):
    """The mover is told the place in his hand, the others the card."""

    def sees(self, s: Table, move: Any, viewer: int) -> Any:
        own = not isinstance(move, tuple) and viewer == self.turn(s)
        return ("place", move) if own else super().sees(s, move, viewer)


class IndexInALargeGame(IndexOwnTokenIndex):
    deck, hand, bounds = 20, 5, (-5.0, 5.0)


class NothingLegal(PlainKuhn):
    def legal(self, s: Hand) -> list[Any]:
        return super().legal(s) if s.line != ["pass", "bet"] else []


class TwiceLegal(PlainKuhn):
    def legal(self, s: Hand) -> list[Any]:
        return [*super().legal(s), *super().legal(s)[:1]]


class StrangeTurn(PlainKuhn):
    def turn(self, s: Hand) -> int:
        return 7 if s.line == ["pass"] else super().turn(s)


class NegativeWeight(LoadedDie):
    loads = (1.0, -2.0, 5.0)


class MissingWeight(LoadedDie):
    loads = (1.0, 2.0)


class WrongDraw(LoadedDie):
    def draw(self, s: Claim, stream: Stream) -> Any:
        return ("roll", stream.below(3))


class UnlistedDraw(LoadedDie):
    def draw(self, s: Claim, stream: Stream) -> Any:
        return ("roll", stream.below(4))


class SameText(PlainKuhn):
    def move_text(self, move: Any) -> str:
        return "deal" if isinstance(move, tuple) else str(move)


class ImpossibleRoll(LoadedDie):
    """A world's hidden roll is beyond what the payoffs allow for."""

    bounds = (-2.0, 2.0)

    def payoff(self, s: Claim) -> list[float]:
        assert s.roll is not None
        return [float(s.roll), -float(s.roll)]

    def determinize(self, s: Claim, viewer: int, stream: Stream) -> None:
        if s.roll == HIDDEN:
            s.roll = 7


# --- ends -------------------------------------------------------------------------------


class OutOfBounds(PlainKuhn):
    bounds = (-1.0, 1.0)


class NoNumber(PlainKuhn):
    def payoff(self, s: Hand) -> list[float]:
        return [math.nan, 0.0]


class NeverEnds(PlainKuhn):
    most_plies = 10_000

    def turn(self, s: Hand) -> int:
        return CHANCE if len(s.cards) < 2 else len(s.line) % 2


class FarHorizon(PlainKuhn):
    def horizon(self, s: Hand) -> list[float] | None:
        return [9.0, -9.0] if s.line else None


# --- the ground -------------------------------------------------------------------------


class DealtWhenMade(PlainKuhn):
    """The deal is drawn in the constructor and lies in every start."""

    def __init__(self) -> None:
        self.deck = random.sample(range(30), 2)

    def start(self) -> Hand:
        return Hand(list(self.deck))


class DealtOutOfSight(PlainKuhn):
    """The deal is drawn in the constructor, lies where no attribute shows it, and decides."""

    def __init__(self) -> None:
        bonus = random.random()
        self._bonus = lambda: bonus

    def payoff(self, s: Hand) -> list[float]:
        return [self._bonus(), -self._bonus()]


class DealtByStart(PlainKuhn):
    def start(self) -> Hand:
        return Hand(random.sample(range(3), 2))


class OneStartForAll(PlainKuhn):
    def __init__(self) -> None:
        self.first = Hand()

    def start(self) -> Hand:
        return self.first


class SharedLine(PlainKuhn):
    """Copies share the list of what was played."""

    def copy(self, s: Hand) -> Hand:
        return Hand(list(s.cards), s.line)


class RandomLegal(PlainKuhn):
    def legal(self, s: Hand) -> list[Any]:
        moves = super().legal(s)
        return moves if random.random() < 0.5 else moves[::-1]


class RandomApply(PlainKuhn):
    def apply(self, s: Hand, move: Any) -> None:
        super().apply(s, random.choice(["pass", "bet"]) if move == "bet" else move)


class AskingCounts(PlainKuhn):
    """`turn` leaves a trace in the position."""

    def turn(self, s: Hand) -> int:
        answer = super().turn(s)
        if answer == OVER:
            s.line.append("asked")
            s.line = s.line[:3]
        return answer


class Raises(PlainKuhn):
    """A rule that fails after one line of play."""

    def payoff(self, s: Hand) -> list[float]:
        if s.line == ["bet", "bet"]:
            raise ZeroDivisionError("no pot to share")
        return super().payoff(s)


class RaisesInApply(PlainKuhn):
    def apply(self, s: Hand, move: Any) -> None:
        if s.line == ["pass"] and move == "bet":
            raise KeyError("raise")
        super().apply(s, move)


class RaisesForThePublic(PlainKuhn):
    def determinize(self, s: Hand, viewer: int, stream: Stream) -> None:
        if viewer < 0:
            raise IndexError("no such player")
        super().determinize(s, viewer, stream)


class RaisesAtOnce(PlainKuhn):
    def start(self) -> Hand:
        raise RuntimeError("no start today")


class Unreadable(PlainKuhn):
    """A state with no stable text."""

    def start(self) -> Hand:
        state = Hand()
        state.cards.append(object())  # type: ignore[arg-type]
        return state
