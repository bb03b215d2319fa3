"""Rules as a program for clingo, each body split first so that the grounding is small."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from facedown.gdl.grounder import SIGNATURES
from facedown.gdl.syntax import Atom, Compound, Description, Literal, Rule, Term, Variable
from facedown.gdl.terms import term_variables

CHOICES = """
{ true(F) } :- init(F).
{ true(F) } :- next(F), @shallow(F) = 1.
{ does(R,M) } :- legal(R,M), role(R), @shallow(M) = 1.
"""
"""What may be true, now or later, and what may be done: all that the grounding must cover."""

ROOTS = ("role", "init", "legal", "next", "sees", "goal", "terminal")


class Names:
    """Symbols, functions and relations by number: their own names may hold any letters."""

    def __init__(self) -> None:
        self.symbols: list[str] = []
        self._numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        """The number of a name, given at first sight."""
        if name not in self._numbers:
            self._numbers[name] = len(self.symbols)
            self.symbols.append(name)
        return self._numbers[name]

    def term(self, told: int | tuple[int | tuple[object, ...], ...]) -> Term:
        """The term that the grounder told by numbers."""
        if isinstance(told, int):
            return self.symbols[told]
        name, *args = told
        assert isinstance(name, int)
        return Compound(self.symbols[name], tuple(map(self.term, args)))  # type: ignore[arg-type]


class _Writer:
    """Writes rules in clingo's language."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def rule(self, rule: Rule) -> str:
        body = ", ".join(map(self._literal, rule.body))
        return f"{self._atom(rule.head)}{' :- ' if body else ''}{body}."

    def _literal(self, literal: Literal) -> str:
        atom = literal.atom
        if atom.name == "distinct" and len(atom.args) == 2:
            first, second = map(self._term, atom.args)
            return f"{first} {'!=' if literal.positive else '='} {second}"
        return f"{'' if literal.positive else 'not '}{self._atom(atom)}"

    def _atom(self, atom: Atom) -> str:
        given = SIGNATURES.get(atom.name) == len(atom.args)
        name = atom.name if given else f"p{self._names.number(atom.name)}"
        return f"{name}({','.join(map(self._term, atom.args))})" if atom.args else name

    def _term(self, term: Term) -> str:
        if isinstance(term, Variable):
            return f"V{self._names.number(term.name)}"
        if isinstance(term, Compound):
            args = ",".join(map(self._term, term.args))
            return f"f{self._names.number(term.name)}({args})"
        return str(self._names.number(term))


def _binds(literals: Iterable[Literal]) -> set[str]:
    """The variables that positive literals give their values."""
    positive = (each.atom for each in literals if each.positive and each.atom.name != "distinct")
    return {name for atom in positive for name in term_variables(atom.args)}


def _components(rule: Rule) -> list[tuple[set[str], list[Literal]]]:
    """The body in parts that share no variable but the head's, with each part's own variables."""
    outer = term_variables(rule.head.args)
    parts: list[tuple[set[str], list[Literal]]] = []
    for literal in rule.body:
        own, held = term_variables(literal.atom.args) - outer, [literal]
        apart = []
        for part in parts:
            if part[0] & own:
                own, held = own | part[0], part[1] + held
            else:
                apart.append(part)
        parts = [*apart, (own, held)]
    return parts


def projected(rule: Rule, numbers: Iterator[int]) -> Iterator[Rule]:
    """The same as several rules: a part with variables of its own becomes a relation of its own.

    So a body of several such parts is grounded part by part, and not in all combinations.
    """
    parts, kept = _components(rule), []
    outer = term_variables(rule.head.args)
    for own, held in parts:
        used = {name for each in held for name in term_variables(each.atom.args)}
        if own and len(parts) > 1 and used <= _binds(held):
            shared = tuple(Variable(name) for name in sorted(used & outer))
            part = Atom(f"part {next(numbers)}", shared)
            kept.append(Literal(part))
            yield Rule(part, tuple(held), rule.place)
        else:
            kept += held
    yield Rule(rule.head, tuple(kept), rule.place)


def needed(rules: Iterable[Rule]) -> list[Rule]:
    """The rules that what the language defines depends on: no hints, nothing idle."""
    heads: dict[str, list[Rule]] = {}
    for rule in rules:
        heads.setdefault(rule.head.name, []).append(rule)
    found, waiting = set(ROOTS), list(ROOTS)
    while waiting:
        for rule in heads.get(waiting.pop(), ()):
            fresh = {each.atom.name for each in rule.body} - found
            found |= fresh
            waiting += fresh
    return [rule for name in heads for rule in heads[name] if name in found]


def program(description: Description, names: Names, *, split: bool = True) -> str:
    """The whole program; `split` its bodies, unless another way is wanted to compare with."""
    numbers, writer, lines = count(), _Writer(names), list[str]()
    roles = [Rule(Atom("role", (role,))) for role in description.roles]
    for rule in (*roles, *needed(description.rules)):
        lines += map(writer.rule, projected(rule, numbers) if split else [rule])
    return "\n".join(lines) + CHOICES
