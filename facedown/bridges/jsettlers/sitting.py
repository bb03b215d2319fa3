"""One game that is played: what the server says is mirrored, and every need answered in time."""

from __future__ import annotations

import itertools
import logging
import queue
import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Protocol

from facedown.bridges.jsettlers import messages as say
from facedown.bridges.jsettlers.fields import Message, Oddity
from facedown.bridges.jsettlers.mirror import Mirror
from facedown.bridges.jsettlers.mirror.numbers import CANNOT_PLAY
from facedown.bridges.jsettlers.needs import (
    Need,
    all_replied,
    need_of,
    offer_to_answer,
    plain_requests,
)
from facedown.bridges.jsettlers.table import PLACEMENTS, PLAY, Table

log = logging.getLogger("facedown.jsettlers")

THINKING = 6.0
"""Seconds for a request in all: after 8 s without one a server goes on without the robot."""

HURRIED = 3.0
"""The same after it has done so twice: then it waits 4 s."""

ANSWERING = 4.0
"""Seconds to answer an offer: the server's robots wait for 5."""

HASTE = 0.5
"""Seconds that a decision has where all are gone: after a refusal, the same is waited for still."""

REPLYING = 5.0
"""Seconds in which others may answer an offer."""

PROPOSING, COMPOSING = 2.0, 3.5
"""Seconds since the last move after which no offer is begun any more, and by which it is made.

Moves start a server's clock anew, offers and answers do not: all that is thought and waited for
between two moves comes out of the same 8 s.
"""

PATIENCE = 2.5
"""Seconds after which a request that nothing came of counts as refused."""


NO_SUCH_OFFER = 1
"""The reason why an offer that stands no longer cannot be accepted."""


@dataclass(frozen=True)
class Decision:
    """What to ask for, as text, if anything was decided, and a note on what went wrong."""

    request: str | None = None
    note: str = ""


@dataclass(frozen=True)
class SeatId:
    """A seat in a game, as it was taken once: a game of the same name may be another."""

    game: str
    seat: int
    number: int = field(default_factory=itertools.count().__next__)


class Decider(Protocol):
    """Thinks for the seats of games, somewhere."""

    def decide(
        self,
        seat_id: SeatId,
        texts: Sequence[str],
        refused: Collection[str],
        deadline: float,
        *,
        offers: bool,
    ) -> Decision:
        """A request for a seat by a time of the monotonic clock, not one that was refused.

        `texts` is all that the server has said in this game; it only grows. `offers`: whether there
        is time to make one.
        """

    def forget(self, seat_id: SeatId) -> None:
        """The game is over."""


@dataclass(frozen=True)
class Result:
    """How a game went: the seat, the final points of all, empty where it was not played out."""

    game: str
    seat: int
    points: tuple[int, ...]

    @property
    def won(self) -> bool:
        return bool(self.points) and self.points[self.seat] == max(self.points)


class Sitting(threading.Thread):
    """A seat in one game, in a thread of its own. `put` tells it what the server says."""

    def __init__(
        self,
        game: str,
        seat: int,
        decider: Decider,
        send: Callable[[Message], None],
        seconds: float = THINKING,
    ) -> None:
        super().__init__(daemon=True, name=f"game {game}")
        self.game, self.seat = game, seat
        self.seat_id, self.mirror = SeatId(game, seat), Mirror(seat)
        self._decider, self._send, self._seconds = decider, send, seconds
        self._inbox: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._texts: list[str] = []
        self._refused: set[str] = set()
        self._asked: Message | None = None  # and neither granted nor refused yet
        self._asked_at = self._offered_at = self._waited_for = 0.0
        self._clock: tuple[object, ...] = ()  # what is waited for since then
        self._need: Need | None = None
        self._overridden = 0  # turns that the server ended for us
        self._ended = False  # whether we have ended our turn ourselves
        self._told = 0  # differences that were logged
        self._gone = False

    # --- from outside ----------------------------------------------------------------------------

    def put(self, text: str) -> None:
        """The server says this."""
        self._inbox.put(text)

    def end(self) -> None:
        """The game is over, or the line is dead."""
        self._inbox.put(None)

    @property
    def result(self) -> Result:
        return Result(self.game, self.seat, self.mirror.final or ())

    # --- the thread ------------------------------------------------------------------------------

    def run(self) -> None:
        try:
            while not self._gone:
                self._listen(self._pause())
                if not self._gone:
                    self._act()
        finally:
            self._decider.forget(self.seat_id)

    def _pause(self) -> float:
        """How long nothing is to be done if nothing comes."""
        now = monotonic()
        if self._asked is not None:
            return max(self._asked_at + PATIENCE - now, 0.0)
        if self._need == Need.REPLIES:
            return max(self._listening - now, 0.0)
        return 60.0

    def _listen(self, seconds: float) -> None:
        """Take in what has come, and wait so long for the first of it."""
        try:
            text = self._inbox.get(timeout=max(seconds, 1e-3))
            while text is not None:
                self._take(text)
                text = self._inbox.get_nowait()
            self._gone = True
        except queue.Empty:
            pass

    def _take(self, text: str) -> None:
        message = say.parse(text)
        if isinstance(message, Oddity):
            return
        self._texts.append(text)
        self._settle(message)
        if isinstance(message, say.Turn):
            self._turned()
        self.mirror.take(message)
        if isinstance(message, say.Offer) and message.player == self.seat:
            self._offered_at = monotonic()
        self._report()

    def _settle(self, message: Message) -> None:
        """What became of the last request."""
        if self._asked is None:
            return
        if refuses(message, self._asked):
            log.warning("%s: %s was refused: %s", self.game, self._asked, message)
            self._refused.add(str(self._asked))
            self._asked = None
        elif grants(message, self._asked, self.seat):
            self._asked = None

    def _turned(self) -> None:
        """Another turn begins: what was refused may be asked for again."""
        table = self.mirror.table
        if table.turn == self.seat and table.state not in PLACEMENTS and not self._ended:
            self._overridden += 1
            log.warning("%s: the server went on without us", self.game)
        self._asked, self._ended = None, False
        self._refused.clear()

    def _report(self) -> None:
        for difference in self.mirror.differences[self._told :]:
            log.warning("%s: %s", self.game, difference)
        self._told = len(self.mirror.differences)

    # --- acting ----------------------------------------------------------------------------------

    def _act(self) -> None:
        """Ask for what the game waits for; again at once where all is different by then."""
        if self._asked is not None:
            if monotonic() < self._asked_at + PATIENCE:
                return
            log.warning("%s: nothing came of %s", self.game, self._asked)
            self._refused.add(str(self._asked))
            self._asked = None
        stale = True
        while stale and not self._gone:
            self._need = need_of(self.mirror.table)
            if self._need is None or (self._need == Need.REPLIES and not self._replied()):
                return
            stale = self._ask_for(self._need)

    def _ask_for(self, need: Need) -> bool:
        """Decide and ask; whether so much has happened meanwhile that nothing was asked for."""
        question = _question(self.mirror.table)
        clock = _clock(self.mirror.table)
        if clock != self._clock:
            self._clock, self._waited_for = clock, monotonic()
        decision = Decision() if need == Need.REPLIES else self._decided(need)
        self._listen(0.0)
        if self._gone or _question(self.mirror.table) != question:
            return True
        if decision.note:
            log.warning("%s: %s", self.game, decision.note)
        request = self._checked(decision.request) or self._plain(need)
        if request is not None:
            self._asked, self._asked_at = request, monotonic()
            self._ended = self._ended or isinstance(request, say.EndTurn)
            self._send(request)
        return False

    @property
    def _listening(self) -> float:
        """Until when others may answer an offer of one's own."""
        return min(self._offered_at + REPLYING, self._waited_for + THINKING)

    def _replied(self) -> bool:
        return monotonic() > self._listening or all_replied(self.mirror.table)

    def _decided(self, need: Need) -> Decision:
        """What the decider says, which may fail in any way, but not late.

        The server's clock has run since the last move, whatever was refused or offered meanwhile.
        """
        hurried = self._overridden >= 2
        offers = not hurried and monotonic() < self._waited_for + PROPOSING
        most = min(self._seconds, HURRIED) if hurried else self._seconds
        if need == Need.ANSWER or (need == Need.PLAY and offers and self.mirror.table.trading):
            most = min(most, ANSWERING if need == Need.ANSWER else COMPOSING)
        deadline = max(self._waited_for + most, monotonic() + min(HASTE, most))
        try:
            return self._decider.decide(
                self.seat_id, list(self._texts), set(self._refused), deadline, offers=offers
            )
        except Exception as error:
            return Decision(note=f"any legal request: {type(error).__name__}: {error}")

    def _checked(self, text: str | None) -> Message | None:
        if text is None or text in self._refused:
            return None
        message = say.parse(text, say.FROM_ROBOT)
        return None if isinstance(message, Oddity) else message

    def _plain(self, need: Need) -> Message | None:
        """A request that follows from the table alone, not one that was refused."""
        for request in plain_requests(self.game, self.mirror.table, need):
            if str(request) not in self._refused:
                return request
        return None


def _question(table: Table) -> tuple[object, ...]:
    """What a decision is about: if it changes, an answer means something else."""
    asker = offer_to_answer(table)
    offer = None if asker is None else table.offers[asker]
    hand = tuple(table.own.hand.least)
    return need_of(table), table.turns, table.turn, table.state, asker, offer, hand


def _clock(table: Table) -> tuple[object, ...]:
    """What the time is measured for: in one's own turn the next move, in another's an answer."""
    need, hand = need_of(table), tuple(table.own.hand.least)
    if table.turn == table.me and table.state == PLAY:
        return table.turns, hand, table.own.cards
    offer = table.offers_made if need == Need.ANSWER else 0
    return need, table.turns, table.turn, table.state, offer, hand


def refuses(message: Message, asked: Message) -> bool:
    """Whether a message says no to what was asked."""
    if isinstance(message, say.Declined):
        return True
    if isinstance(message, say.CancelBuild):
        return isinstance(asked, say.PutPiece | say.BuildRequest | say.BuyCard)
    if isinstance(message, say.CardAction):
        return message.action == CANNOT_PLAY and isinstance(asked, say.PlayCard)
    if isinstance(message, say.Rejected) and message.reason:
        if message.player < 0:
            return isinstance(asked, say.BankTrade)
        gone = message.reason == NO_SUCH_OFFER
        return isinstance(asked, say.Accept if gone else say.Offer | say.Accept)
    return isinstance(message, say.DiscardRequest) and isinstance(asked, say.Discard)


def grants(message: Message, asked: Message, seat: int) -> bool:
    """Whether a message is the last of those that come of what was asked."""
    if isinstance(asked, say.BankTrade):
        return isinstance(message, say.BankTraded) and message.player == seat
    if isinstance(asked, say.Offer):
        return isinstance(message, say.Offer) and message.player == seat
    if isinstance(asked, say.Reject | say.Accept | say.ClearOffer):
        rejected = isinstance(message, say.Rejected) and message.player == seat
        return rejected or isinstance(message, say.OfferCleared)
    if isinstance(asked, say.Discard):
        return isinstance(message, say.Discarded) and message.player == seat
    if isinstance(asked, say.EndTurn):
        return isinstance(message, say.Turn)
    return isinstance(message, say.GameState | say.Turn)
