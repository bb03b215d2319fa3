"""POMCP for several players, with preferences among kinds of moves (Dobre and Lascarides 2018)."""

# Annotations here are real objects, not strings: specs are converted by them, in subclasses too.
from dataclasses import dataclass, replace
from typing import ClassVar

from facedown.agents.searching import SearchAgent
from facedown.search.recipe import Growth, Identity, Playout, Recipe

TREE_DEPTH = 50
"""Decisions in the tree, as in the paper's program."""

UNINFORMED = Recipe(
    identity=Identity.OWN_BUCKET,
    bandit="puct",
    c=0.5,
    belief=("factored", "determinize", "hyperplay"),
    growth=Growth.NODE,
    playout=Playout(kinds="uniform", depth=TREE_DEPTH),
    final="visits",
)
"""Algorithm 1 with PUCT in the place of UCT, as all agents of the paper have it.

The paper's program plays the move of the best mean (`final=mean`). Our means are those of edges,
and where two hundred offers are legal, each tried some thirty times, the best of them is nearly
always a lucky offer; the most visited move is not (docs/results/settlers.md).
"""

SELECTION = replace(UNINFORMED, c=4.0, kind_priors="conditioned", temperature=7.0)
"""Priors of equation 3 by the kinds of moves (type selection)."""

SOFTENED = 3.0
"""The temperature of a network's softmax; the paper says no more than that it was raised."""


def conditioned(recipe: Recipe) -> Recipe:
    """The recipe with conditioned typed rollouts: kinds are drawn by equation 2."""
    return replace(recipe, playout=replace(recipe.playout, kinds="conditioned"))


@dataclass(eq=False)
class Pomcp(SearchAgent):
    """POMCP on belief features: one tree of what the searcher knows, kinds of moves all as likely.

    A node is the game's abstraction (`bucket`) of what the searcher has seen and proven, advanced
    along the tree by its tokens, whoever acts there; worlds are drawn from the game's own belief
    where it has one. The root's moves that are legal in the sampled world are weighed by PUCT in
    the form of the paper's program; `bandit=puct-printed` has the printed one. For any game with
    kinds of moves and a bucket.
    """

    usual: ClassVar[int] = 10_000
    base: ClassVar[Recipe] = UNINFORMED


@dataclass(eq=False)
class TypeSelection(Pomcp):
    """The same with priors by the kinds of moves, conditioned on which are legal."""

    base: ClassVar[Recipe] = SELECTION


@dataclass(eq=False)
class ConditionedRollouts(Pomcp):
    """The first with playouts that draw a kind as the preferences have it."""

    base: ClassVar[Recipe] = conditioned(UNINFORMED)


@dataclass(eq=False)
class SelectionAndRollouts(Pomcp):
    """Preferences in the tree and beyond it: the paper's strongest."""

    base: ClassVar[Recipe] = conditioned(SELECTION)


@dataclass(eq=False)
class NetworkSelection(Pomcp):
    """The first with priors by a network over the traits of moves (equation 4).

    The network is the game's own, or that of `network=FILE`. A move is scored once at a node.
    Playouts draw kinds uniformly, as the paper's do: there a network is too slow.
    """

    base: ClassVar[Recipe] = replace(UNINFORMED, c=4.0, network=True, temperature=SOFTENED)


@dataclass(eq=False)
class ObserversEach(SelectionAndRollouts):
    """The same with a tree of each player's: others decide by what they know, not by what I do.

    A node is the bucket of what the player who acts there has seen and proven, as far as the
    searcher can tell: his own hand as it is in the sampled world, and of the rest what the public
    has proven by now, advanced along the tree by his own tokens (multiple observers, the paper's
    second item of future work).
    """

    base: ClassVar[Recipe] = replace(conditioned(SELECTION), identity=Identity.BUCKET)
