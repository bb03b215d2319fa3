"""Cheat's claims supposed true, or lies: only such worlds, exactly as likely as they were."""

from collections import Counter, defaultdict

import pytest

from facedown.core import CHANCE, PUBLIC, Stream
from facedown.laws.statistics import chi_squared, tail
from support.cheat_table import dealt, exact, play, shares
from support.playing import game

TRUE, FALSE = 1, 2


def drawn(view, viewer, n, stream):
    for _ in range(n):
        world = view.copy()
        world.determinize(viewer, stream)
        yield world


def by_label(belief, viewer):
    """The worlds of an exact belief, put apart by what they hide of the last action."""
    found = defaultdict(dict)
    for key, (world, weight) in belief.items():
        found[world.secret(viewer)][key] = (world, weight)
    return found


@pytest.mark.parametrize(
    ("spec", "viewer"),
    [
        ("cheat:ranks=3,copies=2,cards=2,rounds=7", 0),
        ("cheat:ranks=3,copies=2,cards=2,rounds=7", PUBLIC),
        ("cheat:ranks=4,copies=2,cards=3,rounds=8", 1),
    ],
)
def test_supposed_worlds_are_those_of_an_exact_filter(spec, viewer):
    """Every label that some history has, no other; and given the label the law to the letter."""
    stream, total, freedom, seen = Stream(9), 0.0, 0, Counter()
    for seed in range(8):
        for position, belief in exact(spec, seed, viewer):
            view, parts = position.view(viewer), by_label(belief, viewer)
            supposed = view.supposed(viewer)
            assert set(supposed) == set(parts), (seed, position.record["n"])
            for label, wanted in parts.items():
                n = max(200, 20 * len(wanted))
                worlds = drawn(supposed[label], viewer, n, stream)
                counts = Counter(world.digest() for world in worlds)
                assert set(counts) <= set(wanted)
                statistic, degrees = chi_squared(counts, shares(wanted))
                assert tail(statistic, degrees) > 1e-7, (seed, position.record["n"], label)
                total, freedom = total + statistic, freedom + degrees
                seen[label] += 1
    assert tail(total, freedom) > 1e-4
    assert min(seen[label] for label in (0, TRUE, FALSE)) > 5


@pytest.mark.parametrize("cards", [3, 4])
def test_a_label_that_a_sample_hardly_ever_shows(cards):
    """A true claim of three or four cards right after the deal."""
    position = dealt("2 2 2 2 5 9 J K", "A 4 4 6 8 9 T Q", "3")
    view = play(position, f"true lower {cards}").view(1)
    stream = Stream(4)
    shown = Counter(world.secret(1) for world in drawn(view, 1, 2000, stream))
    assert shown[TRUE] < 40
    for label, supposed in view.supposed(1).items():
        for world in drawn(supposed, 1, 200, stream):
            assert world.secret(1) == label
            assert world.view(1).digest() == view.digest()
    assert set(view.supposed(1)) == {TRUE, FALSE}


def test_labels_that_are_impossible_are_not_listed():
    """He who holds two twos himself knows that three are a lie; no claim has no label."""
    position = dealt("2 2 4 5 9 J K K", "A 2 2 6 8 9 T Q", "3")
    lie = play(position.copy(), "lie lower 3", "lay 5", "lay K", "lay K")
    assert set(lie.view(1).supposed(1)) == {FALSE}
    assert set(play(position.copy(), "true lower 2").view(1).supposed(1)) == {TRUE, FALSE}
    assert set(position.view(1).supposed(1)) == {0}
    assert set(lie.view(0).supposed(0)) == {0}
    assert set(play(lie, "call").view(0).supposed(0)) == {0}


def test_the_last_card_cannot_be_a_lie_where_it_is_known():
    """Caught, he takes up two cards; one is called and shown, so the other is no secret."""
    position = dealt("2", "3", "A", "cheat:ranks=3,copies=2,cards=1")
    play(position, "lie lower 1", "lay 2", "call", "true lower 1")
    assert set(position.view(1).supposed(1)) == {TRUE, FALSE}
    play(position, "call", "true lower 1")
    assert set(position.view(1).supposed(1)) == {TRUE}


def test_the_truth_is_always_among_what_can_be_supposed():
    """All through games as people play them, also with many claims unseen."""
    g, asked, unseen = game("cheat"), 0, 0
    for seed in range(12):
        stream, position = Stream(seed), g.start()
        while not position.over:
            if position.turn() == CHANCE:
                position.apply(position.draw(stream))
                continue
            player = position.turn()
            label, supposed = position.secret(player), position.view(player).supposed(player)
            assert label in supposed
            for other, view in supposed.items():
                (world,) = drawn(view, player, 1, stream)
                assert world.secret(player) == other
                assert world.view(player).digest() == position.view(player).digest()
            asked, unseen = asked + 1, max(unseen, int(position.record["table"]))
            rules = g.rules
            position.apply(rules.python["playout"](rules.ctx, position.address, stream.address))
    assert asked > 300
    assert unseen > 9
