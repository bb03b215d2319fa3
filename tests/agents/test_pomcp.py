"""POMCP's agents: their recipes, in Settlers and in another game with kinds and a bucket."""

from dataclasses import replace

import numpy as np
import pytest

from facedown.agents.pomcp import SOFTENED
from facedown.agents.registry import agent_class, check_agent, make_agent
from facedown.belief.factored import Factored
from facedown.core import CHANCE, NOTHING, PUBLIC, SpecError, Stream
from facedown.games.registry import load_game
from facedown.search.network import Network
from facedown.search.preferences import Preferences
from facedown.search.recipe import Growth, Identity
from support import EXAMPLES
from support.seats import POMCP, game

PEEK = f"{EXAMPLES / 'peek.py'}:Peek"


@pytest.fixture
def prefs(tmp_path):
    kinds = game(PEEK).kind_names
    Preferences("Peek", kinds, {0b011: (3, 1, 0)}, {}).save(tmp_path / "prefs.json")
    return str(tmp_path / "prefs.json")


@pytest.fixture
def network(tmp_path):
    traits = game(PEEK).traits
    layers = ((np.array([[0.0], [0.0], [1.0], [0.0], [-5.0]]), np.zeros(1)),)
    (tmp_path / "network.json").write_text(Network("Peek", traits, layers, {}).packed())
    return str(tmp_path / "network.json")


@pytest.mark.parametrize("name", POMCP)
def test_what_the_paper_says_of_each(name):
    recipe = agent_class(name, game(PEEK)).base
    own = Identity.BUCKET if name == "pomcp-mo" else Identity.OWN_BUCKET
    assert (recipe.identity, recipe.bandit) == (own, "puct")
    assert (recipe.growth, recipe.final, recipe.playout.depth) == (Growth.NODE, "visits", 50)
    informed, network = "-ts" in name or name == "pomcp-mo", name == "pomcp-nn"
    assert recipe.c == (4.0 if informed or network else 0.5)
    assert recipe.kind_priors == ("conditioned" if informed else None)
    assert recipe.network == network
    assert recipe.mu
    assert recipe.temperature == (7.0 if informed else SOFTENED if network else 1.0)
    rollouts = name.endswith("-cr") or name == "pomcp-mo"
    assert recipe.playout.kinds == ("conditioned" if rollouts else "uniform")
    assert recipe.unchosen == "share"


@pytest.mark.parametrize("name", POMCP)
def test_they_play_any_game_with_kinds_and_a_bucket(name, prefs, network):
    spec = f"{name}:preferences={prefs}" + (f",network={network}" if name == "pomcp-nn" else "")
    agent = make_agent(f"{spec},iterations=200", game(PEEK), 0, 1)
    truth = game(PEEK).start()
    truth.apply(game(PEEK).parse_move("deal 2", truth.legal()))
    assert agent.choose(truth.view(0), truth.legal()) in truth.legal()
    assert agent.report().iterations == 200
    assert make_agent(spec, game(PEEK), 0, 1).budget.iterations == 10_000


def test_options_say_how_the_open_points_are_read(prefs):
    spec = f"pomcp-ts-cr:preferences={prefs},bandit=puct-printed,unchosen=none,c=2"
    agent = make_agent(spec, game(PEEK), 0, 1)
    base = agent_class("pomcp-ts-cr", game(PEEK)).base
    assert agent.recipe == replace(
        base, bandit="puct-printed", unchosen="none", c=2.0, preferences=prefs, bucket=True
    )
    with pytest.raises(SpecError, match="unchosen"):
        make_agent("pomcp:unchosen=some", game(PEEK), 0, 1)


def test_best_in_settlers_has_preferences_in_the_tree_and_beyond_it():
    settlers = load_game("settlers")
    agent = make_agent("best:iterations=20", settlers, 0, 1)
    recipe = agent.recipe
    assert (recipe.kind_priors, recipe.playout.kinds) == ("conditioned", "conditioned")
    assert recipe.final == "visits"
    position, stream = settlers.start(), Stream(1)
    while position.turn() != 0:
        position.apply(position.draw(stream))
    assert agent.choose(position.view(0), position.legal()) in position.legal()


def test_what_is_missing_is_told_before_anything_is_played(tmp_path):
    with pytest.raises(SpecError, match="kuhn has no rule 'bucket'"):
        check_agent("pomcp", game("kuhn"))
    with pytest.raises(SpecError, match="want preferences=FILE"):
        check_agent("pomcp-ts", game(PEEK))
    with pytest.raises(SpecError, match="cannot be read"):
        check_agent(f"pomcp-cr:preferences={tmp_path / 'none.json'}", game(PEEK))
    with pytest.raises(SpecError, match="no network comes with Peek"):
        check_agent("pomcp-nn", game(PEEK))
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(SpecError, match="holds no network: it is not JSON"):
        check_agent(f"pomcp-nn:network={tmp_path / 'bad.json'}", game(PEEK))
    with pytest.raises(SpecError, match="leduc has no rule 'traits'"):
        check_agent("so-ismcts:network=yes", game("leduc"))
    with pytest.raises(SpecError, match="is not JSON"):
        check_agent(f"pomcp-cr:preferences={tmp_path / 'bad.json'}", game(PEEK))


def test_in_settlers_worlds_come_from_the_factored_belief():
    settlers = load_game("settlers")
    agent = make_agent("pomcp:iterations=60", settlers, 1, 1)
    assert isinstance(agent.belief, Factored)
    position, stream, asked = settlers.start(), Stream(2), 0
    while asked < 4:
        legal = position.legal()
        if position.turn() == 1 and len(legal) > 1:
            assert agent.choose(position.view(1), legal) in legal
            assert agent.report().iterations == 60
            asked += 1
        move = position.draw(stream) if position.turn() == CHANCE else stream.choice(legal)
        token, public = position.sees(move, 1), position.sees(move, PUBLIC)
        position.apply(move)
        if token != NOTHING:
            agent.observe(token, "")
        if public != NOTHING:
            agent.overhear(public)
    assert not agent.belief.lost
