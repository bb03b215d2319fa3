"""The lifted reasoner: what the rules say of a position, without grounding them first.

Bottom-up, relation by relation in the order of their strata, recursive ones by differences
(semi-naive). Slower than a rule network, but it needs no more memory than one position does, and
what does not depend on the position is worked out once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from time import perf_counter, process_time
from typing import Any

from facedown.gdl.asking import Ask, Asked, Known, can_be_asked
from facedown.gdl.errors import GdlError, LimitError
from facedown.gdl.graph import DOES, TRUE, Graph, Key, key_of
from facedown.gdl.joins import Join, Joiner
from facedown.gdl.relations import Fact, Packed, Relation, checked_size, packed, unpacked
from facedown.gdl.strata import split
from facedown.gdl.syntax import Description, Place, Term
from facedown.gdl.terms import nesting, unbound

State = frozenset[Term]
"""A position: the terms f for which `(true f)` holds."""

_Order = tuple[int, str]
"""Shorter texts come first, so that numbers are in order."""

_ASKED: tuple[Key, ...] = (
    TRUE,
    DOES,
    ("next", 1),
    ("legal", 2),
    ("sees", 2),
    ("goal", 2),
    ("terminal", 0),
)
MAX_BODY = 500
"""Literals of one rule, whose order takes long to find where there are thousands."""

MAX_SECONDS = 20.0
"""CPU time that rules may take to be compiled, and then each question to be answered."""

MAX_LISTED = 200_000
"""Combinations that are tried to list a relation once and for all, about; beyond it is asked."""

MAX_DERIVED = 20_000
"""The same of one that depends on the position."""

_MOST = 1e6  # the size of a relation that is asked: what asks for it comes late in a body
_LISTED = (*_ASKED, ("init", 1), ("role", 1), ("base", 1), ("input", 2))
_SOON = 0.1  # seconds between looks at it
_MAX_LEVEL = 5
_KEPT = 16  # positions whose consequences are remembered
_MAX_TERMS = 1_000_000  # remembered as objects
_GUESSED = {TRUE: 30.0, DOES: 2.0}  # facts of what is not known yet, to order bodies by
_DERIVED = 40.0


class Lifted:
    """The reasoner of one game. Moves and percepts are ground terms; all results are in order."""

    def __init__(self, description: Description) -> None:
        self.description = description
        self.roles = description.roles
        self._program = Program(description)
        self._terms: dict[Packed, tuple[_Order, Term]] = {}
        self._packed: dict[Term, Packed] = {}
        self._known: OrderedDict[State, Position] = OrderedDict()
        self._initial = self._state(fact[0] for fact in self._program.initial())

    @property
    def asked(self) -> set[Key]:
        """The relations that are asked about fact by fact, for they are too long to list."""
        return {key for key, _ in self._program.askers}

    def initial(self) -> State:
        """The position at the start."""
        return self._initial

    def terminal(self, state: State) -> bool:
        return bool(self._position(state).facts(("terminal", 0)))

    def legal(self, state: State, role: str) -> list[Term]:
        """The distinct legal moves of a role; it is asked for positions that are not terminal."""
        return self._second(self._position(state).facts(("legal", 2)), role)

    def goals(self, state: State, role: str) -> list[Term]:
        """The values that `goal` has for a role, usually one."""
        return self._second(self._position(state).facts(("goal", 2)), role)

    def next(self, state: State, moves: Sequence[Term]) -> State:
        """The position after a joint move, one move for each role in order."""
        position = self._position(state)
        return self._state(f[0] for f in position.facts(("next", 1), self._does(moves)))

    def sees(self, state: State, moves: Sequence[Term], role: str) -> list[Term]:
        """What a role perceives of a joint move."""
        position = self._position(state)
        return self._second(position.facts(("sees", 2), self._does(moves)), role)

    def forget(self) -> None:
        """Forget all that was worked out and could be worked out again."""
        self._known = OrderedDict()
        self._program.relations = [
            Relation(each.facts) if isinstance(each, Relation) else {}
            for each in self._program.relations
        ]

    def _does(self, moves: Sequence[Term]) -> frozenset[Fact]:
        pairs = zip(self.roles, moves, strict=True)
        return frozenset((role, self._pack(move)) for role, move in pairs)

    def _second(self, facts: Iterable[Fact], role: str) -> list[Term]:
        return [term for _, term in sorted(self._unpack(f[1]) for f in facts if f[0] == role)]

    def _state(self, terms: Iterable[Packed]) -> State:
        facts = {(term,) for term in terms}
        state = frozenset([self._unpack(fact[0])[1] for fact in facts])
        if state not in self._known:
            self._keep(state, Position(self._program, facts))
        return state

    def _position(self, state: State) -> Position:
        found = self._known.get(state)
        if found is None:
            facts = {(self._pack(term),) for term in state}
            return self._keep(state, Position(self._program, facts))
        self._known.move_to_end(state)
        return found

    def _keep(self, state: State, position: Position) -> Position:
        self._known[state] = position
        if len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return position

    def _pack(self, term: Term) -> Packed:
        if isinstance(term, str):
            return term
        found = self._packed.get(term)
        if found is None:
            found = self._packed[term] = packed(term)
        return found

    def _unpack(self, term: Packed) -> tuple[_Order, Term]:
        """A term with its place in the order of terms."""
        found = self._terms.get(term)
        if found is None:
            try:
                checked_size(term)
            except LimitError as error:
                raise LimitError(f"{self.description.source}: {error}") from None
            if len(self._terms) > _MAX_TERMS:
                self._terms.clear()
                self._packed.clear()
            made = unpacked(term)
            text = str(made)
            found = self._terms[term] = (len(text), text), made
            self._packed[made] = term
        return found


class Program:
    """The compiled rules by component, and what holds in every position."""

    def __init__(self, description: Description) -> None:
        for rule in description.rules:
            if lacking := unbound(rule):
                words = f"nothing binds ?{lacking[0]}"
                raise GdlError(description.source, rule.place, words, str(rule))
            if len(rule.body) > MAX_BODY:
                words = f"more than {MAX_BODY} literals in the body of the rule for"
                raise GdlError(description.source, rule.place, words, str(rule.head))
        self.graph = graph = Graph(split(description.rules, description.roles))
        for _, other, rule in graph.negative_cycles():
            words = f"depends on its own negation through {other[0]}"
            raise GdlError(description.source, rule.place, words, str(rule))
        self.source = description.source
        self.number = {key: n for n, key in enumerate(dict.fromkeys((*graph.asks, *_ASKED)))}
        self.by_state, self.by_moves = graph.above(TRUE), graph.above(DOES)
        self.relations: list[Any] = [Relation(set()) for _ in self.number]
        """The facts of every relation, by number; then what relations that are asked remember."""
        self.joiner = Joiner(self.number, self._size, self.asked)
        self.levels: dict[Key, int] = {}
        self.sizes: dict[Key, float] = {}  # of what is too much to list
        self.askers: dict[tuple[Key, Known], Asked] = {}
        self.begin()
        self.components = self._compiled()
        self.plans: dict[Key, tuple[list[Component], list[Component]]] = {}

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

    def _compiled(self) -> dict[tuple[Key, ...], Component]:
        """All components; what depends on neither state nor moves is evaluated on the way."""
        made: dict[tuple[Key, ...], Component] = {}
        for keys in self.graph.components:
            static = not (self.by_state | self.by_moves).intersection(keys)
            if self._too_much(keys[0], static):
                continue
            made[keys] = Component(self, keys)
            if static:
                made[keys].evaluate(self.relations)
        return made

    def _too_much(self, key: Key, static: bool) -> bool:
        """Whether a relation is asked: it does not depend on itself, and would be long to list."""
        rules = self.graph.rules.get(key, ())
        if self.graph.recursive(key) or not can_be_asked(rules) or key in _LISTED:
            return False
        work = sum(map(self.joiner.work, rules))
        if work > (MAX_LISTED if static else MAX_DERIVED):
            self.sizes[key] = min(work, _MOST)
        return key in self.sizes

    def asked(self, key: Key, known: Known) -> Ask | None:
        """The function of a relation for arguments that are known; None of one that is listed."""
        if key not in self.sizes:
            return None
        if (key, known) not in self.askers:
            asked = Asked(known, key[1], len(self.relations), self.in_time)
            self.relations.append({})
            self.askers[key, known] = asked
            for rule in self.graph.rules[key]:
                if rule.body:
                    asked.parts.append(self.joiner.join(rule, known=known))
                else:
                    asked.facts.add(tuple(map(packed, rule.head.args)))
        return self.askers[key, known]

    def fresh(self, keys: set[Key]) -> list[int]:
        """Where relations that depend on any of these remember what they answered."""
        return [asked.slot for (key, _), asked in self.askers.items() if key in keys]

    def growth(self, keys: tuple[Key, ...]) -> bool:
        """Whether the terms of a component have to be checked: they may have become large.

        Counted is how often a function symbol may have been put around what came from the state or
        from the last check.
        """
        rules = [rule for key in keys for rule in self.graph.rules.get(key, ())]
        own = max((nesting(arg) for rule in rules for arg in rule.head.args), default=0)
        asked = {key_of(x.atom) for rule in rules for x in rule.body if x.positive}
        level = own + max((self.levels.get(key, 0) for key in asked), default=0)
        static = not (self.by_state | self.by_moves).intersection(keys)
        check = static or level > _MAX_LEVEL or (own > 0 and bool(asked.intersection(keys)))
        self.levels.update(dict.fromkeys(keys, 0 if check else level))
        return check

    def _size(self, key: Key) -> float:
        if key in _GUESSED:
            return _GUESSED[key]
        if key in self.sizes:
            return self.sizes[key]
        if key in self.by_state or key in self.by_moves:
            return _DERIVED
        return float(len(self.relations[self.number[key]].facts))

    def initial(self) -> set[Fact]:
        key = ("init", 1)
        return self.relations[self.number[key]].facts if key in self.number else set()

    def plan(self, key: Key) -> tuple[list[Component], list[Component]]:
        """What a relation needs, in order: what depends on the state alone, and on the moves."""
        if key not in self.plans:
            below = self.graph.below([key])
            needed = [keys for keys in self.graph.components if below.intersection(keys)]
            changing = [k for k in needed if (self.by_state | self.by_moves).intersection(k)]
            changing = [k for k in changing if k in self.components]  # others are asked
            state = [self.components[k] for k in changing if not self.by_moves.intersection(k)]
            moves = [self.components[k] for k in changing if self.by_moves.intersection(k)]
            self.plans[key] = state, moves
        return self.plans[key]


class Component:
    """Relations that depend on each other, or one that does not, with their compiled rules."""

    def __init__(self, program: Program, keys: tuple[Key, ...]) -> None:
        graph, joiner, members = program.graph, program.joiner, set(keys)
        self.in_time = program.in_time
        self.numbers = [program.number[key] for key in keys]
        self.given = keys[0] in (TRUE, DOES)
        self.checked = program.growth(keys)
        first = graph.rules[keys[0]][0].place if keys[0] in graph.rules else Place(1, 1)
        self.where = f"{program.source}:{first.line}:{first.column}: {keys[0][0]}"
        self.facts: dict[int, set[Fact]] = {}
        self.joins: list[tuple[int, Join]] = []
        self.again: list[tuple[int, int, Join]] = []
        """By differences: the relation, that whose new facts it takes, the rule."""
        for key in keys:
            number = program.number[key]
            self.facts[number] = set()
            self._timely()
            for rule in graph.rules.get(key, ()):
                if not rule.body:
                    self.facts[number].add(tuple(map(packed, rule.head.args)))
                    continue
                self.joins.append((number, joiner.join(rule)))
                for place, literal in enumerate(rule.body):
                    other = key_of(literal.atom)
                    if literal.positive and other in members and graph.together(key, other):
                        join = joiner.join(rule, place)
                        self.again.append((number, program.number[other], join))

    def _timely(self) -> None:
        try:
            self.in_time()
        except LimitError as error:
            raise LimitError(f"{self.where}: {error}") from None

    def evaluate(self, relations: list[Relation]) -> None:
        """Work the relations out, from those before them."""
        if self.given:
            return
        try:
            self._evaluate(relations)
        except LimitError as error:
            raise LimitError(f"{self.where}: {error}") from None

    def _evaluate(self, relations: list[Relation]) -> None:
        fresh = {number: set(self.facts[number]) for number in self.numbers}
        for number in self.numbers:
            relations[number] = Relation(set())
        for number, join in self.joins:
            fresh[number] |= join(relations, None)
            self.in_time()
        for number in self.numbers:
            relations[number] = Relation(set())
            self._add(relations[number], fresh[number])
        while self.again and any(fresh.values()):
            fresh = self._round(relations, fresh)

    def _round(
        self, relations: list[Relation], fresh: dict[int, set[Fact]]
    ) -> dict[int, set[Fact]]:
        news = {number: Relation(facts) for number, facts in fresh.items()}
        found: dict[int, set[Fact]] = {number: set() for number in self.numbers}
        for number, source, join in self.again:
            if fresh[source]:
                found[number] |= join(relations, news[source])
        self.in_time()
        for number, facts in found.items():
            facts -= relations[number].facts
            self._add(relations[number], facts)
        return found

    def _add(self, relation: Relation, facts: set[Fact]) -> None:
        if self.checked:
            for fact in facts:
                for term in fact:
                    checked_size(term)
        relation.add(facts)


class Position:
    """The consequences of one position, worked out as they are asked for."""

    def __init__(self, program: Program, facts: set[Fact]) -> None:
        self.program = program
        self.relations = program.relations.copy()
        self.relations[program.number[TRUE]] = Relation(facts)
        for slot in program.fresh(program.by_state | program.by_moves):
            self.relations[slot] = {}
        self.done: set[Component] = set()
        self.moved: tuple[frozenset[Fact], list[Relation], set[Component]] | None = None

    def facts(self, key: Key, does: frozenset[Fact] | None = None) -> set[Fact]:
        """The facts of a relation, after the moves where it depends on moves."""
        by_state, by_moves = self.program.plan(key)
        self.program.begin()
        _evaluate(by_state, self.relations, self.done)
        relations = self.relations
        if by_moves and does is not None:
            relations = self._after(does, by_moves, by_state)
        found: Relation = relations[self.program.number[key]]
        return found.facts

    def _after(
        self, does: frozenset[Fact], by_moves: list[Component], by_state: list[Component]
    ) -> list[Relation]:
        if self.moved is None or self.moved[0] != does:
            relations = self.relations.copy()
            relations[self.program.number[DOES]] = Relation(set(does))
            for slot in self.program.fresh(self.program.by_moves):
                relations[slot] = {}
            self.moved = does, relations, set(self.done)
        _, relations, done = self.moved
        for component in by_state:
            if component not in done:
                for number in component.numbers:
                    relations[number] = self.relations[number]
                done.add(component)  # not before: a clock may strike anywhere
        _evaluate(by_moves, relations, done)
        return relations


def _evaluate(components: list[Component], relations: list[Relation], done: set[Component]) -> None:
    for component in components:
        if component not in done:
            component.evaluate(relations)
            done.add(component)
