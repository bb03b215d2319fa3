"""Small rule files in the manners of public ones: each is read, checked and played, both ways."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from pathlib import Path

import pytest

from facedown.core import Stream, derive
from facedown.gdl.checks import check_rules, checked
from facedown.gdl.lifted import Lifted
from facedown.gdl.load import game_of
from facedown.gdl.reader import read_file
from facedown.gdl.simulate import play
from facedown.gdl.strata import split
from support.naive_rules import Naive, told
from support.network_play import Beside

FILES = sorted((Path(__file__).parent / "rules" / "manners").glob("*.kif"))
WITHOUT_END = ("nested-functions", "whole-fluent")
"""Whose terms could nest for ever, for all that grounding knows: no network."""


@pytest.fixture(params=FILES, ids=attrgetter("stem"))
def description(request):
    return checked(read_file(request.param))


def test_a_file_is_valid_and_its_games_end(description):
    assert [each for each in check_rules(description) if each.severity == "error"] == []
    played = play(Lifted(description), games=8)
    assert len(played.lengths) == 8
    assert [each for each in played.faults if each.severity == "error"] == []
    assert all(played.goals[role] for role in description.roles if role != "random")


@pytest.mark.parametrize(
    "file", [f for f in FILES if f.stem not in WITHOUT_END], ids=attrgetter("stem")
)
def test_the_network_and_the_lifted_reasoner_go_together(file):
    game = game_of(checked(read_file(file)), "gdl:manners")
    Beside(game, Stream(derive(1, "manners", file.stem))).run(40)


def test_the_oracle_says_the_same(description):
    stratified = replace(description, rules=tuple(split(description.rules, description.roles)))
    reasoner, oracle = Lifted(description), Naive(stratified)
    stream, state = Stream(3), reasoner.initial()
    assert state == oracle.initial()
    while not reasoner.terminal(state):
        moves = [stream.choice(reasoner.legal(state, role)) for role in reasoner.roles]
        assert told(reasoner, state, moves) == oracle.everything(state, moves)
        state = reasoner.next(state, moves)
