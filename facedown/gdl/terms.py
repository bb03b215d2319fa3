"""Small work on terms: their variables, substitution, unification."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from facedown.gdl.syntax import Atom, Compound, Literal, Rule, Term, Variable


def term_variables(terms: Iterable[Term]) -> set[str]:
    """The names of the variables in some terms.

    >>> sorted(term_variables((Variable("x"), Compound("f", ("a", Variable("y"))))))
    ['x', 'y']
    """
    found: set[str] = set()
    for term in terms:
        if isinstance(term, Variable):
            found.add(term.name)
        elif isinstance(term, Compound):
            found |= term_variables(term.args)
    return found


def nesting(term: Term) -> int:
    """How many function symbols stand around a variable, at most.

    >>> nesting(Compound("f", ("a", Compound("g", (Variable("x"),)))))
    2
    """
    if not isinstance(term, Compound) or not term_variables([term]):
        return 0
    return 1 + max(map(nesting, term.args))


def unified(first: Term, second: Term, known: dict[str, Term]) -> bool:
    """Whether two terms can be made equal; `known` is extended by what that takes.

    >>> known: dict[str, Term] = {}
    >>> unified(Compound("f", (Variable("x"), "b")), Compound("f", ("a", Variable("y"))), known)
    True
    >>> known
    {'x': 'a', 'y': 'b'}
    """
    first, second = _walked(first, known), _walked(second, known)
    if first == second:
        return True
    if isinstance(first, Variable):
        return _assigned(first, second, known)
    if isinstance(second, Variable):
        return _assigned(second, first, known)
    if isinstance(first, str) or isinstance(second, str):
        return False
    if (first.name, len(first.args)) != (second.name, len(second.args)):
        return False
    return all(unified(a, b, known) for a, b in zip(first.args, second.args, strict=True))


def _walked(term: Term, known: Mapping[str, Term]) -> Term:
    while isinstance(term, Variable) and term.name in known:
        term = known[term.name]
    return term


def _assigned(variable: Variable, term: Term, known: dict[str, Term]) -> bool:
    if variable.name in term_variables([substituted(term, known)]):
        return False  # no term holds itself
    known[variable.name] = term
    return True


def substituted(term: Term, known: Mapping[str, Term]) -> Term:
    """A term with its variables replaced, and theirs again, as far as `known` goes."""
    term = _walked(term, known)
    if isinstance(term, Compound):
        return Compound(term.name, tuple(substituted(arg, known) for arg in term.args))
    return term


def substituted_rule(rule: Rule, known: Mapping[str, Term]) -> Rule:
    """A rule with its variables replaced."""
    body = tuple(Literal(_atom(each.atom, known), each.positive) for each in rule.body)
    return Rule(_atom(rule.head, known), body, rule.place)


def _atom(atom: Atom, known: Mapping[str, Term]) -> Atom:
    return Atom(atom.name, tuple(substituted(arg, known) for arg in atom.args))


def unbound(rule: Rule) -> list[str]:
    """The variables of a rule that no positive literal of its body gives a value to, in order."""
    bound: set[str] = set()
    asked = term_variables(rule.head.args)
    for literal in rule.body:
        names = term_variables(literal.atom.args)
        asked |= names
        if literal.positive and literal.atom.name != "distinct":
            bound |= names
    return sorted(asked - bound)
