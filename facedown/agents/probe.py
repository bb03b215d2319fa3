"""Whether information has value in a game: a probe of its rules, through the contract alone.

HyperPlay takes each of its models for the truth, as if everybody knew it; that is wrong where it
pays to find something out, or to keep it hidden (Schofield and Thielscher 2019, sections 4.2, 6).
So the probe asks whether it matters there. In games among random players it stops at decisions and
has moves valued by simulated games in two ways: among players who know what they have seen, and
among players who know the truth. Where the second way names another move than the first, both moves
are valued once more, the first way, by simulations of their own. What the truth's move loses, on
average over the decisions, is the value that information has.

Where in all random games everybody knows all that has happened, nothing is hidden and nothing is
simulated. States visited are counted and bounded; with too few of them for an answer it is no.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from facedown.belief.hyperplay import Bag, NoWorldError
from facedown.belief.nest import Nesting
from facedown.belief.nested import Believed, NestedSearch, SharedSearch
from facedown.belief.sharing import Shared
from facedown.core import CHANCE, Game, Position, Stream, derive
from facedown.search.budget import Budget

GAMES, LOOKS, DECISIONS, MODELS = 6, 5, 16, 8
"""Random games in which something may be hidden, decisions of each that are looked at; decisions
that are valued; models of each."""

PER_MOVE, MOST, AGAIN = 8, 96, 6
"""Simulations of a move, of all moves, and of each of the two that are valued again in a model."""

STATES = 8_000_000
"""States that a probe may visit before its next decision."""

LIMIT = 2000
"""States that a model may visit in an update."""

CLEAR, SHARE = 2.5, 0.01
"""What the loss must be at least: so many standard errors, and so much of the range of payoffs."""


@dataclass(frozen=True)
class Verdict:
    """What a probe found: the mean loss at so many decisions with its error, and what it cost."""

    hidden: bool
    loss: float = 0.0
    error: float = 0.0
    decisions: int = 0
    states: int = 0

    @property
    def valued(self) -> bool:
        """Whether information has value."""
        return self.hidden and self.loss > CLEAR * self.error


@dataclass(frozen=True)
class Stop:
    """A decision in a random game: who decides, the position, and what each player has seen."""

    player: int
    truth: Position
    seen: tuple[tuple[int, ...], ...]


def random_game(game: Game, stream: Stream) -> Iterator[Stop]:
    """The decisions of a game among random players, as they come."""
    truth, seen = game.start(), [list[int]() for _ in range(game.players)]
    while not truth.over:
        turn, legal = truth.turn(), truth.legal()
        if turn != CHANCE and len(legal) > 1:
            yield Stop(turn, truth.copy(), tuple(map(tuple, seen)))
        move = truth.draw(stream) if turn == CHANCE else stream.choice(legal)
        for player, tokens in enumerate(seen):
            if token := truth.sees(move, player):
                tokens.append(token)
        truth.apply(move)


def bag_at(stop: Stop, player: int, models: int, seed: int) -> Bag:
    """A bag of what a player may be in; NoWorldError without any."""
    bag = Bag(stop.truth.game, player, models, seed, limit=LIMIT, weigh="distinct")
    for token in stop.seen[player]:
        bag.observe(token)
    return bag.follow()


class Probe:
    """A probe in progress: the states visited so far."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.seed, self.states = game, seed, 0

    def run(self) -> Verdict:
        """Probe the game; the same seed gives the same verdict."""
        if not any(self.hides(k) for k in range(GAMES)):
            return Verdict(False, states=self.states)
        losses = list[float]()
        for k in range(DECISIONS):
            if self.states >= STATES:
                break
            losses.append(self.loss(k))
        mean, n = float(np.mean(losses)), len(losses)
        least = SHARE * (self.game.bounds[1] - self.game.bounds[0])
        error = float(np.std(losses, ddof=1)) / n**0.5 if n > 1 else float("inf")
        return Verdict(True, mean, max(error, least / CLEAR), n, self.states)

    def hides(self, k: int) -> bool:
        """Whether somebody does not know all that has happened, at some decision of a game."""
        stream = Stream(derive(self.seed, "hidden", k))
        stops = list(random_game(self.game, stream))
        stream.shuffle(stops)
        for stop in stops[:LOOKS]:
            for player in range(self.game.players):
                bag = bag_at(stop, player, 2, derive(self.seed, "two", k))
                self.states += bag.states
                if len(set(bag.histories())) > 1:
                    return True
        return False

    def loss(self, k: int) -> float:
        """What is lost at a decision by taking models for the truth; 0 without a model."""
        stream = Stream(derive(self.seed, "game", k))
        stops = list(random_game(self.game, stream))
        if not stops:
            return 0.0
        stop = stream.choice(stops)
        try:
            bag = bag_at(stop, stop.player, MODELS, stream.bits())
        except NoWorldError:
            return 0.0
        self.states += bag.states
        believed = Believed(bag.histories(), bag.shares().tolist())
        seen, known = (self.best(stop, believed, one, stream.bits()) for one in (False, True))
        return 0.0 if seen == known else self.gap(stop, believed, seen, known, stream.bits())

    def best(self, stop: Stop, believed: Believed, known: bool, seed: int) -> int:
        """The best move by simulations among players who know what they saw, or the truth."""
        legal = stop.truth.legal()
        nesting = Nesting(MODELS, trials=4 * len(legal), known=known, limit=LIMIT)
        shared = None if known else Shared(MODELS)
        search = SharedSearch(
            self.game, stop.player, legal, believed, nesting, seed, shared, c=0.7
        ).run(Budget(min(PER_MOVE * len(legal), max(MOST, len(legal)))))
        self.states += search.states
        return search.report().best("mean").move

    def gap(self, stop: Stop, believed: Believed, first: int, second: int, seed: int) -> float:
        """How much more the first of two moves is worth, by simulations of their own."""
        nesting = Nesting(MODELS, limit=LIMIT)
        search = NestedSearch(self.game, stop.player, [first, second], believed, nesting, seed)
        search.run(Budget(2 * AGAIN * len(believed.histories)))
        self.states += search.states
        one, other = search.values()[0].tolist()
        return float(one - other)


@lru_cache(maxsize=64)
def probe(game: Game, seed: int = 0) -> Verdict:
    """Whether information has value in a game, found once for each game that is loaded.

    >>> from facedown.games.registry import load_game
    >>> probe(load_game("tic-tac-toe")).hidden
    False
    """
    return Probe(game, seed).run()
