"""Bradley and Terry's ratings: against closed forms, another way to fit, and by simulation."""

import numpy as np
import pytest
from scipy import optimize

from facedown.arena.ratings import ELO, Shares, rate, shares


def drawn(draw, agents, strengths, deals, games=1, seats=(1, 1)):
    """A match by the model: every game has the chances of the strengths."""
    odds = np.array([seats[k] * np.exp(strengths[a]) for k, a in enumerate(agents)])
    chances = odds / odds.sum()
    won = draw.choice(len(agents), size=(deals, games), p=chances)
    unit = np.eye(len(agents))
    return shares(agents, seats, [[unit[w] for w in deal] for deal in won])


def test_two_agents_have_the_odds_of_their_games():
    won = shares(["a", "b"], [1, 1], [[(1, 0)]] * 75 + [[(0, 1)]] * 25)
    first, second = rate([won])
    odds = 75.5 / 25.5  # with the game that all share
    assert first.rating - second.rating == pytest.approx(ELO * np.log(odds))
    error = np.sqrt(1 / (101 * 75.5 * 25.5 / 101**2))
    half = (first.high - first.low) / 2
    assert half == pytest.approx(1.96 * ELO * error / 2, rel=0.03)


def test_three_agents_agree_with_a_fit_by_another_way():
    draw = np.random.default_rng(3)
    truth = {"a": 0.5, "b": 0.0, "c": -0.7}
    pairs = [("a", "b"), ("b", "c"), ("a", "c")]
    matches = [drawn(draw, pair, truth, 200) for pair in pairs]
    found = {one.agent: one.rating for one in rate(matches)}

    def cost(free):
        values = dict(zip("abc", [*free, -sum(free)], strict=True))
        total = 0.0
        for one in matches:
            x = values[one.agents[0]] - values[one.agents[1]]
            total += (one.won[0] + 0.5) * np.logaddexp(0, -x) + (one.won[1] + 0.5) * np.logaddexp(
                0, x
            )
        return total

    best = optimize.minimize(cost, [0.0, 0.0], tol=1e-12).x
    expected = [*best, -sum(best)]
    assert [found[k] / ELO for k in "abc"] == pytest.approx(expected, abs=1e-4)


def test_who_wins_everything_is_finitely_strong_and_not_too_sure():
    won = shares(["a", "b"], [1, 1], [[(1, 0), (1, 0)]] * 50)
    first, second = rate([won])
    low = 1 / (1 + np.exp(-(first.low - second.high) / ELO))
    assert 0.9 < low < 0.99
    assert np.isfinite(first.high)


def test_agents_of_several_seats_are_not_stronger_for_it():
    draw = np.random.default_rng(1)
    won = drawn(draw, ("a", "b"), {"a": 0.0, "b": 0.0}, 4000, seats=(1, 3))
    first, second = rate([won])
    assert abs(first.rating - second.rating) < 40
    assert won.won[0] / won.games == pytest.approx(0.25, abs=0.03)


def test_a_side_that_wins_more_makes_nobody_stronger():
    """Both as strong; whoever has the first side wins nine games of ten."""
    one = shares(["a", "b"], [1, 1], [[(1, 0)]] * 90 + [[(0, 1)]] * 10, ["spies", "others"])
    two = shares(["b", "a"], [1, 1], [[(1, 0)]] * 90 + [[(0, 1)]] * 10, ["spies", "others"])
    first, second = rate([one, two])
    assert first.rating == pytest.approx(second.rating, abs=1e-6)
    assert first.high - first.low < 250


def test_deals_that_cancel_make_surer_and_deals_that_repeat_less_sure():
    plain = shares(["a", "b"], [1, 1], [[(1, 0)], [(0, 1)]] * 100)
    cancel = shares(["a", "b"], [1, 1], [[(1, 0), (0, 1)]] * 100)
    repeat = shares(["a", "b"], [1, 1], [[(1, 0), (1, 0)], [(0, 1), (0, 1)]] * 50)
    wide = [rate([one])[0].high - rate([one])[0].low for one in (cancel, plain, repeat)]
    assert wide[0] < wide[1] / 3
    assert wide[2] == pytest.approx(wide[1] * np.sqrt(2), rel=0.05)


@pytest.mark.parametrize("gap", [0.0, 1.0, 3.0])
def test_intervals_cover_the_truth_about_as_often_as_they_say(gap):
    draw, missed = np.random.default_rng(5), 0
    truth = {"a": gap / 2, "b": 0.0, "c": -gap / 2}
    pairs = [("a", "b"), ("b", "c"), ("a", "c")]
    for _ in range(200):
        found = rate([drawn(draw, pair, truth, 60, games=2) for pair in pairs])
        missed += sum(not one.low <= ELO * truth[one.agent] <= one.high for one in found)
    assert missed / 600 < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)


def test_shares_come_back_from_json():
    one = shares(["a", "b"], [1, 2], [[(1, 0), (0.5, 0.5)]], ["x", "y"])
    assert Shares.from_json(one.to_json()) == one
