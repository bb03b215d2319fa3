"""A player for game managers: messages in, answers out, whatever the messages are.

The mind that plays sits in a process of its own. This side keeps the clocks: it answers for a mind
that is late, replaces one that is gone or stuck, and ends one whose match is aborted. What is legal
meanwhile it has from a clerk (`facedown.ggp.clerk`), in another process, who follows the match too.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic

from facedown.core.errors import SpecError
from facedown.core.streams import Stream, derive
from facedown.ggp.messages import (
    Abort,
    Info,
    Message,
    MessageError,
    Play,
    Preview,
    Start,
    Stop,
    Told,
    error_reply,
    one_line,
    parse,
)
from facedown.ggp.worker import NO_MATCH, WARMING, Answer, GoneError, Worker

log = logging.getLogger("facedown.ggp")

PREVIEWING = 60.0
"""Seconds that a preview may take at most, whatever its clock says."""

CLERK = "facedown.ggp.clerk:Clerk"

FORGOTTEN = 60.0
"""Seconds beyond its clocks after which a match that nobody goes on with is over."""


def margin(clock: float) -> float:
    """What is kept of a clock for the way of an answer, and for what cannot be interrupted.

    >>> margin(1), margin(10), margin(600)
    (0.3, 1.5, 3.0)
    """
    return min(max(0.3, 0.15 * clock), 3.0)


def runs_out(since: float, clock: float) -> float:
    """When a clock is over that began with a message's first byte.

    Half of it is taken to be left when the message is there: with less no move is worth its time,
    and if it is late it is late.
    """
    return max(since + clock, monotonic() + clock / 2)


@dataclass
class MatchLog:
    """A match as this side knows it: enough for another mind to go on with it."""

    start: Start
    heard: float = field(default_factory=monotonic)
    steps: list[tuple[Told | None, str]] = field(default_factory=list)
    legal: Sequence[str] = ()
    first_turn: int | None = None
    lost: str = ""  # why what is told fits the steps no more
    ended: bool = False

    def place(self, told: Told) -> int:
        """Which step a manager asks for, by its turns; the next one where it does not number them.

        Some begin at 0, and some at 1.
        """
        if told.turn is None:
            return len(self.steps)
        if self.first_turn is None:
            self.first_turn = told.turn - len(self.steps)
        return told.turn - self.first_turn

    def lose(self, turn: int) -> None:
        """Go on from a turn that is not the next one: what happened before it is not known."""
        wanted = (self.first_turn or 0) + len(self.steps)
        self.lost = f"turn {turn} was told where {wanted} is next, so the match is lost"
        self.first_turn = turn - len(self.steps)

    @property
    def forgotten(self) -> bool:
        clocks = self.start.start_clock + self.start.play_clock
        return monotonic() - self.heard > clocks + FORGOTTEN


class Player:
    """Answers messages from any thread, one match at a time; nothing that it is sent ends it."""

    def __init__(self, spec: str, seed: int = 0) -> None:
        self.spec, self._seed = spec, seed
        self._match: MatchLog | None = None
        self._lock = threading.RLock()  # of the match and the worker, held shortly
        self.thinking = threading.Lock()  # by who uses the worker
        self._workers = 0
        self._stream = Stream(derive(seed, "late"))
        self._worker, self._clerk = self._new_worker(), self._new_clerk()

    def _new_worker(self) -> Worker:
        self._workers += 1
        return Worker(self.spec, derive(self._seed, "worker", self._workers))

    def _new_clerk(self) -> Worker:
        return Worker("", derive(self._seed, "clerk"), mind=CLERK)

    def ready(self) -> None:
        """Wait until the mind is ready to play; SpecError where the agent's spec is not right."""
        try:
            answer = self._worker.wait(monotonic() + WARMING)
        except GoneError:
            raise SpecError(f"the process that is to play {self.spec} has ended") from None
        if answer.error:
            raise SpecError(answer.error)

    def close(self) -> None:
        """End the process that plays."""
        with self._lock:
            if self._match is not None:
                self._drop(self._match)
            self._worker.end()
            self._clerk.end()

    # --- messages --------------------------------------------------------------------------------

    def answer(self, text: str, since: float | None = None) -> str:
        """The answer to a message; of every text, in bounded time, and without raising.

        `since` when it has been on its way, by the monotonic clock: a manager's clock runs from
        then on, however slowly the message came.
        """
        began = monotonic()
        try:
            reply = self._answer(parse(text), began if since is None else since)
        except MessageError as error:
            reply = error_reply(str(error))
        except Exception as error:  # a fault of ours must not end the player
            log.exception("unexpected")
            reply = error_reply(f"{type(error).__name__}: {error}")
        took = monotonic() - began
        log.info("%s -> %s (%.2f s)", one_line(text, 120), one_line(reply, 120), took)
        return reply

    def _answer(self, message: Message, since: float) -> str:
        if isinstance(message, Info):
            return self._status()
        if isinstance(message, Abort):
            return self._abort(message)
        if isinstance(message, Preview):
            return self._preview(message)
        if isinstance(message, Start):
            return self._start(message, since)
        if isinstance(message, Play):
            return self._play(message, since)
        return self._stop(message)

    def _status(self) -> str:
        with self._lock:
            return "available" if self._match is None or self._match.forgotten else "busy"

    def _found(self, name: str) -> MatchLog | str:
        """The match of this name, or what to answer where it is not the one that is played."""
        with self._lock:
            if self._match is None:
                return error_reply(f"no match {one_line(name, 60)} is played here")
            if self._match.start.match.lower() != name.lower():
                return "busy"
            self._match.heard = monotonic()
            return self._match

    # --- a match begins and ends -----------------------------------------------------------------

    def _preview(self, message: Preview) -> str:
        if self._status() == "busy" or not self.thinking.acquire(timeout=0.1):
            return "busy"
        try:
            worker, clock = self._worker, min(max(message.clock, 1.0), PREVIEWING)
            over, spare = monotonic() + clock, margin(clock)
            args = (message.rules, clock - spare)
            answer = worker.ask("preview", *args, deadline=over - spare / 2)
        except GoneError as error:
            self._replace(worker)
            return error_reply(str(error))
        finally:
            self.thinking.release()
        if answer.done and not answer.error:
            return "ready"
        return error_reply(answer.error or f"the rules are not read after {clock:.1f} s")

    def _start(self, message: Start, since: float) -> str:
        with self._lock:
            other = self._match
            if other is not None and not other.forgotten:
                return "busy"
            if other is not None:
                log.warning("match %s is given up", one_line(other.start.match, 60))
                self._leave(other)
            match = self._match = MatchLog(message)
        clock = message.start_clock
        over = runs_out(since, clock)
        if not self.thinking.acquire(timeout=max(over - margin(clock) - monotonic(), 0.0)):
            self._drop(match)
            return "busy"
        try:
            self._clerk.tell("start", message, clock, seconds=clock)
            answer = self._begun(match, over)
        finally:
            self.thinking.release()
        if match.ended:
            return "aborted"
        if answer.error:
            self._leave(match)
            return error_reply(answer.error)
        if not answer.done and (why := self._refusal(over - margin(clock) / 4)):
            self._leave(match)
            return error_reply(why)
        if not answer.done:
            log.warning("the start clock is over, and the mind is not ready")
        elif answer.value:
            log.info("match %s: %s", one_line(message.match, 60), answer.value)
        return "ready"

    def _refusal(self, deadline: float) -> str:
        """Why nobody could play the match that begins, as the clerk has found by then; or nothing.

        A mind that is late, or new and not ready yet, has not looked at the rules.
        """
        try:
            return str(self._clerk.wait(deadline).value or "")
        except GoneError:
            return ""  # there is a new one when a move is asked for

    def _begun(self, match: MatchLog, over: float) -> Answer:
        """Have the mind get ready for a match; a fresh one if the first is gone."""
        clock = match.start.start_clock
        spare = margin(clock)
        for _ in range(2):
            worker = self._worker
            if match.ended:
                return Answer()
            try:
                args = (match.start, min(clock, over - monotonic()) - spare)
                return worker.ask("start", *args, deadline=over - spare / 2, seconds=clock)
            except GoneError:
                if not match.ended:
                    self._replace(worker)
        return Answer(True, error="the process that plays has ended twice: these rules end it")

    def _stop(self, message: Stop) -> str:
        match = self._found(message.match)
        if isinstance(match, str):
            return match
        self._leave(match)
        return "done"

    def _abort(self, message: Abort) -> str:
        match = self._found(message.match)
        if isinstance(match, str):
            return match
        self._leave(match)
        return "aborted"

    def _leave(self, match: MatchLog) -> None:
        """Be free for another match: a mind that is at work on this one is ended."""
        with self._lock:
            self._drop(match)
            if not self.rests():
                self._replace(self._worker)

    def _drop(self, match: MatchLog) -> None:
        with self._lock:
            match.ended = True
            if self._match is match:
                self._match = None

    def rests(self) -> bool:
        """Whether the mind is at rest, and has forgotten its match."""
        if not self.thinking.acquire(blocking=False):
            return False
        try:
            if not self._worker.idle:
                return False
            self._worker.tell("stop")
        except GoneError:
            return False
        finally:
            self.thinking.release()
        return True

    def _replace(self, worker: Worker) -> None:
        """Have another worker in the place of this one, unless there is one already."""
        with self._lock:
            if self._worker is worker:
                worker.end()
                self._worker = self._new_worker()

    # --- a move ----------------------------------------------------------------------------------

    def _play(self, message: Play, since: float) -> str:
        match = self._found(message.match)
        if isinstance(match, str):
            return match
        clock = match.start.play_clock
        over = runs_out(since, clock)
        if not self.thinking.acquire(timeout=max(over - margin(clock) - monotonic(), 0.0)):
            return "busy"
        try:
            if match.ended:  # while others were answered: the mind is for the next match
                return "aborted"
            return self._moved(match, message.told, over)
        finally:
            self.thinking.release()

    def _moved(self, match: MatchLog, told: Told, over: float) -> str:
        """The move to answer by the time `over`; that of before where a manager asks again."""
        place = match.place(told)
        if place == len(match.steps) - 1:
            return match.steps[-1][1]
        if told.turn is not None and place != len(match.steps):
            match.lose(told.turn)
        news = told if match.steps else None  # before the first move nothing has happened
        if match.lost:
            answer = Answer(error=match.lost)
        else:
            deadline = over - margin(match.start.play_clock)
            self._clerk.tell("legal", list(match.steps), news, deadline)
            answer = self._asked(match, news, over)
        if match.ended:
            return "aborted"
        reply, note = answer.value if answer.done and not answer.error else ("", "")
        if not reply:  # there is a step, whatever became of the mind
            note = note or answer.error or "the mind is late"
            reply, how = self._guess(match, answer.legal, over)
            note = f"{note}; {how}"
        if note:
            log.warning("match %s: %s", one_line(match.start.match, 60), note)
        match.legal = answer.legal or match.legal
        match.steps.append((news, reply))
        return str(reply)

    def _guess(self, match: MatchLog, legal: Sequence[str], over: float) -> tuple[str, str]:
        """A move without the mind's, legal by what it or else the clerk has told; and by whom."""
        if legal:
            return self._stream.choice(legal), "any legal move"
        known = () if match.lost else self._by_clerk(match, over)
        if known:
            return self._stream.choice(known), "any legal move, as the clerk knows them"
        if match.legal:
            return self._stream.choice(match.legal), "a move that was legal before"
        return "noop", "nothing is known to be legal"

    def _by_clerk(self, match: MatchLog, over: float) -> Sequence[str]:
        """The legal moves that the clerk has found by now; none where it has not, or is gone."""
        try:
            answer = self._clerk.wait(over - margin(match.start.play_clock) / 4)
        except GoneError:
            self._clerk.end()
            self._clerk = self._new_clerk()
            clock = match.start.start_clock
            self._clerk.tell("start", match.start, clock, seconds=clock)
            return ()
        if answer.error:
            log.warning("match %s: the clerk: %s", one_line(match.start.match, 60), answer.error)
        return answer.value or ()

    def _asked(self, match: MatchLog, news: Told | None, over: float) -> Answer:
        """The mind's move by the time `over`; one that is gone or stuck is replaced first.

        One that is late, or new and not ready yet, is asked all the same, and catches up.
        """
        spare = margin(match.start.play_clock)
        for _ in range(2):
            worker = self._worker
            try:
                args = (list(match.steps), news, over - spare)
                answer = worker.ask("play", *args, deadline=over - spare / 2)
                if answer.error == NO_MATCH:
                    raise GoneError(NO_MATCH)
                return answer
            except GoneError as error:
                if not self._taken_over(match, worker, str(error)):
                    break
        return Answer()

    def _taken_over(self, match: MatchLog, worker: Worker, why: str) -> bool:
        """Have a new mind for a match, if that is still on."""
        with self._lock:
            if match.ended:
                return False
            log.warning("match %s: %s, a new mind", one_line(match.start.match, 60), why)
            self._replace(worker)
            clock = match.start.start_clock
            self._worker.tell("start", match.start, clock - margin(clock), seconds=clock)
        return True
