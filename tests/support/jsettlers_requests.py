"""Whether requests of robots are legal by our rules, and what became of them at the server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from facedown.bridges.jsettlers import messages as say
from facedown.bridges.jsettlers import table as tb
from facedown.bridges.jsettlers.board import HEX_OF
from facedown.bridges.jsettlers.fields import Message, Oddity
from facedown.bridges.jsettlers.needs import Need, need_of, offer_to_answer
from facedown.bridges.jsettlers.recording import Said
from facedown.bridges.jsettlers.requests import offer_moves, piece_move, plenty_move, swap_moves
from facedown.bridges.jsettlers.seat import Seat
from facedown.bridges.jsettlers.sitting import grants, refuses
from facedown.bridges.jsettlers.views import Viewer
from facedown.core import Position
from facedown.games.settlers import moves as m

Fate = Literal["taken", "refused", "nothing"]

TEXT = 1091
"""Some requests out of turn are refused by a text and nothing else."""

PLAYS = {tb.KNIGHT: [m.PLAY_KNIGHT], tb.ROADS: [m.PLAY_ROADS]}
PLAYS[tb.PLENTY] = list(range(m.PLAY_PLENTY, m.PLAY_PLENTY + m.PAIRS))
PLAYS[tb.MONOPOLY] = list(range(m.PLAY_MONOPOLY, m.PLAY_MONOPOLY + tb.RESOURCES))
BUILDS = {
    tb.ROAD: range(m.PAVE, m.PAVE + 72),
    tb.SETTLEMENT: range(m.SETTLE, m.SETTLE + 54),
    tb.CITY: range(m.UPGRADE, m.UPGRADE + 54),
}


@dataclass(frozen=True)
class Asked:
    """A request, whether it was legal by our rules when it was sent, and what came of it."""

    message: Message
    legal: bool
    fate: Fate
    answer: Message | None


def requests(seat: Seat, talk: Sequence[Said]) -> Iterator[Asked]:
    """The requests of a recorded robot; the seat hears what the server says on the way.

    Whether one was legal is asked as the robot knew it; of one that was refused as the server did,
    right before it said so: another request may have been carried out in between.
    """
    refused: dict[int, tuple[Message, Message | None]] = {}
    for place, said in enumerate(talk):
        if said.side == "S":
            if place in refused:
                message, answer = refused.pop(place)
                yield Asked(message, legal(seat, message), "refused", answer)
            seat.hear([said.text])
            continue
        asked = say.parse(said.text, say.FROM_ROBOT)
        if isinstance(asked, Oddity) or not isinstance(asked, _MOVES) or seat.viewer is None:
            continue
        fate, answer, steps = fate_of(asked, talk[place + 1 :], seat.mirror.table.me)
        if fate == "refused":
            refused[place + 1 + steps] = asked, answer
        else:
            yield Asked(asked, legal(seat, asked), fate, answer)


_MOVES = (
    say.Roll,
    say.EndTurn,
    say.BuyCard,
    say.PlayCard,
    say.Pick,
    say.PickKind,
    say.Discard,
    say.MoveRobber,
    say.Victim,
    say.PutPiece,
    say.BuildRequest,
    say.BankTrade,
    say.Offer,
    say.Reject,
    say.Accept,
)


_ONLY_TEXT = (say.Roll, say.EndTurn, say.Discard)


def fate_of(message: Message, later: Sequence[Said], me: int) -> tuple[Fate, Message | None, int]:
    """What the server made of a request: the first answer to it, before the robot asks again.

    And the place of the answer among what was said later.
    """
    for steps, said in enumerate(later):
        if said.side == "C":
            if isinstance(say.parse(said.text, say.FROM_ROBOT), _MOVES):
                break
            continue
        answer = say.parse(said.text)
        if isinstance(answer, Oddity):
            if answer.number == TEXT and isinstance(message, _ONLY_TEXT):
                return "refused", None, steps
        elif refuses(answer, message):
            return "refused", answer, steps
        elif isinstance(message, say.Accept) and isinstance(answer, say.OfferCleared):
            break  # somebody was faster
        elif _carried_out(answer, message, me):
            return "taken", answer, steps
    return "nothing", None, 0


def _carried_out(answer: Message, message: Message, me: int) -> bool:
    if isinstance(message, say.Accept):
        return isinstance(answer, say.Accepted) and answer.accepter == me
    return grants(answer, message, me)


# --- legality -------------------------------------------------------------------------------------


def legal(seat: Seat, message: Message) -> bool:
    """Whether a request is legal by our rules, with all that the seat knows."""
    viewer = seat.viewer
    assert viewer is not None
    table = viewer.table
    if isinstance(message, say.PutPiece):
        return _piece(viewer, message)
    if isinstance(message, say.Pick):
        move = plenty_move(message.cards)
        return move is not None and _card(viewer, Need.PLENTY, tb.PLENTY, move)
    if isinstance(message, say.PickKind):
        move = m.PLAY_MONOPOLY + message.kind - 1
        return _card(viewer, Need.MONOPOLY, tb.MONOPOLY, move)
    if isinstance(message, say.Reject | say.Accept):
        return _answer(viewer, message)
    if isinstance(message, say.Offer) and table.turn != table.me:
        return need_of(table) == Need.ANSWER and _sequence(
            viewer.view(Need.ANSWER), offer_moves(viewer, message)
        )
    return _in_turn(viewer, message)


def _in_turn(viewer: Viewer, message: Message) -> bool:
    need = need_of(viewer.table)
    if need == Need.DISCARD:
        return isinstance(message, say.Discard) and _discard(viewer, message)
    if need in (Need.ANSWER, Need.REPLIES) and viewer.table.turn == viewer.table.me:
        need = Need.PLAY  # whoever goes on has withdrawn his offer, and said no to others
    if need not in _VIEWED:
        return False
    view = viewer.view(need)
    listed = set(view.legal())
    if isinstance(message, say.Roll):
        return m.ROLL in listed
    if isinstance(message, say.EndTurn):
        return m.END in listed
    if isinstance(message, say.BuyCard):
        return m.BUY in listed
    if isinstance(message, say.PlayCard):
        return bool(listed & set(PLAYS.get(message.card, [])))
    if isinstance(message, say.BuildRequest):
        return need == Need.PLAY and bool(listed & set(BUILDS.get(message.piece, [])))
    if isinstance(message, say.MoveRobber):
        return message.coord in HEX_OF and m.ROB + HEX_OF[message.coord] in listed
    if isinstance(message, say.Victim):
        player = viewer.player.get(message.player)
        return player is not None and m.CHOOSE + player in listed
    if isinstance(message, say.BankTrade):
        return _swap(viewer, view, message)
    return isinstance(message, say.Offer) and _sequence(view, offer_moves(viewer, message))


_VIEWED = {
    *(Need.SETTLEMENT, Need.ROAD, Need.ROLL, Need.PLAY, Need.FREE_ROAD),
    *(Need.ROBBER, Need.VICTIM, Need.DISCARD),
}


def _sequence(view: Position, moves: Sequence[int]) -> bool:
    """Whether these moves are legal one after another, on a view."""
    here = view.copy()
    for move in moves:
        if move not in here.legal():
            return False
        here.apply(move)
    return True


def _piece(viewer: Viewer, message: say.PutPiece) -> bool:
    table, need = viewer.table, need_of(viewer.table)
    try:
        move = piece_move(message.piece, message.coord)
    except ValueError:
        return False
    if need == Need.PIECE:
        with _unpaid(table, tb.COSTS[table.state - tb.PLACING[0]]):
            return move in viewer.view(Need.PLAY).legal()
    return need in _VIEWED and move in viewer.view(need).legal()


@contextmanager
def _unpaid(table: tb.Table, cost: Sequence[int]) -> Iterator[None]:
    """As the table was before a piece was paid for."""
    state, hand = table.state, table.own.hand
    table.state, table.own.hand = tb.PLAY, tb.Hand(list(hand.least), hand.total)
    for resource, amount in enumerate(cost):
        table.own.hand.gain(resource, amount)
    yield
    table.state, table.own.hand = state, hand


def _card(viewer: Viewer, need: Need, card: int, move: int) -> bool:
    """Whether a card that was played may name these resources: as before it was played."""
    table = viewer.table
    if need_of(table) != need:
        return False
    table.own.old[card] += 1
    table.played[card] -= 1
    played, table.card_played = table.card_played, False
    found = move in viewer.view(Need.PLAY if table.rolled else Need.ROLL).legal()
    table.own.old[card] -= 1
    table.played[card] += 1
    table.card_played = played
    return found


def _discard(viewer: Viewer, message: say.Discard) -> bool:
    """As many as are owed, and held."""
    table = viewer.table
    view = viewer.view(Need.DISCARD)
    kinds = {kind for kind, amount in enumerate(message.cards) if amount}
    return (
        sum(message.cards) == table.discards[table.me]
        and table.affords(message.cards)
        and {m.DISCARD + kind for kind in kinds} <= set(view.legal())
    )


def _swap(viewer: Viewer, view: Position, message: say.BankTrade) -> bool:
    table, moves = viewer.table, swap_moves(message.give, message.get)
    assert table.board is not None
    if not moves or not table.affords(message.give):
        return False
    given = m.swap_of(moves[0])[0]
    rate = table.own.rate(given, table.board)
    return message.give[given] == rate * len(moves) and set(moves) <= set(view.legal())


def _answer(viewer: Viewer, message: say.Reject | say.Accept) -> bool:
    table = viewer.table
    if need_of(table) != Need.ANSWER:
        return False
    listed = viewer.view(Need.ANSWER).legal()
    if isinstance(message, say.Reject):
        return m.REJECT in listed
    return m.ACCEPT in listed and message.offerer == offer_to_answer(table)
