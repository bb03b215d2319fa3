"""Tiny games that tell the searches apart: strategy fusion, and choices made at once."""

import pytest

from facedown.agents.registry import make_agent
from facedown.search.budget import Budget
from facedown.search.recipe import Identity, Recipe
from facedown.search.search import Search
from support.seats import FUSION, PENNIES, SEARCHING, after, game, short

SEEDS = range(8)


def chosen(spec, truth, agent_spec, seed, player=0):
    agent = make_agent(agent_spec, game(spec), player, seed)
    view = truth.copy() if agent.cheats else truth.view(player)
    return game(spec).move_text(agent.choose(view, truth.legal())), agent


@pytest.mark.parametrize("coin", ["heads", "tails"])
@pytest.mark.parametrize("seed", SEEDS)
def test_determinized_uct_guesses_and_goes_wrong(seed, coin):
    """It names the coin right in every world, so guessing seems to be worth 1 and is worth 0.5."""
    truth = after(FUSION, f"toss {coin}")
    move, agent = chosen(FUSION, truth, "determinized-uct:iterations=4000,worlds=20", seed)
    assert move == "guess"
    assert agent.search.report().best().mean > 0.9


@pytest.mark.parametrize("name", ["so-ismcts", "mo-ismcts", "smooth-uct"])
@pytest.mark.parametrize("seed", SEEDS)
def test_searches_over_information_sets_play_safe(name, seed):
    """The most visited move, for all: the better one by 0.6 to 0.5."""
    truth = after(FUSION, "toss heads")
    move, agent = chosen(FUSION, truth, f"{name}:iterations=4000,final=visits", seed)
    assert move == "safe"
    worth = {candidate.text: candidate.mean for candidate in agent.search.report().candidates}
    assert worth["safe"] == pytest.approx(0.6)
    assert worth["guess"] < 0.6


def test_one_who_sees_the_coin_guesses_right():
    for coin in ("heads", "tails"):
        truth = after(FUSION, f"toss {coin}")
        move, agent = chosen(FUSION, truth, "cheating-uct:iterations=2000", 1)
        assert move == "guess"
        assert agent.search.line() == ("guess", coin)


@pytest.mark.parametrize(
    ("identity", "player"), [(Identity.MULTI, 0), (Identity.MULTI, 1), (Identity.SINGLE, 1)]
)
def test_the_second_penny_does_not_depend_on_the_first_that_is_pending(identity, player):
    """One node for each player: the second player's is the same whatever the first has chosen.

    (A single observer who moves first has it otherwise: all its tree knows what it knows.)
    """
    g = game(PENNIES)
    truth = after(PENNIES, *["heads"] * player)
    search = Search(g, Recipe(identity=identity), truth.view(player), player, truth.legal(), 1).run(
        Budget(500)
    )
    assert search.report().nodes == 2
    visits = [visits for _, visits, _ in search.dump()]
    assert max(visits) == 500
    assert min(visits) >= 498 - 2  # the first few leave the tree at the first player's new moves


@pytest.mark.parametrize("name", ["so-ismcts", "mo-ismcts", "determinized-uct:worlds=10"])
@pytest.mark.parametrize("first", ["heads", "tails"])
def test_the_second_player_shows_either_side_about_as_often(name, first):
    truth, shown = after(PENNIES, first), []
    for seed in range(60):
        options = f"{',' if ':' in name else ':'}iterations=101"
        move, _ = chosen(PENNIES, truth, name + options, seed, player=1)
        shown.append(move)
    assert 15 <= shown.count("heads") <= 45


@pytest.mark.parametrize("name", SEARCHING)
def test_the_second_player_searches_its_own_choice(name):
    """Though in its view the other acts first; depth, where there is one, counts from its own."""
    truth = after(PENNIES, "heads")
    _, agent = chosen(PENNIES, truth, short(name, 1000), 1, player=1)
    candidates = agent.search.report().candidates
    assert sum(candidate.visits for candidate in candidates) > 700
    # what nested players share makes the first of them lean to one side in all simulations
    if name not in ("cheating-uct", "hyperplay-ii-shared"):
        assert all(abs(candidate.mean) < 0.7 for candidate in candidates)


@pytest.mark.parametrize("name", ["so-ismcts", "mo-ismcts", "smooth-uct"])
def test_the_second_player_shows_the_same_whatever_is_pending(name):
    for seed in range(10):
        moves = {
            chosen(PENNIES, after(PENNIES, first), short(name), seed, player=1)[0]
            for first in ("heads", "tails")
        }
        assert len(moves) == 1
