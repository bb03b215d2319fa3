"""Trades with the bank and with each other."""

from __future__ import annotations

from facedown.bridges.jsettlers.fields import AnySeat, Five, Four, Message, Name, Seat, Whole, Words
from facedown.bridges.jsettlers.messages.registry import FROM_ROBOT, FROM_SERVER, kind


@kind(1040, FROM_SERVER)
class BankTraded(Message):
    """A seat has traded with the bank."""

    game: Name
    give: Five
    get: Five
    player: Seat


@kind(1040, FROM_ROBOT)
class BankTrade(Message):
    """One trades with the bank."""

    game: Name
    give: Five
    get: Five


@kind(1041, FROM_SERVER, FROM_ROBOT)
class Offer(Message):
    """An offer to some seats."""

    game: Name
    player: Seat
    to: Four
    give: Five
    get: Five


@kind(1037, FROM_SERVER)
class Rejected(Message):
    """A seat rejects offers; with a reason, a request of one's own about trades was refused."""

    game: Name
    player: AnySeat
    reason: Whole = 0


@kind(1037, FROM_ROBOT)
class Reject(Message):
    """One rejects all offers."""

    game: Name
    player: Seat = 0


@kind(1038, FROM_SERVER)
class OfferCleared(Message):
    """A seat's offer is off the table; all are where it is -1."""

    game: Name
    player: AnySeat


@kind(1038, FROM_ROBOT)
class ClearOffer(Message):
    """One withdraws one's offer."""

    game: Name
    player: Seat = 0


@kind(1039, FROM_SERVER)
class Accepted(Message):
    """A trade is made: what comes to who accepts, and to who offered."""

    game: Name
    accepter: Seat
    offerer: Seat
    to_accepter: Five
    to_offerer: Five


@kind(1039, FROM_ROBOT)
class Accept(Message):
    """One accepts an offer."""

    game: Name
    accepter: Seat
    offerer: Seat


@kind(1104, FROM_SERVER)
class Declined(Message):
    """A request of one's own is not granted."""

    game: Name
    state: Whole
    reason: Whole
    rest: Words = ()
