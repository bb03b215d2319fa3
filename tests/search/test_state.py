"""The state of a search and its buffers; Python and compiled code draw the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from facedown.core import CHANCE, Stream
from facedown.core.buffers import PLAY, Buffer, Buffers
from facedown.core.records import address_of
from facedown.core.rules import RULES
from facedown.core.stepping import Play, draw_chance, set_play
from facedown.core.streams import pick
from facedown.search.recipe import Recipe
from facedown.search.state import BUFFERS, SearchState
from support.table_games import begun, game

DECLARED = (
    Buffer("bytes", np.int8, lambda game: 3),
    Buffer("words", np.float64, lambda game: game.most_moves),
    Buffer("none", np.int64, lambda game: 0),
    Buffer("records", SearchState, lambda game: 2),
)


def test_buffers_are_as_long_as_declared_and_lie_apart():
    kuhn = game("kuhn")
    buffers = Buffers(DECLARED, kuhn)
    assert [len(buffers[one.name]) for one in DECLARED] == [3, kuhn.most_moves, 1, 2]
    ends = 0
    for one in DECLARED:
        begins = address_of(buffers[one.name])
        assert begins % 64 == 0
        assert begins >= ends
        ends = begins + buffers[one.name].nbytes
    for value, one in enumerate(DECLARED[:3], 1):
        buffers[one.name][:] = value
    assert [set(buffers[one.name].tolist()) for one in DECLARED[:3]] == [{1}, {2}, {3}]
    assert not buffers["records"]["play"]["rules"].any()


def test_a_buffer_that_is_not_declared_or_twice_is_an_error():
    with pytest.raises(ValueError, match="'bytes' is declared twice"):
        Buffers((*DECLARED, DECLARED[0]), game("kuhn"))
    with pytest.raises(KeyError, match="nowhere"):
        Buffers(DECLARED, game("kuhn"))["nowhere"]


def test_every_address_in_a_state_is_filled_in():
    search, _ = begun("leduc", Recipe())
    state = search.threads[0].state
    buffers = [int(state["buffers"][one.name]) for one in BUFFERS]
    play = [int(state["play"][one.name]) for one in PLAY]
    tables = [int(state["tree"][f"{one}_table"]) for one in ("node", "edge", "root", "index")]
    assert all(buffers + play + tables)
    assert len(set(buffers + play + tables)) == len(buffers + play + tables)


def test_a_state_begins_with_the_game_and_that_with_its_rules():
    assert SearchState.fields["play"][1] == Play.fields["rules"][1] == 0
    assert Play["rules"].shape == (len(RULES),)


@given(st.integers(0, 2**64 - 1), st.lists(st.sampled_from([0.0, 0.1, 1.0, 2.5, 1e-9]), min_size=1))
def test_python_draws_by_weights_as_compiled_code_does(seed, weights):
    ours, theirs = Stream(seed), Stream(seed)
    assert ours.pick(weights) == pick(theirs.address, np.array(weights), len(weights))
    assert ours.state == theirs.state


@pytest.mark.parametrize("name", ["kuhn", "leduc", "cheat", "Dice"])
def test_chance_draws_the_same_in_python_and_in_compiled_code(name):
    """By the rule `draw`, by weights, and where all outcomes are as likely."""
    g = game(name)
    buffers = Buffers((Buffer("play", Play, lambda game: 1), *PLAY), g)
    set_play(buffers["play"][0], g)
    buffers.seat(buffers["play"][0])
    ours, theirs, drawn = Stream(5), Stream(5), 0
    for _ in range(20):
        position = g.start()
        while not position.over and drawn < 60:
            move = position.legal()[0]
            if position.turn() == CHANCE:
                at = address_of(buffers["play"])
                move, drawn = position.draw(ours), drawn + 1
                assert move == draw_chance(at, position.address, theirs.address)
            position.apply(move)
    assert drawn >= 20
