"""The Resistance: who sees what, what waits unseen, and which worlds a view allows."""

from collections import Counter
from itertools import combinations

import pytest

from facedown.core import PUBLIC, Stream
from facedown.games.registry import load_game
from facedown.games.resistance.rules import APPROVE, REJECT
from facedown.laws import check_game
from support.playing import game, viewers
from support.resistance_table import dealt, mission, propose, reject, say, send, spec, vote


def told(position, move, viewer):
    """What a viewer is told of a move, in words; None for nothing."""
    number = position.game.parse_move(move, position.legal())
    token = position.sees(number, viewer)
    return position.game.text.observation_text(token, viewer) if token else None


def test_spies_see_who_they_are_and_others_that_they_are_none():
    start = game("resistance").start()
    assert [told(start, "spies 1 3", viewer) for viewer in (PUBLIC, 0, 1, 3)] == [
        "the roles are dealt",
        "you are not a spy",
        "you are a spy: the spies are 1 and 3",
        "you are a spy: the spies are 1 and 3",
    ]
    position = dealt(5, 1, 3)
    masks = [int(position.view(viewer).record["spies"]) for viewer in (PUBLIC, 0, 1, 2, 3, 4)]
    assert masks == [0, 0, 0b1010, 0, 0b1010, 0]
    assert [position.view(v).hidden_text(v) for v in (0, 1)] == ["", ""]
    assert position.hidden_text(0) == position.hidden_text(PUBLIC) == "spies: 1 and 3"
    assert position.hidden_text(1) == ""


def test_votes_wait_unseen_and_are_shown_together():
    position = propose(dealt(5, 0, 1), 0, 2)
    before = {viewer: position.view(viewer).digest() for viewer in viewers(position.game)}
    for player in range(4):
        assert told(position, "approve", player) == "you choose approve"
        others = [viewer for viewer in viewers(position.game) if viewer != player]
        assert {told(position, "reject", viewer) for viewer in others} == {None}
        position.apply(APPROVE if player % 2 else REJECT)
        for viewer in viewers(position.game):
            waits = viewer != PUBLIC and viewer <= player
            assert (position.view(viewer).digest() != before[viewer]) is waits
    assert {told(position, "approve", viewer) for viewer in viewers(position.game)} == {
        "the team is sent: for 1 3 4, against 0 2"
    }


def test_a_view_says_that_the_others_have_to_choose():
    position = say(propose(dealt(5, 0, 1), 0, 2), "approve", "reject", "approve")
    assert position.turn() == 3
    assert [position.view(viewer).turn() for viewer in (0, 1, 2, 3, PUBLIC)] == [1, 0, 0, 0, 0]
    own = position.view(2).record
    assert (int(own["cast"]), int(own["chosen"])) == (0b100, 0b100)


def test_cards_are_told_as_a_number_only():
    position = say(send(dealt(5, 1, 3), 1, 3), "fail")
    for move, number in (("success", "1 failure"), ("fail", "2 failures")):
        seen = f"the cards are turned: {number}"
        assert [told(position, move, viewer) for viewer in (PUBLIC, 0, 1)] == [seen] * 3
        assert told(position, move, 3) == f"{seen} (you chose {move})"


def test_the_record_forgets_who_failed_the_mission():
    first, second = send(dealt(5, 1, 3), 1, 3), send(dealt(5, 1, 3), 1, 3)
    say(first, "fail", "success")
    say(second, "success", "fail")
    assert first.digest() == second.digest()


def test_a_view_holds_every_vote_so_far():
    position = vote(propose(dealt(5, 0, 1), 0, 2), 2)
    mission(position, 3, 4)
    assert "for 0 1" in position.view(4).text(4)
    assert "against 2 3 4  rejected" in position.view(4).text(4)
    other = vote(propose(dealt(5, 0, 1), 0, 2), 1)
    mission(other, 3, 4)
    for viewer in viewers(position.game):
        assert position.infoset(viewer) != other.infoset(viewer)


def naive_weight(spies, sent, own=None):
    """The probability that spies who play at random play so many failures, by counting the ways."""
    if own is not None and own in spies:
        return 0.0
    chance = 1.0
    for team, failures in sent:
        who = [player for player in team if player in spies]
        ways = sum(1 for _ in combinations(who, failures)) if failures <= len(who) else 0
        chance *= ways / 2 ** len(who)
    return chance


def story(players):
    """Missions with and without failures, and a rejected team between; with what was played."""
    spies = {5: (1, 3), 7: (1, 3, 5), 10: (1, 3, 5, 7)}[players]
    position = dealt(players, *spies)
    sizes = position.game.definition.table.sizes
    teams = [(1, 2, 3, 4)[: sizes[0]], tuple(range(sizes[1])), (3, 5, 1, 0, 2)[: sizes[2]]]
    teams = [tuple(player % players for player in team) for team in teams]
    sent = []
    for team, fails in zip(teams, ((1,), (), (3,)), strict=True):
        reject(position)
        fails = tuple(player for player in fails if player in team)
        mission(position, *team, fails=fails)
        sent.append((team, len(fails)))
    return position, sent


@pytest.mark.parametrize("players", [5, 7, 10])
def test_worlds_weigh_as_the_cards_that_were_played(players):
    position, sent = story(players)
    g = game(spec(players))
    configurations = list(combinations(range(players), g.definition.table.spies))
    for viewer in viewers(g):
        view = position.view(viewer)
        known = int(view.record["spies"])
        for k, spies in enumerate(configurations):
            world = view.copy()
            weight = world.world(viewer, k)
            mask = sum(1 << player for player in spies)
            assert world.record["spies"] == mask
            own = None if viewer == PUBLIC else viewer
            expected = float(mask == known) if known else naive_weight(spies, sent, own)
            assert weight == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("viewer", [0, PUBLIC])
def test_worlds_are_drawn_by_their_weights(viewer):
    position, sent = story(5)
    configurations = [*combinations(range(5), 2)]
    own = None if viewer == PUBLIC else viewer
    weights = [naive_weight(spies, sent, own) for spies in configurations]
    counts, stream, n = Counter(), Stream(3), 4000
    for _ in range(n):
        world = position.view(viewer)
        world.determinize(viewer, stream)
        counts[int(world.record["spies"])] += 1
    for spies, weight in zip(configurations, weights, strict=True):
        p = weight / sum(weights)
        share = counts[sum(1 << player for player in spies)] / n
        assert abs(share - p) <= 5 * (p * (1 - p) / n) ** 0.5


def test_worlds_follow_from_all_random_games_with_the_same_public_history():
    """The posterior by brute force: play the first mission of many games at random."""
    counts, stream = Counter(), Stream(9)
    for _ in range(6000):
        spies = stream.choice([*combinations(range(5), 2)])
        position = send(dealt(5, *spies), 0, 1)
        while position.record["phase"] == 3:
            position.apply(stream.choice(position.legal()))
        if position.record["failures"][0] == 1:
            counts[spies] += 1
    seen = mission(dealt(5, 0, 1), 0, 1, fails=(0,)).view(PUBLIC)
    weights = {}
    for k, spies in enumerate(combinations(range(5), 2)):
        weights[spies] = seen.copy().world(PUBLIC, k)
    total, n = sum(weights.values()), sum(counts.values())
    for spies, weight in weights.items():
        p = weight / total
        assert abs(counts[spies] / n - p) <= 5 * (p * (1 - p) / n) ** 0.5


def test_pending_choices_of_others_stay_unmade_in_a_world():
    position = say(send(dealt(5, 1, 3), 1, 3), "fail")
    world = position.view(3)
    assert world.world(3, game("resistance").definition.table.configs.index(0b1010)) == 1.0
    assert (int(world.record["cast"]), world.turn()) == (0, 1)


MORE = [pytest.param(players, marks=pytest.mark.slow) for players in range(6, 11)]


@pytest.mark.parametrize("players", [5, *MORE])
def test_no_law_is_broken(players):
    findings = check_game(lambda: load_game(spec(players)), seed=players, games=2, seconds=8)
    assert findings.ok, findings.text
    for law in ("unseen-moves", "infoset", "worlds-keep-view", "worlds-listed", "worlds-weights"):
        assert findings[law].status == "held", findings[law]
