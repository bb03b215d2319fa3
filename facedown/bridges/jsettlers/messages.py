"""The messages of a classic game, by their numbers: what a server says, and what a robot says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from facedown.bridges.jsettlers.fields import (
    Amount,
    AnySeat,
    Coord,
    Five,
    Flag,
    Four,
    Gains,
    Kind,
    Layout,
    MalformedError,
    Message,
    Name,
    Oddity,
    Pairs,
    Seat,
    Tagged,
    Whole,
    Wholes,
    Words,
)

Table = dict[int, type[Message]]

FROM_SERVER: Table = {}
FROM_ROBOT: Table = {}

IGNORED = frozenset(
    {1003, 1013, 1017, 1019, 1042, 1057, 1058, 1068, 1072, 1079, 1082, 1083, 1085, 1091, 1106}
)
"""What a server says that a robot need not hear: lists, faces, legal corners, texts, statistics."""

M = TypeVar("M", bound=Message)


def _kind(number: int, *tables: Table, separator: str = ",") -> Callable[[type[M]], type[M]]:
    """Make a class of fields a kind of message, known by its number to those who read it."""

    def enter(plain: type[M]) -> type[M]:
        made = dataclass(frozen=True)(plain)
        made.number, made.separator = number, separator
        for table in tables:
            table[number] = made
        return made

    return enter


def parse(text: str, table: Table = FROM_SERVER) -> Message | Oddity:
    """The message of a text, of either side's; an Oddity of every text that is none.

    >>> parse("1026|g,3,15")
    Turn(game='g', player=3, state=15)
    >>> parse("1026|g,9,15").reason
    '9 is not within 0 and 3'
    >>> parse("what?").reason
    'no number stands before it'
    """
    head, _, data = text.partition("|")
    if not (head.isascii() and head.isdecimal() and len(head) <= 9):
        return Oddity(-1, text, "no number stands before it")
    found = table.get(int(head))
    if found is None:
        return Oddity(int(head), text, "nothing is known of this number")
    try:
        return found.read(data)
    except MalformedError as error:
        return Oddity(int(head), text, str(error))


# --- coming and going ----------------------------------------------------------------------------


@_kind(9998, FROM_SERVER, FROM_ROBOT)
class Version(Message):
    """Who one is: 2700 is 2.7.00."""

    version: Whole
    text: Name
    build: Name = ""
    features: Name = ""


@_kind(1022, FROM_ROBOT)
class Login(Message):
    """A robot says its name, the server's cookie, and of what class it is."""

    name: Name
    cookie: Name
    brain: Name


@_kind(1071, FROM_SERVER)
class LoggedIn(Message):
    """How built-in robots are to play; that it comes at all says that one is logged in."""

    rest: Words = ()


@_kind(1059, FROM_SERVER)
class Refused(Message):
    """The server does not let one in, and why; it closes the connection."""

    words: Words = ()


@_kind(1069, FROM_SERVER)
class Status(Message):
    """A text, or a number and a text."""

    words: Words = ()


@_kind(9999, FROM_SERVER, FROM_ROBOT)
class Ping(Message):
    """To be sent back as it is."""

    milliseconds: Whole = 0


@_kind(1023, FROM_SERVER)
class JoinRequest(Message):
    """The server asks a robot to sit down in a game."""

    game: Name
    seat: Seat
    options: Words = ()


@_kind(1013, FROM_ROBOT)
class Join(Message):
    """One comes into a game."""

    name: Name
    password: Name
    host: Name
    game: Name


@_kind(1021, FROM_SERVER)
class Joined(Message):
    """One is in the game, and may sit down."""

    game: Name


@_kind(1012, FROM_SERVER, FROM_ROBOT)
class SitDown(Message):
    """Somebody sits down."""

    game: Name
    name: Name
    seat: Seat
    robot: Flag


@_kind(1011, FROM_SERVER, FROM_ROBOT)
class Leave(Message):
    """Somebody leaves a game."""

    name: Name
    host: Name
    game: Name


@_kind(1056, FROM_SERVER)
class Dismissed(Message):
    """A robot is to leave."""

    game: Name


@_kind(1015, FROM_SERVER)
class GameGone(Message):
    """There is no such game any more."""

    game: Name


@_kind(1074, FROM_SERVER)
class BoardReset(Message):
    """The game begins anew; robots are asked again."""

    game: Name


# --- the state of a game -------------------------------------------------------------------------


@_kind(1014, FROM_SERVER)
class BoardLayout(Message):
    """The island: hexes, numbers, and the robber's hex."""

    game: Name
    kinds: Layout
    numbers: Layout
    robber: Whole


@_kind(1018, FROM_SERVER)
class Started(Message):
    """The game begins."""

    game: Name
    state: Whole


@_kind(1025, FROM_SERVER)
class GameState(Message):
    """What the game waits for."""

    game: Name
    state: Whole


@_kind(1026, FROM_SERVER)
class Turn(Message):
    """Whose turn begins."""

    game: Name
    player: Seat
    state: Whole


@_kind(1028, FROM_SERVER)
class Dice(Message):
    """The sum of the dice; -1 before any."""

    game: Name
    total: Whole


@_kind(1092, FROM_SERVER, separator="|")
class Production(Message):
    """What the dice gave everyone."""

    game: Name
    gains: Gains


@_kind(1086, FROM_SERVER, separator="|")
class Elements(Message):
    """Numbers of a seat, by type: set, gained or lost."""

    game: Name
    player: Seat
    action: Whole
    pairs: Pairs


@_kind(1024, FROM_SERVER)
class Element(Message):
    """One number of a seat; of all seats where it is -1."""

    game: Name
    player: AnySeat
    action: Whole
    element: Whole
    amount: Whole
    rest: Words = ()


@_kind(1096, FROM_SERVER, separator="|")
class GameElements(Message):
    """Numbers of the game, by type."""

    game: Name
    pairs: Pairs


@_kind(1063, FROM_SERVER)
class HandSize(Message):
    """How many cards a seat holds."""

    game: Name
    player: Seat
    total: Amount


@_kind(1066, FROM_SERVER)
class LongestRoad(Message):
    """Who has the longest road."""

    game: Name
    player: AnySeat


@_kind(1067, FROM_SERVER)
class LargestArmy(Message):
    """Who has the largest army."""

    game: Name
    player: AnySeat


@_kind(1061, FROM_SERVER)
class Statistics(Message):
    """At the end the points of the seats; before that, the time."""

    game: Name
    words: Words = ()

    @property
    def points(self) -> tuple[int, ...] | None:
        """The final points, if that is what it tells."""
        first = self.words[:4]
        if len(self.words) < 8 or not all(word.isascii() and word.isdecimal() for word in first):
            return None
        return tuple(int(word[:6]) for word in first)


# --- building ------------------------------------------------------------------------------------


@_kind(1009, FROM_SERVER, FROM_ROBOT)
class PutPiece(Message):
    """A road (0), settlement (1) or city (2) is put down."""

    game: Name
    player: Seat
    piece: Whole
    coord: Coord


@_kind(1105, FROM_SERVER)
class TakeBack(Message):
    """A person takes a piece back."""

    game: Name
    player: Seat
    piece: Whole
    coord: Coord


@_kind(1043, FROM_ROBOT)
class BuildRequest(Message):
    """One wants to pay for a piece, and to put it down afterwards."""

    game: Name
    piece: Whole


@_kind(1044, FROM_SERVER, FROM_ROBOT)
class CancelBuild(Message):
    """A piece is not built; -2 is a development card."""

    game: Name
    piece: Whole


# --- cards, dice and robber ----------------------------------------------------------------------


@_kind(1031, FROM_ROBOT)
class Roll(Message):
    """One rolls the dice."""

    game: Name


@_kind(1032, FROM_ROBOT)
class EndTurn(Message):
    """One ends one's turn."""

    game: Name


@_kind(1045, FROM_ROBOT)
class BuyCard(Message):
    """One buys a development card."""

    game: Name


@_kind(1049, FROM_ROBOT)
class PlayCard(Message):
    """One plays a development card."""

    game: Name
    card: Whole


@_kind(1046, FROM_SERVER)
class CardAction(Message):
    """Development cards drawn (0), played (1), added new (2) or old (3), or not playable (4)."""

    game: Name
    player: AnySeat
    action: Whole
    cards: Wholes


@_kind(1090, FROM_SERVER)
class SimpleAction(Message):
    """A card was bought (1: how many are left), or a monopoly taken (3: how many, and of what)."""

    game: Name
    player: AnySeat
    action: Whole
    first: Whole = 0
    second: Whole = 0


@_kind(1052, FROM_SERVER)
class Picked(Message):
    """Cards taken from the bank, by year of plenty."""

    game: Name
    cards: Five
    player: Seat
    reason: Whole = 2


@_kind(1052, FROM_ROBOT)
class Pick(Message):
    """One takes cards from the bank, by year of plenty."""

    game: Name
    cards: Five


@_kind(1053, FROM_ROBOT)
class PickKind(Message):
    """One names a resource, by monopoly."""

    game: Name
    kind: Kind


@_kind(1029, FROM_SERVER)
class DiscardRequest(Message):
    """One has to discard so many."""

    game: Name
    count: Amount


@_kind(1033, FROM_SERVER)
class Discarded(Message):
    """A seat has discarded; what the others see is only how many."""

    game: Name
    player: Tagged
    cards: Five
    unknown: Amount = 0


@_kind(1033, FROM_ROBOT)
class Discard(Message):
    """One discards."""

    game: Name
    cards: Five
    unknown: Amount = 0


@_kind(1034, FROM_SERVER, FROM_ROBOT)
class MoveRobber(Message):
    """The robber goes to a hex."""

    game: Name
    player: Seat
    coord: Coord


@_kind(1036, FROM_SERVER)
class ChooseVictim(Message):
    """One is to choose whom to rob."""

    game: Name
    victims: Four


@_kind(1035, FROM_ROBOT)
class Victim(Message):
    """One robs this seat."""

    game: Name
    player: Seat


@_kind(1102, FROM_SERVER)
class Robbed(Message):
    """A card was stolen; 6 to those who do not see it."""

    game: Name
    thief: Seat
    victim: Seat
    what: Name
    kind: Kind
    amount: Amount
    rest: Words = ()


# --- trades --------------------------------------------------------------------------------------


@_kind(1040, FROM_SERVER)
class BankTraded(Message):
    """A seat has traded with the bank."""

    game: Name
    give: Five
    get: Five
    player: Seat


@_kind(1040, FROM_ROBOT)
class BankTrade(Message):
    """One trades with the bank."""

    game: Name
    give: Five
    get: Five


@_kind(1041, FROM_SERVER, FROM_ROBOT)
class Offer(Message):
    """An offer to some seats."""

    game: Name
    player: Seat
    to: Four
    give: Five
    get: Five


@_kind(1037, FROM_SERVER)
class Rejected(Message):
    """A seat rejects offers; with a reason, a request of one's own about trades was refused."""

    game: Name
    player: AnySeat
    reason: Whole = 0


@_kind(1037, FROM_ROBOT)
class Reject(Message):
    """One rejects all offers."""

    game: Name
    player: Seat = 0


@_kind(1038, FROM_SERVER)
class OfferCleared(Message):
    """A seat's offer is off the table; all are where it is -1."""

    game: Name
    player: AnySeat


@_kind(1038, FROM_ROBOT)
class ClearOffer(Message):
    """One withdraws one's offer."""

    game: Name
    player: Seat = 0


@_kind(1039, FROM_SERVER)
class Accepted(Message):
    """A trade is made: what comes to who accepts, and to who offered."""

    game: Name
    accepter: Seat
    offerer: Seat
    to_accepter: Five
    to_offerer: Five


@_kind(1039, FROM_ROBOT)
class Accept(Message):
    """One accepts an offer."""

    game: Name
    accepter: Seat
    offerer: Seat


@_kind(1104, FROM_SERVER)
class Declined(Message):
    """A request of one's own is not granted."""

    game: Name
    state: Whole
    reason: Whole
    rest: Words = ()
