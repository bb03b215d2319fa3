"""What a playtest measures, on games where it is known by hand, and its page."""

import re
from dataclasses import replace

import pytest

from facedown.core import CHANCE, SpecError
from facedown.games.registry import load_game
from facedown.playtest import sentences
from facedown.playtest.course import Course, Look, course
from facedown.playtest.findings import findings, mean_paid
from facedown.playtest.habits import habits
from facedown.playtest.page import page
from facedown.playtest.parts import Parts, Playtest
from facedown.playtest.variance import Played, variance
from facedown.store.store import MEMORY, Store
from support import SUPPORT
from support.running import run

FLIP = f"{SUPPORT / 'measured_games.py'}:Flip"


@pytest.fixture(scope="module")
def flips():
    """A playtest of a pure coin flip."""
    test = Playtest(FLIP, "so-ismcts", budget=4, levels=2, games=40, seed=1)
    with Store(MEMORY) as store:
        parts = Parts(test, store).play()
        yield findings(parts)


def test_a_coin_flip_is_all_luck_of_the_deal(flips):
    assert (flips.variance.skill, flips.variance.luck) == (0.0, pytest.approx(1.0))
    assert flips.variance.deal > 0.9
    assert "0% of what decides a game is skill, 100% is luck" in sentences.luck(flips)
    assert flips.peeking.low <= 0.0 <= flips.peeking.high
    assert all(one.low <= 0.0 <= one.high for one in flips.steps)


def test_it_is_decided_by_the_flip_alone(flips):
    """Three moves: both players', each of two that mean nothing, then the flip."""
    assert set(flips.lengths) == {3}
    assert {one.decided for one in flips.courses} == {1.0}
    shares = [look.chances[0] for one in flips.courses for look in one.looks]
    assert sum(shares) / len(shares) == pytest.approx(0.5, abs=0.05)
    assert (flips.drawn.value, flips.habits.never, flips.habits.always) == (0.0, [], [])


def test_the_page_says_it_all_and_asks_nobody(flips):
    text = page(flips)
    for words in ("How long it takes", "Luck and skill", "Games to look at", "facedown replay"):
        assert words in text
    assert not re.search(r"https?://", text)
    assert "<script" not in text


def test_few_games_are_warned_of(flips):
    assert "Few games: 40 a match. A share of wins is uncertain by up to 15 points" in page(flips)
    more = replace(flips, test=replace(flips.test, games=100))
    assert sentences.few(more) == ""
    assert "Few games" not in page(more)


def test_kuhns_first_seat_loses_an_eighteenth():
    """The scripted players are at an equilibrium, where player 0 loses 1/18 a game."""
    with Store(MEMORY) as store:
        parts = Parts(Playtest("kuhn", "scripted", games=3000, seed=3), store).play_equals()
        ((_, kept),) = parts.kept[()]
        records = list(kept.records())
    first, second = (mean_paid(records, player, (-2.0, 2.0)) for player in range(2))
    assert first.value == -second.value
    assert first.low < -1 / 18 < first.high
    assert first.high - first.low < 0.2


def test_skill_is_what_the_better_one_gains():
    """The stronger wins 1 in every game, wherever it sits: nothing else varies."""
    games = [
        Played(d, (1, -1) if r else (-1, 1), (bool(r), not r)) for d in range(5) for r in (0, 1)
    ]
    assert variance(games).skill == 1.0
    even = [Played(d, (1, -1), (bool(r), not r)) for d in range(5) for r in (0, 1)]
    assert (variance(even).seat, variance(even).skill) == (1.0, 0.0)
    assert variance(even, duplicate=False).deal is None
    assert variance([Played(0, (1, 1), (True, False))]).total == 0.0


def test_the_course_of_a_game_by_hand():
    looks = [Look(k / 4, (share, 1 - share)) for k, share in enumerate((0.5, 0.3, 0.85, 0.9))]
    won = Course(0, (0,), tuple(looks))
    assert (won.decided, won.lowest, won.changes) == (0.5, 0.3, 2)
    assert (won.led(0.25), won.led(0.5), won.led(0.75)) == (False, True, True)
    lost = Course(0, (1,), tuple(looks))
    assert (lost.decided, lost.lowest) == (1.0, pytest.approx(0.1))


def test_a_move_that_nobody_would_make():
    """Who knows that he holds the king and faces a bet always calls; the jack always folds."""
    with Store(MEMORY) as store:
        parts = Parts(Playtest("kuhn", "scripted", games=100, seed=2), store).play_equals()
        ((_, kept),) = parts.kept[()]
        records = list(kept.records())
    game = load_game("kuhn")
    found = habits(records, game)
    choices = sum(move.player != CHANCE for one in records for move in one.moves)
    assert {one.name for one in found.told} == {"pass", "bet"}
    assert sum(one.made for one in found.told) == choices
    assert all(one.legal == choices for one in found.told)
    assert all(one.expected == choices / 2 for one in found.told)
    assert course(records[0], game, seed=1).winners in ((0,), (1,))


def test_what_cannot_be_meant_is_refused(tmp_path):
    with Store(MEMORY) as store:
        for test, words in (
            (Playtest("kuhn", levels=1), "levels is 1; 2 to 20"),
            (Playtest("kuhn", budget=4, levels=5), "less than 1"),
            (Playtest("kuhn", "so-ismcts:iterations=9"), "--budget"),
            (Playtest(f"{SUPPORT / 'tiny.py'}:StrategyFusion"), "for one player"),
        ):
            with pytest.raises(SpecError, match=words):
                Parts(test, store)
    assert run("playtest", "nothing", "--out", str(tmp_path / "no" / "page.html")).status == 2


def test_the_command_goes_on_and_writes_a_page(tmp_path):
    file, store = tmp_path / "page.html", tmp_path / "store.db"
    words = ("playtest", "kuhn", "--games", "4", "--budget", "8", "--levels", "2", "--jobs", "1",
             "--out", str(file), "--overwrite", "--store", str(store))  # fmt: skip
    first, again = run(*words), run(*words, "--json").json
    assert first.status == 0
    assert "is luck" in first.out
    assert file.read_text().startswith("<!doctype html>")
    assert (again["games"], again["run"]) == (16, 1)  # nothing was played twice
    assert run("replay", f"{again['address']}/0", "--store", str(store)).status == 0
