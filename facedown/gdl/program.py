"""Rules compiled for the machine: components in order, and what holds in every position."""

from __future__ import annotations

from time import perf_counter, process_time

from facedown.gdl import tables as at
from facedown.gdl.assembly import Assembler, Known, Order, Routine
from facedown.gdl.errors import GdlError, LimitError
from facedown.gdl.graph import DOES, TRUE, Graph, Key, key_of
from facedown.gdl.machine import COMPONENT
from facedown.gdl.memory import MOST, Code, FullError, Grown, Machine, Question, Room
from facedown.gdl.strata import split
from facedown.gdl.syntax import Compound, Description, Place, Rule, Term
from facedown.gdl.terms import unbound

_ASKED: tuple[Key, ...] = (
    TRUE,
    DOES,
    ("next", 1),
    ("legal", 2),
    ("sees", 2),
    ("goal", 2),
    ("terminal", 0),
    ("init", 1),
)
MAX_BODY = 500
"""Literals of one rule, whose order takes long to find where there are thousands."""

MAX_SECONDS = 20.0
"""CPU time that rules may take to be compiled, and then each question to be answered."""

MAX_WORK = 200_000_000
"""Combinations of facts that one rule may try."""

MAX_LISTED = 200_000
"""Combinations that are tried to list a relation once and for all, about; beyond it is asked."""

MAX_DERIVED = 20_000
"""The same of one that depends on the position."""

_MOST = 1e6  # the size of a relation that is asked: what asks for it comes late in a body
_LISTED = (*_ASKED, ("role", 1), ("base", 1), ("input", 2))
_SOON = 0.1  # seconds between looks at it
_GUESSED = {TRUE: 30.0, DOES: 2.0}  # facts of what is not known yet, to order bodies by
_DERIVED = 40.0
_ENOUGH = 1 << 20  # terms or entries: a machine that has used them up may begin anew


class Program:
    """The compiled rules of a game, and a machine that knows what holds in every position."""

    def __init__(self, description: Description) -> None:
        _check(description)
        self.source = description.source
        self.graph = graph = Graph(split(description.rules, description.roles))
        for _, other, rule in graph.negative_cycles():
            words = f"depends on its own negation through {other[0]}"
            raise GdlError(description.source, rule.place, words, str(rule))
        self.by_state, self.by_moves = graph.above(TRUE), graph.above(DOES)
        code = Code(Grown(), Grown(at.RELATION), Grown(at.INDEX), Grown(COMPONENT))
        self._machine = Machine(code, _first_room(graph), self)
        self._compiling = True
        self.begin()  # what has to be compiled or loaded once for all rules is not theirs
        self.number: dict[Key, int] = {}
        self.assembler = Assembler(
            code, self._machine, Order(self._size), self.number, self._routine
        )
        for key in dict.fromkeys((*graph.asks, *_ASKED)):
            told = key in (TRUE, DOES)
            self.number[key] = self.assembler.relation(self._level(key), key[1], told=told)
        self.sizes: dict[Key, float] = {}  # of what is too much to list
        self.routines: dict[tuple[Key, Known], Routine] = {}
        self.components: dict[tuple[Key, ...], int] = {}
        self._where: list[str] = []
        self._static: list[int] = []
        self.questions: dict[tuple[Key, bool], Question] = {}
        self._compile()
        for key in _ASKED:
            for after in (False, True):
                self.questions[key, after] = self._question(key, after)
        self._fit(self._machine)
        self._compiling = False
        self.initial = self._machine.facts(self.questions[("init", 1), False], None)

    # --- time ------------------------------------------------------------------------------------

    def begin(self) -> None:
        """A question is asked: from now on the time for it runs."""
        self._look_at, self._deadline = perf_counter() + _SOON, 0.0

    def in_time(self) -> None:
        """LimitError where the CPU time is over; to ask for that takes long, so it is rare."""
        if perf_counter() < self._look_at:
            return
        now = process_time()
        if self._deadline == 0.0:
            self._deadline = now + MAX_SECONDS - _SOON
        if now > self._deadline:
            raise LimitError(f"the rules need more than {MAX_SECONDS:g} s for one position")
        self._look_at = perf_counter() + _SOON

    # --- compiling -------------------------------------------------------------------------------

    def _level(self, key: Key) -> int:
        if key in self.by_moves:
            return at.AFTER
        return at.POSITION if key in self.by_state else at.STATIC

    def _compile(self) -> None:
        """All components; what depends on neither state nor moves is evaluated on the way."""
        for keys in self.graph.components:
            static = self._level(keys[0]) == at.STATIC
            if self._too_much(keys[0], static):
                if static:
                    self.assembler.on_demand(self.number[keys[0]])
                continue
            if keys[0] not in (TRUE, DOES):
                self._component(keys)
            if static and keys in self.components:
                self._static.append(self.components[keys])
                self._hold()
        self._fit(self._machine)

    def _too_much(self, key: Key, static: bool) -> bool:
        """Whether a relation is asked: it does not depend on itself, and would be long to list."""
        rules = self.graph.rules.get(key, ())
        gains = any(rule.body for rule in rules)  # facts alone are a list already
        if self.graph.recursive(key) or not gains or key in _LISTED:
            return False
        work = sum(map(self.assembler.order.work, rules))
        if work > (MAX_LISTED if static else MAX_DERIVED):
            self.sizes[key] = min(work, _MOST)
        return key in self.sizes

    def _component(self, keys: tuple[Key, ...]) -> None:
        """Compile relations that depend on each other, or one that does not."""
        graph, assembler, image = self.graph, self.assembler, self.assembler.code.image
        joins, again = list[int](), list[int]()
        first = graph.rules[keys[0]][0].place if keys[0] in graph.rules else Place(1, 1)
        self._where.append(f"{self.source}:{first.line}:{first.column}: {keys[0][0]}")
        for key in keys:
            self._timely()
            rules = graph.rules.get(key, ())
            if facts := [rule.head.args for rule in rules if not rule.body]:
                joins.append(assembler.given(self.number[key], facts))
            for rule in (rule for rule in rules if rule.body):
                joins.append(assembler.rule(rule))
                for place, literal in enumerate(rule.body):
                    other = key_of(literal.atom)
                    if literal.positive and other in keys and graph.together(key, other):
                        again.append(assembler.rule(rule, place))
        members = [self.number[key] for key in keys]
        row = [self._level(keys[0]), image.add(joins), len(joins), image.add(again), len(again)]
        row += [image.add(members), len(members), 0]
        self.components[keys] = assembler.code.components.add(row)

    def _timely(self) -> None:
        try:
            self.in_time()
        except LimitError as error:
            raise LimitError(f"{self._where[-1]}: {error}") from None

    def _routine(self, key: Key, known: Known) -> Routine | None:
        """The routine of a relation for arguments that are known; None of one that is listed."""
        if key not in self.sizes:
            return None
        if (key, known) not in self.routines:
            number = self.number[key]
            level = int(self.assembler.code.relations.array[at.RELATION * number + at.R_LEVEL])
            memo = self.assembler.relation(level, len(known))
            rules = self.graph.rules[key]
            self.routines[key, known] = self.assembler.routine(rules, known, number, memo)
        return self.routines[key, known]

    def _size(self, key: Key) -> float:
        if key in _GUESSED:
            return _GUESSED[key]
        if key in self.sizes:
            return self.sizes[key]
        if key in self.by_state or key in self.by_moves:
            return _DERIVED
        return float(self._machine.count(self.number[key]))

    # --- machines --------------------------------------------------------------------------------

    def _fit(self, machine: Machine) -> None:
        code = self.assembler
        machine.fit(code.called + code.largest, code.routines, code.widest, MAX_WORK)

    def _hold(self) -> None:
        """Have the machine know what holds in every position, as far as it is compiled."""
        self._fit(self._machine)
        image = self.assembler.code.image
        while True:
            self._timely()
            try:
                plan = image.add(self._static), len(self._static)
                self._fit(self._machine)
                self._machine.facts((self.number[TRUE], *plan, 1), None)
            except FullError as full:
                self._enlarge(full.level)
            else:
                return

    def _enlarge(self, level: int | None) -> None:
        self._machine = self._machine.regrown(self._machine.room.more(level))
        self.assembler.machine = self._machine
        self._fit(self._machine)

    def machine(self) -> Machine:
        """Another machine that knows what holds in every position."""
        return self._machine.copy()

    def enlarge(self, full: FullError, machine: Machine) -> None:
        """A machine had no room: the next one has more, or begins anew where it had much."""
        level = full.level
        if not machine.fresh and machine.room.of(level) >= min(_ENOUGH, MOST):
            return
        if machine.room.of(level) < self._machine.room.of(level):
            return  # somebody has seen to it
        if level in (at.POSITION, at.AFTER):
            self._machine.room = self._machine.room.more(level)
            return
        self._enlarge(level)
        self._hold()

    def has(self, key: Key) -> bool:
        """Whether there are rules for a relation."""
        return key in self.graph.rules

    def look(self, machine: Machine) -> None:
        """A slice of a machine's work is over: LimitError where it takes too long."""
        if machine.slices == 1 and not self._compiling:
            self.begin()
        self.in_time()
        if machine.work > MAX_WORK:
            raise LimitError("a rule of this game needs more steps or facts than are allowed")

    def where(self, component: int) -> str:
        """Where in the file the rules of a component begin."""
        return self._where[component]

    def _question(self, key: Key, after: bool) -> Question:
        """What a relation needs, in order: what depends on the state, and on the moves if asked."""
        below = self.graph.below([key])
        needed = [keys for keys in self.components if below.intersection(keys)]
        levels = (at.POSITION, at.AFTER) if after else (at.POSITION,)
        chosen = [self.components[k] for k in needed if self._level(k[0]) in levels]
        return self.number[key], self.assembler.code.image.add(chosen), len(chosen), key[1]


def _check(description: Description) -> None:
    """GdlError where a rule cannot be compiled."""
    for rule in description.rules:
        if lacking := unbound(rule):
            words = f"nothing binds ?{lacking[0]}"
            raise GdlError(description.source, rule.place, words, str(rule))
        if len(rule.body) > MAX_BODY:
            words = f"more than {MAX_BODY} literals in the body of the rule for"
            raise GdlError(description.source, rule.place, words, str(rule.head))


def _first_room(graph: Graph) -> Room:
    """Room for all terms that stand in the rules, and for their facts."""
    rules = [rule for found in graph.rules.values() for rule in found]
    terms = sum(map(_terms, rules))
    facts = sum(1 for rule in rules if not rule.body)
    usual = Room()
    levels = (max(usual.levels[0], _power(8 * facts)), *usual.levels[1:])
    return Room(max(usual.terms, _power(2 * terms)), levels)


def _power(least: int) -> int:
    return 1 << max(least, 1).bit_length()


def _terms(rule: Rule) -> int:
    waiting: list[Term] = [*rule.head.args, *(arg for x in rule.body for arg in x.atom.args)]
    count = 0
    while waiting:
        term = waiting.pop()
        count += 1
        if isinstance(term, Compound):
            waiting += term.args
    return count
