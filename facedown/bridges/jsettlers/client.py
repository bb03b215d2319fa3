"""A robot at a server: it logs in, sits down where it is asked to, and leaves when it is to."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from facedown.bridges.jsettlers import messages as say
from facedown.bridges.jsettlers.fields import SEATS, Oddity
from facedown.bridges.jsettlers.line import ClosedError, Line
from facedown.bridges.jsettlers.recording import Said
from facedown.bridges.jsettlers.sitting import THINKING, Decider, Result, SeatId, Sitting
from facedown.core.errors import SpecError

log = logging.getLogger("facedown.jsettlers")

VERSION, VERSION_TEXT = 2700, "2.7.00"
OLDEST, NEWEST = 2500, 2999
"""Versions of servers that talk as we do: messages changed before 2.5.00, and may from 3.0 on."""

BRAIN = "facedown.bridges.jsettlers"
"""The class of robot that we say we are; to be one of the built-in ones would be a lie."""

CONNECTING, LOGGING_IN = 10.0, 20.0
"""Seconds until a server has to take a call, and to let one in or not."""

SILENCE = 300.0
"""Seconds without a word after which a line is dead: a server's pings come every 90."""

SHUTTING_DOWN = "23"
"""The status by which a server says that it ends."""

MOST_ODDITIES = 100
"""Kinds of messages not understood that are logged."""

MOST_GAMES = 64
"""Games at once: every one has a thread and a seat's memory, and a server may ask without end."""

_POLL = 0.5


@dataclass(frozen=True)
class Account:
    """Where the server is, its cookie for robots, and the name to play by."""

    host: str
    port: int
    cookie: str
    name: str


@dataclass(frozen=True)
class Limits:
    """After so many games the robot leaves (None: never); so often it calls again in a row."""

    games: int | None = None
    retries: int = 5
    thinking: float = THINKING


class RefusedError(SpecError):
    """The server does not let us in."""


class Robot:
    """One robot, one line at a time, any number of games at once. `run` plays until it is over."""

    def __init__(
        self,
        account: Account,
        decider: Decider,
        limits: Limits | None = None,
        keep: Callable[[Said], None] | None = None,
        done: Callable[[Result], None] | None = None,
    ) -> None:
        self.account, self.limits = account, limits or Limits()
        self.results: list[Result] = []
        self._decider, self._keep, self._done = decider, keep, done
        self._line: Line | None = None
        self._sittings: dict[str, Sitting] = {}
        self._leaving: list[Sitting] = []
        self._noted: set[SeatId] = set()  # games that are over, which their server may keep
        self._seated: set[str] = set()
        self._known_oddities: set[tuple[int, str]] = set()
        self._declined: set[str] = set()  # reasons that were told
        self._ending = False

    def probe(self) -> None:
        """SpecError where nobody listens: worth knowing before an agent gets ready."""
        self._call().close()

    def run(self) -> Sequence[Result]:
        """Play until the server ends or enough games are over.

        SpecError where the server is not there, does not let us in or talks otherwise, and where a
        line that broke cannot be had again.
        """
        try:
            self._line = self._log_in()
            while True:
                try:
                    self._serve(self._line)
                    return self.results
                except ClosedError as error:
                    self._line.close()
                    self._drop(self.limits.thinking + 2.0)
                    if self._ending or self._enough:
                        return self.results
                    log.warning("%s", error)
                    self._line = self._again(str(error))
        finally:
            self._leave()

    # --- lines -----------------------------------------------------------------------------------

    def _log_in(self) -> Line:
        line = self._call()
        try:
            line.send(say.Version(VERSION, VERSION_TEXT, "facedown", ""))
            line.send(say.Login(self.account.name, self.account.cookie, BRAIN))
            self._let_in(line)
        except ClosedError as error:
            line.close()
            raise RefusedError(f"{self._where} let us not in: {error}") from None
        except BaseException:
            line.close()
            raise
        log.info("logged in at %s as %s", self._where, self.account.name)
        return line

    @property
    def _where(self) -> str:
        return f"the server at {self.account.host}, port {self.account.port},"

    def _call(self) -> Line:
        here = self.account
        try:
            return Line(socket.create_connection((here.host, here.port), CONNECTING), self._keep)
        except (OSError, OverflowError, TypeError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise SpecError(f"{self._where} cannot be reached: {reason}") from None

    def _let_in(self, line: Line) -> None:
        """Wait until the server has let us in. RefusedError, ClosedError."""
        deadline, version, done = time.monotonic() + LOGGING_IN, 0, False
        while not done:
            if time.monotonic() > deadline:
                raise RefusedError(f"{self._where} says neither yes nor no in {LOGGING_IN:.0f} s")
            for text in line.receive(_POLL):
                message = say.parse(text)
                if isinstance(message, say.Refused):
                    raise RefusedError(f"{self._where} refuses us: {','.join(message.words)}")
                if isinstance(message, say.Version):
                    version = self._checked(message)
                elif isinstance(message, say.LoggedIn):
                    done = True
                else:
                    self._dispatch(line, text)
        if not version:
            raise RefusedError(f"{self._where} says no version; {_KNOWN}")

    def _checked(self, message: say.Version) -> int:
        if not OLDEST <= message.version <= NEWEST:
            told = message.text or message.version
            raise RefusedError(f"{self._where} has version {told}, which is not known; {_KNOWN}")
        return message.version

    def _again(self, why: str) -> Line:
        """Another line, after a while; SpecError after so many tries."""
        for attempt in range(self.limits.retries):
            time.sleep(min(2.0**attempt, 30.0))
            try:
                return self._log_in()
            except SpecError as error:
                log.warning("%s (try %d of %d)", error, attempt + 1, self.limits.retries)
        tried = f"calling again {self.limits.retries} times did not help"
        raise SpecError(f"{self._where} is gone ({why}); {tried}")

    # --- what the server says --------------------------------------------------------------------

    def _serve(self, line: Line) -> None:
        while not self._enough:
            for text in line.receive(_POLL):
                self._dispatch(line, text)
            if line.silence > SILENCE:
                raise ClosedError(f"the server has said nothing for {SILENCE:.0f} s")
            self._collect()

    @property
    def _played(self) -> int:
        return sum(bool(result.points) for result in self.results)

    @property
    def _enough(self) -> bool:
        return self.limits.games is not None and self._played >= self.limits.games

    @property
    def _booked(self) -> bool:
        """Whether the games that run will be enough: one that is begun is not to be left."""
        ended = [sitting for sitting in self._leaving if sitting.result.points]
        seats = [*self._sittings.values(), *ended]
        running = sum(sitting.seat_id not in self._noted for sitting in seats)
        return self.limits.games is not None and self._played + running >= self.limits.games

    def _dispatch(self, line: Line, text: str) -> None:
        message = say.parse(text)
        if isinstance(message, Oddity):
            self._wonder(message)
        elif isinstance(message, say.Ping):
            line.send(message)
        elif isinstance(message, say.Status):
            self._status(message)
        elif isinstance(message, say.JoinRequest):
            self._asked_to_join(line, message, text)
        elif isinstance(message, say.Joined):
            self._sit_down(line, message.game)
        elif isinstance(message, say.Dismissed):
            if message.game in self._sittings:
                line.send(say.Leave(self.account.name, "-", message.game))
                self._part(message.game)
        elif isinstance(message, say.GameGone | say.BoardReset):
            self._part(message.game)
        else:
            sitting = self._sittings.get(getattr(message, "game", ""))
            if sitting is not None:  # many speak of games that one is not in
                sitting.put(text)

    def _wonder(self, oddity: Oddity) -> None:
        """Log what is not understood, once for each kind."""
        kind, known = (oddity.number, oddity.reason), self._known_oddities
        if oddity.number in say.IGNORED or kind in known or len(known) > MOST_ODDITIES:
            return
        known.add(kind)
        if len(known) > MOST_ODDITIES:
            log.warning("so much was not understood that no more of it is told")
        else:
            log.warning("not understood (%s): %.100r", oddity.reason, oddity.text)

    def _status(self, message: say.Status) -> None:
        if message.words[:1] == (SHUTTING_DOWN,):
            self._ending = True
        log.info("the server: %s", ",".join(message.words))

    def _asked_to_join(self, line: Line, message: say.JoinRequest, text: str) -> None:
        why = strange(message.options)
        if len(self._sittings) >= MOST_GAMES and message.game not in self._sittings:
            why = f"{MOST_GAMES} games are played already"
        elif self._booked:
            why = "as many games as are wanted are played or running"
        if why:
            self._decline(message.game, why)
            return
        if message.game in self._sittings:
            self._part(message.game)
        sitting = Sitting(
            message.game, message.seat, self._decider, line.send, self.limits.thinking
        )
        self._sittings[message.game] = sitting
        self._seated.discard(message.game)
        sitting.put(text)
        sitting.start()
        log.info("%s: asked for seat %d", message.game, message.seat)
        line.send(say.Join(self.account.name, "", "", message.game))

    def _decline(self, game: str, why: str) -> None:
        """Log why a game is not joined, once for each reason."""
        if why not in self._declined and len(self._declined) < MOST_ODDITIES:
            self._declined.add(why)
            log.warning("%s: not joined: %s", game, why)

    def _sit_down(self, line: Line, game: str) -> None:
        """Sit where we were asked to, once: a seat that is taken must never be asked for."""
        sitting = self._sittings.get(game)
        if sitting is not None and game not in self._seated:
            self._seated.add(game)
            line.send(say.SitDown(game, "", sitting.seat, True))

    # --- leaving ---------------------------------------------------------------------------------

    def _part(self, game: str) -> None:
        sitting = self._sittings.pop(game, None)
        if sitting is not None:
            sitting.end()
            self._leaving.append(sitting)

    def _collect(self) -> None:
        """Note the results of games that are over, also of those that their server keeps."""
        for sitting in self._sittings.values():
            if sitting.result.points:
                self._note(sitting)
        for sitting in [sitting for sitting in self._leaving if not sitting.is_alive()]:
            self._leaving.remove(sitting)
            self._note(sitting)
            self._noted.discard(sitting.seat_id)

    def _note(self, sitting: Sitting) -> None:
        """Tell how a game went, once."""
        if sitting.seat_id in self._noted:
            return
        self._noted.add(sitting.seat_id)
        self.results.append(sitting.result)
        if self._done is not None:
            self._done(sitting.result)

    def _drop(self, seconds: float) -> None:
        """Give up all games; those who think about a move are waited for so long."""
        for game in list(self._sittings):
            self._part(game)
        deadline = time.monotonic() + seconds
        for sitting in self._leaving:
            sitting.join(max(deadline - time.monotonic(), 0.0))
            self._note(sitting)
        self._leaving.clear()

    def _leave(self) -> None:
        """Leave all games and hang up."""
        line = self._line
        if line is None:
            return
        for game in self._sittings:
            line.send(say.Leave(self.account.name, "-", game))
        line.close()
        self._drop(0.5)


_KNOWN = "2.5.00 to 2.9 are known"


def strange(options: Sequence[str]) -> str:
    """Why a game with such options cannot be played here; empty if it can.

    >>> strange(["PL=4", "RD=f", "BC=t4"])
    ''
    >>> strange(["PL=6"])
    'PL=6 is more than four seats'
    """
    known = dict(option.partition("=")[::2] for option in options)
    most = known.get("PL", "4")
    if not (most.isascii() and most.isdecimal() and int(most) <= SEATS):
        return f"PL={most} is more than four seats"
    for name in ("PLB", "SBL"):
        if known.get(name, "f").startswith("t"):
            return f"{name}={known[name]} is a board that is not classic"
    return f"SC={known['SC']} is a scenario" if known.get("SC") else ""
