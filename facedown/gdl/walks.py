"""Random games by the lifted reasoner, played behind its machine."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field

import numpy as np

from facedown.core import Stream
from facedown.core.records import address_of
from facedown.gdl import tables as at
from facedown.gdl import walking
from facedown.gdl.graph import DOES, TRUE, Key
from facedown.gdl.memory import FullError, Machine
from facedown.gdl.program import Program
from facedown.gdl.syntax import Term

_ASKED: dict[int, tuple[Key, bool]] = {
    walking.TERMINAL: (("terminal", 0), False),
    walking.LEGAL: (("legal", 2), False),
    walking.SEES: (("sees", 2), True),
    walking.NEXT: (("next", 1), True),
}
_GOAL: Key = ("goal", 2)


@dataclass
class Met:
    """What random games have met."""

    fluents: set[Term] = field(default_factory=set)
    moves: dict[str, set[Term]] = field(default_factory=dict)
    percepts: dict[str, set[Term]] = field(default_factory=dict)
    most_moves: int = 0


@dataclass(frozen=True)
class Walk:
    """A random game: how many joint moves, and how it was left.

    `lacking` are roles without a legal move where it is not over; `goals` are those at the end.
    """

    steps: int
    over: bool
    lacking: tuple[str, ...] = ()
    goals: dict[str, list[Term]] = field(default_factory=dict)


class Walks:
    """Plays random games on a machine of its own, so that whoever breaks it off spoils nothing.

    One that was broken off is not gone on with.
    """

    def __init__(self, program: Program, roles: tuple[str, ...], initial: frozenset[Term]) -> None:
        self._program, self._roles = program, roles
        self._start = sorted(initial, key=str)
        self._room, self._met = 256, Met()
        for role in roles:
            self._met.moves[role], self._met.percepts[role] = set(), set()
        self._take(program.machine())

    def _take(self, machine: Machine) -> None:
        """Have a machine, and an order for it in which nothing is marked."""
        self._machine, roles = machine, len(self._roles)
        self._first = array("i", [machine.number(term) for term in self._start])
        numbers = [machine.number(role) for role in self._roles]
        self._role_of = np.full(max(numbers) + 1, -1, np.int32)
        self._role_of[numbers] = np.arange(roles)
        self._joint = np.zeros(2 * roles, np.int32)
        self._joint[::2] = numbers
        self._counts = np.zeros(roles, np.int32)
        self._marks = np.zeros((1 + 2 * roles, machine.room.terms), np.int8)
        self._marks[0, self._first] = 1
        self._order = np.zeros(walking.ORDER, np.int64)
        self._order[[walking.ROLES, walking.NAMED, walking.ROW]] = (
            roles,
            len(self._role_of),
            machine.room.terms,
        )
        self._order[walking.SEEING] = self._program.has(_ASKED[walking.SEES][0])
        for place, block in (
            (walking.JOINT, self._joint),
            (walking.ROLE_OF, self._role_of),
            (walking.COUNTS, self._counts),
            (walking.MARKS, self._marks),
        ):
            self._order[place] = address_of(block)
        self._order[walking.IS_TRUE] = self._program.number[TRUE]
        self._order[walking.IS_DONE] = self._program.number[DOES]
        for place, asked in _ASKED.items():
            self._order[place : place + 3] = self._program.questions[asked][:3]
        self._make_room(max(self._room, 2 * len(self._first)))

    def _make_room(self, facts: int) -> None:
        self._room, self._given = facts, np.zeros(facts, np.int32)
        self._order[walking.GIVEN], self._order[walking.ROOM] = address_of(self._given), facts

    def play(self, seed: int, longest: int) -> Walk:
        """A random game of at most so many joint moves; LimitError."""
        while True:
            try:
                return self._played(Stream(seed), longest)
            except FullError as full:
                self._harvest()
                self._program.enlarge(full, self._machine)
                self._take(self._program.machine())

    def _played(self, stream: Stream, longest: int) -> Walk:
        order, machine = self._order, self._machine
        told = self._program.number[TRUE], self._first.buffer_info()[0], len(self._first)
        machine.facts(self._program.questions[TRUE, False], told)
        order[walking.PHASE], order[walking.BEGUN] = walking.TERMINAL, 0
        order[walking.STEP], order[walking.LONGEST] = 0, longest
        left = self._left(stream)
        machine.fresh = False
        steps = int(order[walking.STEP])
        if left == walking.OVER:
            return Walk(steps, True, goals=self._goals())
        able = zip(self._roles, self._counts.tolist(), strict=True)
        return Walk(steps, False, tuple(role for role, moves in able if not moves))

    def _left(self, stream: Stream) -> int:
        """Walk until the game is left for good; how."""
        run, machine = walking.compiled(), self._machine
        given = machine.address, address_of(self._order), stream.address
        machine.slices = 0
        while True:
            told: int = run(*given)
            if told == at.MORE:
                machine.pause()
                continue
            machine.slices = 0
            if told == walking.NARROW:
                self._make_room(4 * self._room)
            elif told < 0:
                raise machine.fault(told)
            elif told != walking.PAUSED:
                return told

    def _goals(self) -> dict[str, list[Term]]:
        """The goals of each role where the walk stands, in order."""
        machine, found = self._machine, dict[str, list[int]]()
        numbers = machine.facts(self._program.questions[_GOAL, False], None)
        for role, goal in zip(numbers[::2], numbers[1::2], strict=True):
            found.setdefault(machine.name(role), []).append(goal)
        return {role: machine.in_order(goals) for role, goals in found.items()}

    def _harvest(self) -> None:
        """Turn marks into terms."""
        for row, found in enumerate(self._sets()):
            found.update(self._machine.terms(np.flatnonzero(self._marks[row]).tolist()))
        self._met.most_moves = max(self._met.most_moves, int(self._order[walking.MOST_MOVES]))

    def _sets(self) -> list[set[Term]]:
        """Where the terms of each row of the marks belong."""
        met = self._met
        pairs = [(met.moves[role], met.percepts[role]) for role in self._roles]
        return [met.fluents, *(one for pair in pairs for one in pair)]

    def met(self) -> Met:
        """What all games have met so far."""
        self._harvest()
        return self._met
