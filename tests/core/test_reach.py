"""The digest of what compiled code is made of."""

import types

import numpy as np
import pytest

from facedown.core.jit import JIT, jit
from facedown.core.made import plain
from facedown.core.reach import digest

TABLE = np.arange(4)
KIND = np.dtype([("a", np.int64), ("b", np.int8, 3)])
NUMBER = 3


@jit
def helper(n):
    return TABLE[n] + NUMBER


def rule(n):
    """Words."""
    return helper(n) + np.zeros(1, KIND)[0]["a"]


def other(n):
    return n


def copy(function, **names):
    """The same code with other globals."""
    return types.FunctionType(function.__code__, {**function.__globals__, **names})


def helped(**names):
    """The helper with other globals."""
    return {"helper": jit(copy(plain(helper), **names))}


def test_the_digest_is_the_same_for_the_same_code_with_other_words_in_another_file():
    moved = rule.__code__.replace(
        co_filename="elsewhere.py",
        co_firstlineno=700,
        co_consts=("Other words.", *rule.__code__.co_consts[1:]),
    )
    assert digest(types.FunctionType(moved, rule.__globals__, "rule")) == digest(rule)


OFFSETS = {"names": ["a", "b"], "formats": [np.int64, (np.int8, 3)], "offsets": [3, 0]}


@pytest.mark.parametrize(
    "names",
    [
        {"KIND": np.dtype([("a", np.int64), ("b", np.int8, 4)])},
        {"KIND": np.dtype([("a", np.int32), ("b", np.int8, 3)])},
        {"KIND": np.dtype(OFFSETS)},
        {"helper": jit(other)},
        helped(NUMBER=4),
        helped(NUMBER=3.0),
        helped(TABLE=np.arange(4) + 1),
        helped(TABLE=np.arange(4.0)),
    ],
)
@pytest.mark.skipif(not JIT, reason="without the JIT a helper is a plain function")
def test_whatever_it_reaches_changes_the_digest(names):
    assert digest(copy(rule, **names)) != digest(rule)


def test_functions_that_call_each_other_have_a_digest():
    module = types.ModuleType("m")
    exec("def a(n):\n return b(n)\ndef b(n):\n return a(n)", vars(module))
    assert digest(module.a) != digest(module.b)


def test_an_attribute_of_a_module_of_ones_own_is_part_of_it(monkeypatch):
    from facedown.games.settlers import moves

    def asking():
        def asks(n):
            return moves.SETTLE + n

        return asks

    found = digest(asking())
    assert digest(asking()) == found
    monkeypatch.setattr(moves, "SETTLE", moves.SETTLE + 1)
    assert digest(asking()) != found
