"""A recipe: the six choices in which the papers' searches differ."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Literal


class Identity(IntEnum):
    """What a node's key is made of, beside the acting player."""

    FULL = 0  # every move: cheating UCT, determinized UCT
    SINGLE = 1  # the searcher's observations: SO-ISMCTS
    MULTI = 2  # the acting player's observations: MO-ISMCTS
    MANY = 3  # the same, seeded with its information set at the root: MT-ISMCTS
    BUCKET = 4  # the game's own abstraction of what the acting player knows: Smooth-UCT on Cheat
    OWN_BUCKET = 5  # that of what the searcher knows, whoever acts: POMCP on Settlers


BUCKETS = (Identity.BUCKET, Identity.OWN_BUCKET)
"""Identities that are the game's abstraction."""


class Growth(IntEnum):
    """How the tree grows in an iteration."""

    EDGE = 0  # a new edge, and everyone leaves the tree (ISMCTS)
    NODE = 1  # a new node, and everyone leaves the tree (PUCT, POMCP)
    PLAYER = 2  # a new node, and only its player leaves (Bitan and Kraus 2017, Algorithm 2)


class Labels(IntEnum):
    """What the label of a world sets apart."""

    NONE = 0  # nothing
    ROOT = 1  # the searcher's first decision: one root for each label, one tree below
    TREE = 2  # everything: a tree for each label


class Worlds(Enum):
    """Where the worlds of the iterations come from."""

    DETERMINIZE = "determinize"  # a new one for every iteration, by the game's own sampler
    SAMPLED = "sampled"  # so many drawn before the search, then taken in turn
    TRUTH = "truth"  # the true position: for the benchmarks that cheat
    GIVEN = "given"  # a bag of worlds with weights and labels, drawn by weight


Final = Literal["visits", "mean"]


@dataclass(frozen=True)
class Smooth:
    """Smooth-UCT (Heinrich and Silver 2015; Bitan and Kraus 2017, section 4.6).

    With probability eta_k = max(gamma, eta / (1 + d sqrt(N_k))) a player follows the bandit, else
    the average strategy: moves in proportion to their visits, over what is legal in this world.
    """

    eta: float = 0.9
    gamma: float = 0.1
    d: float = 0.002


@dataclass(frozen=True)
class Outcome:
    """Outcome sampling (Lanctot et al. 2009), targeted (Lisý, Lanctot and Bowling 2015).

    The player who is updated explores with probability epsilon; an iteration is aimed at the
    searcher's information set with probability delta. A recipe with one is for `OutcomeSearch`.
    """

    epsilon: float = 0.4
    delta: float = 0.9


@dataclass(frozen=True)
class Playout:
    """What happens beyond the tree."""

    informed: bool = False  # by the game's `playout` rule; else uniformly at random
    horizon: bool = False  # stop where the game's `horizon` says; else at the end of the game
    discount: float = 1.0  # of a payoff, towards 0, for every decision from a move to the end
    depth: int = 1 << 30  # how many decisions may lie in the tree, from the searcher's first
    value: str | None = None  # one of the game's `values` at the horizon; else `horizon`'s own


@dataclass(frozen=True)
class Recipe:
    """A search, as its choices; a paper is one of these."""

    identity: Identity = Identity.SINGLE
    bandit: str = "ucb1"
    c: float = 0.7
    smooth: Smooth | None = None
    outcome: Outcome | None = None
    priors: bool = False  # ask the game's `prior` rule; else every legal move has an equal one
    worlds: Worlds = Worlds.DETERMINIZE
    belief: str | None = None  # one of the game's `beliefs` to draw worlds by; else `determinize`
    samples: int = 100  # how many worlds, for Worlds.SAMPLED
    labels: Labels = Labels.NONE
    growth: Growth = Growth.EDGE
    frozen: tuple[int, ...] = ()  # players who follow their visits and are not updated
    playout: Playout = field(default_factory=Playout)
    scaled: bool = True  # payoffs to [0, 1] by the game's bounds; else as they are
    final: Final = "visits"
