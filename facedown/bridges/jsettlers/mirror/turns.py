"""Seats, the board, whose turn it is, who holds what all can see, and the end."""

from __future__ import annotations

from facedown.bridges.jsettlers import messages as say
from facedown.bridges.jsettlers.board import read_layout
from facedown.bridges.jsettlers.mirror.ledger import Handlers, Ledger
from facedown.bridges.jsettlers.mirror.numbers import ARMY, CARDS_LEFT, CURRENT, FIRST, ROAD_AWARD
from facedown.bridges.jsettlers.table import DISCARDING, ROLL


def _options(ledger: Ledger, message: say.JoinRequest) -> None:
    """Options that matter to a player: NT, no trades, and RD, no robber to the desert."""
    known = dict(option.partition("=")[::2] for option in message.options)
    ledger.table.trading = not known.get("NT", "").startswith("t")
    ledger.table.shelter = known.get("RD", "").startswith("t")


def _sit(ledger: Ledger, message: say.SitDown) -> None:
    place = ledger.table.places[message.seat]
    place.name, place.robot = message.name, message.robot


def _left(ledger: Ledger, message: say.Leave) -> None:
    """A seat that nobody sits on gets nothing; who only watched has none."""
    for place in ledger.table.places:
        if place.name == message.name:
            place.name = ""


def _layout(ledger: Ledger, message: say.BoardLayout) -> None:
    board = read_layout(message.kinds, message.numbers, message.robber)
    if board is not None:
        ledger.table.board, ledger.table.robber = board, board.robber


def _started(ledger: Ledger, message: say.Started) -> None:
    ledger.table.state = message.state


def _state(ledger: Ledger, message: say.GameState) -> None:
    table = ledger.table
    if message.state != DISCARDING:
        table.discards = {}
    if table.rolled and ledger.due:  # a roll that gives nothing has no message of its own
        ledger.compare("production", ledger.due, {})
        ledger.due = {}
    table.state = message.state


def _declined(ledger: Ledger, message: say.Declined) -> None:
    """One who asks for what cannot be is told where the game stands, if he may not know."""
    if message.state > 0:
        ledger.table.state = message.state


def _turn(ledger: Ledger, message: say.Turn) -> None:
    """No message says that cards are old now, or that one may be played again."""
    table = ledger.table
    table.turns += table.state >= ROLL
    table.offers_made = 0
    table.turn, table.state = message.player, message.state
    table.rolled = table.card_played = False
    ledger.due = {}
    table.discards, table.victims = {}, ()
    if table.first < 0:
        table.first = message.player
    for place in table.places:
        place.old.update(place.new)
        place.new.clear()


def _game_elements(ledger: Ledger, message: say.GameElements) -> None:
    table = ledger.table
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


def _longest_road(ledger: Ledger, message: say.LongestRoad) -> None:
    ledger.table.longest_road = message.player


def _largest_army(ledger: Ledger, message: say.LargestArmy) -> None:
    ledger.table.largest_army = message.player


def _statistics(ledger: Ledger, message: say.Statistics) -> None:
    told = message.points
    if told is None:
        return
    ledger.final = told
    for seat, points in enumerate(told):
        ledger.compare("points", ledger.table.points(seat), points)


HANDLERS: Handlers = {
    say.JoinRequest: _options,
    say.SitDown: _sit,
    say.Leave: _left,
    say.BoardLayout: _layout,
    say.Started: _started,
    say.GameState: _state,
    say.Declined: _declined,
    say.Turn: _turn,
    say.GameElements: _game_elements,
    say.LongestRoad: _longest_road,
    say.LargestArmy: _largest_army,
    say.Statistics: _statistics,
}
