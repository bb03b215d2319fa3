"""The tiny games are what they say."""

from collections import Counter

import pytest

from facedown.core import PUBLIC, Stream
from support.playing import TINY, game, histories, names, played

FUSION, PENNIES = TINY


def test_guessing_is_worth_less_than_safety_but_more_to_one_who_sees_the_coin():
    worth = {}
    for moves, position, reach in histories(game(FUSION).start()):
        if position.over:
            worth[moves[1:]] = worth.get(moves[1:], 0.0) + reach * position.payoff()[0]
    assert worth == pytest.approx(
        {("safe",): 0.6, ("guess", "heads"): 0.5, ("guess", "tails"): 0.5}
    )
    for side in ("heads", "tails"):
        assert played(FUSION, f"toss {side}", "guess", side).payoff() == [1.0]


def test_the_coin_stays_unseen():
    heads, tails = played(FUSION, "toss heads", "guess"), played(FUSION, "toss tails", "guess")
    assert heads.view(0).digest() == tails.view(0).digest()
    drawn, stream = Counter(), Stream(1)
    for _ in range(1000):
        world = heads.view(0)
        world.determinize(0, stream)
        drawn[world.record[0]] += 1
    assert set(drawn) == {"heads", "tails"}
    assert 400 < drawn["heads"] < 600


def test_a_pending_penny_is_withdrawn_and_both_are_shown_together():
    start, pending = game(PENNIES).start(), played(PENNIES, "heads")
    for viewer in (1, PUBLIC):
        assert pending.view(viewer).digest() == start.view(viewer).digest()
        assert start.sees(start.legal()[0], viewer) == 0
    assert pending.turn() == 1
    assert names(pending) == ["heads", "tails"]
    done = played(PENNIES, "heads", "tails")
    assert {done.view(viewer).record for viewer in (0, 1, PUBLIC)} == {("heads", "tails")}


@pytest.mark.parametrize(
    ("first", "second", "gain"),
    [("heads", "heads", 1), ("heads", "tails", -1), ("tails", "heads", -1), ("tails", "tails", 1)],
)
def test_pennies_that_match_go_to_player_0(first, second, gain):
    assert played(PENNIES, first, second).payoff() == [gain, -gain]
