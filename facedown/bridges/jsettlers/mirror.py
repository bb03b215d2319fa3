"""The mirror of one game: a table kept up to date by every message of the server.

Where the rules foretell what a message says (production, hands, totals, rates of the bank, points)
the two are compared: `checked` counts, `differences` says what did not agree. The server is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from facedown.bridges.jsettlers import messages as say
from facedown.bridges.jsettlers.board import EDGES, LAND, NODES, read_layout
from facedown.bridges.jsettlers.fields import Message
from facedown.bridges.jsettlers.table import (
    CITY,
    DISCARDING,
    FIRST_ROAD,
    HAND_LIMIT,
    OVER,
    RESOURCES,
    ROAD,
    ROLL,
    SECOND_ROAD,
    SECOND_SETTLEMENT,
    SETTLEMENT,
    TO_WIN,
    UNKNOWN_CARD,
    Place,
    Proposal,
    Table,
)

SET, GAIN, LOSE = 100, 101, 102
UNKNOWN, ROADS_LEFT, CITIES_LEFT, KNIGHTS, LAST_SETTLEMENT, CARD_PLAYED = 6, 10, 12, 15, 18, 19
ROUND, CARDS_LEFT, FIRST, CURRENT, ARMY, ROAD_AWARD = 1, 2, 3, 4, 5, 6  # of the game
DRAW, PLAYED, ADD_NEW, ADD_OLD, CANNOT_PLAY = range(5)
BOUGHT, MONOPOLY = 1, 3

_NODES, _EDGES, _LAND = frozenset(NODES), frozenset(EDGES), frozenset(LAND)


class Mirror:
    """Keeps the table of seat `me`. Nothing that a server says makes it raise."""

    def __init__(self, me: int) -> None:
        self.table = Table(me)
        self.checked: Counter[str] = Counter()
        self.differences: list[str] = []
        self.final: tuple[int, ...] | None = None
        self._due: dict[int, list[int]] = {}  # by seat, what the last roll gives, until it is told

    def take(self, message: Message) -> None:
        """Take in what the server says."""
        handle = _HANDLERS.get(type(message))
        if handle is not None:
            if type(message) in _IN_TURN:
                self._not_won()
            handle(self, message)

    def _not_won(self) -> None:
        """Whoever goes on with his turn does not have the points to win."""
        table = self.table
        if table.turn >= 0 and table.state >= ROLL:
            place = table.places[table.turn]
            most = max(TO_WIN - 1 - table.public_points(table.turn), 0)
            place.silent = min(place.silent, most)

    def compare(self, what: str, ours: Any, theirs: Any) -> None:
        """Count a comparison; note it where the rules foretold something else."""
        self.checked[what] += 1
        if ours != theirs:
            self.differences.append(f"{what}: {theirs} is told, the rules say {ours}")

    def _odd(self, what: str) -> None:
        self.differences.append(what)

    # --- seats, board, turns ---------------------------------------------------------------------

    def _options(self, message: say.JoinRequest) -> None:
        """Options that matter to a player: NT, no trades, and RD, no robber to the desert."""
        known = dict(option.partition("=")[::2] for option in message.options)
        self.table.trading = not known.get("NT", "").startswith("t")
        self.table.shelter = known.get("RD", "").startswith("t")

    def _sit(self, message: say.SitDown) -> None:
        place = self.table.places[message.seat]
        place.name, place.robot = message.name, message.robot

    def _left(self, message: say.Leave) -> None:
        """A seat that nobody sits on gets nothing; who only watched has none."""
        for place in self.table.places:
            if place.name == message.name:
                place.name = ""

    def _layout(self, message: say.BoardLayout) -> None:
        board = read_layout(message.kinds, message.numbers, message.robber)
        if board is not None:
            self.table.board, self.table.robber = board, board.robber

    def _started(self, message: say.Started) -> None:
        self.table.state = message.state

    def _state(self, message: say.GameState) -> None:
        table = self.table
        if message.state != DISCARDING:
            table.discards = {}
        if table.rolled and self._due:  # a roll that gives nothing has no message of its own
            self.compare("production", self._due, {})
            self._due = {}
        table.state = message.state

    def _turn(self, message: say.Turn) -> None:
        """No message says that cards are old now, or that one may be played again."""
        table = self.table
        table.turns += table.state >= ROLL
        table.offers_made = 0
        table.turn, table.state = message.player, message.state
        table.rolled = table.card_played = False
        self._due = {}
        table.discards, table.victims = {}, ()
        if table.first < 0:
            table.first = message.player
        for place in table.places:
            place.old.update(place.new)
            place.new.clear()

    def _game_elements(self, message: say.GameElements) -> None:
        table = self.table
        for element, value in message.pairs:
            if element == CARDS_LEFT:
                table.cards_left = max(value, 0)
            elif not -1 <= value < len(table.places):
                continue
            elif element == FIRST:
                table.first = value
            elif element == CURRENT:
                table.turn = value
            elif element == ARMY:
                table.largest_army = value
            elif element == ROAD_AWARD:
                table.longest_road = value

    def _longest_road(self, message: say.LongestRoad) -> None:
        self.table.longest_road = message.player

    def _largest_army(self, message: say.LargestArmy) -> None:
        self.table.largest_army = message.player

    # --- hands -----------------------------------------------------------------------------------

    def _dice(self, message: say.Dice) -> None:
        table = self.table
        if message.total < 2:
            return
        table.dice, table.rolled = message.total, True
        self._due = table.production(message.total)
        if message.total == 7:
            table.discards = {
                seat: place.hand.total // 2
                for seat, place in enumerate(table.places)
                if place.hand.total > HAND_LIMIT
            }

    def _production(self, message: say.Production) -> None:
        table = self.table
        told = {}
        for gain in message.gains:
            cards = [0] * RESOURCES
            for amount, kind in gain.cards:
                cards[kind - 1] += amount
            told[gain.seat] = cards
            hand = table.places[gain.seat].hand
            self._get(table.places[gain.seat], cards)
            self.compare("hand totals", hand.total, gain.total)
            hand.total = max(gain.total, sum(hand.least))
        self.compare("production", self._due, told)
        self._due = {}

    def _get(self, place: Place, cards: Sequence[int]) -> None:
        for resource, amount in enumerate(cards):
            place.hand.gain(resource, amount)

    def _pay(self, place: Place, cards: Sequence[int]) -> None:
        for resource, amount in enumerate(cards):
            if amount and not place.hand.lose(resource, amount):
                self._odd(f"{place.name} pays {amount} of resource {resource + 1} out of nothing")

    def _elements(self, message: say.Elements) -> None:
        table, seat = self.table, message.player
        kinds = dict(message.pairs)
        if message.action == SET and seat == table.me and all(k in kinds for k in range(1, 6)):
            told = [max(kinds[kind], 0) for kind in range(1, 6)]
            hand = table.own.hand
            if hand.exact and table.state:
                self.compare("own hands", list(hand.least), told)
            hand.least, hand.total = told, sum(told)
            return
        for element, amount in message.pairs:
            self._element(seat, message.action, element, amount)

    def _one_element(self, message: say.Element) -> None:
        seats = range(len(self.table.places)) if message.player < 0 else [message.player]
        for seat in seats:
            self._element(seat, message.action, message.element, message.amount)

    def _element(self, seat: int, action: int, element: int, amount: int) -> None:
        if not 0 <= amount < 1000:
            return
        if 1 <= element <= RESOURCES:
            self._resource(self.table.places[seat], action, element - 1, amount)
        elif element == UNKNOWN:
            self._unknown(self.table.places[seat], action, amount)
        else:
            self._number(seat, action, element, amount)

    def _resource(self, place: Place, action: int, resource: int, amount: int) -> None:
        if action == GAIN:
            place.hand.gain(resource, amount)
        elif action == LOSE:
            cards = [0] * RESOURCES
            cards[resource] = amount
            self._pay(place, cards)
        elif action == SET:
            place.hand.fix(resource, amount)

    def _unknown(self, place: Place, action: int, amount: int) -> None:
        """Cards face down: how many there are in a hand that one comes to late."""
        if action == GAIN:
            place.hand.gain_any(amount)
        elif action == LOSE:
            place.hand.lose_any(amount)
        elif action == SET:
            place.hand.least, place.hand.total = [0] * RESOURCES, amount

    def _number(self, seat: int, action: int, element: int, amount: int) -> None:
        """Pieces in store, knights, the last settlement's corner, whether a card was played."""
        table, place = self.table, self.table.places[seat]
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

    def _hand_size(self, message: say.HandSize) -> None:
        hand = self.table.places[message.player].hand
        if hand.exact:
            self.compare("hand totals", hand.total, message.total)
        hand.total = message.total
        if sum(hand.least) > hand.total:
            hand.least = [0] * RESOURCES

    def _discarded(self, message: say.Discarded) -> None:
        table, place = self.table, self.table.places[message.player]
        count = sum(message.cards) + message.unknown
        if message.player in table.discards:
            self.compare("discards", table.discards.pop(message.player), count)
        self._pay(place, message.cards)
        if message.unknown and not place.hand.lose_any(message.unknown):
            self._odd(f"{place.name} discards {message.unknown} cards of {place.hand.total}")

    def _robber(self, message: say.MoveRobber) -> None:
        if message.coord in _LAND:
            self.table.robber = message.coord
        else:
            self._odd(f"the robber goes to {message.coord}, which is no land")

    def _choose(self, message: say.ChooseVictim) -> None:
        self.table.victims = message.victims

    def _robbed(self, message: say.Robbed) -> None:
        if message.what != "R":
            return
        table = self.table
        table.victims = ()
        thief, victim = table.places[message.thief], table.places[message.victim]
        if message.kind == UNKNOWN:
            thief.hand.gain_any(message.amount)
            if not victim.hand.lose_any(message.amount):
                self._odd(f"{victim.name} is robbed of a card and has none")
            return
        thief.hand.gain(message.kind - 1, message.amount)
        cards = [0] * RESOURCES
        cards[message.kind - 1] = message.amount
        self._pay(victim, cards)

    # --- pieces ----------------------------------------------------------------------------------

    def _put(self, message: say.PutPiece) -> None:
        table, place, coord = self.table, self.table.places[message.player], message.coord
        if not _fits(message.piece, coord):
            self._odd(f"piece {message.piece} stands at {coord}, where none can")
            return
        place.left[message.piece] = max(place.left[message.piece] - 1, 0)
        if message.piece == ROAD:
            place.roads.add(coord)
        elif message.piece == CITY:
            if coord in place.settlements:
                place.settlements.remove(coord)
                place.left[SETTLEMENT] += 1
            place.cities.add(coord)
        else:
            place.settlements.add(coord)
            table.last_settlement[message.player] = table.spot = coord
            if table.state == SECOND_SETTLEMENT and table.board is not None:
                for kind in table.board.yields(coord):  # which no message tells
                    place.hand.gain(kind - 1)

    def _take_back(self, message: say.TakeBack) -> None:
        """The cards that it cost come back by another message."""
        place, coord = self.table.places[message.player], message.coord
        if not _fits(message.piece, coord):
            return
        standing = (place.roads, place.settlements, place.cities)[message.piece]
        if coord not in standing:
            return
        standing.remove(coord)
        place.left[message.piece] += 1
        if message.piece == CITY:
            place.settlements.add(coord)
            place.left[SETTLEMENT] -= 1

    def _cancelled(self, message: say.CancelBuild) -> None:
        """A person takes back a settlement of the placement; else it refuses what one asked for."""
        table = self.table
        placed = table.state in (FIRST_ROAD, SECOND_ROAD) and message.piece == SETTLEMENT
        if not placed or table.turn in (table.me, -1):
            return
        place, coord = table.places[table.turn], table.last_settlement[table.turn]
        if coord not in place.settlements:
            return
        place.settlements.remove(coord)
        place.left[SETTLEMENT] += 1
        if table.state == SECOND_ROAD and table.board is not None:
            for kind in table.board.yields(coord):
                place.hand.lose(kind - 1)

    # --- development cards -----------------------------------------------------------------------

    def _card(self, message: say.CardAction) -> None:
        table = self.table
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

    def _simple(self, message: say.SimpleAction) -> None:
        if message.action == BOUGHT:
            self.table.cards_left = max(message.first, 0)
        elif message.action == MONOPOLY:
            self._not_won()

    def _picked(self, message: say.Picked) -> None:
        self._get(self.table.places[message.player], message.cards)

    # --- trades ----------------------------------------------------------------------------------

    def _bank_traded(self, message: say.BankTraded) -> None:
        table, place = self.table, self.table.places[message.player]
        if table.board is not None and sum(message.give) > sum(message.get):
            rates = [place.rate(resource, table.board) for resource in range(RESOURCES)]
            paid = [amount / rate for amount, rate in zip(message.give, rates, strict=True)]
            self.compare("bank rates", sum(paid), sum(message.get))
        self._pay(place, message.give)
        self._get(place, message.get)

    def _offer(self, message: say.Offer) -> None:
        to = frozenset(seat for seat, asked in enumerate(message.to) if asked)
        self.table.offers_made += 1
        self.table.offers.pop(message.player, None)  # so that those who came last stand last
        self.table.offers[message.player] = Proposal(to, message.give, message.get)
        self.table.rejected[message.player] = set()

    def _rejected(self, message: say.Rejected) -> None:
        """Whoever rejects, rejects all offers that are for it."""
        if message.player >= 0 and message.reason == 0:
            for seat, offer in self.table.offers.items():
                if message.player in offer.to:
                    self.table.rejected[seat].add(message.player)

    def _cleared(self, message: say.OfferCleared) -> None:
        gone = list(self.table.offers) if message.player < 0 else [message.player]
        for seat in gone:
            self.table.offers.pop(seat, None)
            self.table.rejected.pop(seat, None)

    def _accepted(self, message: say.Accepted) -> None:
        table = self.table
        offer = table.offers.get(message.offerer)
        if offer is not None:
            told = (message.to_accepter, message.to_offerer)
            self.compare("trades", (offer.give, offer.get), told)
        accepter, offerer = table.places[message.accepter], table.places[message.offerer]
        self._pay(offerer, message.to_accepter)
        self._pay(accepter, message.to_offerer)
        self._get(accepter, message.to_accepter)
        self._get(offerer, message.to_offerer)
        table.offers.clear()  # as a message of its own says right after it
        table.rejected.clear()

    # --- the end ---------------------------------------------------------------------------------

    def _statistics(self, message: say.Statistics) -> None:
        told = message.points
        if told is None:
            return
        self.final = told
        for seat, points in enumerate(told):
            self.compare("points", self.table.points(seat), points)


def _fits(piece: int, coord: int) -> bool:
    """Whether a piece can stand there at all."""
    return coord in (_EDGES if piece == ROAD else _NODES if piece in (SETTLEMENT, CITY) else ())


def _drop(place: Place, card: int) -> None:
    """A card leaves: an old one, or one that only the server knew to be old."""
    for held in (place.old, place.new):
        for kind in (card, UNKNOWN_CARD):
            if held[kind] > 0:
                held[kind] -= 1
                return


_IN_TURN = {
    *(say.Dice, say.PutPiece, say.CardAction, say.Picked, say.MoveRobber),
    *(say.BankTraded, say.Offer, say.Turn),
}

_HANDLERS: dict[type[Message], Callable[[Mirror, Any], None]] = {
    say.JoinRequest: Mirror._options,
    say.SitDown: Mirror._sit,
    say.Leave: Mirror._left,
    say.BoardLayout: Mirror._layout,
    say.Started: Mirror._started,
    say.GameState: Mirror._state,
    say.Turn: Mirror._turn,
    say.GameElements: Mirror._game_elements,
    say.LongestRoad: Mirror._longest_road,
    say.LargestArmy: Mirror._largest_army,
    say.Dice: Mirror._dice,
    say.Production: Mirror._production,
    say.Elements: Mirror._elements,
    say.Element: Mirror._one_element,
    say.HandSize: Mirror._hand_size,
    say.Discarded: Mirror._discarded,
    say.MoveRobber: Mirror._robber,
    say.ChooseVictim: Mirror._choose,
    say.Robbed: Mirror._robbed,
    say.PutPiece: Mirror._put,
    say.TakeBack: Mirror._take_back,
    say.CancelBuild: Mirror._cancelled,
    say.CardAction: Mirror._card,
    say.SimpleAction: Mirror._simple,
    say.Picked: Mirror._picked,
    say.BankTraded: Mirror._bank_traded,
    say.Offer: Mirror._offer,
    say.Rejected: Mirror._rejected,
    say.OfferCleared: Mirror._cleared,
    say.Accepted: Mirror._accepted,
    say.Statistics: Mirror._statistics,
}
