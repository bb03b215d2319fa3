"""Features of a claim: from the view alone, and what each of them says."""

import math
import re

import pytest

from facedown.arena.replay import plies
from facedown.core import Stream
from facedown.games.cheat.key import FALSE, TRUE
from support import ROOT
from support.cheat_table import play
from support.learning_games import cheat, dealt, records


def named(position, player, seconds=()):
    features = cheat().features
    values = features.values(position.view(player).record, player, seconds)
    assert len(values) == len(features.names) == 21
    return dict(zip(features.names, values, strict=True))


def claims():
    """Positions in which somebody has to answer a claim, with who that is."""
    for record in records()[:4]:
        for _, position in plies(record, cheat()):
            player = position.turn()
            if player >= 0 and position.secret(player):
                yield position, player


def test_what_is_hidden_changes_no_feature():
    features, stream, changed = cheat().features, Stream(5), 0
    for position, player in claims():
        before = features.values(position.view(player).record, player, [3.0])
        for _ in range(3):
            world = position.view(player)
            world.determinize(player, stream)
            changed += world.secret(player) != position.secret(player)
            for record in (world.record, world.view(player).record):
                after = features.values(record, player, [3.0])
                assert after == pytest.approx(before, nan_ok=True)
            assert dict(features.revealed(world.record, player)) == dict(
                features.revealed(position.view(player).record, player)
            )
    assert changed > 50  # the truth was another, and nobody could tell


def test_the_claim_and_the_cards_that_tell_against_it():
    position = play(dealt(), "lie higher 1", "lay 2")  # one 4, a lie; player 1 has two 4s
    found = named(position, 1, [7.0])
    assert found["claim-size"] == 1
    assert found["claim-lower"] == 0
    assert (found["own-hand"], found["other-hand"]) == (8, 7)
    assert (found["table"], found["deck"], found["rounds"]) == (2, 35, 1)
    assert (found["own-rank"], found["pile-rank"], found["room"]) == (2, 0, 1)
    assert found["response"] == 7.0
    assert math.isnan(found["response-ratio"])
    assert math.isnan(found["caught-ratio"])
    assert found["lie-share"] == 0.5


def test_an_impossible_claim_has_less_than_no_room():
    position = play(dealt(), "lie higher 3", "lay 2", "lay 2", "lay 9")
    assert named(position, 1)["room"] == -1


def test_the_card_turned_up_and_own_cards_laid_are_known_to_lie_in_the_pile():
    position = play(dealt(), "true higher 1", "lie lower 1", "lay A")  # a 4, then a 3
    assert named(position, 0)["pile-rank"] == 1  # the 3 turned up
    play(position, "lie higher 1", "lay J", "lie higher 1", "lay 6")  # a 4, then a 5
    assert named(position, 0)["pile-rank"] == 0
    assert named(position, 0)["same-claims"] == 0
    assert named(position, 0)["claims-since"] == 2


def test_what_calls_have_shown_of_the_other():
    position = play(dealt(), "lie higher 1", "lay 2", "call", "true lower 1")
    assert cheat().features.revealed(position.view(1).record, 1) == {0: FALSE}
    found = named(position, 1)
    assert (found["caught"], found["caught-rank"], found["caught-ratio"]) == (1, 0, 1)
    assert found["lie-share"] == pytest.approx(2 / 3)
    assert found["known-rank"] == 1  # with the pile the other took a 3, and claims one
    play(position, "call", "take", "draw 7")
    assert cheat().features.revealed(position.view(1).record, 1) == {0: FALSE, 2: TRUE}
    play(position, "lie higher 1", "lay A")
    assert named(position, 0)["take-rate"] == 0.0
    assert named(position, 0)["call-rate"] == 1.0


def test_habits_of_taking_and_calling():
    position = play(dealt(), "take", "draw 7", "true higher 1", "call", "take", "draw 8")
    play(position, "lie higher 1", "lay K")
    found = named(position, 1)
    assert found["take-rate"] == pytest.approx(1 / 3)
    assert found["call-rate"] == 1.0


def test_times_are_compared_with_the_usual_ones():
    position = play(dealt(), "take", "draw 7", "take", "draw 8", "lie higher 1", "lay K")
    found = named(position, 1, [4.0, 8.0])
    assert found["response"] == 8.0
    assert found["response-ratio"] == pytest.approx(math.log(2))
    unknown = named(position, 1, [math.nan, 8.0])
    assert math.isnan(unknown["response-ratio"])
    assert math.isnan(named(position, 1)["response"])


def test_the_digest_tells_other_features():
    from dataclasses import replace

    features = cheat().features
    assert features.digest == cheat().definition.features().digest
    assert replace(features, names=features.names[::-1]).digest != features.digest
    assert replace(features, version=2).digest != features.digest


def test_the_document_has_every_feature():
    text = (ROOT / "docs" / "learn.md").read_text(encoding="utf-8")
    table = text.partition("## The features\n")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `([a-z-]+)`", table, re.MULTILINE) == list(cheat().features.names)
