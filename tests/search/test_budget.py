"""Budgets: what a search may spend, and that it spends that."""

import importlib
import threading
import time

import pytest

from facedown.search.budget import Budget, Clock
from facedown.search.recipe import Growth, Identity, Labels, Recipe, Worlds
from facedown.search.tables import Edge, Node, Root
from facedown.search.thread import MOST_ITERATIONS
from support.table_games import begun, searched, tree

SMALLEST = 512 * (Node.itemsize + Edge.itemsize) + 128 * Root.itemsize + 1024 * 4  # the index


class Watch:
    """A clock that tests turn by hand."""

    def __init__(self, monkeypatch):
        self.now = 100.0
        monkeypatch.setattr(time, "perf_counter", lambda: self.now)


@pytest.mark.parametrize(("iterations", "threads"), [(1000, 1), (1000, 3), (7, 2), (1, 2)])
def test_iterations_are_kept_exactly_and_shared_out_over_threads(iterations, threads):
    search, _ = searched("kuhn", Recipe(), iterations, threads=threads)
    report = search.report()
    assert search.iterations == report.iterations == iterations
    assert sum(candidate.visits for candidate in report.candidates) == iterations
    shares = [Budget(iterations).split(threads, k).iterations for k in range(threads)]
    assert sum(shares) == iterations
    assert max(shares) - min(shares) <= 1


class Ticks(Watch):
    """A clock that goes on by as long as a chunk takes whenever somebody looks."""

    def __init__(self, monkeypatch):
        super().__init__(monkeypatch)
        monkeypatch.setattr(time, "perf_counter", self.look)

    def look(self):
        self.now += 0.004
        return self.now


def test_seconds_are_kept(monkeypatch):
    search, _ = searched("leduc", Recipe(), 10)
    before, watch = search.seconds, Ticks(monkeypatch)
    for seconds in (0.05, 0.2):
        began = watch.now
        search.run(Budget(seconds=seconds))
        assert seconds <= watch.now - began < seconds + 0.02
    assert search.iterations > 40
    assert 0.25 <= search.seconds - before < 0.29


def test_whichever_comes_first():
    search, _ = begun("kuhn", Recipe())
    assert search.run(Budget(500, seconds=1000.0)).iterations == 500
    search.run(Budget(1 << 50, seconds=0.05))
    assert search.iterations > 500
    before = search.iterations
    assert search.run(Budget(100, seconds=0.0)).iterations == before


def test_a_clock_gives_chunks_of_a_few_milliseconds(monkeypatch):
    watch = Watch(monkeypatch)
    clock = Clock(Budget(seconds=1.0))
    for _ in range(20):  # a microsecond each
        chunk = clock.chunk()
        watch.now += chunk * 1e-6
        clock.ran(chunk)
    assert 3000 <= clock.chunk() <= 4001
    watch.now = 100.999
    clock.ran(1)
    watch.now = 101.0
    assert clock.chunk() == 0


def test_a_chunk_that_was_cut_short_is_not_taken_for_fast(monkeypatch):
    """Tables that grow end a chunk early; the next must not be too long for that."""
    watch = Watch(monkeypatch)
    clock = Clock(Budget(seconds=10.0))
    for _ in range(20):  # a millisecond each
        chunk = clock.chunk()
        watch.now += chunk * 1e-3
        clock.ran(chunk)
    for _ in range(5):
        assert clock.chunk() <= 4
        watch.now += 1e-3
        clock.ran(1)
    clock.chunk()
    clock.ran(0)
    assert clock.chunk() <= 4


@pytest.mark.parametrize("threads", [1, 2])
def test_stop_ends_a_search_without_limits(threads):
    search, _ = begun("leduc", Recipe(), threads=threads)
    runner = threading.Thread(target=search.run, args=(Budget(),))
    runner.start()
    while search.iterations < 1000:
        time.sleep(0.001)
    assert search.report().iterations >= 1000  # it can be read while it runs
    search.stop()
    runner.join(timeout=30)
    assert not runner.is_alive()
    stopped = search.iterations
    assert search.run(Budget(10)).iterations == stopped + 10


def test_threads_can_be_read_while_their_trees_grow():
    """The merged tree is a copy of trees that others write to and replace by larger ones."""
    search, _ = begun("many dice", Recipe(), threads=2)
    runner = threading.Thread(target=search.run, args=(Budget(60_000),))
    runner.start()
    while runner.is_alive():
        report = search.report()
        assert 0 <= report.iterations <= 60_000
    runner.join()
    assert sum(candidate.visits for candidate in search.report().candidates) == 60_000


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("growth", list(Growth))
def test_a_search_in_pieces_is_the_search_in_one_go(growth, threads):
    recipe = Recipe(identity=Identity.MULTI, growth=growth)
    whole, _ = searched("leduc", recipe, 600, threads=threads)
    pieces, _ = begun("leduc", recipe, threads=threads)
    for part in (2, 98, 100, 400):
        pieces.run(Budget(part))
    assert tree(pieces) == tree(whole)
    assert pieces.report().candidates == whole.report().candidates


def test_the_clock_changes_nothing_but_the_length():
    timed, _ = begun("leduc", Recipe())
    timed.run(Budget(seconds=0.02))
    counted, _ = searched("leduc", Recipe(), timed.iterations)
    assert tree(timed) == tree(counted)


def test_two_threads_give_the_same_tree_every_time():
    first, _ = searched("leduc", Recipe(), 3000, threads=2)
    second, _ = searched("leduc", Recipe(), 3000, threads=2)
    assert tree(first) == tree(second)
    assert first.report().candidates == second.report().candidates


def test_threads_are_merged_by_adding_up():
    """The sum of two searches of one thread, on the streams that the two threads have."""
    recipe = Recipe(identity=Identity.MULTI)
    both, _ = searched("leduc", recipe, 800, threads=2)
    parts = [thread.tables for thread in both.threads]
    merged, added = tree(both), {}
    for tables in parts:
        for node in tables.nodes[tables.nodes["key"] != 0]:
            visits, edges = added.setdefault(int(node["key"]), [0, {}])
            added[int(node["key"])][0] = visits + int(node["visits"])
            for e in tables.edges_of(node):
                sums = edges.setdefault(int(e["move"]), [0, 0, 0.0])
                for k, name in enumerate(("visits", "available", "total")):
                    sums[k] += e[name].item()
    assert set(merged) == set(added)
    for key, (visits, edges) in merged.items():
        assert visits == added[key][0]
        assert edges == {move: tuple(sums) for move, sums in added[key][1].items()}
    report = both.report()
    assert report.nodes == sum(t.used("nodes") for t in parts)
    assert report.plies == sum(int(t.state["counts"]["plies"]) for t in parts)
    assert report.bytes == sum(t.bytes for t in parts)


def test_threads_search_the_same_sampled_worlds():
    """A label is one world in every thread; else trees of different worlds would be merged."""
    recipe = Recipe(
        identity=Identity.FULL, worlds=Worlds.IN_TURN, samples=1, labels=Labels.TREE, c=2.0
    )
    for seed in range(4):
        search, truth = searched("fusion", recipe, 400, seed, threads=2)
        guess = search.game.parse_move("guess", truth.legal())
        truth.apply(guess)
        sides = set(truth.legal())
        (named,) = [edges for _, edges in tree(search).values() if set(edges) == sides]
        means = sorted(total / visits for visits, _, total in named.values())
        assert means == [0.0, 1.0]


@pytest.mark.parametrize("growth", list(Growth))
@pytest.mark.parametrize("cap", [0, 60_000, 150_000])
def test_at_the_memory_cap_the_tree_stops_growing_and_the_search_goes_on(growth, cap):
    recipe = Recipe(identity=Identity.FULL, growth=growth, c=2.0)
    search, truth = searched("many dice", recipe, 4000, memory=cap)
    report = search.report()
    assert report.bytes <= max(cap, SMALLEST)
    full = report.nodes
    search.run(Budget(4000))
    report = search.report()
    assert report.nodes == full
    assert report.bytes <= max(cap, SMALLEST)
    assert report.iterations == 8000
    assert sum(candidate.visits for candidate in report.candidates) > 7000
    assert report.best().move in truth.legal()
    free, _ = searched("many dice", recipe, 4000)
    assert free.report().nodes > full


@pytest.mark.parametrize("growth", list(Growth))
def test_a_capped_search_still_finds_the_better_move(growth):
    """Safe is worth 0.6, guessing 0.5; the tables have no room for more than the first few."""
    search, truth = begun("fusion", Recipe(growth=growth, c=1.0), memory=0)
    search.run(Budget(2))
    search.threads[0].state["tree"]["room"] = 0
    search.run(Budget(2000))
    assert search.report().nodes <= 2
    if growth is Growth.EDGE:
        assert search.report().best().text == "safe"
    assert search.report().best().move in truth.legal()


@pytest.mark.parametrize("growth", list(Growth))
def test_at_the_cap_moves_that_have_an_edge_are_searched_on(growth):
    """Not the untried ones, whose edges do not fit: those would be tried again for ever."""
    recipe = Recipe(identity=Identity.FULL, growth=growth, c=2.0)
    search, _ = searched("many dice", recipe, 4000, memory=0)
    before = tree(search)
    search.run(Budget(4000))
    after = tree(search)
    grown = sum(visits - before[key][0] for key, (visits, _) in after.items())
    plain = sum(visits for visits, _ in before.values())
    assert grown > plain  # no fewer moves in the tree than while it grew


def test_counts_never_overflow():
    """Visits are 32 bits wide: a search ends before one could wrap."""
    search, _ = begun("kuhn", Recipe())
    search.threads[0].state["counts"]["iterations"] = MOST_ITERATIONS - 10
    assert search.run(Budget(100)).iterations == MOST_ITERATIONS
    assert search.run(Budget()).iterations == MOST_ITERATIONS


def test_a_kernel_is_compiled_once_however_many_threads_call_it_first(monkeypatch):
    made = []

    def compile_slowly(self):
        time.sleep(0.05)
        made.append(self)
        return lambda: len(made)

    jit = importlib.import_module("facedown.core.jit")
    monkeypatch.setattr(jit.Kernel, "compile", compile_slowly)
    kernel = jit.Kernel(lambda: 0, None, "search")
    callers = [threading.Thread(target=kernel) for _ in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert len(made) == 1


def test_a_stop_before_the_run_is_not_lost():
    search, _ = begun("kuhn", Recipe())
    search.stop()
    assert search.run(Budget()).iterations == 0
    assert search.run(Budget(50)).iterations == 50
