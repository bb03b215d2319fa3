"""The check earns its verdict: it goes where random play rarely does, and ends by its clock."""

from __future__ import annotations

import time
from collections import Counter

import pytest

from facedown.core import Stream
from facedown.core.jit import JIT
from facedown.core.plain import adapt
from facedown.games.registry import load_game
from facedown.laws import Findings, check_game, watched
from facedown.laws.clock import processor_time
from facedown.laws.informed import informed
from facedown.laws.lab import Lab
from facedown.laws.probes import atoms, short
from facedown.laws.seeking import Seeker
from facedown.laws.stories import observed, play, playable, replay
from support import SUPPORT, endless_games
from support.checked.auction import Auction
from support.checked.catalogue import FAULTS, HONEST, KEPT, TUNED, honest, loader, rare
from support.checked.suspects import Suspects
from support.checked.tricks import TrickTaking
from support.honest_games import PlainKuhn, Tricks

SOON = ["HighCardFirst", "NeighbourShows"]


def checked(kind: type, seconds: float, seed: int = 3) -> Findings:
    with processor_time():
        return check_game(loader(kind), seed=seed, seconds=seconds)


def test_half_of_the_faults_are_kept_and_a_third_are_rare() -> None:
    assert len(FAULTS) >= 40
    assert not set(TUNED) & set(KEPT)
    assert abs(len(TUNED) - len(KEPT)) <= 1
    assert 3 * sum(rare(kind) for kind in FAULTS) >= len(FAULTS)
    assert {honest(kind) for kind in FAULTS} == set(HONEST)


@pytest.mark.parametrize("name", SOON)
def test_planted_faults_are_found(name: str) -> None:
    kind = next(kind for kind in FAULTS if kind.__name__ == name)
    assert checked(kind, 2.5).verdict == "broken"


@pytest.mark.slow
def test_most_planted_faults_are_found() -> None:
    """Some of those that the laws were worked on with; `benchmarks/check_faults.py` counts all."""
    some = TUNED[::4]
    missed = [kind.__name__ for kind in some if checked(kind, 30.0).verdict != "broken"]
    assert 4 * len(missed) <= len(some), missed


def test_an_honest_game_is_not_accused() -> None:
    found = checked(Suspects, 2.0)
    assert found.ok, found.text
    assert found.coverage.pairs > 50


@pytest.mark.slow
@pytest.mark.parametrize("kind", HONEST)
def test_no_honest_game_is_accused_by_a_whole_check(kind: type) -> None:
    found = checked(kind, 30.0)
    assert found.verdict == "sound", (found.text, found.coverage)


# --- the clock ------------------------------------------------------------------------------------


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks are ended a second after their time, where users get five."""
    monkeypatch.setattr(watched, "SLACK", 1.0)


@pytest.fixture
def at_once(soon: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what does not end then is killed soon after."""
    monkeypatch.setattr(watched, "HANDOVER", 1.5)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("name", ["NeverReturns", "SwallowsTheClock"])
def test_a_rule_that_never_returns_is_ended(name: str) -> None:
    found = check_game(lambda: adapt(getattr(endless_games, name)(), name), seconds=1.0)
    assert found.verdict == "broken"
    assert "did not come back" in found["rules-run"].violations[0].what


@pytest.mark.usefixtures("at_once")
@pytest.mark.skipif(not JIT, reason="compiled code is to hang")
def test_so_is_a_compiled_one() -> None:
    spec = f"{SUPPORT / 'endless_games.py'}:NeverReturnsCompiled"
    found = check_game(lambda: load_game(spec), seconds=1.0)
    assert "did not come back" in found["rules-run"].violations[0].what


@pytest.mark.parametrize("name", ["MillionMoves", "ThousandPlayers"])
def test_more_than_anybody_could_look_at_is_too_little_to_say(name: str) -> None:
    found = check_game(lambda: adapt(getattr(endless_games, name)(), name), seconds=2.0)
    assert found.verdict == "too little to say"
    assert found.coverage.lacks


def test_loading_is_not_its_time() -> None:
    begun: list[float] = []

    def load() -> object:
        if not begun:
            begun.append(time.monotonic())
            time.sleep(1.5)
        return adapt(PlainKuhn(), "kuhn")

    with processor_time():
        found = check_game(load, seconds=2.0)  # type: ignore[arg-type]
    assert found.coverage.games > 5


def test_it_uses_its_time_unless_games_are_counted() -> None:
    with processor_time():
        more = check_game(lambda: adapt(PlainKuhn(), "kuhn"), seconds=1.5)
    less = check_game(lambda: adapt(PlainKuhn(), "kuhn"), games=5)
    assert more.coverage.games > 30
    assert less.coverage.games == 5
    assert less.verdict == "too little to say"
    assert less.coverage.lacks[0] == "5 games of at least 100"


# --- where it looks -------------------------------------------------------------------------------


def test_rare_outcomes_of_chance_come_up() -> None:
    game = adapt(Auction(), "auction")
    counts = {}
    for style in ("random", "rare"):
        seeker, great = Seeker(game), Counter[bool]()
        for k in range(60):
            stream = Stream(k)
            seeker.begin(style, stream)
            position = game.start()
            while legal := playable(position):
                move = seeker.pick(position, legal, stream)
                great[game.rules.values[move] == ("prize", 5)] += 1  # type: ignore[attr-defined]
                position.apply(move)
        counts[style] = great[True]
    assert counts["rare"] > 2 * counts["random"]


@pytest.mark.parametrize("viewer", [0, 1, -1])
def test_what_a_viewer_can_know_is_what_all_histories_say(viewer: int) -> None:
    game = adapt(PlainKuhn(), "kuhn")
    story = play(game, 1, Stream(1), 20)
    tokens = [token for _, token in observed(game, story.moves, viewer)]
    found = informed(game, tokens, viewer, 10**6, float("inf"))
    assert found.whole == len(tokens)
    expected: dict[bytes, float] = {}
    level = [((), 1.0)]
    while level:
        moves, chance = level.pop()
        position = replay(game, moves)
        if moves and [t for _, t in observed(game, moves, viewer)] == tokens:
            digest = short(position.digest())
            expected[digest] = expected.get(digest, 0.0) + chance
        legal = playable(position)
        level += [((*moves, move), chance / len(legal)) for move in legal]
    assert found.worlds[-1] == pytest.approx(expected)


def test_histories_beyond_the_budget_are_not_taken_for_all() -> None:
    game = adapt(Tricks(), "tricks")
    story = play(game, 1, Stream(1), 50)
    tokens = [token for _, token in observed(game, story.moves, 0)]
    found = informed(game, tokens, 0, 5, float("inf"))
    assert found.whole < len(tokens)


def test_atoms_tell_values_and_where_they_lie() -> None:
    game = adapt(TrickTaking(), "tricks")
    held = atoms(replay(game, ()))
    assert (".dealt", "0") in held
    compiled = load_game("kuhn").start()
    assert ("cards.1", "-1") in atoms(compiled)


def test_what_is_covered_is_counted() -> None:
    game = adapt(PlainKuhn(), "kuhn")
    assert Lab(lambda: game, game, 0, 3).known_twins == []
    found = check_game(lambda: adapt(PlainKuhn(), "kuhn"), games=20)
    seen = found.coverage
    assert (seen.games, seen.listed, seen.depth) == (20, 5, 5)
    assert seen.moves <= seen.listed
    assert "20 games of up to 5 plies" in seen.text
    assert found.as_json()["coverage"]["proves"] == seen.proves
