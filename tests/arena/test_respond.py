"""A responder that searches: what it wins beside what a best response wins."""

import pytest

import facedown
from facedown.arena.exploit import exploit_curve
from facedown.arena.respond import Responder, Task
from facedown.core import SpecError
from facedown.games.registry import load_game
from support import SUPPORT
from support.running import run


@pytest.mark.parametrize(
    ("game", "agent", "games", "exact"),
    [("kuhn", "random", 2000, 11 / 24), ("leduc", "random", 1500, 2.373611)],
)
def test_it_wins_most_of_what_can_be_won_and_no_more(game, agent, games, exact):
    (point,) = exploit_curve(
        load_game(game), agent, mode="search", games=games, think=600, seed=3
    ).points
    error = point.errors[0]
    assert point.exploitability >= 0.8 * exact
    assert point.exploitability <= exact + 2 * error
    assert point.exact >= exact - 1e-6  # of the policy as it was asked, by chance not uniform


def test_against_a_search_in_kuhn():
    how = {"games": 600, "think": 500, "seeds": 16}
    found = facedown.exploit("kuhn", "so-ismcts", [20], mode="search", seed=2, **how)
    (point,) = found.points
    assert found.infosets == 12
    assert 0.8 * point.exact - 2 * point.errors[0] < point.exploitability
    assert point.exploitability < point.exact + 2 * point.errors[0]


@pytest.mark.parametrize(("agent", "reply"), [("Honest", "pass"), ("Bluffer", "bet")])
def test_it_believes_what_the_policy_tells(agent, reply):
    """A queen that faces a bet folds to one who bets kings alone, and calls one who bets jacks."""
    game = load_game("kuhn")
    task = Task(game, f"{SUPPORT / 'crooked_players.py'}:{agent}", think=200)
    truth, seen = game.start(), []
    for text in ("deal K", "deal Q", "bet"):
        move = game.parse_move(text, truth.legal())
        seen += [token] if (token := truth.sees(move, 1)) else []
        truth.play(move)
    responder = Responder(game, task.policy(0), 1, seed=1, think=200)
    assert game.move_text(responder.choose(tuple(seen), truth.choices())) == reply


def test_in_a_game_that_nobody_enumerates():
    found = run("exploit", "liars-dice", "scripted", "--mode", "search", "--games", "4",
                "--think", "40", "--seeds", "2", "--json").json  # fmt: skip
    assert (found["infosets"], found["points"][0]["exact"]) == (None, None)
    assert len(found["points"][0]["errors"]) == 3


def test_what_cannot_be_meant_is_refused():
    with pytest.raises(SpecError, match="games is 1; at least 2"):
        exploit_curve(load_game("kuhn"), "random", mode="search", games=1)
    with pytest.raises(SpecError, match="played by 5"):
        exploit_curve(load_game("resistance"), "random", mode="search")
    refused = run("exploit", "kuhn", "random", "--think", "5")
    assert (refused.status, "is for --mode search" in refused.err) == (2, True)
