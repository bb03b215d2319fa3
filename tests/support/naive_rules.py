"""A reasoner that is easy to believe: all rules over all facts until nothing is new."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from facedown.gdl.syntax import Atom, Compound, Description, Rule, Term, Variable

Facts = dict[tuple[str, int], set[tuple[Term, ...]]]


def matched(pattern: Term, term: Term, known: dict[str, Term]) -> dict[str, Term] | None:
    """The values of variables that make a pattern a ground term."""
    if isinstance(pattern, Variable):
        if pattern.name in known:
            return known if known[pattern.name] == term else None
        return {**known, pattern.name: term}
    if isinstance(pattern, str) or isinstance(term, str):
        return known if pattern == term else None
    return matched_all((pattern.name, *pattern.args), (term.name, *term.args), known)


def matched_all(
    patterns: Sequence[Term], terms: Sequence[Term], known: dict[str, Term]
) -> dict[str, Term] | None:
    if len(patterns) != len(terms):
        return None
    found: dict[str, Term] | None = known
    for pattern, term in zip(patterns, terms, strict=True):
        found = matched(pattern, term, found)
        if found is None:
            return None
    return found


def filled(term: Term, known: dict[str, Term]) -> Term:
    if isinstance(term, Variable):
        return known[term.name]
    if isinstance(term, Compound):
        return Compound(term.name, tuple(filled(arg, known) for arg in term.args))
    return term


def filled_atom(atom: Atom, known: dict[str, Term]) -> tuple[Term, ...]:
    return tuple(filled(arg, known) for arg in atom.args)


def of(facts: Facts, atom: Atom) -> set[tuple[Term, ...]]:
    return facts.get((atom.name, len(atom.args)), set())


def assignments(rule: Rule, facts: Facts) -> Iterator[dict[str, Term]]:
    """The values of a rule's variables under which its body holds."""
    positive = [x.atom for x in rule.body if x.positive and x.atom.name != "distinct"]
    tests = [x for x in rule.body if not x.positive or x.atom.name == "distinct"]
    found: list[dict[str, Term]] = [{}]
    for atom in positive:
        tried = (matched_all(atom.args, fact, k) for k in found for fact in of(facts, atom))
        found = [known for known in tried if known is not None]
    for known in found:
        if all(holds(test.atom, known, facts) == test.positive for test in tests):
            yield known


def holds(atom: Atom, known: dict[str, Term], facts: Facts) -> bool:
    args = filled_atom(atom, known)
    return args[0] != args[1] if atom.name == "distinct" else args in of(facts, atom)


def strata(rules: Iterable[Rule]) -> list[list[Rule]]:
    """The rules by stratum: negated relations are complete before a rule asks for them."""
    level: dict[tuple[str, int], int] = {}
    changed = True
    while changed:
        changed = False
        for rule in rules:
            head = (rule.head.name, len(rule.head.args))
            wanted = 0
            for x in rule.body:
                below = level.get((x.atom.name, len(x.atom.args)), 0)
                wanted = max(wanted, below if x.positive else below + 1)
            if wanted > level.get(head, 0):
                level[head], changed = wanted, True
                assert wanted < 1000
    found: list[list[Rule]] = [[] for _ in range(max(level.values(), default=0) + 1)]
    for rule in rules:
        found[level.get((rule.head.name, len(rule.head.args)), 0)].append(rule)
    return found


def consequences(rules: Sequence[Rule], given: Facts) -> Facts:
    facts = {key: set(args) for key, args in given.items()}
    for stratum in strata(rules):
        changed = True
        while changed:
            changed = False
            for rule in stratum:
                known = facts.setdefault((rule.head.name, len(rule.head.args)), set())
                new = {filled_atom(rule.head, each) for each in assignments(rule, facts)} - known
                if new:
                    known |= new
                    changed = True
    return facts


class Naive:
    """The oracle, with the methods of the lifted reasoner."""

    def __init__(self, description: Description) -> None:
        self.roles, self.rules = description.roles, description.rules

    def _all(self, state, moves=()):
        does = {(role, move) for role, move in zip(self.roles, moves, strict=False)}
        return consequences(self.rules, {("true", 1): {(f,) for f in state}, ("does", 2): does})

    def initial(self):
        return frozenset(args[0] for args in self._all(()).get(("init", 1), ()))

    def everything(self, state, moves=()):
        """All that is to be known of a position: terminal, legal, goal, and next and sees."""
        facts = self._all(state, moves)
        return {name: facts.get(key, set()) for name, key in KEYS.items()}


KEYS = {
    "terminal": ("terminal", 0),
    "legal": ("legal", 2),
    "goal": ("goal", 2),
    "next": ("next", 1),
    "sees": ("sees", 2),
}


def told(reasoner, state, moves=None):
    """What the lifted reasoner says, in the oracle's form."""
    roles = reasoner.roles
    found = {
        "terminal": {()} if reasoner.terminal(state) else set(),
        "legal": {(r, m) for r in roles for m in reasoner.legal(state, r)},
        "goal": {(r, v) for r in roles for v in reasoner.goals(state, r)},
    }
    if moves is not None:
        found["next"] = {(f,) for f in reasoner.next(state, moves)}
        found["sees"] = {(r, p) for r in roles for p in reasoner.sees(state, moves, r)}
    return found
