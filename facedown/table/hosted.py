"""A game of people that is played in a thread of its own, for windows that come and go."""

# Annotations here are real objects, not strings: see facedown.agents.base.
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from facedown.arena.guarded import plain
from facedown.core import CHANCE, OVER, FacedownError, Game, Position
from facedown.search.budget import Budget
from facedown.shown import one_line
from facedown.store.records import GameRecord
from facedown.table.person import HINT, Person, QuitError, TakeBackError, gathered
from facedown.table.sitting import Decision, Sitting, result_text
from facedown.table.thinkers import Brake, Place, Thinkers
from facedown.table.together import Foreseen, same


class RefusedError(FacedownError):
    """Something that a seat may not do now; says why. The game is as it was."""


@dataclass(frozen=True)
class Choice:
    """A legal move: its words, and the parts of the picture that make it up."""

    text: str
    parts: tuple[str, ...]


@dataclass(frozen=True)
class Look:
    """All that the window of a seat may show: made from the seat's view, and nothing else.

    `ticket` is of the decision that is awaited from this seat, None where none is; `moves` are then
    its legal ones. `turn` is who acts, CHANCE or OVER.
    """

    turn: int
    plies: int
    picture: str
    text: str
    ticket: int | None = None
    moves: tuple[Choice, ...] = ()
    news: tuple[str, ...] = ()
    can_undo: bool = False


@dataclass
class Asked:
    """A decision that is awaited from a person, perhaps before their turn."""

    player: int
    view: Position
    legal: list[int]
    ticket: int
    person: Person | None = None  # None before their turn
    answer: int | None = None  # a place in `legal`
    back: bool = False  # the last decision is to be taken back

    @property
    def done(self) -> bool:
        """Whether it waits no more."""
        return self.answer is not None or self.back

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """The legal moves, to be shown."""
        words, parts = self.view.game.move_words, self.view.parts
        return tuple(Choice(words(move), parts(self.player, move)) for move in self.legal)


@dataclass(eq=False)
class Guest(Person):
    """A person who is asked through a window, by whoever holds the seat."""

    table: "Hosted" = field(kw_only=True)

    def asked(self, view: Position, legal: Sequence[int]) -> int:
        return self.table.await_answer(self, view, legal)


@dataclass(frozen=True)
class Thinking:
    """An agent at work."""

    player: int
    agent: Any
    since: float

    def progress(self) -> float | None:
        """How much of its budget is used, from 0 to 1; None where nobody knows."""
        budget, search = getattr(self.agent, "budget", None), getattr(self.agent, "search", None)
        if not isinstance(budget, Budget):
            return None
        shares = []
        if budget.seconds:
            shares.append((time.monotonic() - self.since) / budget.seconds)
        done = getattr(search, "iterations", None)
        if budget.iterations and isinstance(done, int):
            shares.append(done / budget.iterations)
        return min(max(shares), 1.0) if shares else None

    def stop(self) -> None:
        """Have the search end now, if one runs."""
        search = getattr(self.agent, "search", None)
        if search is not None and hasattr(search, "stop"):
            search.stop()


class Hosted:
    """A sitting in a thread of its own: it waits for people, and tells its windows of changes.

    All methods may be called from any thread. `sit` makes the sitting for this host; `thinkers` has
    the places to search at, and the people who have waited longest come first.
    `listeners` are called, from any thread, whenever something may look different; they must not
    wait.
    """

    def __init__(
        self, sit: Callable[["Hosted"], Sitting], thinkers: Thinkers, hint: str = HINT
    ) -> None:
        self._sit, self._thinkers, self._hint = sit, thinkers, hint
        self._lock = threading.Condition()
        self._asked: Asked | None = None
        self._ahead: dict[int, Asked] = {}  # of people who can decide before their turn
        self._views: dict[int, Position] = {}
        self._pictures: dict[int, tuple[Position, str, str]] = {}
        self._version, self._tickets, self._plies, self._turn = 0, 0, 0, CHANCE
        self._leaving = False
        self._since = time.monotonic()  # people have waited for others
        self.thinking_now: Thinking | None = None
        self.sitting: Sitting | None = None
        self.record: GameRecord | None = None
        self.error = ""
        self.listeners: set[Callable[[], None]] = set()
        self.on_decision: Callable[[Decision, int], None] = lambda made, number: None
        self.on_taken_back: Callable[[int], None] = lambda left: None
        self.on_mark: Callable[[], None] = lambda: None
        self.on_over: Callable[[GameRecord, Sitting], None] = lambda record, sitting: None
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    # --- the course of the game --------------------------------------------------------------

    def start(self) -> "Hosted":
        """Begin, or go on."""
        self._thread.start()
        return self

    def _run(self) -> None:
        try:
            self.sitting = self._sit(self)
            record = self.sitting.play()
            self.on_over(record, self.sitting)
            self.record = record
        except QuitError:
            pass
        except FacedownError as error:
            self.error = one_line(str(error))
        except Exception as error:
            self.error = one_line(f"{type(error).__name__}: {error}")
        self._changed()

    @property
    def alive(self) -> bool:
        """Whether the game goes on."""
        return self._thread.is_alive()

    @property
    def game(self) -> Game:
        """The game, once it is loaded."""
        assert self.sitting is not None
        return self.sitting.game

    def leave(self, wait: bool = True) -> None:
        """Have the game stop where it is, and searches end; it can be taken up again."""
        with self._lock:
            self._leaving = True
            self._lock.notify_all()
        while wait and self._thread.is_alive():
            if (thinking := self.thinking_now) is not None:
                thinking.stop()  # again and again: a search may be about to begin
            self._thread.join(0.02)

    # --- what a sitting asks of its host -----------------------------------------------------

    def person(self, game: Game, player: int, seed: int) -> Guest:
        """A person at this table."""
        return Guest(game, player, seed, self._hint, table=self)

    @contextmanager
    def thinking(self, agent: Any, player: int) -> Iterator[Place | None]:
        """Wait for a processor, and be watched; QuitError where the table was left meanwhile."""
        if isinstance(agent, Guest):
            yield None
            return
        self.thinking_now = Thinking(player, agent, time.monotonic())
        self._changed()
        with self._thinkers.place(self._since, Brake(lambda: agent)) as place:
            self._check()
            self.thinking_now = Thinking(player, agent, time.monotonic())
            try:
                yield place
            finally:
                self.thinking_now = None
        self._check()

    def _check(self) -> None:
        if self._leaving:
            raise QuitError

    def shown(self, player: int, view: Position, turn: int) -> None:
        """Keep what a seat sees."""
        with self._lock:
            self._views[player], self._turn = view, turn
        self._changed()

    def foreseen(self, ahead: Sequence[Foreseen]) -> None:
        """Ask those who can decide already; what they were asked so before stands."""
        with self._lock:
            kept = self._ahead
            self._ahead = {p: one for p, one in kept.items() if p == self._turn}  # asked at last
            for player, view, legal in ahead:
                before = kept.get(player)
                if before is None or not same(before.view, view):
                    self._tickets += 1
                    before = Asked(player, view, legal, self._tickets)
                self._ahead[player] = before
        self._changed()

    def decided(self, made: Decision) -> None:
        """Have it kept."""
        sitting = self.sitting
        number = len(sitting.decisions) - 1 if sitting is not None else 0
        self.on_decision(made, number)

    def taken_back(self, left: int) -> None:
        """Have that kept."""
        self.on_taken_back(left)
        self.on_mark()

    def await_answer(self, person: Guest, view: Position, legal: Sequence[int]) -> int:
        """Wait until the person has chosen."""
        with self._lock:
            asked = self._ahead.pop(person.player, None)
            if asked is None or not same(asked.view, view) or set(asked.legal) != set(legal):
                self._tickets += 1
                asked = Asked(person.player, view, list(legal), self._tickets)
            asked.person = person
            self._asked = asked
        self._changed()
        with self._lock:
            self._lock.wait_for(lambda: self._leaving or asked.done)
            self._asked = None
            if self._leaving:
                raise QuitError
            if asked.back:
                raise TakeBackError
            assert asked.answer is not None
            return asked.legal[asked.answer]

    # --- what people do ----------------------------------------------------------------------

    def answer(self, player: int, ticket: object, place: object) -> None:
        """A person's choice, by its place among the moves; RefusedError where it is none."""
        with self._lock:
            asked = self._own(player, ticket)
            if not isinstance(place, int) or isinstance(place, bool):
                raise RefusedError("a move is named by its place in the list")
            if not 0 <= place < len(asked.legal):
                raise RefusedError(f"there is no move {place}; 0 to {len(asked.legal) - 1} are")
            asked.answer = place
            self._since = time.monotonic()
            self._lock.notify_all()
        self._changed()

    def undo(self, player: int, ticket: object) -> None:
        """Take the person's last decision back; RefusedError where that is not allowed."""
        with self._lock:
            asked = self._own(player, ticket)
            if self.sitting is None or not self.sitting.can_undo(player):
                raise RefusedError("there is nothing to take back")
            asked.back = True
            self._lock.notify_all()

    def _of(self, player: int) -> Asked | None:
        """What is asked of a seat, now or ahead."""
        asked = self._asked
        return asked if asked is not None and asked.player == player else self._ahead.get(player)

    def _own(self, player: int, ticket: object) -> Asked:
        asked = self._of(player)
        if asked is None:
            raise RefusedError("it is not your turn")
        if asked.ticket != ticket or asked.done:
            raise RefusedError("that was a decision of before")
        return asked

    def asked_now(self, player: int, ticket: object) -> Asked:
        """The decision that is awaited from a seat, for a hint; RefusedError where none is."""
        with self._lock:
            asked = self._own(player, ticket)
            if asked.person is None:
                raise RefusedError("it is not your turn")
            return asked

    # --- what windows show -------------------------------------------------------------------

    @property
    def version(self) -> int:
        """Another number whenever something may look different."""
        return self._version

    @property
    def turn(self) -> int:
        """Who acts."""
        return self._turn

    def look(self, player: int) -> Look | None:
        """What the window of a seat may show now; None where nothing is dealt yet."""
        with self._lock:
            view, turn, version = self._views.get(player), self._turn, self._version
            asked = self._of(player)
            if view is None:
                return None
            if asked is not None and asked.done:
                asked = None
            picture, text = self._drawn(player, view)
            news = self._news(player)
            if asked is None:
                return Look(turn, version, picture, text, news=news)
            can_undo = self.sitting is not None and self.sitting.can_undo(player)
            return Look(turn, version, picture, text, asked.ticket, asked.choices, news, can_undo)

    def _drawn(self, player: int, view: Position) -> tuple[str, str]:
        """The picture and the words of a view, made once."""
        kept = self._pictures.get(player)
        if kept is None or kept[0] is not view:
            kept = view, view.picture(player), view.text(player)
            self._pictures[player] = kept
        return kept[1:]

    def _news(self, player: int) -> tuple[str, ...]:
        sitting = self.sitting
        person = None if sitting is None else sitting.people.get(player)
        return () if person is None else tuple(gathered(person.news, person.game.players))

    def result(self, player: int) -> str:
        """How it ended, for a seat."""
        return "" if self.record is None else result_text(self.record, player)

    @property
    def over(self) -> bool:
        """Whether the game has come to its end."""
        return self.record is not None or self._turn == OVER

    def _changed(self) -> None:
        self._version += 1
        for listener in tuple(self.listeners):
            listener()


def kept_summary(made: Decision) -> Any:
    """The summary of a decision as plain JSON; None where it has none that is."""
    try:
        return plain(made.summary)
    except TypeError:
        return None
