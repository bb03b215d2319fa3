"""Bodies as they are written, with `and`, `or` and `not` nested, and as rules without these.

Variables that stand in a `not` and nowhere that would bind them read as "there is none": the part
of the `not` that they hold together becomes a relation of its own, which the rule then negates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, product
from math import prod

from facedown.gdl.syntax import Atom, Literal, Place, Rule, Term, Variable
from facedown.gdl.terms import substituted_rule, term_variables, unified

MAX_ALTERNATIVES = 64
"""Rules that one conjunction of disjunctions is multiplied out into; beyond it, new relations."""

MAX_LITERALS = 1_000_000
"""Literals that one statement may become."""


@dataclass(frozen=True, slots=True)
class And:
    """All of the parts hold."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Some part holds."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: Formula


Formula = Atom | And | Or | Not
Conjunct = Atom | Not
Names = Callable[[], str]
"""Gives a new relation name at every call."""


class TooLargeError(Exception):
    """A statement would become more than `MAX_LITERALS` literals."""


def variables(formula: Formula) -> set[str]:
    """The names of the variables in a formula."""
    if isinstance(formula, Atom):
        return term_variables(formula.args)
    parts = (formula.part,) if isinstance(formula, Not) else formula.parts
    return _union(map(variables, parts))


def rules_of(head: Atom, body: Formula, place: Place, names: Names) -> list[Rule]:
    """The rules that say the same with bodies of plain literals; new relations' rules come last."""
    if body == And(()):
        return [Rule(head, (), place)]  # a fact, as most statements of large files are
    splitter = _Splitter(names)
    made = list(splitter.rules(head, body))
    while splitter.waiting:
        made += splitter.rules(*splitter.waiting.pop(0))
    rules = (Rule(head, tuple(map(_literal, parts)), place) for head, parts in made)
    return list(chain.from_iterable(map(_equated, rules)))


class _Splitter:
    """Makes the rules of one statement."""

    def __init__(self, names: Names) -> None:
        self.names, self.spent = names, 0
        self.named: dict[object, Atom] = {}
        self.waiting: list[tuple[Atom, Formula]] = []

    def rules(self, head: Atom, body: Formula) -> Iterator[tuple[Atom, tuple[Conjunct, ...]]]:
        """Heads with conjunctions of plain literals; what they need of new relations waits."""
        outside = term_variables(head.args)
        for parts in self.alternatives(_inward(body), outside, ()):
            known = outside | _union(map(_known, parts))
            resolved = tuple(self._resolved(part, known, parts) for part in parts)
            if resolved == parts:
                yield head, parts
            else:
                yield from self.rules(head, And(resolved))

    def alternatives(
        self, formula: Formula, outside: set[str], beside: Sequence[Conjunct]
    ) -> list[tuple[Conjunct, ...]]:
        """A formula as a disjunction of conjunctions; what stands in a `not` is left alone.

        `outside` are the variables around it, `beside` what holds wherever it is asked for.
        """
        if isinstance(formula, (Atom, Not)):
            return [(formula,)]
        if isinstance(formula, Or):
            each = (self.alternatives(part, outside, beside) for part in formula.parts)
            return self._counted(list(chain.from_iterable(each)))
        return self._multiplied(formula, outside, beside)

    def _multiplied(
        self, formula: And, outside: set[str], beside: Sequence[Conjunct]
    ) -> list[tuple[Conjunct, ...]]:
        plain = tuple(part for part in formula.parts if isinstance(part, (Atom, Not)))
        nested = [part for part in formula.parts if not isinstance(part, (Atom, Not))]
        beside = (*beside, *plain)
        around = _around(nested, outside | _union(map(variables, plain)))
        each = [
            self.alternatives(part, there, beside)
            for part, there in zip(nested, around, strict=True)
        ]
        if prod(map(len, each)) > MAX_ALTERNATIVES:
            each = [
                [(self._named(tuple(found), there, beside),)] if len(found) > 1 else found
                for found, there in zip(each, around, strict=True)
            ]
        choices = product(*each)
        return self._counted([(*plain, *chain.from_iterable(choice)) for choice in choices])

    def _counted(self, found: list[tuple[Conjunct, ...]]) -> list[tuple[Conjunct, ...]]:
        self.spent += sum(map(len, found))
        if self.spent > MAX_LITERALS:
            raise TooLargeError
        return found

    def _named(
        self,
        found: tuple[tuple[Conjunct, ...], ...],
        outside: set[str],
        beside: Sequence[Conjunct],
    ) -> Atom:
        """A new relation that holds where one of some conjunctions does.

        What binds its variables outside is asked for inside too, where nothing inside binds them.
        """
        shared = _union(variables(part) for each in found for part in each) & outside
        bodies = tuple(
            And((*_binders(shared - _union(map(_bound, each)), beside), *each)) for each in found
        )
        key = (bodies, frozenset(shared))
        if key not in self.named:
            self.named[key] = Atom(self.names(), tuple(map(Variable, sorted(shared))))
            self.waiting += [(self.named[key], body) for body in bodies]
        return self.named[key]

    def _resolved(self, part: Conjunct, known: set[str], beside: Sequence[Conjunct]) -> Formula:
        """A conjunct with every `not` before an atom whose variables are known."""
        if isinstance(part, Atom) or (isinstance(part.part, Atom) and variables(part) <= known):
            return part
        parts = part.part.parts if isinstance(part.part, And) else (part.part,)
        groups = _held_together(parts, known)
        each = tuple(self._none_of(group, known, beside) for group in groups)
        return each[0] if len(each) == 1 else Or(each)

    def _none_of(
        self, group: tuple[Formula, ...], known: set[str], beside: Sequence[Conjunct]
    ) -> Formula:
        if len(group) == 1 and variables(group[0]) <= known:
            return group[0].part if isinstance(group[0], Not) else Not(group[0])
        found = tuple(self.alternatives(And(group), known, beside))
        return Not(self._named(found, known, beside))


def _inward(formula: Formula) -> Formula:
    """The formula with `not (or ...)` as a conjunction and conjunctions flat."""
    if isinstance(formula, Not):
        if isinstance(formula.part, Or):
            return _flat(tuple(_inward(Not(part)) for part in formula.part.parts))
        return Not(_inward(formula.part))
    if isinstance(formula, Or):
        return Or(tuple(map(_inward, formula.parts)))
    return _flat(tuple(map(_inward, formula.parts))) if isinstance(formula, And) else formula


def _flat(parts: tuple[Formula, ...]) -> Formula:
    each = (part.parts if isinstance(part, And) else (part,) for part in parts)
    return And(tuple(chain.from_iterable(each)))


def _union(sets: Iterator[set[str]] | Sequence[set[str]]) -> set[str]:
    return set().union(*sets)


def _bound(part: Conjunct) -> set[str]:
    """The variables that a conjunct gives values to, where it holds."""
    return variables(part) if isinstance(part, Atom) and part.name != "distinct" else set()


def _known(part: Conjunct) -> set[str]:
    """The variables that a conjunct speaks of outside of any `not`; equality is no `not`."""
    if isinstance(part, Not) and not (isinstance(part.part, Atom) and part.part.name == "distinct"):
        return set()
    return variables(part)


def _binders(wanted: set[str], beside: Sequence[Conjunct]) -> tuple[Conjunct, ...]:
    """Of what holds anyway, enough to give values to the wanted variables.

    The state first, because a relation of the rules might lead back to the rule that asks.
    """
    if not wanted:
        return ()
    chosen: list[Conjunct] = []
    state = ("true", "does", "role")
    ranked = sorted(beside, key=lambda part: not (isinstance(part, Atom) and part.name in state))
    for part in ranked:
        if wanted & _bound(part):
            chosen.append(part)
            wanted = wanted - _bound(part)
    return tuple(chosen)


def _around(parts: Sequence[Formula], outside: set[str]) -> list[set[str]]:
    """For each part those of its variables that others have too, or that are outside."""
    own = [variables(part) for part in parts]
    times: dict[str, int] = {}
    for name in chain.from_iterable(own):
        times[name] = times.get(name, 0) + 1
    several = outside | {name for name, count in times.items() if count > 1}
    return [several & each for each in own]


def _held_together(parts: Sequence[Formula], known: set[str]) -> list[tuple[Formula, ...]]:
    """The parts in groups that share no variable but known ones, in order."""
    leader = list(range(len(parts)))

    def lead(index: int) -> int:
        while leader[index] != index:
            leader[index] = leader[leader[index]]
            index = leader[index]
        return index

    first: dict[str, int] = {}
    for index, part in enumerate(parts):
        for name in variables(part) - known:
            before = lead(first.setdefault(name, index))
            now = lead(index)
            leader[max(before, now)] = min(before, now)
    groups: dict[int, list[Formula]] = {}
    for index, part in enumerate(parts):
        groups.setdefault(lead(index), []).append(part)
    return [tuple(group) for group in groups.values()]


def _literal(part: Conjunct) -> Literal:
    if isinstance(part, Atom):
        return Literal(part)
    assert isinstance(part.part, Atom)  # as `_Splitter.rules` leaves it
    return Literal(part.part, positive=False)


def _equated(rule: Rule) -> list[Rule]:
    """The rule with a and b made one for `(not (distinct a b))`; none where they cannot be."""
    same = [each.atom for each in rule.body if each.atom.name == "distinct" and not each.positive]
    if not same:
        return [rule]
    known: dict[str, Term] = {}
    if not all(unified(atom.args[0], atom.args[1], known) for atom in same):
        return []
    body = tuple(e for e in rule.body if e.positive or e.atom.name != "distinct")
    return [substituted_rule(Rule(rule.head, body, rule.place), known)]
