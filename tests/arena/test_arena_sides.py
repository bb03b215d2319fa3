"""Matches of sides: who plays whom, how often each deal comes, what the result says."""

import json
from collections import Counter

import pytest

from facedown.agents.registry import make_agent
from facedown.arena import planned
from facedown.arena.match import run_match
from facedown.arena.replay import replay
from facedown.arena.sides import by_side, seating
from facedown.core import SpecError, derive
from facedown.games.registry import load_game
from facedown.store.records import read_records

SPY, LOYAL = "random", "naive"
SIDES = [f"spies={SPY}", f"resistance={LOYAL}"]


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    file = tmp_path_factory.mktemp("sides") / "games.jsonl"
    result = run_match("resistance", SIDES, games=20, seed=4, save=file)
    return result, list(read_records(file))


def test_every_spy_plays_one_agent_and_everyone_else_the_other(played):
    for record in played[1]:
        spies = {int(word) for word in record.moves[0].text.split()[1:]}
        agents = [SPY if player in spies else LOYAL for player in range(5)]
        assert list(record.agents) == agents


def test_all_configurations_come_equally_often(played):
    counts = Counter(record.moves[0].text for record in played[1])
    assert len(counts) == 10
    assert set(counts.values()) == {2}


def test_records_replay(played):
    for record in played[1]:
        assert tuple(replay(record).payoff()) == record.payoffs


def test_the_result_has_one_entry_for_each_side(played):
    result, records = played
    plain = json.loads(json.dumps(result.to_json()))
    assert [(agent["side"], agent["spec"]) for agent in plain["agents"]] == [
        ("spies", SPY),
        ("resistance", LOYAL),
    ]
    won = sum(record.payoffs[record.agents.index(SPY)] for record in records)
    spies, resistance = result.agents
    assert (spies.wins, resistance.wins) == (won, 20 - won)
    assert spies.games == resistance.games == 20
    assert spies.low < spies.win_rate == won / 20 < spies.high
    assert spies.mean_payoff == pytest.approx(won / 20)
    assert result.notes == ()


def test_processes_make_no_difference(played):
    again = run_match("resistance", SIDES, games=20, seed=4, jobs=2)
    assert again.agents == played[0].agents


def test_a_number_of_games_that_favours_some_deals_is_told():
    result = run_match("resistance", ["resistance=random", "spies=random"], games=3, seed=1)
    assert "3 games are no multiple of the 10 ways to deal the sides" in result.notes[0]
    assert [agent.side for agent in result.agents] == ["spies", "resistance"]


def test_a_match_without_sides_names_none():
    result = run_match("kuhn", ["random*2"], games=2, seed=1)
    assert [agent.side for agent in result.agents] == [None]


def test_seating_follows_the_deals():
    game = load_game("resistance")
    seats = seating(game)
    assert len(seats) == game.worlds
    assert all(row.count(0) == 2 for row in seats)
    assert seats[0] == (0, 0, 1, 1, 1)


REFUSED = [
    ("resistance", ["spies=random"], "no agent for resistance; SIDE=AGENT is wanted for each of"),
    (
        "resistance",
        ["spy=random", "resistance=random"],
        "no side 'spy' in resistance; sides: spies",
    ),
    ("resistance", ["spies=random", "random*3"], "'random\\*3' has no side, others have"),
    ("resistance", ["spies=random", "spies=random"], "spies is given twice"),
    ("resistance", ["spies=", "resistance=random"], "spies=AGENT is wanted"),
    ("resistance", ["spies=random*2", "resistance=random"], "spies=AGENT is wanted"),
    ("resistance", ["spies=nobody", "resistance=random"], "no agent 'nobody'; .*naive, logical"),
    ("kuhn", ["spies=random", "resistance=random"], "kuhn has no sides"),
]


@pytest.mark.parametrize(("game", "agents", "words"), REFUSED)
def test_sides_that_do_not_fit_are_refused(game, agents, words):
    with pytest.raises(SpecError, match=words):
        run_match(game, agents, games=1)


def test_options_and_files_are_no_sides():
    game = load_game("resistance")
    assert by_side(["so-ismcts:iterations=5", "mine.py:Mine:depth=3"], game) is None


def test_agents_are_made_alike_whatever_side_they_are_on(monkeypatch):
    """Nothing that an agent is made from depends on the deal: it learns its side from its view."""
    made = []
    monkeypatch.setattr(
        planned, "make_agent", lambda *given: made.append(given) or make_agent(*given)
    )
    run_match("resistance", ["spies=random", "resistance=random"], games=10, seed=2)
    assert [(spec, player, seed) for spec, _, player, seed in made] == [
        ("random", player, derive(2, "agent", number, player))
        for number in range(10)
        for player in range(5)
    ]
