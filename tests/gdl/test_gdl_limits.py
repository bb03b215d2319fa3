"""Grounding that would not end stops in bounded time, and the game is played all the same."""

from __future__ import annotations

import time

import pytest

from facedown.core import SpecError
from facedown.gdl.errors import LimitError
from facedown.gdl.game import NetworkGame
from facedown.gdl.ground import Limits, ground
from facedown.gdl.lifted_game import LiftedGame
from facedown.gdl.load import game_of
from facedown.gdl.reader import read

COUNTING = """
(role a) (init (n zero))
(<= (legal a up)) (<= (legal a stop))
(<= (next (n (s ?x))) (true (n ?x)) (does a up))
(<= (next done) (does a stop))
(<= terminal (true done)) (<= (goal a 100) (true done))
"""
"""Its fluents nest as deep as somebody cares to count."""

FACTS = """
(role a) (init x) (num zero) (<= (num (s ?x)) (num ?x))
(<= (legal a (say ?x)) (num ?x)) (<= (next x) (true x)) (<= terminal (true y)) (goal a 0)
"""
"""The rules break the restriction on recursion: infinitely many numbers in any position."""


def test_fluents_that_nest_for_ever_are_named() -> None:
    with pytest.raises(LimitError, match="nest more than 20 deep"):
        ground(read(COUNTING, "counting.kif"), Limits(depth=20))


def test_facts_without_end_hit_the_limit_on_rules() -> None:
    with pytest.raises(LimitError, match="more than 5,000 ground rules"):
        ground(read(FACTS), Limits(rules=5_000))


def test_facts_without_end_hit_the_limit_on_memory() -> None:
    with pytest.raises(LimitError, match="memory"):
        ground(read(FACTS), Limits(rules=10**9, megabytes=150, seconds=60))


def test_a_grounding_that_takes_long_is_stopped() -> None:
    names = " ".join(f"?x{k}" for k in range(9))
    each, domain = " ".join(f"(d ?x{k})" for k in range(9)), " ".join(f"(d {k})" for k in range(12))
    slow = f"""
        (role a) (init s) {domain} (<= (p {names}) {each} (true s))
        (<= (legal a go)) (<= (next s) (true s)) (<= terminal (p {names})) (goal a 0)
    """
    began = time.thread_time()
    with pytest.raises(LimitError, match=r"more than 1 s of CPU time$"):
        ground(read(slow), Limits(seconds=1.0, rules=10**9))
    assert time.thread_time() - began < 10


def test_the_message_names_the_file() -> None:
    with pytest.raises(LimitError, match=r"^counting\.kif: "):
        NetworkGame(read(COUNTING, "counting.kif"))


def test_what_cannot_be_grounded_is_played_lifted() -> None:
    game = game_of(read(COUNTING, "counting.kif"), "gdl:counting.kif")
    assert isinstance(game.definition, LiftedGame)
    assert "nest" in game.definition.reason
    position = game.start()
    for _ in range(5):
        position.apply(game.parse_move("up", position.legal()))
    position.apply(game.parse_move("stop", position.legal()))
    assert position.over
    assert position.payoff() == [100.0]


def test_without_clingo_there_is_a_clear_message(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    (tmp_path / "clingo.py").write_text("raise ImportError")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(SpecError, match="clingo is not installed"):
        ground(read(COUNTING))


def test_names_may_hold_any_letters() -> None:
    rules = """
        (role |x"|) (init (++ 1 a.b)) (<= (legal |x"| (take-it! ?x)) (true (++ ?x a.b)))
        (<= (next done\\) (does |x"| (take-it! 1))) (<= terminal (true done\\))
        (<= (goal |x"| 100) (true done\\))
    """
    found = ground(read(rules))
    assert [str(args[0]) for args in found.atoms["true"]] == ["(++ 1 a.b)", "done\\"]
