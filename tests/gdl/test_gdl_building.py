"""Networks that are built beside: the same, within limits of CPU time and memory, and stopped."""

from __future__ import annotations

import os
import time

import numpy as np
import pytest

from facedown.core import SpecError
from facedown.gdl import building
from facedown.gdl.building import Build
from facedown.gdl.errors import LimitError
from facedown.gdl.ground import Limits
from facedown.gdl.library import find
from facedown.gdl.network import RuleNetwork
from facedown.gdl.play import random_games
from facedown.gdl.reader import read, read_file

ENDLESS = """
(role a) (init x) (num zero) (<= (num (s ?x)) (num ?x))
(<= (legal a (say ?x)) (num ?x)) (<= (next x) (true x)) (<= terminal (true y)) (goal a 0)
"""


@pytest.fixture(autouse=True)
def _forget(monkeypatch):
    building.forget()


@pytest.mark.parametrize("name", ["tic-tac-toe", "meier"])
def test_a_network_built_beside_is_the_same(name):
    description = read_file(find(name))
    build = Build(description)
    there = build.result()
    here = RuleNetwork(description)
    assert (here.slots, here.percepts, here.fluents) == (there.slots, there.percepts, there.fluents)
    assert np.array_equal(here.play.edge, there.play.edge)
    plays = [random_games(rules, 50, seed=3) for rules in (here, there)]
    assert plays[0].mean_goals == plays[1].mean_goals
    assert Build(description).done  # it is known now


def test_cpu_time_is_limited_and_the_next_one_is_built():
    limits = Limits(seconds=0.5, rules=10**9)
    with pytest.raises(LimitError, match=r"rules: no rule network: more than 0\.5 s of CPU time"):
        Build(read(ENDLESS), limits).result()
    assert Build(read_file(find("tic-tac-toe"))).result().players == 2


def test_memory_is_limited_and_the_next_one_is_built():
    limits = Limits(rules=10**9, megabytes=1200, seconds=60)
    with pytest.raises(LimitError, match="memory"):
        Build(read(ENDLESS), limits).result()
    assert Build(read_file(find("tic-tac-toe"))).result().players == 2


def test_what_is_wrong_with_rules_is_told():
    rules = "(role random) (init s) (legal random x) (<= terminal (true t)) (goal random 0)"
    with pytest.raises(SpecError, match="a player is wanted"):
        Build(read(rules)).result()


def test_one_that_nobody_waits_for_is_ended():
    build = Build(read(ENDLESS), Limits(rules=10**9, seconds=300, megabytes=100_000))
    process = build.process
    assert process is not None
    time.sleep(0.2)
    assert not build.done
    build.end()
    assert build.wait(600)
    with pytest.raises(ProcessLookupError):
        os.kill(process.pid, 0)
