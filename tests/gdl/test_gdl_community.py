"""What rule files of others do: negated goals, faulty hints, other notations, no goals at ends."""

from __future__ import annotations

import logging
from itertools import product

import pytest

from facedown.core import SpecError
from facedown.core.plain import adapt
from facedown.gdl.checks import check_rules, checked
from facedown.gdl.lifted import Lifted
from facedown.gdl.lifted_game import lifted_game
from facedown.gdl.load import game_of
from facedown.gdl.notation import other_notation
from facedown.gdl.reader import read
from facedown.gdl.trial import tried

SHAPE = """(role a) (role b) (init s) (legal a x) (legal a y) (legal b x) (legal b y)
(<= (next (d ?r ?m)) (does ?r ?m)) (<= terminal (true (d a ?x)))
(<= same (true (d a ?m)) (true (d b ?m)))
"""
GOALS = {
    "by value": """
        (<= (goal ?r 100) (role ?r) (true (d ?r x)) (not same)) (<= (goal ?r 50) (role ?r) same)
        (<= (goal ?r 0) (role ?r) (not (goal ?r 100)) (not (goal ?r 50)))""",
    "by role and value": """
        (<= (goal a 100) (true (d a x)) (not same)) (<= (goal b 100) (not same) (not (goal a 100)))
        (<= (goal ?r 50) same (role ?r)) (<= (goal a 0) (goal b 100))
        (<= (goal b 0) (goal a 100))""",
    "by a helper": """
        (<= (wins a) (true (d a x)) (not same)) (<= (wins b) (not same) (not (wins a)))
        (<= (goal ?r 100) (wins ?r)) (<= (goal ?r 50) same (role ?r))
        (<= (goal ?r 0) (role ?r) (not (goal ?r 100)) (not (goal ?r 50)))""",
    "by a variable": """
        (value 100) (value 50) (<= (goal ?r 100) (role ?r) (true (d ?r x)) (not same))
        (<= (goal ?r 50) (role ?r) same) (<= (goal ?r 0) (role ?r) (not (better ?r)))
        (<= (better ?r) (value ?v) (goal ?r ?v) (distinct ?v 0))""",
}
PAYOFFS = {"xx": [50, 50], "xy": [100, 0], "yx": [0, 100], "yy": [50, 50]}


@pytest.mark.parametrize("kind", GOALS)
def test_goals_by_the_negation_of_other_goals_are_those_that_are_meant(kind):
    description = checked(read(SHAPE + GOALS[kind]))
    reasoner = Lifted(description)
    games = [game_of(description, "g"), adapt(lifted_game(description), "g")]
    for moves in product("xy", "xy"):
        wanted = PAYOFFS["".join(moves)]
        end = reasoner.next(reasoner.initial(), moves)
        assert [reasoner.goals(end, role) for role in "ab"] == [[str(value)] for value in wanted]
        for game in games:
            position = game.start()
            for move in moves:
                position.apply(game.parse_move(move, position.legal()))
            if not position.over:
                position.apply(position.legal()[0])
            assert position.payoff() == wanted


def test_what_is_negated_may_have_values_that_no_head_has():
    game = Lifted(
        read("(role a) (val 1) (val 2) (init s) (<= (p 1) (true s)) (<= (p 2) (val 2) (not (p 1)))"
             "(<= (p 3) (val ?x) (not (p ?x))) (<= (legal a ?x) (p ?x))")
    )  # fmt: skip
    assert game.legal(game.initial(), "a") == ["1", "3"]
    assert game.legal(frozenset(), "a") == ["2", "3"]


@pytest.mark.parametrize(
    "rules",
    [
        "(<= p (not p))",
        "(<= (p ?x) (q ?x) (not (p ?x))) (q 1)",
        "(<= (p 1) (not (p 2))) (<= (p 2) (not (p 1)))",
        "(<= (goal a 100) (not (goal a 0))) (<= (goal a 0) (not (goal a 100)))",
    ],
)
def test_what_no_splitting_helps_is_refused(rules):
    found = check_rules(read("(role a) " + rules))
    assert any("depends on its own negation" in each.words for each in found)


def test_faulty_hints_are_left_out_with_a_warning():
    rules = SHAPE + GOALS["by value"]
    hints = "(base a b) (base) (<= (input ?r)) (input ?r x) (base ()) (<= (base ?x) (distinct ?x))"
    description = read(rules + hints)
    assert description.rules == read(rules).rules
    told = [each.words for each in check_rules(description)]
    assert len([words for words in told if "a hint that cannot be read" in words]) == 6
    assert checked(description) is description


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("role(white). role(black).\nnext(X) :- true(X).", "the notation of Prolog"),
        ("role(white) role(black)\nlegal(W, noop) <= true(control(W))", "infix notation"),
        ("role(white) <=(next(X), true(X)) init(a)", "prefix notation"),
        ("% facts\nrole(white)\nrole(black)\ninit(cell(1, 1, b))", "the notation of functions"),
    ],
)
def test_other_notations_are_named(text, words):
    with pytest.raises(SpecError, match=words) as raised:
        read(text, "x.gdl")
    assert "rules in KIF are wanted" in str(raised.value)


def test_kif_is_not_taken_for_another_notation():
    assert (
        other_notation("(role a)(role b)(<=(next ?x)(true ?x)) ; role(a) legal(b) does(c)") is None
    )
    assert other_notation(SHAPE) is None


UNSCORED = SHAPE + "(<= (goal a 100) same) (<= (goal b 50) same)"


@pytest.mark.parametrize("made", [game_of, lambda d, spec: adapt(lifted_game(d), spec)])
def test_an_end_without_a_goal_is_nothing_and_is_told_once(made, caplog):
    game = made(checked(read(UNSCORED, "u.kif")), "gdl:u.kif")
    with caplog.at_level(logging.WARNING, logger="facedown.gdl"):
        for _ in range(2):
            position = game.start()
            for move in "xy":
                position.apply(game.parse_move(move, position.legal()))
            assert position.payoff() == [0.0, 0.0]
    told = [record.getMessage() for record in caplog.records]
    assert told == [
        f"u.kif: {role} has no goal at the end of a game, which counts as 0" for role in "ab"
    ]


def test_check_says_so_too_and_calls_it_playable():
    played = tried(read(UNSCORED), games=20, seconds=5, steps=100, seed=0)
    assert [each.severity for each in played.faults] == ["warning", "warning"]
    assert all("no goal at the end, which counts as 0" in each.words for each in played.faults)


def test_check_and_match_agree_on_what_cannot_be_played():
    rules = read("(role random) (init s) (legal random x) (<= terminal (true t)) (goal random 0)")
    with pytest.raises(SpecError, match="a player is wanted") as by_match:
        game_of(rules, "r")
    with pytest.raises(SpecError) as by_check:
        tried(rules, games=1, seconds=1, steps=10, seed=0)
    assert str(by_match.value) == str(by_check.value)


def test_check_tries_what_is_beyond_the_lifted_reasoner_by_its_network(monkeypatch):
    monkeypatch.setattr("facedown.gdl.program.MAX_WORK", 1)
    digits = " ".join(f"(n {k})" for k in range(9))
    rules = read(
        f"(role a) {digits} (init s) (<= (legal a (m ?x ?y)) (n ?x) (n ?y) (true s))"
        "(<= (next t) (does a (m ?x ?y))) (<= terminal (true t)) (<= (goal a 100) (true t))"
    )
    played = tried(rules, games=3, seconds=1, steps=10, seed=0)
    assert (played.games, played.states) == (3, 3)
    assert "beyond the lifted reasoner" in played.faults[0].words
