"""Which relation asks for which: strata, cycles, and what depends on the state or on the moves."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from facedown.gdl.syntax import Atom, Rule

K = TypeVar("K", bound=Hashable)
Key = tuple[str, int]
"""A relation: its name and its number of arguments."""

TRUE: Key = ("true", 1)
DOES: Key = ("does", 2)


def key_of(atom: Atom) -> Key:
    """The relation that an atom is of."""
    return atom.name, len(atom.args)


class Graph:
    """The relations of some rules and what their rules ask for; `distinct` is none of them."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules: dict[Key, list[Rule]] = {}
        self.asks: dict[Key, dict[Key, None]] = {}
        self.denies: dict[Key, dict[Key, Rule]] = {}
        for rule in rules:
            self._add(rule)
        self.components = components(self.asks)
        """Relations that ask for each other, in order: what is asked for comes first."""
        self.number = {key: n for n, group in enumerate(self.components) for key in group}

    def _add(self, rule: Rule) -> None:
        key = key_of(rule.head)
        self.rules.setdefault(key, []).append(rule)
        asks = self.asks.setdefault(key, {})
        for literal in rule.body:
            if literal.atom.name == "distinct":
                continue
            other = key_of(literal.atom)
            asks[other] = None
            self.asks.setdefault(other, {})
            if not literal.positive:
                self.denies.setdefault(key, {}).setdefault(other, rule)

    def together(self, one: Key, other: Key) -> bool:
        """Whether two relations depend on each other."""
        return self.number[one] == self.number[other] and (one != other or one in self.asks[one])

    def recursive(self, key: Key) -> bool:
        """Whether a relation depends on itself."""
        return len(self.components[self.number[key]]) > 1 or key in self.asks[key]

    def below(self, keys: Iterable[Key]) -> set[Key]:
        """All that some relations depend on, they themselves among it."""
        found, waiting = set(keys), list(keys)
        while waiting:
            for other in self.asks.get(waiting.pop(), ()):
                if other not in found:
                    found.add(other)
                    waiting.append(other)
        return found

    def above(self, key: Key) -> set[Key]:
        """All that depends on a relation, itself among it."""
        found = {key}
        for group in self.components:  # in order, so one pass is enough
            if any(other in found for one in group for other in self.asks[one]):
                found.update(group)
        return found

    def negative_cycles(self) -> Iterator[tuple[Key, Key, Rule]]:
        """Relations that depend on their own negation: who, through whom, by which rule."""
        for key, denied in self.denies.items():
            for other, rule in denied.items():
                if self.number[key] == self.number[other]:
                    yield key, other, rule


def components(asks: Mapping[K, Iterable[K]]) -> list[tuple[K, ...]]:
    """The strongly connected components of a graph, those that are asked for first (Tarjan)."""
    index: dict[K, int] = {}
    low: dict[K, int] = {}
    stack: list[K] = []
    on_stack: set[K] = set()
    found: list[tuple[K, ...]] = []
    for root in asks:
        if root in index:
            continue
        calls: list[tuple[K, Iterator[K]]] = []
        _enter(root, asks, index, low, stack, on_stack, calls)
        while calls:
            key, rest = calls[-1]
            other = next(rest, None)
            if other is None:
                calls.pop()
                if calls:
                    low[calls[-1][0]] = min(low[calls[-1][0]], low[key])
                if low[key] == index[key]:
                    found.append(_popped(key, stack, on_stack))
            elif other not in index:
                _enter(other, asks, index, low, stack, on_stack, calls)
            elif other in on_stack:
                low[key] = min(low[key], index[other])
    return found


def _enter(
    key: K,
    asks: Mapping[K, Iterable[K]],
    index: dict[K, int],
    low: dict[K, int],
    stack: list[K],
    on_stack: set[K],
    calls: list[tuple[K, Iterator[K]]],
) -> None:
    index[key] = low[key] = len(index)
    stack.append(key)
    on_stack.add(key)
    calls.append((key, iter(asks[key])))


def _popped(key: K, stack: list[K], on_stack: set[K]) -> tuple[K, ...]:
    group: list[K] = []
    while not group or group[-1] != key:
        group.append(stack.pop())
        on_stack.discard(group[-1])
    return tuple(group)
