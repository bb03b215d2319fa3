"""What the checks find: one small file for each fault, with the place."""

from __future__ import annotations

import pytest

from facedown.core import SpecError
from facedown.gdl.checks import check_rules, checked
from facedown.gdl.lifted import Lifted
from facedown.gdl.reader import read
from facedown.gdl.simulate import play

SOUND = """(role a)
(init (n 1))
(<= (legal a go) (true (n ?x)))
(<= (next (n 2)) (does a go))
(<= terminal (true (n 2)))
(<= (goal a 100) (true (n 2)))
"""

FAULTS = {
    "(<= (p ?x) (q a) (not (r ?x)))\n(q a) (r a)": (
        "7:1: error: no positive literal of the body binds ?x: (<= (p ?x) (q a) (not (r ?x)))"
    ),
    "(<= p (distinct ?x ?y))": (
        "7:1: error: no positive literal of the body binds ?x, ?y: (<= p (distinct ?x ?y))"
    ),
    "(p ?x)": "7:1: error: no positive literal of the body binds ?x: (p ?x)",
    "(<= p (not q))\n(<= q (not p))": (
        "7:1: error: p depends on its own negation through q: (<= p (not q))"
    ),
    "(<= p (not p))": "7:1: error: p depends on its own negation: (<= p (not p))",
    "(e 1 2)\n(<= (p ?x ?y) (e ?x ?y))\n(<= (p ?x ?z) (p ?x ?y) (p ?y ?z))": (
        "9:1: warning: ?y goes round a cycle and nothing outside of the cycle limits it: "
        "(<= (p ?x ?z) (p ?x ?y) (p ?y ?z))"
    ),
    "(nat z)\n(<= (nat (s ?x)) (nat ?x))": (
        "8:1: warning: ?x goes round a cycle and nothing outside of the cycle limits it, so that "
        "terms may grow without end: (<= (nat (s ?x)) (nat ?x))"
    ),
    "(<= p (q 1 2))\n(q 1)": (
        "7:1: warning: no rule makes (q 1 2) true, which has 1 arguments elsewhere: (<= p (q 1 2))"
    ),
    "(<= p (q 1))": "7:1: warning: no rule makes (q 1) true: (<= p (q 1))",
    "(q 1)\n(q 1 2)": "8:1: warning: q has 1 and 2 arguments: (q 1 2)",
    "(<= (legal a stop) (moved a))\n(<= (moved ?p) (does ?p go))": (
        "7:1: error: legal depends on does: (<= (legal a stop) (moved a))"
    ),
    "(<= terminal (does a go))": "7:1: error: terminal depends on does: (<= terminal (does a go))",
    "(<= (goal a 0) (does a go))": "7:1: error: goal depends on does: (<= (goal a 0) (does a go))",
    "(<= (init (m 1)) (true (n 1)))": (
        "7:1: error: init depends on true: (<= (init (m 1)) (true (n 1)))"
    ),
    "(legal b go)": "7:1: warning: b is no role of the game: (legal b go)",
    "(<= p (does b go))": "7:1: warning: b is no role of the game: (<= p (does b go))",
    "(goal a much)": "7:1: error: a goal is a whole number, not much: (goal a much)",
    "(goal a 150)": "7:1: warning: goals go from 0 to 100, and 150 does not: (goal a 150)",
    "(<= (sees ?p x) (true (n 1)))": (
        "7:1: warning: nothing binds ?p, a role; (role ?p) added: (<= (sees ?p x) (true (n 1)))"
    ),
}


def findings(text):
    return [each.line("f").removeprefix("f:") for each in check_rules(read(text, "f"))]


def test_sound_rules_have_no_findings():
    assert findings(SOUND) == []
    assert checked(read(SOUND)).roles == ("a",)


@pytest.mark.parametrize("text", FAULTS)
def test_each_fault_is_found_at_its_place(text):
    found = findings(SOUND + text)
    assert FAULTS[text] in found
    assert len(found) <= 2


@pytest.mark.parametrize("text", [text for text, said in FAULTS.items() if " error: " in said])
def test_the_first_error_is_raised(text):
    with pytest.raises(SpecError) as caught:
        checked(read(SOUND + text, "f"))
    first = next(each for each in findings(SOUND + text) if " error: " in each)
    assert str(caught.value) == "f:" + first.replace(" error: ", " ", 1)


def test_recursion_through_a_literal_off_the_cycle_is_allowed():
    text = "(e 1 2)\n(<= (p ?x ?y) (e ?x ?y))\n(<= (p ?x ?z) (e ?x ?y) (p ?y ?z))"
    assert findings(SOUND + text) == []


def test_rules_that_are_missing():
    assert findings("(role a)") == [
        "1:1: error: no rule for legal",
        "1:1: error: no rule for terminal",
        "1:1: error: no rule for goal",
    ]


def test_slips_that_were_read_as_written_are_told_once():
    assert len(findings(SOUND + "(<= (next x) (does a go) (not (true n 1)))")) == 1


# playing


def faults(text, **more):
    return [each.words for each in play(Lifted(checked(read(text))), **more).faults]


def test_a_sound_game_is_played():
    played = play(Lifted(read(SOUND)), games=3)
    assert (played.games, played.states, played.lengths) == (3, 3, [1, 1, 1])
    assert played.goals == {"a": [100, 100, 100]}
    assert played.faults == []


def test_a_role_without_a_move():
    text = SOUND.replace("(<= terminal (true (n 2)))", "(<= terminal (true (n 3)))")
    text = text.replace("(true (n ?x))", "(true (n 1))")
    assert faults(text) == ["a has no legal move (random game 0, after 1 steps)"]


def test_a_game_without_end():
    text = SOUND.replace("(<= terminal (true (n 2)))", "(<= terminal (true (n 3)))")
    assert faults(text, steps=50) == [
        "a game did not end in 50 steps (random game 0, after 50 steps)"
    ]


def test_goals_at_the_end():
    missing = SOUND.replace("(<= (goal a 100) (true (n 2)))", "(<= (goal a 100) (true (n 3)))")
    assert faults(missing) == [
        "a has no goal at the end, which counts as 0 (random game 0, after 1 steps)"
    ]
    several = SOUND + "(goal a 30)"
    assert faults(several) == [
        "a has several goals, of which the highest counts (random game 0, after 1 steps)"
    ]
    assert play(Lifted(read(several)), games=1).goals == {"a": [100]}
    odd = SOUND.replace("(<= (goal a 100) (true (n 2)))", "(<= (goal a ?x) (w ?x)) (w b)")
    assert faults(odd)[0] == "a goal of a is no whole number (random game 0, after 1 steps)"


def test_random_needs_no_goal():
    assert faults(SOUND + "(role random) (legal random roll)") == []


def test_the_same_seed_gives_the_same_games():
    text = SOUND.replace("(next (n 2)) (does a go)", "(next (n 2)) (does a stop)")
    text += "(<= (legal a stop) (true (n ?x))) (<= (next (n ?x)) (true (n ?x)) (does a go))"
    lengths = [play(Lifted(read(text)), seed=seed).lengths for seed in (3, 3, 4)]
    assert lengths[0] == lengths[1] != lengths[2]
