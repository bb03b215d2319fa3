"""Outcome sampling: the kernel is the oracle's, node by node, and the oracle is unbiased."""

import json
import os
import subprocess
import sys

import pytest

from facedown.agents.analysis import analyse
from facedown.agents.registry import make_agent
from facedown.arena.bench import bench
from facedown.arena.exploit import exploit_curve
from facedown.arena.match import run_match
from facedown.core import RuleError, SpecError, Stream, derive
from facedown.core.plain import adapt
from facedown.search.budget import Budget
from facedown.search.outcome import OutcomeSearch
from facedown.search.recipe import Identity, OutcomeSettings, Recipe
from facedown.search.search import NOBODY
from support import CHILD_PATH, EXAMPLES, TESTS
from support.naive_outcome import NaiveOutcome, fold
from support.table_games import PENNIES, PlainKuhn, after, game

PLAIN_KUHN = f"{EXAMPLES / 'kuhn.py'}:Kuhn"
KUHN = ("kuhn", ("deal Q", "deal J", "pass", "bet"))
AIMS = {
    "kuhn first": (*KUHN, 0),
    "kuhn second": ("kuhn", ("deal Q", "deal J", "bet"), 1),
    "kuhn, nobody": ("kuhn", (), NOBODY),
    "kuhn again": ("kuhn", ("deal K", "deal Q", "pass"), 1),
    "plain kuhn": (PLAIN_KUHN, ("deal K", "deal Q", "pass"), 1),
    "leduc": ("leduc", ("deal K", "deal J", "call", "call", "deal K"), 0),
    "dice": ("liars-dice:faces=2", ("roll 2", "roll 1", "1x1"), 1),
    "three": ("liars-dice:faces=2,players=3", ("roll 2", "roll 1", "roll 2", "1x2"), 1),
    "pennies": (PENNIES, ("tails",), 1),  # whose first choice nobody else sees
    "loaded": ("Dice", (), 0),
}
LARGE = ("liars-dice:faces=3,dice=2,players=3", ("roll 1",) * 6, 0)
BLOCKED = (
    "kuhn second",
    "kuhn again",
    "plain kuhn",
    "leduc",
)  # one's own card may be dealt to the other first


def aim(name):
    """The game, the searcher, what it has seen and its legal moves there."""
    spec, moves, player = LARGE if name == "large" else AIMS[name]
    g = game(spec)
    position, seen = g.start(), []
    for text in moves:
        move = g.parse_move(text, position.legal())
        if player != NOBODY and (token := position.sees(move, player)):
            seen.append(token)
        position.apply(move)
    legal = position.legal() if player != NOBODY else []
    return g, player, seen, legal


def recipe(epsilon=0.4, delta=0.9):
    return Recipe(
        identity=Identity.MULTI, belief=("truth",), outcome=OutcomeSettings(epsilon, delta)
    )


def sampled(name, iterations, seed=1, epsilon=0.4, delta=0.9, **options):
    g, player, seen, legal = aim(name)
    made = recipe(epsilon, delta)
    search = OutcomeSearch(g, made, g.start(), player, legal, seed, observed=seen, **options)
    return search.run(Budget(iterations))


def naive(name, iterations, seed=1, epsilon=0.4, delta=0.9):
    g, player, seen, _ = aim(name)
    oracle = NaiveOutcome(g, player, seen, epsilon, delta)
    return oracle.run(iterations, Stream(derive(derive(seed, 0), "search")))


def tree(search):
    """Visits of each node by key; regret and average of each move."""
    tables, found = search.tables, {}
    for node in tables.nodes[tables.nodes["key"] != 0]:
        moves = {
            int(e["move"]): (float(e["total"]), float(e["squares"])) for e in tables.edges_of(node)
        }
        found[int(node["key"])] = int(node["visits"]), moves
    return found


@pytest.mark.parametrize("name", list(AIMS))
@pytest.mark.parametrize("delta", [0.0, 0.5, 0.9])
def test_the_kernel_is_the_oracle_node_by_node(name, delta):
    search, oracle = sampled(name, 300, delta=delta), naive(name, 300, delta=delta)
    found = tree(search)
    assert set(found) == {fold(key) for key in oracle.nodes}
    for key, legal in oracle.nodes.items():
        visits, moves = found[fold(key)]
        assert visits == oracle.visits[key]
        assert set(moves) == set(legal)
        for move, (regret, average) in moves.items():
            assert regret == pytest.approx(oracle.regrets[key, move], rel=1e-6, abs=1e-9)
            assert average == pytest.approx(oracle.averages[key, move], rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("name", list(AIMS))
@pytest.mark.parametrize(("before", "delta"), [(3, 0.5), (40, 0.9), (200, 0.0), (200, 0.7)])
def test_what_is_sampled_is_what_is_meant_on_average(name, before, delta):
    """Exactly: all iterations that can be drawn, by their probabilities, against all histories."""
    oracle = naive(name, before, delta=delta)
    for updated in range(max(oracle.game.players, 2)):
        *sums, dead = oracle.expected(updated)
        for found, wanted in zip(sums, oracle.exact(updated), strict=True):
            for place in {*found, *wanted}:
                assert found[place] == pytest.approx(wanted[place], abs=1e-9)
        assert (dead > 0) == (name in BLOCKED and delta > 0)


def test_the_searcher_comes_to_where_it_stands_in_every_targeted_iteration():
    search = sampled("kuhn first", 2000, delta=0.9)
    visits, _ = tree(search)[search.key]
    assert visits > 1750  # 9 of 10 are targeted, and a few of the others come by
    untargeted = sampled("kuhn first", 2000, delta=0.0)
    assert tree(untargeted)[untargeted.key][0] < 500


def test_the_same_seed_gives_the_same_tree_and_another_another():
    one, again, other = (tree(sampled("leduc", 500, seed)) for seed in (1, 1, 2))
    assert one == again != other


def test_a_search_that_pauses_is_the_search_that_never_did():
    assert tree(sampled("leduc", 300).run(Budget(200))) == tree(sampled("leduc", 500))


def test_tables_that_grow_and_a_tree_at_its_cap():
    grown = sampled("leduc", 20_000)
    assert len(grown.tables.edges) > 512
    assert grown.report().nodes > 200
    small = sampled("large", 20_000, memory=1 << 17)
    assert small.report().bytes <= 1 << 17
    assert small.iterations == 20_000


def test_plain_rules_sample_as_compiled_ones_do():
    """The plain class numbers moves and tokens in its own way: compared by the report's text."""
    plain, compiled = (
        {c.text: (c.visits, c.mean, c.error, c.available) for c in report.candidates}
        for report in (sampled(name, 400).report() for name in ("plain kuhn", "kuhn again"))
    )
    assert set(plain) == set(compiled) == {"pass", "bet"}
    for text, numbers in plain.items():
        assert numbers == pytest.approx(compiled[text])


SWITCHED = ("kuhn first", "leduc", "pennies", "three")


def flat(name):
    """A tree as a list of numbers."""
    return [
        [key, visits, *(number for move in sorted(moves) for number in (move, *moves[move]))]
        for key, (visits, moves) in sorted(tree(sampled(name, 120)).items())
    ]


@pytest.mark.parametrize(
    "switch", ["NUMBA_DISABLE_JIT", pytest.param("NUMBA_BOUNDSCHECK", marks=pytest.mark.slow)]
)
def test_without_the_compiler_and_with_bounds_checked(switch):
    """In a process of its own: the switches are read once."""
    code = "import json, test_outcome_sampling as t; print(json.dumps([*map(t.flat, t.SWITCHED)]))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={
            **os.environ,
            switch: "1",
            "PYTHONPATH": os.pathsep.join([CHILD_PATH, str(TESTS / "search")]),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for found, name in zip(json.loads(done.stdout), SWITCHED, strict=True):
        for numbers, wanted in zip(found, flat(name), strict=True):
            assert numbers == pytest.approx(wanted, rel=1e-9, abs=1e-12)


def test_threads_sample_apart_and_are_merged():
    one, two = sampled("leduc", 2000), sampled("leduc", 2000, threads=2)
    assert two.iterations == 2000
    assert two.report().candidates[0].available == pytest.approx(
        one.report().candidates[0].available, rel=0.1
    )


# --- equilibria ----------------------------------------------------------------------------------


def test_the_average_strategy_approaches_an_equilibrium_of_kuhn():
    # over 12 seeds: 0.086 to 0.199, then 0.0040 to 0.0076
    curve = exploit_curve(game("kuhn"), "oos", [1000, 300_000], seeds=3, mode="average").points
    assert 0.05 < curve[0].exploitability < 0.25
    assert max(curve[1].each) < 0.012


def test_the_average_strategy_comes_nearer_an_equilibrium_of_leduc():
    # over 6 seeds: 1.04 to 1.58, then 0.09 to 0.17
    points = exploit_curve(game("leduc"), "oos", [10_000, 1_000_000], mode="average").points
    assert points[0].exploitability > 0.7
    assert points[1].exploitability < 0.25


def test_aimed_at_a_decision_it_still_approaches_the_equilibrium():
    """With a king against a bet, call; with a jack, fold."""
    for card, move in (("K", "bet"), ("J", "pass")):
        g = game("kuhn")
        truth = after(g, f"deal {card}", "deal Q", "pass", "bet")
        seen = [2 + 1 + "JQK".index(card), 6, 1, 2]
        report = analyse(truth.view(0), "oos:iterations=20000", observed=seen)
        best = report.best()
        assert best.text == move
        assert best.visits > 0.9 * best.available
        assert best.mean == pytest.approx(2.0 if card == "K" else -1.0)


# --- the agent -----------------------------------------------------------------------------------

WRONG = {
    "oos:epsilon=0": "epsilon=0.0: more than 0, at most 1 is wanted",
    "oos:epsilon=1.5": "epsilon=1.5: more than 0, at most 1 is wanted",
    "oos:epsilon=nan": "epsilon=nan in oos: a number is wanted",
    "oos:delta=1": "delta=1.0: at least 0, less than 1 is wanted",
    "oos:delta=-0.1": "delta=-0.1: at least 0, less than 1 is wanted",
    "oos:iterations=0": "iterations=0: at least 1 is wanted",
    "oos:threads=0": "threads=0: at least 1 is wanted",
    "oos:c=1": "oos has no option 'c'; its options: iterations, seconds, cpu",
}


@pytest.mark.parametrize("spec", list(WRONG))
def test_a_wrong_spec_gets_one_line(spec):
    with pytest.raises(SpecError) as caught:
        make_agent(spec, game("kuhn"), 0, 1)
    assert WRONG[spec] in str(caught.value)


def test_what_it_has_seen_must_be_told():
    truth = after(game("kuhn"), "deal Q", "deal J")
    with pytest.raises(SpecError, match="`observed` is wanted"):
        analyse(truth.view(0), "oos")
    with pytest.raises(SpecError, match="needs a recipe with an `outcome`"):
        OutcomeSearch(game("kuhn"), Recipe(), truth, 0, [], 1)


def test_one_tree_serves_a_game_and_the_report_is_of_the_decision():
    g = game("kuhn")
    agent, truth = make_agent("oos:iterations=500", g, 0, 1), g.start()
    searches = []
    for text in ("deal Q", "deal J", "pass", "bet", "pass"):
        move = g.parse_move(text, truth.legal())
        if truth.turn() == 0:
            agent.choose(truth.view(0), truth.legal())
            searches.append((agent.search, agent.search.report().iterations))
        agent.observe(truth.sees(move, 0), "")
        truth.apply(move)
    assert [iterations for _, iterations in searches] == [500, 500]
    assert searches[0][0] is searches[1][0]
    assert searches[1][0].iterations == 1000


def test_it_draws_by_its_average_strategy():
    search = sampled("leduc", 3000)
    report = search.report()
    total = sum(candidate.visits for candidate in report.candidates)
    assert total == pytest.approx(report.candidates[0].available)
    agent = make_agent("oos", game("leduc"), 0, 3)
    drawn = [agent.decide(report) for _ in range(2000)]
    for candidate in report.candidates:
        share = candidate.visits / total
        assert drawn.count(candidate.move) / 2000 == pytest.approx(share, abs=0.06)


def test_where_nothing_was_sampled_it_plays_anything():
    search = sampled("leduc", 1)
    assert set(search.shares(search.tables).values()) == {1 / 2}


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "liars-dice:players=3", "cribbage", PENNIES])
def test_it_plays_every_game(spec):
    players = game(spec).players
    result = run_match(spec, ["oos:iterations=60", *["random"] * (players - 1)], games=2, seed=1)
    assert result.errors == 0


class Blind(PlainKuhn):
    """Kuhn poker that draws no worlds."""

    determinize = property()  # nothing to be found there


def test_a_game_without_determinize():
    g = adapt(Blind(), "Blind")
    assert not g.has("determinize")
    agent, truth = make_agent("oos:iterations=50", g, 0, 1), after(g, "deal Q", "deal K")
    agent.require()
    assert agent.choose(truth.view(0), truth.legal()) in truth.legal()


class Broken(PlainKuhn):
    """Kuhn poker that cannot count its chips after a bet that was passed on."""

    def payoff(self, s):
        if s[2] == "bp":
            raise ArithmeticError("lost count")
        return super().payoff(s)


def test_what_a_rule_raises_is_raised_with_the_moves():
    g = adapt(Broken(), "Broken")
    search = OutcomeSearch(g, recipe(), g.start(), NOBODY, (), 1)
    with pytest.raises(RuleError, match="lost count") as caught:
        search.run(Budget(1000))
    assert caught.value.moves[2:] == ("bet", "pass")
    assert caught.value.seed == 1


def test_it_can_be_timed():
    timed = bench("kuhn", "oos:iterations=2000")
    assert timed.iterations == 2000
    assert timed.nodes == 12
