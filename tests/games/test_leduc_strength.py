"""The strength of the other's hand in Leduc: its label, worlds that suppose it, its features."""

import math
from collections import Counter

import pytest

from facedown.agents.registry import make_agent
from facedown.core import PUBLIC, Stream
from facedown.laws import check_game
from support.playing import game, played

BEHIND, AHEAD = 1, 2


@pytest.mark.parametrize(
    ("cards", "labels"),
    [
        ("deal J|deal Q", (AHEAD, BEHIND)),
        ("deal J|deal J", (BEHIND, BEHIND)),
        ("deal J|deal Q|call|call|deal J", (BEHIND, AHEAD)),
        ("deal Q|deal K|call|call|deal J", (AHEAD, BEHIND)),
        ("deal J", (0, 0)),
    ],
)
def test_whose_hand_is_ahead(cards, labels):
    position = played("leduc", *cards.split("|"))
    assert (position.secret(0), position.secret(1)) == labels
    assert position.secret(PUBLIC) == position.view(0).secret(0) == 0


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("deal J|deal Q", {BEHIND: {0: 1.0}, AHEAD: {1: 0.5, 2: 0.5}}),
        ("deal K|deal Q", {BEHIND: {0: 0.4, 1: 0.4, 2: 0.2}}),
        ("deal Q|deal K|call|call|deal J", {BEHIND: {1: 1.0}, AHEAD: {0: 1 / 3, 2: 2 / 3}}),
        ("deal Q|deal Q|call|call|deal J", {BEHIND: {1: 1.0}, AHEAD: {0: 1 / 3, 2: 2 / 3}}),
    ],
)
def test_what_is_supposed_leaves_the_rest_as_likely(cards, expected):
    view, stream = played("leduc", *cards.split("|")).view(0), Stream(3)
    supposed = view.supposed(0)
    assert supposed.keys() == expected.keys()
    for label, wanted in expected.items():
        counts = Counter()
        for _ in range(3000):
            world = supposed[label].copy()
            world.determinize(0, stream)
            assert world.secret(0) == label
            counts[int(world.record["cards"][1])] += 1
        assert counts.keys() == wanted.keys()
        for card, share in wanted.items():
            assert counts[card] / 3000 == pytest.approx(share, abs=0.05)


def test_the_laws_of_labels_hold():
    laws = ("labels-supposed", "labels-frequencies")
    found = check_game(lambda: game("leduc"), games=8, only=laws)
    assert [found[law].status for law in laws] == ["held", "held"], found.text


def test_features_come_from_bets_and_own_cards():
    bets = ("call", "raise", "raise", "call")
    position = played("leduc", "deal J", "deal Q", *bets, "deal K", "raise")
    features = game("leduc").features
    found = dict(zip(features.names, features.values(position.view(1).record, 1, ()), strict=True))
    assert found == {
        "own-card": 1.0,
        "board": 2.0,
        "own-pair": 0.0,
        "second": 1.0,
        "own-chips": 5.0,
        "other-chips": 9.0,
        "raises": 1.0,
        "other-raised-first": 1.0,
        "other-raised-second": 1.0,
        "own-raised-first": 1.0,
        "own-raised-second": 0.0,
        "other-last": 2.0,
    }
    before = features.values(played("leduc", "deal J", "deal Q").view(0).record, 0, ())
    assert math.isnan(before[features.names.index("board")])
    assert before[-1] == -1.0


def test_the_label_splits_the_root_alone():
    """One root for each label that a hand allows, and even odds."""
    position = played("leduc", "deal Q", "deal K", "call", "raise")
    agent = make_agent("mga:iterations=400", game("leduc"), 0, 1)
    agent.choose(position.view(0), position.legal())
    assert agent.predicted == {BEHIND: 0.5, AHEAD: 0.5}
    assert len(agent.search.tables.roots["key"].nonzero()[0]) == 2
