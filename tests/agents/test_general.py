"""The player for any game: it values information where the rules reward it, by any name."""

import re

import pytest

from facedown.agents.analysis import analyse
from facedown.agents.base import preparing
from facedown.agents.inquiry import StoppedError
from facedown.agents.probe import Probe, Verdict, probe, prober
from facedown.agents.registry import make_agent
from facedown.agents.rehearsal import Rehearsal, Way, rehearsal
from facedown.arena.match import run_match
from facedown.games.registry import load_game
from facedown.gdl.library import find
from support import SUPPORT
from support.scrambled import scrambled
from support.seats import game

AVERAGES = Way("so-ismcts:mast=0.4", iterations=300)
PLAYS = {
    "exploding-bomb": "hyperplay-ii-shared",
    "monty-hall": "mo-ismcts",
    "cooperative-spies": "mo-ismcts",
    "tic-tac-toe": "so-ismcts",
}


@pytest.mark.parametrize("name", list(PLAYS))
def test_the_same_choice_by_any_other_name(name, tmp_path):
    assert make_agent("general", game(name), 0, 1).chosen == PLAYS[name]
    text = find(name).read_text()
    file = tmp_path / "w.kif"
    file.write_text(scrambled(text, 7))
    assert not re.search(rf"\b{name.split('-')[0]}\b", file.read_text())
    other = load_game(f"gdl:{file}")
    assert make_agent("general", other, 0, 1).chosen == PLAYS[name]


def test_where_nothing_is_hidden_it_plays_out_as_a_rehearsal_shows():
    """Averages win nearly every game in knightthrough, and lose as many in connect four."""
    assert make_agent("general", game("knightthrough"), 0, 1).chosen == "so-ismcts:mast=0.4"
    assert make_agent("general", game("connect-four"), 0, 1).chosen == "so-ismcts"
    held = rehearsal(game("connect-four"), "so-ismcts", AVERAGES)
    assert (held.verdict, held.played < 24, held.points < 2) == (False, True, True)
    agent = make_agent("general:iterations=20", game("knightthrough"), 0, 1)
    truth = game("knightthrough").start()
    agent.choose(truth.view(0), truth.legal())
    assert agent.summary()["plays"] == "so-ismcts:mast=0.4"
    assert agent.summary()["iterations"] == 20


def test_where_players_choose_at_once_the_tree_has_to_show_that_it_is_better():
    game = load_game("goofspiel-5")
    assert probe(game).together
    assert not probe(load_game("nim")).together
    agent = make_agent("general", game, 0, 1)
    agent.prepare()
    assert agent.chosen == "hyperplay"
    assert make_agent("general:host=so-ismcts", game, 0, 1).wanted == "so-ismcts"


def test_where_information_has_value_a_tree_is_tried_if_there_is_little_time(monkeypatch):
    """HyperPlay-II has one or two simulations of a move in 0.02 s of battleships in fog."""
    fog = load_game("battleships-in-fog")
    monkeypatch.setattr(prober(fog), "verdict", Verdict(True, ((40.0, 2.0),), 12))
    held = rehearsal(fog, "hyperplay-ii-shared", Way("so-ismcts", cpu=0.02, games=100, likely=0.5))
    for found, chosen in ((True, "so-ismcts"), (False, "hyperplay-ii-shared")):
        monkeypatch.setattr(held, "verdict", found)
        assert make_agent("general:cpu=0.02", fog, 0, 1).chosen == chosen
        for enough in ("cpu=1", "iterations=5", "iterations=5,seconds=0.02"):
            agent = make_agent(f"general:{enough}", fog, 0, 1)
            assert agent.chosen == "hyperplay-ii-shared"
    alone = game("exploding-bomb")  # whose luck would decide
    assert make_agent("general:cpu=0.02", alone, 0, 1).chosen == "hyperplay-ii-shared"


def test_a_rehearsal_by_time_gives_both_as_much():
    held = Rehearsal(game("small-poker"), "so-ismcts", Way("hyperplay", cpu=0.002, games=6), 0)
    assert held.run() in (True, False)
    assert held.played == 6
    assert held.states > 600


def test_a_rehearsal_that_is_stopped_goes_on_and_comes_to_the_same():
    specs = "so-ismcts", Way("so-ismcts:mast=0.4", iterations=20)
    held = Rehearsal(game("knightthrough"), *specs, 0)
    held.stop()
    with pytest.raises(StoppedError):
        held.run()
    held.begin()
    held.wait(600)
    again = Rehearsal(game("knightthrough"), *specs, 0)
    assert held.verdict == again.run()
    assert (held.points, held.played, held.states) == (again.points, again.played, again.states)


@pytest.mark.parametrize("name", ["monty-hall", "nim"])
def test_a_rehearsal_of_one_way_against_itself_shows_nothing(name):
    """For one player by payoffs, each playing alone; for two against each other."""
    same = Way("so-ismcts", iterations=10)
    assert Rehearsal(game(name), "so-ismcts", same, 0).run() is False


def test_without_time_a_rehearsal_goes_on_beside_the_match():
    open_game = load_game("knightthrough")
    with preparing(0.0):
        agent = make_agent("general:iterations=20", open_game, 0, 1)
    assert agent.chosen == "so-ismcts"
    prober(open_game).wait(600)
    agent.allow(0.5)
    rehearsal(open_game, "so-ismcts", AVERAGES).wait(600)
    agent.allow(0.5)
    assert agent.chosen == "so-ismcts:mast=0.4"


def test_what_a_probe_finds():
    bomb = probe(game("exploding-bomb"))
    assert bomb.valued
    assert bomb.losses[0][0] > 10  # asking is worth 40 more than waiting, at every other decision
    assert bomb.states < 1_000_000
    monty = probe(game("monty-hall"))
    assert monty.hidden
    assert not monty.valued
    nothing = probe(game("tic-tac-toe"))
    assert not nothing.hidden
    assert (nothing.losses, nothing.decisions, nothing.valued) == ((), 0, False)
    assert probe(game("exploding-bomb")) is bomb


def test_a_probe_needs_no_rule_file():
    bomb = f"{SUPPORT / 'doors.py'}:ExplodingBomb"
    agent = make_agent("general", game(bomb), 0, 1)
    assert agent.chosen == "hyperplay-ii-shared"
    assert make_agent("general", game("kuhn"), 0, 1).chosen == "mo-ismcts"


def test_whom_it_chose_is_told_all_that_it_is_told():
    agent = make_agent("general:host=mo-ismcts,iterations=5", game("kuhn"), 0, 1)
    agent.allow(0.5)
    assert agent.inner.budget.seconds == 0.5
    told = []
    agent.inner.overhear = lambda token: told.append(token)
    agent.inner.clocked = lambda player, seconds: told.append((player, seconds))
    agent.overhear(7)
    agent.clocked(1, 2.5)
    assert told == [7, (1, 2.5)]
    assert agent.pace() is None


def test_it_plays_and_reports_like_whom_it_chose():
    result = run_match("exploding-bomb", ["general"], games=6, seed=1)
    assert result.errors == 0
    assert result.agents[0].mean_payoff == 90.0  # it asks
    agent = make_agent("general:iterations=70", game("tic-tac-toe"), 0, 1)
    truth = game("tic-tac-toe").start()
    agent.choose(truth.view(0), truth.legal())
    assert agent.summary()["plays"] == "so-ismcts"
    assert agent.summary()["iterations"] == 70
    report = analyse(truth.view(0), "general:iterations=50,host=mo-ismcts", observed=[])
    assert report.iterations == 50


def test_without_time_it_plays_on_and_knows_better_later():
    bomb = load_game("exploding-bomb")
    with preparing(0.0):
        agent = make_agent("general:iterations=20", bomb, 0, 1)
    assert agent.chosen in ("hyperplay", "hyperplay-ii-shared")  # the probe may be quick
    agent.observe(5, "five")
    prober(bomb).wait(600)
    agent.allow(0.5)
    assert agent.chosen == "hyperplay-ii-shared"
    assert agent.inner.belief.observed == [5]
    assert agent.inner.budget.seconds == 0.5


def test_a_probe_that_is_stopped_goes_on_and_comes_to_the_same():
    bomb = load_game("exploding-bomb")
    probe = Probe(bomb, 0)
    probe.stop()
    with pytest.raises(StoppedError):
        probe.run()
    probe.begin()
    probe.wait(600)
    assert probe.verdict == Probe(bomb, 0).run()


def test_rules_in_python_are_not_probed_beside_a_game():
    doors = load_game(f"{SUPPORT / 'doors.py'}:ExplodingBomb")
    with preparing(0.0):
        agent = make_agent("general", doors, 0, 1)
    assert agent.verdict is None
    assert agent.chosen == "hyperplay"
