"""Pictures: what can be clicked in them, and what they say to those who cannot see them."""

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facedown.core import CHANCE, drawing
from support.playing import REGISTERED, VARIANTS, game, played, random_moves, viewers

SVG = "{http://www.w3.org/2000/svg}"
TOLD_APART = ["kuhn", "leduc", "cribbage", "cheat", "liars-dice", "phantom-ttt", "resistance"]
CLICKED = [*TOLD_APART, "settlers:board=1,turns=5"]


def drawn(view, viewer):
    return ElementTree.fromstring(view.picture(viewer))


def parts_in(root):
    return {element.get("data-part") for element in root.iter() if element.get("data-part")}


def some(seed, spec, many=40):
    """Positions of a random game; of a long one every eleventh after the first, and the end."""
    for ply, (position, _) in enumerate(random_moves(game(spec), seed)):
        if ply <= many or ply % 11 == 0 or position.over:
            yield position


@pytest.mark.parametrize("spec", [*REGISTERED, *VARIANTS, "settlers:offers=table,turns=3"])
@given(seed=st.integers(0, 2**63))
@settings(max_examples=10, deadline=None)
def test_the_parts_of_every_legal_move_are_in_the_picture(spec, seed):
    for position in some(seed, spec):
        player = position.turn()
        if player < 0:
            continue
        view, legal = position.offer(player)
        named = parts_in(drawn(view, player))
        for move in legal:
            parts = view.parts(player, move)
            assert set(parts) <= named, game(spec).move_text(move)
            assert len(set(parts)) == len(parts)
            assert bool(parts) or spec not in CLICKED


@pytest.mark.parametrize("spec", TOLD_APART)
@given(seed=st.integers(0, 2**63))
@settings(max_examples=5, deadline=None)
def test_moves_are_told_apart_by_their_parts(spec, seed):
    for position in some(seed, spec):
        if position.turn() >= 0:
            view, legal = position.offer(position.turn())
            found = [frozenset(view.parts(position.turn(), move)) for move in legal]
            assert len(set(found)) == len(legal)


@pytest.mark.parametrize("spec", [*REGISTERED, *VARIANTS])
def test_every_picture_has_a_title_in_words(spec):
    for position in some(7, spec, many=8):
        for viewer in viewers(game(spec)):
            view = position.view(viewer)
            root = drawn(view, viewer)
            assert root.get("role") == "img"
            assert root[0].tag == f"{SVG}title"
            assert root[0].text == view.text(viewer).splitlines()[0]
            assert root[1].tag == f"{SVG}desc"
            assert root[1].text == view.text(viewer)


def test_a_plain_class_names_parts_by_its_moves_own_values(tmp_path):
    from facedown.core.plain import adapt
    from support import EXAMPLES

    source = (EXAMPLES / "bluff.py").read_text()
    source += "\n    def move_parts(self, s, viewer, move):\n        return [f'move:{move}', 7]\n"
    scope = {"__name__": "bluff"}
    exec(compile(source, "bluff.py", "exec"), scope)
    position = adapt(scope["Bluff"](), "bluff").start()
    assert position.turn() == CHANCE
    position.apply(position.legal()[0])
    found = [position.view(0).parts(0, move) for move in position.legal()]
    assert found == [("move:bet", "7"), ("move:fold", "7")]


def test_a_plain_class_without_parts_has_none():
    from support.playing import PLAIN

    position = game(PLAIN[0]).start()
    while position.turn() == CHANCE:
        position.apply(position.legal()[0])
    assert position.view(0).parts(0, position.legal()[0]) == ()


def test_a_throw_is_two_cards():
    dealt = "5h Ac Jd 2c 9s 3c Kh 4c 7c 8c 6d Tc"
    deals = [f"deal {card}" for card in dealt.split()]
    position = played("cribbage", *deals)
    player = position.turn()
    view, legal = position.offer(player)
    texts = {game("cribbage").move_text(move): view.parts(player, move) for move in legal}
    one = next(text for text in texts if "5h" in text)
    assert texts[one] == tuple(f"card:{card}" for card in one.split())


def test_names_of_parts_are_quoted():
    piece = drawing.part('a"<b', "<rect/>")
    assert ElementTree.fromstring(piece).get("data-part") == 'a"<b'


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "liars-dice:dice=2", "resistance"])
def test_at_the_end_everything_is_turned_up(spec):
    *_, (position, _) = random_moves(game(spec), 5)
    for viewer in viewers(game(spec)):
        drawn = position.picture(viewer)
        assert "url(#back)" not in drawn.partition("</defs>")[2]
        assert ">?<" not in drawn


def test_at_the_end_all_hands_of_settlers_are_told():
    from facedown.games.settlers.state import unpack
    from facedown.games.settlers.text import listed

    *_, (position, _) = random_moves(game("settlers:board=1,turns=5"), 5)
    hands = [listed(unpack(hand)) for hand in position.record["hands"] if hand]
    assert len(hands) > 1
    for hand in hands[1:]:
        assert hand in position.text(0)
        assert hand in position.picture(0)
        assert hand not in position.view(0).text(0)
