"""Games as environments of PettingZoo and Gymnasium."""

import doctest
import sys
import warnings
from typing import ClassVar

import numpy as np
import pytest

from facedown import Agent, SpecError, Stream, load_game
from facedown.bridges.rl import MissingRLError, aec_env, gym_env
from facedown.bridges.rl.encoding import Actions, Observations, limits, spread
from facedown.core import CHANCE, OVER
from facedown.games.registry import GAMES
from support import EXAMPLES, ROOT
from support.no_choice import Coin

pytest.importorskip("gymnasium", reason="the extra rl is not installed")
pytest.importorskip("pettingzoo", reason="the extra rl is not installed")

PLAIN = f"{EXAMPLES / 'bluff.py'}:Bluff"
ALL = [*GAMES, PLAIN]


@pytest.mark.parametrize("game", ALL)
@pytest.mark.parametrize("places", [None, True])
def test_it_passes_the_checks_of_pettingzoo(game, places, capsys):
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings():  # of dicts, which all of its own card games have too
        warnings.filterwarnings("ignore", message="Observation space for each agent probably")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        warnings.filterwarnings("ignore", message="Action mask numpy array is all zeros")
        api_test(aec_env(game, places=places), num_cycles=25)
        seed_test(lambda: aec_env(game, places=places), num_cycles=25)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.parametrize("game", ALL)
def test_it_passes_the_check_of_gymnasium(game):
    from gymnasium.utils.env_checker import check_env

    last = load_game(game).players - 1
    for seat in {0, last}:
        env = gym_env(game, ["random"], seat, render_mode="ansi")
        check_env(env, skip_render_check=True)
        assert env.render()


def positions(game, seed, most=60):
    """Positions of a random game."""
    stream, truth = Stream(seed), game.start()
    for _ in range(most):
        turn = truth.turn()
        if turn == OVER:
            return
        truth.play(truth.draw(stream) if turn == CHANCE else stream.choice(truth.legal()))
        yield truth.copy()


@pytest.mark.parametrize("name", GAMES)  # all of them have the rule `determinize`
def test_what_is_hidden_changes_no_observation(name):
    env, changed = aec_env(name), 0
    env.reset(seed=1)
    game = env.table.game
    for truth in (one for seed in range(3) for one in positions(game, seed)):
        player = truth.turn()
        if player < 0 or truth.view(player).turn() != player:
            continue
        agent = env.possible_agents[player]
        env.table.truth = truth
        seen = env.observe(agent)
        for k in range(3):
            world = truth.view(player)
            world.determinize(player, Stream(k))
            changed += world.digest() != truth.digest()
            env.table.truth = world
            again = env.observe(agent)
            for part in ("observation", "action_mask"):
                np.testing.assert_array_equal(seen[part], again[part])
    assert changed > 10


@pytest.mark.parametrize("name", ALL)
def test_other_views_give_other_observations_within_bounds(name):
    game = load_game(name)
    numbers = Observations(game)
    by_view = {}
    for truth in (one for seed in range(3) for one in positions(game, seed)):
        view = truth.view(0)
        array = numbers.of(view, 0)
        assert array.dtype == np.float32
        assert (numbers.low <= array).all()
        assert (array <= numbers.high).all()
        assert by_view.setdefault(view.digest(), array.tobytes()) == array.tobytes()
    assert len(set(by_view.values())) == len(by_view) > 1


@pytest.mark.parametrize(
    ("kind", "values", "numbers"),
    [
        ("i1", [-1, 5], [-1, 5]),
        ("u2", [65535], [65535]),
        ("i4", [-1, 65538, -65538], [-1, 0, 2, 1, -2, -1]),
        ("u4", [2**32 - 1], [65535, 65535]),
        ("i8", [5], [1, 0, 1] + [0] * 61),
        ("i8", [-1], [1] * 64),
    ],
)
def test_numbers_are_not_rounded(kind, values, numbers):
    given = spread(np.array(values, kind))
    assert given.tolist() == numbers
    low, high = limits(np.dtype([("field", kind, (len(values),))]))
    assert len(low) == len(high) == len(given)
    assert (low <= given).all()
    assert (given <= high).all()


def test_the_least_and_greatest_of_32_bits_are_within_bounds():
    ends = np.array([-(2**31), 2**31 - 1], "i4")
    low, high = limits(np.dtype([("field", "i4", (2,))]))
    given = spread(ends)
    assert (low <= given).all()
    assert (given <= high).all()


def played(env, seed, games=3):
    """The observations of games that are played by the first legal action."""
    story = []
    for k in range(games):
        observation, info = env.reset(seed=seed if k == 0 else None)
        over = False
        while not over:
            story.append(observation.tobytes())
            action = int(info["action_mask"].argmax())
            observation, reward, over, _, info = env.step(action)
        story.append((observation.tobytes(), reward))
    return story


def test_a_seed_decides_all_games_that_follow():
    first, second = (gym_env("leduc", ["so-ismcts:iterations=20"]) for _ in range(2))
    story = played(first, 5)
    assert played(second, 5) == story == played(first, 5)
    assert played(second, 6) != story


def test_an_illegal_action_forfeits():
    env = gym_env("kuhn", ["random"])
    _, info = env.reset(seed=1)
    wrong = int(info["action_mask"].argmin())
    _, reward, over, cut, info = env.step(wrong)
    assert (reward, over, cut) == (-2.0, True, False)
    assert info["forfeit"] == f"player 0: action {wrong} is not legal"
    assert not info["action_mask"].any()
    with pytest.raises(RuntimeError, match="reset"):
        env.step(0)
    aec = aec_env("kuhn")
    aec.reset(seed=1)
    aec.step(wrong)
    assert aec.rewards == {"player_0": -2.0, "player_1": 2.0}
    assert aec.infos["player_1"]["forfeit"] == info["forfeit"]


@pytest.mark.parametrize("action", [-1, 5, 1.0, "pass", None, True])
def test_what_is_no_action_changes_nothing(action):
    env = aec_env("kuhn")
    with pytest.raises(RuntimeError, match="reset"):
        env.step(0)
    env.reset(seed=1)
    before = env.table.position.digest()
    with pytest.raises(ValueError, match="no action; 0 to 4 is wanted"):
        env.step(action)
    assert env.table.position.digest() == before


class Broken(Agent):
    """Fails at its first move."""

    def choose(self, view, legal):
        raise KeyError("nothing")


class Told(Agent):
    """Keeps what it is told; plays the first legal move."""

    told: ClassVar[list[tuple[str, int]]] = []

    def observe(self, token, text):
        self.told.append((text, self.player))

    def choose(self, view, legal):
        assert view.viewer == self.player
        return legal[0]


def test_an_opponent_that_fails_forfeits():
    env = gym_env("kuhn", [Broken], seat=1)
    _, info = env.reset(seed=1)
    assert "KeyError" in info["forfeit"]
    _, reward, over, _, _ = env.step(0)
    assert (reward, over) == (2.0, True)


def test_opponents_are_told_what_they_see_and_no_more():
    Told.told.clear()
    env = gym_env("kuhn", [Told])
    _, info = env.reset(seed=1)
    env.step(int(info["action_mask"].argmax()))
    dealt = [text for text, player in Told.told if "you" in text.lower()]
    assert {player for _, player in Told.told} == {1}
    assert len(dealt) >= 1
    assert len(Told.told) >= 3


def test_a_game_that_ends_before_the_first_move_is_told_by_the_first_step():
    env = gym_env(Coin, seat=1)
    _, info = env.reset(seed=1)
    assert not info["action_mask"].any()
    _, reward, over, _, _ = env.step(0)
    assert (reward, over) == (-1.0, True)
    aec = aec_env(Coin)
    rewards = set()
    for seed in range(6):
        aec.reset(seed=seed)
        if all(aec.terminations.values()):
            rewards.add(aec.last()[1])
    assert rewards == {1.0}


def test_actions_of_plain_classes_are_places():
    assert Actions(load_game(PLAIN)).places
    assert not Actions(load_game("settlers")).places
    with pytest.raises(SpecError, match="places=True is wanted"):
        aec_env(PLAIN, places=False)


def test_numbers_of_ones_own():
    env = aec_env("leduc", encode=lambda record, player: [record["cards"][player], record["n"]])
    env.reset(seed=1)
    space = env.observation_space("player_0")["observation"]
    assert space.shape == env.observe("player_0")["observation"].shape == (4,)
    growing = aec_env("leduc", encode=lambda record, player: [0] * (1 + int(record["dealt"])))
    growing.reset(seed=1)
    with pytest.raises(SpecError, match="encode gave 3 numbers, and 1 at the start"):
        growing.observe("player_0")


@pytest.mark.parametrize(
    ("how", "wrong"),
    [
        ({"seat": 2}, "seats 0 to 1"),
        ({"opponents": ["random"] * 3}, "3 opponents given for leduc"),
        ({"opponents": []}, "0 opponents given"),
        ({"opponents": ["nobody"]}, "no agent 'nobody'"),
        ({"render_mode": "human"}, "None or 'ansi' is wanted"),
    ],
)
def test_what_does_not_fit_is_told(how, wrong):
    with pytest.raises(SpecError, match=wrong):
        gym_env("leduc", **how)


@pytest.mark.parametrize(("make", "module"), [(aec_env, "aec"), (gym_env, "single")])
def test_the_extra_is_named_where_it_is_missing(make, module, monkeypatch):
    monkeypatch.delitem(sys.modules, f"facedown.bridges.rl.{module}", raising=False)
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(MissingRLError, match=r"pip install 'facedown\[rl\]'"):
        make("kuhn")


def test_the_document_runs():
    path = str(ROOT / "docs" / "rl.md")
    failed, tried = doctest.testfile(path, module_relative=False, verbose=False)
    assert (failed, tried > 8) == (0, True)
