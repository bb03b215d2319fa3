"""Rules over opened records: what is opened, what a wrong rule is told, and how it is cached."""

import types

import numpy as np
import pytest

from facedown.core import RuleError
from facedown.core.opened import Records, open_records
from facedown.core.records import address_of
from facedown.core.rules import RULES
from facedown.games import kuhn
from facedown.games.registry import load_game

SOURCE = """
import numpy as np
from facedown import CHANCE, OVER, CompiledGame

State = np.dtype([("n", np.int64)])
Table = np.dtype([("moves", np.int64), ("most", np.int64)])

class Counting(CompiledGame):
    State = State
    players, moves, most_moves, most_plies, bounds = 3, 8, 4, 4, (0.0, 9.0)
    def context(self):
        return np.array([(2, 3)], Table)

def start(t, s):
    s["n"] = 0
def turn(t, s):
    return OVER if s["n"] == t["most"] else 1
def legal(t, s, moves):
    moves[:] = 7
    for k in range(t["moves"]):
        moves[k] = k
    return t["moves"]
def apply(t, s, move):
    s["n"] += 1 + move
def sees(t, s, move, viewer):
    return move + 1
def payoff(t, s, pay):
    pay[:] = len(pay)
def hide(t, s, viewer):
    pass
def infoset(t, s, viewer):
    return s["n"]
def tokens(t, s, move, out):
    out[:] = len(out)
def prior(t, s, moves, out):
    for k in range(len(out)):
        out[k] = len(moves) + moves[k]
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "counting.py"
    path.write_text(SOURCE)
    return path


def test_buffers_have_the_length_that_is_theirs(file):
    game = load_game(f"{file}:Counting")
    position = game.start()
    buffer = np.full(6, -1, np.int32)
    args = game.rules.ctx, position.address, address_of(buffer)
    assert game.rules.python["legal"](*args) == 2
    assert list(buffer) == [0, 1, 7, 7, -1, -1]  # `most_moves` of them
    assert position.tokens(0) == [4, 4, 4, 4]  # three players and the public
    assert position.prior([1, 0]) == [3.0, 2.0]
    position.apply(1)
    assert position.turn() == 1
    position.apply(0)
    assert position.over
    assert position.payoff() == [3.0, 3.0, 3.0]


WRONG = {
    "def legal(t, s, out):": "rule legal(t, s, out): legal(context, s, moves) is wanted",
    "def legal(s, moves):": "rule legal(s, moves): legal(context, s, moves) is wanted",
    "def legal(ctx, state, out):": "rule legal(ctx, state, out): legal(context, s, moves)",
    "def legal(t, s, moves, n):": "rule legal(t, s, moves, n): legal(context, s, moves)",
    "def legal(t, s, *moves):": "rule legal(t, s): legal(context, s, moves) is wanted",
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_signature_is_told_in_one_line(file, wrong):
    line = 1 + SOURCE[: SOURCE.index("def legal(")].count("\n")
    file.write_text(SOURCE.replace("def legal(t, s, moves):", wrong))
    with pytest.raises(RuleError) as caught:
        load_game(f"{file}:Counting")
    text = str(caught.value)
    assert text.startswith(WRONG[wrong])
    assert text.endswith(f"({file}:{line})")
    assert "\n" not in text


def test_two_arguments_in_the_wrong_order_are_a_wrong_signature(file):
    file.write_text(SOURCE.replace("def sees(t, s, move, viewer)", "def sees(t, s, viewer, move)"))
    with pytest.raises(RuleError, match=r"sees\(context, s, move, viewer\) is wanted"):
        load_game(f"{file}:Counting")


def test_a_memo_and_the_rule_that_keeps_it_go_together(file):
    file.write_text(SOURCE + "\ndef remember(t, memo, token, viewer):\n    memo['n'] = 1\n")
    with pytest.raises(RuleError, match="`Memo`, the type of a memo, and the rule `remember`"):
        load_game(f"{file}:Counting")


def test_kinds_and_of_kind_go_together(file):
    file.write_text(SOURCE + "\ndef kinds(t, s):\n    return 1\n")
    with pytest.raises(RuleError, match="kinds and of_kind go together"):
        load_game(f"{file}:Counting")


# --- the cache ------------------------------------------------------------------------------------


def opened(function, state=kuhn.State):
    return open_records(function, RULES["turn"], Records(state))


def other(s):
    return 1 + s["n"]


def test_other_functions_and_other_records_have_another_name_in_the_cache():
    names = {
        opened(kuhn.turn).__qualname__,
        opened(kuhn.turn).__qualname__,
        opened(other).__qualname__,
        opened(kuhn.turn, np.dtype([*kuhn.State.descr, ("more", np.int8)])).__qualname__,
    }
    assert len(names) == 3
    assert all(name.startswith("turn_") for name in names)


def test_what_a_function_closes_over_and_its_globals_tell_it_from_others_like_it():
    def closing(here):
        def closed(s):
            return here + s["n"]

        return closed

    assert opened(closing(1)).__qualname__ == opened(closing(1)).__qualname__
    assert opened(closing(1)).__qualname__ != opened(closing(2)).__qualname__
    elsewhere = types.FunctionType(kuhn.turn.__code__, {**kuhn.turn.__globals__, "CHANCE": -9})
    assert "CHANCE" in kuhn.turn.__code__.co_names
    assert opened(elsewhere).__qualname__ != opened(kuhn.turn).__qualname__
