"""The player of the HyperPlay paper, and its bags under everybody else's searches."""

import pytest

from facedown.agents.analysis import analyse, beliefs
from facedown.agents.registry import check_agent, make_agent
from facedown.arena.match import run_match
from facedown.belief.hyperplay import Bag
from facedown.core import SpecError
from facedown.core.plain import adapt
from facedown.games.registry import load_game
from support import SUPPORT
from support.seats import RECIPES, after, game, play, short
from support.told_agents import BITS, BOMB, KUHN, MOLES, MONTY, Locked, told, values

# --- the paper's player --------------------------------------------------------------------------


def test_monty_halls_contestant_switches():
    """Section 3.5: staying is worth a third of the car, switching two thirds."""
    for seed in range(10):
        agent, truth = told(MONTY, "hyperplay", 0, "car 3", "choose 1", "open 2", seed=seed)
        assert values(agent, truth) == pytest.approx({"stay": 100 / 3, "switch": 200 / 3})
    result = run_match(MONTY, ["hyperplay:samples=1,models=30"], games=300, seed=1)
    agent = result.agents[0]
    assert abs(agent.mean_payoff - 200 / 3) < 4 * agent.standard_error
    assert result.errors == 0


def test_the_bomb_is_never_asked_about():
    """Section 6, example 2: asking is worth 45 to a player who believes its models, waiting 50."""
    agent, truth = told(BOMB, "hyperplay:samples=200", 0, "arm red")
    found = values(agent, truth)
    assert found["ask"] == pytest.approx(45, abs=2)
    assert found["wait"] == pytest.approx(50, abs=2)
    assert truth.game.move_text(agent.choose(truth.view(0), truth.legal())) == "wait"


def test_every_model_has_every_move_tried_equally_often():
    agent, truth = told(KUHN, "hyperplay:samples=7,models=10", 0, "deal Q", "deal K")
    agent.choose(truth.view(0), truth.legal())
    for sums in agent.search.sums_by_label(agent.search.tables).values():
        assert [visits for visits, *_ in sums.values()] == [7, 7]
    assert agent.search.iterations == 7 * 10 * 2
    bag = agent.summary()["bag"]
    assert (bag["models"], bag["active"]) == (10, 10)
    assert bag["states"] >= 20


def test_a_move_that_is_illegal_in_a_model_is_worth_nothing_there():
    """Equation 13."""
    g = adapt(Locked(), "locked.py:Locked")
    truth, agent = g.start(), make_agent("hyperplay", g, 0, 1)
    agent.observe(truth.sees(truth.legal()[0], 0), "")
    truth.apply(truth.legal()[0])
    found = values(agent, truth)
    assert found == pytest.approx({"pass": 0.6, "open": 0.5})


def test_choices_that_are_pending_are_played_not_guessed():
    pennies = f"{SUPPORT / 'tiny.py'}:Pennies"
    agent, truth = told(pennies, "hyperplay:samples=500,models=4", 1, "heads")
    assert values(agent, truth) == pytest.approx({"heads": 0.0, "tails": 0.0}, abs=0.15)


def test_remedies_reach_the_bag():
    made = make_agent("hyperplay:weight=false,rebalance=true,models=7,limit=9", game("kuhn"), 0, 1)
    bag = made.bag
    assert (bag.weigh, len(bag.models)) == ("choices", 7)
    assert make_agent("hyperplay", game("kuhn"), 0, 1).bag.weigh == "distinct"
    with pytest.raises(SpecError, match="samples=0: at least 1 is wanted"):
        make_agent("hyperplay:samples=0", game("kuhn"), 0, 1)
    with pytest.raises(SpecError, match="samples are for each model and move"):
        make_agent("hyperplay:samples=2,seconds=1", game("kuhn"), 0, 1)
    with pytest.raises(SpecError, match="models=0: at least 1 is wanted"):
        make_agent("hyperplay:models=0", game("kuhn"), 0, 1)


# --- worlds for everybody ------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*RECIPES, "mt-ismcts:self=split", "mt-ismcts:self=pure"])
@pytest.mark.parametrize("spec", [KUHN, MOLES, MONTY])
def test_every_search_plays_games_that_draw_no_worlds(spec, name):
    agent = short(name) if ":" not in name else f"{name},iterations=100"
    players = game(spec).players
    result = run_match(spec, [agent, *["random"] * (players - 1)], games=2 * players, seed=3)
    assert result.errors == 0
    assert all(found.forfeits == {} for found in result.agents)


DEALS = {
    "kuhn": (KUHN, 0, [("deal Q", "deal J"), ("deal Q", "deal K")]),
    "moles": (MOLES, 1, [(f"deal {r}", "deal mole", "deal loyal") for r in ("mole", "loyal")]),
}


@pytest.mark.parametrize("name", ["hyperplay", "so-ismcts", "mt-ismcts:self=split"])
@pytest.mark.parametrize("deal", list(DEALS))
def test_what_is_hidden_changes_nothing(deal, name):
    spec, player, deals = DEALS[deal]
    agent = short(name) if ":" not in name else f"{name},iterations=100"
    for plays in range(3):
        first, *others = (play(spec, agent, player, dealt, 9, plays) for dealt in deals)
        assert first.moves
        for other in others:
            assert other.tokens == first.tokens
            assert (other.moves, other.reports) == (first.moves, first.reports)


def test_worlds_are_as_good_as_drawn_ones():
    """A king against what may be a queen or a jack, and a bet: the same values either way."""
    moves = ("deal K", "deal J", "pass", "bet")
    found = [values(*told(spec, "so-ismcts:iterations=4000", 0, *moves)) for spec in ("kuhn", KUHN)]
    assert found[0] == pytest.approx(found[1], abs=0.05)


def test_what_was_observed_is_wanted():
    truth = after(KUHN, "deal Q", "deal K")
    with pytest.raises(SpecError, match="`observed` is wanted"):
        analyse(truth.view(0), "so-ismcts")
    seen, start = [], game(KUHN).start()
    for text in ("deal Q", "deal K"):
        move = start.game.parse_move(text, start.legal())
        seen.append(start.sees(move, 0))
        start.apply(move)
    assert analyse(truth.view(0), "so-ismcts", observed=seen).iterations == 1000
    assert analyse(after("kuhn", "deal Q", "deal K").view(0), "so-ismcts").iterations == 1000


def test_beliefs_come_from_a_bag_too():
    agent, truth = told(KUHN, "so-ismcts", 0, "deal Q", "deal K")
    assert beliefs(truth.view(0), 0) == []
    found = dict(beliefs(truth.view(0), 0, observed=agent.belief.observed))
    assert found == pytest.approx({"player 1 holds J": 0.5, "player 1 holds K": 0.5})


def test_without_a_world_what_comes_nearest_is_searched_and_said():
    moves = ["hide 1", "on"] * 8
    agent, truth = told(BITS, "so-ismcts:models=1,limit=1,iterations=10", 0, *moves)
    assert agent.choose(truth.view(0), truth.legal()) in truth.legal()
    bag = agent.summary()["bag"]
    assert bag["active"] == 0
    assert bag["fallback"].startswith("nearest: ")


def test_a_game_that_draws_worlds_has_no_bag():
    assert not make_agent("so-ismcts", game("kuhn"), 0, 1).remembers
    assert isinstance(make_agent("so-ismcts", game(KUHN), 0, 1).belief, Bag)
    assert not make_agent("cheating-uct", game(KUHN), 0, 1).remembers


def test_known_policies_of_others_are_those_of_the_game():
    """Models follow the rule `prior` where the spec says so; where there is none it is refused."""
    game = load_game("cribbage")
    for spec, wanted in (("hyperplay:models=3", False), ("hyperplay:models=3,policies=true", True)):
        agent = make_agent(spec, game, 0, 1)
        assert agent.bag.priors is wanted
    with pytest.raises(SpecError, match="monty-hall has no rule 'prior' to know them by"):
        check_agent("hyperplay:policies=true", load_game("monty-hall"))
