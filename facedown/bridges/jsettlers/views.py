"""A table as a view of the game `settlers:offers=table`, for agents of ours.

A view is made of what the server has said and of nothing else: others' cards, the bank's and the
deck's are blank in it. The server's bank has no end, so all see that it lacks nothing.
"""

from __future__ import annotations

from typing import Any

from facedown.bridges.jsettlers import messages as say
from facedown.bridges.jsettlers import table as tb
from facedown.bridges.jsettlers.board import (
    ANY,
    DESERT,
    DICE,
    EDGE_OF,
    HARBOUR,
    HARBOURS,
    HEX_OF,
    HEXES,
    LAND,
    NODE_OF,
    ROWS,
    WATER,
    Board,
)
from facedown.bridges.jsettlers.needs import Need, offer_to_answer
from facedown.bridges.jsettlers.table import Place, Table
from facedown.core import FacedownError, Game, Position
from facedown.games.settlers import setup
from facedown.games.settlers import state as st

THREE_TO_ONE, TWO_TO_ONE = 7, 16  # harbours in a layout, if nobody asks where they face

CARD_OF = {
    tb.KNIGHT: st.KNIGHT,
    tb.ROADS: st.ROAD_BUILDING,
    tb.PLENTY: st.PLENTY,
    tb.MONOPOLY: st.MONOPOLY,
    **dict.fromkeys(tb.POINT_CARDS, st.VICTORY),
}


class NoViewError(FacedownError):
    """What stands on the table is no position of the game."""


def seating(table: Table) -> tuple[int, ...]:
    """The seats in the order of play: player k of ours sits on the k-th of them.

    Our player 0 places first. Seats that nobody ever sat on are left out.
    """
    taken = [seat for seat, place in enumerate(table.places) if place.name or place.roads]
    first = table.first if table.first in taken else min(taken, default=0)
    return tuple(sorted(taken, key=lambda seat: (seat - first) % len(table.places)))


def board_of(board: Board) -> setup.Board:
    """The board, as the game numbers it; SpecError where it has none such."""
    kinds = [board.resource[coord] for coord in LAND]
    hexes = tuple(st.DESERT if kind == DESERT else kind - 1 for kind in kinds)
    numbers = tuple(board.number.get(coord, 0) for coord in LAND)
    moored = [board.harbour.get(HARBOURS[place][0], 0) for place in HARBOUR]
    harbours = tuple(st.GENERIC if kind == ANY else kind - 1 for kind in moored)
    return setup.Board(hexes, numbers, harbours)


def layout_of(game: str, board: setup.Board, robber: int) -> say.BoardLayout:
    """The message by which a server shows a board, and the robber on a hex of ours."""
    kinds, numbers = [WATER] * sum(ROWS), [-1] * sum(ROWS)
    for place, coord in HEXES.items():
        number = HEX_OF[coord]
        kinds[place] = DESERT if board.hexes[number] == st.DESERT else board.hexes[number] + 1
        if board.numbers[number]:
            numbers[place] = DICE.index(board.numbers[number])
    for place, kind in zip(HARBOUR, board.harbours, strict=True):
        kinds[place] = THREE_TO_ONE if kind == st.GENERIC else TWO_TO_ONE + kind + 1
    return say.BoardLayout(game, tuple(kinds), tuple(numbers), LAND[robber])


class Viewer:
    """Makes views of one table, from the moment on when it is known who plays."""

    def __init__(self, game: Game, table: Table) -> None:
        if table.board is None:
            raise NoViewError("there is no board yet")
        self.game, self.table = game, table
        self.seats = seating(table)
        self.player = {seat: player for player, seat in enumerate(self.seats)}
        self._board = board_of(table.board)
        if table.me not in self.player or len(self.seats) != game.players:
            raise NoViewError(f"{len(self.seats)} sit at the table, {game.players} are to play")

    # --- the position ----------------------------------------------------------------------------

    def stand(self) -> Position:
        """The view of whoever's table it is, in the turn as it stands, before or after the dice."""
        table = self.table
        own = table.turn == table.me
        position = setup.make(
            self.game,
            [self._seat(seat) for seat in self.seats],
            board=self._board,
            player=self.player.get(table.turn, 0),
            rolled=table.rolled,
            spent=table.card_played,
            fresh=_cards(table.own.new) if own else (0,) * 5,
            played=self._played(),
            robber=HEX_OF[table.robber],
            longest=self.player.get(table.longest_road, st.NONE),
            army=self.player.get(table.largest_army, st.NONE),
            turns=min(table.turns, 30_000),
        )
        s = position.record
        for player, seat in enumerate(self.seats):
            self._count(s, player, table.places[seat])
        s["bank"], s["deck"], s["stock"] = 0, 0, st.TOPS
        s["left"] = min(table.cards_left, st.DECK_SIZE)
        s["bought"] = table.places[table.turn].new.total() if table.turn >= 0 else 0
        s["offers"] = min(table.offers_made, st.TABLE_LIMIT - 1)
        s["count"] = 2 * len(self.seats) if table.state >= tb.ROLL else self._placed()
        return position

    def _seat(self, seat: int) -> setup.Seat:
        place, own = self.table.places[seat], seat == self.table.me
        return setup.Seat(
            settlements=[NODE_OF[node] for node in sorted(place.settlements)],
            cities=[NODE_OF[node] for node in sorted(place.cities)],
            roads=[EDGE_OF[edge] for edge in sorted(place.roads)],
            hand=[min(n, tb.BANK) for n in place.hand.least] if own else (0,) * 5,
            cards=_cards(place.old + place.new) if own else (0,) * 5,
            knights=place.knights,
        )

    def _played(self) -> list[int]:
        """Cards played by all: knights by their count, the others as far as one was there."""
        played = [0] * st.CARD_KINDS
        for card, kind in CARD_OF.items():
            played[kind] += self.table.played[card]
        played[st.KNIGHT] = sum(place.knights for place in self.table.places)
        return played

    def _count(self, s: Any, player: int, place: Place) -> None:
        """What all can count of a player's cards."""
        if player != self.player[self.table.me]:
            s["held"][player] = min(place.hand.total, 127)
            s["unplayed"][player] = place.cards
        s["silent"][player] = min(place.silent, st.DECK_SIZE)

    # --- where the game stands -------------------------------------------------------------------

    def view(self, need: Need) -> Position:
        """The view of the seat where it has to decide something. NoViewError, SpecError."""
        enter = _ENTER.get(need)
        if enter is None:
            raise NoViewError(f"{need.name} is no decision of the game")
        position = self.stand()
        position.record["actor"] = self.player[self.table.me]
        enter(self, position.record)
        return position

    def _settling(self, s: Any) -> None:
        s["phase"] = st.SETTLING
        s["spot"] = NODE_OF.get(self.table.spot, st.NONE)

    def _paving(self, s: Any) -> None:
        s["phase"] = st.PAVING
        s["spot"] = NODE_OF[self.table.last_settlement[self.table.me]]

    def _placed(self) -> int:
        return sum(len(place.roads) for place in self.table.places)

    def _before(self, s: Any) -> None:
        s["phase"] = st.BEFORE

    def _acting(self, s: Any) -> None:
        s["phase"] = st.ACTING

    def _free_road(self, s: Any) -> None:
        s["phase"] = st.PAVING_FREE
        s["free"] = 2 if self.table.state == tb.FREE_ROAD else 1

    def _robbing(self, s: Any) -> None:
        s["phase"] = st.ROBBING

    def _choosing(self, s: Any) -> None:
        s["phase"] = st.CHOOSING

    def _discarding(self, s: Any) -> None:
        s["phase"] = st.DISCARDING
        for seat, count in self.table.discards.items():
            if seat in self.player:
                s["owed"][self.player[seat]] = count

    def _answering(self, s: Any) -> None:
        """An offer of whoever's turn it is, or a counter-offer to oneself."""
        table, seat = self.table, offer_to_answer(self.table)
        if seat is None:
            raise NoViewError("no offer waits for an answer")
        s["phase"], s["asker"] = st.ANSWERING, self.player[seat]
        standing = table.offers.get(table.turn)
        if standing is not None:
            waiting = standing.to - table.rejected[table.turn] - set(table.offers)
            s["terms"][0], s["terms"][1] = st.pack(standing.give), st.pack(standing.get)
            s["to"] = sum(1 << self.player[other] for other in waiting if other in self.player)
        if seat != table.turn:
            counter = table.offers[seat]
            s["terms"][2], s["terms"][3] = st.pack(counter.give), st.pack(counter.get)
        else:
            s["to"] |= 1 << self.player[table.me]


_ENTER: dict[Need, Any] = {
    Need.SETTLEMENT: Viewer._settling,
    Need.ROAD: Viewer._paving,
    Need.ROLL: Viewer._before,
    Need.PLAY: Viewer._acting,
    Need.FREE_ROAD: Viewer._free_road,
    Need.ROBBER: Viewer._robbing,
    Need.VICTIM: Viewer._choosing,
    Need.DISCARD: Viewer._discarding,
    Need.ANSWER: Viewer._answering,
}


def _cards(held: Any) -> list[int]:
    """Development cards of one's own by our kinds."""
    counts = [0] * st.CARD_KINDS
    for card, kind in CARD_OF.items():
        counts[kind] += held[card]
    return counts
