"""Ground facts in memory: packed terms, relations, and tables by which rules look facts up.

A packed term is a symbol (`str`) or a tuple of a function symbol and its packed arguments; a fact
is the tuple of its packed arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from facedown.gdl.errors import LimitError
from facedown.gdl.syntax import Compound, Term, Variable

Packed = Any  # str | tuple[str, Packed, ...], which type checkers do not follow
Fact = tuple[Packed, ...]
Path = tuple[int, ...]
"""Where in an atom a term stands: the argument, then the argument of that, and so on."""

MAX_FACTS = 300_000
MAX_TERM_DEPTH = 120
MAX_TERM_SIZE = 10_000


def packed(term: Term) -> Packed:
    """A ground term as rules compute with it.

    >>> packed(Compound("cell", ("1", Compound("f", ("a",)))))
    ('cell', '1', ('f', 'a'))
    """
    if isinstance(term, Compound):
        return (term.name, *map(packed, term.args))
    if isinstance(term, Variable):
        raise ValueError(f"{term} is not ground")
    return term


def unpacked(term: Packed) -> Term:
    """The term that was packed."""
    if isinstance(term, str):
        return term
    return Compound(term[0], tuple(map(unpacked, term[1:])))


def checked_size(term: Packed) -> None:
    """Raise where a term is larger than is allowed: else its hash alone could take for ever."""
    waiting, size = [(term, 0)] if type(term) is tuple else [], 0
    while waiting:
        part, depth = waiting.pop()
        size += len(part)
        if size > MAX_TERM_SIZE or depth > MAX_TERM_DEPTH:
            limits = f"{MAX_TERM_SIZE:,} symbols, or of {MAX_TERM_DEPTH} levels"
            raise LimitError(f"the rules make terms of more than {limits}")
        waiting += [(each, depth + 1) for each in part if type(each) is tuple]


class Probe:
    """A way to look up facts: those of a shape, by the values at `keys`; it gives those at `outs`.

    Where there are outs, a table is a dictionary of collections, or one collection if there are no
    keys; without outs it is the set of the keys that occur. One key or out stands for itself,
    several are a tuple.
    """

    __slots__ = ("keys", "outs", "put", "source", "whole")

    def __init__(
        self,
        shape: tuple[tuple[Path, str, int], ...],
        same: tuple[tuple[Path, Path], ...],
        keys: tuple[Path, ...],
        outs: tuple[Path, ...],
        whole: bool,
    ) -> None:
        self.keys, self.outs, self.whole = keys, outs, whole
        self.source = self._source(shape, same)
        scope: dict[str, Any] = {}
        exec(self.source, scope)  # made of the paths and of quoted symbols only
        self.put: Callable[[Any, Iterable[Fact]], None] = scope["put"]

    def _source(
        self, shape: tuple[tuple[Path, str, int], ...], same: tuple[tuple[Path, Path], ...]
    ) -> str:
        lines = ["def put(table, facts):", " for f in facts:"]
        for path, name, arity in shape:
            term = at(path)
            lines.append(
                f"  if type({term}) is str or {term}[0] != {name!r} or len({term}) != {arity + 1}:"
                " continue"
            )
        lines += [f"  if {at(one)} != {at(other)}: continue" for one, other in same]
        key, out = _group(self.keys), _group(self.outs)
        if not self.outs:
            lines.append(f"  table.add({key})")
        elif not self.keys:
            lines.append(f"  table.{'append' if self.whole else 'add'}({out})")
        else:
            more = f"append({out})" if self.whole else f"add({out})"
            new = f"[{out}]" if self.whole else f"{{{out}}}"
            lines += [f"  k = {key}", "  if k in table:", f"   table[k].{more}"]
            lines += ["  else:", f"   table[k] = {new}"]
        return "\n".join(lines)

    def empty(self) -> Any:
        if not self.outs:
            return set()
        return {} if self.keys else [] if self.whole else set()


def at(path: Path) -> str:
    """The Python expression for a place in the fact `f`."""
    return f"f[{path[0]}]" + "".join(f"[{index + 1}]" for index in path[1:])


def _group(paths: tuple[Path, ...]) -> str:
    return at(paths[0]) if len(paths) == 1 else f"({', '.join(map(at, paths))})"


class Relation:
    """The facts of a relation with the tables that rules have asked for so far."""

    __slots__ = ("facts", "tables")

    def __init__(self, facts: set[Fact]) -> None:
        self.facts = facts
        self.tables: dict[Probe, Any] = {}

    def table(self, probe: Probe) -> Any:
        found = self.tables.get(probe)
        if found is None:
            found = probe.empty()
            probe.put(found, self.facts)
            self.tables[probe] = found  # not before it is whole: a clock may strike anywhere
        return found

    def add(self, facts: set[Fact]) -> None:
        """Add facts that are new."""
        self.facts |= facts
        if len(self.facts) > MAX_FACTS:
            raise LimitError(f"the rules make more than {MAX_FACTS:,} facts of one relation true")
        for probe, table in self.tables.items():
            probe.put(table, facts)
