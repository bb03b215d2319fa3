"""Cheat's views and worlds: a lie looks like the truth, and worlds are exact."""

from collections import Counter

import pytest

from facedown.core import CHANCE, PUBLIC, Stream
from facedown.games.cheat.state import UNSEEN
from facedown.laws.statistics import chi_squared, tail
from support.cheat_table import dealt, exact, play, shares
from support.playing import game, random_moves, viewers

MINE, YOURS = "2 2 2 4 5 9 J K", "A 4 4 6 8 9 T Q"


@pytest.mark.parametrize("viewer", [1, PUBLIC])
def test_a_lie_looks_like_the_truth(viewer):
    truth = dealt(MINE, YOURS, "3")
    before = truth.view(viewer).digest()
    lie = play(truth.copy(), "lie lower 2")
    assert lie.view(viewer).digest() == before  # nobody sees it before it is complete
    play(lie, "lay 5")
    assert lie.view(viewer).digest() == before
    assert lie.sees(lie.game.parse_move("lay K", lie.legal()), viewer) == truth.sees(
        truth.game.parse_move("true lower 2", truth.legal()), viewer
    )
    play(lie, "lay K")
    play(truth, "true lower 2")
    assert lie.view(viewer).digest() == truth.view(viewer).digest()
    assert lie.infoset(viewer) == truth.infoset(viewer)
    assert truth.view(viewer).record["line"][0] == UNSEEN + 5


def test_the_liar_knows_and_so_does_everybody_after_a_call():
    position = play(dealt(MINE, YOURS, "3"), "lie lower 2", "lay 5", "lay K")
    assert position.view(0).record["laid"][0] == 0xD5
    assert position.view(1).record["laid"][0] == 0
    play(position, "call")
    for viewer in viewers(position.game):
        assert position.view(viewer).record["laid"][0] == 0xD5
        assert position.view(viewer).record["line"][0] == 13


def test_what_the_other_takes_stays_unknown():
    position = play(dealt(MINE, YOURS, "3"), "take", "draw 7", "take", "draw 8")
    assert position.view(0).record["laid"][:2].tolist() == [7, 0]
    assert position.view(1).record["laid"][:2].tolist() == [0, 8]
    assert position.view(PUBLIC).record["laid"][:2].tolist() == [0, 0]


def sampled(position, viewer, n, stream):
    view, counts = position.view(viewer), Counter()
    for _ in range(n):
        world = view.copy()
        world.determinize(viewer, stream)
        counts[world.digest()] += 1
    return counts


@pytest.mark.parametrize("viewer", [0, 1, PUBLIC])
@pytest.mark.parametrize(
    "spec", ["cheat:ranks=3,copies=2,cards=2,rounds=7", "cheat:ranks=4,copies=2,cards=3,rounds=8"]
)
def test_worlds_have_the_frequencies_of_an_exact_filter(spec, viewer):
    """Claims unseen, lies shown, cards taken before and after, piles: the law to the letter."""
    stream, total, freedom, seen = Stream(8), 0.0, 0, Counter()
    for seed in range(8):
        for position, belief in exact(spec, seed, viewer):
            wanted = shares(belief)
            found = sampled(position, viewer, max(400, 20 * len(wanted)), stream)
            assert set(found) <= set(wanted)
            statistic, degrees = chi_squared(found, wanted)
            assert tail(statistic, degrees) > 1e-7, (seed, position.record["n"])
            total, freedom = total + statistic, freedom + degrees
            seen.update(int(code) for code in position.view(viewer).record["line"])
    assert tail(total, freedom) > 1e-4
    assert min(seen[code] for code in (8, 16, 17, 18)) > 0  # a lie shown, calls, takes, unseen


def test_worlds_of_long_games_fit_the_view():
    """A hundred rounds of how people play: whatever is tried in vain, a world comes out."""
    g = game("cheat")
    for seed in range(2):
        stream, position = Stream(seed), g.start()
        while not position.over:
            if position.turn() == CHANCE:
                position.apply(position.draw(stream))
                continue
            for viewer in viewers(g) if position.record["n"] % 9 == 0 else ():
                view = position.view(viewer)
                world = view.copy()
                world.determinize(viewer, stream)
                assert world.view(viewer).digest() == view.digest()
                assert sum(int(cards) for cards in world.record["cards"]) == int("4" * 13, 16)
            rules = g.rules
            position.apply(rules.python["playout"](rules.ctx, position.address, stream.address))
        assert position.record["n"] > 20


@pytest.mark.parametrize("seed", range(6))
def test_moves_and_keys_do_not_depend_on_what_is_hidden(seed):
    """Other worlds of the view in which the last claim is as true: the same moves, the same key."""
    g, stream, compared = game("cheat"), Stream(seed), 0
    for position, _ in random_moves(g, seed):
        player = position.turn()
        if player < 0:
            continue
        for _ in range(4):
            world = position.view(player)
            world.determinize(player, stream)
            assert world.legal() == position.legal()
            assert world.infoset(player) == position.infoset(player)
            if secret(world, player) == secret(position, player):
                assert world.bucket(player) == position.bucket(player)
                compared += 1
            view = position.view(player)
            assert view.bucket(player) | 0x80000003 == position.bucket(player) | 0x80000003
    assert compared > 10


def secret(position, viewer):
    rules = position.game.rules
    return rules.python["secret"](rules.ctx, position.address, viewer)


def test_the_secret_is_the_truth_of_the_claim_just_made():
    position = dealt(MINE, YOURS, "3")
    assert secret(position, 0) == 0
    true = play(position.copy(), "true lower 1")
    assert [secret(true, viewer) for viewer in (0, 1)] == [0, 1]
    lie = play(position.copy(), "lie lower 1", "lay K")
    assert [secret(lie, viewer) for viewer in (0, 1)] == [0, 2]
    assert secret(lie.view(1), 1) == 0
    assert secret(play(lie, "call"), 0) == 0


def test_both_secrets_are_drawn():
    view = play(dealt(MINE, YOURS, "3"), "true lower 1").view(1)
    stream, labels = Stream(2), Counter()
    for _ in range(400):
        world = view.copy()
        world.determinize(1, stream)
        labels[secret(world, 1)] += 1
    assert min(labels[1], labels[2]) > 60
    assert labels.total() == labels[1] + labels[2]
