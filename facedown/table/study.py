"""Studies: people play a game against one of several agents, by chance, and are timed.

Nothing is known of a participant but a random code: no name, no address.
"""

from __future__ import annotations

import csv
import io
import secrets
import threading
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from facedown.core import SpecError
from facedown.core.files import read_bounded, write_whole
from facedown.store.records import HUMAN, GameRecord, line_of
from facedown.store.tables import KeptTable
from facedown.table.house import House, Order, digest

_TEXTS = {"title": None, "game": None, "consent": None, "instructions": "", "thanks": ""}
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that is taken for another
MOST_BYTES = 16 << 20
STAGES = ("instructions", "quiz", "matches", "thanks")
"""What a participant goes through after they have agreed."""


@dataclass(frozen=True)
class Condition:
    """Whom a participant plays against."""

    name: str
    against: str


@dataclass(frozen=True)
class Study:
    """A study as its file has it. `seat` is the participant's, None: drawn for every match."""

    title: str
    game: str
    consent: str
    conditions: tuple[Condition, ...]
    matches: int = 1
    seat: int | None = None
    quiz: bool = True
    instructions: str = ""
    thanks: str = ""

    @classmethod
    def read(cls, path: str | Path) -> Study:
        """The study of a file; SpecError says what is wrong with it."""
        try:
            plain = tomllib.loads(read_bounded(path, MOST_BYTES).decode())
        except OSError as error:
            raise SpecError(f"cannot read {path}: {error.strerror}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
            raise SpecError(f"{path} is no TOML: {error}") from None
        try:
            return cls._of(plain)
        except SpecError as error:
            raise SpecError(f"{path}: {error}") from None

    @classmethod
    def _of(cls, plain: dict[str, Any]) -> Study:
        known = {*_TEXTS, "matches", "seat", "quiz", "condition"}
        for name in plain:
            if name not in known:
                raise SpecError(f"{name!r} is not known; {', '.join(sorted(known))} are")
        texts = {name: _text(plain, name, default) for name, default in _TEXTS.items()}
        matches, seat, quiz = plain.get("matches", 1), plain.get("seat"), plain.get("quiz", True)
        if not isinstance(matches, int) or isinstance(matches, bool) or not 1 <= matches <= 1000:
            raise SpecError(f"matches is {matches!r}; 1 to 1000 is wanted")
        if seat is not None and (not isinstance(seat, int) or isinstance(seat, bool)):
            raise SpecError(f"seat is {seat!r}; a number from 0 is wanted, or none at all")
        if not isinstance(quiz, bool):
            raise SpecError(f"quiz is {quiz!r}; true or false is wanted")
        conditions = tuple(_conditions(plain.get("condition")))
        return cls(**texts, conditions=conditions, matches=matches, seat=seat, quiz=quiz)

    def pairs(self) -> list[tuple[str, str]]:
        """The game, with each of the agents that participants will meet."""
        return [(self.game, condition.against) for condition in self.conditions]

    def check(self, house: House) -> None:
        """SpecError where it cannot be played."""
        players = house.load(self.game).players
        if self.seat is not None and not 0 <= self.seat < players:
            raise SpecError(f"seat is {self.seat}; 0 to {players - 1} is wanted in {self.game}")
        for condition in self.conditions:
            house.check(self.game, [HUMAN, *[condition.against] * (players - 1)])


def _text(plain: Mapping[str, Any], name: str, default: str | None) -> str:
    found = plain.get(name, default)
    if found is None:
        raise SpecError(f"{name} is missing")
    if not isinstance(found, str):
        raise SpecError(f"{name} is {found!r}; a text is wanted")
    return found.strip()


def _conditions(plain: Any) -> list[Condition]:
    if not isinstance(plain, list) or not plain:
        raise SpecError("no [[condition]] is given; at least one is wanted")
    found = []
    for one in plain:
        if not isinstance(one, dict) or set(one) != {"name", "against"}:
            raise SpecError("a [[condition]] has a name and against, and nothing else")
        found.append(Condition(_text(one, "name", None), _text(one, "against", None)))
    if len({one.name for one in found}) < len(found):
        raise SpecError("two conditions have the same name")
    return found


class Participant:
    """Somebody who has agreed to take part: a code, a condition, how far they have come."""

    def __init__(self, house: House, study: Study, kept: KeptTable) -> None:
        self.house, self.study, self.kept = house, study, kept

    @property
    def code(self) -> str:
        """What they are known by."""
        return self.kept.id

    @property
    def plain(self) -> dict[str, Any]:
        """What is kept of them."""
        return dict(self.kept.settings)

    @property
    def stage(self) -> str:
        """Where they are."""
        return str(self.kept.settings["stage"])

    @property
    def condition(self) -> Condition:
        """Whom they play against."""
        named = {one.name: one for one in self.study.conditions}
        return named[str(self.kept.settings["condition"])]

    def note(self, **more: Any) -> None:
        """Keep something of them."""
        self.kept.settings = {**self.kept.settings, **more}
        self.house.tables.update(self.kept)

    def go_on(self) -> str:
        """To the next stage; it."""
        following = STAGES[min(STAGES.index(self.stage) + 1, len(STAGES) - 1)]
        if following == "quiz" and not (self.study.quiz and self.house.load(self.study.game).quiz):
            following = "matches"
        self.note(stage=following)
        return following

    def matches(self) -> list[str]:
        """The names of the tables of their matches so far, the last one maybe not over."""
        return [str(name) for name in self.kept.settings["tables"]]

    def played(self) -> int:
        """How many matches they have played to the end."""
        tables = (self.house.find(name) for name in self.matches())
        return sum(table is not None and table.over for table in tables)

    def match(self, token: str) -> str:
        """The table of the match that they play now, a new one where the last is over; its name."""
        names = self.matches()
        last = self.house.find(names[-1]) if names else None
        if last is not None and not last.over:
            return names[-1]
        game = self.house.load(self.study.game)
        seat = secrets.randbelow(game.players) if self.study.seat is None else self.study.seat
        specs = [self.condition.against] * game.players
        specs[seat] = HUMAN
        about = {"title": self.study.title, "participant": self.code, "match": len(names),
                 "condition": self.condition.name}  # fmt: skip
        order = Order(self.study.game, tuple(specs), seat=seat, consent=True, study=about)
        table, _ = self.house.open(order, token=token)
        self.note(tables=[*names, table.kept.id])
        return table.kept.id


class Studying:
    """A study that is being run in a house."""

    def __init__(self, house: House, study: Study) -> None:
        self.house, self.study = house, study
        self._lock = threading.Lock()

    def agree(self) -> tuple[Participant, str]:
        """Somebody takes part: they, and their token. Conditions are drawn among the rarest."""
        with self._lock:
            return self._agreed()

    def _agreed(self) -> tuple[Participant, str]:
        token, code = (
            secrets.token_urlsafe(16),
            "".join(secrets.choice(_LETTERS) for _ in range(10)),
        )
        counted = Counter(person.condition.name for person in self.participants())
        fewest = min(counted[one.name] for one in self.study.conditions)
        free = [one.name for one in self.study.conditions if counted[one.name] == fewest]
        settings = {
            "participant": True, "study": self.study.title, "condition": secrets.choice(free),
            "stage": STAGES[0], "tables": [], "wrong": 0,
        }  # fmt: skip
        kept = KeptTable(code, settings, [{"token": digest(token), "name": ""}])
        self.house.tables.add(kept)
        return Participant(self.house, self.study, kept), token

    def participants(self) -> list[Participant]:
        """All of this study, the first one first."""
        names = {one.name for one in self.study.conditions}
        return [
            Participant(self.house, self.study, kept)
            for kept in self.house.tables.all()
            if kept.settings.get("participant") and kept.settings["study"] == self.study.title
            and kept.settings["condition"] in names
        ]  # fmt: skip

    def find(self, code: str, token: str) -> Participant | None:
        """A participant by code and token."""
        kept = self.house.tables.find(code)
        if kept is None or not kept.settings.get("participant"):
            return None
        if kept.settings["study"] != self.study.title:
            return None
        if not secrets.compare_digest(str(kept.seats[0]["token"]), digest(token)):
            return None
        return Participant(self.house, self.study, kept)

    def match(self, code: str, token: str) -> str | None:
        """The table of the match that a participant plays now; None where there is none to play.

        Asked twice at once it is the same one.
        """
        with self._lock:
            person = self.find(code, token)
            if person is None or person.stage != "matches":
                return None
            if person.played() >= self.study.matches:
                return None
            return person.match(token)

    def records(self, person: Participant) -> list[GameRecord]:
        """The games of a participant that are over, in order."""
        tables = [self.house.find(name) for name in person.matches()]
        found = [(k, table.record()) for k, table in enumerate(tables) if table is not None]
        return [replace(record, number=k) for k, record in found if record is not None]

    def export(self, folder: str | Path) -> int:
        """Write a file of records for each participant, and a table of them; how many there are.

        `facedown learn` takes whoever plays in one file for one person. SpecError where the folder
        is there and not empty.
        """
        place = Path(folder)
        try:
            place.mkdir(parents=True, exist_ok=True)
            if any(place.iterdir()):
                raise SpecError(f"{folder} is not empty, and is left as it is")
        except OSError as error:
            raise SpecError(f"cannot write {folder}: {error.strerror}") from None
        rows = io.StringIO()
        table = csv.writer(rows, lineterminator="\n")
        table.writerow(("participant", "condition", "stage", "quiz_wrong", "matches", "payoffs"))
        people = self.participants()
        for person in people:
            records = self.records(person)
            if records:
                lines = "".join(line_of(record.to_json()) for record in records)
                write_whole(place / f"{person.code}.jsonl", lines)
            pays = [record.payoffs[record.agents.index(HUMAN)] for record in records]
            told = " ".join(f"{pay:g}" for pay in pays)
            plain = person.plain
            table.writerow((person.code, plain["condition"], plain["stage"], plain["wrong"],
                            len(records), told))  # fmt: skip
        write_whole(place / "participants.csv", rows.getvalue())
        return len(people)
