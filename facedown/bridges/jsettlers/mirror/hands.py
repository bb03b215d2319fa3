"""Resource cards: production, what is told of hands, discards, the robber."""

from __future__ import annotations

from facedown.bridges.jsettlers import messages as say
from facedown.bridges.jsettlers.board import HEX_OF
from facedown.bridges.jsettlers.mirror.ledger import Handlers, Ledger
from facedown.bridges.jsettlers.mirror.numbers import (
    CARD_PLAYED,
    CITIES_LEFT,
    GAIN,
    KNIGHTS,
    LAST_SETTLEMENT,
    LOSE,
    ROADS_LEFT,
    SET,
    UNKNOWN,
)
from facedown.bridges.jsettlers.table import DISCARDING, HAND_LIMIT, RESOURCES, Place


def _dice(ledger: Ledger, message: say.Dice) -> None:
    table = ledger.table
    if message.total < 2:
        return
    table.dice, table.rolled = message.total, True
    ledger.due = table.production(message.total)
    if message.total == 7:
        table.discards = {
            seat: place.hand.total // 2
            for seat, place in enumerate(table.places)
            if place.hand.total > HAND_LIMIT
        }


def _production(ledger: Ledger, message: say.Production) -> None:
    table = ledger.table
    told = {}
    for gain in message.gains:
        cards = [0] * RESOURCES
        for amount, kind in gain.cards:
            cards[kind - 1] += amount
        told[gain.seat] = cards
        hand = table.places[gain.seat].hand
        ledger.get(table.places[gain.seat], cards)
        ledger.compare("hand totals", hand.total, gain.total)
        hand.total = max(gain.total, sum(hand.least))
    ledger.compare("production", ledger.due, told)
    ledger.due = {}


def _elements(ledger: Ledger, message: say.Elements) -> None:
    table, seat = ledger.table, message.player
    kinds = dict(message.pairs)
    if message.action == SET and seat == table.me and all(k in kinds for k in range(1, 6)):
        told = [max(kinds[kind], 0) for kind in range(1, 6)]
        hand = table.own.hand
        if hand.exact and table.state:
            ledger.compare("own hands", list(hand.least), told)
        hand.least, hand.total = told, sum(told)
        return
    for element, amount in message.pairs:
        _element(ledger, seat, message.action, element, amount)


def _one_element(ledger: Ledger, message: say.Element) -> None:
    seats = range(len(ledger.table.places)) if message.player < 0 else [message.player]
    for seat in seats:
        _element(ledger, seat, message.action, message.element, message.amount)


def _element(ledger: Ledger, seat: int, action: int, element: int, amount: int) -> None:
    if not 0 <= amount < 1000:
        return
    if ledger.table.state == DISCARDING and action == LOSE and element <= UNKNOWN:
        ledger.table.discards.pop(seat, None)  # the server has discarded for one who was too late
    if 1 <= element <= RESOURCES:
        _resource(ledger, ledger.table.places[seat], action, element - 1, amount)
    elif element == UNKNOWN:
        _unknown(ledger, ledger.table.places[seat], action, amount)
    else:
        _number(ledger, seat, action, element, amount)


def _resource(ledger: Ledger, place: Place, action: int, resource: int, amount: int) -> None:
    if action == GAIN:
        place.hand.gain(resource, amount)
    elif action == LOSE:
        cards = [0] * RESOURCES
        cards[resource] = amount
        ledger.pay(place, cards)
    elif action == SET:
        place.hand.fix(resource, amount)


def _unknown(ledger: Ledger, place: Place, action: int, amount: int) -> None:
    """Cards face down: how many there are in a hand that one comes to late."""
    if action == GAIN:
        place.hand.gain_any(amount)
    elif action == LOSE:
        place.hand.lose_any(amount)
    elif action == SET:
        place.hand.least, place.hand.total = [0] * RESOURCES, amount


def _number(ledger: Ledger, seat: int, action: int, element: int, amount: int) -> None:
    """Pieces in store, knights, the last settlement's corner, whether a card was played."""
    table, place = ledger.table, ledger.table.places[seat]
    sign = {GAIN: 1, LOSE: -1}.get(action, 0)
    if ROADS_LEFT <= element <= CITIES_LEFT:
        piece = element - ROADS_LEFT
        place.left[piece] = place.left[piece] + sign * amount if sign else amount
    elif element == KNIGHTS:
        place.knights = place.knights + sign * amount if sign else amount
    elif element == LAST_SETTLEMENT:
        table.last_settlement[seat] = amount
    elif element == CARD_PLAYED and seat == table.turn:
        table.card_played = amount > 0


def _hand_size(ledger: Ledger, message: say.HandSize) -> None:
    hand = ledger.table.places[message.player].hand
    if hand.exact:
        ledger.compare("hand totals", hand.total, message.total)
    hand.total = message.total
    if sum(hand.least) > hand.total:
        hand.least = [0] * RESOURCES


def _discarded(ledger: Ledger, message: say.Discarded) -> None:
    table, place = ledger.table, ledger.table.places[message.player]
    count = sum(message.cards) + message.unknown
    if message.player in table.discards:
        ledger.compare("discards", table.discards.pop(message.player), count)
    ledger.pay(place, message.cards)
    if message.unknown and not place.hand.lose_any(message.unknown):
        ledger.odd(f"{place.name} discards {message.unknown} cards of {place.hand.total}")


def _robber(ledger: Ledger, message: say.MoveRobber) -> None:
    if message.coord in HEX_OF:
        ledger.table.robber = message.coord
    else:
        ledger.odd(f"the robber goes to {message.coord}, which is no land")


def _choose(ledger: Ledger, message: say.ChooseVictim) -> None:
    ledger.table.victims = message.victims


def _robbed(ledger: Ledger, message: say.Robbed) -> None:
    if message.what != "R":
        return
    table = ledger.table
    table.victims = ()
    thief, victim = table.places[message.thief], table.places[message.victim]
    if message.kind == UNKNOWN:
        thief.hand.gain_any(message.amount)
        if not victim.hand.lose_any(message.amount):
            ledger.odd(f"{victim.name} is robbed of a card and has none")
        return
    thief.hand.gain(message.kind - 1, message.amount)
    cards = [0] * RESOURCES
    cards[message.kind - 1] = message.amount
    ledger.pay(victim, cards)


HANDLERS: Handlers = {
    say.Dice: _dice,
    say.Production: _production,
    say.Elements: _elements,
    say.Element: _one_element,
    say.HandSize: _hand_size,
    say.Discarded: _discarded,
    say.MoveRobber: _robber,
    say.ChooseVictim: _choose,
    say.Robbed: _robbed,
}
