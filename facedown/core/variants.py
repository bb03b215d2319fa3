"""Variants of rules: further functions of a game that can stand for an optional rule by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from facedown.core.errors import RuleError

VARIABLE = ("bucket", "determinize", "horizon", "playout", "prior")
"""The rules that can have variants: what a search may ask, in one way or another."""


def declared(definition: Any, function: Callable[[str], Any]) -> dict[tuple[str, str], Any]:
    """The functions that a game declares in `variants`, by rule and name.

    `function(name)` is the game's function of that name, or None. RuleError says what is wrong.
    """
    found, game = {}, type(definition).__name__
    for rule, names in getattr(definition, "variants", {}).items():
        alone = rule == "playout"  # a game need not have one for all, to have some by name
        if rule not in VARIABLE or (function(rule) is None and not alone):
            what = f"{game}: variants of {rule!r}; of {', '.join(VARIABLE)}, where the game has one"
            raise RuleError(what, rule=rule)
        if rule == "horizon" and not all(_is_range(names, name) for name in names):
            what = f"{game}: variants of 'horizon' come with bounds, {{name: (low, high)}}"
            raise RuleError(what, rule=rule)
        for name in names:
            if function(name) is None:
                raise RuleError(f"{game} has no function {name!r}, a variant of {rule}", rule=rule)
            found[rule, name] = function(name)
    return found


def _is_range(names: Any, name: str) -> bool:
    """Whether a name has bounds, the lower one first."""
    if not isinstance(names, dict):
        return False
    low, high = names[name]
    return bool(low < high)
