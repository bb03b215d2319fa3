"""The shape of a game's tree, and the measures of Long, Sturtevant, Buro and Furtak (AAAI 2010).

The latter ask when it does little harm to search worlds as if all were seen (determinized UCT):

- *leaf correlation*: the probability that sibling ends have the same payoff. Low: players still
  decide the outcome by their last choice, which a search that sees too much gets wrong.
- *bias*: the probability that the game favours a particular player, here player 0.
- *disambiguation factor*: the share of a player's worlds that is ruled out from one of his
  decisions to the next. 0: nothing is learnt until the end (poker); 1: all is known at once.

The tree is the one that a search sees from the start: it ends where the game is over or, in games
with the rule `horizon`, at the first horizon, with the values there. All probabilities are those of
uniformly random play, chance by its weights. A *last decision* is one with at least two moves that
lead to an end by forced moves alone (one legal move, one outcome of chance); those ends are its
siblings. A decision has at least two legal moves: forced moves are none.

Small games are enumerated and measured exactly; of others random games are sampled.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from facedown.arena.analysis.census import Census
from facedown.arena.analysis.leaves import SiblingLeaves, sibling_leaves, tree_end
from facedown.arena.analysis.numbers import Measure, Tally
from facedown.arena.analysis.worlds import Looker, effective
from facedown.core import CHANCE, OVER, Game, Position, RuleError, SpecError, Stream, derive

SAMPLES = 1_000
"""Random games that are sampled where neither they nor the time are limited."""

WORLDS = 20
"""Worlds that are drawn at each decision to see how many of them survive."""

MOST_HISTORIES = 20_000
"""Games with no more histories than this are measured exactly."""

LOOKS = 24
"""Decisions of a player in a game at which worlds are drawn, at most; the others go by unseen."""

_TRIES = 500  # moves tried in one world before it counts as ruled out

Going = Callable[[], bool]
"""Whether there is time for more."""


@dataclass(frozen=True)
class Tree:
    """What a game's tree is like.

    - `plies`: moves of a game, chance's included; `decisions`: those at which a player has a
      choice; `branching`: how many moves there are to choose from.
    - `hidden`: the share of decisions at which the player cannot tell the position. `worlds`: how
      many positions he has to reckon with, in effect (`worlds.effective`): the median over
      decisions. Positions are as likely as `determinize` draws them, or HyperPlay finds them.
    - `same_payoff`: leaf correlation: the probability that all siblings of a last decision have the
      same payoffs; `same_winner`: that the same players have the highest.
    - `bias`: where siblings have the same winner, the share of player 0, a tie shared equally: the
      parameter b of the paper's synthetic trees. `favoured`: player 0's share over all games.
    - `disambiguation`: over all pairs of successive decisions of one player, the share of worlds
      that are ruled out between them; `steps`: the same from each player's k-th decision on.
    - `spread`: the standard deviation of player 0's payoff at the tree's ends.
    """

    game: str
    exact: bool
    samples: int
    seed: int
    plies: Measure
    decisions: Measure
    branching: Measure
    hidden: Measure
    worlds: Measure
    same_payoff: Measure
    same_winner: Measure
    bias: Measure
    favoured: Measure
    disambiguation: Measure
    steps: tuple[Measure, ...]
    spread: float

    def to_json(self) -> dict[str, Any]:
        """The measures as plain JSON."""
        return asdict(self)


def measure_tree(
    game: Game,
    samples: int | None = None,
    seed: int = 0,
    going: Going | None = None,
    counting: Going | None = None,
) -> Tree:
    """The tree of a game: exact if it is small and no `samples` are asked for, else sampled.

    Small are games whose histories are all counted while there is time for `counting`. Sampled are
    so many games, or as many as there is time for: while `going`, two at least.

    >>> from facedown.games.registry import load_game
    >>> kuhn = measure_tree(load_game("kuhn"))
    >>> kuhn.exact, kuhn.same_winner.value, kuhn.disambiguation.value, kuhn.worlds.value
    (True, 0.5, 0.0, 2.0)
    """
    if samples is not None and samples < 2:
        raise SpecError(f"samples is {samples}; at least 2 are wanted")
    census = Census.of(game, MOST_HISTORIES, counting) if samples is None else None
    if census is not None:
        return _exact(census)
    if samples is None and going is None:
        samples = SAMPLES
    return _Sample(game, seed).play(samples, going)


def _exact(census: Census) -> Tree:
    def mean(name: str) -> Measure:
        return Measure.exact(getattr(census, name).mean)

    return Tree(
        game=census.game.spec,
        exact=True,
        samples=0,
        seed=0,
        plies=mean("plies"),
        decisions=Measure.exact(census.branching.weight),
        branching=mean("branching"),
        hidden=Measure.exact(census.hidden()),
        worlds=Measure.exact(census.median_worlds()),
        same_payoff=mean("same_payoff"),
        same_winner=mean("same_winner"),
        bias=mean("bias"),
        favoured=mean("favoured"),
        disambiguation=Measure.exact(census.disambiguation()),
        steps=tuple(map(Measure.exact, census.steps())),
        spread=census.spread(),
    )


# --- by sampling ----------------------------------------------------------------------------------


@dataclass
class Walk:
    """One random game: where players decided, what they saw, how it ended."""

    ends: list[SiblingLeaves]
    decisions: list[list[tuple[Position, int]]]  # each player's views, and what he had seen by then
    seen: list[list[int]]  # each player's tokens
    widths: list[int] = field(default_factory=list)  # legal moves at decisions
    plies: int = 0
    payoffs: list[float] = field(default_factory=list)


def walk(game: Game, stream: Stream) -> Walk:
    """Play at random to the end of the tree."""
    here, players = game.start(), range(game.players)
    found = Walk([], [[] for _ in players], [[] for _ in players])
    for ply in range(game.most_plies + 1):
        payoffs = tree_end(here, ply)
        if payoffs is not None:
            found.plies, found.payoffs = ply, payoffs
            return found
        turn = here.turn()
        move = here.draw(stream) if turn == CHANCE else _step(here, turn, ply, found, stream)
        for p in players:
            token = here.sees(move, p)
            if token:
                found.seen[p].append(token)
        here.play(move)
    raise RuleError(f"{game.spec} does not end within {game.most_plies} plies")


def _step(here: Position, player: int, ply: int, found: Walk, stream: Stream) -> int:
    """A random move; what is to be noted at a decision is noted."""
    legal = here.legal()
    if len(legal) > 1:
        ends = sibling_leaves(here, legal, ply)
        if ends is not None:
            found.ends.append(ends)
        found.widths.append(len(legal))
        found.decisions[player].append((here.view(player), len(found.seen[player])))
    return stream.choice(legal)


def survives(world: Position, player: int, tokens: Sequence[int]) -> bool:
    """Whether a world allows what a player then saw, up to his next decision.

    Others may have made any moves that look the same to him: all are tried, up to a bound.
    """
    return _follows([world], 0, player, tokens, [_TRIES])


def _follows(
    path: list[Position], depth: int, player: int, tokens: Sequence[int], tries: list[int]
) -> bool:
    """`survives` from `path[depth]` on; what lies beyond in `path` is free to be overwritten."""
    here = path[depth]
    turn = here.turn()
    if turn == player and not tokens:
        return True
    if turn == OVER:
        return False
    if depth + 1 == len(path):
        path.append(here.copy())
    for move in here.legal():
        token = here.sees(move, player)
        if token and (not tokens or token != tokens[0]):
            continue
        tries[0] -= 1
        if tries[0] < 0:
            return False
        here.game.rules.copy(path[depth + 1].address, here.address)
        path[depth + 1].play(move)
        if _follows(path, depth + 1, player, tokens[1:] if token else tokens, tries):
            return True
    return False


@dataclass
class Looks:
    """What a player's worlds were like: in effect so many at a decision, and how they shrank.

    `gone` has the number of the decision with the share that was ruled out by the next one.
    """

    sizes: list[float] = field(default_factory=list)
    gone: dict[int, float] = field(default_factory=dict)


def looks(found: Walk, player: int, seed: int, worlds: int = WORLDS) -> Looks:
    """Look at the worlds of a player at each decision, and which of them survive to the next."""
    decisions, tokens, made = found.decisions[player], found.seen[player], Looks()
    if not decisions:
        return made
    looker = Looker(decisions[0][0].game, player, derive(seed, "belief"))
    stream, told = Stream(derive(seed, "worlds")), 0
    ends = [begin for _, begin in decisions[1:]]
    every = max(1, -(-len(decisions) // LOOKS))
    for k, ((view, begin), end) in enumerate(zip(decisions, [*ends, None], strict=True)):
        if k % every:
            continue
        drawn = looker.told(tokens[told:begin]).draw(view, worlds, stream)
        told = begin
        if len(drawn) < 2:
            break
        made.sizes.append(effective(drawn))
        if end is not None:
            left = sum(survives(world, player, tokens[begin:end]) for world in drawn)
            made.gone[k] = 1.0 - left / len(drawn)
    return made


class _Sample:
    """Random games, and what they have shown so far."""

    def __init__(self, game: Game, seed: int) -> None:
        self._game, self._seed, self._games = game, seed, 0
        self._shares = {name: Tally() for name in _SHARES}
        self._means = {name: Tally(None) for name in ("plies", "decisions", "branching")}
        self._steps: list[Tally] = []
        self._sizes: list[float] = []
        self._paid: list[float] = []

    def play(self, samples: int | None, going: Going | None) -> Tree:
        """So many games, or as many as there is time for."""
        while self._games < 2 or (
            (samples is None or self._games < samples) and (going is None or going())
        ):
            found = walk(self._game, Stream(derive(self._seed, "tree", "walk", self._games)))
            self._note_tree(found)
            self._note_worlds(found)
            self._games += 1
        return self._tree()

    def _note_tree(self, found: Walk) -> None:
        shares, means = self._shares, self._means
        shares["same_payoff"].add([end.same_payoff for end in found.ends])
        shares["same_winner"].add([end.same_winner for end in found.ends])
        shares["bias"].add([end.share for end in found.ends if end.same_winner])
        shares["favoured"].add([SiblingLeaves([found.payoffs]).share])
        means["plies"].add([found.plies])
        means["decisions"].add([len(found.widths)])
        means["branching"].add(found.widths)
        self._paid.append(found.payoffs[0])

    def _note_worlds(self, found: Walk) -> None:
        seed, players = derive(self._seed, "tree", self._games), range(self._game.players)
        seen = [looks(found, p, derive(seed, p)) for p in players]
        sizes = [size for one in seen for size in one.sizes]
        self._shares["hidden"].add([size > 1.0 for size in sizes])
        self._sizes += sizes
        self._shares["disambiguation"].add([share for one in seen for share in one.gone.values()])
        longest = max(max(one.gone, default=-1) for one in seen) + 1
        self._steps += (Tally() for _ in range(longest - len(self._steps)))
        for k in range(longest):
            self._steps[k].add([one.gone[k] for one in seen if k in one.gone])

    def _tree(self) -> Tree:
        median = statistics.median(self._sizes) if self._sizes else None
        return Tree(
            game=self._game.spec,
            exact=False,
            samples=self._games,
            seed=self._seed,
            worlds=Measure(median, None, None, len(self._sizes)),
            steps=tuple(step.measure() for step in self._steps),
            spread=statistics.pstdev(self._paid),
            **{name: one.measure() for name, one in {**self._shares, **self._means}.items()},
        )


_SHARES = ("hidden", "same_payoff", "same_winner", "bias", "favoured", "disambiguation")
