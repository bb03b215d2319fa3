"""A clock may strike anywhere: what was broken off leaves no trace in what is asked afterwards."""

from __future__ import annotations

import pytest

from facedown.core import Stream, derive
from facedown.core.plain import adapt
from facedown.gdl import program
from facedown.gdl.library import find
from facedown.gdl.lifted import Lifted
from facedown.gdl.lifted_game import lifted_game
from facedown.gdl.reader import read, read_file
from support.interrupts import Clock, within

RECURSIVE = """(role a) (role b) (init (wire 1 2)) (init (wire 2 3)) (init (wire 4 5)) (n 1) (n 2)
  (n 3) (n 4) (n 5) (<= (pair ?x ?y) (n ?x) (n ?y) (distinct ?x ?y))
  (<= (joined ?x ?y) (true (wire ?x ?y))) (<= (joined ?x ?z) (joined ?x ?y) (joined ?y ?z))
  (<= terminal (joined 1 5)) (<= (legal a (lay ?x ?y)) (pair ?x ?y) (not (joined ?x ?y)))
  (legal b noop) (<= (next ?f) (true ?f)) (<= (next (wire ?x ?y)) (does a (lay ?x ?y)))
  (<= (sees b (now ?x ?y)) (does a (lay ?x ?z)) (joined ?z ?y)) (<= (goal a 100) (joined 1 5))
  (<= (goal b 0) (role b))"""

WATCHED = within("gdl/lifted", "gdl/program", "gdl/memory", "gdl/machine")


@pytest.fixture(params=["listed", "asked"])
def way(request, monkeypatch):
    """Relations as they are worked out by themselves, and all asked that can be."""
    if request.param == "asked":
        monkeypatch.setattr(program, "MAX_DERIVED", -1)
        monkeypatch.setattr(program, "MAX_LISTED", -1)


def described(name):
    return read(RECURSIVE) if name == "recursive" else read_file(find(name))


def some_line(reasoner, name, steps):
    """The first positions of a random game, with joint moves."""
    stream, state, line = Stream(derive(1, "line", name)), reasoner.initial(), []
    while not reasoner.terminal(state) and len(line) < steps:
        moves = [stream.choice(reasoner.legal(state, role)) for role in reasoner.roles]
        line.append((state, moves))
        state = reasoner.next(state, moves)
    return line


def asked(reasoner, line):
    """All that can be asked along a line."""
    told = []
    for state, moves in line:
        told.append((reasoner.terminal(state), reasoner.next(state, moves)))
        for role in reasoner.roles:
            told.append((reasoner.legal(state, role), reasoner.goals(state, role)))
            told.append(reasoner.sees(state, moves, role))
    return told


@pytest.mark.parametrize(
    ("name", "steps"),
    [("recursive", 2), ("tic-tac-toe", 2), ("meier", 3), ("blind-breakthrough-5x5", 1)],
)
@pytest.mark.parametrize("most", [150, pytest.param(600, marks=pytest.mark.slow)])
def test_a_strike_at_any_instruction_leaves_the_reasoner_right(name, steps, way, most):
    """One reasoner is struck again and again, each time as it begins to work out everything."""
    description = described(name)
    line = some_line(Lifted(description), name, steps)
    expected = asked(Lifted(description), line)
    clock, reasoner = Clock(WATCHED), Lifted(description)
    length = clock.steps(lambda: asked(reasoner, line))
    stream, strikes = Stream(derive(2, "strikes", name)), 0
    while strikes < most:
        reasoner.forget()
        for _ in range(4):  # the second and further ones find what those before have left
            strikes += clock.strike(lambda: asked(reasoner, line), 1 + stream.below(length))
        assert asked(reasoner, line) == expected


@pytest.mark.parametrize("most", [750, pytest.param(3000, marks=pytest.mark.slow)])
def test_a_strike_at_every_instruction_of_a_first_answer(most):
    description = described("recursive")
    line = some_line(Lifted(description), "recursive", 1)
    expected = asked(Lifted(description), line)
    clock, reasoner = Clock(WATCHED), Lifted(description)
    length = clock.steps(lambda: asked(reasoner, line))
    for at in range(1, length, max(1, length // most)):
        reasoner.forget()
        clock.strike(lambda: asked(reasoner, line), at)
        assert asked(reasoner, line) == expected


def test_moves_keep_their_numbers_whatever_is_broken_off():
    game = adapt(lifted_game(described("tic-tac-toe")), "ttt")
    clock, stream = Clock(within("core/plain")), Stream(5)
    for k in range(300):
        term = f"m{k}"
        clock.strike(lambda term=term: game.rules.number(term), 1 + stream.below(40))
        assert game.rules.values[game.rules.number(term)] == term
    listed = [game.rules.values[n] for n in game.rules.numbers.values()]
    assert listed == list(game.rules.numbers)
