"""A game manager: one match between players that are reached over HTTP, ours or others'.

The rules are run by the lifted reasoner, which needs nothing but the rules. A player that answers
too late, or with what is not a legal move, gets one drawn for it, and the match goes on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from facedown.core import FacedownError, RuleError, SpecError, Stream, derive
from facedown.gdl.checks import checked, goal_value
from facedown.gdl.lifted import Lifted, State
from facedown.gdl.reader import read, read_file
from facedown.gdl.simulate import RANDOM
from facedown.gdl.syntax import Description, Term
from facedown.ggp.messages import NIL, MessageError, listed, one_line, read_term
from facedown.ggp.remote import Reply, address_of, ask_all
from facedown.ggp.scramble import Plain, Scrambling

Dialect = Literal["gdl", "gdl-ii"]

ALL_SEEN = " (<= (sees ?r1 (did ?r2 ?m)) (role ?r1) (does ?r2 ?m))"
"""The rule by which everybody sees all moves: with it rules in GDL are rules in GDL-II."""

MOST_STEPS = 10_000
"""A match that has not ended then never does."""


@dataclass(frozen=True)
class Setting:
    """What a match is played by: the time for START and for a move, in seconds, and the seed.

    The seed decides the moves of `random` and those that stand in for others.
    """

    start_clock: int = 30
    play_clock: int = 10
    seed: int = 0
    dialect: Dialect | None = None
    """What players are told: joint moves, or own moves and percepts; None: by the rules."""
    scramble: bool = False
    """Whether players get the rules by other names, drawn by the seed."""

    def __post_init__(self) -> None:
        if self.start_clock < 1 or self.play_clock < 1:
            clocks = f"start clock {self.start_clock}, play clock {self.play_clock}"
            raise SpecError(f"{clocks}: at least 1 second is wanted of both")


@dataclass(frozen=True)
class Asked:
    """How one player came to its move of a step; `fault` says why another one stands in for it."""

    answer: str
    seconds: float
    fault: str = ""


@dataclass(frozen=True)
class Turn:
    """A joint move, what the players answered, and what each role perceived of it."""

    moves: dict[str, str]
    asked: dict[str, Asked]
    percepts: dict[str, list[str]]


@dataclass
class Report:
    """A match as it is logged."""

    match: str
    rules: str
    dialect: str
    players: dict[str, str]
    start_clock: int
    play_clock: int
    seed: int
    started: str
    scrambled: bool = False
    ready: dict[str, Asked] = field(default_factory=dict)
    steps: list[Turn] = field(default_factory=list)
    goals: dict[str, int | None] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def faults(self, role: str) -> dict[str, int]:
        """How often another move stood in for a player's, by the reason."""
        counts: dict[str, int] = {}
        for step in self.steps:
            if fault := step.asked[role].fault:
                counts[fault] = counts.get(fault, 0) + 1
        return counts

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Report:
        """What `to_json` gave."""
        given = dict(plain)
        given["ready"] = {role: Asked(**asked) for role, asked in plain["ready"].items()}
        given["steps"] = [
            Turn(
                dict(step["moves"]),
                {role: Asked(**asked) for role, asked in step["asked"].items()},
                {role: list(seen) for role, seen in step["percepts"].items()},
            )
            for step in plain["steps"]
        ]
        return cls(**given)


Watch = Callable[[State, Report], None]
"""Is shown the truth after every step, and at the start: the position, and the match so far."""


class Referee:
    """One match by the rules of a file; `watch` looks on."""

    def __init__(
        self, path: Path, urls: Sequence[str], setting: Setting, watch: Watch | None = None
    ) -> None:
        self._watch = watch
        description = checked(read_file(path))
        self.setting = setting
        self.dialect: Dialect = _dialect(description, setting.dialect)
        self._sheet = sheet(path, description)
        if self.dialect == "gdl-ii" and description.perfect:
            self._sheet += ALL_SEEN
            description = checked(read(self._sheet, str(path)))
        self.rules = Lifted(description)
        self._names = Scrambling(self._sheet, setting.seed) if setting.scramble else Plain()
        self.roles = [role for role in description.roles if role != RANDOM]
        if len(urls) != len(self.roles):
            what = f"{len(urls)} given; one for each role is wanted: {', '.join(self.roles)}"
            raise SpecError(f"{path.name} and its players: {what}")
        self._addresses = [address_of(url) for url in urls]
        self._stream = Stream(derive(setting.seed, "referee"))
        named = re.sub(r"[^\w.-]", "-", path.stem.lower())
        self.match = f"{named}.{derive(setting.seed, 'match') & 0xFFFFFFFF:08x}"
        self.report = self._opened(path)

    def _opened(self, path: Path) -> Report:
        players = {r: a.url for r, a in zip(self.roles, self._addresses, strict=True)}
        setting, now = self.setting, datetime.now(UTC).isoformat(timespec="seconds")
        clocks = setting.start_clock, setting.play_clock
        return Report(
            self.match,
            str(path),
            self.dialect,
            players,
            *clocks,
            setting.seed,
            now,
            setting.scramble,
        )

    def play(self) -> Report:
        """Play the match to its end. Players are told of the end even where it is broken off."""
        try:
            self._start()
            state, told = self.rules.initial(), [NIL] * len(self.roles)
            if self.dialect == "gdl-ii":
                told = [f"0 {NIL} {NIL}"] * len(self.roles)
            self._show(state)
            while not self.rules.terminal(state):
                if len(self.report.steps) >= MOST_STEPS:
                    raise RuleError(f"the match goes on after {MOST_STEPS:,} steps")
                state, told = self._step(state, told)
                self._show(state)
        except BaseException:
            ask_all(self._addresses, [f"(ABORT {self.match})"] * len(self.roles), 2.0)
            raise
        stops = [f"(STOP {self.match} {each})" for each in told]
        ask_all(self._addresses, stops, float(self.setting.play_clock))
        self.report.goals = {role: self._goal(state, role) for role in self.roles}
        return self.report

    def _show(self, state: State) -> None:
        if self._watch is not None:
            self._watch(state, self.report)

    def _start(self) -> None:
        clocks = f"{self.setting.start_clock} {self.setting.play_clock}"
        sheet = self._names.rules(self._sheet)
        messages = [
            f"(START {self.match} {self._names.there(role)} ({sheet}) {clocks})"
            for role in self.roles
        ]
        replies = ask_all(self._addresses, messages, float(self.setting.start_clock))
        for role, address, reply in zip(self.roles, self._addresses, replies, strict=True):
            if reply.fault == "unreachable":
                raise FacedownError(f"no player answers at {address.url}, which is to play {role}")
            if reply.text.strip().lower() == "busy":
                raise FacedownError(f"the player at {address.url} is busy")
            ready = reply.text.strip().lower() == "ready"
            fault = reply.fault or ("" if ready else "not ready")
            self.report.ready[role] = Asked(one_line(reply.text), reply.seconds, fault)

    def _step(self, state: State, told: list[str]) -> tuple[State, list[str]]:
        """One joint move; the state after it and what each player is told of it."""
        messages = [f"(PLAY {self.match} {each})" for each in told]
        replies = ask_all(self._addresses, messages, float(self.setting.play_clock))
        moves: dict[str, Term] = {}
        asked: dict[str, Asked] = {}
        for role, reply in zip(self.roles, replies, strict=True):
            moves[role], asked[role] = self._move(self._legal(state, role), reply)
        for role in self.rules.roles:
            if role == RANDOM:
                moves[role] = self._stream.choice(self._legal(state, role))
        joint = [moves[role] for role in self.rules.roles]
        percepts = {role: self.rules.sees(state, joint, role) for role in self.roles}
        self.report.steps.append(
            Turn(
                {role: str(move) for role, move in zip(self.rules.roles, joint, strict=True)},
                asked,
                {role: list(map(str, seen)) for role, seen in percepts.items()},
            )
        )
        return self.rules.next(state, joint), self._told(joint, moves, percepts)

    def _told(
        self, joint: list[Term], moves: Mapping[str, Term], percepts: Mapping[str, list[Term]]
    ) -> list[str]:
        there = self._names.there
        if self.dialect == "gdl":
            return [listed(map(there, joint))] * len(self.roles)
        turn = len(self.report.steps)
        return [
            f"{turn} {there(moves[role])} {listed(map(there, percepts[role]))}"
            for role in self.roles
        ]

    def _legal(self, state: State, role: str) -> list[Term]:
        legal = self.rules.legal(state, role)
        if not legal:
            step = len(self.report.steps)
            raise RuleError(f"{role} has no legal move after {step} steps, and it is not the end")
        return legal

    def _move(self, legal: list[Term], reply: Reply) -> tuple[Term, Asked]:
        """The move that a player answered, or one drawn in its place."""
        fault, text = reply.fault, one_line(reply.text)
        if not fault:
            try:
                move = self._names.back(read_term(reply.text))
                if move in legal:
                    return move, Asked(text, reply.seconds)
                fault = "illegal"
            except MessageError:
                fault = "unreadable"
        return self._stream.choice(legal), Asked(text, reply.seconds, fault)

    def _goal(self, state: State, role: str) -> int | None:
        """Of several values the highest counts, with a warning."""
        found = map(goal_value, self.rules.goals(state, role))
        values = sorted({value for value in found if value is not None})
        if len(values) > 1:
            among = ", ".join(map(str, values))
            what = f"{role} has several goals at the end, of which the highest counts"
            self.report.warnings.append(f"{what}: {among}")
        return values[-1] if values else None


def dialect_of(text: str | None) -> Dialect | None:
    """The dialect of a name; None of none."""
    if text is None or text in ("gdl", "gdl-ii"):
        return text  # type: ignore[return-value]  # mypy does not narrow a text by its value
    raise SpecError(f"dialect {text!r}: gdl or gdl-ii is wanted")


def _dialect(description: Description, wanted: Dialect | None) -> Dialect:
    if wanted == "gdl" and not description.perfect:
        what = "these are rules in GDL-II: joint moves would tell players what they cannot see"
        raise SpecError(f"{description.source}: {what}; --dialect gdl-ii is wanted")
    return wanted or ("gdl" if description.perfect else "gdl-ii")


def sheet(path: Path, description: Description) -> str:
    """Rules as they are sent: on one line, in lower case, without comments.

    As in the file where nothing in it had to be repaired.
    """
    text = str(description)
    if not description.repairs:
        text = re.sub(r";[^\n\r]*", "", path.read_text(encoding="utf-8-sig"))
    return " ".join(text.lower().split())
