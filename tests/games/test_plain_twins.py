"""The examples as plain Python classes play exactly as the compiled games do."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facedown.core import CHANCE
from support.playing import PLAIN, game, names, random_moves, viewers

PAIRS = [("kuhn", PLAIN[0]), ("leduc", PLAIN[1])]


class Pairing:
    """A one-to-one pairing that is learnt as pairs are met."""

    def __init__(self):
        self.there, self.back = {}, {}

    def fits(self, a, b):
        return self.there.setdefault(a, b) == b and self.back.setdefault(b, a) == a


PAIRINGS = {(pair, kind): Pairing() for pair in PAIRS for kind in ("view", "key", "token")}


@pytest.mark.parametrize("pair", PAIRS, ids=["kuhn", "leduc"])
@given(seed=st.integers(0, 2**63))
@settings(max_examples=150, deadline=None)
def test_both_agree_at_every_step(pair, seed):
    compiled, plain = game(pair[0]), game(pair[1])
    views, keys, tokens = (PAIRINGS[pair, kind] for kind in ("view", "key", "token"))
    twin = plain.start()
    for position, move in random_moves(compiled, seed):
        assert twin.turn() == position.turn()
        for viewer in viewers(compiled):
            mine, other = position.view(viewer).digest(), twin.view(viewer).digest()
            assert views.fits((viewer, mine), (viewer, other))
            assert keys.fits((viewer, position.infoset(viewer)), (viewer, twin.infoset(viewer)))
        if move < 0:
            assert twin.payoff() == position.payoff()
            break
        assert names(twin) == names(position)
        if position.turn() == CHANCE:
            assert twin.weights() == pytest.approx(position.weights())
        twin_move = twin.legal()[position.legal().index(move)]
        for viewer in viewers(compiled):
            mine, other = position.sees(move, viewer), twin.sees(twin_move, viewer)
            assert tokens.fits((viewer, mine), (viewer, other))
        twin.apply(twin_move)


@pytest.mark.parametrize("pair", PAIRS, ids=["kuhn", "leduc"])
def test_both_say_the_same_of_themselves(pair):
    compiled, plain = game(pair[0]), game(pair[1])
    for name in ("players", "moves", "most_moves", "most_plies", "bounds"):
        assert getattr(compiled, name) == getattr(plain, name)
