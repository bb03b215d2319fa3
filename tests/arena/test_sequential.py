"""The sequential test: what it promises, by simulation and by hand."""

import numpy as np
import pytest

from facedown.arena.backends import Local
from facedown.arena.match import arrange, keep_match, recounted, run_match
from facedown.arena.sequential import Bets, SequentialTest, Stopping, even_share, stopping_of
from facedown.core import SpecError
from facedown.store.store import MEMORY, Store

SHARES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])


def run(rule, chances, deals, seed, even=0.5):
    """The verdict of a test over deals drawn by these chances of the five shares."""
    test, draw = SequentialTest(rule, even), np.random.default_rng(seed)
    for share in draw.choice(SHARES, size=deals, p=chances):
        test.add(float(share))
        if test.verdict != "open":
            break
    return test.verdict


def test_a_fortune_is_the_mean_over_stakes_of_the_products_of_gains():
    bets, shares = Bets(0.4, 1), [0.0, 0.5, 1.0, 1.0, 0.75]
    for share in shares:
        bets.add(share)
    stakes = np.geomspace(0.005, 0.95, 16) / 0.4
    by_hand = np.mean([np.prod([1 + b * (x - 0.4) for x in shares]) for b in stakes])
    assert bets.fortune == pytest.approx(by_hand)


@pytest.mark.parametrize(("m", "sign"), [(0.5, 1), (0.5, -1), (0.3, 1), (0.3, -1)])
def test_no_bet_gains_on_average_where_the_hypothesis_holds(m, sign):
    """Over all five shares with mean m, one deal leaves the fortune at 1 on average, exactly."""
    even = np.array([1 - m, m])
    fortunes = []
    for share in (0.0, 1.0):
        bets = Bets(m, sign)
        bets.add(share)
        fortunes.append(bets.fortune)
    assert float(even @ fortunes) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "chances", [(0.5, 0, 0, 0, 0.5), (0.1, 0.2, 0.4, 0.2, 0.1), (0.02, 0, 0.96, 0, 0.02)]
)
def test_equal_agents_are_seldom_told_apart(chances):
    rule = Stopping(error=0.1)
    wrong = sum(run(rule, chances, 400, seed) != "open" for seed in range(300))
    assert wrong / 300 < 0.1 + 3 * np.sqrt(0.1 * 0.9 / 300)


def test_unequal_agents_are_told_apart_and_seldom_called_even():
    rule = Stopping(error=0.1, margin=0.05)
    better = [run(rule, (0.2, 0, 0.2, 0, 0.6), 1000, seed) for seed in range(100)]
    assert better.count("better") > 95
    assert better.count("worse") == 0
    border = [run(rule, (0.35, 0, 0.2, 0, 0.45), 1500, seed) for seed in range(200)]
    assert border.count("even") / 200 < 0.1 + 3 * np.sqrt(0.1 * 0.9 / 200)


def test_equal_agents_are_called_even_in_time():
    rule = Stopping(error=0.05, margin=0.1)
    verdicts = [run(rule, (0.1, 0.2, 0.4, 0.2, 0.1), 1000, seed) for seed in range(50)]
    assert verdicts.count("even") >= 45


def test_the_interval_holds_the_mean_whenever_one_looks():
    missed = 0
    for seed in range(100):
        test, draw = SequentialTest(Stopping(error=0.1), 0.5), np.random.default_rng(seed)
        for k, share in enumerate(draw.choice(SHARES, size=200, p=(0.1, 0.1, 0.2, 0.2, 0.4)), 1):
            test.add(float(share))
            low, high = test.interval() if k % 20 == 0 else (0.0, 1.0)
            if not low <= 0.675 <= high:
                missed += 1
                break
    assert missed / 100 < 0.1 + 3 * np.sqrt(0.1 * 0.9 / 100)


@pytest.mark.parametrize(
    ("error", "margin", "said"),
    [
        (0.0, None, "stop is 0; an error above 0 and up to 0.5 is wanted"),
        (0.7, None, "stop is 0.7"),
        (float("nan"), None, "stop is nan"),
        (0.05, 0.5, "margin is 0.5; above 0 and below 0.5 is wanted"),
        (0.05, -0.1, "margin is -0.1"),
    ],
)
def test_what_cannot_be_meant_is_refused(error, margin, said):
    with pytest.raises(SpecError, match=said):
        run_match("kuhn", ["random", "scripted"], 10, stopping=Stopping(error, margin))


def test_sides_and_one_agent_alone_have_nothing_to_stop_by():
    with pytest.raises(SpecError, match="no even result"):
        arrange("resistance", ["spies=random", "resistance=random"], 10, stopping=Stopping())
    with pytest.raises(SpecError, match="nobody to be better than"):
        arrange("kuhn", ["random*2"], 10, stopping=Stopping())


def test_an_even_share_goes_by_seats():
    assert even_share([1, 3]) == 0.25
    assert stopping_of(None, None) is None


# --- matches that end early ----------------------------------------------------------------------

STRONG = ("leduc", ["so-ismcts:iterations=50", "random"])


def timeless(result):
    return {name: value for name, value in result.to_json().items() if name != "seconds"}


def test_a_match_ends_at_the_same_game_whoever_was_faster():
    fixture = arrange(*STRONG, 2000, stopping=Stopping(0.2))
    results, kept = [], []
    with Store(MEMORY) as store:
        for jobs in (1, 2):
            match = store.match(fixture.ask(3), new=True)
            results.append(keep_match(fixture, match, backend=Local(jobs)))
            kept.append(match)
        assert timeless(results[0]) == timeless(results[1])
        assert results[0].test["verdict"] == "better"
        assert results[0].games < 2000
        assert results[0].games == 2 * results[0].test["deals"]
        for match in kept:  # what was played beyond the end is gone
            numbers = [record.number for record in match.records()]
            assert numbers == list(range(results[0].games))
            assert (match.done, match.wanted) == (results[0].games,) * 2
            assert recounted(match, fixture.game) == []


def test_a_match_that_was_stopped_ends_at_the_same_game(monkeypatch):
    from facedown.arena import workers

    fixture = arrange(*STRONG, 2000, stopping=Stopping(0.2))
    whole = run_match(*STRONG, 2000, 3, stopping=Stopping(0.2))
    with Store(MEMORY) as store:
        for stop in (5, 11):
            with monkeypatch.context() as patch:
                played = workers.play_planned

                def play(plan, game, number, stop=stop, played=played):
                    if number >= stop:
                        raise KeyboardInterrupt
                    return played(plan, game, number)

                patch.setattr(workers, "play_planned", play)
                with pytest.raises(KeyboardInterrupt):
                    keep_match(fixture, store.match(fixture.ask(3)))
            assert store.match(fixture.ask(3)).done == stop
        assert timeless(keep_match(fixture, store.match(fixture.ask(3)))) == timeless(whole)
