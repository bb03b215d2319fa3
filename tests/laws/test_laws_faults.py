"""Each planted fault breaks the law that is meant to find it, and says where."""

from __future__ import annotations

import random

import pytest

from facedown.core import SpecError
from facedown.core.jit import JIT
from facedown.core.plain import adapt
from facedown.games.registry import load_game
from facedown.laws import LAWS, Findings, check_game
from facedown.laws.clock import processor_time
from support import SUPPORT
from support import crooked_games as crooked
from support.honest_games import Tricks
from support.honest_votes import GuessesWaitingVotes

FAULTS = [
    (crooked.TruthKeptAside, "worlds-not-truth", "gave the true position"),
    (crooked.TruthKeptAside, "worlds-from-view", "uses more than the view"),
    (crooked.TruthInTheRules, "worlds-not-truth", "gave the true position"),
    (crooked.TruthHalfTheTime, "worlds-not-truth", "more often than each other"),
    (crooked.ChangesOwnCards, "worlds-keep-view", "changes his view: cards is"),
    (crooked.OnlyForTheMover, "worlds-keep-view", "who is not to act, changes his view"),
    (crooked.BlankUnlessMoving, "worlds-possible", "no history leads to"),
    (crooked.ForgetsTheLoads, "worlds-frequencies", "wrong frequencies"),
    (crooked.ForgetsTheLoads, "worlds-modelled", "wrong frequencies"),
    (crooked.HighCardsElsewhere, "worlds-modelled", "does not agree with the models of HyperPlay"),
    (crooked.GuessesPending, "worlds-possible", "guesses a choice that is pending"),
    (GuessesWaitingVotes, "worlds-possible", "guesses a choice that is pending"),
    (crooked.RemembersMore, "memos", "though he saw the same"),
    (crooked.KindsLeftOut, "kinds", "of_kind lists 1 moves over all kinds, legal 2"),
    (crooked.KindsMistaken, "kinds", "as of kind 0, kind does not"),
    (crooked.KindsInVain, "kinds", "kinds tells of kind 5, and of_kind lists none of it"),
    (crooked.TraitsOfHiddenCards, "traits", "tell in truth something else than on the view"),
    (crooked.TraitsOfOtherMoves, "traits", "of a move depend on which others are asked about"),
    (crooked.TraitsWithoutEnd, "traits", "are not finite"),
    (crooked.SupposesInVain, "labels-supposed", "gives a world with label"),
    (crooked.SupposesTheLikely, "labels-supposed", "which a world of his view has"),
    (crooked.SupposesTheImpossible, "labels-supposed", "with label 2 gives a world with label"),
    (crooked.SupposesForGood, "labels-supposed", "changes his view"),
    (crooked.SupposesEvenly, "labels-frequencies", "other frequencies than the view"),
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
    (crooked.OrderInAView, "views-sent", "has another order: that tells of what is hidden"),
    (crooked.HiddenCardFirst, "legal-on-views", "the order tells of what is hidden"),
    (crooked.IndexOwnTokenCard, "own-token", "never an index into a hand"),
    (crooked.IndexOwnTokenIndex, "move-meaning", "never an index into a hand"),
    (crooked.IndexInALargeGame, "move-meaning", "never an index into a hand"),
    (crooked.ImpossibleRoll, "worlds-playable", "payoff of player 0 is 7, outside the bounds"),
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


COMPILED = [
    ("DealtInContext", "same-start", "ctx differs between two games"),
    ("WritesContext", "ctx", "ctx was changed by play"),
    ("TooManyMoves", "legal", "gives 3 moves, most_moves is 2"),
    ("BlankForThePublic", "worlds-possible", "no history leads to"),
    ("LeakyHide", "equal-observations", "cards is"),
    ("TaggedState", "view-text", "does not read back"),
    ("ForgetfulWorld", "worlds-listed", "changes his view in world"),
    ("NarrowWorld", "worlds-listed", "no world of positive weight that is the truth"),
    ("DriftingWorld", "worlds-listed", "not among its numbers before"),
    ("LoadedWorld", "worlds-weights", "draws other worlds than the weights say"),
    ("TellsAll", "tokens", "where sees gives"),
    ("Wraps", "uncompiled", "compiled and uncompiled rules differ in infoset"),
]


@pytest.fixture(autouse=True)
def _same_faults_every_time() -> None:
    random.seed(11)


def check(kind: type, *only: str, games: int = 20) -> Findings:
    return check_game(
        lambda: adapt(kind(), kind.__name__), seed=5, games=games, seconds=120, only=only
    )


@pytest.mark.parametrize(("kind", "law", "words"), FAULTS)
def test_fault_breaks_its_law(kind: type, law: str, words: str) -> None:
    finding = check(kind, law)[law]
    assert finding.status == "broken", finding
    assert any(words in violation.what for violation in finding.violations), finding.text
    for violation in finding.violations:
        assert violation.law == law
        assert violation.seed >= 5
        assert isinstance(violation.moves, tuple)


def test_every_law_has_a_planted_fault() -> None:
    planted = {law for _, law, _ in FAULTS} | {law for _, law, _ in COMPILED}
    assert {law.name for law in LAWS} == planted


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
    found = next(violation for violation in finding.violations if words in violation.what)
    assert found.moves[2:] == moves
    assert found.seed >= 5
    assert len(findings.laws) == len(LAWS) + 1


@pytest.mark.skipif(not JIT, reason="the rules are to be compiled")
@pytest.mark.parametrize(("name", "law", "words"), COMPILED)
def test_fault_of_compiled_rules_breaks_its_law(name: str, law: str, words: str) -> None:
    spec = f"{SUPPORT / 'crooked_compiled.py'}:{name}"
    findings = check_game(lambda: load_game(spec), seed=5, games=15, only=[law])
    assert findings.game, findings.text  # it loads
    finding = findings[law]
    assert finding.status == "broken", finding
    assert any(words in violation.what for violation in finding.violations), finding.text


def test_a_violation_is_found_again_with_its_seed_alone() -> None:
    first = check(crooked.OutOfBounds, "payoffs")["payoffs"].violations[0]
    findings = check_game(
        lambda: adapt(crooked.OutOfBounds(), "again"), seed=first.seed, games=1, only=["payoffs"]
    )
    assert findings["payoffs"].violations[0] == first


def test_both_stories_and_the_field_are_named() -> None:
    text = check(crooked.LeakyHide, "equal-observations")["equal-observations"].violations[0].text
    assert "player" in text or "the public" in text
    assert "cards is" in text
    assert text.count("after") == 2


def test_laws_that_would_mislead_are_skipped_with_the_reason() -> None:
    findings = check(crooked.SharedLine, games=10)
    assert findings["equal-observations"].status == "skipped"
    assert findings["equal-observations"].note == "needs copies, which is broken"


def test_a_game_that_does_not_load_is_a_finding() -> None:
    findings = check_game(lambda: adapt(object(), "nothing"))
    assert findings["rules-run"].violations[0].what.startswith("object has no players")
    assert not findings.ok


def test_an_unknown_law_is_refused() -> None:
    with pytest.raises(SpecError, match="no law 'gravity'; laws: same-start"):
        check(crooked.OutOfBounds, "gravity")


def test_a_large_game_keeps_to_its_seconds_and_says_what_it_left_out() -> None:
    class Whist(Tricks):
        deck, hand = 52, 13
        bounds = (-13.0, 13.0)

    seen: list[str] = []
    with processor_time():
        findings = check_game(
            lambda: adapt(Whist(), "whist"),
            seconds=4.0,
            games=20,
            progress=lambda law, done, total: seen.append(law),
        )
    assert findings.ok, findings.text
    assert "too large to enumerate beyond ply" in findings["worlds-frequencies"].note
    assert seen == [law.name for law in LAWS]
    assert findings.as_json()["ok"] is True
