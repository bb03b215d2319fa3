"""Trades with the bank and between players."""

from __future__ import annotations

from facedown.bridges.jsettlers import messages as say
from facedown.bridges.jsettlers.mirror.ledger import Handlers, Ledger
from facedown.bridges.jsettlers.table import RESOURCES, Proposal


def _bank_traded(ledger: Ledger, message: say.BankTraded) -> None:
    table, place = ledger.table, ledger.table.places[message.player]
    if table.board is not None and sum(message.give) > sum(message.get):
        rates = [place.rate(resource, table.board) for resource in range(RESOURCES)]
        paid = [amount / rate for amount, rate in zip(message.give, rates, strict=True)]
        ledger.compare("bank rates", sum(paid), sum(message.get))
    ledger.pay(place, message.give)
    ledger.get(place, message.get)


def _offer(ledger: Ledger, message: say.Offer) -> None:
    to = frozenset(seat for seat, asked in enumerate(message.to) if asked)
    ledger.table.offers_made += 1
    ledger.table.offers.pop(message.player, None)  # so that those who came last stand last
    ledger.table.offers[message.player] = Proposal(to, message.give, message.get)
    ledger.table.rejected[message.player] = set()


def _rejected(ledger: Ledger, message: say.Rejected) -> None:
    """Whoever rejects, rejects all offers that are for it."""
    if message.player >= 0 and message.reason == 0:
        for seat, offer in ledger.table.offers.items():
            if message.player in offer.to:
                ledger.table.rejected[seat].add(message.player)


def _cleared(ledger: Ledger, message: say.OfferCleared) -> None:
    gone = list(ledger.table.offers) if message.player < 0 else [message.player]
    for seat in gone:
        ledger.table.offers.pop(seat, None)
        ledger.table.rejected.pop(seat, None)


def _accepted(ledger: Ledger, message: say.Accepted) -> None:
    table = ledger.table
    offer = table.offers.get(message.offerer)
    if offer is not None:
        told = (message.to_accepter, message.to_offerer)
        ledger.compare("trades", (offer.give, offer.get), told)
    accepter, offerer = table.places[message.accepter], table.places[message.offerer]
    ledger.pay(offerer, message.to_accepter)
    ledger.pay(accepter, message.to_offerer)
    ledger.get(accepter, message.to_accepter)
    ledger.get(offerer, message.to_offerer)
    table.offers.clear()  # as a message of its own says right after it
    table.rejected.clear()


HANDLERS: Handlers = {
    say.BankTraded: _bank_traded,
    say.Offer: _offer,
    say.Rejected: _rejected,
    say.OfferCleared: _cleared,
    say.Accepted: _accepted,
}
