"""Development cards."""

from __future__ import annotations

from facedown.bridges.jsettlers import messages as say
from facedown.bridges.jsettlers.mirror.ledger import Handlers, Ledger
from facedown.bridges.jsettlers.mirror.numbers import (
    ADD_NEW,
    BOUGHT,
    CANNOT_PLAY,
    DRAW,
    MONOPOLY,
    PLAYED,
)
from facedown.bridges.jsettlers.table import OVER, UNKNOWN_CARD, Place


def _card(ledger: Ledger, message: say.CardAction) -> None:
    table = ledger.table
    if message.player < 0 or message.action == CANNOT_PLAY:
        return
    place = table.places[message.player]
    for card in message.cards:
        known = card if message.player == table.me else UNKNOWN_CARD
        if message.action in (DRAW, ADD_NEW):
            place.new[known] += 1
            place.silent += 1
        elif message.action == PLAYED:
            _drop(place, known)
            table.played[card] += 1
        elif table.state != OVER:
            place.old[known] += 1
            place.silent += 1
        elif message.player != table.me:
            place.shown += 1


def _simple(ledger: Ledger, message: say.SimpleAction) -> None:
    if message.action == BOUGHT:
        ledger.table.cards_left = max(message.first, 0)
    elif message.action == MONOPOLY:
        ledger.not_won()


def _picked(ledger: Ledger, message: say.Picked) -> None:
    ledger.get(ledger.table.places[message.player], message.cards)


def _drop(place: Place, card: int) -> None:
    """A card leaves: an old one, or one that only the server knew to be old."""
    for held in (place.old, place.new):
        for kind in (card, UNKNOWN_CARD):
            if held[kind] > 0:
                held[kind] -= 1
                return


HANDLERS: Handlers = {
    say.CardAction: _card,
    say.SimpleAction: _simple,
    say.Picked: _picked,
}
