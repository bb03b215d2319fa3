"""Informed playouts and samplers of the small games, held to their scripted players."""

from __future__ import annotations

from collections import Counter

import pytest

from facedown.core import OVER, Stream
from facedown.games.leduc.habits import thumb as leduc_thumb
from facedown.games.leduc.scripted import choose as leduc_script
from facedown.games.liars_dice.habits import chance
from facedown.games.liars_dice.scripted import chance_of
from support.playing import game


def test_liars_dice_reckons_as_the_scripted_player_does() -> None:
    dice = game("liars-dice:dice=2")
    definition = dice.definition
    context, position, stream = definition.context()[0], dice.start(), Stream(4)
    for _ in range(4):
        position.apply(stream.choice(position.legal()))
    for player in range(2):
        own = definition.table.dice_of(position.record, player)
        for bid in range(definition.table.bids):
            expected = chance_of(definition.table, own, bid)
            assert chance(context, position.record, player, bid) == pytest.approx(expected)


def test_who_bids_a_face_is_likely_to_hold_it() -> None:
    dice = game("liars-dice")
    position = dice.start()
    for move in (position.legal()[0], position.legal()[3]):
        position.apply(move)
    position.apply(1)  # one two, of player 0
    found: Counter[int] = Counter()
    for seed in range(400):
        world = position.view(1)
        world.determinize(1, Stream(seed), "told")
        assert world.record["dice"][1] == 3
        found[int(world.record["dice"][0])] += 1
    assert found[1] > 1.4 * found[0] > 0
    assert found[5] > 1.4 * found[2] > 0  # the highest face is wild


def test_leduc_playouts_bet_as_the_scripted_player_does() -> None:
    """Wherever the scripted player draws nothing both do the same; else as often."""
    leduc, stream = game("leduc"), Stream(7)
    drawn: Counter[bool] = Counter()
    for _ in range(200):
        position = leduc.start()
        while position.turn() != OVER:
            legal = position.legal()
            if position.turn() >= 0:
                view = position.record
                ways = {leduc_script(view, position.turn(), legal, Stream(k)) for k in range(40)}
                moved = leduc_thumb(position.record, stream.address)
                assert moved in ways
                drawn[len(ways) == 1] += 1
            position.apply(stream.choice(legal))
    assert min(drawn.values()) > 20


def test_a_raise_tells_of_a_good_card() -> None:
    leduc = game("leduc")
    position = leduc.start()
    for move in (3, 4, 2):  # a jack, a queen, and player 0 raises
        position.apply(move)
    found: Counter[int] = Counter()
    for seed in range(400):
        world = position.view(1)
        world.determinize(1, Stream(seed), "told")
        found[int(world.record["cards"][0])] += 1
    assert found[2] > 2 * found[0] > 0
    assert found[0] > found[1] > 0  # a queen is never raised, and one is held
