"""A user's class that is no game: one line that says what is wrong, whoever loads it."""

import pytest

from facedown.core import RuleError, SpecError
from facedown.games.registry import load_game

SOURCE = """
from facedown import CHANCE, OVER

class Fine:
    players, bounds = 2, (0.0, 1.0)
    def start(self): return ()
    def turn(self, s): return OVER if s else CHANCE
    def legal(self, s): return ["deal"]
    def apply(self, s, move): return (move,)
    def sees(self, s, move, viewer): return move
    def payoff(self, s): return (0.0, 1.0)
    def hide(self, s, viewer): return s
    def infoset(self, s, viewer): return s

class Picky(Fine):
    def __init__(self, cards: int): pass

class Failing(Fine):
    def __init__(self): raise ValueError("no cards left")

class Flat(Fine):
    bounds = (1.0, 1.0)

class Single(Fine):
    bounds = 1.0

class Vague(Fine):
    def turn(self, s): return -1.0
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "faulty.py"
    path.write_text(SOURCE)
    return path


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("Picky", SpecError, "missing a required argument: 'cards'"),
        ("Failing", SpecError, "Failing cannot be made: ValueError: no cards left"),
        ("Flat", RuleError, "the lowest payoff is less than the highest"),
        ("Single", RuleError, "bounds is 1.0; the lowest and the highest payoff are wanted"),
    ],
)
def test_a_class_that_cannot_be_loaded(file, name, error, words):
    with pytest.raises(error, match=words):
        load_game(f"{file}:{name}")


def test_a_turn_that_is_no_whole_number(file):
    """Compiled code would get garbage in its place, with a warning that nobody reads."""
    assert load_game(f"{file}:Fine").start().turn() == -1
    with pytest.raises(RuleError, match=r"turn gave -1\.0; a player's number, CHANCE or OVER"):
        load_game(f"{file}:Vague").start().turn()
