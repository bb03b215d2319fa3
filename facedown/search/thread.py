"""One thread of a search: its state, tables and buffers; and what it searches in a phase."""

from __future__ import annotations

import math
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.belief.pool import Pool
from facedown.core import PUBLIC, Game, Stream, derive
from facedown.core.buffers import PLAY, Buffer, Buffers
from facedown.core.memo import Memos, memo_words
from facedown.core.records import address_of
from facedown.core.rules import RULES
from facedown.core.stepping import NO_END, raise_alarm, set_play
from facedown.search import state as at
from facedown.search.bandits import bandit_number, raise_bandit_error
from facedown.search.budget import Budget, Clock
from facedown.search.habits import Habits
from facedown.search.kernel import search as kernel
from facedown.search.network import Scorer, network_of
from facedown.search.playouts import play_out
from facedown.search.preferences import Reading, policy_of
from facedown.search.recipe import Labels, Recipe, Worlds
from facedown.search.scored import Weights
from facedown.search.sight import memos_kept
from facedown.search.tables import Tables
from facedown.search.tallies import Tallies

MOST_ITERATIONS = (1 << 31) - 2
"""Iterations of one thread, for visits are counted in 32 bits; there a search stands still."""


def scaling(game: Game, recipe: Recipe) -> tuple[float, float]:
    """Offset and factor that take the game's payoffs to what the search sees."""
    if not recipe.scaled:
        return 0.0, 1.0
    playout = recipe.playout
    low, high = game.horizon_range(playout.horizon) if playout.horizon else game.bounds
    return low, 1.0 / (high - low)


def network_file(recipe: Recipe) -> str | None:
    """The file of the network that a recipe asks; None: the game's own."""
    return recipe.network if isinstance(recipe.network, str) else None


@dataclass(frozen=True)
class Phase:
    """A part of a search: whose worlds it draws, who is frozen in it, whose sight is counted.

    `worlds` are positions as `viewer` knows them, the searcher or PUBLIC: what the viewer knows is
    the same in all of them. A search that determinizes draws what is missing. `observers` are those
    whose tallies are kept, of the searcher and PUBLIC, by the labels of the worlds.
    """

    worlds: Pool
    viewer: int
    frozen: tuple[int, ...] = ()
    observers: tuple[int, ...] = ()


@dataclass(frozen=True)
class Foreseen:
    """What another player is foreseen to do right after the searcher's first move.

    `shares` has by own moves how likely the next decision of another player is then the move
    `reply`, where that is legal and not the only one; of moves that are not in it nothing is known.
    """

    reply: int
    shares: Mapping[int, float]

    def __post_init__(self) -> None:
        for move, share in self.shares.items():
            if not 0.0 <= share <= 1.0:
                raise ValueError(f"the share {share} after move {move} is not within 0 and 1")


_BUFFERS = (
    Buffer("state", at.SearchState, lambda game: 1),
    *PLAY,
    *at.BUFFERS,
)


class Thread:
    """The state, the tables and the buffers of one thread of a search."""

    def __init__(
        self,
        game: Game,
        recipe: Recipe,
        player: int,
        seed: int,
        memory: int,
        habits: Habits | None = None,
    ) -> None:
        self.game, self.recipe, self.loop = game, recipe, kernel
        self._habits = habits
        self._buffers = Buffers(_BUFFERS, game)
        self.state = self._buffers["state"][0]
        self.trail, self.control = self._buffers["trail"], self._buffers["control"]
        self.streams = Stream(derive(seed, "worlds")), Stream(derive(seed, "search"))
        self.chance = Stream(0)  # where it is the same in every iteration of a world
        self.tables = Tables(self.state, memory)
        self.tallies = Tallies(self.state, memory // 4)
        self.weights: Weights | None = None
        self.averages: np.ndarray[Any, np.dtype[np.float64]] | None = None
        self._kept: list[Any] = []  # what the state refers to
        self._set_play(recipe)
        self._set_recipe(recipe, player)
        for part in (self.state["play"], self.state["buffers"]):
            self._buffers.seat(part)
        weakref.finalize(self, game.rules.release, address_of(self._buffers["world"]))

    @property
    def address(self) -> int:
        """Where the state lies: what the kernels take."""
        return address_of(self._buffers["state"])

    def _set_play(self, recipe: Recipe) -> None:
        """The game, with the variants of its rules that the recipe names."""
        play, game, playout = self.state["play"], self.game, recipe.playout
        set_play(play, game)
        for rule, name in recipe.variants.items():
            play["rules"][RULES[rule].slot] = game.variant(rule, name)
        play["informed"], play["to_horizon"] = bool(playout.informed), bool(playout.horizon)
        play["rollout"] = game.rules.rollout()
        play["typed"] = self._policy(recipe, playout.kinds)
        if playout.mast is not None:
            self._keep_averages(np.zeros((game.players, game.moves, 2)))
            play["epsilon"] = playout.mast
        self.state["worlds"]["rng"], play["rng"] = (stream.address for stream in self.streams)
        fixed = recipe.chance == "fixed"
        play["chance"] = self.chance.address if fixed else play["rng"]
        self.state["worlds"]["pack"] = self.streams[0].state >> 1 | 1 if fixed else 0

    def _keep_averages(self, averages: np.ndarray[Any, np.dtype[np.float64]]) -> None:
        """What moves are worth on average, by player: totals and how often they were made."""
        self.averages = averages
        self.state["play"]["averages"] = address_of(averages)

    def _set_recipe(self, recipe: Recipe, player: int) -> None:
        settings = self.state["settings"]
        settings["me"], settings["labels"] = player, recipe.labels
        settings["identity"], settings["growth"] = recipe.identity, recipe.growth
        settings["kind_priors"] = self._policy(recipe, recipe.kind_priors)
        settings["temperature"], settings["modelled"] = recipe.temperature, recipe.modelled
        settings["priors"] = bool(recipe.priors or recipe.kind_priors or recipe.network)
        settings["bandit"] = bandit_number(recipe.bandit)
        settings["most_decisions"] = recipe.playout.decisions
        settings["urgency"] = math.inf if recipe.urgency is None else recipe.urgency
        settings["widening"] = recipe.widening or 0.0
        settings["c"], settings["discount"] = recipe.c, recipe.playout.discount
        settings["offset"], settings["scale"] = scaling(self.game, recipe)
        if recipe.smooth is not None:
            settings["smooth"], settings["decay"] = 1, recipe.smooth.d
            settings["eta"], settings["gamma"] = recipe.smooth.eta, recipe.smooth.gamma
        if recipe.network:
            self._set_network(recipe)
        memory = self.state["memory"]
        memory["kept"], memory["words"] = memos_kept(self.game, recipe), memo_words(self.game)
        self.state["tree"]["room"] = 1

    def _policy(self, recipe: Recipe, reading: Reading | None) -> int:
        """Where the policies over kinds of moves are, by player; 0 where none are wanted."""
        if reading is None:
            return 0
        common = policy_of(self.game, recipe.preferences, reading, recipe.unchosen)
        players, habits = range(self.game.players), self._habits
        own = [None if habits is None else habits.of(player, reading) for player in players]
        addresses = np.array([(habit or common).address for habit in own], np.int64)
        self._kept += [common, own, addresses]
        return address_of(addresses)

    def _set_network(self, recipe: Recipe) -> None:
        """The network that priors come from, and a table for what it has scored."""
        scorer = Scorer(network_of(self.game, network_file(recipe)), self.game.most_moves)
        self._kept.append(scorer)
        self.weights = Weights(self.state, self.tables.limit // 4)
        scored = self.state["scored"]
        scored["network"], scored["mu"] = scorer.address, recipe.mu

    @property
    def bytes(self) -> int:
        """Memory that tree, tallies and weights take."""
        more = 0 if self.weights is None else self.weights.bytes
        return self.tables.bytes + self.tallies.bytes + more

    def recall(self, memos: Memos) -> None:
        """Begin every iteration from now on with these memos; the public's comes last."""
        players = self.game.players
        rows = self._buffers["root_memos"][: (players + 1) * memo_words(self.game)]
        for p, row in enumerate(rows.reshape(players + 1, -1)):
            row[:] = memos.of(p if p < players else PUBLIC).block

    def begin_at(self, starts: Sequence[int]) -> None:
        """Have everybody's history begin with these at the root."""
        self._buffers["starts"][:] = starts

    def take_over(self, other: Thread) -> None:
        """Go on with the tree and the averages of a thread that searches no more."""
        self.tables.take_over(other.tables)
        if other.averages is not None and self.averages is not None:
            self._keep_averages(other.averages)

    def foresee(self, foreseen: Foreseen) -> None:
        """Let others reply as it is foreseen, from now on."""
        self._shares = np.full(self.game.moves, np.nan)  # as long as the state refers to it
        for move, share in foreseen.shares.items():
            self._shares[move] = share
        reply = self.state["reply"]
        reply["move"], reply["shares"] = foreseen.reply, address_of(self._shares)

    def enter(self, phase: Phase) -> None:
        """Draw from the worlds of another phase from now on; the tables stay."""
        pool, worlds = phase.worlds, self.state["worlds"]
        self.pool = pool  # it must live as long as the state refers to it
        worlds["pool"], worlds["size"] = address_of(pool.block), len(pool)
        worlds["stride"] = pool.block.shape[1]
        worlds["cumulative"] = address_of(pool.cumulative)
        worlds["labels"] = address_of(pool.labels)
        worlds["viewer"], worlds["sampler"] = phase.viewer, sampler(self.recipe, pool)
        bits = (at.BY_PUBLIC if o == PUBLIC else at.BY_SEARCHER for o in phase.observers)
        self.state["observed"]["observers"] = sum(bits)
        modes = self._buffers["modes"]
        modes[:] = at.IN
        modes[list(phase.frozen)] = at.FROZEN

    @property
    def iterations(self) -> int:
        """Iterations so far."""
        return int(self.state["counts"]["iterations"])

    def _make_room(self) -> bool:
        """Let the table grow that is nearly full; False where the limit forbids it."""
        if self.weights is not None and self.weights.crowded and not self.state["scored"]["full"]:
            self.weights.grow()
            return True
        return self.tallies.grow() if self.tallies.crowded else self.tables.grow()

    def run(self, budget: Budget) -> None:
        """Search until the budget is used up or `stop` is called; tables grow as needed."""
        clock = Clock(budget)
        while (chunk := min(clock.chunk(), MOST_ITERATIONS - self.iterations)) > 0:
            before = self.iterations
            status = self.loop(self.address, chunk)
            clock.ran(self.iterations - before)
            raise_bandit_error()
            if status == at.STOPPED:
                return
            if status == at.CROWDED and not self._make_room():
                self.state["tree"]["room"] = 0
            if status in (at.ALARMED, at.ENDLESS):
                self._fail(status)

    def play_out(self, games: int, tally: np.ndarray[Any, np.dtype[np.float64]]) -> None:
        """Play games from the root without a tree; adds to the `tally` [4, players]."""
        status = play_out(self.address, games, address_of(tally))
        if status in (at.ALARMED, at.ENDLESS):
            self._fail(status)

    def _fail(self, status: int) -> None:
        """Raise what is wrong with the game, with the moves of the iteration that it ended."""
        ended = int(np.argmin(self.trail >= 0)) if (self.trail < 0).any() else len(self.trail)
        if status == at.ENDLESS:
            self.game.rules.alarm[0] = NO_END
        raise_alarm(self.game, self.trail[:ended].tolist())


def sampler(recipe: Recipe, pool: Pool) -> int:
    """How the kernel comes by the worlds of a recipe, from the views or the worlds of a pool."""
    if pool.views:
        return at.BY_SECRET if recipe.labels is Labels.ROOT else at.BY_RULE
    return at.IN_TURN if recipe.worlds is Worlds.IN_TURN else at.BY_WEIGHT
