"""The contract of a game, for every registered game, its variants, the examples and tiny games."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from facedown.core import CHANCE, OVER, Stream
from support.playing import ALL, SHORT, game, histories, random_moves, viewers

relaxed = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.differing_executors]
)
seeds = st.integers(0, 2**63)
every_game = pytest.mark.parametrize("spec", ALL, ids=lambda spec: spec.rpartition("/")[2])


@every_game
@given(seeds)
@relaxed
def test_a_game_ends_in_time_with_payoffs_within_bounds(spec, seed):
    g = game(spec)
    plies = 0
    for position, move in random_moves(g, seed):
        legal = position.legal() if move >= 0 else []
        assert len(legal) == len(set(legal)) <= g.most_moves
        assert move == -1 or move in legal
        assert all(0 <= k < g.moves for k in legal)
        plies += move >= 0
    assert plies <= g.most_plies
    assert position.turn() == OVER
    assert all(g.bounds[0] <= value <= g.bounds[1] for value in position.payoff())


@every_game
@given(seeds)
@relaxed
def test_worlds_fit_the_view_for_every_viewer_at_every_ply(spec, seed):
    stream = Stream(seed + 1)
    for position, _ in random_moves(game(spec), seed):
        for viewer in viewers(game(spec)):
            view = position.view(viewer)
            world = view.copy()
            world.determinize(viewer, stream)
            assert world.view(viewer).digest() == view.digest()
            assert world.infoset(viewer) == view.infoset(viewer) == position.infoset(viewer)
            assert view.view(viewer).digest() == view.digest()


@every_game
@given(seeds)
@relaxed
def test_a_token_of_nothing_leaves_the_view_and_movers_know_their_move(spec, seed):
    for position, move in random_moves(game(spec), seed):
        if move < 0:
            break
        after = position.copy()
        after.apply(move)
        for viewer in viewers(game(spec)):
            if position.sees(move, viewer) == 0:
                assert after.view(viewer).digest() == position.view(viewer).digest()
        if position.turn() != CHANCE:
            tokens = [position.sees(k, position.turn()) for k in position.legal()]
            assert 0 not in tokens
            assert len(tokens) == len(set(tokens))


@every_game
@given(seeds)
@relaxed
def test_players_on_turn_can_read_their_moves_off_their_view(spec, seed):
    for position, move in random_moves(game(spec), seed):
        if move >= 0 and position.turn() != CHANCE:
            view = position.view(position.turn())
            if view.turn() == position.turn():  # else it withdraws another's pending choice
                assert view.legal() == position.legal()


LARGE = ("liars-dice", "phantom-ttt", "cribbage", "cheat", "resistance", SHORT["settlers"])
SMALL = [spec for spec in ALL if "dice=" not in spec and spec not in LARGE]
every_small_game = pytest.mark.parametrize("spec", SMALL, ids=lambda spec: spec.rpartition("/")[2])


def observed(spec):
    """For each viewer and each of its observations: the views, keys and positions met, weighted."""
    g = game(spec)
    met = {}
    for moves, position, reach in histories(g.start()):
        replay, tokens = g.start(), dict.fromkeys(viewers(g), ())
        for text in moves:
            move = g.parse_move(text, replay.legal())
            for viewer in viewers(g):
                token = replay.sees(move, viewer)
                tokens[viewer] += (token,) if token else ()
            if replay.turn() != CHANCE:
                reach /= len(replay.legal())  # in a random game others choose evenly
            replay.apply(move)
        for viewer in viewers(g):
            met.setdefault((viewer, tokens[viewer]), []).append((position, reach))
    return met


@every_small_game
def test_observations_views_and_keys_tell_the_same_apart(spec):
    """Enumerated: one view and one key for each observation, and no two of them the same."""
    views, keys = {}, {}
    for (viewer, tokens), positions in observed(spec).items():
        found = {(p.view(viewer).digest(), p.infoset(viewer)) for p, _ in positions}
        assert len(found) == 1
        view, key = found.pop()
        assert views.setdefault((viewer, view), tokens) == tokens
        assert keys.setdefault((viewer, key), tokens) == tokens


def drawn(position, viewer, n):
    """The worlds that n determinizations of the viewer's view give."""
    stream, worlds = Stream(11), Counter()
    view = position.view(viewer)
    for _ in range(n):
        world = view.copy()
        world.determinize(viewer, stream)
        worlds[world.digest()] += 1
    return worlds


@every_small_game
def test_worlds_have_the_frequencies_of_an_enumeration(spec):
    """At some 40 observations. A withdrawn choice is not drawn: its view stands for the start."""
    met = observed(spec)
    for k, ((viewer, _), positions) in enumerate(met.items()):
        if k % max(1, len(met) // 40):
            continue
        if "Pennies" in spec:
            positions = positions[:1]
        wanted = Counter()
        for position, reach in positions:
            wanted[position.digest()] += reach
        total, worlds = sum(wanted.values()), drawn(positions[0][0], viewer, 1500)
        assert set(worlds) <= set(wanted)
        off = sum(abs(worlds[w] / 1500 - p / total) for w, p in wanted.items()) / 2
        assert off < 0.05
