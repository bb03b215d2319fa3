"""What a player of a game not open knows for certain of its position, from what it did and saw.

Step by step, by unit propagation over the ground rules read as equivalences: an atom holds where a
body of it does, and where it holds and one body is left, that body does. Sound, for every history
that gives the player these observations agrees; not complete, for it supposes nothing. So the own
pieces stand where they are, and of the others' only what was seen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from facedown.gdl.ground import Ground
from facedown.gdl.syntax import Term

Known = dict[Term, bool]
"""Fluents that are known to hold, or not to."""


class Knower:
    """Draws a role's conclusions in one game."""

    def __init__(self, ground: Ground) -> None:
        self._atoms = ground.atoms
        self._bodies: list[tuple[int, tuple[int, ...]]] = []  # an atom and one of its bodies
        self._of: dict[int, list[int]] = defaultdict(list)  # the bodies of an atom
        self._in: dict[int, list[int]] = defaultdict(list)  # the bodies that an atom is in
        for atom, bodies in ground.rules.items():
            for body in bodies:
                self._of[atom].append(len(self._bodies))
                for literal in set(map(abs, body)):
                    self._in[literal].append(len(self._bodies))
                self._bodies.append((atom, body))
        self.fluents = [args[0] for args in ground.atoms.get("true", {})]

    def first(self) -> Known:
        """What holds at the start, which everybody knows."""
        init = self._atoms.get("init", {})
        return {fluent: (fluent,) in init for fluent in self.fluents}

    def after(self, known: Known, role: str, move: Term | None, seen: Collection[Term]) -> Known:
        """What is known after a step in which the role made a move, if it had a choice, and saw."""
        work = _Work(self)
        for fluent, holds in known.items():
            work.put(self._atoms["true"].get((fluent,), 0), holds)
        for args, atom in self._atoms.get("sees", {}).items():
            if args[0] == role:
                work.put(atom, args[1] in seen)
        for atom in self._atoms.get("terminal", {}).values():
            work.put(atom, False)
        if move is not None:
            work.put(self._atoms["does"].get((role, move), 0), True)
        work.settle()
        following = self._atoms.get("next", {})
        found = {}
        for fluent in self.fluents:
            value = work.value(following.get((fluent,), -1))
            if value is not None:
                found[fluent] = value
        return found


class _Work:
    """One step's conclusions."""

    def __init__(self, knower: Knower) -> None:
        self._k = knower
        self._values: dict[int, bool] = {}
        self._new: list[int] = []
        self._moves: dict[str, list[tuple[int, int]]] = defaultdict(list)  # by role: does, legal
        self._mover: dict[int, str] = {}
        legal = knower._atoms.get("legal", {})
        for (role, move), atom in knower._atoms.get("does", {}).items():
            may = legal.get((role, move), -1)
            self._moves[str(role)].append((atom, may))
            for each in (atom, may):
                self._mover[each] = str(role)

    def value(self, atom: int) -> bool | None:
        """What is known of an atom; 0 always holds, and one without rules never, unless given."""
        return True if atom == 0 else False if atom < 0 else self._values.get(atom)

    def put(self, atom: int, value: bool) -> None:
        """Know something more; what contradicts it is left alone."""
        if atom > 0 and atom not in self._values:
            self._values[atom] = value
            self._new.append(atom)

    def settle(self) -> None:
        """Draw all conclusions."""
        for atom in self._k._of:
            self._infer(atom)
        for role in self._moves:
            self._one_move(role)
        while self._new:
            atom = self._new.pop()
            self._infer(atom)
            for body in self._k._in.get(atom, ()):
                self._infer(self._k._bodies[body][0])
            if atom in self._mover:
                self._one_move(self._mover[atom])

    def _infer(self, atom: int) -> None:
        """From an atom's bodies to the atom, and from the atom to its bodies."""
        bodies = [self._k._bodies[k][1] for k in self._k._of.get(atom, ())]
        if not bodies:
            return
        open_ones = []
        for body in bodies:
            held = self._body(body)
            if held is True:
                self.put(atom, True)
            elif held is None:
                open_ones.append(body)
            if held is not False and self.value(atom) is False:
                self._refute(body)
        if not open_ones and self.value(atom) is None:
            self.put(atom, False)
        only = len(open_ones) == 1 and all(
            self._body(body) is False for body in bodies if body is not open_ones[0]
        )
        if only and self.value(atom) is True:
            for literal in open_ones[0]:
                self.put(abs(literal), literal > 0)

    def _body(self, body: tuple[int, ...]) -> bool | None:
        unknown = False
        for literal in body:
            value = self.value(abs(literal))
            if value is None:
                unknown = True
            elif value != (literal > 0):
                return False
        return None if unknown else True

    def _refute(self, body: tuple[int, ...]) -> None:
        """A body that does not hold: where one literal is left, it is that one."""
        left = [literal for literal in body if self.value(abs(literal)) is None]
        if len(left) == 1:
            self.put(abs(left[0]), left[0] < 0)

    def _one_move(self, role: str) -> None:
        """A role does one of its moves, and a legal one."""
        pairs = self._moves[role]
        done = [pair for pair in pairs if self.value(pair[0]) is True]
        for does, may in pairs:
            if (done and does != done[0][0]) or self.value(may) is False:
                self.put(does, False)
        left = [pair for pair in pairs if self.value(pair[0]) is not False]
        if len(left) == 1:
            self.put(left[0][0], True)
            self.put(left[0][1], True)


def shown(known: Mapping[Term, bool]) -> list[Term]:
    """What is known to hold."""
    return [fluent for fluent, holds in known.items() if holds]
