"""A recipe: the six choices in which the papers' searches differ."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum
from typing import Annotated, Literal

from facedown.belief.belief import Wanted
from facedown.belief.sources import Named
from facedown.core import Game, Memos, Stream
from facedown.search.preferences import Reading, Unchosen
from facedown.search.settings import Option, Range, Settings

MOST_DEPTH = 1 << 30
"""Decisions in the tree, beyond any game."""


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
    """How an iteration comes by its world."""

    DRAWN = "drawn"  # by the game's rule from a view, else by weight from those at hand
    IN_TURN = "in turn"  # those at hand one after another


Final = Literal["visits", "mean", "average"]
"""The move to play: most visited; best mean; drawn in proportion to visits."""

Chance = Literal["drawn", "fixed"]
"""What comes by chance later in a world: drawn anew in every iteration; always the same there."""

Use = bool | str | None
"""Whether a rule of the game is asked: no, yes, or a variant by name; None: if the game has it."""


@dataclass(frozen=True)
class Smooth(Settings):
    """Smooth-UCT (Heinrich and Silver 2015; Bitan and Kraus 2017, section 4.6).

    With probability eta_k = max(gamma, eta / (1 + d sqrt(N_k))) a player follows the bandit, else
    the average strategy: moves in proportion to their visits, over what is legal in this world.
    """

    eta: Annotated[float, Option(within=Range(0, 1))] = 0.9
    gamma: Annotated[float, Option(within=Range(0, 1))] = 0.1
    d: Annotated[float, Option(within=Range(0))] = 0.002


@dataclass(frozen=True)
class OutcomeSettings(Settings):
    """Outcome sampling (Lanctot et al. 2009), targeted (Lisý, Lanctot and Bowling 2015).

    The player who is updated explores with probability epsilon; an iteration is aimed at the
    searcher's information set with probability delta. A recipe with one is for `OutcomeSearch`.
    """

    epsilon: Annotated[float, Option(within=Range(0, 1, above=True))] = 0.4
    delta: Annotated[float, Option(within=Range(0, 1, below=True))] = 0.9


@dataclass(frozen=True)
class Playout(Settings):
    """What happens beyond the tree."""

    informed: Annotated[Use, Option("playout")] = False
    # by the game's rule; else uniformly at random
    kinds: Annotated[Reading | None, Option()] = None
    # a kind of move first, by preferences read so, then any of that kind (typed playouts)
    mast: Annotated[float | None, Option(within=Range(0, 1))] = None
    # the move that was worth the most so far on average, wherever it was made (MAST: Finnsson and
    # Björnsson 2008), and with this probability any; None: no averages are kept
    horizon: Annotated[Use, Option()] = False
    # stop where the game's rule says; else at the end of the game
    discount: Annotated[float, Option(within=Range(0, 1, above=True))] = 1.0
    # of a payoff as the search sees it, towards 0, for every decision from a move to the end
    depth: Annotated[int | None, Option(within=Range(1))] = None
    # how many decisions may lie in the tree, from the searcher's first; None: any number

    @property
    def decisions(self) -> int:
        """The depth as a number."""
        return MOST_DEPTH if self.depth is None else min(self.depth, MOST_DEPTH)


@dataclass(frozen=True)
class Recipe(Settings):
    """A search, as its choices; a paper is one of these."""

    identity: Identity = Identity.SINGLE
    bandit: Annotated[str, Option()] = "ucb1"
    c: Annotated[float, Option(within=Range(0))] = 0.7
    smooth: Smooth | None = None
    outcome: OutcomeSettings | None = None
    priors: Annotated[Use, Option("prior")] = False
    # ask the game; else every legal move has an equal one
    kind_priors: Annotated[Reading | None, Option()] = None
    # priors by the kinds of moves, by preferences read so
    network: Annotated[Use, Option()] = False
    # priors by a network over the traits of moves: the game's own, or that of a file
    mu: Annotated[bool, Option()] = True
    # whether those sum to 1 over what is legal in the sampled world (equation 4)
    temperature: Annotated[float, Option(within=Range(0, above=True))] = 1.0
    # of the kinds' shares: they are taken to the power of its inverse, then divided by the moves;
    # of the network's scores: they are divided by it
    preferences: Annotated[str | None, Option()] = None
    # the file that has them; None: that which comes with the game
    unchosen: Annotated[Unchosen, Option()] = "share"
    # what a kind gets by equation 2 that was legal under a set, and never chosen
    adapting: Annotated[float | None, Option(within=Range(0, above=True))] = None
    # for how many decisions the preferences count under a set of legal kinds, where what others
    # are seen to choose is added to them (`search.habits`); None: they stay as they are
    reuse: Annotated[bool, Option()] = False
    # go on with the tree of the decision before, and its averages, where nodes are the searcher's
    # observations or the game's abstraction
    bucket: Annotated[Use, Option()] = False
    # nodes are the game's abstraction, whatever they are otherwise
    worlds: Worlds = Worlds.DRAWN
    belief: Annotated[tuple[Named, ...], Option()] = ("determinize", "hyperplay")
    # where worlds come from: the first of these that the game offers (`belief.sources`)
    determinize: Annotated[str | None, Option()] = None
    # a variant of that rule, to draw worlds by
    chance: Annotated[Chance, Option()] = "drawn"
    # anew in every iteration, or fixed in each world, as the order of a pack of cards is
    samples: Annotated[int | None, Option("worlds", within=Range(1))] = 100
    # how many are taken in turn; None: all that there are
    labels: Labels = Labels.NONE
    growth: Annotated[Growth, Option()] = Growth.EDGE
    urgency: Annotated[float | None, Option()] = None
    # what a move that was never tried counts as worth (first-play urgency: Gelly and Wang 2006),
    # so that good ones are gone on with before all were tried; None: untried moves come first
    widening: Annotated[float | None, Option(within=Range(0, 1, above=True))] = None
    # moves of a node are tried one by one, one and its visits to this power of those that are legal
    # (progressive unpruning: Chaslot et al. 2008); None: all
    frozen: tuple[int, ...] = ()  # players who follow their visits and are not updated
    modelled: Annotated[float, Option(within=Range(0, 1))] = 0.0
    # the share of the others' decisions in the tree that are made as in playouts, and not by search
    playout: Playout = field(default_factory=Playout)
    scaled: Annotated[bool, Option()] = True
    # payoffs to [0, 1] by the game's bounds; else as they are
    final: Annotated[Final, Option()] = "visits"
    early: Annotated[bool, Option()] = False
    # stop as soon as no other move can come to as many visits (`search.early`): the same move

    def in_game(self, game: Game) -> Recipe:
        """The recipe for a game: what is to be used if it is there is, or is not."""

        def used(rule: str, use: Use) -> Use:
            return game.has(rule) if use is None else use

        bucket = used("bucket", self.bucket) or self.identity in BUCKETS
        own = self.identity is Identity.OWN_BUCKET
        playout = replace(
            self.playout,
            informed=used("playout", self.playout.informed),
            horizon=used("horizon", self.playout.horizon),
        )
        return replace(
            self,
            identity=Identity.BUCKET if bucket and not own else self.identity,
            bucket=bucket,
            priors=used("prior", self.priors),
            network=used("traits", self.network),
            playout=playout,
        )

    @property
    def rules(self) -> dict[str, Use]:
        """The game's optional rules that the search itself asks, and which variants of them."""
        return {
            "bucket": self.bucket or self.identity in BUCKETS,
            "playout": self.playout.informed,
            "horizon": self.playout.horizon,
            "prior": self.priors,
            "kind": self.playout.kinds is not None or self.kind_priors is not None,
            "traits": bool(self.network),
        }

    @property
    def variants(self) -> dict[str, str]:
        """The variants that are named, by rule."""
        named = {**self.rules, "determinize": self.determinize}
        return {rule: name for rule, name in named.items() if isinstance(name, str)}

    @property
    def labelled(self) -> bool:
        """Whether worlds are wanted by their secrets."""
        return self.labels is Labels.ROOT and self.worlds is Worlds.DRAWN

    def wanted(
        self, stream: Stream, seconds: float | None = None, memos: Memos | None = None
    ) -> Wanted:
        """What it wants of worlds."""
        samples = self.samples if self.worlds is Worlds.IN_TURN else None
        return Wanted(stream, samples, self.labelled, seconds, memos)
