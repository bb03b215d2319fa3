"""Each planted fault breaks the law that is meant to find it, and says where."""

from __future__ import annotations

import crooked_games as crooked
import pytest

from facedown.core import RuleError, SpecError
from facedown.core.plain import adapt
from facedown.laws import LAWS, Findings, check_game

FAULTS = [
    (crooked.TruthKeptAside, "worlds-not-truth", "gave the true position"),
    (crooked.TruthKeptAside, "worlds-from-view", "uses more than the view"),
    (crooked.TruthInTheRules, "worlds-not-truth", "gave the true position"),
    (crooked.TruthHalfTheTime, "worlds-not-truth", "more often than each other"),
    (crooked.ChangesOwnCards, "worlds-keep-view", "changes his view: cards is"),
    (crooked.OnlyForTheMover, "worlds-keep-view", "who is not to act, changes his view"),
    (crooked.BlankUnlessMoving, "worlds-possible", "no history leads to"),
    (crooked.ForgetsTheLoads, "worlds-frequencies", "wrong frequencies"),
    (crooked.GuessesPending, "worlds-possible", "guesses a choice that is pending"),
    (crooked.OwnRandomness, "worlds-from-view", "with one stream gives two worlds"),
    (crooked.LeakyHide, "equal-observations", "different views: here and after"),
    (crooked.LeakyLate, "equal-observations", "hands is"),
    (crooked.TellsMore, "tokens-shown", "tells more than the view shows"),
    (crooked.TellsLess, "equal-observations", "line is"),
    (crooked.VisibleEarly, "unseen-moves", "pending is"),
    (crooked.ForgetsWhatItSaw, "next-views", "equal tokens, but"),
    (crooked.HidesTwice, "hide-twice", "changes a view: cards is"),
    (crooked.CoarseInfoset, "infoset", "equal for different views"),
    (crooked.PeekingInfoset, "infoset", "differs on his view"),
    (crooked.TurnFromHiddenCards, "turn-on-views", "on his view it is chance"),
    (crooked.LegalFromHiddenCards, "legal-on-views", "in truth"),
    (crooked.IndexOwnTokenCard, "own-token", "never an index into a hand"),
    (crooked.IndexOwnTokenIndex, "move-meaning", "never an index into a hand"),
    (crooked.IndexInALargeGame, "move-meaning", "never an index into a hand"),
    (crooked.NothingLegal, "legal", "gives no move"),
    (crooked.TwiceLegal, "legal", "more than once"),
    (crooked.StrangeTurn, "legal", "turn gives 7"),
    (crooked.NegativeWeight, "weights", "a weight of chance is -2"),
    (crooked.MissingWeight, "weights", "2 weights for 3 outcomes"),
    (crooked.WrongDraw, "draw", "does not follow the weights"),
    (crooked.UnlistedDraw, "draw", "not listed by legal"),
    (crooked.SameText, "move-text", "are both written 'deal'"),
    (crooked.OutOfBounds, "payoffs", "outside the bounds -1 to 1"),
    (crooked.NoNumber, "payoffs", "payoff of player 0 is nan"),
    (crooked.NeverEnds, "ends", "not over after 10000 moves"),
    (crooked.FarHorizon, "horizon", "outside the bounds -2 to 2"),
    (crooked.DealtWhenMade, "same-start", "differ in deck: a hidden deal"),
    (crooked.DealtOutOfSight, "same-game", "differ in payoff"),
    (crooked.DealtByStart, "same-start", "start asked twice differs"),
    (crooked.OneStartForAll, "same-start", "changes another start"),
    (crooked.SharedLine, "copies", "on a copy changes the original: line is"),
    (crooked.RandomLegal, "rules-deterministic", "legal asked twice gives"),
    (crooked.RandomApply, "rules-deterministic", "on two copies gives different positions"),
    (crooked.AskingCounts, "questions", "turn changes the position"),
]


def check(kind: type, *only: str, games: int = 40) -> Findings:
    return check_game(lambda: adapt(kind(), kind.__name__), seed=5, games=games, only=only)


@pytest.mark.parametrize(("kind", "law", "words"), FAULTS)
def test_fault_breaks_its_law(kind: type, law: str, words: str) -> None:
    finding = check(kind, law)[law]
    assert finding.status == "broken", finding
    assert any(words in violation.what for violation in finding.violations), finding.text
    for violation in finding.violations:
        assert violation.law == law
        assert 5 <= violation.seed
        assert isinstance(violation.moves, tuple)


def test_every_law_has_a_planted_fault() -> None:
    planted = {law for _, law, _ in FAULTS}
    assert {law.name for law in LAWS} - planted == {
        "ctx",
        "view-text",
        "worlds-playable",
        "uncompiled",
    }


@pytest.mark.parametrize(
    ("kind", "words", "moves"),
    [
        (crooked.Raises, "rule 'payoff' raised ZeroDivisionError: no pot to share", ("bet", "bet")),
        (crooked.RaisesInApply, "rule 'apply' raised KeyError: 'raise'", ("pass", "bet")),
        (crooked.RaisesForThePublic, "rule 'determinize' raised IndexError: no such player", ()),
        (crooked.RaisesAtOnce, "rule 'start' raised RuntimeError: no start today", ()),
        (crooked.Unreadable, "has no stable text", ()),
    ],
)
def test_a_rule_that_raises_is_found_with_seed_and_moves(
    kind: type, words: str, moves: tuple[str, ...]
) -> None:
    findings = check(kind, games=15)
    finding = findings["rules-run"]
    assert finding.status == "broken"
    (*_,) = finding.violations
    found = next(violation for violation in finding.violations if words in violation.what)
    assert found.moves[2:] == moves
    assert found.seed >= 5
    assert len(findings.laws) == len(LAWS) + 1
