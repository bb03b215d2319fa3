"""The tree measures of Long, Sturtevant, Buro and Furtak (AAAI 2010), for any game.

They ask when it does little harm to search worlds as if everybody saw them (determinized UCT):

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

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any

from facedown.arena.census import Census
from facedown.arena.leaves import SiblingLeaves, sibling_leaves, tree_end
from facedown.arena.statistics import bounded_interval, clustered_mean
from facedown.core import CHANCE, OVER, Game, Position, RuleError, SpecError, Stream, derive

SAMPLES = 1_000
"""Random games that are sampled unless told otherwise."""

WORLDS = 20
"""Worlds that are drawn at each decision to see how many of them survive."""

MOST_HISTORIES = 20_000
"""Games with no more histories than this are measured exactly."""

_TRIES = 500  # moves tried in one world before it counts as ruled out


@dataclass(frozen=True)
class Measure:
    """A probability, its 95 % interval (its own value where exact), and from how many cases.

    `cases` of an exact measure is 0. None where there was no case, or too few for an interval.
    """

    value: float | None
    low: float | None
    high: float | None
    cases: int


@dataclass(frozen=True)
class Measures:
    """The measures of a game's tree.

    - `same_payoff`: leaf correlation: the probability that all siblings of a last decision have the
      same payoffs; `same_winner`: that the same players have the highest.
    - `bias`: where siblings have the same winner, the share of player 0, a tie shared equally: the
      parameter b of the paper's synthetic trees. `favoured`: player 0's share over all games.
    - `disambiguation`: over all pairs of successive decisions of one player, the share of worlds
      that are ruled out between them; `steps`: the same from each player's k-th decision on. Worlds
      weigh as `determinize` draws them. None in a sampled game that has no `determinize`.
    """

    game: str
    exact: bool
    samples: int
    seed: int
    same_payoff: Measure
    same_winner: Measure
    bias: Measure
    favoured: Measure
    disambiguation: Measure
    steps: tuple[Measure, ...]

    def to_json(self) -> dict[str, Any]:
        """The measures as plain JSON."""
        return asdict(self)


def measure(
    game: Game,
    samples: int | None = None,
    seed: int = 0,
    tick: Callable[[int, int], None] | None = None,
) -> Measures:
    """The measures of a game: exact if it is small and no `samples` are asked for, else sampled.

    >>> from facedown.games.registry import load_game
    >>> kuhn = measure(load_game("kuhn"))
    >>> kuhn.exact, kuhn.same_winner.value, kuhn.disambiguation.value
    (True, 0.5, 0.0)
    """
    if samples is not None and samples < 2:
        raise SpecError(f"samples is {samples}; at least 2 are wanted")
    census = Census.of(game, MOST_HISTORIES) if samples is None else None
    if census is not None:
        return _exact(census)
    return _sampled(game, samples or SAMPLES, seed, tick)


def _exact(census: Census) -> Measures:
    def point(mean: float | None) -> Measure:
        return Measure(mean, mean, mean, 0)

    steps = tuple(point(mean) for mean in census.steps())
    return Measures(
        census.game.spec,
        True,
        0,
        0,
        point(census.same_payoff.mean),
        point(census.same_winner.mean),
        point(census.bias.mean),
        point(census.favoured.mean),
        point(census.disambiguation()),
        steps,
    )


# --- by sampling ----------------------------------------------------------------------------------


@dataclass
class _Tally:
    """What a sampled number was in each random game: sums and counts, for errors over games."""

    sums: list[float] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def add(self, values: Sequence[float]) -> None:
        """The cases of one more game."""
        if values:
            self.sums.append(sum(values))
            self.counts.append(len(values))

    def measure(self) -> Measure:
        if not self.sums:
            return Measure(None, None, None, 0)
        mean, cases = clustered_mean(self.sums, self.counts), sum(self.counts)
        if mean.error is None:
            return Measure(mean.value, None, None, cases)
        low, high = bounded_interval(self.sums, self.counts)
        return Measure(mean.value, low, high, cases)


@dataclass
class Walk:
    """One random game: where players decided, what they saw, how it ended."""

    ends: list[SiblingLeaves]
    decisions: list[list[tuple[Position, int]]]  # each player's views, and what he had seen by then
    seen: list[list[int]]  # each player's tokens
    payoffs: list[float]


def walk(game: Game, stream: Stream) -> Walk:
    """Play at random to the end of the tree."""
    here, players = game.start(), range(game.players)
    found = Walk([], [[] for _ in players], [[] for _ in players], [])
    for ply in range(game.most_plies + 1):
        payoffs = tree_end(here, ply)
        if payoffs is not None:
            found.payoffs = payoffs
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


def ruled_out(found: Walk, player: int, stream: Stream, worlds: int) -> Iterator[float]:
    """For each pair of successive decisions, the share of worlds that did not survive."""
    decisions = found.decisions[player]
    path = [decisions[0][0].copy()] if decisions else []
    for (view, begin), (_, end) in pairwise(decisions):
        tokens, left = found.seen[player][begin:end], 0
        for _ in range(worlds):
            view.game.rules.copy(path[0].address, view.address)
            path[0].determinize(player, stream)
            left += _follows(path, 0, player, tokens, [_TRIES])
        yield 1.0 - left / worlds


def _sampled(
    game: Game, samples: int, seed: int, tick: Callable[[int, int], None] | None
) -> Measures:
    same_payoff, same_winner, bias, favoured, shrinks = (_Tally() for _ in range(5))
    steps: list[_Tally] = []
    for k in range(samples):
        found = walk(game, Stream(derive(seed, "measures", "walk", k)))
        same_payoff.add([end.same_payoff for end in found.ends])
        same_winner.add([end.same_winner for end in found.ends])
        bias.add([end.share for end in found.ends if end.same_winner])
        favoured.add([SiblingLeaves([found.payoffs]).share])
        if game.has("determinize"):
            _shrink(game, found, Stream(derive(seed, "measures", "worlds", k)), shrinks, steps)
        if tick is not None:
            tick(k + 1, samples)
    return Measures(
        game.spec,
        False,
        samples,
        seed,
        same_payoff.measure(),
        same_winner.measure(),
        bias.measure(),
        favoured.measure(),
        shrinks.measure(),
        tuple(step.measure() for step in steps),
    )


def _shrink(game: Game, found: Walk, stream: Stream, shrinks: _Tally, steps: list[_Tally]) -> None:
    """Note how the worlds of every player shrank in one random game."""
    gone = [list(ruled_out(found, p, stream, WORLDS)) for p in range(game.players)]
    shrinks.add([share for shares in gone for share in shares])
    longest = max(map(len, gone))
    steps += (_Tally() for _ in range(longest - len(steps)))
    for k in range(longest):
        steps[k].add([shares[k] for shares in gone if k < len(shares)])
