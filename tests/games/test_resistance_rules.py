"""The Resistance by hand: teams, votes, missions, and how a game ends."""

import re

import pytest

from facedown.core import CHANCE, OVER, SpecError
from facedown.games.registry import load_game
from facedown.games.resistance.rules import APPROVE, FAIL, TEAM
from support.playing import game, names
from support.resistance_table import (
    dealt,
    mission,
    propose,
    reject,
    say,
    send,
    share_of_spies,
    spec,
    spies_won,
    vote,
)

SPIES = {5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4}
SIZES = {
    5: (2, 3, 2, 3, 3),
    6: (2, 3, 4, 3, 4),
    7: (2, 3, 3, 4, 4),
    8: (3, 4, 4, 5, 5),
    9: (3, 4, 4, 5, 5),
    10: (3, 4, 4, 5, 5),
}


@pytest.mark.parametrize("players", [*SPIES])
def test_roles_are_dealt_in_one_move_that_leaves_all_configurations_open(players):
    position = game(spec(players)).start()
    assert position.turn() == CHANCE
    configurations = names(position)
    assert len(set(configurations)) == len(configurations) == game(spec(players)).worlds
    assert all(len(text.split()) == 1 + SPIES[players] for text in configurations)
    position.apply(position.legal()[0])
    assert position.turn() == 0


@pytest.mark.parametrize("players", [*SIZES])
def test_team_sizes_follow_the_mission(players):
    position = dealt(players, *range(SPIES[players]))
    for number, size in enumerate(SIZES[players]):
        assert {len(text.split()) - 1 for text in names(position)} == {size}
        fails = (0,) if number % 2 == 0 else ()  # one failure in missions 1, 3 and 5
        mission(position, *range(size), fails=fails)
    assert spies_won(position)


@pytest.mark.parametrize("players", [0, 4, 11, -5])
def test_other_numbers_of_players_are_refused(players):
    with pytest.raises(SpecError, match=re.escape(f"players={players} in resistance: 5 to 10")):
        load_game(spec(players))


@pytest.mark.parametrize(
    ("players", "failures", "spies_win_it"),
    [(5, 1, True), (6, 1, True), (7, 1, False), (7, 2, True), (10, 1, False), (10, 2, True)],
)
def test_the_fourth_mission_needs_two_failures_with_seven_or_more(players, failures, spies_win_it):
    position = dealt(players, *range(SPIES[players]))
    for number in range(3):
        size = SIZES[players][number]
        mission(position, *range(size), fails=(0,) if number == 0 else ())
    assert position.record["won"] == 1
    mission(position, *range(SIZES[players][3]), fails=tuple(range(failures)))
    assert position.record["won"] == (2 if spies_win_it else 1)
    assert (position.turn() == OVER) is not spies_win_it  # the resistance has its third then
    if not spies_win_it:
        assert not spies_won(position)


def test_one_failure_is_enough_in_the_other_missions_of_seven():
    position = dealt(7, 0, 1, 2)
    for size in SIZES[7][:3]:
        mission(position, *range(size), fails=(1,))
    assert spies_won(position)


def test_more_failures_win_no_more_than_one_mission():
    position = mission(dealt(5, 0, 1), 0, 1, fails=(0, 1))
    assert list(position.record["failures"]) == [2, -1, -1, -1, -1]
    assert position.record["won"] == 1


def test_the_last_mission_decides_a_game_that_stands_at_two_all():
    for fails in ((), (0,)):
        position = dealt(5, 0, 1)
        for number, size in enumerate(SIZES[5][:4]):
            mission(position, *range(size), fails=(0,) if number % 2 else ())
        assert position.turn() != OVER
        mission(position, 0, 2, 3, fails=fails)
        assert spies_won(position) is bool(fails)


def test_three_successes_end_the_game_early():
    position = dealt(5, 0, 1)
    for size in SIZES[5][:3]:
        mission(position, *range(size))
    assert not spies_won(position)


def test_five_rejections_in_one_round_win_for_the_spies():
    position = dealt(5, 0, 1)
    for _ in range(4):
        reject(position)
    assert position.turn() == 4  # the fifth leader
    reject(position)
    assert spies_won(position)
    assert position.record["won"] == 0


def test_rejections_count_anew_in_each_round():
    position = dealt(5, 0, 1)
    for _ in range(4):
        reject(position)
    mission(position, 2, 3)
    for _ in range(4):
        reject(position)
    assert position.turn() == 4
    mission(position, 2, 3, 4)
    assert position.record["round"] == 2


@pytest.mark.parametrize(
    ("players", "approve", "sent"),
    [(5, 2, False), (5, 3, True), (6, 3, False), (6, 4, True), (10, 5, False), (10, 6, True)],
)
def test_a_majority_is_needed_and_a_tie_rejects(players, approve, sent):
    size = SIZES[players][0]
    position = vote(propose(dealt(players, *range(SPIES[players])), *range(1, 1 + size)), approve)
    assert (names(position)[0] in ("success", "fail")) is sent
    assert position.turn() == 1  # the first of the team, or the next leader


def test_the_leader_passes_on_after_every_proposal():
    position = dealt(5, 0, 1)
    leaders = []
    for k in range(4):
        leaders.append(position.turn())
        reject(position) if k % 2 else mission(position, *range(SIZES[5][k // 2]))
    reject(position)
    leaders.append(position.turn())
    assert leaders == [0, 1, 2, 3, 0]


def test_those_who_are_no_spies_must_play_success():
    position = send(dealt(5, 1, 2), 0, 1)
    assert names(position) == ["success"]
    assert names(say(position, "success")) == ["success", "fail"]


def test_the_leader_may_stay_at_home():
    assert "team 3 4" in names(dealt(5, 0, 1))


def any_legal(legal, stream):
    return stream.choice(legal)


def always_sabotaged(legal, stream):
    """Random teams, always approved, always sabotaged."""
    if legal[0] >= TEAM:
        return stream.choice(legal)
    return next((move for move in legal if move in (APPROVE, FAIL)), legal[0])


def test_random_play_is_even_and_blind_trust_is_lost():
    """Known from simulation: 50.2 % and 96.1 %; four standard errors of these runs."""
    assert share_of_spies(1500, 1, any_legal) == pytest.approx(0.502, abs=0.052)
    assert share_of_spies(1500, 2, always_sabotaged) == pytest.approx(0.961, abs=0.02)
