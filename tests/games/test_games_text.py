"""Text and pictures: they say what is known, and only that."""

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facedown.core import PUBLIC, drawing
from support.playing import REGISTERED, VARIANTS, game, played, random_moves, viewers

COMPILED = [*REGISTERED, *VARIANTS]


@pytest.mark.parametrize("spec", COMPILED)
def test_moves_have_texts_of_their_own(spec):
    texts = [game(spec).move_text(move) for move in range(game(spec).moves)]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("spec", COMPILED)
@given(seed=st.integers(0, 2**63))
@settings(max_examples=20, deadline=None)
def test_tokens_have_words_that_tell_them_apart(spec, seed):
    words = {}
    for position, move in random_moves(game(spec), seed):
        if move >= 0:
            for viewer in viewers(game(spec)):
                token = position.sees(move, viewer)
                text = game(spec).text.observation_text(token, viewer)
                assert words.setdefault(text, token) == token


def test_people_read_no_number_that_tells_piles_apart():
    cheat, said = game("cheat"), []
    for position, move in random_moves(cheat, 3):
        if move >= 0 and (token := position.sees(move, 0)):
            text = cheat.text.observation_text(token, 0)
            words = cheat.observation_words(token, 0, text)
            assert text.startswith(words)
            said += [text] if text != words else []
            assert "(pile" not in words
    assert said


@pytest.mark.parametrize("spec", COMPILED)
@given(seed=st.integers(0, 2**63))
@settings(max_examples=4, deadline=None)
def test_every_picture_is_well_formed(spec, seed):
    for ply, (position, _) in enumerate(random_moves(game(spec), seed)):
        if ply > 30 and ply % 11 and not position.over:
            continue  # long games: some of their pictures are enough
        for viewer in viewers(game(spec)):
            root = ElementTree.fromstring(position.view(viewer).picture(viewer))
            assert root.tag == "{http://www.w3.org/2000/svg}svg"


def backs(position, viewer):
    return position.view(viewer).picture(viewer).count("url(#back)")


def test_cards_of_others_lie_face_down():
    position = played("leduc", "deal Q", "deal K", "call", "call", "deal J")
    assert [backs(position, viewer) for viewer in (PUBLIC, 0, 1)] == [2, 1, 1]
    assert position.picture(PUBLIC).count("url(#back)") == 0  # the truth, shown when all is over
    picture = position.view(0).picture(0)
    assert ">Q<" in picture
    assert ">K<" not in picture


def test_dice_of_others_lie_under_cups():
    position = played("liars-dice:dice=2", "roll 1", "roll 2", "roll 3", "roll 4")
    assert [position.view(v).picture(v).count(">?<") for v in (PUBLIC, 0, 1)] == [4, 2, 2]


def test_kuhn_as_a_player_sees_it():
    position = played("kuhn", "deal K", "deal J", "pass", "bet")
    assert position.view(0).text(0).splitlines() == [
        "Kuhn poker: pot 3, your move",
        "  player 0 (you)  [K]  1 chip in the pot",
        "  player 1        [?]  2 chips in the pot",
        "  played: pass, bet",
    ]


def test_leduc_as_a_player_sees_it():
    moves = "raise", "raise", "call", "deal Q", "call", "raise"
    position = played("leduc", "deal Q", "deal K", *moves)
    assert position.view(1).text(1).splitlines() == [
        "Leduc hold'em: pot 14, player 0 to move",
        "  player 0        [?]  5 chips in the pot",
        "  player 1 (you)  [K]  9 chips in the pot",
        "  board: [Q]",
        "  round 1: raise, raise, call",
        "  round 2: call, raise",
    ]


def test_liars_dice_as_a_player_sees_it():
    position = played("liars-dice", "roll 3", "roll 6", "1x3", "2x2", "liar")
    assert position.view(1).text(1).splitlines() == [
        "Liar's dice (2 players, 1 die each, 6 is wild): the game is over",
        "  player 0        [?]  1x3, liar!",
        "  player 1 (you)  [6]  2x2",
        "  standing bid: 2x2",
    ]


def test_drawn_text_is_escaped():
    piece = drawing.text(0, 0, "<b> & co")
    assert ElementTree.fromstring(piece).text == "<b> & co"
    assert "<b>" not in drawing.label(0, 0, "<b>")
