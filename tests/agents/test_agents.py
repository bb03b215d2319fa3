"""Every registered agent plays every registered game, legally and repeatably."""

import pytest

from facedown.agents.base import Agent, RandomAgent
from facedown.agents.registry import make_agent
from facedown.core import CHANCE, SpecError, Stream, derive
from support.playing import SHORT
from support.seats import (
    EVERYWHERE as AGENT_NAMES,
)
from support.seats import (
    FUSION,
    HONEST,
    NESTED,
    PENNIES,
    PLAIN,
    RECIPES,
    REGISTERED,
    SEARCHING,
    after,
    game,
    plain_report,
    short,
    shown,
)

LONG = ("cribbage", "cheat", "resistance", SHORT["settlers"])
EVERYWHERE = [*REGISTERED, "liars-dice:dice=2,faces=3,players=3", *PLAIN, FUSION, PENNIES]


def whole_game(spec, agents, seed):
    """A game among agents; each move must be legal. What was played, and the payoffs."""
    g, stream = game(spec), Stream(derive(seed, "deal"))
    truth = g.start()
    minds = [make_agent(agents[p % len(agents)], g, p, derive(seed, p)) for p in range(g.players)]
    played = []
    while not truth.over:
        turn, legal = truth.turn(), truth.legal()
        if turn == CHANCE:
            move = truth.draw(stream)
        else:
            move = minds[turn].choose(shown(minds[turn], truth, turn), legal)
            assert move in legal
        for mind in minds:
            if token := truth.sees(move, mind.player):
                mind.observe(token, g.text.observation_text(token, mind.player))
        truth.apply(move)
        played.append(move)
    return played, truth.payoff()


@pytest.mark.parametrize("spec", EVERYWHERE)
@pytest.mark.parametrize("name", AGENT_NAMES)
def test_every_agent_plays_every_game_to_its_end_and_the_same_again(name, spec):
    if name == "scripted" and game(spec).scripted is None:
        with pytest.raises(SpecError, match="has no scripted player"):
            make_agent(name, game(spec), 0, 1)
        return
    if name in (*NESTED, "general") and spec in (
        "cribbage",
        "cheat",
        "resistance",
        SHORT["settlers"],
    ):
        pytest.skip("whole games within every decision")
    for seed in range(1 if name == "general" else 2):  # it rehearses whole games
        agents = [short(name, 40), "random"]
        first = whole_game(spec, agents, seed)
        assert first == whole_game(spec, agents, seed)
        low, high = game(spec).bounds
        assert all(low <= payoff <= high for payoff in first[1])


def test_only_the_benchmark_that_says_so_cheats():
    assert set(AGENT_NAMES) - set(HONEST) == {"cheating-uct"}
    assert {"random", "scripted"} == set(AGENT_NAMES) - set(SEARCHING)


@pytest.mark.parametrize("name", SEARCHING)
def test_same_seeds_think_the_same_and_others_do_not(name):
    truth = after("leduc", "deal Q", "deal K")
    reports = []
    for seed in (1, 1, 2):
        agent = make_agent(short(name, 300), game("leduc"), 0, seed)
        agent.choose(shown(agent, truth, 0), truth.legal())
        reports.append(plain_report(agent))
    assert reports[0] == reports[1]
    assert reports[0] != reports[2]


@pytest.mark.parametrize("name", RECIPES)
def test_a_search_can_use_two_threads(name):
    truth = after("leduc", "deal Q", "deal K")
    agent = make_agent(f"{name}:iterations=501,threads=2", game("leduc"), 0, 1)
    assert agent.choose(shown(agent, truth, 0), truth.legal()) in truth.legal()
    assert agent.search.report().iterations == 501
    assert agent.summary()["iterations"] == 501


def test_a_summary_is_plain_data():
    truth = after("leduc", "deal Q", "deal K")
    agent = make_agent("so-ismcts:iterations=200", game("leduc"), 0, 1)
    assert agent.summary() is None
    agent.choose(truth.view(0), truth.legal())
    summary = agent.summary()
    assert summary["iterations"] == 200
    assert {c["move"] for c in summary["candidates"]} == {"call", "raise"}
    assert sum(c["visits"] for c in summary["candidates"]) == 200
    assert RandomAgent(game("kuhn"), 0, 1).summary() is None


def test_flat_monte_carlo_has_no_tree_and_tries_all_alike():
    truth = after("leduc", "deal K", "deal K", "raise", "raise")
    agent = make_agent("flat-mc:iterations=300", game("leduc"), 0, 1)
    agent.choose(truth.view(0), truth.legal())
    report = agent.search.report()
    assert report.nodes == 1
    assert [candidate.visits for candidate in report.candidates] == [150, 150]
    assert agent.decide(report) == report.best("mean").move


def test_the_final_move_by_visits_by_mean_or_by_the_average():
    truth = after("leduc", "deal Q", "deal K")
    for final in ("visits", "mean"):
        agent = make_agent(f"so-ismcts:iterations=300,final={final}", game("leduc"), 0, 1)
        move = agent.choose(truth.view(0), truth.legal())
        assert move == agent.search.report().best(final).move
    agent = make_agent("smooth-uct:iterations=300", game("leduc"), 0, 1)
    agent.choose(truth.view(0), truth.legal())
    report = agent.search.report()
    drawn = [agent.decide(report) for _ in range(2000)]
    for candidate in report.candidates:
        share = candidate.visits / 300
        assert drawn.count(candidate.move) / 2000 == pytest.approx(share, abs=0.06)


def test_random_plays_each_move_as_often():
    truth = after("leduc", "deal Q", "deal K", "raise")
    agent = make_agent("random", game("leduc"), 1, 1)
    drawn = [agent.choose(truth.view(1), truth.legal()) for _ in range(3000)]
    for move in truth.legal():
        assert 900 < drawn.count(move) < 1100


def test_an_agent_that_does_not_choose_says_so():
    truth = after("kuhn", "deal Q", "deal K")
    with pytest.raises(SpecError, match="Agent does not say how it chooses"):
        Agent(game("kuhn"), 0, 1).choose(truth.view(0), truth.legal())
