"""Which recipe to try first in a game, and why: rules of thumb over what was measured.

The first rules were those of the literature: worlds searched as if seen where hidden things matter
little or come out soon (Long et al. 2010), average strategies where they stay hidden and moves tell
of them (Heinrich and Silver 2015; Lisý, Lanctot and Bowling 2015), else nodes that are what a
player knows (Cowling, Powley and Whitehouse 2012). Matches at equal processor time contradicted the
first, and the second but in the smallest games (docs/analysis.md): a tree that all worlds share
learns faster than a tree for each, and average strategies take long to come about.
"""

from __future__ import annotations

from dataclasses import dataclass

from facedown.arena.analysis.decisions import Decisions
from facedown.arena.analysis.tree import Tree
from facedown.core import Game

FUSED, TELLING = 0.05, 0.05
"""What is little: fusion, in units of the spread; non-locality, as a share."""

STAYS, CLEARS = 0.3, 0.7
"""Disambiguation below which hidden things stay hidden, and above which they come out."""

WIDE, LINES = 40, 100
"""Legal moves at a decision that are many; ways to play a deal, branching to the power of the
number of decisions, that are few."""


@dataclass(frozen=True)
class Advice:
    """A recipe to try first, others to hold it against, and why."""

    recipe: str
    others: tuple[str, ...]
    why: str


def advise(game: Game, tree: Tree, decisions: Decisions) -> Advice:
    """The recipe to try first."""
    fusion, telling = _number(decisions.fusion.value), _number(decisions.nonlocality.value)
    shrinks, wide = _number(tree.disambiguation.value), _number(tree.branching.value)
    if not _number(tree.hidden.value):
        return Advice("so-ismcts", ("flat-mc",), "nothing is hidden: it is plain UCT here")
    if game.players > 2 and game.has("world") and shrinks < STAYS:
        why = "what is hidden stays hidden, and is little enough to be listed and inferred"
        return Advice("mt-ismcts", ("mo-ismcts", "so-ismcts"), why)
    if wide >= WIDE and game.has("kinds"):
        why = "there are many moves of few kinds: priors and playouts by kind"
        return Advice("pomcp", ("so-ismcts", "mo-ismcts"), why)
    lines = wide ** _number(tree.decisions.value)
    if lines <= LINES and telling >= TELLING and shrinks < STAYS:
        why = "a small game in which moves tell of what stays hidden: play must be mixed"
        return Advice("smooth-uct", ("oos", "mo-ismcts"), why)
    if fusion < FUSED or shrinks >= CLEARS:
        why = "what is hidden matters little or comes out soon: one tree of what the player sees"
        return Advice("so-ismcts", ("mo-ismcts", "determinized-uct"), why)
    why = "what is hidden matters and stays: each player's nodes are what that player knows"
    return Advice("mo-ismcts", ("so-ismcts", "smooth-uct"), why)


def _number(value: float | None) -> float:
    return 0.0 if value is None else value
