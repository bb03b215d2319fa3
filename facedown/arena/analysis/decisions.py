"""What single decisions are like: searched, in several of the worlds that a player may be in.

A decision is drawn from each of a number of random games. In each of WORLDS worlds that look alike
to a player it is searched twice, as if all were seen (UCT). A move is chosen by one search, or by
one half of the worlds, and valued by the other: what is largest by chance is worth less than it
seems. Values are in units of the `spread`, the standard deviation of payoffs among random players.

- *fusion*: what the player would gain by knowing the world: the mean over worlds of the best move's
  value in each, less the value of the move that is best on average. A search that takes each world
  for seen counts on that at every later decision (strategy fusion; Frank and Basin 1998).
- *non-locality*: how much more of what he hides a player's move gives away if he plays well than if
  he played at random. In two worlds that look alike to another, the chance that his best moves look
  different, less the chance that they do where the world is the same one; less the same
  difference for random moves. Where it is high, worlds are not as likely as the rules alone say
  (non-locality; Frank and Basin 1998), and who believes so is misled. What is seen of a move only
  after further choices does not count.
- *stake*: what choosing is worth: the best move on average, less the mean of all. A decision
  *matters* where that is at least STAKE and more than twice its standard error over worlds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

import numpy as np

from facedown.agents.probe import Stop, random_game
from facedown.arena.analysis.numbers import Measure, Tally
from facedown.arena.analysis.tree import Going
from facedown.arena.analysis.worlds import Looker
from facedown.belief.pool import Pool
from facedown.core import Game, Position, Stream, derive
from facedown.search.budget import Budget
from facedown.search.recipe import Identity, Labels, Playout, Recipe, Worlds
from facedown.search.search import Search
from facedown.search.thread import scaling

WORLDS, ITERATIONS, PLAIN = 12, 400, 100
"""Worlds of a decision; iterations of a search, and of one by rules that are not compiled."""

STAKE = 0.05
"""What choosing must be worth for a decision to matter, in units of the spread."""

DECISIONS = 100
"""Decisions that are looked at where neither they nor the time are limited."""

_SEEN = Recipe(
    identity=Identity.FULL,
    worlds=Worlds.IN_TURN,
    samples=WORLDS,
    labels=Labels.TREE,
    playout=Playout(horizon=None),
)
"""Each world searched by itself, as if it were seen (determinized UCT)."""

Values = np.ndarray[Any, np.dtype[np.float64]]
Moves = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Decisions:
    """What the decisions of random games are like, over so many `samples` of them."""

    samples: int
    fusion: Measure
    nonlocality: Measure
    stake: Measure
    matters: Measure

    def to_json(self) -> dict[str, Any]:
        """The measures as plain JSON."""
        return asdict(self)


def measure_decisions(
    game: Game,
    spread: float,
    samples: int | None = None,
    seed: int = 0,
    going: Going | None = None,
) -> Decisions:
    """Look at one decision of each of so many random games, or while `going`; two at least."""
    found = {name: Tally((0.0, 1.0) if name == "matters" else None) for name in _NAMES}
    if samples is None and going is None:
        samples = DECISIONS
    number = tried = 0
    while number < 2 or ((samples is None or number < samples) and (going is None or going())):
        if tried > 2 * number + 20:  # hardly a random game has a decision in it
            break
        look = _Look(game, spread or 1.0, derive(seed, "decisions", tried))
        tried += 1
        if look.stop is None:
            continue
        number += 1
        look.add_to(found)
    return Decisions(number, **{name: tally.measure() for name, tally in found.items()})


_NAMES = ("fusion", "nonlocality", "stake", "matters")


class _Look:
    """One decision of one random game."""

    def __init__(self, game: Game, spread: float, seed: int) -> None:
        self._game, self._spread, self._seed = game, spread, seed
        stream, choice = Stream(derive(seed, "game")), Stream(derive(seed, "choice"))
        self.stop: Stop | None = None
        for count, stop in enumerate(random_game(game, stream), 1):
            if choice.below(count) == 0:  # each of them as likely
                self.stop = stop

    def add_to(self, found: dict[str, Tally]) -> None:
        """Note what it is like."""
        assert self.stop is not None
        self._as_mover(self.stop, found)
        others = [p for p in range(self._game.players) if p != self.stop.player]
        if others:
            self._as_other(self.stop, Stream(derive(self._seed, "other")).choice(others), found)

    def _worlds(self, stop: Stop, viewer: int) -> list[Position]:
        looker = Looker(self._game, viewer, derive(self._seed, "belief", viewer))
        looker.told(stop.seen[viewer])
        stream = Stream(derive(self._seed, "worlds", viewer))
        drawn = looker.draw(stop.truth.view(viewer), WORLDS, stream)
        return [world for world in drawn if world.turn() == stop.player]

    def _as_mover(self, stop: Stop, found: dict[str, Tally]) -> None:
        """Fusion and stake, in worlds that look alike to the player who decides."""
        legal = stop.truth.choices()
        worlds = [world for world in self._worlds(stop, stop.player) if world.choices() == legal]
        if len(worlds) < 2:
            return
        one, two = (self._values(worlds, stop.player, legal, k) / self._spread for k in range(2))
        common = _common((one + two) / 2)
        gaps, gains = _gaps(one, two, common), _gains(one, two, common)
        found["fusion"].add([float(gaps.mean())])
        stake, error = float(gains.mean()), float(gains.std(ddof=1)) / math.sqrt(len(gains))
        found["stake"].add([stake])
        found["matters"].add([stake >= STAKE and stake > 2 * error])

    def _as_other(self, stop: Stop, viewer: int, found: dict[str, Tally]) -> None:
        """Non-locality, in worlds that look alike to somebody else."""
        worlds = self._worlds(stop, viewer)
        if len(worlds) < 2:
            return
        best = [self._best_tokens(worlds, stop.player, viewer, k) for k in range(2)]
        every = [[shown(world, move, viewer) for move in world.legal()] for world in worlds]
        found["nonlocality"].add([_told_apart(*best) - _told_apart(every, every)])

    def _values(
        self, worlds: Sequence[Position], player: int, legal: Sequence[int], which: int
    ) -> Values:
        """[worlds, moves]: what each move is worth where all is seen."""
        found = self._searched(worlds, player, which)
        return np.array([[worth[move] for move in legal] for worth in found], np.float64)

    def _best_tokens(
        self, worlds: Sequence[Position], player: int, viewer: int, which: int
    ) -> list[list[int]]:
        """What a viewer would see of the move that is best in each world."""
        found = self._searched(worlds, player, which + 2)
        best = [max(worth, key=worth.__getitem__) for worth in found]
        return [[shown(world, move, viewer)] for world, move in zip(worlds, best, strict=True)]

    def _searched(
        self, worlds: Sequence[Position], player: int, which: int
    ) -> list[dict[int, float]]:
        """What each legal move of each world is worth; where it was not tried, what others are."""
        legal = [world.choices() for world in worlds]
        most = max(map(len, legal))
        iterations = max(ITERATIONS if self._game.compiled else PLAIN, 4 * most)
        seed, pool = derive(self._seed, "search", which), Pool(worlds)
        search = Search(self._game, _SEEN, worlds[0], player, legal[0], seed, worlds=pool)
        search.run(Budget(iterations * len(worlds)))
        sums = search.sums_by_label(search.tables)
        offset, scale = scaling(self._game, search.recipe)
        found = []
        for k, moves in enumerate(legal):
            tried = sums.get(k, {})
            means = {m: one[2] / one[0] / scale + offset for m, one in tried.items() if one[0]}
            usual = sum(means.values()) / len(means) if means else 0.0
            found.append({move: means.get(move, usual) for move in moves})
        return found


def shown(world: Position, move: int, viewer: int) -> int:
    """What a viewer first sees of a move: at once, or when forced moves after it show it.

    (Where all move at once a choice is seen when the last of them is made.)
    """
    token = world.sees(move, viewer)
    here = world if token else world.copy()
    while not token:
        here.play(move)
        legal = [] if here.over else here.legal()
        if len(legal) != 1:
            break
        move = legal[0]
        token = here.sees(move, viewer)
    return token


def _common(values: Values) -> Moves:
    """The move to make in each world by one who cannot tell it: the best in the other half.

    (By the worlds at hand themselves it would seem better than it is.)

    >>> _common(np.array([[1.0, 0.0], [0.0, 1.0]]))
    array([1, 0])
    """
    half = np.arange(len(values)) % 2
    best = [int(values[half == 1 - k].mean(axis=0).argmax()) for k in range(2)]
    return np.array(best)[half]


def _gaps(one: Values, two: Values, common: Moves) -> Values:
    """What knowing the world gains in each over the common move."""
    place = np.arange(len(common))
    known = (two[place, one.argmax(axis=1)] + one[place, two.argmax(axis=1)]) / 2
    gaps: Values = known - (one[place, common] + two[place, common]) / 2
    return gaps


def _gains(one: Values, two: Values, common: Moves) -> Values:
    """What the common move gains in each world over the mean of all moves."""
    values = (one + two) / 2
    gains: Values = values[np.arange(len(common)), common] - values.mean(axis=1)
    return gains


Seen = Sequence[Sequence[int]]
"""The tokens that a viewer would get, of each move that may be made in each world."""


def _told_apart(one: Seen, other: Seen) -> float:
    """How much likelier a viewer sees a difference between two worlds than between one and itself.

    All moves that may be made in a world are as likely.

    >>> _told_apart([[1], [2]], [[1], [2]]), _told_apart([[1, 2], [1, 2]], [[1, 2], [1, 2]])
    (1.0, 0.0)
    """
    places = range(len(one))
    between = [_differ(one[j], other[k]) for j, k in product(places, places) if j != k]
    within = [_differ(one[k], other[k]) for k in places]
    return sum(between) / len(between) - sum(within) / len(within)


def _differ(some: Sequence[int], others: Sequence[int]) -> float:
    return sum(a != b for a, b in product(some, others)) / (len(some) * len(others))
