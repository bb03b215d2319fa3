"""Dice, development cards and the robber."""

from __future__ import annotations

from facedown.bridges.jsettlers.fields import (
    Amount,
    AnySeat,
    Coord,
    Five,
    Four,
    Kind,
    Message,
    Name,
    Seat,
    Tagged,
    Whole,
    Wholes,
    Words,
)
from facedown.bridges.jsettlers.messages.registry import FROM_ROBOT, FROM_SERVER, kind


@kind(1031, FROM_ROBOT)
class Roll(Message):
    """One rolls the dice."""

    game: Name


@kind(1032, FROM_ROBOT)
class EndTurn(Message):
    """One ends one's turn."""

    game: Name


@kind(1045, FROM_ROBOT)
class BuyCard(Message):
    """One buys a development card."""

    game: Name


@kind(1049, FROM_ROBOT)
class PlayCard(Message):
    """One plays a development card."""

    game: Name
    card: Whole


@kind(1046, FROM_SERVER)
class CardAction(Message):
    """Development cards drawn (0), played (1), added new (2) or old (3), or not playable (4)."""

    game: Name
    player: AnySeat
    action: Whole
    cards: Wholes


@kind(1090, FROM_SERVER)
class SimpleAction(Message):
    """A card was bought (1: how many are left), or a monopoly taken (3: how many, and of what)."""

    game: Name
    player: AnySeat
    action: Whole
    first: Whole = 0
    second: Whole = 0


@kind(1052, FROM_SERVER)
class Picked(Message):
    """Cards taken from the bank, by year of plenty."""

    game: Name
    cards: Five
    player: Seat
    reason: Whole = 2


@kind(1052, FROM_ROBOT)
class Pick(Message):
    """One takes cards from the bank, by year of plenty."""

    game: Name
    cards: Five


@kind(1053, FROM_ROBOT)
class PickKind(Message):
    """One names a resource, by monopoly."""

    game: Name
    kind: Kind


@kind(1029, FROM_SERVER)
class DiscardRequest(Message):
    """One has to discard so many."""

    game: Name
    count: Amount


@kind(1033, FROM_SERVER)
class Discarded(Message):
    """A seat has discarded; what the others see is only how many."""

    game: Name
    player: Tagged
    cards: Five
    unknown: Amount = 0


@kind(1033, FROM_ROBOT)
class Discard(Message):
    """One discards."""

    game: Name
    cards: Five
    unknown: Amount = 0


@kind(1034, FROM_SERVER, FROM_ROBOT)
class MoveRobber(Message):
    """The robber goes to a hex."""

    game: Name
    player: Seat
    coord: Coord


@kind(1036, FROM_SERVER)
class ChooseVictim(Message):
    """One is to choose whom to rob."""

    game: Name
    victims: Four


@kind(1035, FROM_ROBOT)
class Victim(Message):
    """One robs this seat."""

    game: Name
    player: Seat


@kind(1102, FROM_SERVER)
class Robbed(Message):
    """A card was stolen; 6 to those who do not see it."""

    game: Name
    thief: Seat
    victim: Seat
    what: Name
    kind: Kind
    amount: Amount
    rest: Words = ()
