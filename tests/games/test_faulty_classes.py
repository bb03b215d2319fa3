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

class Nothing(Fine):
    apply = None

class Blind(Fine):
    def sees(self, s, move): return move

class Half(Fine):
    moves = 2.5

class Set(Fine):
    def legal(self, s): return {"deal", "shuffle"}

class Silent(Fine):
    def legal(self, s): ["deal"]

class Word(Fine):
    def legal(self, s): return "deal"

class Mutable(Fine):
    def legal(self, s): return [["deal", 1]]

class Many(Fine):
    moves = 2
    def legal(self, s): return ["deal", "cut", "shuffle"]

class Done(Fine):
    def apply(self, s, move): return True

class Poor(Fine):
    def payoff(self, s): 1.0

class Wordy(Fine):
    def payoff(self, s): return ("lost", "won")

class Alone(Fine):
    def payoff(self, s): return (1.0,)

class Rich(Fine):
    def weights(self, s): return [1.0] * 5000

class Bare:
    players = 2
    def start(self): return ()

class Yielding(Fine):
    def turn(self, s): return OVER if len(s) == 3 else 0
    def legal(self, s): return (move for move in ("a", "b", "c") if move not in s)
    def apply(self, s, move): return (*s, move)

class Endless(Fine):
    most_moves = 2
    def legal(self, s):
        while True: yield "deal"

class Weighing(Fine):
    most_moves = 2
    def weights(self, s):
        while True: yield 1.0

class Exploding(Fine):
    @property
    def players(self): raise RuntimeError("boom")

class Leaving(Fine):
    @property
    def bounds(self): raise SystemExit(3)

class Vast(Fine):
    bounds = 0, 10**400

class Meta(type):
    def __getattr__(cls, name): raise RuntimeError(name)

class Strange(metaclass=Meta): pass

class Refusing(Fine):
    def legal(self, s): raise BaseException("not today")

class Card:
    def __init__(self, k): self.k = k
    def __hash__(self): return self.k
    def __eq__(self, other): return self.k == other.k

class Mute(Card):
    def __repr__(self): raise SystemExit("no words")

class Texts(Fine):
    def legal(self, s): return [Mute(0), Mute(1)]

class Faceless(Fine):
    kept = [Card(k) for k in (3, 1, 2, 0)]
    def legal(self, s): return self.kept
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
        ("Nothing", RuleError, r"apply is no method; def apply\(self, s, move\) is wanted"),
        ("Blind", RuleError, r"sees cannot be called .*viewer\) is wanted \(.*faulty.py:\d+\)"),
        ("Half", RuleError, "moves is 2.5; a whole number is wanted"),
        ("Bare", RuleError, r"has no bounds, turn, .*; bounds = .* and def turn\(self, s\) and"),
        ("Vast", RuleError, "bounds is .0, 10*; the lowest and the highest payoff are wanted"),
        ("Exploding", SpecError, "Exploding is no game that can be used: RuntimeError: boom"),
        ("Leaving", SpecError, "Leaving is no game that can be used: SystemExit: 3"),
        ("Strange", SpecError, "Strange is no game that can be used: RuntimeError: __wrapped__"),
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


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Set", "legal gave a set, whose order is another in another run; a list is wanted"),
        ("Silent", "legal gave None; a list of moves is wanted"),
        ("Word", "legal gave 'deal'; a list of moves is wanted"),
        ("Mutable", r"legal gave the move \['deal', 1\], which keys no dict .* a tuple or a text"),
        ("Many", "'shuffle' is one more than 2 different moves; set `moves`"),
        ("Done", "gave True; the new position is wanted, or nothing where it was changed"),
        ("Poor", "payoff gave None; a number for each of 2 players is wanted"),
        ("Wordy", "payoff gave 'lost'; a number is wanted"),
        ("Alone", "1 payoffs given, 2 wanted"),
        ("Rich", "5000 weights given, most_moves is 512"),
    ],
)
def test_a_rule_that_gives_what_is_none_says_what_would_be_right(file, name, words):
    def play(position):
        position.weights()
        position.play(position.legal()[0])
        position.payoff()

    with pytest.raises(RuleError, match=words):
        play(load_game(f"{file}:{name}").start())


def test_moves_that_are_yielded_are_all_listed(file):
    position = load_game(f"{file}:Yielding").start()
    for left in (3, 2, 1):  # each is new when it is listed first
        assert len(position.legal()) == left
        position.apply(position.legal()[-1])


def test_weights_without_end_are_refused(file):
    with pytest.raises(RuleError, match="3 weights given, most_moves is 2"):
        load_game(f"{file}:Weighing").start().weights()


def test_moves_without_end_are_refused(file):
    with pytest.raises(RuleError, match="3 legal moves, most_moves is 2"):
        load_game(f"{file}:Endless").start().legal()


@pytest.mark.parametrize(
    ("name", "words"), [("Refusing", "BaseException: not today"), ("Texts", "SystemExit: no words")]
)
def test_what_is_no_exception_is_the_rules_error_all_the_same(file, name, words):
    with pytest.raises(RuleError, match=f"rule 'legal' raised {words}"):
        load_game(f"{file}:{name}").start().choices()


def test_moves_without_a_text_go_by_their_fields_and_not_by_their_addresses(file):
    game = load_game(f"{file}:Faceless")
    in_order = [game.rules.values[move].k for move in game.start().choices()]
    assert in_order == [0, 1, 2, 3]
