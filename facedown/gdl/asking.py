"""Relations that are asked, not listed: worked out top-down, for the arguments that are known.

A relation whose facts are too many to list is a function of the arguments that are known where it
is asked for. What it has answered is kept as long as that is true: for ever, in a position, or
after a joint move. Nothing is kept before it is whole, so that a clock may strike anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from facedown.gdl.relations import Fact, packed
from facedown.gdl.syntax import Rule, Term, Variable
from facedown.gdl.terms import term_variables

Known = tuple[int, ...]
"""The places of the arguments that are known."""

Ask = Callable[[Any, Any], Any]
"""Takes all relations and what is known, one term or a tuple of several: whether it holds where all
is known, else the set of the other arguments, one term or a tuple of several each."""

MAX_KEPT = 200_000
"""Answers of one relation that are kept."""


def matching(
    term: Term, place: str, bound: set[str], named: Callable[[str], str], leave: str
) -> list[str]:
    """Lines that take a ground term in `place` apart as `term` has it, or `leave`.

    Variables that are not `bound` get their values, and are bound then.
    """
    if isinstance(term, Variable) and term.name not in bound:
        bound.add(term.name)
        return [f"{named(term.name)} = {place}"]
    if isinstance(term, Variable):
        return [f"if {place} != {named(term.name)}: {leave}"]
    if isinstance(term, str) or not term_variables([term]):
        return [f"if {place} != {packed(term)!r}: {leave}"]
    lines = [
        f"if type({place}) is str or {place}[0] != {term.name!r}"
        f" or len({place}) != {len(term.args) + 1}: {leave}"
    ]
    for k, part in enumerate(term.args):
        lines += matching(part, f"{place}[{k + 1}]", bound, named, leave)
    return lines


def can_be_asked(rules: Sequence[Rule]) -> bool:
    """Whether a relation gains by it: facts alone are a list already."""
    return any(rule.body for rule in rules)


def pattern(args: Sequence[Term], bound: set[str]) -> Known:
    """The places of the arguments whose variables are bound."""
    return tuple(k for k, arg in enumerate(args) if term_variables([arg]) <= bound)


class Asked:
    """One relation with one pattern of known arguments, as a function with a memory.

    `slot` is where its memory lies among the relations; `parts` are its rules' functions, which
    take the relations and the known arguments, and give facts.
    """

    def __init__(self, known: Known, arity: int, slot: int, in_time: Callable[[], None]) -> None:
        self.known, self.slot, self._in_time = known, slot, in_time
        self.free = [k for k in range(arity) if k not in known]
        self.parts: list[Callable[..., set[Fact]]] = []
        self.facts: set[Fact] = set()

    def __call__(self, env: Any, key: Any) -> Any:
        memory: dict[Any, Any] = env[self.slot]
        found = memory.get(key)
        if found is None:
            found = self._worked_out(env, key)
            if len(memory) > MAX_KEPT:
                memory.clear()
            memory[key] = found
        return found

    def _worked_out(self, env: Any, key: Any) -> Any:
        self._in_time()
        args = () if not self.known else (key,) if len(self.known) == 1 else key
        facts = {fact for fact in self.facts if self._fits(fact, args)}
        for part in self.parts:
            facts |= part(env, None, *args)
            if facts and not self.free:
                return True
        if not self.free:
            return bool(facts)
        if len(self.free) == 1:
            place = self.free[0]
            return {fact[place] for fact in facts}
        return {tuple(fact[k] for k in self.free) for fact in facts}

    def _fits(self, fact: Fact, args: Sequence[Any]) -> bool:
        return all(fact[k] == arg for k, arg in zip(self.known, args, strict=True))
