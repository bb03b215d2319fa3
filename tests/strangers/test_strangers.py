"""Strangers: families of players, and what they may see."""

from __future__ import annotations

import numpy as np
import pytest

from facedown.agents.registry import make_agent
from facedown.api import match
from facedown.core import SpecError, Stream
from facedown.games.resistance.rules import FAIL
from facedown.strangers.agent import HALVES
from facedown.strangers.craft import ALONE, ALONE_LATER, ALWAYS, LATER, SURE, sabotages
from facedown.strangers.kept_half import KEPT
from support.playing import game
from support.resistance_table import dealt, mission, propose, vote


def test_half_of_many_families_is_kept_out() -> None:
    names = [family.name for half in HALVES for family in half.families]
    assert len(set(names)) == len(names) >= 24
    assert len({len(half.families) for half in HALVES}) == 1
    drawn = {
        (family.name, *family.player(k))
        for half in HALVES
        for family in half.families
        for k in (0, 1)
    }
    assert len(drawn) >= 24


@pytest.mark.parametrize("half", ["training", "kept"])
def test_they_play_whole_games(half: str) -> None:
    played = match("resistance", [f"stranger:family={half}"] * 5, games=2, seed=1, duplicate=False)
    assert played.games == 2
    assert not played.errors


FAMILIES = [family.name for half in HALVES for family in half.families]


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_plays_by_its_views(family: str) -> None:
    """Five of a family play a game out, and the same numbers and seed play it again."""
    names = [f"stranger:family={family},number={k}" for k in range(5)]
    first, again = (match("resistance", names, games=2, seed=3, duplicate=False) for _ in range(2))
    assert not first.errors
    assert [one.mean_payoff for one in first.agents] == [one.mean_payoff for one in again.agents]


@pytest.mark.parametrize(
    ("style", "spies", "missions", "fails"),
    [
        (ALWAYS, (0, 1), 0, True),
        (ALONE, (0, 1), 0, False),
        (ALONE, (0, 4), 0, True),
        (LATER, (0, 4), 0, False),
        (LATER, (0, 4), 1, True),
        (ALONE_LATER, (0, 1), 1, False),
        (SURE, (0, 4), 0, False),  # on a team of two
        (SURE, (0, 4), 2, True),  # two missions are lost: what decides the game
    ],
)
def test_spies_sabotage_in_their_styles(
    style: int, spies: tuple[int, int], missions: int, fails: bool
) -> None:
    position = dealt(5, *spies)
    for sent in ((2, 3), (2, 3, 1))[:missions]:
        position = mission(position, *sent)
    team = (0, 1) if missions != 1 else (0, 1, 2)
    vote(propose(position, *team), 5)
    context = position.game.definition.without_model[0]
    assert sabotages(context, position.view(0).record, style) == fails


def test_a_sleeper_sabotages_when_it_must() -> None:
    position = mission(mission(dealt(5, 0, 1), 2, 3), 2, 3, 4)
    vote(propose(position, 0, 2), 5)
    sleeper = KEPT.number_of("sleeper")
    numbers = KEPT.families[sleeper].player(1)
    view = position.view(0).record
    moved = KEPT.move(position.game.definition, sleeper, numbers, view, 0, Stream(1))
    assert moved == FAIL  # two missions are lost, the third would lose the game


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("stranger:family=nobody", "no such strangers; one of counter"),
        ("stranger:number=-1", "at least 0 is wanted"),
    ],
)
def test_what_there_is_not(spec: str, told: str) -> None:
    with pytest.raises(SpecError, match=told):
        make_agent(spec, game("resistance"), 0, 1)
    with pytest.raises(SpecError, match="strangers play resistance, not kuhn"):
        make_agent("stranger", game("kuhn"), 0, 1)


def test_traits_tell_what_a_player_could_know() -> None:
    position = propose(mission(dealt(5, 0, 1), 0, 2, fails=(0,)), 0, 3, 4)
    names = position.game.traits
    assert names is not None
    clean, joins = names.move.index("clean"), names.move.index("joins")
    enough, role = names.move.index("enough"), names.position.index("role")
    whole, (reject, approve) = position.traits(3, [0, 1])
    assert whole[role] == -1.0
    assert not reject.any()
    assert approve[joins] == 1.0
    assert approve[enough] == 0.0  # who is none cannot tell
    # One of 0 and 2 is a spy; 3 holds 0 for the only one on the team where it is not 2's with 1,
    # and as likely as those other worlds are by the cards: 0 with 1, 2, 4, and 2 with 1, 4.
    weights = {"01": 0.75, "02": 2 * 0.75 * 0.25, "04": 0.75, "12": 0.75, "24": 0.75}
    assert approve[clean] == pytest.approx(0.75 / sum(weights.values()))
    whole, (_, approve) = position.traits(0, [0, 1])
    assert whole[role] == 1.0
    assert approve[enough] == 1.0
    views = [position.view(p).traits(p, [0, 1]) for p in range(5)]
    for player, (seen, moves) in enumerate(views):
        whole, rows = position.traits(player, [0, 1])
        assert np.array_equal(whole, seen)
        assert np.array_equal(rows, moves)
