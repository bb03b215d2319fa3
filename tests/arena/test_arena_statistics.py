"""Intervals and tests against scipy.stats and values worked out by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from facedown.arena.plan import Plan
from facedown.arena.results import Scoreboard, scores
from facedown.arena.statistics import (
    Mean,
    binomial_test,
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
    low, high = stats.t.interval(0.95, 2, 0.75, stats.sem(deals))
    assert (agent.low, agent.high) == (pytest.approx(max(0, low)), pytest.approx(min(1, high)))
    assert agent.standard_error == pytest.approx(stats.sem([1.0, 1.0, 0.5]))
    assert agent.p_value == pytest.approx(stats.ttest_1samp(deals, 0.5).pvalue)
    assert result.agents[1].p_value == pytest.approx(agent.p_value)
    assert result.notes == ()


def test_fresh_deals_have_wilson_intervals_and_an_exact_test_without_draws():
    won = [pays for pays in PAYS if pays[0]]
    agent = board(Plan("g", DUEL, 6, 0, duplicate=False), won).agents[0]
    assert (agent.low, agent.high) == wilson(5 / 6, 6)
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
    assert agent.p_value == pytest.approx(stats.binomtest(6, 6, 2 / 3).pvalue)


def test_deals_without_spread_fall_back_to_wilson():
    agent = board(Plan("g", DUEL, 6, 0), [(1.0, -1.0)] * 6).agents[0]
    assert (agent.low, agent.high) == wilson(1.0, 6)
    assert agent.standard_error == 0.0
    assert agent.p_value == pytest.approx(0.25)
    alone = board(Plan("g", DUEL, 2, 0), [(1.0, -1.0), (-1.0, 1.0)]).agents[0]
    assert (alone.low, alone.high) == wilson(0.5, 2)
    assert alone.standard_error is None
