"""How the check comes to where faults are: what is new, and worlds that no history leads to."""

from __future__ import annotations

import pytest

from facedown.core import Stream
from facedown.laws import check_game
from facedown.laws.novelty import Novelty
from facedown.laws.probes import atoms
from facedown.laws.replayed import led_to, passing
from facedown.laws.stories import observed, play, replay
from support.checked.catalogue import loader
from support.checked.fleet import Fleet
from support.checked.shells import Shells
from support.checked.tricks import TrickTaking


def test_what_has_come_together_before_is_not_new() -> None:
    known = Novelty()
    assert known.note(frozenset({1, 2, 3}), frozenset())
    assert not known.note(frozenset({1, 2}), frozenset())
    assert known.note(frozenset({1, 2, 4}), frozenset({1, 2}))
    assert known.share(frozenset({2, 4, 5}), frozenset({2, 4})) == 1.0
    assert known.share(frozenset({1, 2, 4}), frozenset({1, 2})) == 0.0


def test_where_pairs_run_out_threes_are_looked_for() -> None:
    known, pairs = Novelty(), [frozenset({1, 2}), frozenset({2, 3}), frozenset({1, 3})]
    for k in range(500):
        known.note(pairs[k % 3], frozenset())
    assert known.threes
    for pair in pairs:
        known.note(pair, frozenset())
    assert known.note(frozenset({1, 2, 3}), frozenset())
    assert not known.note(frozenset({1, 2, 3}), frozenset())


def test_a_history_is_found_for_worlds_that_have_one_and_for_no_others() -> None:
    game = loader(TrickTaking)()
    moves = play(game, 5, Stream(5), 1 + 9 + 5).moves
    truth, tokens = replay(game, moves), [token for _, token in observed(game, moves, 0)]
    gone = passing([atoms(replay(game, moves[:ply])) for ply in range(1, len(moves) + 1)])
    stream, found = Stream(6), 0
    for _ in range(10):
        world = truth.view(0)
        world.determinize(0, stream)
        found += led_to(world, tokens, 0, gone, len(moves), stream)
    assert found >= 8
    impossible = truth.copy()
    hand, played = impossible.record.hands[1], impossible.record.plays[0][1]
    hand[0] = played  # a card lies on the table and is in a hand
    assert not led_to(impossible, tokens, 0, gone, len(moves), stream)


@pytest.mark.parametrize("kind", [Fleet, Shells])
def test_later_games_are_honest(kind: type) -> None:
    findings = check_game(loader(kind), seed=1, games=1)
    assert findings.ok, findings.text
