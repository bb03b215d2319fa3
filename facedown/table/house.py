"""All tables of a server: who may sit where, which games run, what of them is kept."""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from facedown.agents.registry import check_agent
from facedown.arena.apart.seat import Isolation
from facedown.core import Game, SpecError
from facedown.core.machine import cores
from facedown.games.registry import GAMES, RULE_FILE
from facedown.gdl import library
from facedown.gdl.stranger import tried
from facedown.store.kept import Writer
from facedown.store.records import HUMAN, GameRecord
from facedown.store.revision import machine, revision
from facedown.store.store import Ask, Store
from facedown.store.tables import KeptDecision, KeptTable, KeptTables
from facedown.table.hosted import Hosted, RefusedError, kept_summary
from facedown.table.person import HINT
from facedown.table.ready import Ready
from facedown.table.sitting import Decision, Sitting
from facedown.table.story import Story
from facedown.table.thinkers import Thinkers

SEED = "seed"
"""The mark of a game whose seed somebody chose, who may know the deal."""
FORKED = "fork"
"""The mark of a game that goes on from a moment of another, which was shown whole."""

WARM = ("best", "so-ismcts")  # whose searches are loaded beforehand: opponents, and hints
MOST_GAMES = 300
"""Games that go on at once, a thread each; whoever comes then waits for one to end or to sleep."""
MOST_NAME = 40  # characters of what a person is called


@dataclass(frozen=True)
class Order:
    """A table that is wanted: the game, and the spec of every player, HUMAN for people.

    The first person is the one who opens it; the others come by a link. `decisions` and `deal_seed`
    are of another game that it goes on from. `more` is kept with the record, for studies.
    """

    game: str
    specs: tuple[str, ...]
    seed: int | None = None
    seat: int | None = None
    hint: str = HINT
    consent: bool = False
    marks: tuple[str, ...] = ()
    deal_seed: int | None = None
    decisions: tuple[Decision, ...] = ()
    study: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Seat:
    """A seat that somebody holds the token of."""

    table: Table
    player: int


def digest(token: str) -> str:
    """What is kept of a token: whoever reads the store cannot sit down by it."""
    return hashlib.sha256(token.encode()).hexdigest()


class Table:
    """A table as people come to it: before the game, during and after it."""

    def __init__(self, house: House, kept: KeptTable) -> None:
        self.house, self.kept = house, kept
        self.hosted: Hosted | None = None
        self.present = 0  # windows that are open
        self.advised = False  # a hint is being thought of: one at a time, however many windows
        self._lock = threading.RLock()
        self.listeners: set[Callable[[], None]] = set()

    # --- who sits where ----------------------------------------------------------------------

    @property
    def specs(self) -> tuple[str, ...]:
        """The spec of every player."""
        return tuple(self.kept.settings["specs"])

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [player for player, spec in enumerate(self.specs) if spec == HUMAN]

    @property
    def shared(self) -> bool:
        """Whether several people sit here: then there are no hints, and nothing is taken back."""
        return len(self.people) > 1

    @property
    def study(self) -> dict[str, Any]:
        """What a study keeps with the game; empty where it is none."""
        return dict(self.kept.settings.get("study", {}))

    @property
    def gathering(self) -> bool:
        """Whether it waits for people to come."""
        return any(not self.kept.seats[player]["token"] for player in self.people)

    @property
    def over(self) -> bool:
        """Whether its game has ended, and is kept."""
        return self.kept.run is not None

    def name(self, player: int) -> str:
        """What a player is called here."""
        given = str(self.kept.seats[player].get("name", ""))
        return given or (f"player {player}" if self.specs[player] == HUMAN else self.specs[player])

    def call(self, player: int, name: str) -> None:
        """Have a person be called so; a study keeps no names."""
        if not self.study:
            self.kept.seats[player]["name"] = " ".join(name.split())[:MOST_NAME]
            self._keep()

    def holder(self, token: str) -> int | None:
        """The seat that a token is for."""
        offered = digest(token)
        for player in self.people:
            kept = str(self.kept.seats[player]["token"])
            if kept and secrets.compare_digest(kept, offered):
                return player
        return None

    @property
    def invite(self) -> str:
        """The token of the link that others come by while seats are free; empty: none is."""
        return str(self.kept.settings.get("invite", "")) if self.gathering else ""

    def invites(self, token: str) -> bool:
        """Whether this is the token of that link."""
        kept = self.invite
        return bool(kept) and secrets.compare_digest(kept.encode(), token.encode())

    def sit_down(self, name: str = "") -> str:
        """Take the first free seat; its token. RefusedError where there is none."""
        with self._lock:
            free = [p for p in self.people if not self.kept.seats[p]["token"]]
            if not free:
                raise RefusedError("all seats of this table are taken")
            token = secrets.token_urlsafe(16)
            self.kept.seats[free[0]]["token"] = digest(token)
            self.call(free[0], name)
            self._keep()
        self._begin()
        self.changed()
        return token

    def fill(self, spec: str) -> None:
        """Have agents take the seats that are free, and begin."""
        with self._lock:
            free = [p for p in self.people if not self.kept.seats[p]["token"]]
            specs = [spec if p in free else own for p, own in enumerate(self.specs)]
            self.house.check(self.kept.settings["game"], specs)
            self.kept.settings = {**self.kept.settings, "specs": specs}
            self._keep()
        self._begin()
        self.changed()

    # --- the game ----------------------------------------------------------------------------

    def awake(self) -> Hosted | None:
        """The game, woken up where it slept; None before it begins and once it is kept."""
        self._begin()
        return self.hosted

    def _begin(self) -> None:
        with self._lock:
            if self.hosted is not None or self.gathering or self.over or self.house.full:
                return
            hosted = Hosted(self._sit, self.house.thinkers, self.kept.settings["hint"])
            hosted.on_decision, hosted.on_taken_back = self._decided, self._taken_back
            hosted.on_mark, hosted.on_over = self._marked, self._ended
            hosted.listeners.add(self.changed)
            self.hosted = hosted.start()

    def sleep(self) -> None:
        """Stop the game where it is; the store has it."""
        with self._lock:
            hosted, self.hosted = self.hosted, None
        if hosted is not None:
            hosted.listeners.clear()
            hosted.leave()

    def _sit(self, host: Hosted) -> Sitting:
        settings = self.kept.settings
        made = [
            Decision(one.player, one.place, dict(one.summary) if one.summary else None, one.pace,
                     one.text, one.seconds)
            for one in self.house.tables.decisions(self.kept.id)
        ]  # fmt: skip
        for spec in sorted(set(self.specs) - {HUMAN}):
            if not self.house.isolation.apart(spec):
                self.house.ready.enter(settings["game"], spec)
        return Sitting(
            self.house.load(settings["game"]), self.specs, host, seed=settings["seed"],
            deal_seed=settings.get("deal_seed"), consent=settings["consent"],
            isolation=self.house.isolation, decisions=made, marks=self.kept.marks,
        )  # fmt: skip

    def _decided(self, made: Decision, number: int) -> None:
        kept = KeptDecision(
            made.player, made.place, made.text, made.seconds, made.pace, kept_summary(made)
        )
        self.house.tables.decided(self.kept.id, number, kept)

    def _taken_back(self, left: int) -> None:
        self.house.tables.taken_back(self.kept.id, left)

    def _marked(self) -> None:
        if self.hosted is not None and self.hosted.sitting is not None:
            self.kept.marks = sorted(self.hosted.sitting.marks)
            self._keep()

    def mark(self, what: str) -> None:
        """The game counts as assisted from now on, and why."""
        if self.hosted is not None and self.hosted.sitting is not None:
            self.hosted.sitting.marks.add(what)
            self._marked()

    def _ended(self, record: GameRecord, sitting: Sitting) -> None:
        self.kept.marks = sorted(sitting.marks)
        self.kept.run = self.house.keep(record, sitting.game, self)
        self._keep()
        self.house.tables.taken_back(self.kept.id, 0)  # the record has them
        self.house.tables.flush()

    def _keep(self) -> None:
        self.house.tables.update(self.kept)

    def changed(self) -> None:
        """Something may look different; tells the windows."""
        for listener in tuple(self.listeners):
            listener()

    def record(self) -> GameRecord | None:
        """The game that was played, once it is over."""
        if self.hosted is not None and self.hosted.record is not None:
            return self.hosted.record
        return None if self.kept.run is None else self.house.recorded(self.kept.run)


class House:
    """The tables of a server over one store. `games` are specs of the owner's own.

    A context that closes itself at its end: a thread keeps its tables. With `hurries` searches are
    cut short where people wait for too long.
    """

    def __init__(
        self,
        store: Store,
        *,
        games: Sequence[str] = (),
        agents: Sequence[str] = (),
        hurries: bool = True,
    ) -> None:
        self.store, self.tables = store, KeptTables(store)
        self.games, self.agents = tuple(games), tuple(agents)
        self.thinkers = Thinkers(max(1, cores()), hurries=hurries)
        self.isolation = Isolation()
        self.shown: dict[str, tuple[GameRecord, Game]] = {}  # records of files, by name
        self.ready = Ready()
        self._open: dict[str, Table] = {}
        self._lock = threading.RLock()

    def load(self, spec: str) -> Game:
        """A game, loaded once."""
        return self.ready.load(spec)

    def upload(self, rules: bytes, called: str) -> str:
        """Take a visitor's rule file in; its spec. SpecError where it cannot be played here.

        It is tried in a process of its own within limits first; what needs more than they allow,
        or has no rule network, is refused.
        """
        name = called.rpartition(".")[0] or called or "rules"
        tried(rules, name[:MOST_NAME])
        return f"{RULE_FILE}{library.keep(rules, name)}"

    def offered(self) -> list[tuple[str, str]]:
        """The games that visitors will ask for, each with agents that they will."""
        return [(game, agent) for agent in WARM for game in (*self.games, *GAMES)]

    def check(self, game: str, specs: Sequence[str]) -> None:
        """SpecError where somebody cannot play the game."""
        loaded = self.load(game)
        if len(specs) != loaded.players:
            raise SpecError(f"{game} has {loaded.players} seats, {len(specs)} are filled")
        for spec in sorted(set(specs) - {HUMAN}):
            if not self.isolation.apart(spec):
                check_agent(spec, loaded)

    def open(self, order: Order, name: str = "", *, token: str | None = None) -> tuple[Table, str]:
        """A new table, and the token of who opened it; SpecError where it cannot be played.

        A participant of a study has one `token` for all their tables.
        """
        self.check(order.game, order.specs)
        people = [player for player, spec in enumerate(order.specs) if spec == HUMAN]
        first = people[0] if order.seat is None else order.seat
        if first not in people:
            raise SpecError(f"seat {first} is not a person's")
        token, invite = token or secrets.token_urlsafe(16), secrets.token_urlsafe(16)
        seats: list[dict[str, Any]] = [{"token": "", "name": ""} for _ in order.specs]
        seats[first] = {"token": digest(token), "name": " ".join(name.split())[:MOST_NAME]}
        marks = {*order.marks, *((SEED,) if order.seed is not None and not order.marks else ())}
        kept = KeptTable(
            secrets.token_urlsafe(9), self._settings(order, invite, people), seats, sorted(marks)
        )
        self.tables.add(kept)
        for number, made in enumerate(order.decisions):
            summary = kept_summary(made)
            told = KeptDecision(
                made.player, made.place, made.text, made.seconds, made.pace, summary
            )
            self.tables.decided(kept.id, number, told)
        table = Table(self, kept)
        with self._lock:
            self._open[kept.id] = table
        return table, token

    def _settings(self, order: Order, invite: str, people: list[int]) -> dict[str, Any]:
        seed = secrets.randbits(63) if order.seed is None else order.seed
        return {
            "game": order.game, "specs": list(order.specs), "seed": seed, "hint": order.hint,
            "consent": order.consent, "deal_seed": order.deal_seed, "study": order.study,
            "invite": invite if len(people) > 1 else "",
        }  # fmt: skip

    def find(self, name: str) -> Table | None:
        """A table by its name."""
        with self._lock:
            kept = None if name in self._open else self.tables.find(name)
            if kept is not None and "specs" in kept.settings:  # no participant of a study
                self._open[name] = Table(self, kept)
            return self._open.get(name)

    @property
    def full(self) -> bool:
        """Whether no further game can go on."""
        return sum(table.hosted is not None for table in tuple(self._open.values())) >= MOST_GAMES

    def seat(self, name: str, token: str) -> Seat | None:
        """The seat that a token opens at a table; None where it opens none."""
        table = self.find(name)
        player = None if table is None else table.holder(token)
        return None if table is None or player is None else Seat(table, player)

    def keep(self, record: GameRecord, game: Game, table: Table) -> int:
        """Have a game that is over in the store; the number of its run."""
        agents = [spec for spec in record.agents if spec != HUMAN]
        settings: dict[str, Any] = {"game": game.spec, "players": list(record.agents)}
        settings["marks"] = table.kept.marks
        if table.study:
            settings["study"] = table.study
        name = " ".join((game.spec, *record.agents))
        ask = Ask(
            "study" if table.study else "table", name, game.spec, settings, 1,
            revision(game, agents), record.seed, machine(),
        )  # fmt: skip
        with Writer(self.store.match(ask, new=True)) as writer:
            writer.add(replace(record, number=0), 0)
            writer.finish(None)
            return int(writer.match.run)

    def recorded(self, run: int) -> GameRecord | None:
        """The record of a run, None where it was deleted."""
        try:
            return self.store.matches(run)[0].record(0)
        except (SpecError, IndexError):
            return None

    def story(self, name: str) -> Story | None:
        """A game that is over, to look back on: of a table, or of a file; None: there is none.

        RecordError where it does not come to its recorded end.
        """
        if name in self.shown:
            return Story(*self.shown[name])
        table = self.find(name)
        record = None if table is None or not table.over or table.study else table.record()
        if table is None or record is None:
            return None
        return Story(record, self.load(table.kept.settings["game"]))

    def sweep(self, absent: Callable[[Table], bool]) -> None:
        """Put the tables to sleep that nobody looks at, as `absent` says, and wake who waits."""
        with self._lock:
            tables = list(self._open.items())
        for name, table in tables:
            if absent(table):
                table.sleep()
                with self._lock:
                    if not table.present and table.hosted is None:
                        self._open.pop(name, None)
            elif table.present and table.hosted is None and table.awake() is not None:
                table.changed()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop all games where they are; the store has them. Once more does no harm."""
        try:
            self.ready.close()
            for table in list(self._open.values()):
                table.sleep()
        finally:
            self.tables.close()
