"""Simulated people: frozen, calibrated to what was published, and as blind as anybody."""

import pytest

from facedown.agents.registry import check_agent, make_agent
from facedown.arena.match import run_match
from facedown.arena.replay import plies
from facedown.core import SpecError, Stream
from facedown.games.cheat.people import learnt, person
from facedown.games.registry import load_game
from facedown.learn.people import Gathering, behaviour, fingerprint
from support.learning_games import cheat

SAMPLE = Gathering("cheat", 40, 1, 11, 3000)


@pytest.fixture(scope="module")
def sample():
    return list(SAMPLE.play(cheat()))


def test_they_are_as_they_were_frozen():
    assert fingerprint(cheat()) == cheat().people.frozen == "f87c25d63a1317d7"


@pytest.mark.parametrize("figure", ["false claims", "cards taken", "calls"])
def test_they_behave_as_published_within_the_error_of_a_sample(sample, figure):
    count, of = behaviour(cheat(), sample)[figure]
    low, high = cheat().people.published[figure]
    assert of > 1000
    assert low - 0.04 < count / of < high + 0.04


def test_they_differ(sample):
    shares = []
    for record in sample:
        for player in (0, 1):
            own = [move.move for move in record.moves if move.player == player]
            lies, claims = cheat().people.figures(own)["false claims"]
            if claims >= 12:
                shares.append(lies / claims)
    assert min(shares) < 0.25
    assert max(shares) > 0.6
    assert person(1) == person(1) != person(2)


def test_they_lie_more_where_they_cannot_tell_the_truth(sample):
    lies, claims = [0, 0], [0, 0]
    for record in sample:
        before = None
        for move, after in plies(record, cheat()):
            if before is not None and before.turn() == move.player >= 0 and move.move < 16:
                able = any(legal < 8 for legal in before.legal())
                lies[able] += move.move >= 8
                claims[able] += 1
            before = after
    assert lies[0] == claims[0] > 100  # nothing else is left, but a card or a call
    assert 0.1 < lies[1] / claims[1] < 0.45


def test_a_person_decides_by_the_view_alone(sample):
    people, stream, tried = cheat().people, Stream(2), 0
    for _, position in (ply for record in sample[:4] for ply in plies(record, cheat())):
        player = position.turn()
        if player < 0:
            continue
        view, legal = position.view(player), position.legal()
        first = people.act(7, view.record, player, legal, Stream(9))
        for _ in range(3):
            world = view.copy()
            world.determinize(player, stream)
            assert people.act(7, world.view(player).record, player, legal, Stream(9)) == first
            assert people.act(7, position.record, player, legal, Stream(9)) == first
            tried += 1
    assert tried > 60


def test_nobody_is_in_two_pairs_and_seats_alternate():
    games = list(Gathering("cheat", 2, 2, 1, 40).play(cheat()))
    assert [set(game.agents) for game in games] == [
        {f"person:number={n}", f"person:number={n + 1}"} for n in (40, 40, 42, 42)
    ]
    assert games[0].agents == games[1].agents[::-1]
    assert games[0].deal_seed != games[1].deal_seed


def test_results_say_that_people_are_simulated():
    result = run_match("cheat:rounds=6", ["person:number=3", "random"], games=2, seed=1)
    assert "simulated people, not human players" in result.notes
    assert "simulated people" not in " ".join(run_match("kuhn", ["random*2"], 2, 1).notes)


def test_specs_that_cannot_be():
    with pytest.raises(SpecError, match="kuhn has no simulated people"):
        make_agent("person", load_game("kuhn"), 0, 1)
    with pytest.raises(SpecError, match="number=-1: at least 0 is wanted"):
        make_agent("person:number=-1", cheat(), 0, 1)
    with pytest.raises(SpecError, match="pairs is 0"):
        Gathering("cheat", 0, 1, 1)


def test_people_who_learn_notice_and_recall_more_and_begin_as_themselves():
    for number in range(20):
        who = person(number)
        assert learnt(who, 0) == who
        tempers = [learnt(who, played) for played in range(5)]
        alert, memory = [one.alertness for one in tempers], [one.memory for one in tempers]
        assert alert == sorted(alert)
        assert alert[-1] < 1.0
        assert memory == sorted(set(memory))
        assert {one.boldness for one in tempers} == {who.boldness}


def test_how_many_matches_somebody_has_behind_them_is_an_option():
    game = load_game("cheat")
    check_agent("person:played=3", game)
    with pytest.raises(SpecError, match="played=-1: 0 to 1000 is wanted"):
        check_agent("person:played=-1", game)
