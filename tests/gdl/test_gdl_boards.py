"""Boards of rule files: found by shape, drawn as text and picture, clicked by their cells."""

import xml.etree.ElementTree as ElementTree
from functools import cache

import pytest

from facedown.core import PUBLIC
from facedown.core.plain import adapt
from facedown.games.registry import load_game
from facedown.gdl.boards import chains, in_order
from facedown.gdl.checks import checked
from facedown.gdl.library import find, names
from facedown.gdl.lifted_game import lifted_game
from facedown.gdl.reader import read, read_file
from facedown.gdl.show import Chosen, Seen
from support.large_rules import CHESS
from support.playing import random_moves
from support.scrambled import scrambled

GRIDS = {
    "tic-tac-toe": (3, 3),
    "breakthrough": (8, 8),
    "connect-four": (7, 6),
    "blind-breakthrough-5x5": (5, 5),
    "blind-breakthrough-8x8": (8, 8),
    "krieg-tic-tac-toe-4x4": (4, 4),
    "battleships-in-fog": (3, 3),
    "hidden-connect": (5, 5),
    "transit": (6, 4),
    "border-protection": (5, 4),
}
ROWS = {"banker-and-thief": 4, "mastermind": 3, "meier": 21, "monty-hall": 3, "number-guessing": 16}


@cache
def game(name):
    return load_game(f"gdl:{name}")


def boards(g):
    return [(len(b.across), len(b.up)) for b in g.definition.show.layout.boards]


def parts_in(picture):
    root = ElementTree.fromstring(picture)
    return {element.get("data-part") for element in root.iter() if element.get("data-part")}


@pytest.mark.parametrize("name", sorted(names()))
def test_the_boards_of_the_library(name):
    wanted = [GRIDS[name]] if name in GRIDS else [(ROWS[name], 1)] if name in ROWS else []
    assert boards(game(name)) == wanted or name not in {*GRIDS, *ROWS, "guess-who", "small-poker"}


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "blind-breakthrough-5x5"])
def test_a_scrambled_file_still_has_its_board(name, tmp_path):
    file = tmp_path / "w.kif"
    file.write_text(scrambled(find(name).read_text(), 5))
    other = load_game(f"gdl:{file}")
    assert boards(other) == boards(game(name))
    pictures = [g.start().picture(0) for g in (other, game(name))]
    assert len({picture.count("<circle") for picture in pictures}) == 1
    assert len({len(parts_in(picture)) for picture in pictures}) == 1


@pytest.mark.parametrize("name", sorted(names()))
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_what_a_move_names_is_in_the_picture(name, seed):
    g = game(name)
    for position, _ in random_moves(g, seed):
        for viewer in (PUBLIC, 0):
            ElementTree.fromstring(position.view(viewer).picture(viewer))
        player = position.turn()
        if player >= 0:
            view, legal = position.offer(player)
            named = parts_in(view.picture(player))
            assert {part for move in legal for part in view.parts(player, move)} <= named
    assert "<svg" in position.picture(0)  # the truth, at the end


def test_tic_tac_toe_as_a_player_sees_it():
    position = game("tic-tac-toe").start()
    for move in ("(place 1 3)", "(place 2 2)"):
        position.apply(position.game.parse_move(move, position.legal()))
    assert position.view(0).text(0).splitlines() == [
        "after 2 steps, you are xplayer",
        "  before: xplayer does noop, oplayer does (place 2 2)",
        "  3  x . .",
        "  2  . o .",
        "  1  . . .",
        "     1 2 3",
        "  (x mark xplayer, o mark oplayer)",
        "  control xplayer",
    ]
    move = position.game.parse_move("(place 3 1)", position.legal())
    assert position.parts(0, move) == ("cell:3,1",)
    assert position.game.move_words(move) == "place 3 1"


def test_a_drop_is_a_column():
    position = game("connect-four").start()
    assert [position.parts(0, move) for move in position.legal()][:2] == [
        ("column:1",),
        ("column:2",),
    ]


NESTED = """
(role w) (role b) (init (on (pos 1 1) (piece w king))) (init (on (pos 3 3) (piece b rook)))
(i 1) (i 2) (i 3) (s 1 2) (s 2 3)
(<= (legal ?r (move (from (pos ?x ?y)) (to (pos ?u ?v))))
    (true (on (pos ?x ?y) (piece ?r ?k))) (i ?u) (i ?v))
(<= (next (on ?q ?k)) (does ?r (move (from ?p) (to ?q))) (true (on ?p ?k)))
(<= terminal (true (on (pos 2 1) ?k))) (goal w 50) (goal b 50)
"""


def test_coordinates_in_nested_terms():
    g = load_text(NESTED)
    position = g.start()
    assert position.view(0).text(0).splitlines()[-5:] == [
        "  3  . . r",
        "  2  . . .",
        "  1  K . .",
        "     1 2 3",
        "  (K on w king, r on b rook)",
    ]
    moves = {g.move_text(move): position.parts(0, move) for move in position.legal()}
    assert moves["(move (from (pos 1 1)) (to (pos 2 3)))"] == ("cell:1,1", "cell:2,3")


def test_moves_from_cell_to_cell_in_words():
    position = game("breakthrough").start()
    words = [position.game.move_words(move) for move in position.legal()]
    assert "move 1 2 to 1 3" in words
    move = position.legal()[words.index("move 1 2 to 1 3")]
    assert position.parts(0, move) == ("cell:1,2", "cell:1,3")


def test_a_hidden_game_shows_what_was_done_and_seen_and_no_more():
    g = game("krieg-tic-tac-toe-3x3")
    position = g.start()
    for move in ("(place 1 1)", "(place 1 2)", "go on"):
        position.apply(g.parse_move(move, position.legal()))
    record = position.view(0).record
    story = g.definition.story(record, 0)
    assert [type(one) for one in story] == [Chosen, Seen]
    assert [str(one) for one in story[1].percepts] == ["(placed 1 1)"]
    shown = position.view(0).text(0)
    assert "you see placed 1 1" in shown
    assert "1 2" not in shown.replace("1 2 3", "")
    assert g.definition.story(position.view(PUBLIC).record, PUBLIC) == []
    assert "mark oplayer" in position.text(0)  # the truth


def test_equal_observations_give_equal_pictures_whatever_is_true():
    g = game("krieg-tic-tac-toe-3x3")
    pictures = set()
    for other in ("(place 1 2)", "(place 3 3)"):
        position = g.start()
        for move in ("(place 1 1)", other, "go on"):
            position.apply(g.parse_move(move, position.legal()))
        pictures.add(position.view(0).picture(0))
    assert len(pictures) == 1


HIDDEN = [
    "krieg-tic-tac-toe-3x3",
    "blind-breakthrough-5x5",
    "hidden-connect",
    "battleships-in-fog",
    "banker-and-thief",
    "monty-hall",
    "small-poker",
    "transit",
]


@pytest.mark.parametrize("name", HIDDEN)
@pytest.mark.parametrize("seed", [1, 2])
def test_what_a_player_is_shown_to_know_is_true(name, seed):
    g = game(name)
    for position, _ in random_moves(g, seed):
        truth = set(g.definition.holding(position.record))
        for player in range(g.players):
            known = g.definition.known(position.view(player).record, player)
            assert known is not None
            assert [fact for fact, holds in known.items() if holds != (fact in truth)] == []


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_player_always_knows_where_its_own_pawns_are(seed):
    g = game("blind-breakthrough-5x5")
    for position, _ in random_moves(g, seed):
        truth = g.definition.holding(position.record)
        for player, role in enumerate(("white", "black")):
            known = g.definition.known(position.view(player).record, player)
            own = {fact for fact in truth if str(fact).startswith(f"(pawn {role}")}
            held = {fact for fact, holds in known.items() if holds}
            assert {fact for fact in held if str(fact).startswith(f"(pawn {role}")} == own


def test_cells_that_are_not_known_are_marked():
    g = game("blind-breakthrough-5x5")
    position = g.start()
    for move in ("(move 1 2 1 3)", "go on"):
        if move in map(g.move_text, position.legal()):
            position.apply(g.parse_move(move, position.legal()))
    lines = position.view(0).text(0).splitlines()
    assert "  5  p p p p p" in lines  # black has not moved yet
    black = next(move for move in position.legal() if "4 4" in g.move_text(move))
    position.apply(black)
    while position.turn() < 0:
        position.apply(position.legal()[0])
    shown = position.view(0).text(0)
    assert "?" in shown
    assert position.view(0).picture(0).count(">?<") == shown.count("?")


def test_chess_that_is_not_grounded():
    g = adapt(lifted_game(checked(read_file(str(CHESS)))), "chess")
    position = g.start()
    lines = position.text(0).splitlines()
    assert [line.split()[0] for line in lines[1:9]] == ["8", "7", "6", "5", "4", "3", "2", "1"]
    words = [g.move_words(move) for move in position.legal()]
    move = position.legal()[words.index("move 5 2 to 5 4")]
    assert set(position.parts(0, move)) <= parts_in(position.picture(0))
    assert position.parts(0, move) == ("cell:5,2", "cell:5,4")


def test_orders():
    rules = read("(role a) (succ x y) (succ y z) (other p q) (other q p) (big x y) (big x z)")
    assert chains(rules) == [("x", "y", "z")]
    assert in_order({"z", "x"}, chains(rules)) == ("x", "z")
    assert in_order({"p", "q"}, chains(rules)) is None


def test_hostile_names_do_no_harm():
    rules = """(role r) (n 1 2) (init (cell 1 1 <b>)) (init (cell 2 2 "&))
    (<= (legal r (put ?x ?y)) (n ?x ?y)) (<= (next (cell ?x ?y w)) (does r (put ?x ?y)))
    (<= terminal (true (cell 1 2 w))) (goal r 100)"""
    position = load_text(rules).start()
    assert parts_in(position.picture(0)) == {"cell:1,1", "cell:1,2", "cell:2,1", "cell:2,2"}


def load_text(rules):
    return adapt(lifted_game(checked(read(rules))), "text")
