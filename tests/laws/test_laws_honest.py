"""Honest games break no law, whatever the seed."""

from __future__ import annotations

import pytest

from facedown.core.jit import JIT
from facedown.core.plain import adapt
from facedown.games.registry import load_game
from facedown.laws import check_game
from support import EXAMPLES
from support.honest_games import (
    HighRoll,
    Krieg,
    LoadedDie,
    Pennies,
    PlainKuhn,
    Suits,
    Tricks,
    TwoDoors,
)
from support.honest_votes import Votes

KINDS = [PlainKuhn, Pennies, Krieg, TwoDoors, Tricks, LoadedDie, HighRoll, Suits, Votes]


@pytest.mark.parametrize(
    ("kind", "seed"),
    [*((kind, 0) for kind in KINDS), (Krieg, 100), (TwoDoors, 200), (Suits, 300), (Pennies, 400)],
)
def test_plain_games_break_no_law(kind: type, seed: int) -> None:
    findings = check_game(lambda: adapt(kind(), kind.__name__), seed=seed, games=10)
    assert findings.ok, findings.text
    assert findings["equal-observations"].cases > 100


def test_a_game_without_a_sampler_is_looked_at_for_as_long_as_one_likes() -> None:
    """What counts worlds against the truth is left out, also when nothing has taken time yet."""
    findings = check_game(lambda: load_game(f"{EXAMPLES / 'ace.py'}:Ace"), seconds=3)
    assert findings.ok, findings.text
    assert findings["equal-observations"].cases > 100


@pytest.mark.skipif(not JIT, reason="compiled and uncompiled rules are compared")
def test_kuhn_breaks_no_law_and_agrees_with_its_uncompiled_self() -> None:
    findings = check_game(lambda: load_game("kuhn"), seed=3, games=50)
    assert findings.ok, findings.text
    assert {finding.law for finding in findings if finding.status == "skipped"} == {
        "ctx",
        "traits",
        "weights",
        "draw",
        "horizon",
        "labels-supposed",
        "labels-frequencies",
        "tokens",
        "memos",
        "kinds",
        "views-sent",
    }
    assert findings["uncompiled"].cases == 20
    assert findings["worlds-frequencies"].cases > 20
