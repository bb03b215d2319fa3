"""What a game waits for from one seat, and a legal request in every such case.

The requests here are for when nobody thinks of a better one: they follow from the table alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto

from facedown.bridges.jsettlers import messages as say
from facedown.bridges.jsettlers.board import (
    CORNERS,
    DESERT,
    EDGES,
    LAND,
    NODES,
    edges_at,
    ends,
    hexes_at,
    neighbours,
)
from facedown.bridges.jsettlers.fields import SEATS, Message
from facedown.bridges.jsettlers.table import (
    CHOOSING_VICTIM,
    CITY,
    DISCARDING,
    FIRST_ROAD,
    FIRST_SETTLEMENT,
    FREE_ROAD,
    LAST_FREE_ROAD,
    MOVING_ROBBER,
    NAMING,
    PICKING,
    PLACING,
    PLAY,
    RESOURCES,
    ROAD,
    ROLL,
    SECOND_ROAD,
    SECOND_SETTLEMENT,
    SETTLEMENT,
    Table,
)


class Need(Enum):
    """What a game waits for."""

    SETTLEMENT = auto()  # of the placement
    ROAD = auto()  # of the placement
    ROLL = auto()  # or a card before it
    PLAY = auto()
    PIECE = auto()  # that is paid for already
    FREE_ROAD = auto()
    ROBBER = auto()
    VICTIM = auto()
    PLENTY = auto()
    MONOPOLY = auto()
    DISCARD = auto()
    ANSWER = auto()  # to an offer
    REPLIES = auto()  # of others, to one's own offer: nothing to be done but to withdraw it


_IN_TURN = {
    FIRST_SETTLEMENT: Need.SETTLEMENT,
    SECOND_SETTLEMENT: Need.SETTLEMENT,
    FIRST_ROAD: Need.ROAD,
    SECOND_ROAD: Need.ROAD,
    ROLL: Need.ROLL,
    PLAY: Need.PLAY,
    **dict.fromkeys(PLACING, Need.PIECE),
    FREE_ROAD: Need.FREE_ROAD,
    LAST_FREE_ROAD: Need.FREE_ROAD,
    MOVING_ROBBER: Need.ROBBER,
    PICKING: Need.PLENTY,
    NAMING: Need.MONOPOLY,
}


def need_of(table: Table) -> Need | None:
    """What the game waits for from the seat whose table it is; None: nothing."""
    if table.board is None:
        return None
    if table.state == DISCARDING:
        return Need.DISCARD if table.me in table.discards else None
    if offer_to_answer(table) is not None:
        return Need.ANSWER
    if table.turn != table.me:
        return None
    if table.state == PLAY and table.me in table.offers:
        return Need.REPLIES
    if table.state == CHOOSING_VICTIM:
        return Need.VICTIM if any(table.victims) else None
    return _IN_TURN.get(table.state)


def offer_to_answer(table: Table) -> int | None:
    """The seat whose offer waits for an answer: whoever's turn it is asks, or is asked back.

    A counter-offer of one's own, made after it, is an answer.
    """
    if table.state != PLAY:
        return None
    order = list(table.offers)
    for seat, offer in table.offers.items():
        between = table.turn in (seat, table.me)
        asked = table.me in offer.to and table.me not in table.rejected[seat]
        countered = table.turn == seat and table.me in order[order.index(seat) :]
        if seat != table.me and between and asked and not countered:
            return seat
    return None


def all_replied(table: Table) -> bool:
    """Whether everybody who was asked by one's own offer has said no, or something else."""
    offer = table.offers.get(table.me)
    if offer is None:
        return True
    said = table.rejected[table.me] | set(table.offers)
    return offer.to <= said


# --- places ---------------------------------------------------------------------------------------


def settlement_spots(table: Table, *, placement: bool = False) -> list[int]:
    """Corners where the seat may settle: no building within one edge, and by a road of its own."""
    built = {node for place in table.places for node in place.buildings}
    free = [node for node in NODES if not built & {node, *neighbours(node)}]
    if placement:
        return free
    return [node for node in free if table.own.roads & set(edges_at(node))]


def road_spots(table: Table, node: int | None = None) -> list[int]:
    """Edges where the seat may build: on its network, past nobody's building; or at `node`."""
    taken = {edge for place in table.places for edge in place.roads}
    free = [edge for edge in EDGES if edge not in taken]
    if node is not None:
        return [edge for edge in free if node in ends(edge)]
    others = {
        corner
        for seat, place in enumerate(table.places)
        if seat != table.me
        for corner in place.buildings
    }
    own = table.own

    def leads(corner: int) -> bool:
        return corner not in others and bool(own.roads & set(edges_at(corner)))

    return [
        edge
        for edge in free
        if any(corner in own.buildings or leads(corner) for corner in ends(edge))
    ]


def robber_spots(table: Table) -> list[int]:
    """Hexes where the robber may go."""
    assert table.board is not None
    closed = {table.robber}
    if table.shelter:
        closed |= {hex_ for hex_, kind in table.board.resource.items() if kind == DESERT}
    return [hex_ for hex_ in LAND if hex_ not in closed]


def victims_of(table: Table, thief: int, hex_: int) -> list[int]:
    """The seats that a thief can rob at a hex."""
    corners = {hex_ + step for step in CORNERS}
    return [
        seat
        for seat, place in enumerate(table.places)
        if seat != thief and place.hand.total and place.buildings & corners
    ]


# --- what to ask for if nobody has a better idea -------------------------------------------------


def plain_requests(game: str, table: Table, need: Need) -> Iterator[Message]:
    """Legal requests that go on with the game, the most sensible first."""
    if need in (Need.SETTLEMENT, Need.ROAD, Need.PIECE, Need.FREE_ROAD):
        yield from _pieces(game, table, need)
    elif need == Need.ROLL:
        yield say.Roll(game)
    elif need == Need.PLAY:
        yield say.EndTurn(game)
    elif need == Need.ROBBER:
        for hex_ in _robber_hexes(table):
            yield say.MoveRobber(game, table.me, hex_)
    elif need == Need.VICTIM:
        richest = sorted(range(SEATS), key=table.points, reverse=True)
        for seat in richest:
            if table.victims[seat]:
                yield say.Victim(game, seat)
    elif need == Need.PLENTY:
        yield say.Pick(game, (0, 1, 0, 1, 0))
    elif need == Need.MONOPOLY:
        for kind in (4, 2, 3, 1, 5):
            yield say.PickKind(game, kind)
    elif need == Need.DISCARD:
        yield say.Discard(game, _spared(table.own.hand.least, table.discards[table.me]))
    elif need == Need.ANSWER:
        yield say.Reject(game)
    else:
        yield say.ClearOffer(game)


def _pieces(game: str, table: Table, need: Need) -> Iterator[Message]:
    if need == Need.SETTLEMENT:
        spots = sorted(settlement_spots(table, placement=True), key=lambda n: -_worth(table, n))
        yield from (say.PutPiece(game, table.me, SETTLEMENT, node) for node in spots)
        return
    if need == Need.ROAD:
        last = table.last_settlement[table.me]
        edges = road_spots(table, last)
        yield from (say.PutPiece(game, table.me, ROAD, edge) for edge in edges)
        return
    piece = ROAD if need == Need.FREE_ROAD else table.state - PLACING[0]
    places = {
        ROAD: lambda: road_spots(table),
        SETTLEMENT: lambda: settlement_spots(table),
        CITY: lambda: sorted(table.own.settlements),
    }[piece]()
    if table.own.left[piece] > 0:
        yield from (say.PutPiece(game, table.me, piece, place) for place in places)
    yield say.CancelBuild(game, piece)
    yield say.EndTurn(game)


def _worth(table: Table, node: int) -> int:
    """How often a corner produces, of 36 rolls."""
    assert table.board is not None
    numbers = [table.board.number.get(hex_, 7) for hex_ in hexes_at(node)]
    return sum(6 - abs(7 - number) for number in numbers if number != 7)


def _robber_hexes(table: Table) -> list[int]:
    """Hexes for the robber: where others can be robbed and one has nothing oneself."""

    def worth(hex_: int) -> tuple[bool, int]:
        own = bool(table.own.buildings & {hex_ + step for step in CORNERS})
        points = max((table.points(seat) for seat in victims_of(table, table.me, hex_)), default=0)
        return not own, points

    return sorted(robber_spots(table), key=worth, reverse=True)


def _spared(hand: list[int], count: int) -> tuple[int, ...]:
    """What to discard: always one of what one has most of."""
    left, gone = list(hand), [0] * RESOURCES
    for _ in range(min(count, sum(hand))):
        most = max(range(RESOURCES), key=lambda resource: left[resource])
        left[most] -= 1
        gone[most] += 1
    return tuple(gone)
