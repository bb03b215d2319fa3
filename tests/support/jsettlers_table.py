"""A server's side of whole games, by our own rules: every move is told as a server would tell it.

Seats are played by functions: of a robot, which is told messages and asked for requests, or of the
house, which is shown the truth and plays any legal move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from facedown.bridges.jsettlers import messages as say
from facedown.bridges.jsettlers import table as tb
from facedown.bridges.jsettlers.board import EDGE, HEX_OF, LAND, NODE
from facedown.bridges.jsettlers.fields import SEATS, Gain, Message
from facedown.bridges.jsettlers.mirror.numbers import (
    ADD_OLD,
    ARMY,
    BOUGHT,
    CARD_PLAYED,
    CURRENT,
    DRAW,
    GAIN,
    KNIGHTS,
    LOSE,
    MONOPOLY,
    PLAYED,
    ROAD_AWARD,
    SET,
)
from facedown.bridges.jsettlers.requests import piece_move, plenty_move, swap_moves
from facedown.bridges.jsettlers.views import layout_of
from facedown.core import CHANCE, Game, Position, Stream
from facedown.games.settlers import moves as m
from facedown.games.settlers import setup
from facedown.games.settlers import state as st

Say = Callable[[int, Message], None]
"""Tells a seat something."""
Ask = Callable[[int], Message]
"""A seat's next request."""

CARD = {st.KNIGHT: 9, st.ROAD_BUILDING: 1, st.PLENTY: 2, st.MONOPOLY: 3, st.VICTORY: 4}
COSTS = {m.PAVE: tb.COSTS[tb.ROAD], m.SETTLE: tb.COSTS[tb.SETTLEMENT], m.UPGRADE: tb.COSTS[tb.CITY]}
TYPES = range(1, 6)


class Table:
    """One game: `first` places first, `robots` are asked for requests, others play at random."""

    def __init__(
        self, game: Game, seed: int, robots: Iterable[int], say: Say, ask: Ask, first: int = 0
    ) -> None:
        self.name, self.game, self.stream = "g", game, Stream(seed)
        self.truth = game.start()
        while self.truth.turn() == CHANCE:
            self.truth.play(self.truth.draw(self.stream))
        self.seats = [(first + k) % SEATS for k in range(SEATS)]
        self.robots = set(robots)
        self.refused = 0
        self.tokens: list[list[int]] = [[] for _ in range(SEATS)]
        self._say, self._ask = say, ask
        self._offers = 0  # made by the house in this turn
        self._gone = [0] * 5  # by whoever discards

    # --- telling ---------------------------------------------------------------------------------

    @property
    def s(self) -> Any:
        return self.truth.record

    def tell(self, *messages: Message) -> None:
        """Tell all."""
        for message in messages:
            for seat in sorted(self.robots):
                self._say(seat, message)

    def tell_one(self, player: int, message: Message) -> None:
        if self.seats[player] in self.robots:
            self._say(self.seats[player], message)

    def tell_each(self, make: Callable[[int], Message]) -> None:
        """Tell every player something of his own."""
        for player in range(SEATS):
            self.tell_one(player, make(player))

    def seat(self, player: int) -> int:
        return self.seats[int(player)]

    def state(self) -> int:
        """What the game waits for, by the server's numbers."""
        phase = int(self.s["phase"])
        second = int(self.s["count"]) >= SEATS
        return {
            st.SETTLING: tb.SECOND_SETTLEMENT if second else tb.FIRST_SETTLEMENT,
            st.PAVING: tb.SECOND_ROAD if second else tb.FIRST_ROAD,
            st.BEFORE: tb.ROLL,
            st.DISCARDING: tb.DISCARDING,
            st.ROBBING: tb.MOVING_ROBBER,
            st.CHOOSING: tb.CHOOSING_VICTIM,
            st.PAVING_FREE: tb.FREE_ROAD if self.s["free"] == 2 else tb.LAST_FREE_ROAD,
            st.ENDED: tb.OVER,
        }.get(phase, tb.PLAY)

    def tell_state(self) -> None:
        self.tell(say.GameState(self.name, self.state()))

    # --- the game --------------------------------------------------------------------------------

    def play(self) -> int:
        """Play to the end; the seat that has won."""
        self.begin()
        while not self.truth.over:
            self.step()
        return self.seat(self.s["winner"])

    def begin(self) -> None:
        robber = int(self.s["robber"])
        for seat in range(SEATS):
            self.tell(say.SitDown(self.name, f"player {seat}", seat, True))
        self.tell(layout_of(self.name, setup.board_of(self.s), robber))
        self.tell(say.Started(self.name, tb.FIRST_SETTLEMENT))
        self.tell(say.Turn(self.name, self.seats[0], tb.FIRST_SETTLEMENT))

    def step(self) -> None:
        """One decision, of chance, of the house or of a robot."""
        actor = self.truth.turn()
        if actor == CHANCE:
            self.chance(self.truth.draw(self.stream))
        elif self.truth.legal() == [m.CLAIM]:
            self.claim()
        elif self.seat(actor) in self.robots:
            self.request(actor, self._ask(self.seat(actor)))
        else:
            self.house(actor)

    def apply(self, move: int) -> None:
        """Make a move; what every player sees of it is noted."""
        for player in range(SEATS):
            self.tokens[player].append(self.truth.sees(move, player))
        self.truth.play(move)

    def house(self, actor: int) -> None:
        """Any legal move; offers now and then, and not for ever."""
        legal = self.truth.legal()
        if m.COMPOSE in legal and self._offers >= 2:
            legal.remove(m.COMPOSE)
        if m.PROPOSE in legal:
            legal = [m.PROPOSE]
        if len(legal) > 1 and m.CANCEL in legal:
            legal.remove(m.CANCEL)
        move = self.stream.choice(legal)
        if move in (m.COMPOSE, m.COUNTER):
            self._offers += 1
        self.move(actor, move)

    # --- what a robot asks for -------------------------------------------------------------------

    def request(self, actor: int, message: Message) -> None:
        """Carry a request out, or refuse it."""
        moves = self.moves_of(actor, message)
        if moves is None:
            return
        trial = self.truth.copy()
        for move in moves:
            if move not in trial.legal():
                self.refuse(actor, message)
                return
            trial.play(move)
        if not moves:
            self.refuse(actor, message)
        for move in moves:
            self.move(actor, move)

    def refuse(self, actor: int, message: Message) -> None:
        self.refused += 1
        if isinstance(message, say.BankTrade):
            self.tell_one(actor, say.Rejected(self.name, -1, 1))
        elif isinstance(message, say.Offer | say.Accept):
            self.tell_one(actor, say.Rejected(self.name, self.seat(actor), 3))
        else:
            self.tell_one(actor, say.Declined(self.name, 0, 3))

    def moves_of(self, actor: int, message: Message) -> list[int] | None:
        """The moves that a request is; None where it is no move, and was seen to."""
        simple = {say.Roll: m.ROLL, say.EndTurn: m.END, say.BuyCard: m.BUY, say.Reject: m.REJECT}
        if type(message) in simple:
            return [simple[type(message)]]
        if isinstance(message, say.ClearOffer):
            self.tell(say.OfferCleared(self.name, self.seat(actor)))
            return None
        if isinstance(message, say.PutPiece):
            return [piece_move(message.piece, message.coord)]
        if isinstance(message, say.MoveRobber):
            return [m.ROB + HEX_OF[message.coord]]
        if isinstance(message, say.Victim):
            return [m.CHOOSE + self.seats.index(message.player)]
        if isinstance(message, say.Discard):
            return [m.DISCARD + k for k, n in enumerate(message.cards) for _ in range(n)]
        if isinstance(message, say.BankTrade):
            return swap_moves(message.give, message.get)
        if isinstance(message, say.Accept):
            return [m.ACCEPT] if self.seats.index(message.offerer) == self.s["asker"] else []
        if isinstance(message, say.Offer):
            return self.offer_moves(actor, message)
        return self.card_moves(actor, message)

    def offer_moves(self, actor: int, message: say.Offer) -> list[int]:
        steps = [m.GIVE + k for k in range(5) for _ in range(message.give[k])]
        steps += [m.ASK + k for k in range(5) for _ in range(message.get[k])]
        if actor != int(self.s["player"]):
            return [m.COUNTER, *steps, m.PROPOSE]
        named = sorted(self.seats.index(seat) for seat in range(SEATS) if message.to[seat])
        return [m.COMPOSE, *steps, *(m.ADDRESS + player for player in named), m.PROPOSE]

    def card_moves(self, actor: int, message: Message) -> list[int] | None:
        """A card; for those that name resources the robot is asked which."""
        assert isinstance(message, say.PlayCard), message
        if message.card in (tb.KNIGHT, tb.ROADS):
            return [m.PLAY_KNIGHT if message.card == tb.KNIGHT else m.PLAY_ROADS]
        asked = tb.PICKING if message.card == tb.PLENTY else tb.NAMING
        legal = self.truth.legal()
        first = m.PLAY_PLENTY if message.card == tb.PLENTY else m.PLAY_MONOPOLY
        if first not in legal:
            return []
        self.tell_card(actor, message.card)
        self.tell(say.GameState(self.name, asked))
        named = self._ask(self.seat(actor))
        if isinstance(named, say.Pick):
            move = plenty_move(named.cards)
            assert move is not None
            self.plenty(actor, move)
        else:
            assert isinstance(named, say.PickKind)
            self.monopoly(actor, m.PLAY_MONOPOLY + named.kind - 1)
        return None

    # --- moves -----------------------------------------------------------------------------------

    def move(self, actor: int, move: int) -> None:
        """Make a player's move, and tell of it."""
        if move < m.SETTLE:
            self.simple(actor, move)
        elif move < m.SWAP:
            self.piece(actor, move)
        elif move < m.PLAY_PLENTY:
            self.swap(actor, move)
        elif move < m.PLAY_MONOPOLY:
            self.tell_card(actor, tb.PLENTY)
            self.plenty(actor, move)
        elif move < m.DISCARD:
            self.tell_card(actor, tb.MONOPOLY)
            self.monopoly(actor, move)
        elif move < m.ROB:
            self.discard(actor, move)
        elif move < m.CHOOSE:
            self.apply(move)
            self.tell(say.MoveRobber(self.name, self.seat(actor), LAND[move - m.ROB]))
            self.robbed()
        elif move < m.GIVE:
            self.apply(move)
        else:
            self.apply(move)  # a step of an offer

    def simple(self, actor: int, move: int) -> None:
        s, seat = self.s, self.seat(actor)
        if move in (m.PROPOSE, m.ACCEPT):
            self.propose(actor) if move == m.PROPOSE else self.accept(actor)
            return
        if move == m.REJECT:
            self.tell(say.Rejected(self.name, seat))
        elif move in (m.PLAY_KNIGHT, m.PLAY_ROADS):
            self.tell_card(actor, tb.KNIGHT if move == m.PLAY_KNIGHT else tb.ROADS)
        elif move == m.BUY:
            self.pay(actor, tb.CARD_COST)
        army = int(s["army"])
        self.apply(move)
        if move == m.PLAY_KNIGHT:
            self.tell(say.Element(self.name, seat, GAIN, KNIGHTS, 1))
            if int(s["army"]) != army:
                self.tell(say.GameElements(self.name, ((ARMY, seat),)))
        if move in (m.PLAY_KNIGHT, m.PLAY_ROADS):
            self.tell_state()
        if move == m.END:
            self._offers = 0
            self.tell(say.OfferCleared(self.name, -1))
            if not self.truth.over:
                self.tell(say.Turn(self.name, self.seat(s["player"]), tb.ROLL))

    def tell_card(self, actor: int, card: int) -> None:
        seat = self.seat(actor)
        self.tell(say.CardAction(self.name, seat, PLAYED, (card,)))
        self.tell(say.Element(self.name, seat, SET, CARD_PLAYED, 1))

    def pay(self, actor: int, cost: tuple[int, ...]) -> None:
        pairs = tuple((kind, cost[kind - 1]) for kind in TYPES if cost[kind - 1])
        self.tell(say.Elements(self.name, self.seat(actor), LOSE, pairs))

    def piece(self, actor: int, move: int) -> None:
        s, seat, base = self.s, self.seat(actor), self.base(move)
        placement = int(s["phase"]) in (st.SETTLING, st.PAVING)
        if not placement and int(s["phase"]) == st.ACTING:
            self.pay(actor, COSTS[base])
        longest, player = int(s["longest"]), int(s["player"])
        self.apply(move)
        piece = {m.PAVE: tb.ROAD, m.SETTLE: tb.SETTLEMENT, m.UPGRADE: tb.CITY}[base]
        coord = (EDGE if piece == tb.ROAD else NODE)[move - base]
        self.tell(say.PutPiece(self.name, seat, piece, coord))
        if int(s["longest"]) != longest:
            holder = -1 if int(s["longest"]) == st.NONE else self.seat(s["longest"])
            self.tell(say.GameElements(self.name, ((ROAD_AWARD, holder),)))
        if placement and piece == tb.ROAD:
            self.tell(say.Turn(self.name, self.seat(s["player"]), self.state()))
        else:
            assert placement or player == int(s["player"])
            self.tell_state()

    @staticmethod
    def base(move: int) -> int:
        return m.PAVE if move >= m.PAVE else m.UPGRADE if move >= m.UPGRADE else m.SETTLE

    def swap(self, actor: int, move: int) -> None:
        given, gotten = m.swap_of(move)
        rate = st.unpack(self.s["rates"][actor])[given]
        self.apply(move)
        give = tuple(rate * (kind == given) for kind in range(5))
        get = tuple(int(kind == gotten) for kind in range(5))
        self.tell(say.BankTraded(self.name, give, get, self.seat(actor)))

    def plenty(self, actor: int, move: int) -> None:
        before = st.unpack(self.s["hands"][actor])
        self.apply(move)
        after = st.unpack(self.s["hands"][actor])
        cards = tuple(b - a for a, b in zip(before, after, strict=True))
        self.tell(say.Picked(self.name, cards, self.seat(actor), 2))
        self.tell_state()

    def monopoly(self, actor: int, move: int) -> None:
        kind = move - m.PLAY_MONOPOLY + 1
        before = [int(n) for n in self.s["held"]]
        self.apply(move)
        taken = 0
        for player in range(SEATS):
            lost = before[player] - int(self.s["held"][player])
            if lost > 0:
                taken += lost
                self.tell(say.Element(self.name, self.seat(player), SET, kind, 0, ("Y",)))
                self.tell(say.HandSize(self.name, self.seat(player), int(self.s["held"][player])))
        self.tell(say.Element(self.name, self.seat(actor), GAIN, kind, taken))
        self.tell(say.SimpleAction(self.name, self.seat(actor), MONOPOLY, taken, kind))
        self.tell_state()

    def discard(self, actor: int, move: int) -> None:
        """Told when the last card is discarded."""
        self._gone[move - m.DISCARD] += 1
        self.apply(move)
        if self.s["owed"][actor] > 0:
            return
        cards, self._gone = tuple(self._gone), [0] * 5
        hidden = say.Discarded(self.name, self.seat(actor), (0,) * 5, sum(cards))
        shown = say.Discarded(self.name, self.seat(actor), cards)
        self.tell_each(lambda player: shown if player == actor else hidden)
        self.tell_state()

    def robbed(self) -> None:
        """After the robber has moved: whom to rob, or nobody."""
        phase = int(self.s["phase"])
        if phase == st.CHOOSING:
            self.tell_state()
            legal = self.truth.legal()
            named = [self.seat(move - m.CHOOSE) for move in legal]
            choices = tuple(seat in named for seat in range(SEATS))
            self.tell_one(int(self.s["player"]), say.ChooseVictim(self.name, choices))
        elif phase != st.STEALING:
            self.tell_state()

    # --- offers ----------------------------------------------------------------------------------

    def propose(self, actor: int) -> None:
        s, seat = self.s, self.seat(actor)
        own = actor == int(s["player"])
        side, to = (0, int(s["to"])) if own else (2, 1 << int(s["player"]))
        asked = tuple(bool(to >> self.seats.index(other) & 1) for other in range(SEATS))
        give, get = (tuple(st.unpack(s["terms"][side + k])) for k in range(2))
        self.apply(m.PROPOSE)
        self.tell(say.Offer(self.name, seat, asked, give, get))

    def accept(self, actor: int) -> None:
        s = self.s
        side = 0 if int(s["asker"]) == int(s["player"]) else 2
        gives, gets = (tuple(st.unpack(s["terms"][side + k])) for k in range(2))
        accepted = say.Accepted(self.name, self.seat(actor), self.seat(s["asker"]), gives, gets)
        self.apply(m.ACCEPT)
        self.tell(accepted, say.OfferCleared(self.name, -1))

    # --- chance and the end ----------------------------------------------------------------------

    def chance(self, move: int) -> None:
        s, player = self.s, int(self.s["player"])
        if move >= m.DRAW:
            self.apply(move)
            self.drawn(player, CARD[move - m.DRAW])
        elif move >= m.STEAL:
            victim = int(s["victim"])
            self.apply(move)
            self.stolen(player, victim, move - m.STEAL + 1)
        else:
            self.rolled(player, move)

    def drawn(self, player: int, card: int) -> None:
        seat = self.seat(player)
        for viewer in range(SEATS):
            shown = card if viewer == player else tb.UNKNOWN_CARD
            self.tell_one(viewer, say.CardAction(self.name, seat, DRAW, (shown,)))
        self.tell(say.SimpleAction(self.name, seat, BOUGHT, int(self.s["left"])))
        self.tell_state()

    def stolen(self, thief: int, victim: int, kind: int) -> None:
        for viewer in range(SEATS):
            shown = kind if viewer in (thief, victim) else 6
            seats = (self.seat(thief), self.seat(victim))
            self.tell_one(viewer, say.Robbed(self.name, *seats, "R", shown, 1, ("T",)))
        self.tell_state()

    def rolled(self, player: int, move: int) -> None:
        s = self.s
        before = [st.unpack(hand) for hand in s["hands"]]
        self.apply(move)
        self.tell(say.Dice(self.name, move - m.DICE + 2))
        gains = []
        for other in range(SEATS):
            after = st.unpack(s["hands"][other])
            cards = [
                (b - a, kind + 1)
                for kind, (a, b) in enumerate(zip(before[other], after, strict=True))
                if b > a
            ]
            if cards:
                gains.append(Gain(self.seat(other), sum(after), tuple(cards)))
        if gains:
            self.tell(say.Production(self.name, tuple(gains)))
        for gain in gains:
            other = self.seats.index(gain.seat)
            held = tuple(zip(TYPES, st.unpack(s["hands"][other]), strict=True))
            self.tell_one(other, say.Elements(self.name, gain.seat, SET, held))
        self.tell_state()
        for other in range(SEATS):
            if s["owed"][other] > 0:
                self.tell_one(other, say.DiscardRequest(self.name, int(s["owed"][other])))

    def claim(self) -> None:
        winner = self.truth.turn()
        self.apply(m.CLAIM)
        self.tell(say.GameElements(self.name, ((CURRENT, self.seat(winner)),)))
        self.tell(say.GameState(self.name, tb.OVER))
        points = [0] * SEATS
        for player in range(SEATS):
            hidden = st.unpack(self.s["cards"][player])[st.VICTORY]
            shown = 0 if player == winner else hidden  # the claim has counted them
            points[self.seat(player)] = int(self.s["points"][player]) + shown
            if hidden:
                cards = tuple(range(4, 4 + hidden))
                self.tell(say.CardAction(self.name, self.seat(player), ADD_OLD, cards))
        words = (*map(str, points), *["true"] * SEATS)
        self.tell(say.Statistics(self.name, words), say.GameGone(self.name))


def view_of(table: Table, seat: int) -> Position:
    """What a seat can know of the truth."""
    return table.truth.view(table.seats.index(seat))
