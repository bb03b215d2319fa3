"""The rules of open games, in which nothing is hidden but pending choices: worlds are at hand."""

from __future__ import annotations

from typing import Any

from facedown.gdl.rules import (
    apply,
    hide,
    infoset,
    legal,
    payoff,
    sees,
    start,
    tokens,
    turn,
)

__all__ = [
    "apply",
    "determinize",
    "hide",
    "infoset",
    "legal",
    "payoff",
    "sees",
    "start",
    "tokens",
    "turn",
]


def determinize(c: Any, s: Any, viewer: int, rng: int) -> None:
    """A view is the world already; the choices that it withdraws are searched, not guessed."""
