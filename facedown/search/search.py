"""A search that can be run, watched, stopped, resumed and read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from facedown.belief.pool import Pool
from facedown.belief.sources import Means, chosen, make_belief
from facedown.core import PUBLIC, Game, Memos, Position, RuleError, SpecError, Stream, derive
from facedown.core.clocks import now
from facedown.core.jit import Kernel, make_ready
from facedown.core.streams import mixed
from facedown.search.budget import Budget
from facedown.search.early import undecided
from facedown.search.habits import Habits
from facedown.search.kernel import search as kernel
from facedown.search.network import network_of
from facedown.search.preferences import policy_of
from facedown.search.recipe import BUCKETS, Growth, Identity, Labels, Recipe
from facedown.search.report import Candidate, Report, gather
from facedown.search.tables import Tables
from facedown.search.tallies import PUBLIC_START, Onlooker
from facedown.search.thread import Foreseen, Phase, Thread, network_file, scaling
from facedown.search.trace import Trace

MEMORY = 2 << 30
"""Bytes that the tree of a search may take unless told otherwise; at the cap it searches on."""

NOBODY = -1
"""The searcher of a search from the start of a game, for everybody's strategy at once."""


def worlds_at(
    game: Game, recipe: Recipe, root: Position, player: int, seed: int, memos: Memos
) -> Pool:
    """Worlds for a recipe from the root and the memos; SpecError where that takes more."""
    belief = make_belief(
        game, recipe.belief[:1], player, seed, Means(determinize=recipe.determinize)
    )
    if belief.remembers:
        raise SpecError("this search needs a pool of worlds, and none is given")
    wanted = recipe.wanted(Stream(seed), memos=memos)
    wanted.seed = seed
    return belief.worlds(root, wanted)


def prepare(loop: Kernel = kernel) -> None:
    """Have all that a search enters compiled, or loaded: that is no part of anybody's thinking."""
    make_ready("search", loop)


def check_recipe(game: Game, recipe: Recipe, player: int) -> None:
    """SpecError where the game lacks what the recipe asks of it."""
    for rule, use in recipe.rules.items():
        if use and not isinstance(use, str) and not game.has(rule):
            raise SpecError(f"{game.name} has no rule {rule!r}, which this search needs")
    for rule, name in recipe.variants.items():
        game.variant(rule, name)
    for reading in (recipe.playout.kinds, recipe.kind_priors):
        if reading is not None:
            policy_of(game, recipe.preferences, reading, recipe.unchosen)
    if recipe.adapting is not None and recipe.playout.kinds is None and recipe.kind_priors is None:
        raise SpecError(f"adapting={recipe.adapting}: this search asks no preferences among kinds")
    if recipe.network:
        network_of(game, network_file(recipe))
    playout = recipe.playout
    if playout.mast is not None and (playout.informed or playout.kinds is not None):
        raise SpecError(
            f"mast={playout.mast}: this search's playouts go by another policy already; "
            "playout=false, and no kinds, are wanted beside it"
        )
    if recipe.reuse and (recipe.identity not in REUSABLE or recipe.labels is not Labels.NONE):
        raise SpecError(
            "reuse=True: nodes of this search are not what its player has observed, so that no "
            "later search finds them again; so-ismcts is one whose are"
        )
    if recipe.widening is not None and recipe.growth is not Growth.EDGE:
        raise SpecError(
            f"widening={recipe.widening}: moves of a node are tried one by one; that is growth=edge"
        )
    check_early(recipe)
    own = (Identity.SINGLE, Identity.OWN_BUCKET)
    if recipe.identity in own and player == NOBODY:
        raise SpecError("a single observer's search needs a player who searches")


def check_early(recipe: Recipe) -> None:
    """SpecError where a search that stops early could play another move for it."""
    if recipe.early and recipe.final != "visits":
        raise SpecError(f"early=True: it asks for visits alone, so not for final={recipe.final}")
    if recipe.early and recipe.reuse:
        raise SpecError("early=True: a later search that goes on with the tree wants all of it")


REUSABLE = (Identity.SINGLE, *BUCKETS)
"""Identities whose nodes a later search of the same player's finds again."""


def starts(game: Game, player: int, seen: Sequence[int]) -> list[int]:
    """What everybody's history begins with at the root, where a player has seen these tokens."""
    found = list(range(1, game.players + 1))
    for token in seen:
        found[player] = mixed(found[player], token)
    return found


def check_worlds(game: Game, recipe: Recipe) -> None:
    """SpecError where the game lacks what the worlds of the recipe need."""
    source = chosen(game, recipe.belief)
    if recipe.labelled and not game.has("secret"):
        raise SpecError(f"{game.name} has no rule 'secret', which this search needs")
    if recipe.determinize is not None and source != "determinize":
        what = f"determinize={recipe.determinize}: this search draws no worlds by that rule"
        raise SpecError(what)


Sums = dict[int, list[float]]
"""Visits, availability, total and squares by move."""


def _add_root(sums: Sums, tables: Tables, key: int) -> None:
    """Add what the edges of a root hold."""
    node = tables.node(key)
    for edge in tables.edges_of(node) if node is not None else ():
        sum_ = sums.setdefault(int(edge["move"]), [0.0] * 4)
        for k, name in enumerate(("visits", "available", "total", "squares")):
            sum_[k] += float(edge[name])


class Search:
    """One search of one position, by a recipe.

    `root` is the view of `player`, who searches (or the true position, for a recipe that cheats; or
    the start of the game with player NOBODY). The search never looks at anything else. `legal` are
    the player's legal moves. The same seed and the same iterations give the same tree; `threads`
    search apart, each with its share, and are merged when the search is read. `worlds` are those of
    a belief; without any they are drawn from the root. `foreseen`: what is known of the first reply
    to the moves, better than the search knows it. `habits`: what was seen of the others'
    preferences. A recipe that reuses trees is told what the player has `seen` since the start of
    the game, and the search of its decision `before`, which is not to be read any more.
    """

    loop: ClassVar[Kernel] = kernel

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
        foreseen: Foreseen | None = None,
        memos: Memos | None = None,
        habits: Habits | None = None,
        before: Search | None = None,
        seen: Sequence[int] = (),
    ) -> None:
        recipe = recipe.in_game(game)
        check_recipe(game, recipe, player)
        if worlds is None:
            check_worlds(game, replace(recipe, belief=recipe.belief[:1]))
        prepare(self.loop)
        self.game, self.recipe, self.player = game, recipe, player
        self.root, self.legal, self.seed = root.copy(), list(legal), seed
        self.seconds, self.stopped = 0.0, False  # `stopped`: the last run was, before its end
        self.spared = 0  # iterations that were not needed
        self.memos = memos or Memos(game, player)
        self.pool = worlds or worlds_at(game, recipe, root, player, seed, self.memos)
        self.threads = [
            Thread(game, recipe, player, derive(seed, k), memory // threads, habits)
            for k in range(threads)
        ]
        self.starts = starts(game, player, seen if recipe.reuse else ())
        for k, thread in enumerate(self.threads):
            thread.begin_at(self.starts)
            if recipe.reuse and before is not None and k < len(before.threads):
                thread.take_over(before.threads[k])
            thread.recall(self.memos)
            if foreseen is not None:
                thread.foresee(foreseen)
        self.enter(Phase(self.pool, player, recipe.frozen))

    def enter(self, phase: Phase) -> Search:
        """Go on in another phase from the next run on; the trees carry over."""
        observers = set(phase.observers)
        if observers and self.recipe.identity in (Identity.FULL, *BUCKETS):
            raise SpecError("whose observations are counted must have a history of them")
        if observers - {self.player, PUBLIC}:
            raise SpecError("only the searcher's and the public's observations can be counted")
        self.pool, self._viewer = phase.worlds, phase.viewer
        for thread in self.threads:
            thread.enter(phase)
        return self

    def onlooker(self, observer: int, labels: Sequence[int]) -> Onlooker:
        """The searcher, or PUBLIC, about to see what happens, with the tallies of this search.

        They are told for worlds of these labels. Not while the search runs.
        """
        history = PUBLIC_START
        if observer != PUBLIC:
            history = self.trace(self.root, observer).histories[observer]
        tallies = (thread.tallies for thread in self.threads)
        return Onlooker(tallies, observer, history, labels)

    def run(self, budget: Budget) -> Search:
        """Search on within the budget; returns when it is used up or `stop` is called."""
        began = now()
        for thread in self.threads:
            thread.trail[:] = -1
        try:
            self._run(budget)
        except RuleError as error:
            raise error.within(seed=self.seed) from error.__cause__
        finally:
            self.seconds += now() - began
            self.stopped = any(thread.control[0] for thread in self.threads)
            for thread in self.threads:
                thread.control[0] = 0
        return self

    def _run(self, budget: Budget) -> None:
        if not self.recipe.early or budget.iterations is None:
            self._advance(budget)
            return
        began, done, wanted = now(), 0, budget.iterations
        while part := undecided(self.visits().values(), wanted - done):
            part, before = min(part, wanted - done), self.iterations
            seconds = None if budget.seconds is None else began + budget.seconds - now()
            self._advance(Budget(part, seconds), done)
            done += self.iterations - before
            if self.iterations - before < part or done == wanted:
                return  # the time was up, somebody stopped it, or there is no more to do
        self.spared += wanted - done

    def _advance(self, budget: Budget, done: int = 0) -> None:
        """Search with all threads; `done` iterations of the same run came before."""
        shares = [budget.split(len(self.threads), k, done) for k in range(len(self.threads))]
        if len(self.threads) == 1:
            self.threads[0].run(shares[0])
            return
        with ThreadPoolExecutor(len(self.threads)) as executor:
            try:
                running = [
                    executor.submit(thread.run, share)
                    for thread, share in zip(self.threads, shares, strict=True)
                ]
                for one in as_completed(running):
                    one.result()
            except BaseException:
                self.stop()  # the others would search on to the end of the budget
                raise

    def play_out(self, games: int) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Play games from the root to their ends, all of them playouts; the tree stays as it is.

        By player [4, players]: sole wins, shared wins, the sum of payoffs, that of their squares.
        """
        tally = np.zeros((4, self.game.players))
        try:
            self.threads[0].play_out(games, tally)
        except RuleError as error:
            raise error.within(seed=self.seed) from error.__cause__
        return tally

    def stop(self) -> None:
        """Have the search stop at once; any thread may call this.

        Where none is running, the next run stops as it begins: a stop is never lost.
        """
        for thread in self.threads:
            thread.control[0] = 1

    @property
    def tables(self) -> Tables:
        """The tree: the only thread's own, or all threads' merged into a copy."""
        first, *others = (thread.tables for thread in self.threads)
        if not others:
            return first
        merged = first.copy()
        for other in others:
            merged.absorb(other.copy())  # which its thread may go on with
        return merged

    @property
    def iterations(self) -> int:
        """Iterations so far, over all threads."""
        return sum(thread.iterations for thread in self.threads)

    def report(self) -> Report:
        """What the search has found so far; what it expects to be played is in `line`."""
        tables = self.tables
        return Report(
            candidates=self.candidates(tables),
            iterations=self.iterations,
            seconds=self.seconds,
            nodes=sum(thread.tables.used("nodes") for thread in self.threads),
            bytes=sum(thread.bytes for thread in self.threads),
            plies=int(tables.state["counts"]["plies"]),
            playout_plies=int(tables.state["counts"]["played"]),
            spared=self.spared,
        )

    def candidates(self, tables: Tables) -> tuple[Candidate, ...]:
        """The legal moves, and what the tables say of them."""
        offset, scale = scaling(self.game, self.recipe)
        return gather(self.game, self.legal, self._sums(tables, own=True), offset, scale)

    def visits_everywhere(self) -> dict[int, float]:
        """Visits of each move at the searcher's first decision, whatever it holds there."""
        return {move: sums[0] for move, sums in self._sums(self.tables, own=False).items()}

    @property
    def labels(self) -> list[int]:
        """The labels of the worlds at hand, each once."""
        return list(dict.fromkeys(int(label) for label in self.pool.labels))

    def expected(self, odds: Mapping[int, float]) -> dict[int, float]:
        """What each move is worth where label k has the odds `odds[k]`, in the game's payoffs.

        E[a] = sum over labels of P(label) Q(label, a) (Bitan and Kraus 2017, section 3). A move
        that was not tried under a label that has odds is left out; all are where none has odds.
        """
        offset, scale = scaling(self.game, self.recipe)
        likely = [label for label, share in odds.items() if share > 0]
        worth = dict.fromkeys(self.legal if likely else (), 0.0)
        by_label = self.sums_by_label(self.tables)
        for label in likely:
            sums = by_label.get(label, {})
            for move in list(worth):
                visits, _, total, _ = sums.get(move, [0.0] * 4)
                if not visits:
                    del worth[move]
                    continue
                worth[move] += odds[label] * (total / visits / scale + offset)
        return worth

    def visits(self) -> dict[int, int]:
        """How often each legal move was tried, over all threads; not while the search runs."""
        found = dict.fromkeys(self.legal, 0)
        for tables in (thread.tables for thread in self.threads):
            for node in map(tables.node, self._roots(tables, own=True)):
                for move, visits in tables.visits_of(node).items() if node is not None else ():
                    if move in found:  # an abstraction may lump other positions with the root
                        found[move] += visits
        return found

    def _sums(self, tables: Tables, own: bool) -> Sums:
        """Visits, availability, total and squares of each move, summed over all roots."""
        sums: Sums = {}
        for key in self._roots(tables, own):
            _add_root(sums, tables, key)
        return sums

    def _roots(self, tables: Tables, own: bool) -> list[int]:
        """The keys of the roots.

        `own`: of many trees only that of what the searcher holds in truth, the decision tree.
        """
        recipe, truth = self.recipe, None
        if own and recipe.identity is Identity.MANY and recipe.labels is Labels.NONE:
            truth = self.trace(self.root, self.player).histories[self.player]
        roots = tables.roots[: tables.used("roots")]
        return [int(one["key"]) for one in roots if truth is None or int(one["label"]) == truth]

    def sums_by_label(self, tables: Tables) -> dict[int, Sums]:
        """The same for the roots of each label apart."""
        found: dict[int, Sums] = {}
        for root in tables.roots[: tables.used("roots")]:
            _add_root(found.setdefault(int(root["label"]), {}), tables, int(root["key"]))
        return found

    def line(self, tables: Tables | None = None, most: int = 12) -> tuple[str, ...]:
        """The line that the search expects: the most visited moves in one of its worlds."""
        return self._trace().principal(tables or self.tables, most)

    def _trace(self) -> Trace:
        """A trace in one of the search's worlds: a new one, or the likeliest of its pool.

        One in which the searcher holds what it does, where the pool has any.
        """
        if self.pool.views:
            return self._sampled(self.seed)
        weights = self.pool.weights
        if self._viewer == PUBLIC:  # which does not know what the searcher holds
            worlds = [self.pool.position(k) for k in range(len(self.pool))]
            own = self.root.infoset(self.player)
            mine = [world.infoset(self.player) == own for world in worlds]
            weights = np.where(mine, weights, 0.0) if any(mine) else weights
        k = int(weights.argmax())
        return self._at(k)

    def trace(self, world: Position, player: int, label: int = 0) -> Trace:
        """A trace in a world, whose keys are those of this search's tree."""
        return Trace(self.game, self.recipe, world, player, label, self.memos, self.starts)

    def _at(self, k: int) -> Trace:
        """In a world of the pool."""
        return self.trace(self.pool.position(k), self.player, int(self.pool.labels[k]))

    def _sampled(self, seed: int) -> Trace:
        """In a new world, with its own label."""
        stream, world, label = Stream(derive(seed, "line")), self.root.copy(), 0
        own = self.memos.of(self.player)
        world.determinize(self.player, stream, self.recipe.determinize, own)
        if self.recipe.labels is Labels.ROOT:
            label = world.secret(self.player) % (1 << 64)
        return self.trace(world, self.player, label)

    def traces(self, most: int) -> list[Trace]:
        """Traces in so many worlds at most: new ones, or those of the pool that weigh most."""
        if self.pool.views:
            return [self._sampled(derive(self.seed, "tree", k)) for k in range(most)]
        heaviest = np.argsort(-self.pool.weights, kind="stable")[:most]
        return [self._at(int(k)) for k in heaviest]

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
