"""The clerk beside a match among random players: what it calls legal is legal."""

from __future__ import annotations

from time import monotonic

import pytest

from facedown.core import Stream
from facedown.core.errors import FacedownError
from facedown.gdl.library import find
from facedown.gdl.lifted import Lifted
from facedown.gdl.reader import read_file
from facedown.ggp.clerk import Clerk
from facedown.ggp.messages import Start, Told, read_term
from facedown.ggp.referee import sheet


@pytest.mark.parametrize(
    "name", ["tic-tac-toe", "monty-hall", "krieg-tic-tac-toe-3x3", "blind-breakthrough-5x5"]
)
def test_a_clerk_knows_the_moves_of_every_step(name: str) -> None:
    """In GDL for certain; in GDL-II what it guesses is legal nearly always. It may miss steps."""
    rules = read_file(find(name))
    truth, stream, role = Lifted(rules), Stream(5), [r for r in rules.roles if r != "random"][-1]
    clerk = Clerk("", 1)
    clerk.start(Start("m", role, f"({sheet(find(name), rules)})", 10, 10), 10)
    state, told, steps = truth.initial(), None, []
    right = asked = 0
    while not truth.terminal(state) and len(steps) < 12:
        legal = truth.legal(state, role)
        if stream.random() < 0.7:  # others it has to catch up with
            known = {read_term(move) for move in clerk.legal(steps, told, monotonic() + 5)}
            right, asked = right + (known <= set(legal)), asked + 1
            assert known
        joint = [stream.choice(truth.legal(state, each)) for each in truth.roles]
        own = joint[truth.roles.index(role)]
        steps.append((told, str(own)))
        terms = joint if rules.perfect else truth.sees(state, joint, role)
        told = Told(None if rules.perfect else len(steps), own, tuple(terms))
        state = truth.next(state, joint)
    assert right == asked if rules.perfect else right >= asked - 1
    assert asked > 0


def test_a_clerk_without_a_match_and_told_what_cannot_be() -> None:
    clerk, file = Clerk("", 1), find("monty-hall")
    with pytest.raises(FacedownError, match="no match has begun"):
        clerk.legal([], None, monotonic() + 1)
    rules = f"({sheet(file, read_file(file))})"
    clerk.start(Start("m", "contestant", rules, 10, 10), 10)
    with pytest.raises(FacedownError, match="was not legal in any position"):
        clerk.legal([(None, "noop")], Told(1, read_term("(open 7)"), ()), monotonic() + 1)
