"""The scripted players of The Resistance: what each promises, from its view alone."""

from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facedown.core import CHANCE, Stream
from facedown.games.resistance.careful import FIRM, watched
from facedown.games.resistance.rules import APPROVE, FAIL, PLAYING, REJECT, SUCCESS, TEAM, VOTING
from facedown.games.resistance.text import proposals
from support.playing import game, random_moves
from support.resistance_table import dealt, mission, propose, reject, say, send, spec, vote

NAMES = ("naive", "logical", "bluffer", "watchful")


def choice(position, name, seed=1, player=None):
    """What a scripted player would do, given nothing but its view."""
    player = position.turn() if player is None else player
    view = position.view(player)
    play = position.game.scripts[name]
    return play(view.record, player, position.legal(), Stream(seed))


def vote_of(position, name, player):
    assert position.record["phase"] == VOTING
    return choice(position, name, player=player)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("players", [5, 7, 10])
@given(seed=st.integers(0, 2**63))
@settings(max_examples=4, deadline=None)
def test_they_play_legal_moves_everywhere(name, players, seed):
    for position, move in random_moves(game(spec(players)), seed):
        if move >= 0 and position.turn() != CHANCE:
            assert choice(position, name, seed) in position.legal()


def can_be_clean(position, player):
    """Whether any deal that the player must hold for possible has no spy on the team."""
    view, team = position.view(player), int(position.record["team"])
    for k in range(position.game.worlds):
        world = view.copy()
        if world.world(player, k) > 0.0 and not int(world.record["spies"]) & team:
            return True
    return False


@pytest.mark.parametrize("name", ["logical", "bluffer", "watchful"])
@given(seed=st.integers(0, 2**63))
@settings(max_examples=10, deadline=None)
def test_the_logical_never_approve_what_cannot_be_clean(name, seed):
    for position, _ in random_moves(game("resistance"), seed):
        if position.record["phase"] != VOTING:
            continue
        for player in range(5):
            spy = int(position.record["spies"]) >> player & 1
            if not spy and vote_of(position, name, player) == APPROVE:
                assert can_be_clean(position, player)


def test_the_naive_trust_until_a_mission_fails_and_always_sabotage():
    position = mission(propose_and_check(), 0, 2, fails=(0,))
    propose(position, 2, 3, 4)
    assert vote_of(position, "naive", 2) == APPROVE  # knows about itself
    assert vote_of(position, "naive", 3) == REJECT
    position = send(dealt(5, 0, 1), 0, 1)
    assert choice(position, "naive") == FAIL


def propose_and_check():
    position = dealt(5, 0, 1)
    assert vote_of(propose(position.copy(), 0, 1), "naive", 4) == APPROVE
    return position


def test_one_of_two_logical_spies_sabotages():
    position = send(dealt(5, 0, 1), 0, 1)
    cards = []
    while position.record["phase"] == PLAYING:
        cards.append(choice(position, "logical"))
        position.apply(cards[-1])
    assert sorted(cards) == [SUCCESS, FAIL]


def test_a_logical_spy_does_not_waste_a_failure_that_is_not_enough():
    position = dealt(7, 0, 1, 2)
    for size in (2, 3, 3):
        mission(position, *range(3, 3 + size)) if size == 2 else mission(
            position, *range(size), fails=(0,)
        )
    send(position, 2, 3, 4, 5)  # the fourth mission, which two failures are needed for
    assert position.record["round"] == 3
    assert choice(position, "logical") == SUCCESS


def test_logical_spies_reject_the_last_team_and_the_others_approve_it():
    position = dealt(5, 0, 1)
    for _ in range(4):
        reject(position)
    propose(position, 2, 3)
    assert [vote_of(position, "logical", player) for player in range(5)] == [
        REJECT,
        REJECT,
        APPROVE,
        APPROVE,
        APPROVE,
    ]


def test_a_bluffer_lets_the_first_mission_pass_and_not_one_that_decides():
    position = send(dealt(5, 0, 1), 0, 3)
    assert choice(position, "logical") == FAIL
    assert choice(position, "bluffer") == SUCCESS
    late = mission(mission(dealt(5, 0, 1), 2, 3), 2, 3, 4)
    assert choice(send(late, 0, 3), "bluffer") == FAIL  # the resistance would have won


def test_a_bluffing_spy_votes_as_if_it_were_none():
    for team in ((0, 2), (1, 2), (3, 4)):
        spy = vote_of(propose(dealt(5, 1, 4), *team), "bluffer", 1)
        loyal = vote_of(propose(dealt(5, 0, 4), *team), "logical", 1)
        assert spy == loyal


@pytest.mark.parametrize("name", NAMES)
def test_leaders_go_themselves(name):
    for spies in ((0, 1), (3, 4)):
        assert (choice(dealt(5, *spies), name) - TEAM) & 1


# --- watchful -------------------------------------------------------------------------------------


def by_votes(position, player):
    """Weights of worlds by missions and votes, reckoned by hand, proposal by proposal.

    The rates are how often people approve: [a spy is on the team][the voter is one].
    """
    rates = ((0.82, 0.38), (0.54, 0.69))
    table, found = position.game.definition.table, {}
    for spies in table.configs:
        weight = 0.0 if spies >> player & 1 else 1.0
        for past in proposals(table, position.record):
            bad, inside = bool(past.team & spies), (past.team & spies).bit_count()
            if past.failures is not None:
                ways = comb(inside, past.failures) if past.failures <= inside else 0
                weight *= ways * 0.75**past.failures * 0.25 ** (inside - past.failures)
            for p in range(5):
                yes = past.votes >> p & 1
                share = [rates[bad][k] if yes else 1 - rates[bad][k] for k in (0, 1)]
                weight *= (2 * share[spies >> p & 1] / sum(share)) ** 0.5
        found[spies] = weight
    return found


@pytest.mark.parametrize("approve", [3, 4])
def test_the_watchful_go_by_votes_and_missions(approve):
    """Who is on the team that it leads with, and which teams it approves, by hand."""
    position = vote(propose(dealt(5, 3, 4), 0, 3), approve)
    for card in (SUCCESS, FAIL):
        position.apply(card)
    for leader, teams in ((1, ((0, 1, 2), (1, 2, 4), (0, 2, 3))), (2, ())):
        weights = by_votes(position, leader)

        def clean(team, weights=weights):
            mask = sum(1 << p for p in team)
            return sum(w for spies, w in weights.items() if not spies & mask) / sum(
                weights.values()
            )

        best = max(clean(team) for team in combinations(range(5), 3) if leader in team)
        chosen = choice(position, "watchful", player=leader) - TEAM
        assert clean([p for p in range(5) if chosen >> p & 1]) == pytest.approx(best)
        for team in teams:
            asked = propose(position.copy(), *team)
            assert (vote_of(asked, "watchful", leader) == APPROVE) == (
                clean(team) >= FIRM[0] * best
            )
        reject(position)


def test_a_watchful_spy_votes_in_the_first_round_as_if_it_were_none():
    """0 and 1 are spies; from the second mission on they approve what has a spy on it."""
    position = propose(dealt(5, 0, 1), 0, 2)
    assert vote_of(position, "logical", 1) == APPROVE
    assert vote_of(position, "watchful", 1) == REJECT
    later = propose(mission(dealt(5, 0, 1), 2, 3), 1, 3, 4)
    assert vote_of(later, "watchful", 0) == APPROVE


def test_a_watchful_spy_lets_the_first_mission_pass_and_not_one_that_decides():
    careful, lax = (vote(propose(dealt(5, 0, 1), 0, 2), approve) for approve in (3, 4))
    assert choice(careful, "watchful") == SUCCESS
    assert choice(lax, "watchful") == FAIL  # 3 approved a team that it is not on
    second = send(mission(dealt(5, 0, 1), 0, 2), 0, 2, 3)
    assert choice(second, "watchful") == FAIL
    lost = mission(mission(dealt(5, 0, 1), 2, 3), 2, 3, 4)
    both = send(lost, 0, 1)  # one more and the spies have lost: two failures are safer than one
    assert [choice(both, "watchful", player=p) for p in (0, 1)] == [FAIL, FAIL]


def watched_by(*approving):
    """What a spy makes of how the others voted on the second mission's team.

    0 and 1 are spies. 2, who was sent with 0, had 3 and 4 against them, and 0 sabotaged.
    """
    position = propose(dealt(5, 0, 1), 0, 2)
    for player in range(5):
        position.apply(APPROVE if player < 3 else REJECT)
    for card in (FAIL, SUCCESS):
        position.apply(card)
    say(position, "team 1 3 4")
    for player in range(5):
        position.apply(APPROVE if player in approving else REJECT)
    return position


def test_who_watches_votes_is_seen_by_theirs():
    """1 approved what was sabotaged; 3 and 4 may hold that against it."""
    context = game("resistance").definition.without_model
    blind, sharp = watched_by(0, 1, 3, 4), watched_by(0, 1)
    assert watched(context, blind.view(0).record) < 0.0
    assert watched(context, sharp.view(0).record) == -watched(context, blind.view(0).record)
    assert watched(context, dealt(5, 0, 1).view(0).record) == 0.0
