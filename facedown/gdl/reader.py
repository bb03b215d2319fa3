"""Rule files in GDL and GDL-II, as they are found: `read` and `read_file`.

What is wrong though its meaning is plain is read as it was meant, with a `Repair` that says so;
what is not plain is refused with its place. Keywords count by position only: `does` within a term
is a function symbol like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import count
from pathlib import Path

from facedown.core.errors import SpecError
from facedown.core.files import unhurried
from facedown.gdl.bodies import And, Formula, Not, Or, TooLargeError, rules_of, variables
from facedown.gdl.errors import GdlError, clipped
from facedown.gdl.lexer import MAX_CHARACTERS, Branch, Leaf, Node, Text, symbols
from facedown.gdl.lexer import statements as top_level
from facedown.gdl.notation import other_notation
from facedown.gdl.syntax import (
    Atom,
    Compound,
    Description,
    Literal,
    Place,
    Repair,
    Rule,
    Term,
    Variable,
)
from facedown.gdl.terms import term_variables

ARITIES = {
    "role": 1,
    "init": 1,
    "true": 1,
    "next": 1,
    "does": 2,
    "legal": 2,
    "sees": 2,
    "goal": 2,
    "terminal": 0,
    "base": 1,
    "input": 2,
    "distinct": 2,
}
"""The relations that the language gives a meaning to, with their numbers of arguments."""

MAX_ROLES = 1_000

_CONNECTIVES = ("and", "or", "not")
_GIVEN = ("true", "does", "distinct", *_CONNECTIVES)
"""What no rule may define: it is given, or it is no relation."""
_HINTS = ("base", "input")
_ARROWS = ("=>", "<-", "->", ":-", "<=>")
_GLUED = re.compile(r"<=[a-z_]\S*")
_ROLE_FIRST = ("legal", "goal", "sees", "does")


def read_file(path: str | Path) -> Description:
    """The game in a file, which is UTF-8; bytes that are not may stand in comments only."""
    name = str(path)
    try:
        with open(path, "rb", opener=unhurried) as file:
            data = file.read(4 * MAX_CHARACTERS + 1)
    except IsADirectoryError:
        raise SpecError(f"{name} is a folder; a rule file is wanted") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SpecError(f"cannot read {name}: {reason}") from None
    if len(data) > 4 * MAX_CHARACTERS:
        raise GdlError(name, Place(1, 1), f"more than {MAX_CHARACTERS:,} characters")
    text, repairs = _decoded(data, name)
    return _read(text, name, repairs)


def read(text: str, source: str = "rules") -> Description:
    """The game that a text describes; `source` is its name in messages."""
    return _read(text, source, ())


def _decoded(data: bytes, source: str) -> tuple[str, tuple[Repair, ...]]:
    try:
        return data.decode("utf-8-sig"), ()
    except UnicodeDecodeError as error:
        text = data.decode("latin-1")  # in which every byte is a character
        place = Text(source, text[: error.start]).place(error.start)
        if all(map(str.isascii, symbols(text))):
            return text, (Repair(place, "a comment is not UTF-8"),)
        raise GdlError(source, place, "not UTF-8, in which rule files are written") from None


def _read(text: str, source: str, repairs: Iterable[Repair]) -> Description:
    if (other := other_notation(text)) is not None:
        raise GdlError(source, Text(source, text).place(other[1]), other[0])
    reader = _Reader(Text(source, text, list(repairs)))
    for head, body, place in reader.clauses():
        reader.add(head, body, place)
    return reader.description()


class _Reader:
    """Takes the statements of one text."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.rules: dict[Rule, None] = {}
        used = symbols(text.text)
        free = (name for number in count(1) if (name := f"aux{number}") not in used)
        self.names = lambda: next(free)

    # statements

    def clauses(self) -> list[tuple[Atom, Formula, Place]]:
        """Heads with bodies, once literals outside of any rule have found theirs."""
        found: list[tuple[Atom, list[Formula], Place, bool]] = []
        for statement in top_level(self.text):
            node = self._apart(statement.node)
            name, place = _name(node), self.text.place(node.at)
            self._no_arrow(node, name)
            if self._faulty_hint(node):
                continue
            if name == "<=" and isinstance(node, Branch):
                head, body = self._rule(node, statement.mended)
                found.append((head, body, place, True))
            elif name in _GIVEN:
                self._belated(node, statement.strays, found)
            else:
                found.append((self._head(node), [], place, False))
        return [(head, And(tuple(body)), place) for head, body, place, _ in found]

    def _apart(self, node: Node) -> Node:
        """A statement with a blank after `<=` where one is missing: `(<=terminal ...)`."""
        name = _name(node)
        if not isinstance(node, Branch) or not _GLUED.fullmatch(name):
            return node
        self.text.repaired(node.at, f"a blank is missing after <=: {name}")
        first, *rest = node.items
        return replace(node, items=(Leaf("<=", first.at), Leaf(name[2:], first.at + 2), *rest))

    def _no_arrow(self, node: Node, name: str) -> None:
        """Refuse rules that are written with another arrow, which is no relation of the game's."""
        items = node.items[1:] if isinstance(node, Branch) else ()
        if name in _ARROWS and any(_name(item) in ARITIES for item in items):
            raise self.text.error(node, f"{name} makes no rule; (<= head body ...) is wanted")

    def _faulty_hint(self, node: Node) -> bool:
        """Whether a statement is of `base` or `input`, which are hints, and cannot be read."""
        rule = _name(node) == "<=" and isinstance(node, Branch) and len(node.items) > 1
        head = node.items[1] if rule and isinstance(node, Branch) else node
        if _name(head) not in _HINTS:
            return False
        try:
            made = self._rule(node, True) if rule and isinstance(node, Branch) else None
            atom = made[0] if made else self._head(head)
            if made is None and term_variables(atom.args):
                raise self.text.error(node, "a fact with variables")
        except GdlError as error:
            self.text.repaired(node.at, f"left out, a hint that cannot be read: {error.words}")
            return True
        return False

    def _rule(self, node: Branch, mended: bool) -> tuple[Atom, list[Formula]]:
        if len(node.items) < 2:
            raise self.text.error(node, "a rule without a head")
        body = [self._formula(item, mended) for item in node.items[2:]]
        return self._head(node.items[1]), body

    def _belated(
        self, node: Node, strays: int, found: list[tuple[Atom, list[Formula], Place, bool]]
    ) -> None:
        """A literal outside of any rule belongs to the rule before where nothing else is possible.

        That is so if it has variables or is followed by the parenthesis that closed its rule too
        early.
        """
        formula = self._formula(node, strict=True)
        if not (found and found[-1][3] and (strays or variables(formula))):
            raise self.text.error(node, f"({_name(node)} ...) can stand in the body of a rule only")
        self.text.repaired(node.at, "outside of any rule; taken into the body of the rule before")
        found[-1][1].append(formula)

    def add(self, head: Atom, body: Formula, place: Place) -> None:
        try:
            made = rules_of(head, body, place, self.names)
        except TooLargeError:
            words = "too many alternatives in the body of the rule for"
            raise GdlError(self.text.source, place, words, str(head)) from None
        for rule in made:
            self.rules[self._with_roles(rule)] = None

    # atoms and terms

    def _head(self, node: Node) -> Atom:
        atom = self._atom(node)
        if atom.name in _GIVEN or atom.name == "<=":
            raise self.text.error(node, f"{atom.name} cannot be defined by rules")
        wanted = ARITIES.get(atom.name)
        if wanted is not None and len(atom.args) != wanted:
            raise self.text.error(node, _arity(atom.name, wanted, len(atom.args)))
        return atom

    def _formula(self, node: Node, strict: bool) -> Formula:
        name = _name(node)
        if isinstance(node, Leaf) or name not in _CONNECTIVES:
            return self._literal(node, strict)
        parts = tuple(self._formula(item, strict) for item in node.items[1:])
        if not parts or (name == "not" and len(parts) != 1):
            wanted = "one part" if name == "not" else "parts"
            raise self.text.error(node, f"{name} needs {wanted}, not {len(parts)}")
        return Not(parts[0]) if name == "not" else And(parts) if name == "and" else Or(parts)

    def _literal(self, node: Node, strict: bool) -> Atom:
        atom = self._atom(node)
        wanted, given = ARITIES.get(atom.name), len(atom.args)
        if wanted is None or given == wanted:
            return atom
        words = _arity(atom.name, wanted, given)
        if strict or atom.name == "distinct":
            raise self.text.error(node, words)
        note = "; read as written, a relation that no rule makes true"
        self.text.repaired(node.at, f"{words}{note}: {clipped(self.text.shown(node))}")
        return atom

    def _atom(self, node: Node) -> Atom:
        term = self._term(node)
        if isinstance(term, Variable):
            raise self.text.error(node, "a variable where a relation is wanted")
        return Atom(term) if isinstance(term, str) else Atom(term.name, term.args)

    def _term(self, node: Node) -> Term:
        if isinstance(node, Leaf):
            if node.text == "?":
                raise self.text.error(node, "a variable without a name")
            return Variable(node.text[1:]) if node.text[0] == "?" else node.text
        if not node.items:
            raise self.text.error(node, "an empty pair of parentheses")
        name = node.items[0]
        if isinstance(name, Branch) or name.text[0] == "?":
            raise self.text.error(name, "a name is wanted after an opening parenthesis")
        args = tuple(map(self._term, node.items[1:]))
        return Compound(name.text, args) if args else name.text

    # the whole

    def _with_roles(self, rule: Rule) -> Rule:
        """The rule with `(role ?p)` for each role's variable that nothing binds."""
        positive = [each.atom for each in rule.body if each.positive]
        bound = {n for a in positive if a.name != "distinct" for n in term_variables(a.args)}
        asked = [rule.head, *(each.atom for each in rule.body if not each.positive)]
        lacking: dict[str, Atom] = {}
        for atom in asked:
            first = atom.args[0] if atom.args and atom.name in _ROLE_FIRST else None
            if isinstance(first, Variable) and first.name not in bound:
                lacking[first.name] = Atom("role", (first,))
        if not lacking:
            return rule
        for name in lacking:
            words = f"nothing binds ?{name}, a role; (role ?{name}) added: {clipped(str(rule))}"
            self.text.repairs.append(Repair(rule.place, words))
        added = tuple(map(Literal, lacking.values()))
        return Rule(rule.head, added + rule.body, rule.place)

    def description(self) -> Description:
        rules = _without_hints(list(self.rules))
        roles: dict[str, None] = {}
        for rule in rules:
            if rule.head.name == "role":
                roles[self._role(rule)] = None
        if not roles:
            raise GdlError(self.text.source, Place(1, 1), "no roles; (role ...) is wanted")
        if len(roles) > MAX_ROLES:
            raise GdlError(self.text.source, Place(1, 1), f"more than {MAX_ROLES:,} roles")
        repairs = sorted(self.text.repairs, key=lambda each: (each.place.line, each.place.column))
        return Description(self.text.source, tuple(roles), tuple(rules), tuple(repairs))

    def _role(self, rule: Rule) -> str:
        name = rule.head.args[0]
        if rule.body or not isinstance(name, str):
            words = "roles are facts, (role name)"
            raise GdlError(self.text.source, rule.place, words, str(rule))
        return name


def _name(node: Node) -> str:
    """The symbol that a node is or begins with."""
    if isinstance(node, Leaf):
        return node.text
    first = node.items[0] if node.items else None
    return first.text if isinstance(first, Leaf) else ""


def _arity(name: str, wanted: int, given: int) -> str:
    arguments = "argument" if wanted == 1 else "arguments"
    return f"{name} takes {wanted or 'no'} {arguments}, not {given}"


def _without_hints(rules: list[Rule]) -> list[Rule]:
    """All rules but those of `base` and `input`, which may be wrong, unless others ask for them."""
    asked = {each.atom.name for rule in rules if rule.head.name not in _HINTS for each in rule.body}
    if asked & set(_HINTS):
        return rules
    return [rule for rule in rules if rule.head.name not in _HINTS]
