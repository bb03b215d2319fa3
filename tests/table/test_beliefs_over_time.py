"""Beliefs over time: what could be believed at each decision, beside the truth."""

import xml.etree.ElementTree as ElementTree
from functools import cache, partial

import pytest

from facedown.agents.registry import make_agent
from facedown.arena.game import Header, play_game
from facedown.core import CHANCE
from facedown.games.registry import load_game
from facedown.table.belief_picture import belief_picture, words_of
from facedown.table.believed import RULES, beliefs_over_time, told_apart
from support import EXAMPLES

PLAIN = f"{EXAMPLES / 'kuhn.py'}:Kuhn"
TOLD = {
    "kuhn": "player 1 holds",
    "leduc": "player 1 holds",
    "cribbage": "player 1 holds",
    "cheat": "player 1 holds",
    "liars-dice:dice=2": "player 1 has a",
    "phantom-ttt": "o is on",
    "resistance": "spies:",
    "resistance:players=7": "is a spy",
    "settlers:board=1,turns=12": "has",
    "gdl:krieg-tic-tac-toe-3x3": "mark",
    "gdl:monty-hall": "car",
}


@cache
def recorded(spec, seed=3):
    game = load_game(spec)
    makers = [partial(make_agent, "random", seed=player) for player in range(game.players)]
    header = Header(("random",) * game.players, seed, 0, 0)
    return game, play_game(game, makers, seed, header=header)


@pytest.mark.parametrize("spec", TOLD)
def test_the_truth_is_never_held_for_impossible(spec):
    game, record = recorded(spec)
    viewer = next((p for p in range(game.players) if _hidden(game, record, p)), 0)
    history = beliefs_over_time(record, game, viewer, samples=300, models=60, most=12)
    assert history.moments
    assert any(TOLD[spec] in fact for fact in history.facts())
    for moment in history.moments:
        assert record.moves[moment.ply].player == moment.player != CHANCE
        assert all(0 < share <= 1 for share in moment.shares.values())
        certain = {fact for fact, share in moment.shares.items() if share > 1 - 1e-9}
        assert certain <= moment.truth or not moment.shares


def _hidden(game, record, viewer):
    return any(m.truth for m in beliefs_over_time(record, game, viewer, samples=1, most=3).moments)


def test_in_kuhn_the_share_of_each_other_card_is_a_half_with_the_truth_marked():
    game, record = recorded("kuhn")
    history = beliefs_over_time(record, game, 0, samples=4000)
    first = history.moments[0]
    assert [round(share, 1) for share in first.shares.values()] == [0.5, 0.5]
    assert first.truth == {f"player 1 holds {record.moves[1].text[-1]}"}
    assert history.exclusive
    assert "(true)" in words_of(history)


def test_the_same_seed_gives_the_same_history_and_plain_json():
    import json

    game, record = recorded("cribbage")
    first, again = (beliefs_over_time(record, game, 1, samples=50, most=6) for _ in range(2))
    assert first == again
    assert len(first.moments) == 6
    assert first.moments[-1].ply == max(
        k for k, move in enumerate(record.moves) if move.player != CHANCE
    )
    assert json.loads(json.dumps(first.to_json())) == first.to_json()


def test_a_plain_class_and_an_agent_that_infers():
    game, record = recorded(PLAIN)
    assert beliefs_over_time(record, game, 0).facts() == [] or _hidden(game, record, 0)
    game, record = recorded("kuhn")
    history = beliefs_over_time(record, game, 0, agent="mt-ismcts:iterations=200")
    assert history.who == "mt-ismcts:iterations=200"
    assert history.exclusive
    fallback = beliefs_over_time(record, game, 0, agent="so-ismcts:iterations=10")
    assert fallback.who == RULES  # it keeps nothing of what it was told
    assert fallback == beliefs_over_time(record, game, 0)


def test_it_can_be_ended():
    class EnoughError(Exception):
        pass

    def stop(done, of):
        raise EnoughError

    game, record = recorded("cribbage")
    with pytest.raises(EnoughError):
        beliefs_over_time(record, game, 0, progress=stop)


@pytest.mark.parametrize("spec", TOLD)
def test_the_picture_marks_the_truth(spec):
    game, record = recorded(spec)
    viewer = next((p for p in range(game.players) if _hidden(game, record, p)), 0)
    history = beliefs_over_time(record, game, viewer, samples=60, models=30, most=10)
    drawn = belief_picture(history)
    root = ElementTree.fromstring(drawn)
    assert root.get("role") == "img"
    kinds = {element.get("class") for element in root.iter()}
    assert kinds & {"fb-dot", "fb-true"}
    assert "prefers-color-scheme: dark" in drawn


def test_an_open_game_has_nothing_to_tell():
    game, record = recorded("gdl:tic-tac-toe")
    assert "nothing was hidden" in belief_picture(beliefs_over_time(record, game, 0))


def test_what_facts_have_in_common():
    assert told_apart(["a b", "a c"]) == ("a", ["b", "c"])
    assert told_apart(["a", "a"]) == ("", ["a", "a"])


def test_what_was_known_all_along_is_not_drawn():
    game, record = recorded("gdl:krieg-tic-tac-toe-3x3")
    history = beliefs_over_time(record, game, 0, samples=60, models=30)
    assert "turn 1" in history.facts()
    assert "turn 1" not in history.facts(26)
    assert "turn 1<" not in belief_picture(history)
