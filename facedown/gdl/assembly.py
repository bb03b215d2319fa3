"""A rule as instructions of the machine: nested loops over tables.

The literals of a body are put in an order (tests as soon as they can be made, then what is likely
to give the fewest facts), and each becomes a look-up in an index. After a head was found, the last
loop that its variables come from goes on: what is inside of that would give the same again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from facedown.gdl import machine as op
from facedown.gdl import tables as at
from facedown.gdl.graph import Key, key_of
from facedown.gdl.memory import Code, Machine
from facedown.gdl.syntax import Compound, Literal, Rule, Term, Variable
from facedown.gdl.terms import term_variables

Path = tuple[int, ...]
"""Where in an atom a term stands: the argument, then the argument of that, and so on."""

_END, _ENOUGH = -1, -2  # where failures go: to the end of a rule, of a routine

Known = tuple[int, ...]
"""The places of the arguments that are known where a relation is asked."""


def pattern(args: Sequence[Term], bound: set[str]) -> Known:
    """The places of the arguments whose variables are bound."""
    return tuple(k for k, arg in enumerate(args) if term_variables([arg]) <= bound)


@dataclass(frozen=True, slots=True)
class PlacedLiteral:
    """A literal at its turn: what is known then, and which variables are wanted further on."""

    literal: Literal
    bound: frozenset[str]
    several: frozenset[str]
    news: bool

    @property
    def plain(self) -> bool:
        """Whether it gives values to variables."""
        return self.literal.positive and self.literal.atom.name != "distinct"


@dataclass
class Order:
    """Puts the literals of bodies in order, by the sizes of relations."""

    size: Callable[[Key], float]

    def steps(self, rule: Rule, news: int | None, given: set[str]) -> Iterator[PlacedLiteral]:
        """The literals in order; number `news` asks for new facts, `given` variables are known."""
        waiting = list(enumerate(rule.body))
        names = {index: term_variables(literal.atom.args) for index, literal in waiting}
        times: dict[str, int] = dict.fromkeys(term_variables(rule.head.args), 1)
        for name in (name for found in names.values() for name in found):
            times[name] = times.get(name, 0) + 1
        bound = set(given)
        while waiting:
            several = {name for name, count in times.items() if count > 1}
            index, literal = waiting.pop(self._chosen(waiting, names, bound, several, news))
            step = PlacedLiteral(literal, frozenset(bound), frozenset(several), index == news)
            yield step
            for name in names[index]:
                times[name] -= 1
            if step.plain:
                bound |= names[index]

    def _chosen(
        self,
        waiting: list[tuple[int, Literal]],
        names: dict[int, set[str]],
        bound: set[str],
        several: set[str],
        news: int | None,
    ) -> int:
        def cost(place: int) -> float:
            index, literal = waiting[place]
            plain = literal.positive and literal.atom.name != "distinct"
            free = names[index] - bound
            if not (free & several if plain else free):
                return -1.0
            if not plain:
                return float("inf")
            if index == news:
                return 0.0
            return float(self.size(key_of(literal.atom)) ** (len(free) / len(names[index])))

        return min(range(len(waiting)), key=cost)

    def work(self, rule: Rule) -> float:
        """About how many combinations of facts a rule tries where nothing is known."""
        rows, total, bound = 1.0, 0.0, set[str]()
        for step in self.steps(rule, None, set()):
            names = term_variables(step.literal.atom.args)
            if names and step.plain:
                size = max(self.size(key_of(step.literal.atom)), 1.0)
                rows *= float(size ** (len(names - bound) / len(names)))
                total += rows
                bound |= names
        return total


@dataclass(frozen=True)
class Routine:
    """A relation that is asked with some arguments known: the memo of its calls, where it begins"""

    memo: int
    entry: int


@dataclass
class Assembler:
    """Writes rules into the code; indexes of one shape are shared by all of them."""

    code: Code
    machine: Machine
    order: Order
    number: dict[Key, int]
    asked: Callable[[Key, Known], Routine | None]
    """The routine of a relation that is asked, for a pattern; None of one that is listed."""
    called: int = 0  # registers of all routines together
    largest: int = 1  # of the rule that has most
    routines: int = 0
    widest: int = 1  # the most arguments or keys of anything
    _paths: dict[Path, int] = field(default_factory=dict)
    _indexes: dict[object, int] = field(default_factory=dict)

    # --- relations and indexes -------------------------------------------------------------------

    def relation(self, level: int, arity: int, *, told: bool = False) -> int:
        """A new relation, with an index of all its arguments; `told`: facts come from outside."""
        made = self.code.relations.add([level, arity, len(self.code.indexes), int(told)])
        self._index(made, _Look.whole_fact(arity), None)
        self.widest = max(self.widest, arity)
        return made

    def on_demand(self, relation: int) -> None:
        """What holds for ever of a relation is worked out on demand."""
        rows = self.code.relations.array[at.RELATION * relation :]
        rows[at.R_LEVEL] = at.DEMANDED
        self.code.indexes.array[at.INDEX * rows[at.FIRST_INDEX] + at.I_LEVEL] = at.DEMANDED

    def changes(self, relation: int) -> bool:
        """Whether facts are found anew for every position: then indexes have to pay soon."""
        return int(self.code.relations.array[at.RELATION * relation + at.R_LEVEL]) >= at.POSITION

    def index(self, relation: int, look: _Look) -> int:
        """The index of a relation by which a literal is looked up."""
        shape = (relation, look.form(), look.whole or not look.outs)
        if shape not in self._indexes:
            twin = None
            if look.outs and not look.whole and not self.changes(relation):
                twin = self._index(relation, look.projected(), None, chained=False)
            self._indexes[shape] = self._index(relation, look, twin, chained=True)
        return self._indexes[shape]

    def _index(
        self, relation: int, look: _Look, twin: int | None, chained: bool | None = None
    ) -> int:
        image, rows = self.code.image, self.code.indexes
        shapes = [(self.path(p), self.machine.functor(name, n)) for p, name, n in look.shape]
        sames = [(self.path(one), self.path(other)) for one, other in look.same]
        keys = [self.path(path) for path in look.keys]
        row = [relation, -1]
        row += [image.add([x for pair in shapes for x in pair]), len(shapes)]
        row += [image.add([x for pair in sames for x in pair]), len(sames)]
        level = int(self.code.relations.array[at.RELATION * relation + at.R_LEVEL])
        row += [image.add(keys), len(keys), -1 if twin is None else twin, level]
        made = rows.add(row)
        self.widest = max(self.widest, len(keys))
        if chained:
            first = int(self.code.relations.array[at.RELATION * relation + at.FIRST_INDEX])
            rows.array[at.INDEX * made + at.NEXT_INDEX] = rows.array[
                at.INDEX * first + at.NEXT_INDEX
            ]
            rows.array[at.INDEX * first + at.NEXT_INDEX] = made
        if chained is None:
            self._indexes[(relation, look.form(), True)] = made
        return made

    def path(self, path: Path) -> int:
        """Where a path stands in the image."""
        if path not in self._paths:
            self._paths[path] = self.code.image.add([len(path), *path])
        return self._paths[path]

    # --- rules -----------------------------------------------------------------------------------

    def rule(self, rule: Rule, news: int | None = None) -> int:
        """Where the instructions of a safe rule begin; see `Order.steps`."""
        block = _Block(self, self.number[key_of(rule.head)])
        block.body(rule, news, (), _END)
        self.largest = max(self.largest, block.size)
        return self._placed(block, [op.FINISH, 0, 0, 0, 0, 0, 0, 0])

    def given(self, relation: int, facts: Sequence[Sequence[Term]]) -> int:
        """Where an instruction stands that adds facts."""
        data = [self.machine.number(term) for fact in facts for term in fact]
        image = self.code.image
        row = [op.GIVEN, relation, 0, image.add(data), len(facts), 0, 0, 0]
        return image.add([*row, op.FINISH, *[0] * (op.WIDTH - 1)])

    def routine(self, rules: Sequence[Rule], known: Known, relation: int, memo: int) -> Routine:
        """The instructions of a relation that is asked."""
        block = _Block(self, relation)
        for rule in rules:
            block.body(rule, None, known, _ENOUGH if len(known) == len(rule.head.args) else _END)
            block.rows.append([op.LAND, 0, 0, 0, 0, 0, 0, 0])
        for row in block.rows:
            row[op.BACK] = len(block.rows) if row[op.BACK] == _ENOUGH else row[op.BACK]
        self.routines += 1
        self.called += block.size
        return Routine(memo, self._placed(block, [op.RETURN, memo, 0, 0, len(known), 0, 0, 0]))

    def _placed(self, block: _Block, end: list[int]) -> int:
        """Put instructions into the image, and have failures go to rows' places there."""
        first = self.code.image.used
        for row in block.rows:
            row[op.BACK] = first + op.WIDTH * row[op.BACK]
            if row[op.OP] == op.CALL:
                row[op.N_OUTS] = block.size
        return self.code.image.add([x for row in (*block.rows, end) for x in row])


class _Block:
    """Instructions one after another with registers of their own."""

    def __init__(self, assembler: Assembler, relation: int) -> None:
        self.assembler, self.relation = assembler, relation
        self.rows: list[list[int]] = []
        self.size = self.used = 0

    def body(self, rule: Rule, news: int | None, known: Known, enough: int) -> None:
        """A rule, whose head has some arguments `known` in the first registers.

        Failures of its outermost loops go to the row behind it; to `enough` goes what has found a
        head that no loop has any part in.
        """
        self.places: dict[str, int] = {}
        self.loops: list[tuple[int, set[str]]] = []
        self.used, first = len(known), len(self.rows)
        self.size = max(self.size, self.used)
        for k, place in enumerate(known):
            self._match(rule.head.args[place], k)
        given = term_variables(rule.head.args[k] for k in known)
        for step in self.assembler.order.steps(rule, news, given):
            self._step(step)
        self._head(rule, known, enough)
        end = len(self.rows)
        for row in self.rows[first:]:
            row[op.BACK] = end if row[op.BACK] == _END else row[op.BACK]

    def _register(self, name: str | None = None) -> int:
        self.used += 1
        self.size = max(self.size, self.used)
        if name is not None:
            self.places[name] = self.used - 1
        return self.used - 1

    def _add(self, what: int, arg: int = 0, given: Sequence[int] = (), extra: int = 0) -> list[int]:
        image = self.assembler.code.image
        back = self.loops[-1][0] if self.loops else _END
        row = [what, arg, back, image.add(given) if given else 0, len(given), 0, 0, extra]
        self.assembler.widest = max(self.assembler.widest, len(given))
        self.rows.append(row)
        return row

    def _match(self, term: Term, register: int) -> None:
        """Take what a register holds apart as `term` has it."""
        if isinstance(term, Variable) and term.name not in self.places:
            self.places[term.name] = register
        elif isinstance(term, Compound) and term_variables([term]):
            outs = [self._register() for _ in term.args]
            functor = self.assembler.machine.functor(term.name, len(term.args))
            row = self._add(op.TAKE, functor, [register])
            row[op.OUTS], row[op.N_OUTS] = self.assembler.code.image.add(outs), len(outs)
            for part, out in zip(term.args, outs, strict=True):
                self._match(part, out)
        else:
            self._add(op.DIFFER, 0, [register, self.operand(term)], 0)

    def operand(self, term: Term) -> int:
        """A term whose variables are known, as an operand; what is around variables is built."""
        if isinstance(term, Variable):
            return self.places[term.name]
        if isinstance(term, str) or not term_variables([term]):
            return ~self.assembler.machine.number(term)
        given = [self.operand(arg) for arg in term.args]
        functor, out = self.assembler.machine.functor(term.name, len(given)), self._register()
        self._add(op.BUILD, functor, given, out)
        return out

    def _step(self, step: PlacedLiteral) -> None:
        atom, assembler = step.literal.atom, self.assembler
        if atom.name == "distinct":
            given = [self.operand(arg) for arg in atom.args]
            self._add(op.DIFFER, 0, given, int(step.literal.positive))
            return
        key, known = key_of(atom), pattern(atom.args, set(step.bound))
        if not step.news and (routine := assembler.asked(key, known)) is not None:
            given = [self.operand(atom.args[k]) for k in known]
            self._add(op.CALL, routine.memo, given, routine.entry)
        look = _Look(step.bound, step.several)
        for place, term in enumerate(atom.args):
            look.at(term, (place,))
        index = assembler.index(assembler.number[key], look)
        given = [self.operand(look.keys[path]) for path in look.keys]
        if not look.outs and not step.news:
            self._add(op.TEST, index, given, int(step.literal.positive))
            return
        once = not self.loops and not given and assembler.changes(assembler.number[key])
        kind = op.NEWS if step.news else op.LIST if once else op.SCAN
        row = self._add(kind, index, given, self._register())
        self.loops.append((len(self.rows) - 1, set(look.outs.values())))
        outs = list[int]()
        for path, name in look.outs.items():
            outs += assembler.path(path), self._register(name)
        row[op.OUTS], row[op.N_OUTS] = assembler.code.image.add(outs), len(look.outs)

    def _head(self, rule: Rule, known: Known, enough: int) -> None:
        given = [self.operand(arg) for arg in rule.head.args]
        row = self._add(op.EMIT, self.relation, given)
        wanted = term_variables(rule.head.args)
        wanted -= term_variables(rule.head.args[k] for k in known)
        inner = [place for place, names in self.loops if names & wanted]
        row[op.BACK] = inner[-1] if inner else enough


class _Look:
    """What is known and what is wanted of an atom's arguments."""

    def __init__(self, bound: frozenset[str], several: frozenset[str]) -> None:
        self.bound, self.several = bound, several
        self.shape: list[tuple[Path, str, int]] = []
        self.same: list[tuple[Path, Path]] = []
        self.keys: dict[Path, Term] = {}
        self.outs: dict[Path, str] = {}
        self.first: dict[str, Path] = {}
        self.whole = True
        """Whether facts differ in what is known or wanted of them."""

    @classmethod
    def whole_fact(cls, arity: int) -> _Look:
        """One that knows all arguments."""
        made = cls(frozenset(), frozenset())
        made.keys = {(k,): "" for k in range(arity)}
        return made

    def projected(self) -> _Look:
        """One that knows what this one knows and wants."""
        made = _Look(self.bound, self.several)
        made.shape, made.same = self.shape, self.same
        made.keys = {**self.keys, **dict.fromkeys(self.outs, "")}
        return made

    def form(self) -> object:
        """What indexes are told apart by; outs count where they are not the whole rest."""
        outs = () if self.whole else tuple(self.outs)
        return tuple(self.shape), tuple(self.same), tuple(self.keys), outs

    def at(self, term: Term, path: Path) -> None:
        """Go through a term that stands at a path."""
        if isinstance(term, Compound) and term_variables([term]):
            self.shape.append((path, term.name, len(term.args)))
            for index, part in enumerate(term.args):
                self.at(part, (*path, index))
        elif not isinstance(term, Variable) or term.name in self.bound:
            self.keys[path] = term
        elif term.name in self.first:
            self.same.append((self.first[term.name], path))
        else:
            self.first[term.name] = path
            if term.name in self.several:
                self.outs[path] = term.name
            else:
                self.whole = False
