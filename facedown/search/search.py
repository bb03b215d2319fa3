"""A search that can be run, watched, stopped, resumed and read."""

from __future__ import annotations

import time
import weakref
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

import numpy as np

from facedown.core import Game, Position, RuleError, SpecError, Stream, derive
from facedown.core.game import aligned
from facedown.core.records import address_of
from facedown.core.rules import RULES
from facedown.search import desk as at
from facedown.search.bandits import bandit_number, raise_bandit_error
from facedown.search.budget import Budget, Clock
from facedown.search.kernel import search as kernel
from facedown.search.pool import Pool
from facedown.search.recipe import Identity, Labels, Recipe, Worlds
from facedown.search.report import Report, gather
from facedown.search.tables import Tables, merge, rehash
from facedown.search.trace import Trace

MEMORY = 2 << 30
"""Bytes that the tree of a search may take unless told otherwise; at the cap it searches on."""

MOST_ITERATIONS = (1 << 31) - 2
"""Iterations of one thread, for visits are counted in 32 bits; there a search stands still."""

NOBODY = -1
"""The searcher of a search from the start of a game, for everybody's strategy at once."""


def scaling(game: Game, recipe: Recipe) -> tuple[float, float]:
    """Offset and factor that take the game's payoffs to what the search sees."""
    if not recipe.scaled:
        return 0.0, 1.0
    playout = recipe.playout
    low, high = game.value_bounds(playout.value) if playout.horizon else game.bounds
    return low, 1.0 / (high - low)


def pool_for(game: Game, recipe: Recipe, root: Position, player: int, seed: int) -> Pool:
    """The worlds at hand for a recipe at this root: the root itself, or samples of it."""
    if recipe.worlds is not Worlds.SAMPLED:
        return Pool([root], labels=[0])
    stream = Stream(derive(seed, "pool"))
    worlds = []
    for _ in range(recipe.samples):
        world = root.copy()
        world.determinize(player, stream, recipe.belief)
        worlds.append(world)
    return Pool(worlds)


def prepare() -> None:
    """Have the kernels compiled, or loaded: that is no part of anybody's thinking time."""
    for part in (kernel, rehash, merge):
        part.ready()


def check_recipe(game: Game, recipe: Recipe, player: int) -> None:
    """SpecError where the game lacks what the recipe needs."""
    needs = {
        "determinize": recipe.worlds in (Worlds.DETERMINIZE, Worlds.SAMPLED),
        "bucket": recipe.identity is Identity.BUCKET,
        "playout": recipe.playout.informed,
        "horizon": recipe.playout.horizon,
        "prior": recipe.priors,
        "secret": _sampler(recipe) == at.BY_SECRET,
    }
    for rule, needed in needs.items():
        if needed and not game.has(rule):
            raise SpecError(f"{game.name} has no rule {rule!r}, which this search needs")
    _check_variants(game, recipe)
    if recipe.identity is Identity.SINGLE and player == NOBODY:
        raise SpecError("a single observer's search needs a player who searches")


def _check_variants(game: Game, recipe: Recipe) -> None:
    """SpecError where a value or a belief is named that the game or the recipe has no use for."""
    value, belief = recipe.playout.value, recipe.belief
    if value is not None:
        game.variant("horizon", value)
        if not recipe.playout.horizon:
            raise SpecError(f"value={value} is a value at the horizon, and horizon is false")
    if belief is not None:
        game.variant("determinize", belief)
        if recipe.worlds not in (Worlds.DETERMINIZE, Worlds.SAMPLED):
            raise SpecError(f"belief={belief}: this search draws no worlds")


class _Shelf:
    """One block of memory that buffers are cut from, each on its own cache line.

    So they lie to each other in the same way in every run. Speed differs from run to run with the
    memory's layout; this made the slow runs less slow, it did not end them.
    """

    def __init__(self, game: Game) -> None:
        most = max(game.most_moves, game.players)
        plies = 4 * 8 * game.most_plies + 4 * game.most_plies
        rest = 8 * (at.SIZE + at.REALS) + game.rules.size + 4 * game.moves + 16 * most
        self._block = aligned(1, plies + rest + 32 * game.players + 64 * 20)[0]
        self._used = 0

    def cut(self, n: int, kind: Any) -> np.ndarray[Any, Any]:
        """The next `n` items, zeroed."""
        size = max(n, 1) * np.dtype(kind).itemsize
        buffer: np.ndarray[Any, Any] = self._block[self._used : self._used + size].view(kind)
        self._used += -(-size // 64) * 64
        return buffer


class _Thread:
    """The desk, the tables and the buffers of one thread of a search."""

    def __init__(
        self, game: Game, recipe: Recipe, player: int, pool: Pool, seed: int, memory: int
    ) -> None:
        self.game, self.pool = game, pool
        self._shelf = _Shelf(game)
        self.desk = self._shelf.cut(at.SIZE, np.int64)
        self.reals = self._shelf.cut(at.REALS, np.float64)
        self.streams = Stream(derive(seed, "worlds")), Stream(derive(seed, "search"))
        self.world = self._shelf.cut(game.rules.size, np.uint8)
        self.control = self._shelf.cut(1, np.int64)
        self.tables = Tables(self.desk, memory)
        self._set_numbers(recipe, player)
        self._set_buffers(recipe)
        weakref.finalize(self, game.rules.release, address_of(self.world))

    def _set_numbers(self, recipe: Recipe, player: int) -> None:
        desk, game, playout = self.desk, self.game, recipe.playout
        desk[: len(RULES)] = game.rules.table
        for rule, name in (("horizon", playout.value), ("determinize", recipe.belief)):
            if name is not None:
                desk[RULES[rule].slot] = game.variant(rule, name)
        desk[at.CTX], desk[at.ME], desk[at.PLAYERS] = game.rules.ctx, player, game.players
        desk[at.IDENTITY], desk[at.GROWTH] = recipe.identity, recipe.growth
        desk[at.LABELS], desk[at.SAMPLER] = recipe.labels, _sampler(recipe)
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

    def _set_buffers(self, recipe: Recipe) -> None:
        game, pool = self.game, self.pool
        most = max(game.most_moves, game.players)
        for place, n, kind in (
            (at.MOVES, most, np.int32),
            (at.SLOTS, most, np.int32),
            (at.WHERE, game.moves, np.int32),
            (at.NUMBERS, most, np.float64),
            (at.PAYOFFS, game.players, np.float64),
            (at.HISTORIES, game.players, np.uint64),
            (at.PATH, 4 * game.most_plies, np.int64),
            (at.INSIDE, game.players, np.int8),
        ):
            self._buffer(place, n, kind)
        self.trail = self._buffer(at.TRAIL, game.most_plies, np.int32)
        self._buffer(at.MODES, game.players, np.int8)[list(recipe.frozen)] = at.FROZEN
        self.desk[at.REAL_NUMBERS] = address_of(self.reals)
        self.desk[at.POOL], self.desk[at.POOL_SIZE] = address_of(pool.block), len(pool)
        self.desk[at.POOL_STRIDE] = pool.block.shape[1]
        self.desk[at.CUMULATIVE] = address_of(pool.cumulative)
        self.desk[at.POOL_LABELS] = address_of(pool.labels)
        self.desk[at.WORLD] = address_of(self.world)
        self.desk[at.ALARM] = address_of(game.rules.alarm)
        self.desk[at.CONTROL] = address_of(self.control)

    @property
    def iterations(self) -> int:
        """Iterations so far."""
        return int(self.desk[at.ITERATIONS])

    def run(self, budget: Budget) -> None:
        """Search until the budget is used up or `stop` is called; tables grow as needed."""
        clock = Clock(budget)
        while (chunk := min(clock.chunk(), MOST_ITERATIONS - self.iterations)) > 0:
            before = self.iterations
            status = kernel(address_of(self.desk), chunk)
            clock.ran(self.iterations - before)
            raise_bandit_error()
            if status == at.STOPPED:
                return
            if status == at.CROWDED and not self.tables.grow():
                self.desk[at.ROOM] = 0
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


def _sampler(recipe: Recipe) -> int:
    if recipe.worlds is Worlds.DETERMINIZE:
        return at.BY_SECRET if recipe.labels is Labels.ROOT else at.BY_RULE
    return at.IN_TURN if recipe.worlds is Worlds.SAMPLED else at.BY_WEIGHT


class Search:
    """One search of one position, by a recipe.

    `root` is the view of `player`, who searches (or the true position, for a recipe that cheats; or
    the start of the game with player NOBODY). The search never looks at anything else. `legal` are
    the player's legal moves. The same seed and the same iterations give the same tree; `threads`
    search apart, each with its share, and are merged when the search is read.
    """

    def __init__(
        self,
        game: Game,
        recipe: Recipe,
        root: Position,
        player: int,
        legal: Sequence[int],
        seed: int,
        *,
        worlds: Pool | None = None,
        threads: int = 1,
        memory: int = MEMORY,
    ) -> None:
        check_recipe(game, recipe, player)
        prepare()
        if worlds is None and recipe.worlds is Worlds.GIVEN:
            raise SpecError("this search needs a pool of worlds, and none is given")
        if worlds is not None and recipe.worlds not in (Worlds.GIVEN, Worlds.SAMPLED):
            raise SpecError(f"a pool of worlds is of no use with Worlds.{recipe.worlds.name}")
        self.game, self.recipe, self.player = game, recipe, player
        self.root, self.legal, self.seed = root.copy(), list(legal), seed
        self.seconds = 0.0
        self.pool = worlds or pool_for(game, recipe, root, player, seed)
        self._threads = [
            _Thread(game, recipe, player, self.pool, derive(seed, k), memory // threads)
            for k in range(threads)
        ]

    def run(self, budget: Budget) -> Search:
        """Search on within the budget; returns when it is used up or `stop` is called."""
        began = time.perf_counter()
        for thread in self._threads:
            thread.trail[:] = -1
        try:
            self._run(budget)
        except RuleError as error:
            raise error.within(seed=self.seed) from error.__cause__
        finally:
            self.seconds += time.perf_counter() - began
            for thread in self._threads:
                thread.control[0] = 0
        return self

    def _run(self, budget: Budget) -> None:
        shares = [budget.split(len(self._threads), k) for k in range(len(self._threads))]
        if len(self._threads) == 1:
            self._threads[0].run(shares[0])
            return
        with ThreadPoolExecutor(len(self._threads)) as executor:
            try:
                running = [
                    executor.submit(thread.run, share)
                    for thread, share in zip(self._threads, shares, strict=True)
                ]
                for done in as_completed(running):
                    done.result()
            except BaseException:
                self.stop()  # the others would search on to the end of the budget
                raise

    def stop(self) -> None:
        """Have the search stop at once; any thread may call this.

        Where none is running, the next run stops as it begins: a stop is never lost.
        """
        for thread in self._threads:
            thread.control[0] = 1

    @property
    def tables(self) -> Tables:
        """The tree: the only thread's own, or all threads' merged into a copy."""
        first, *others = (thread.tables for thread in self._threads)
        if not others:
            return first
        merged = first.copy()
        for other in others:
            merged.absorb(other.copy())  # which its thread may go on with
        return merged

    @property
    def iterations(self) -> int:
        """Iterations so far, over all threads."""
        return sum(thread.iterations for thread in self._threads)

    def report(self) -> Report:
        """What the search has found so far."""
        tables = self.tables
        offset, scale = scaling(self.game, self.recipe)
        return Report(
            candidates=gather(self.game, self.legal, self._sums(tables), offset, scale),
            line=self.line(tables),
            iterations=self.iterations,
            seconds=self.seconds,
            nodes=sum(int(thread.desk[at.NODES]) for thread in self._threads),
            bytes=sum(thread.tables.bytes for thread in self._threads),
            plies=int(tables.desk[at.PLIES]),
            playout_plies=int(tables.desk[at.PLAYED]),
        )

    def _sums(self, tables: Tables) -> dict[int, list[float]]:
        """Visits, availability, total and squares of each move, summed over all roots."""
        sums: dict[int, list[float]] = {}
        for root in tables.roots[: int(tables.desk[at.ROOTS])]:
            node = tables.node(int(root["key"]))
            for edge in tables.edges_of(node) if node is not None else ():
                sum_ = sums.setdefault(int(edge["move"]), [0.0] * 4)
                for k, name in enumerate(("visits", "available", "total", "squares")):
                    sum_[k] += float(edge[name])
        return sums

    def line(self, tables: Tables | None = None, most: int = 12) -> tuple[str, ...]:
        """The line that the search expects: the most visited moves in one of its worlds."""
        return self._trace().principal(tables or self.tables, most)

    def _trace(self) -> Trace:
        """A trace in one of the search's worlds: a new one, or the likeliest of its pool."""
        if self.recipe.worlds is Worlds.DETERMINIZE:
            return Trace.sample(self.game, self.recipe, self.root, self.player, self.seed)
        k = int(self.pool.weights.argmax())
        world, label = self.pool.position(k), int(self.pool.labels[k])
        return Trace(self.game, self.recipe, world, self.player, label)

    def dump(self) -> list[tuple[int, int, list[tuple[int, int, int, float]]]]:
        """The tree as plain data in the order of keys: visits, and edges as (move, visits,
        available, total)."""
        tables = self.tables
        used = tables.nodes[tables.nodes["key"] != 0]
        return [
            (
                int(node["key"]),
                int(node["visits"]),
                sorted(
                    (int(e["move"]), int(e["visits"]), int(e["available"]), float(e["total"]))
                    for e in tables.edges_of(node)
                ),
            )
            for node in np.sort(used, order="key")
        ]
