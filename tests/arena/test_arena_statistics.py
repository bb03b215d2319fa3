"""Intervals and tests against scipy.stats and values worked out by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from facedown.arena import statistics
from facedown.arena.plan import Plan
from facedown.arena.results import Scoreboard, scores
from facedown.arena.statistics import (
    Mean,
    binomial_test,
    bounded_interval,
    clustered_mean,
    t_interval,
    t_test,
    wilson,
)
from facedown.store.records import GameRecord


@pytest.mark.parametrize(("wins", "n"), [(0, 5), (5, 5), (7, 20), (500, 1000), (1, 1)])
def test_wilson_agrees_with_scipy(wins, n):
    low, high = stats.binomtest(wins, n).proportion_ci(method="wilson")
    assert wilson(wins / n, n) == pytest.approx((low, high), abs=1e-12)


def test_wilson_of_a_published_example():
    """Newcombe (1998), Statistics in Medicine 17:857, table I: 81 of 263 gives 0.2553 to 0.3662."""
    assert [round(bound, 4) for bound in wilson(81 / 263, 263)] == [0.2553, 0.3662]


@given(st.integers(1, 200), st.floats(0.05, 0.95), st.data())
def test_binomial_test_agrees_with_scipy(trials, chance, data):
    wins = data.draw(st.integers(0, trials))
    expected = stats.binomtest(wins, trials, chance).pvalue
    assert binomial_test(wins, trials, chance) == pytest.approx(expected, rel=1e-6, abs=1e-12)


@given(n=st.integers(1, 400), data=st.data())
def test_bounds_of_games_won_or_lost_are_those_of_clopper_and_pearson(n, data):
    """With all of the cluster more at the nearer bound; else they lie within."""
    wins = data.draw(st.integers(0, n))
    often = {"often": [n - wins, wins]}
    inner = bounded_interval([0, 1], [1, 1], **often)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(statistics, "NEARER", 1.0)
        low, high = bounded_interval([0, 1], [1, 1], **often)
    expected = stats.binomtest(wins, n).proportion_ci(method="exact")
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-5)
    assert low - 1e-5 <= inner[0] <= wins / n + 1e-9
    assert wins / n - 1e-9 <= inner[1] <= high + 1e-5


def test_bounds_of_many_deals_are_those_of_the_normal_distribution():
    deals = [0.0] * 3000 + [0.5] * 4000 + [1.0] * 3000
    mean = clustered_mean(deals, [1] * len(deals))
    assert bounded_interval(deals, [1] * len(deals)) == pytest.approx(t_interval(mean), abs=2e-4)


@given(
    sums=st.lists(st.tuples(st.integers(0, 6), st.integers(1, 3)), min_size=1, max_size=30),
    bounds=st.tuples(st.floats(-3, 3), st.floats(0.1, 5)),
)
def test_bounds_hold_the_mean_and_move_with_the_scale(sums, bounds):
    x = [min(a / 2, n) for a, n in sums]
    n = [n for _, n in sums]
    low, high = bounded_interval(x, n)
    assert 0.0 <= low <= sum(x) / sum(n) + 1e-9
    assert sum(x) / sum(n) - 1e-9 <= high <= 1.0
    base, span = bounds
    scaled = [base * k + span * a for a, k in zip(x, n, strict=True)]
    moved = bounded_interval(scaled, n, base, base + span)
    assert moved == pytest.approx((base + span * low, base + span * high), abs=1e-6)


def test_binomial_test_by_hand():
    assert binomial_test(3, 3, 0.5) == pytest.approx(2 / 8)
    assert binomial_test(2, 2, 1 / 3) == pytest.approx(1 / 9)
    assert binomial_test(4, 4, 1.0) == 1.0


MEANS = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=2, max_size=40)


@given(MEANS.filter(lambda means: len(set(means)) > 1), st.integers(1, 4))
def test_equal_clusters_give_the_t_interval_and_test_over_their_means(means, count):
    mean = clustered_mean([m * count for m in means], [count] * len(means))
    assert mean.error == pytest.approx(stats.sem(means))
    expected = stats.t.interval(0.95, len(means) - 1, sum(means) / len(means), stats.sem(means))
    assert t_interval(mean) == pytest.approx(expected)
    edge = clustered_mean([(m - 0.3) * count for m in means], [count] * len(means))
    assert t_test(edge) == pytest.approx(stats.ttest_1samp(means, 0.3).pvalue)


def test_unequal_clusters_by_hand():
    """Sums 2 and 0 over 2 and 1 items: mean 2/3, residuals 2/3 and -2/3, error sqrt(16/9)/3."""
    mean = clustered_mean([2.0, 0.0], [2, 1])
    assert mean.value == pytest.approx(2 / 3)
    assert mean.error == pytest.approx(math.sqrt(2 * 8 / 9) / 3)


def test_without_spread_the_sign_test_stands_in():
    assert t_test(Mean(0.5, 0.0, 10)) == pytest.approx(2 / 1024)
    assert t_test(Mean(0.0, 0.0, 10)) == 1.0
    assert t_test(Mean(0.5, None, 1)) == 1.0


def test_a_sole_highest_payoff_wins_and_a_shared_one_is_a_draw():
    assert scores([1.0, -1.0]) == [1.0, 0.0]
    assert scores([0.1 + 0.2, 0.3, 0.0]) == [0.5, 0.5, 0.0]
    assert scores([2.0, 2.0]) == [0.5, 0.5]


def board(plan, payoffs):
    filled = Scoreboard(plan)
    seats = len(plan.seats)
    for number, pays in enumerate(payoffs):
        deal, rotation = number // plan.repeats, number % seats
        by_player = tuple(pays[(p - rotation) % seats] for p in range(seats))
        blank = ("",) * seats, (False,) * seats, ()
        filled.add(GameRecord("g", 0, number, deal, 0, rotation, *blank, by_player))
    return filled.result(1.0)


DUEL = (("a", 1), ("b", 1))
PAYS = [(1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (3.0, -3.0), (0.0, 0.0), (1.0, -1.0), (1.0, -1.0)]


def test_duplicate_deals_are_the_unit_of_intervals_errors_and_tests():
    result = board(Plan("g", DUEL, 6, 0), PAYS[:6])
    agent, deals = result.agents[0], [1.0, 0.5, 0.75]
    assert (agent.wins, agent.draws, agent.games, agent.win_rate) == (4, 1, 6, 0.75)
    assert (agent.low, agent.high) == bounded_interval(deals, [1, 1, 1])
    assert agent.standard_error == pytest.approx(stats.sem([1.0, 1.0, 0.5]))
    assert agent.p_value == pytest.approx(stats.ttest_1samp(deals, 0.5).pvalue)
    assert result.agents[1].p_value == pytest.approx(agent.p_value)
    assert result.notes == ()


def test_fresh_deals_have_an_exact_test_without_draws():
    won = [pays for pays in PAYS if pays[0]]
    agent = board(Plan("g", DUEL, 6, 0, duplicate=False), won).agents[0]
    assert (agent.low, agent.high) == bounded_interval([1, 0], [1, 1], often=[5, 1])
    assert agent.p_value == pytest.approx(stats.binomtest(5, 6).pvalue)
    assert agent.standard_error == pytest.approx(stats.sem([1, 1, -1, 3, 1, 1]))
    drawn = board(Plan("g", DUEL, 7, 0, duplicate=False), PAYS)
    expected = stats.ttest_1samp([1, 1, 0, 1, 0.5, 1, 1], 0.5).pvalue
    assert drawn.agents[0].p_value == pytest.approx(expected)
    assert "7 games are no multiple of the 2 rotations" in drawn.notes[0]


def test_an_agent_of_several_seats_wins_a_game_once():
    """Two of three seats: 6 wins in 6 games have a chance of (2/3)**6, not of (1/3)**6."""
    plan = Plan("g", (("a", 2), ("b", 1)), 6, 0, duplicate=False)
    agent = board(plan, [(1.0, 0.0, 0.0)] * 6).agents[0]
    assert (agent.wins, agent.games, agent.win_rate) == (6, 12, 0.5)
    assert (agent.low, agent.high) == bounded_interval([1.0] * 6, [2] * 6, 0.0, 0.5)
    assert agent.high == 0.5  # it wins with one of two seats at most
    both = board(Plan("g", (("a", 2),), 4, 0), [(1.0, 0.0)] * 4).agents[0]
    assert (both.low, both.high) == (0.5, 0.5)  # nobody else can win
    assert agent.p_value == pytest.approx(stats.binomtest(6, 6, 2 / 3).pvalue)


def test_deals_without_spread_are_not_certain():
    agent = board(Plan("g", DUEL, 6, 0), [(1.0, -1.0)] * 6).agents[0]
    assert (agent.low, agent.high) == bounded_interval([1.0] * 3, [1.0] * 3)
    assert agent.low < 0.35
    assert agent.standard_error == 0.0
    assert agent.p_value == pytest.approx(0.25)
    alone = board(Plan("g", DUEL, 2, 0), [(1.0, -1.0), (-1.0, 1.0)]).agents[0]
    assert (alone.low, alone.high) == bounded_interval([1.0], [2])
    assert alone.standard_error is None
