"""Are rules valid, as far as can be told without playing?

Safety, stratification, the recursion restriction, arities, roles and keywords (Love et al. 2006;
Schiffel and Thielscher 2014, section 2.3).
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal as OneOf

from facedown.gdl.errors import GdlError, clipped
from facedown.gdl.graph import DOES, TRUE, Graph, Key, key_of
from facedown.gdl.reader import ARITIES
from facedown.gdl.strata import unstratified
from facedown.gdl.syntax import Description, Literal, Place, Rule, Term, Variable
from facedown.gdl.terms import nesting, term_variables, unbound

log = logging.getLogger("facedown.gdl")

_STATELESS = ("init", "role")
_MOVELESS = ("legal", "goal", "terminal", "init", "role")
_ROLE_FIRST = ("legal", "goal", "sees", "does")
_WANTED = {"legal": 2, "terminal": 0, "goal": 2}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about a rule file; an error makes it unplayable, a warning does not."""

    severity: OneOf["error", "warning"]
    place: Place
    words: str

    def line(self, source: str) -> str:
        """As compilers write it."""
        return f"{source}:{self.place.line}:{self.place.column}: {self.severity}: {self.words}"


def check_rules(description: Description) -> list[Finding]:
    """All that is wrong or doubtful, in the order of the file; what was repaired is doubtful."""
    graph = Graph(description.rules)
    found = [Finding("warning", each.place, each.words) for each in description.repairs]
    found += _safety(description)
    found += _strata(description)
    found += _recursion(graph)
    found += _arities(graph, description)
    found += _keywords(graph)
    found += _roles(description)
    found += _goal_values(description)
    once = dict.fromkeys(found)
    return sorted(once, key=lambda each: (each.place.line, each.place.column, each.severity))


def checked(description: Description) -> Description:
    """The description itself; its first error is raised."""
    for finding in check_rules(description):
        if finding.severity == "error":
            raise GdlError(description.source, finding.place, finding.words)
    return description


def _error(rule: Rule, words: str) -> Finding:
    return Finding("error", rule.place, f"{words}: {clipped(str(rule))}")


def _warning(rule: Rule, words: str) -> Finding:
    return Finding("warning", rule.place, f"{words}: {clipped(str(rule))}")


def _safety(description: Description) -> Iterator[Finding]:
    """Every variable stands in a positive literal of the body."""
    for rule in description.rules:
        if names := unbound(rule):
            listed = ", ".join(f"?{name}" for name in names)
            yield _error(rule, f"no positive literal of the body binds {listed}")


def _strata(description: Description) -> Iterator[Finding]:
    for key, other, rule in unstratified(description.rules, description.roles):
        through = "" if key == other else f" through {other[0]}"
        yield _error(rule, f"{key[0]} depends on its own negation{through}")


def _recursion(graph: Graph) -> Iterator[Finding]:
    """What a rule hands round a cycle is ground, the head's, or held by a literal off the cycle."""
    for key, rules in graph.rules.items():
        for rule in rules:
            round_trip = [x for x in rule.body if _cyclic(graph, key, x)]
            kept = {arg for x in rule.body if _holds(graph, key, x) for arg in x.atom.args}
            kept |= set(rule.head.args)
            for literal in round_trip:
                loose = [a for a in literal.atom.args if term_variables([a]) and a not in kept]
                if loose:
                    yield _loose(rule, loose[0])


def _cyclic(graph: Graph, key: Key, literal: Literal) -> bool:
    return literal.atom.name != "distinct" and graph.together(key, key_of(literal.atom))


def _holds(graph: Graph, key: Key, literal: Literal) -> bool:
    plain = literal.positive and literal.atom.name != "distinct"
    return plain and not graph.together(key, key_of(literal.atom))


def _loose(rule: Rule, term: Term) -> Finding:
    """A warning: another rule of the cycle may limit it, and a reasoner tells if terms grow."""
    words = f"{term} goes round a cycle and nothing outside of the cycle limits it"
    if any(map(nesting, rule.head.args)):
        words += ", so that terms may grow without end"
    return _warning(rule, words)


def _arities(graph: Graph, description: Description) -> Iterator[Finding]:
    """Relations that nothing makes true, and names with several numbers of arguments."""
    counts: dict[str, set[int]] = {}
    for name, arity in graph.rules:
        counts.setdefault(name, set()).add(arity)
    told: set[Key] = set()
    for rule in description.rules:
        for literal in rule.body:
            key = key_of(literal.atom)
            known = key in graph.rules or key in (TRUE, DOES) or literal.atom.name == "distinct"
            slip = ARITIES.get(key[0], key[1]) != key[1]  # which the reader has told
            if known or slip or key in told:
                continue
            told.add(key)
            others = " or ".join(map(str, sorted(counts.get(key[0], ()))))
            but = f", which has {others} arguments elsewhere" if others else ""
            yield _warning(rule, f"no rule makes {literal.atom} true{but}")
    for name, arities in counts.items():
        if len(arities) > 1:
            rule = graph.rules[name, max(arities)][0]
            listed = " and ".join(map(str, sorted(arities)))
            yield _warning(rule, f"{name} has {listed} arguments")


def _keywords(graph: Graph) -> Iterator[Finding]:
    """What may depend on the state and on the moves, and what must be there."""
    for keyword, arity in _WANTED.items():
        if (keyword, arity) not in graph.rules:
            yield Finding("error", Place(1, 1), f"no rule for {keyword}")
    for banned, names in ((DOES, _MOVELESS), (TRUE, _STATELESS)):
        reached = graph.above(banned)
        for name in names:
            key = (name, ARITIES[name])
            if key in reached:
                yield _error(_culprit(graph, key, reached), f"{name} depends on {banned[0]}")


def _culprit(graph: Graph, key: Key, reached: set[Key]) -> Rule:
    """The first rule of a relation that asks for what it must not."""
    rules = graph.rules[key]
    guilty = (r for r in rules if any(key_of(x.atom) in reached for x in r.body))
    return next(guilty, rules[0])


def _roles(description: Description) -> Iterator[Finding]:
    """Where a role stands, one of the game's roles stands."""
    for rule in description.rules:
        for atom in (rule.head, *(literal.atom for literal in rule.body)):
            if atom.name not in _ROLE_FIRST or len(atom.args) != 2:
                continue
            role = atom.args[0]
            if not isinstance(role, Variable) and role not in description.roles:
                yield _warning(rule, f"{role} is no role of the game")


def _goal_values(description: Description) -> Iterator[Finding]:
    for rule in description.rules:
        if key_of(rule.head) != ("goal", 2) or isinstance(rule.head.args[1], Variable):
            continue
        value = goal_value(rule.head.args[1])
        if value is None:
            yield _error(rule, f"a goal is a whole number, not {rule.head.args[1]}")
        elif not 0 <= value <= 100:
            yield _warning(rule, f"goals go from 0 to 100, and {value} does not")


def warn_of_no_goal(source: str, role: str) -> None:
    """Say that a game has ended without a goal for a role; it is told once for a game and role."""
    log.warning("%s: %s has no goal at the end of a game, which counts as 0", source, role)


def goal_value(term: Term) -> int | None:
    """The number that a symbol is, where it is one.

    >>> goal_value("100"), goal_value("many")
    (100, None)
    """
    if not isinstance(term, str):
        return None
    digits = term.removeprefix("-")
    return int(term) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else None
