"""What a server says, told to an agent as the tokens of the game.

Every message that is a move of somebody, or of chance, is set up as such on a stage: the view as it
stood before, with a bank that lacks nothing. Its tokens are what the game's own `sees` gives there:
they say no more than the message did.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from facedown.bridges.jsettlers import messages as say
from facedown.bridges.jsettlers import table as tb
from facedown.bridges.jsettlers.board import HEX_OF
from facedown.bridges.jsettlers.fields import Message
from facedown.bridges.jsettlers.mirror.numbers import DRAW, LOSE, MONOPOLY, PLAYED, UNKNOWN
from facedown.bridges.jsettlers.needs import victims_of
from facedown.bridges.jsettlers.requests import offer_moves, piece_move, plenty_move, swap_moves
from facedown.bridges.jsettlers.views import CARD_OF, Viewer
from facedown.core import CHANCE, NOTHING, PUBLIC, Position
from facedown.games.settlers import moves as m
from facedown.games.settlers import state as st

Tell = Callable[[int, str, int], None]
"""Is told the own token, in words too, and the public's; in the order of the game."""


class Scribe:
    """Writes down what happens at one table. Ask it before the mirror takes a message in."""

    def __init__(self, viewer: Viewer, tell: Tell) -> None:
        self._viewer, self._tell = viewer, tell
        self._table = viewer.table
        self._me = viewer.player[viewer.table.me]
        self._totals: list[int] = []  # of all hands, before a monopoly

    def hear(self, message: Message) -> None:
        """Tell what a message of the server says, if it is a move."""
        handle = _HANDLERS.get(type(message))
        if handle is not None:
            handle(self, message)

    # --- the stage -------------------------------------------------------------------------------

    def _stage(self, phase: int, actor: int, **fields: int) -> Position:
        stage = self._viewer.stand()
        s = stage.record
        s["bank"] = st.SUPPLY
        s["phase"], s["actor"] = phase, actor
        for name, value in fields.items():
            s[name] = value
        return stage

    def _move(self, stage: Position, *moves: int) -> None:
        """Moves, one after the other, of whoever acts on this stage."""
        for k, move in enumerate(moves):
            token, public = stage.sees(move, self._me), stage.sees(move, PUBLIC)
            if token != NOTHING:
                words = stage.game.text.observation_text(token, self._me)
                self._tell(token, words, public)
            if k + 1 < len(moves):
                stage.play(move)

    def _player(self, seat: int) -> int | None:
        return self._viewer.player.get(seat)

    @property
    def _turn(self) -> int:
        return self._viewer.player.get(self._table.turn, 0)

    # --- moves -----------------------------------------------------------------------------------

    def _put(self, message: say.PutPiece) -> None:
        table, player = self._table, self._player(message.player)
        if player is None or message.piece not in tb.COSTS:
            return
        move = piece_move(message.piece, message.coord)
        if table.state in tb.PLACEMENTS:
            settled = message.piece == tb.SETTLEMENT
            self._move(self._stage(st.SETTLING if settled else st.PAVING, player), move)
        elif table.state in (tb.FREE_ROAD, tb.LAST_FREE_ROAD):
            self._move(self._stage(st.PAVING_FREE, player, free=1), move)
        elif table.state:
            self._move(self._stage(st.ACTING, player), move)

    def _dice(self, message: say.Dice) -> None:
        if 2 <= message.total <= 12:
            self._move(self._stage(st.BEFORE, self._turn), m.ROLL)
            self._move(self._stage(st.ROLLING, CHANCE), m.DICE + message.total - 2)

    def _turned(self, message: say.Turn) -> None:
        if self._table.state >= tb.ROLL and self._table.turn >= 0:
            self._move(self._stage(st.ACTING, self._turn), m.END)

    def _discarded(self, message: say.Discarded) -> None:
        known = [kind for kind in range(tb.RESOURCES) for _ in range(message.cards[kind])]
        self._discard(message.player, known + [0] * message.unknown)

    def _discard(self, seat: int, kinds: Sequence[int]) -> None:
        player = self._player(seat)
        if player is None:
            return
        for kind in kinds:
            self._move(self._stage(st.DISCARDING, player), m.DISCARD + kind)

    def _lost(self, message: say.Elements | say.Element) -> None:
        """A server that discards for one who is too late tells so by what is lost."""
        if self._table.state != tb.DISCARDING or message.action != LOSE:
            return
        told = message.pairs if isinstance(message, say.Elements) else [message.pair]
        for kind, amount in told:
            if 1 <= kind <= UNKNOWN and 0 < amount <= tb.BANK * tb.RESOURCES:
                self._discard(message.player, [kind - 1 if kind < UNKNOWN else 0] * amount)

    def _robber(self, message: say.MoveRobber) -> None:
        if message.coord in HEX_OF:
            self._move(self._stage(st.ROBBING, self._turn), m.ROB + HEX_OF[message.coord])

    def _robbed(self, message: say.Robbed) -> None:
        victim = self._player(message.victim)
        if victim is None or message.what != "R" or self._player(message.thief) is None:
            return
        if len(victims_of(self._table, message.thief, self._table.robber)) > 1:
            self._move(self._stage(st.CHOOSING, self._turn), m.CHOOSE + victim)
        kind = message.kind - 1 if message.kind <= tb.RESOURCES else 0
        self._move(self._stage(st.STEALING, CHANCE, victim=victim), m.STEAL + kind)

    def _card(self, message: say.CardAction) -> None:
        if self._player(message.player) is None or message.player != self._table.turn:
            return
        for card in message.cards:
            if message.action == DRAW:
                self._move(self._stage(st.ACTING, self._turn), m.BUY)
                self._move(self._stage(st.DRAWING, CHANCE), m.DRAW + CARD_OF.get(card, 0))
            elif message.action == PLAYED:
                self._play(card)

    def _play(self, card: int) -> None:
        """Those that name resources are told when they are named."""
        phase = st.ACTING if self._table.rolled else st.BEFORE
        if card == tb.KNIGHT:
            self._move(self._stage(phase, self._turn), m.PLAY_KNIGHT)
        elif card == tb.ROADS:
            self._move(self._stage(phase, self._turn), m.PLAY_ROADS)
        elif card == tb.MONOPOLY:
            self._totals = [place.hand.total for place in self._table.places]

    def _picked(self, message: say.Picked) -> None:
        move = plenty_move(message.cards)
        if move is not None:
            self._move(self._stage(st.ACTING, self._turn), move)

    def _monopoly(self, message: say.SimpleAction) -> None:
        """By now the hands are without the cards that were taken."""
        if message.action != MONOPOLY or not 1 <= message.second <= tb.RESOURCES:
            return
        kind, stage = message.second - 1, self._stage(st.ACTING, self._turn)
        for seat, before in enumerate(self._totals):
            player = self._player(seat)
            if player is not None and player != self._turn:
                lost = max(before - self._table.places[seat].hand.total, 0)
                stage.record["hands"][player] = st.pack(
                    [lost * (i == kind) for i in range(tb.RESOURCES)]
                )
        self._totals = []
        self._move(stage, m.PLAY_MONOPOLY + kind)

    # --- trades ----------------------------------------------------------------------------------

    def _bank(self, message: say.BankTraded) -> None:
        player, moves = self._player(message.player), swap_moves(message.give, message.get)
        if player is None:
            return
        for move in moves:
            stage, given = self._stage(st.ACTING, player), m.swap_of(move)[0]
            rates = st.unpack(stage.record["rates"][player])
            rates[given] = min(sum(message.give) // len(moves), 7)
            stage.record["rates"][player] = st.pack(rates)
            self._move(stage, move)

    def _offer(self, message: say.Offer) -> None:
        player = self._player(message.player)
        if player is None or not any(message.give) or not any(message.get):
            return
        moves = offer_moves(self._viewer, message)
        if moves[0] == m.COMPOSE:
            self._move(self._stage(st.ACTING, player), *moves)
        else:
            self._move(self._stage(st.ANSWERING, player, asker=self._turn), *moves)

    def _rejected(self, message: say.Rejected) -> None:
        if message.player >= 0 and message.reason == 0:
            self._reject(message.player)

    def _reject(self, seat: int) -> None:
        """A seat says no to whatever is offered to it."""
        table, player = self._table, self._player(seat)
        for asker, offer in table.offers.items():
            if player is not None and seat in offer.to and seat not in table.rejected[asker]:
                self._move(self._answering(asker, player), m.REJECT)

    def _cleared(self, message: say.OfferCleared) -> None:
        """An offer that is withdrawn was rejected by all who said nothing."""
        table = self._table
        for asker, offer in table.offers.items():
            if message.player in (-1, asker):
                for seat in sorted(offer.to - table.rejected[asker] - set(table.offers)):
                    player = self._player(seat)
                    if player is not None:
                        self._move(self._answering(asker, player), m.REJECT)

    def _accepted(self, message: say.Accepted) -> None:
        player = self._player(message.accepter)
        if player is None or self._player(message.offerer) is None:
            return
        stage = self._answering(message.offerer, player)
        side = 0 if message.offerer == self._table.turn else 2
        stage.record["terms"][side] = st.pack(message.to_accepter)
        stage.record["terms"][side + 1] = st.pack(message.to_offerer)
        self._move(stage, m.ACCEPT)

    def _answering(self, asker: int, player: int) -> Position:
        return self._stage(st.ANSWERING, player, asker=self._viewer.player[asker])


_HANDLERS: dict[type[Message], Callable[[Scribe, Any], None]] = {
    say.PutPiece: Scribe._put,
    say.Dice: Scribe._dice,
    say.Turn: Scribe._turned,
    say.Discarded: Scribe._discarded,
    say.Elements: Scribe._lost,
    say.Element: Scribe._lost,
    say.MoveRobber: Scribe._robber,
    say.Robbed: Scribe._robbed,
    say.CardAction: Scribe._card,
    say.Picked: Scribe._picked,
    say.SimpleAction: Scribe._monopoly,
    say.BankTraded: Scribe._bank,
    say.Offer: Scribe._offer,
    say.Rejected: Scribe._rejected,
    say.OfferCleared: Scribe._cleared,
    say.Accepted: Scribe._accepted,
}
