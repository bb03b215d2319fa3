"""A seat in one game: what it has heard, how it sees the table, and what its agent asks for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from time import monotonic

from facedown.agents.base import Agent
from facedown.arena.clock import Overrun, limited
from facedown.bridges.jsettlers import messages as say
from facedown.bridges.jsettlers import table as tb
from facedown.bridges.jsettlers.fields import Message, Oddity
from facedown.bridges.jsettlers.mirror import Mirror
from facedown.bridges.jsettlers.needs import Need, need_of, offer_to_answer, robber_spots
from facedown.bridges.jsettlers.requests import COMPOSED, offer_of, request_of, second_of
from facedown.bridges.jsettlers.scribe import Scribe
from facedown.bridges.jsettlers.views import Viewer
from facedown.core import NOTHING, FacedownError, Position
from facedown.games.settlers import moves as m
from facedown.games.settlers import state as st

MOST_OFFERS = 8
"""Offers that are made in a turn; the server's robots make one or two."""

MOST_CARDS = 4
"""Cards that an offer gives, or asks for, at most."""

FIRST_SHARE = 0.6
"""Of the time for a request that may take several moves: what the first of them may take."""

_STEPS = 3 * MOST_CARDS  # of making up an offer, at most

Sit = Callable[[tb.Table], tuple[Viewer, Agent]]


READING = 0.1
"""Seconds in which an agent that was stopped has to say what it has found."""


def so_far(agent: Agent, legal: Collection[int]) -> int:
    """The best move that an agent has found whose time is up. Overrun where it has found none."""
    told = getattr(agent, "so_far", None)
    found = None if told is None else limited(READING, told)
    if found is None or found not in legal:
        raise Overrun
    return int(found)


class UndecidedError(FacedownError):
    """Nothing was decided; says why."""


class Seat:
    """One seat. `hear` all that the server says, in order; `decide` when the game waits for it.

    An agent whose time is up is stopped, unless the seat is not `strict`: what it compiles then
    may take long.
    """

    def __init__(self, game: str, seat: int, sit: Sit, *, strict: bool = True) -> None:
        self.game, self.mirror = game, Mirror(seat)
        self._sit, self._strict = sit, strict
        self._viewer: Viewer | None = None
        self._scribe: Scribe | None = None
        self._agent: Agent | None = None
        self._second: Message | None = None  # what follows the card that was played
        self._offers: set[str] = set()  # made in this turn
        self._hasty = False  # whether there is no time for another
        self._faults: list[str] = []

    @property
    def viewer(self) -> Viewer | None:
        """How the table is seen, once it is known who plays."""
        return self._viewer

    def hear(self, texts: Sequence[str]) -> None:
        """Take in what the server says. Nothing of it raises."""
        for text in texts:
            message = say.parse(text)
            if isinstance(message, Oddity):
                continue
            self._write_down(message)
            self.mirror.take(message)
            if isinstance(message, say.Turn):
                self._offers.clear()
                self._second = None
            self._begin()

    def _write_down(self, message: Message) -> None:
        if self._scribe is None:
            return
        try:
            self._scribe.hear(message)
        except Exception as error:
            self._faults.append(f"{message}: {type(error).__name__}: {error}")

    def _begin(self) -> None:
        """Sit down as soon as all have: the first turn has begun, or was told."""
        table = self.mirror.table
        known = table.state >= tb.FIRST_SETTLEMENT and table.first >= 0 and table.turn >= 0
        if self._agent is not None or not known or not table.own.name or table.board is None:
            return
        try:
            self._viewer, self._agent = self._sit(table)
            self._scribe = Scribe(self._viewer, self._tell)
        except FacedownError as error:
            self._faults.append(str(error))

    def _tell(self, token: int, words: str, public: int) -> None:
        if self._agent is not None:
            self._agent.observe(token, words)
            if public != NOTHING:
                self._agent.overhear(public)

    # --- deciding --------------------------------------------------------------------------------

    def decide(
        self, refused: Collection[str], deadline: float, *, offers: bool = True
    ) -> tuple[Message | None, str]:
        """A request by a time of the monotonic clock, None without one, and what went wrong.

        `offers`: whether there is time to make one, and to wait for what others say to it.
        """
        self._hasty = not offers
        request: Message | None = None
        need = need_of(self.mirror.table)
        try:
            if need in (Need.PLENTY, Need.MONOPOLY):
                request = self._second
            elif need is not None and need != Need.REPLIES:
                request = self._decided(need, refused, deadline)
        except Overrun:
            self._faults.append("no time was left")
        except Exception as error:
            self._faults.append(f"{type(error).__name__}: {error}")
        note = "; ".join(self._faults[:3])
        self._faults.clear()
        return request, note

    def _decided(self, need: Need, refused: Collection[str], deadline: float) -> Message | None:
        viewer = self._viewer
        if viewer is None:
            raise UndecidedError("nobody plays here")
        view = viewer.view(need)
        if need == Need.DISCARD:
            return self._discarded(view, deadline)
        legal = self._allowed(view.choices(), refused)
        while legal:
            several = bool(COMPOSED & set(legal))
            move = self._chosen(view, legal, deadline, FIRST_SHARE if several else 1.0)
            if move not in COMPOSED:
                self._second = second_of(self.game, move)
                return self._request(move)
            offer = self._composed(view, move, refused, deadline)
            if offer is not None:
                self._offers.add(str(offer))
                return offer
            legal = [other for other in legal if other not in COMPOSED]
        return None

    def _request(self, move: int) -> Message | None:
        assert self._viewer is not None
        if move == m.ACCEPT:
            return self._accept()
        return request_of(self._viewer, self.game, move)

    def _accept(self) -> Message | None:
        seat = offer_to_answer(self.mirror.table)
        return None if seat is None else say.Accept(self.game, 0, seat)

    def _allowed(self, legal: Sequence[int], refused: Collection[str]) -> list[int]:
        """Moves that may be asked for: none that was refused, or that this server does not have."""
        table = self.mirror.table
        offers = table.trading and len(self._offers) < MOST_OFFERS and not self._hasty
        spots = set(robber_spots(table))
        allowed = []
        for move in legal:
            request = self._request(move)
            if request is not None and str(request) in refused:
                continue
            if isinstance(request, say.MoveRobber) and request.coord not in spots:
                continue
            if move not in COMPOSED or offers:
                allowed.append(move)
        return allowed

    def _chosen(self, view: Position, legal: Sequence[int], deadline: float, share: float) -> int:
        """The agent's choice, for which it has a share of the time that is left."""
        if len(legal) == 1:
            return legal[0]
        agent, left = self._agent, max(deadline - monotonic(), 0.02)
        assert agent is not None

        def choose() -> int:
            agent.allow(0.9 * share * left)
            return int(agent.choose(view.copy(), list(legal)))

        try:
            move = limited(left if self._strict else None, choose)
        except Overrun:
            move = so_far(agent, legal)
        if move not in legal:
            raise UndecidedError(f"the agent's move {move} is not legal")
        return move

    # --- requests of several moves ---------------------------------------------------------------

    def _composed(
        self, view: Position, begin: int, refused: Collection[str], deadline: float
    ) -> Message | None:
        """An offer, made up step by step; None where the agent thinks better of it."""
        made = view.copy()
        made.play(begin)
        for left in range(_STEPS, 0, -1):
            legal = [move for move in made.choices() if self._may(made, move, refused)]
            move = self._chosen(made, legal, deadline, 1.0 / left) if legal else m.CANCEL
            if move == m.CANCEL:
                return None
            if move == m.PROPOSE:
                return self._offer(made)
            made.play(move)
        return None

    def _may(self, made: Position, move: int, refused: Collection[str]) -> bool:
        """Whether a step leads to an offer that was not made, and is not of very many cards."""
        gives, gets = self._terms(made)
        if move == m.PROPOSE:
            offer = str(self._offer(made))
            return offer not in refused and offer not in self._offers
        if m.GIVE <= move < m.ASK:
            return sum(st.unpack(gives)) < MOST_CARDS
        return not m.ASK <= move < m.ADDRESS or sum(st.unpack(gets)) < MOST_CARDS

    def _terms(self, made: Position) -> tuple[int, int]:
        s = made.record
        side = 0 if s["asker"] == s["player"] else 2
        return int(s["terms"][side]), int(s["terms"][side + 1])

    def _offer(self, made: Position) -> Message:
        """What was made up; a counter-offer is for whoever's turn it is."""
        assert self._viewer is not None
        s = made.record
        to = int(s["to"]) if s["asker"] == s["player"] else 1 << int(s["player"])
        return offer_of(self._viewer, self.game, *self._terms(made), to)

    def _discarded(self, view: Position, deadline: float) -> Message:
        """What to discard, card by card."""
        assert self._viewer is not None
        s, player = view.record, self._viewer.player[self.mirror.table.me]
        gone = [0] * tb.RESOURCES
        for left in range(int(s["owed"][player]), 0, -1):
            move = self._chosen(view, view.choices(), deadline, 1.0 / left)
            kind = move - m.DISCARD
            gone[kind] += 1
            s["hands"][player] -= 1 << 8 * kind
            s["held"][player] -= 1
            s["owed"][player] -= 1
        return say.Discard(self.game, tuple(gone))
