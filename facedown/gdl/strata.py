"""Rules that are stratified by their arguments, though not by their relations.

`(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))` has goal depend on its own negation, and yet no
atom does. Where the arguments that tell such atoms apart are symbols in all heads, or terms that a
function symbol tells apart, as in `(<= (legal ?r pass) (true (control ?r)) (not (can ?r)))` with
`(<= (can ?r) (legal ?r (go ?x ?y)))`, the relation is split by them into several, which are
stratified.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from facedown.gdl.graph import Graph, Key, key_of
from facedown.gdl.syntax import Atom, Compound, Literal, Rule, Term, Variable
from facedown.gdl.terms import substituted_rule, term_variables

_MOST = 10_000
"""Rules that are made in place of those of one component, at most."""


def split(rules: Sequence[Rule], roles: Sequence[str]) -> list[Rule]:
    """The same rules, with relations that depend on their own negation split by their symbols.

    A function symbol stands for all terms that it is around: `(go * *)`.

    Of each such relation there are then several, called by its name and the symbols, with blanks
    between, and a rule for each that leads back to the relation itself.
    """
    graph = Graph(rules)
    cyclic = {graph.number[key] for key, _, _ in graph.negative_cycles()}
    if not cyclic:
        return list(rules)
    kept = [rule for rule in rules if graph.number[key_of(rule.head)] not in cyclic]
    for number in sorted(cyclic):
        members = set(graph.components[number])
        own = [rule for rule in rules if key_of(rule.head) in members]
        kept += _Component(members, own, roles, _listed(graph)).rules()
    return kept


def unstratified(rules: Sequence[Rule], roles: Sequence[str]) -> Iterator[tuple[Key, Key, Rule]]:
    """Relations that depend on their own negation, as `Graph.negative_cycles`, after splitting."""
    if any(True for _ in Graph(rules).negative_cycles()):
        yield from Graph(split(rules, roles)).negative_cycles()


def _listed(graph: Graph) -> dict[Key, set[Atom]]:
    """The atoms of the relations that are given by facts alone."""
    return {
        key: {rule.head for rule in rules}
        for key, rules in graph.rules.items()
        if not any(rule.body or term_variables(rule.head.args) for rule in rules)
    }


def _is_variable(term: Term) -> bool:
    return isinstance(term, Variable)


def _symbol(term: Term) -> Term:
    """What a term is told apart by: itself, or its function symbol."""
    return Compound(term.name, ("*",) * len(term.args)) if isinstance(term, Compound) else term


def _any_term(symbol: Term, name: str) -> Term:
    """A symbol, or a function symbol around variables of its own."""
    if not isinstance(symbol, Compound):
        return symbol
    return Compound(symbol.name, tuple(Variable(f"{name} {k}") for k in range(len(symbol.args))))


class _Component:
    """Relations that depend on each other, with their rules; what is `listed` is known."""

    def __init__(
        self,
        members: set[Key],
        rules: list[Rule],
        roles: Sequence[str],
        listed: dict[Key, set[Atom]],
    ) -> None:
        self.own, self.roles, self.listed = rules, roles, listed
        self.beyond = False
        self.instances = [each for rule in rules for each in self._by_role(rule)]
        self.places = {key: self._told_apart(key) for key in members}
        heads = {(key_of(r.head), self._symbols(r.head)) for r in self.instances}
        self.parts: dict[Key, list[tuple[Term, ...]]] = {}
        for key, symbols in sorted(heads, key=str):
            self.parts.setdefault(key, []).append(symbols)

    def _by_role(self, rule: Rule) -> list[Rule]:
        """A rule for each role, where it says `(role ?r)` of a variable in its head."""
        heads = {arg.name for arg in rule.head.args if isinstance(arg, Variable)}
        for literal in rule.body:
            first = literal.atom.args[0] if literal.atom.args else None
            if literal.atom.name != "role" or not literal.positive or len(literal.atom.args) != 1:
                continue
            if isinstance(first, Variable) and first.name in heads:
                return [substituted_rule(rule, {first.name: role}) for role in self.roles]
        return [rule]

    def _told_apart(self, key: Key) -> list[int]:
        """The arguments that are no variables in any head of a relation."""
        heads = [rule.head for rule in self.instances if key_of(rule.head) == key]
        return [k for k in range(key[1]) if not any(_is_variable(head.args[k]) for head in heads)]

    def _symbols(self, atom: Atom) -> tuple[Term, ...]:
        return tuple(_symbol(atom.args[k]) for k in self.places[key_of(atom)])

    def _part(self, atom: Atom) -> Atom:
        """The atom of the relation that stands for some arguments of another."""
        places = self.places[key_of(atom)]
        if not places:
            return atom
        rest = list[Term]()
        for k, arg in enumerate(atom.args):
            if k not in places:
                rest.append(arg)
            elif isinstance(arg, Compound):
                rest += arg.args
        return Atom(" ".join((atom.name, *map(str, self._symbols(atom)))), tuple(rest))

    def rules(self) -> list[Rule]:
        """The rules of the parts, and those that lead back; as they were where these are many."""
        made = list[Rule]()
        for rule in self.instances:
            made += map(self._renamed, self._expanded(rule))
            if len(made) > _MOST or self.beyond:
                return self.own
        for key, found in self.parts.items():
            for symbols in found if self.places[key] else ():
                made.append(self._back(key, symbols))
        return made

    def _back(self, key: Key, symbols: tuple[Term, ...]) -> Rule:
        told = dict(zip(self.places[key], symbols, strict=True))
        args = tuple(
            _any_term(told[k], f"a{k}") if k in told else Variable(f"a{k}") for k in range(key[1])
        )
        whole = Atom(key[0], args)
        place = next(rule.place for rule in self.own if key_of(rule.head) == key)
        return Rule(whole, (Literal(self._part(whole)),), place)

    def _expanded(self, rule: Rule) -> Iterator[Rule]:
        """A rule for each way to have symbols where parts of the component are asked for."""
        asked = [x for x in rule.body if key_of(x.atom) in self.parts]
        loose = sorted(term_variables(t for x in asked for t in self._symbols(x.atom)))
        held = term_variables(t for x in asked if x.positive for t in self._symbols(x.atom))
        domains = {name: self._domain(name, [x.atom for x in asked]) for name in loose}
        choices = [[*domains[name], *([] if name in held else [None])] for name in loose]
        for values in product(*choices):  # None: none of these symbols, in what is negated only
            chosen = dict(zip(loose, values, strict=True))
            known = {name: _any_term(v, name) for name, v in chosen.items() if v is not None}
            none = [name for name, value in chosen.items() if value is None]
            if any(not isinstance(symbol, str) for name in none for symbol in domains[name]):
                self.beyond = True  # there is no word for a term of any other function symbol
            other = tuple(
                Literal(Atom("distinct", (Variable(name), symbol)))
                for name, value in chosen.items()
                for symbol in (domains[name] if value is None else ())
            )
            told = self._possible(substituted_rule(rule, known))
            if told is not None:
                yield Rule(told.head, told.body + other, told.place)

    def _domain(self, name: str, asked: Sequence[Atom]) -> list[Term]:
        found: dict[Term, None] = {}
        for atom in asked:
            for place, arg in enumerate(self._symbols(atom)):
                if arg == Variable(name):
                    found.update((s[place], None) for s in self.parts[key_of(atom)])
        return list(found)

    def _possible(self, rule: Rule) -> Rule | None:
        """The rule without negations of what no head is like; None where it asks for such."""
        body = []
        for literal in rule.body:
            key = key_of(literal.atom)
            if literal.positive and self._fails(literal.atom):
                return None
            none = key in self.parts and self._symbols(literal.atom) not in self.parts[key]
            if none and literal.positive:
                return None
            if not none:
                body.append(literal)
        return Rule(rule.head, tuple(body), rule.place)

    def _fails(self, atom: Atom) -> bool:
        """Whether an atom without variables is known not to hold."""
        if term_variables(atom.args):
            return False
        if atom.name == "distinct":
            return len(set(atom.args)) == 1
        return atom not in self.listed.get(key_of(atom), (atom,))

    def _renamed(self, rule: Rule) -> Rule:
        body = tuple(
            Literal(self._part(x.atom), x.positive) if key_of(x.atom) in self.parts else x
            for x in rule.body
        )
        return Rule(self._part(rule.head), body, rule.place)
