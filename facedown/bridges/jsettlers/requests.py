"""Our moves as requests to a server, and back."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.bridges.jsettlers import messages as say
from facedown.bridges.jsettlers import table as tb
from facedown.bridges.jsettlers.board import EDGE, EDGE_OF, LAND, NODE, NODE_OF
from facedown.bridges.jsettlers.fields import SEATS, Message
from facedown.bridges.jsettlers.table import RESOURCES
from facedown.bridges.jsettlers.views import Viewer
from facedown.games.settlers import moves as m
from facedown.games.settlers.geometry import EDGES, HEXES, NODES
from facedown.games.settlers.state import PLAYERS, unpack

COMPOSED = frozenset({m.COMPOSE, m.COUNTER})
"""Moves that begin an offer, which is one request when it is made up."""


def request_of(viewer: Viewer, name: str, move: int) -> Message | None:
    """The request that a move is; None of moves that are only a part of one."""
    simple = {
        m.ROLL: say.Roll(name),
        m.END: say.EndTurn(name),
        m.CLAIM: say.EndTurn(name),  # a server sees by itself who has won
        m.BUY: say.BuyCard(name),
        m.PLAY_KNIGHT: say.PlayCard(name, tb.KNIGHT),
        m.PLAY_ROADS: say.PlayCard(name, tb.ROADS),
        m.REJECT: say.Reject(name),
    }
    if move in simple:
        return simple[move]
    table, me = viewer.table, viewer.table.me
    if m.SETTLE <= move < m.SETTLE + NODES:
        return say.PutPiece(name, me, tb.SETTLEMENT, NODE[move - m.SETTLE])
    if m.UPGRADE <= move < m.UPGRADE + NODES:
        return say.PutPiece(name, me, tb.CITY, NODE[move - m.UPGRADE])
    if m.PAVE <= move < m.PAVE + EDGES:
        return say.PutPiece(name, me, tb.ROAD, EDGE[move - m.PAVE])
    if m.ROB <= move < m.ROB + HEXES:
        return say.MoveRobber(name, me, LAND[move - m.ROB])
    if m.CHOOSE <= move < m.CHOOSE + PLAYERS:
        return say.Victim(name, viewer.seats[move - m.CHOOSE])
    if m.SWAP <= move < m.SWAP + m.SWAPS:
        given, gotten = m.swap_of(move)
        assert table.board is not None
        rate = table.own.rate(given, table.board)
        return say.BankTrade(name, _five(given, rate), _five(gotten, 1))
    if m.PLAY_PLENTY <= move < m.PLAY_PLENTY + m.PAIRS:
        return say.PlayCard(name, tb.PLENTY)
    if m.PLAY_MONOPOLY <= move < m.PLAY_MONOPOLY + RESOURCES:
        return say.PlayCard(name, tb.MONOPOLY)
    return None


def second_of(name: str, move: int) -> Message | None:
    """What is to be asked for after a card is played, of those that name resources."""
    if m.PLAY_PLENTY <= move < m.PLAY_PLENTY + m.PAIRS:
        first, second = m.PAIR_LIST[move - m.PLAY_PLENTY]
        cards = [0] * RESOURCES
        cards[first] += 1
        cards[second] += 1
        return say.Pick(name, tuple(cards))
    if m.PLAY_MONOPOLY <= move < m.PLAY_MONOPOLY + RESOURCES:
        return say.PickKind(name, move - m.PLAY_MONOPOLY + 1)
    return None


def offer_of(viewer: Viewer, name: str, gives: int, gets: int, to: int) -> say.Offer:
    """An offer that was made up: packed cards, and players as bits."""
    seats = {viewer.seats[player] for player in range(len(viewer.seats)) if to >> player & 1}
    asked = tuple(seat in seats for seat in range(SEATS))
    return say.Offer(name, viewer.table.me, asked, tuple(unpack(gives)), tuple(unpack(gets)))


def _five(resource: int, amount: int) -> tuple[int, ...]:
    return tuple(amount if kind == resource else 0 for kind in range(RESOURCES))


def offer_moves(viewer: Viewer, offer: say.Offer) -> list[int]:
    """The steps in which an offer is made up: by whoever's turn it is, or as a counter-offer."""
    steps = [m.GIVE + kind for kind in range(RESOURCES) for _ in range(offer.give[kind])]
    steps += [m.ASK + kind for kind in range(RESOURCES) for _ in range(offer.get[kind])]
    if offer.player != viewer.table.turn:
        return [m.COUNTER, *steps, m.PROPOSE]
    named = sorted(viewer.player[seat] for seat in viewer.seats if offer.to[seat])
    return [m.COMPOSE, *steps, *(m.ADDRESS + player for player in named), m.PROPOSE]


def piece_move(piece: int, coord: int) -> int:
    """The move that puts a piece there; ValueError where no such piece has a place."""
    first = {tb.ROAD: m.PAVE, tb.SETTLEMENT: m.SETTLE, tb.CITY: m.UPGRADE}.get(piece)
    place = (EDGE_OF if piece == tb.ROAD else NODE_OF).get(coord)
    if first is None or place is None:
        raise ValueError(f"no piece {piece} can stand at {coord}")
    return first + place


def swap_moves(give: Sequence[int], get: Sequence[int]) -> list[int]:
    """The trades with the bank that a trade of several cards for one kind is; none if it is odd."""
    given = [kind for kind in range(RESOURCES) if give[kind]]
    gotten = [kind for kind in range(RESOURCES) for _ in range(get[kind])]
    if len(given) != 1 or not gotten or given[0] in gotten or sum(give) % len(gotten):
        return []
    return [m.swap_move(given[0], kind) for kind in gotten]


def plenty_move(cards: Sequence[int]) -> int | None:
    """The move that plays a year of plenty for two cards."""
    taken = tuple(kind for kind in range(RESOURCES) for _ in range(cards[kind]))
    return m.PLAY_PLENTY + m.PAIR_LIST.index(taken) if len(taken) == 2 else None
