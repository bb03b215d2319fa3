"""A bag that a clock strikes: its models give the observations, or begin again."""

from __future__ import annotations

import pytest

from facedown.arena.clock import Overrun, limited
from facedown.belief.belief import NoWorldError
from facedown.belief.hyperplay import Bag
from facedown.belief.model import Path
from facedown.core import CHANCE, Stream
from facedown.core.plain import adapt
from facedown.games.registry import load_game
from facedown.gdl.library import find
from facedown.gdl.lifted_game import lifted_game
from facedown.gdl.reader import read_file
from facedown.search.nested.sharing import Shared
from support.interrupts import Clock, within

WATCHED = within(
    "belief/hyperplay",
    "belief/model",
    "core/plain",
    "gdl/lifted_game",
    "core/game",
    "core/position",
)


def lifted(name):
    return adapt(lifted_game(read_file(find(name))), name)


def observed(game, player, seed):
    """What a player sees of a random game, to its last step."""
    stream, position, tokens = Stream(seed), game.start(), []
    while not position.over:
        legal = position.legal()
        move = position.draw(stream) if position.turn() == CHANCE else stream.choice(legal)
        if token := position.sees(move, player):
            tokens.append(token)
        position.apply(move)
    return tokens


def tokens_of(game, player, history):
    position, tokens = game.start(), []
    for move in history:
        if token := position.sees(move, player):
            tokens.append(token)
        position.apply(move)
    return tokens


@pytest.mark.parametrize(
    ("game", "strikes"),
    [(lifted("small-poker"), 500), (lifted("meier"), 200), (load_game("meier"), 200)],
)
def test_models_agree_with_what_was_observed_wherever_a_clock_strikes(game, strikes):
    clock, stream, done, seed = Clock(WATCHED), Stream(3), 0, 0
    while done < strikes:
        seed += 1
        bag, tokens = Bag(game, 0, 4, seed, limit=500, reseed=True), observed(game, 0, seed)
        for known, token in enumerate(tokens, 1):
            bag.observe(token)
            for _ in range(3):
                done += clock.strike(bag.follow, 1 + stream.below(1500))
            try:
                bag.follow()
            except NoWorldError:
                continue
            for history in bag.histories():
                assert tokens_of(game, 0, history) == tokens[:known]


def test_positions_of_a_path_that_is_gone_are_forgotten_and_no_others():
    game = lifted("small-poker")
    clock, stream = Clock(within("belief/model")), Stream(9)
    bag = Bag(game, 0, 2, 1, limit=100)
    for _ in range(200):
        path = Path(game, bag.models[0])
        clock.strike(path.grow, 1 + stream.below(150))
        kept = [game.start() for _ in range(20)]
        del path
        assert all(position.turn() == CHANCE for position in kept)


def test_a_shared_table_that_was_broken_off_begins_again():
    clock, done = Clock(within("nested/sharing")), 0
    for at in range(1, 400):
        shared = Shared(4)
        shared.record[0]["used"] = len(shared.rows)
        shared.record[0]["known"] = len(shared.slots) // 2
        broken = clock.strike(lambda shared=shared: shared.make_room(1 << 30), at)
        done += broken
        shared.mend()
        assert shared.record[0]["size"] == len(shared.slots)
        assert shared.record[0]["slots"] == shared.slots.ctypes.data
        assert shared.record[0]["rows"] == shared.rows.ctypes.data
        assert shared.record[0]["room"] == len(shared.rows)
    assert done > 50


def test_a_real_clock_strikes_a_bag_and_is_not_lost_on_the_way():
    """Raised in the code between compiled code and a rule it would vanish, and the rule answer 0.

    pytest takes what vanishes so for an error.
    """
    game, stream, struck = lifted("small-poker"), Stream(4), 0
    tokens = observed(game, 0, 2)
    for seed in range(150):
        bag = Bag(game, 0, 4, seed, limit=500, reseed=True)
        for token in tokens:
            bag.observe(token)
        try:
            limited(0.01 * stream.random(), bag.follow)
        except Overrun:
            struck += 1
        assert all(tokens_of(game, 0, each) == tokens for each in bag.follow().histories())
    assert struck > 10, struck


# --- bags that have lost track -------------------------------------------------------------------


def followed(game, tokens, seed, **given):
    bag = Bag(game, 0, 6, seed, **given)
    for token in tokens:
        bag.observe(token)
    return bag


def test_a_bag_borrows_the_models_of_another_that_saw_the_same():
    game = load_game("meier")
    tokens = observed(game, 0, 3)
    lost, found = followed(game, tokens, 1, limit=1), followed(game, tokens, 2, limit=5000)
    lost.update()
    assert lost.active < 6
    lost.join(followed(game, tokens[:-1], 2, limit=5000).follow())
    assert lost.active < 6  # that one saw less
    lost.join(found.follow())
    assert lost.active == 6
    assert all(tokens_of(game, 0, history) == tokens for history in lost.follow().histories())


def test_a_bag_that_digs_finds_histories_that_agree():
    game = load_game("meier")
    tokens = observed(game, 0, 5)
    bag = followed(game, tokens, 1, limit=3)
    for times in range(1, 2000):
        try:
            bag.follow()
        except NoWorldError:
            bag.dig(times)
            assert all(end.turn() is not None for end in bag.ends())
        else:
            break
    assert bag.active
    assert times > 1
    assert all(tokens_of(game, 0, history) == tokens for history in bag.histories())
