"""The memory of a machine: its arrays, and terms as objects and as numbers."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from facedown.core.records import address_of
from facedown.gdl import tables as at
from facedown.gdl.errors import LimitError
from facedown.gdl.machine import compiled
from facedown.gdl.syntax import Compound, Term

MAX_FACTS = 300_000
MAX_TERM_DEPTH = 120
MAX_TERM_SIZE = 10_000

SLICE = 200_000
"""Facts that are looked at before Python has a look at the clock; some milliseconds."""

MOST = 1 << 22  # terms, or entries of a level
_PER_LEVEL = ("pool", "entries", "heads")
_PLACES = {
    "functor": at.FUNCTOR, "first": at.FIRST, "size": at.SIZE, "depth": at.DEPTH,
    "parts": at.PARTS, "term_table": at.TERM_TABLE, "image": at.IMAGE,
    "relations": at.RELATIONS, "facts_of": at.FACTS_OF, "indexes": at.INDEXES,
    "built": at.BUILT, "components": at.COMPONENTS, "done": at.DONE,
    "registers": at.REGISTERS, "frames": at.FRAMES, "scratch": at.SCRATCH, "out": at.OUT,
}  # fmt: skip

Array = np.ndarray[Any, Any]


def prepare() -> None:
    """Have what is compiled for machines ready."""
    at.workers()
    for name in ("facts", "term"):
        compiled(name)


class Grown:
    """Rows of int32 that become more; what was added stays where it is."""

    def __init__(self, width: int = 1) -> None:
        self.width, self.used = width, 0
        self.array = np.zeros(256 * width, np.int32)

    def add(self, values: Sequence[int]) -> int:
        """Add numbers at the end; the row at which they begin."""
        first, end = self.used, self.used + len(values)
        if end > len(self.array):
            room = np.zeros(max(2 * len(self.array), end), np.int32)
            room[:first] = self.array[:first]
            self.array = room
        self.array[first:end] = values
        self.used = end
        return first // self.width

    def __len__(self) -> int:
        return self.used // self.width


@dataclass(frozen=True)
class Code:
    """Compiled rules: what a machine runs, and no machine changes."""

    image: Grown
    relations: Grown
    indexes: Grown
    components: Grown


@dataclass(frozen=True)
class Room:
    """How much there is room for; of levels, facts' arguments and entries of indexes alike."""

    terms: int = 1 << 12
    levels: tuple[int, ...] = (1 << 10, 1 << 9, 1 << 9, 1 << 8)

    def more(self, level: int | None) -> Room:
        """More of a level, or of terms; LimitError beyond what is allowed.

        Small tables are fast ones, but what holds for ever has to be found anew for larger ones.
        """
        if self.of(level) >= MOST:
            raise LimitError("the rules need more memory for one position than is allowed")
        if level is None:
            return replace(self, terms=4 * self.terms)
        more = 4 if level < at.POSITION else 2
        sizes = [more * size if k == level else size for k, size in enumerate(self.levels)]
        return replace(self, levels=tuple(sizes))

    def of(self, level: int | None) -> int:
        """How much of a level, or of terms."""
        return self.terms if level is None else self.levels[level]


Question = tuple[int, int, int, int]
"""A relation, where the plan stands that it needs, how long that is, how many arguments it has."""

Given = tuple[int, int, int]
"""A relation, the address of its arguments, and how many facts they are."""

_NOTHING: Given = (-1, 0, 0)


class FullError(Exception):
    """A machine has no room: on this level, or (None) for terms."""

    def __init__(self, level: int | None) -> None:
        super().__init__(level)
        self.level = level


class Watch(Protocol):
    """Who looks after the work of machines."""

    def look(self, machine: Machine) -> None:
        """Called between slices of the work; LimitError ends it."""

    def where(self, component: int) -> str:
        """What an error says of where rules are."""


class Machine:
    """A machine with memory of its own; whoever uses it has it alone.

    What breaks off its work leaves it in any state: then it is thrown away, and a copy of one that
    knows only what holds for ever takes its place.
    """

    def __init__(self, code: Code, room: Room, watch: Watch) -> None:
        self.code, self.room, self._watch = code, room, watch
        self.slices = 0  # of the question at work
        self.header = np.zeros(at.HEADER, np.int64)
        addresses = at.workers()
        self.header[at.MAKE_TERM : at.MAKE_TERM + len(addresses)] = addresses
        self._arrays: dict[str, Array] = {}
        self._at = address_of(self.header)
        self.functors: dict[tuple[str, int], int] = {}
        self._names: list[tuple[str, int]] = []
        self._ids: dict[Term, int] = {}
        self._objects: list[Term | None] = []
        self._orders: list[Any] = []  # texts to sort by, or None
        self.stands_at: Any = None  # the position that it was told last, and the joint move
        self.did: Any = None
        self.fresh = True
        self.ahead: tuple[Any, array[int]] = (None, array("i"))
        """The position that it has found last, as numbers."""
        self.found = 0  # facts of the last question
        self._slice = SLICE
        for name, kind, size in _arrays(room):
            self._arrays[name] = np.zeros(size, kind)
        for name in ("facts_of", "built", "done", "registers", "frames", "scratch"):
            self._arrays[name] = np.zeros(256, np.int32)
        self._arrays["out"] = np.zeros(256, np.int32)
        for level in range(at.LEVELS):
            place = at.at_level(level)
            self.header[place + at.STAMP] = 1
            self.header[place + at.POOL_TOP] = self.header[place + at.ENTRY_TOP] = 1
        self._seat()

    def copy(self) -> Machine:
        """Another one that knows what this one does of the first two levels; its room counts."""
        made, room = Machine.__new__(Machine), self.room
        made.__dict__.update(self.__dict__)
        made.header = self.header.copy()
        made._at = address_of(made.header)
        fresh = {f"{name}{k}" for k in (at.POSITION, at.AFTER) for name in _PER_LEVEL}
        kinds = {name: (kind, size) for name, kind, size in _arrays(room)}
        made._arrays = {
            name: np.zeros(kinds[name][1], kinds[name][0]) if name in fresh else block.copy()
            for name, block in self._arrays.items()
        }
        made.functors, made._names = self.functors.copy(), self._names.copy()
        made._ids, made._objects = self._ids.copy(), self._objects.copy()
        made._orders = self._orders.copy()
        made._seat()
        return made

    def regrown(self, room: Room) -> Machine:
        """A new one with this room that has the same terms and knows nothing else."""
        made = Machine(self.code, room, self._watch)
        made.functors, made._names = self.functors.copy(), self._names.copy()
        made._arrays["scratch"] = np.zeros(len(self._arrays["scratch"]), np.int32)
        made._seat()
        self._catch_up()
        for number in range(len(self._objects)):
            made.number(self._object(number))
        return made

    def _seat(self) -> None:
        """Tell the header where all arrays lie."""
        shared = {
            "image": self.code.image.array,
            "relations": self.code.relations.array,
            "indexes": self.code.indexes.array,
            "components": self.code.components.array,
        }
        self._shared = shared  # which must not go while the header has their addresses
        blocks = {**self._arrays, **shared}
        for name, place in _PLACES.items():
            self.header[place : place + 2] = address_of(blocks[name]), len(blocks[name])
        for level in range(at.LEVELS):
            for k, name in enumerate(_PER_LEVEL):
                block, place = blocks[f"{name}{level}"], at.at_level(level) + 2 * k
                self.header[place : place + 2] = address_of(block), len(block)
        self._out, self._out_room = blocks["out"], len(blocks["out"])
        self._run = compiled("facts")
        limits = (MAX_FACTS, self._slice, MAX_TERM_SIZE, MAX_TERM_DEPTH)
        self.header[at.MAX_FACTS : at.MAX_FACTS + len(limits)] = limits

    def fit(self, registers: int, frames: int, widest: int, slice_: int) -> None:
        """Room for what the code has grown to by now."""
        self._slice = min(SLICE, slice_)
        code = self.code
        sizes = {
            "facts_of": at.KNOWN * len(code.relations),
            "built": len(code.indexes),
            "done": len(code.components),
            "registers": registers,
            "frames": 2 * frames + 2,
            "scratch": widest + 1,
        }
        for name, size in sizes.items():
            old = self._arrays[name]
            if len(old) < size:
                self._arrays[name] = np.zeros(2 * size, np.int32)
                self._arrays[name][: len(old)] = old
        self._seat()

    # --- terms -----------------------------------------------------------------------------------

    def number(self, term: Term) -> int:
        """The number of a ground term."""
        found = self._ids.get(term)
        if found is None:
            found = self._ids[term] = self._made(term)
        return found

    def _made(self, term: Term) -> int:
        if isinstance(term, str):
            return self._symbol(term)
        assert isinstance(term, Compound)
        args = [self.number(arg) for arg in term.args]
        functor = self.functor(term.name, len(args))
        self._arrays["scratch"][: len(args)] = args
        told: int = compiled("term")(self._at, functor, len(args))
        if told == at.TOO_LARGE:
            raise too_large()
        if told < 0:
            raise FullError(None)
        return told

    def _symbol(self, name: str) -> int:
        new = int(self.header[at.TERMS])
        if new >= self.room.terms:
            raise FullError(None)
        self._arrays["functor"][new], self._arrays["size"][new] = -1, 1
        self.header[at.TERMS] = new + 1
        self._catch_up()
        self._objects[new] = name
        return new

    def functor(self, name: str, arity: int) -> int:
        """The number of a function symbol."""
        found = self.functors.get((name, arity))
        if found is None:
            found = self.functors[name, arity] = len(self._names)
            self._names.append((name, arity))
        return found

    def terms(self, numbers: Sequence[int]) -> list[Term]:
        """The terms of some numbers."""
        known = self._objects
        self._catch_up()
        return [known[k] or self._object(k) for k in numbers]

    def in_order(self, numbers: list[int]) -> list[Term]:
        """The terms of some numbers, in the order of terms: shorter texts first."""
        if len(numbers) > 1:
            try:
                numbers.sort(key=self._orders.__getitem__)
            except (TypeError, IndexError):  # texts that are not known yet
                self._catch_up()
                for k in numbers:
                    text = str(self._object(k))
                    self._orders[k] = f"{len(text):09}{text}"
                numbers.sort(key=self._orders.__getitem__)
        return self.terms(numbers)

    def name(self, number: int) -> str:
        """The name of a symbol's number, or the text of a term's."""
        found = self._objects[number] if number < len(self._objects) else None
        return found if isinstance(found, str) else str(self._object(number))

    def _catch_up(self) -> None:
        lacking = int(self.header[at.TERMS]) - len(self._objects)
        if lacking > 0:
            self._objects += [None] * lacking
            self._orders += [None] * lacking

    def _object(self, number: int) -> Term:
        found = self._objects[number]
        if found is None:
            name, arity = self._names[self._arrays["functor"][number]]
            first = int(self._arrays["first"][number])
            args = self._arrays["parts"][first : first + arity].tolist()
            found = Compound(name, tuple([self._object(arg) for arg in args]))
            self._objects[number] = found
            self._ids[found] = number
        return found

    # --- work ------------------------------------------------------------------------------------

    def facts(self, question: Question, told: Given | None) -> list[int]:
        """The arguments of all facts of a relation, one after another, once something is told.

        LimitError, FullError.
        """
        relation, plan, length, arity = question
        given, place, n = told or _NOTHING
        count: int = self._run(self._at, relation, plan, length, given, place, n)
        if count < 0:
            count = self._gone_on(question, count)
        self.found = count
        size = count * arity
        if size > self._out_room:
            self._arrays["out"] = np.zeros(2 * size, np.int32)
            self._seat()
            self._run(self._at, relation, plan, -1, -1, 0, 0)
        found: list[int] = self._out[:size].tolist()
        return found

    def _gone_on(self, question: Question, count: int) -> int:
        """Go on with what took more than a slice; how many facts were found in the end."""
        self.slices = 0
        while count == at.MORE:
            self.pause()
            count = self._run(self._at, question[0], question[1], -1, -1, 0, 0)
        if count < 0:
            raise self.fault(count)
        return count

    def pause(self) -> None:
        """A slice of the work is over: LimitError where there may be no further one."""
        self.slices += 1
        try:
            self._watch.look(self)
        except LimitError as error:
            raise self._placed(error) from None

    def _placed(self, error: LimitError) -> LimitError:
        """An error with the place of the rules at work."""
        component = self.code.image.array[self.header[at.PLAN] + self.header[at.PLACE]]
        return LimitError(f"{self._watch.where(component)}: {error}")

    def count(self, relation: int) -> int:
        """How many facts of a relation have been found, of those that hold for ever."""
        return int(self._arrays["facts_of"][at.KNOWN * relation + at.COUNT])

    @property
    def address(self) -> int:
        """Where compiled code finds it."""
        return self._at

    @property
    def work(self) -> int:
        """Facts that the rule at work has looked at in slices that are over."""
        return int(self.header[at.WORK])

    def fault(self, told: int) -> Exception:
        """What is to be raised where the work ended so."""
        if told == at.TOO_LARGE:
            return self._placed(too_large())
        if told == at.TOO_MANY:
            words = f"the rules make more than {MAX_FACTS:,} facts of one relation true"
            return self._placed(LimitError(words))
        level = int(self.header[at.FULL_OF])
        return FullError(None if level < 0 else level)


def too_large() -> LimitError:
    """What is said of terms that grow."""
    limits = f"{MAX_TERM_SIZE:,} symbols, or of {MAX_TERM_DEPTH} levels"
    return LimitError(f"the rules make terms of more than {limits}")


def _arrays(room: Room) -> list[tuple[str, Any, int]]:
    """The arrays whose sizes a room says: name, kind, items."""
    found: list[tuple[str, Any, int]] = [
        (name, np.int32, room.terms) for name in ("functor", "first", "size", "depth")
    ]
    found += [("parts", np.int32, 4 * room.terms), ("term_table", np.int32, 4 * room.terms)]
    for k, size in enumerate(room.levels):
        found.append((f"pool{k}", np.int32, 4 * size))
        found.append((f"entries{k}", np.int32, at.ENTRY * size))
        found.append((f"heads{k}", np.int64, 2 * size))
    return found
