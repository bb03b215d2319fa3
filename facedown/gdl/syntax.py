"""Rules as data: what the reader gives, and what the checks, the grounder and the reasoners take.

Terms are ground or not, rules are in the form of logic programs: disjunctions in a body have been
split into several rules, negation stands before atoms only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a file something stands; both count from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, by its name without the question mark."""

    name: str

    def __str__(self) -> str:
        return f"?{self.name}"


class Compound(NamedTuple):
    """A function symbol with its arguments, at least one.

    A tuple, for positions are sets of these: Python hashes and compares tuples quickly.
    """

    name: str
    args: tuple[Term, ...]

    def __str__(self) -> str:
        return f"({self.name} {' '.join(map(str, self.args))})"


Term = str | Variable | Compound
"""A symbol (lower case; numbers are symbols too) is its own name."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A relation's name with its arguments, none or more."""

    name: str
    args: tuple[Term, ...] = ()

    def __str__(self) -> str:
        return f"({' '.join((self.name, *map(str, self.args)))})" if self.args else self.name


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom, or that there is none like it; `distinct` is an atom of this name."""

    atom: Atom
    positive: bool = True

    def __str__(self) -> str:
        return str(self.atom) if self.positive else f"(not {self.atom})"


@dataclass(frozen=True, slots=True)
class Rule:
    """The head holds where all of the body does; a fact has no body."""

    head: Atom
    body: tuple[Literal, ...] = ()
    place: Place = field(default=Place(1, 1), compare=False)

    def __str__(self) -> str:
        if not self.body:
            return str(self.head)
        return f"(<= {self.head} {' '.join(map(str, self.body))})"


@dataclass(frozen=True, slots=True)
class Repair:
    """What was wrong in a file though its meaning was plain, and how it was read."""

    place: Place
    words: str


@dataclass(frozen=True)
class Description:
    """A whole game: its roles in order, its rules, and what had to be repaired to read it."""

    source: str
    roles: tuple[str, ...]
    rules: tuple[Rule, ...]
    repairs: tuple[Repair, ...] = ()

    @property
    def perfect(self) -> bool:
        """Whether these are rules in GDL, not GDL-II: no `sees` and no `random`; all see all."""
        return "random" not in self.roles and not any(r.head.name == "sees" for r in self.rules)

    def __str__(self) -> str:
        """The rules as text that reads as the same rules."""
        return "".join(f"{rule}\n" for rule in self.rules)
