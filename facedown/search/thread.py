"""One thread of a search: its desk, its tables and its buffers; and what it searches in a phase."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.belief.pool import Pool
from facedown.core import PUBLIC, Game, RuleError, Stream, derive, rollout
from facedown.core.game import aligned
from facedown.core.records import address_of
from facedown.core.rules import RULES
from facedown.search import desk as at
from facedown.search.bandits import bandit_number, raise_bandit_error
from facedown.search.budget import Budget, Clock
from facedown.search.kernel import search as kernel
from facedown.search.playouts import play_out
from facedown.search.recipe import Labels, Recipe, Worlds
from facedown.search.tables import Tables
from facedown.search.tallies import Tallies

MOST_ITERATIONS = (1 << 31) - 2
"""Iterations of one thread, for visits are counted in 32 bits; there a search stands still."""


def scaling(game: Game, recipe: Recipe) -> tuple[float, float]:
    """Offset and factor that take the game's payoffs to what the search sees."""
    if not recipe.scaled:
        return 0.0, 1.0
    playout = recipe.playout
    low, high = game.value_bounds(playout.value) if playout.horizon else game.bounds
    return low, 1.0 / (high - low)


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


class _Shelf:
    """One block of memory that buffers are cut from, each on its own cache line.

    So they lie to each other in the same way in every run. Speed differs from run to run with the
    memory's layout; this made the slow runs less slow, it did not end them.
    """

    def __init__(self, game: Game) -> None:
        most = max(game.most_moves, game.players)
        plies = 4 * 8 * game.most_plies + 4 * game.most_plies
        rest = (
            8 * (at.SIZE + at.REALS + rollout.ORDERS) + game.rules.size + 4 * game.moves + 16 * most
        )
        self._block = aligned(1, plies + rest + 40 * game.players + 64 * 24)[0]
        self._used = 0

    def cut(self, n: int, kind: Any) -> np.ndarray[Any, Any]:
        """The next `n` items, zeroed."""
        size = max(n, 1) * np.dtype(kind).itemsize
        buffer: np.ndarray[Any, Any] = self._block[self._used : self._used + size].view(kind)
        self._used += -(-size // 64) * 64
        return buffer


class Thread:
    """The desk, the tables and the buffers of one thread of a search."""

    def __init__(self, game: Game, recipe: Recipe, player: int, seed: int, memory: int) -> None:
        self.game, self.loop = game, kernel
        self._shelf = _Shelf(game)
        self.desk = self._shelf.cut(at.SIZE, np.int64)
        self.reals = self._shelf.cut(at.REALS, np.float64)
        self.streams = Stream(derive(seed, "worlds")), Stream(derive(seed, "search"))
        self.world = self._shelf.cut(game.rules.size, np.uint8)
        self.control = self._shelf.cut(1, np.int64)
        self.tables = Tables(self.desk, memory)
        self.tallies = Tallies(self.desk, memory // 4)
        self._set_numbers(recipe, player)
        self._set_buffers()
        weakref.finalize(self, game.rules.release, address_of(self.world))

    def _set_numbers(self, recipe: Recipe, player: int) -> None:
        desk, game, playout = self.desk, self.game, recipe.playout
        desk[: len(RULES)] = game.rules.table
        for rule, name in (("horizon", playout.value), ("determinize", recipe.belief)):
            if name is not None:
                desk[RULES[rule].slot] = game.variant(rule, name)
        desk[at.CTX], desk[at.ME], desk[at.PLAYERS] = game.rules.ctx, player, game.players
        desk[at.IDENTITY], desk[at.GROWTH] = recipe.identity, recipe.growth
        desk[at.LABELS], desk[at.SAMPLER] = recipe.labels, sampler(recipe)
        desk[at.INFORMED], desk[at.TO_HORIZON] = playout.informed, playout.horizon
        desk[at.SMOOTH], desk[at.PRIORS] = recipe.smooth is not None, recipe.priors
        desk[at.BANDIT] = bandit_number(recipe.bandit)
        desk[at.MOST_PLIES], desk[at.MOST_DECISIONS] = game.most_plies, playout.depth
        desk[at.MOST_MOVES], desk[at.ALL_MOVES] = game.most_moves, game.moves
        desk[at.WORDS] = -(-game.rules.size // 8)
        desk[at.WORLD_RNG], desk[at.RNG] = (stream.address for stream in self.streams)
        desk[at.ROOM] = 1
        self.reals[at.C], self.reals[at.DISCOUNT] = recipe.c, playout.discount
        self.reals[at.OFFSET], self.reals[at.SCALE] = scaling(game, recipe)
        if recipe.smooth is not None:
            smooth = recipe.smooth
            self.reals[[at.ETA, at.GAMMA, at.DECAY]] = smooth.eta, smooth.gamma, smooth.d

    def _buffer(self, place: int, n: int, kind: Any) -> np.ndarray[Any, Any]:
        """A buffer that lives as long as this thread, its address put on the desk."""
        buffer = self._shelf.cut(n, kind)
        self.desk[place] = address_of(buffer)
        return buffer

    def _set_buffers(self) -> None:
        game = self.game
        most = max(game.most_moves, game.players)
        for place, n, kind in (
            (at.MOVES, most, np.int32),
            (at.SLOTS, most, np.int32),
            (at.WHERE, game.moves, np.int32),
            (at.NUMBERS, most, np.float64),
            (at.PAYOFFS, game.players, np.float64),
            (at.HISTORIES, game.players + 2, np.uint64),
            (at.SIGHTS, game.players + 1, np.uint64),
            (at.PATH, 4 * game.most_plies, np.int64),
            (at.INSIDE, game.players, np.int8),
        ):
            self._buffer(place, n, kind)
        self.trail = self._buffer(at.TRAIL, game.most_plies, np.int32)
        self._modes = self._buffer(at.MODES, game.players, np.int8)
        self._orders = self._buffer(at.ORDERS, rollout.ORDERS, np.int64)
        self.desk[at.REAL_NUMBERS] = address_of(self.reals)
        self.desk[at.WORLD] = address_of(self.world)
        self.desk[at.ALARM] = address_of(game.rules.alarm)
        self.desk[at.CONTROL] = address_of(self.control)
        self._give_orders()

    def _give_orders(self) -> None:
        """What the game's rollout needs to know of this desk, where it has one."""
        self.desk[at.ROLLOUT] = self.game.rules.rollout()
        self._orders[rollout.TABLE] = address_of(self.desk)  # which begins with the rule table
        for order, place in (
            (rollout.CTX, at.CTX),
            (rollout.STATE, at.WORLD),
            (rollout.RNG, at.RNG),
            (rollout.MOVES, at.MOVES),
            (rollout.NUMBERS, at.NUMBERS),
            (rollout.TRAIL, at.TRAIL),
            (rollout.PAYOFFS, at.PAYOFFS),
            (rollout.MOST_PLIES, at.MOST_PLIES),
            (rollout.MOST_MOVES, at.MOST_MOVES),
            (rollout.TO_HORIZON, at.TO_HORIZON),
            (rollout.INFORMED, at.INFORMED),
        ):
            self._orders[order] = self.desk[place]

    def foresee(self, foreseen: Foreseen) -> None:
        """Let others reply as it is foreseen, from now on."""
        self._shares = np.full(self.game.moves, np.nan)  # as long as the desk refers to it
        for move, share in foreseen.shares.items():
            self._shares[move] = share
        self.desk[at.REPLY] = foreseen.reply
        self.desk[at.REPLY_SHARES] = address_of(self._shares)

    def enter(self, phase: Phase) -> None:
        """Draw from the worlds of another phase from now on; the tables stay."""
        pool, desk = phase.worlds, self.desk
        self.pool = pool  # it must live as long as the desk refers to it
        desk[at.POOL], desk[at.POOL_SIZE] = address_of(pool.block), len(pool)
        desk[at.POOL_STRIDE] = pool.block.shape[1]
        desk[at.CUMULATIVE] = address_of(pool.cumulative)
        desk[at.POOL_LABELS] = address_of(pool.labels)
        desk[at.VIEWER] = phase.viewer
        searcher, public = (at.BY_SEARCHER, at.BY_PUBLIC)
        desk[at.OBSERVERS] = sum(public if o == PUBLIC else searcher for o in phase.observers)
        self._modes[:] = at.IN
        self._modes[list(phase.frozen)] = at.FROZEN

    @property
    def iterations(self) -> int:
        """Iterations so far."""
        return int(self.desk[at.ITERATIONS])

    def _make_room(self) -> bool:
        """Let the table grow that is nearly full; False where the limit forbids it."""
        return self.tallies.grow() if self.tallies.crowded else self.tables.grow()

    def run(self, budget: Budget) -> None:
        """Search until the budget is used up or `stop` is called; tables grow as needed."""
        clock = Clock(budget)
        while (chunk := min(clock.chunk(), MOST_ITERATIONS - self.iterations)) > 0:
            before = self.iterations
            status = self.loop(address_of(self.desk), chunk)
            clock.ran(self.iterations - before)
            raise_bandit_error()
            if status == at.STOPPED:
                return
            if status == at.CROWDED and not self._make_room():
                self.desk[at.ROOM] = 0
            if status in (at.ALARMED, at.ENDLESS):
                self._fail(status)

    def play_out(self, games: int, tally: np.ndarray[Any, np.dtype[np.float64]]) -> None:
        """Play games from the root without a tree; adds to the `tally` [4, players]."""
        status = play_out(address_of(self.desk), games, address_of(tally))
        if status in (at.ALARMED, at.ENDLESS):
            self._fail(status)

    def _fail(self, status: int) -> None:
        ended = int(np.argmin(self.trail >= 0)) if (self.trail < 0).any() else len(self.trail)
        moves = [self.game.move_text(int(move)) for move in self.trail[:ended]]
        if status == at.ENDLESS:
            what = f"a playout did not end within {self.game.most_plies} plies (most_plies)"
            raise RuleError(what, moves=moves[:20])
        if self.game.rules.alarm[0] == at.STUCK:
            self.game.rules.alarm[0] = 0
            what = "legal gave no moves, or more than most_moves, though the game is not over"
            raise RuleError(what, moves=moves, rule="legal")
        try:
            self.game.rules.raise_alarm()
        except RuleError as error:
            raise error.within(moves=moves) from error.__cause__


def sampler(recipe: Recipe) -> int:
    """How the kernel comes by the worlds of a recipe."""
    if recipe.worlds is Worlds.DETERMINIZE:
        return at.BY_SECRET if recipe.labels is Labels.ROOT else at.BY_RULE
    return at.IN_TURN if recipe.worlds is Worlds.SAMPLED else at.BY_WEIGHT
