"""The traits of Settlers' moves: by hand, and by what a viewer may know along random games."""

import numpy as np
import pytest

from facedown.core import CHANCE, Memo, Stream
from facedown.games.registry import load_game
from facedown.games.settlers import moves as m
from facedown.games.settlers.setup import Seat
from facedown.games.settlers.traits import MOVE, POSITION
from facedown.search.network import network_of
from support.settlers_table import cards, edge, road, table

MINE = Seat((9, 30), roads=road(9, 14), hand=cards("ore ore ore wheat wheat brick wood"))
YOURS = Seat(settlements=(20,), cities=(40,), hand=cards("sheep sheep sheep"))


def told(position, viewer, *moves, memo=None):
    """The traits of the position and of moves, by name, those that are 0 left out of a move's."""
    whole, rows = position.traits(viewer, moves, memo)
    named = [
        {name: float(x) for name, x in zip(MOVE, row, strict=True) if x != 0.0} for row in rows
    ]
    return dict(zip(POSITION, whole.tolist(), strict=True)), named


def test_what_is_told_of_a_position():
    whole, _ = told(table(MINE, YOURS), 0, m.END)
    assert whole["own"] == 1.0
    assert [whole[f"known {name}"] for name in ("brick", "ore", "wheat", "sheep")] == [
        0.25,
        0.75,
        0.5,
        0.0,
    ]
    assert whole["unknown cards"] == 0.0
    assert whole["cards"] == 1.0
    assert whole["points"] == pytest.approx(0.2)
    assert whole["points of the best other"] == pytest.approx(0.3)
    assert whole["cards missing for a city"] == 0.0
    assert whole["cards missing for a settlement"] == 0.25
    assert whole["rolled"] == 1.0


def test_of_another_only_what_is_proven_is_told():
    position = table(MINE, YOURS)
    whole, _ = told(position, 1, m.END)
    assert whole["own"] == 0.0
    assert [whole[f"known {name}"] for name in ("brick", "ore", "wheat")] == [0.0, 0.0, 0.0]
    assert whole["unknown cards"] == 7 / 4
    memo = Memo(position.game)
    memo.block.view(np.int8)[1] = 2  # two ore at least
    whole, _ = told(position, 1, m.END, memo=memo)
    assert (whole["known ore"], whole["unknown cards"]) == (0.5, 5 / 4)


def test_what_is_told_of_moves():
    position = table(MINE, YOURS)
    swap = m.swap_move(1, 2)
    offer = m.trade_move(1, [1], [2])
    moves = (m.UPGRADE + 9, m.PAVE + edge(14, 19), swap, offer, m.END)
    city, way, bank, trade, end = told(position, 0, *moves)[1]
    assert end == {"end turn": 1.0}
    assert city["city"] == 1.0
    assert city["nearer to a city"] == -2.5  # its five cards are gone
    assert city["dots"] > 0
    assert way["road"] == 1.0
    assert way["longer road"] == 0.5
    assert way["cards given"] == 1.0
    assert (bank["port trade"], bank["cards given"], bank["cards gotten"]) == (1.0, 2.0, 0.5)
    assert (trade["trade"], trade["cards given"]) == (1.0, 0.5)
    assert trade["points of the other"] == pytest.approx(0.3)
    assert trade["cards of the other"] == pytest.approx(3 / 7)
    assert trade["surely has it not"] == 1.0  # a memo of nothing: no card was ever seen to come
    memo = Memo(position.game)
    memo.block.view(np.int8)[[7, 27]] = 3  # three sheep for sure
    [trade] = told(position, 0, offer, memo=memo)[1]
    assert "surely has it not" not in trade
    assert trade["surely has it"] == 1.0


def test_the_robber_hurts_those_ahead():
    position = table(Seat(settlements=(9, 30)), YOURS, rolled=False, turns=4)
    position.record["phase"] = 6  # the robber is moved
    rows = told(position, 0, *(m.ROB + h for h in range(19)))[1]
    assert all(row["robber"] == 1.0 for row in rows)
    assert max(row.get("harm to others", 0.0) for row in rows) > 0.1
    assert any("harm to oneself" in row for row in rows)


@pytest.mark.parametrize("spec", ["settlers:turns=25", "settlers:players=3,offers=table,turns=15"])
def test_nobody_is_told_what_he_cannot_know(spec):
    """In truth and on the view the same, for every viewer at every decision; sizes are about 1."""
    game, stream = load_game(spec), Stream(4)
    position, memos = game.start(), [Memo(game) for _ in range(game.players)]
    while not position.over:
        legal, turn = position.legal(), position.turn()
        if turn != CHANCE:
            for viewer, memo in enumerate(memos):
                whole, rows = position.traits(viewer, legal, memo)
                seen = position.view(viewer).traits(viewer, legal, memo)
                assert np.array_equal(whole, seen[0])
                assert np.array_equal(rows, seen[1])
                assert max(np.abs(whole).max(), np.abs(rows).max()) < 10.0
        move = position.draw(stream) if turn == CHANCE else stream.choice(legal)
        for viewer, memo in enumerate(memos):
            memo.remember(position.sees(move, viewer), viewer)
        position.apply(move)


def test_the_network_that_comes_with_the_game_likes_a_city():
    position = table(MINE, YOURS)
    network, legal = network_of(position.game, None), position.legal()
    scores = dict(zip(legal, network.scores(*position.traits(0, legal)), strict=True))
    best = max(scores, key=lambda move: scores[move])
    assert m.UPGRADE <= best < m.PAVE
    assert scores[best] > scores[m.END]
