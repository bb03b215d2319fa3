"""Whether information has value in a game: a probe of its rules, through the contract alone.

HyperPlay takes each of its models for the truth and plays on at random, as if all were known; that
is wrong where it pays to find something out, or to keep it hidden (Schofield and Thielscher 2019,
sections 4.2 and 6). So the probe asks what is lost by it. In games among random players it stops at
decisions and looks for three moves: the best by simulated games among players who know what they
have seen (as HyperPlay-II values it), the best by such games among players who know the truth, and
HyperPlay's. By further simulations it finds out

- what the truth's move loses, where players know what they have seen;
- what HyperPlay's move loses there, less what it loses where the truth is known: random games are
  bad judges of a move where nothing is hidden, too.

If the mean of either over the decisions is clearly more than 0, information has value.

Where in random games everybody knows all that has happened, nothing is hidden and nothing is
simulated. States visited are counted and bounded; with too few of them for an answer it is no.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from facedown.agents.hyperplay import TRIALS
from facedown.agents.inquiry import Inquiry
from facedown.agents.registry import make_agent
from facedown.agents.thinking import Thinker
from facedown.belief.belief import NoWorldError
from facedown.belief.hyperplay import Bag
from facedown.core import CHANCE, Game, Position, RuleError, Stream, derive
from facedown.search.budget import Budget
from facedown.search.nested.hyperplay_ii import Believed, NestedSearch, SharedSearch
from facedown.search.nested.sharing import Shared
from facedown.search.nested.simulator import NestedPlayers

GAMES, LOOKS, FEW, DECISIONS, MODELS = 6, 5, 12, 96, 8
"""Random games in which something may be hidden, decisions of each that are looked at; decisions
that are valued, at least and at most; models of each."""

PER_MOVE, MOST, AGAIN = 8, 96, 6
"""Simulations of a move, of all moves, and in each model of a move that is valued again."""

STATES, SLOWER = 16_000_000, 50
"""States that a probe may visit; and how many times fewer where rules are not compiled."""

LIMIT = 2000
"""States that a model may visit in an update."""

CLEAR, SHARE = 2.5, 0.01
"""What the loss must be at least: so many standard errors, and so much of the range of payoffs."""


@dataclass(frozen=True)
class Verdict:
    """What a probe found, and what it cost.

    `losses` are the two kinds, each a mean over so many decisions with its standard error.
    `together`: players choose at once, before they see what others have chosen.
    """

    hidden: bool
    losses: tuple[tuple[float, float], ...] = ()
    decisions: int = 0
    states: int = 0
    together: bool = False

    @property
    def valued(self) -> bool:
        """Whether information has value."""
        return any(loss > CLEAR * error for loss, error in self.losses)

    @property
    def obvious(self) -> bool:
        """Whether it is so clear after FEW decisions or more that no further one is needed."""
        clear = any(loss > 2 * CLEAR * error for loss, error in self.losses)
        return clear and self.decisions >= FEW


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
        if not legal:
            raise RuleError("somebody has no legal move, and the game is not over", rule="legal")
        if turn != CHANCE and len(legal) > 1:
            yield Stop(turn, truth.copy(), tuple(map(tuple, seen)))
        move = truth.draw(stream) if turn == CHANCE else stream.choice(legal)
        for player, tokens in enumerate(seen):
            if token := truth.sees(move, player):
                tokens.append(token)
        truth.play(move)


def unseen(before: Stop, after: Stop) -> bool:
    """Whether somebody decides next who has not seen what was chosen by another one before."""
    player = after.player
    return player != before.player and before.seen[player] == after.seen[player]


def bag_at(stop: Stop, player: int, models: int, seed: int) -> Bag:
    """A bag of what a player may be in; NoWorldError without any."""
    bag = Bag(stop.truth.game, player, models, seed, limit=LIMIT, weigh="distinct")
    for token in stop.seen[player]:
        bag.observe(token)
    return bag.follow()


class Probe(Inquiry[Verdict]):
    """A probe in progress; its pieces are a game that is looked at, a decision that is valued."""

    def __init__(self, game: Game, seed: int) -> None:
        super().__init__(game, seed)
        self.most = STATES if game.compiled else STATES // SLOWER
        self._looked, self._hidden, self._together = 0, False, False
        self._losses = list[tuple[float, float]]()

    def piece(self) -> None:
        """Look at one more game, or value one more decision."""
        if not self._hidden:
            self._hidden = self.hides(self._looked)
            self._looked += 1
            if not self._hidden and self._looked == GAMES:
                self.verdict = Verdict(False, states=self.states, together=self._together)
            return
        found = self.judge(self._losses) if self._losses else Verdict(True)
        if len(self._losses) == DECISIONS or found.obvious:
            self.verdict = replace(found, states=self.states)
            return
        loss = self.loss(len(self._losses))
        if self.states >= self.most:  # and it may not have been found out to the end
            self.verdict = replace(found, states=self.states)
        else:
            self._losses.append(loss)

    def judge(self, losses: Sequence[tuple[float, float]]) -> Verdict:
        """The verdict by what was lost at so many decisions."""
        least, n = SHARE * (self.game.bounds[1] - self.game.bounds[0]), len(losses)
        means = np.mean(losses, axis=0).tolist()
        spread = np.std(losses, axis=0, ddof=1) if n > 1 else np.full(2, np.inf)
        errors = np.maximum(spread / n**0.5, least / CLEAR).tolist()
        return Verdict(True, tuple(zip(means, errors, strict=True)), n, self.states)

    def hides(self, k: int) -> bool:
        """Whether somebody does not know all that has happened, at some decision of a game."""
        stream = Stream(derive(self.seed, "hidden", k))
        stops = list(random_game(self.game, stream))
        self._together = self._together or any(map(unseen, stops, stops[1:]))
        stream.shuffle(stops)
        for stop in stops[:LOOKS]:
            for player in range(self.game.players):
                try:
                    bag = bag_at(stop, player, 2, derive(self.seed, "two", k))
                except NoWorldError:  # what is hard to find is not known
                    return True
                self.states += bag.states
                if len(set(bag.histories())) > 1:
                    return True
        return False

    def loss(self, k: int) -> tuple[float, float]:
        """What is lost at a decision, in both ways; nothing without a model."""
        stream = Stream(derive(self.seed, "game", k))
        stops = list(random_game(self.game, stream))
        if not stops:
            return 0.0, 0.0
        stop = stream.choice(stops)
        try:
            bag = bag_at(stop, stop.player, MODELS, stream.bits())
        except NoWorldError:
            return 0.0, 0.0
        self.states += bag.states
        believed = Believed(bag.histories(), bag.shares().tolist())
        seen, known = (self.best(stop, believed, one, stream.bits()) for one in (False, True))
        plain = self.plain(stop, stream.bits())
        worth = self.worth(stop, believed, {seen, known, plain}, False, stream.bits())
        truth = self.worth(stop, believed, {known, plain}, True, stream.bits())
        fused = worth[seen] - worth[known]
        return fused, worth[seen] - worth[plain] - (truth[known] - truth[plain])

    def plain(self, stop: Stop, seed: int) -> int:
        """HyperPlay's move."""
        spec = f"hyperplay:models={MODELS},samples={MODELS},limit={LIMIT}"
        agent = make_agent(spec, self.game, stop.player, seed)
        for token in stop.seen[stop.player]:
            agent.observe(token, "")
        move = agent.choose(*stop.truth.offer(stop.player))
        assert isinstance(agent, Thinker)
        self.states += agent.states
        return move

    def best(self, stop: Stop, believed: Believed, known: bool, seed: int) -> int:
        """The best move by simulations among players who know what they saw, or the truth."""
        legal = stop.truth.choices()
        budget = min(PER_MOVE * len(legal), max(MOST, len(legal)))
        given = (self.game, stop.player, legal, believed, nested(known), seed)
        search = NestedSearch(*given) if known else SharedSearch(*given, Shared(MODELS), c=0.7)
        self.spend(search, budget)
        return search.report().best("mean").move

    def spend(self, search: NestedSearch, simulations: int) -> None:
        """Run so many simulations, or until there are enough states: one may be a long game."""
        before = self.states
        for _ in range(simulations):
            self.heed()
            if self.states >= self.most:
                break
            search.run(Budget(1))
            self.states = before + search.states

    def worth(
        self, stop: Stop, believed: Believed, moves: set[int], known: bool, seed: int
    ) -> dict[int, float]:
        """What moves are worth by further simulations; nothing is simulated for a single one."""
        if len(moves) == 1:
            return dict.fromkeys(moves, 0.0)
        shared = None if known else Shared(MODELS)
        search = NestedSearch(
            self.game, stop.player, sorted(moves), believed, nested(known), seed, shared
        )
        self.spend(search, len(moves) * AGAIN * len(believed.histories))
        return {one.move: one.mean for one in search.report().candidates}


def nested(known: bool) -> NestedPlayers:
    """Nested players who know the truth, or who share what they found from what they saw."""
    if known:
        return NestedPlayers(MODELS // 2, known=True)
    return NestedPlayers(MODELS, trials=TRIALS, limit=LIMIT)


@lru_cache(maxsize=64)
def prober(game: Game, seed: int = 0) -> Probe:
    """The probe of a game, one for each that is loaded."""
    return Probe(game, seed)


def probe(game: Game, seed: int = 0) -> Verdict:
    """Whether information has value in a game, found once for each game that is loaded.

    >>> from facedown.games.registry import load_game
    >>> probe(load_game("tic-tac-toe")).hidden
    False
    """
    return prober(game, seed).run()
