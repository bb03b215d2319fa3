"""What a law is: a name, one sentence, and a function that yields where a game breaks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from facedown.laws.findings import Violation
from facedown.laws.lab import Lab, SkippedError

Check = Callable[[Lab], Iterator[Violation]]


@dataclass(frozen=True)
class Law:
    """A law of the contract. It is only tried where the laws that it `needs` are not broken."""

    name: str
    statement: str
    check: Check
    needs: tuple[str, ...] = ()


FOUNDATION = ("same-start", "same-game", "rules-deterministic", "questions", "copies", "legal")
"""Where one of these is broken, what other laws find would only mislead."""


def law(name: str, statement: str, *, needs: tuple[str, ...] = ()) -> Callable[[Check], Law]:
    """Make a law of a function."""
    return lambda check: Law(name, statement, check, needs)


def wants_exact(lab: Lab) -> None:
    """SkippedError the law where worlds are not promised to be drawn as their histories are."""
    wants(lab, "determinize")
    if lab.approximate:
        raise SkippedError("the game says that its worlds are approximate")


def wants(lab: Lab, rule: str) -> None:
    """SkippedError the law where the game has no such rule."""
    if not lab.game.has(rule):
        raise SkippedError(f"the game has no {rule}")
