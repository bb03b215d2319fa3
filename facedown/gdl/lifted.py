"""The lifted reasoner: what the rules say of a position, without grounding them first.

Bottom-up, relation by relation in the order of their strata, recursive ones by differences
(semi-naive), by a machine that runs the rules as instructions (`facedown.gdl.machine`). Slower than
a rule network, but it needs no more memory than one position does, and what does not depend on the
position is worked out once.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import compress

from facedown.gdl.graph import DOES, TRUE, Key
from facedown.gdl.memory import FullError, Machine
from facedown.gdl.program import Program
from facedown.gdl.syntax import Description, Term
from facedown.gdl.walks import Walks

State = frozenset[Term]
"""A position: the terms f for which `(true f)` holds."""

_NEXT: Key = ("next", 1)
_LEGAL: Key = ("legal", 2)
_SEES: Key = ("sees", 2)
_GOAL: Key = ("goal", 2)
_TERMINAL: Key = ("terminal", 0)
_KEPT = 64  # positions whose answers are remembered
_MACHINES = 4  # that stand somewhere, ready to go on

Moves = tuple[Term, ...]
ByRole = dict[str, list[Term]]


@dataclass(slots=True)
class Answers:
    """What was found out of a position, each whole."""

    terminal: bool | None = None
    legal: ByRole | None = None
    goals: ByRole | None = None
    next: dict[Moves, State] = field(default_factory=dict)
    sees: dict[Moves, ByRole] = field(default_factory=dict)


class Lifted:
    """The reasoner of one game. Moves and percepts are ground terms; all results are in order."""

    def __init__(self, description: Description) -> None:
        self.description = description
        self.roles = description.roles
        self._program = Program(description)
        self._machines: list[Machine] = []
        self._known: OrderedDict[State, Answers] = OrderedDict()
        machine = self._program.machine()
        self._initial = frozenset(machine.terms(self._program.initial))
        self._machines.append(machine)

    @property
    def asked(self) -> set[Key]:
        """The relations that are asked about fact by fact, for they are too long to list."""
        return {key for key, _ in self._program.routines}

    def initial(self) -> State:
        """The position at the start."""
        return self._initial

    def terminal(self, state: State) -> bool:
        known = self._answers(state)
        if known.terminal is None:
            known.terminal = self._is_last(state)
        return known.terminal

    def legal(self, state: State, role: str) -> list[Term]:
        """The distinct legal moves of a role; it is asked for positions that are not terminal."""
        known = self._answers(state)
        if known.legal is None:
            known.legal = self._by_role(_LEGAL, state, None)
        return list(known.legal.get(role, ()))

    def goals(self, state: State, role: str) -> list[Term]:
        """The values that `goal` has for a role, usually one."""
        known = self._answers(state)
        if known.goals is None:
            known.goals = self._by_role(_GOAL, state, None)
        return list(known.goals.get(role, ()))

    def next(self, state: State, moves: Sequence[Term]) -> State:
        """The position after a joint move, one move for each role in order."""
        known, joint = self._answers(state), tuple(moves)
        found = known.next.get(joint)
        if found is None:
            found = known.next[joint] = self._after(state, joint)
        return found

    def sees(self, state: State, moves: Sequence[Term], role: str) -> list[Term]:
        """What a role perceives of a joint move."""
        if not self._program.has(_SEES):
            return []
        known, joint = self._answers(state), tuple(moves)
        found = known.sees.get(joint)
        if found is None:
            found = known.sees[joint] = self._by_role(_SEES, state, joint)
        return list(found.get(role, ()))

    def walks(self) -> Walks:
        """Random games from the start, on a machine of their own."""
        return Walks(self._program, self.roles, self._initial)

    def forget(self) -> None:
        """Forget all that was worked out and could be worked out again."""
        self._known, self._machines = OrderedDict(), []

    def _answers(self, state: State) -> Answers:
        found = self._known.get(state)
        if found is None:
            found = self._known[state] = Answers()
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return found

    # --- questions -------------------------------------------------------------------------------

    def _taken(self, state: State) -> Machine:
        """A machine for this position, which is nobody else's until it is given back.

        One that is broken off is not given back, so that nothing half done is ever gone on with.
        """
        machines = self._machines
        for place in range(len(machines) - 1, -1, -1):
            machine = machines[place]
            if machine.ahead[0] is state or machine.stands_at == state:
                return machines.pop(place)
        return machines.pop(0) if len(machines) >= _MACHINES else self._program.machine()

    def _facts(self, key: Key, state: State, joint: Moves | None) -> tuple[Machine, list[int]]:
        """The facts of a relation, after a joint move where one is given; and who has found them.

        Whoever takes what it wants of the machine gives it back.
        """
        while True:
            machine = self._taken(state)
            try:
                return machine, self._asked_of(machine, key, state, joint)
            except FullError as full:
                self._program.enlarge(full, machine)
                self._machines = []

    def _asked_of(self, machine: Machine, key: Key, state: State, joint: Moves | None) -> list[int]:
        questions, told, given = self._program.questions, None, None
        if machine.stands_at is not state:
            machine.fresh = machine.stands_at is None
            given = self._fluents(machine, state)
            told = self._program.number[TRUE], given.buffer_info()[0], len(given)
            machine.stands_at, machine.did = state, None
        if joint is None:
            return machine.facts(questions[key, False], told)
        if machine.did != joint:
            if told is not None:
                machine.facts(questions[TRUE, False], told)
            given = self._does(machine, joint)
            told = self._program.number[DOES], given.buffer_info()[0], len(joint)
            machine.did = joint
        return machine.facts(questions[key, True], told)

    def _fluents(self, machine: Machine, state: State) -> array[int]:
        found, known = machine.ahead
        if found is state:
            return known
        return array("i", [machine.number(fluent) for fluent in state])

    def _does(self, machine: Machine, joint: Moves) -> array[int]:
        pairs = zip(self.roles, joint, strict=True)
        return array("i", [machine.number(term) for pair in pairs for term in pair])

    def _is_last(self, state: State) -> bool:
        machine, _ = self._facts(_TERMINAL, state, None)
        last = machine.found > 0
        self._machines.append(machine)
        return last

    def _by_role(self, key: Key, state: State, joint: Moves | None) -> ByRole:
        """The second arguments of a relation by the first, in order."""
        machine, numbers = self._facts(key, state, joint)
        roles, others = numbers[::2], numbers[1::2]
        told = dict[str, list[Term]]()
        for role in set(roles):
            own = list(compress(others, map(role.__eq__, roles)))
            told[machine.name(role)] = machine.in_order(own)
        self._machines.append(machine)
        return told

    def _after(self, state: State, joint: Moves) -> State:
        machine, numbers = self._facts(_NEXT, state, joint)
        found = frozenset(machine.terms(numbers))
        machine.ahead = found, array("i", numbers)
        self._machines.append(machine)
        return found
