"""Games by the thousand: what rules ask is followed, histories are made alike, worlds exchanged."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from facedown.core import Stream
from facedown.core.jit import JIT
from facedown.games.registry import load_game
from facedown.laws import check_game
from facedown.laws.branches import Branches
from facedown.laws.detours import Unseen
from facedown.laws.exchange import Exchange
from facedown.laws.findings import Coverage
from facedown.laws.lab import Lab
from facedown.laws.ledger import Ledger
from facedown.laws.roaming import Roamer
from facedown.laws.scratch import Scratch
from facedown.laws.seeking import Seeker
from facedown.laws.stories import observed, pick_move, play, replay
from support.checked.catalogue import FAULTS, loader
from support.checked.hunt import Hunt
from support.checked.shells import Shells
from support.checked.suspects import Suspects
from support.checked.tricks import TrickTaking

Found = list[tuple[str, int | None, str]]


def a_lab(kind: type, seed: int = 3) -> Lab:
    load = loader(kind)
    return Lab(load, load(), seed, 20)


def fault(name: str) -> type:
    return next(kind for kind in FAULTS if kind.__name__ == name)


def note(found: Found) -> Callable[..., None]:
    return lambda broken, viewer: found.append((broken[0], viewer, broken[1]))


def roamed(kind: type, most: int) -> tuple[Found, Roamer, list[tuple[tuple[int, ...], int]]]:
    """What a roamer finds within so many rounds, and which worlds it would have judged."""
    lab, found = a_lab(kind), Found()
    suspects: list[tuple[tuple[int, ...], int]] = []
    roamer = Roamer(lab, Seeker(lab.game), note(found), lambda m, v: suspects.append((m, v)))
    for number in range(1, most + 1):
        if not found:
            roamer.round(number)
    return found, roamer, suspects


# --- what rules ask -------------------------------------------------------------------------------


def test_watched_rules_play_the_same_and_note_what_they_ask() -> None:
    game = loader(Suspects)()
    branches, own = Branches(game), Suspects.hide.__code__
    before = play(game, 5, Stream(5), 100)
    assert branches.any
    assert not branches.met
    with branches.watching():
        assert Suspects.hide.__code__ is not own
        assert play(game, 5, Stream(5), 100) == before
    assert Suspects.hide.__code__ is own
    met = set(branches.met)
    assert any(outcome % 16 == 1 for outcome in met)
    assert any(outcome % 16 > 1 for outcome in met)  # how near two sides came
    play(game, 6, Stream(6), 100)
    assert branches.met == met  # nobody watches


def test_a_comparison_tells_how_near_its_sides_are() -> None:
    branches = Branches(loader(Suspects)())
    seen = []
    for pair in ((1, 9), (1, 2), ([1, 2, 3], [1, 2, 4]), ({0: 8}, {0: 8, 1: 0}), (4, 4)):
        branches.met.clear()
        branches.calls["__facedown_compared__"](160, "Eq", *pair)
        seen.append(sorted(branches.met))
    assert seen == [[160, 166], [160, 163], [160, 163], [160, 163], [161, 162]]


# --- histories that look alike --------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Suspects, TrickTaking, Hunt])
def test_a_detour_is_another_history_of_the_same_observations(kind: type) -> None:
    lab, found, made = a_lab(kind), Found(), 0
    ledger, game = Ledger(lab, note(found)), lab.game
    for seed in range(20):
        stream = Stream(seed)
        story = ledger.walk(lambda p, legal, _, s=stream: pick_move(p, legal, s), stream)  # type: ignore[misc]
        at = seed % min(6, len(story.moves))
        choose = Unseen(story, at, 1, 1, stream)
        detour = ledger.walk(choose, stream, quiet=at + 1)
        moves = tuple(detour.moves[:-1] if choose.apart else detour.moves)
        tokens = [token for _, token in observed(game, moves, 1)]
        assert tokens == [t for _, t in observed(game, story.moves[: len(moves)], 1)]
        if len(moves) > at:
            assert moves[at] != story.moves[at]
            made += 1
            ours, theirs = replay(game, moves), replay(game, story.moves[: len(moves)])
            assert ours.view(1).digest() == theirs.view(1).digest()
    assert made >= 5
    assert not found
    assert ledger.pairs > 100


def test_a_print_stands_for_the_whole_position() -> None:
    game = loader(Suspects)()
    scratch, one = Scratch(game), replay(game, play(game, 1, Stream(1), 6).moves)
    other = one.copy()
    assert scratch.print_of(one) == scratch.print_of(other)
    other.record.log.append((0, "pass"))
    assert scratch.print_of(one) != scratch.print_of(other)


# --- faults that are found that way ---------------------------------------------------------------


@pytest.mark.parametrize("name", ["ShieldShows", "NeighbourShows", "StartShowsAtTheEnd"])
def test_rare_faults_are_found_by_what_rules_ask(name: str) -> None:
    """Each shows too much; which of the laws that this breaks is met first is a matter of luck."""
    found, _, _ = roamed(fault(name), 250)
    shows = {"equal-observations", "next-views", "infoset", "worlds-keep-view"}
    assert shows & {broken for broken, _, _ in found}


@pytest.mark.parametrize("kind", [Shells, Hunt])
def test_honest_games_are_not_accused(kind: type) -> None:
    found, roamer, _ = roamed(kind, 15)
    assert not found
    assert roamer.ledger.positions > 200


@pytest.mark.skipif(not JIT, reason="with the JIT off rules are not compiled")
def test_compiled_rules_are_watched_as_plain_python() -> None:
    _, roamer, _ = roamed(Hunt, 3)
    assert len(roamer.branches.met) == 0  # taken away with every look
    assert roamer.outcomes > 50


# --- worlds and the truth -------------------------------------------------------------------------


def exchanged(kind: type, games: int) -> Found:
    found = Found()
    exchange = Exchange(a_lab(kind), note(found))
    for number in range(games):
        if not found:
            exchange.round(number)
    assert exchange.worlds > 100
    return found


def test_worlds_that_come_too_rarely_are_told_from_the_truth() -> None:
    ((law, viewer, what),) = exchanged(fault("PublicNeverSeesTheTop"), 1200)[:1]
    assert law == "worlds-frequencies"
    assert viewer is not None
    assert "cards.3 = 5" in what


def test_worlds_of_an_honest_sampler_are_not() -> None:
    assert not exchanged(Shells, 250)
    assert not exchanged(TrickTaking, 100)


# --- what a verdict needs -------------------------------------------------------------------------


def test_few_games_will_do_where_they_are_long() -> None:
    assert not Coverage(games=12, positions=5_000).lacks
    assert Coverage(games=12, positions=100).lacks == ("12 games of at least 100",)
    assert Coverage(games=3, positions=5_000).lacks == ("3 games of at least 100",)
    seen = Coverage(games=200, samples=True, exchanged=1_000)
    assert not seen.lacks


def test_a_game_may_have_worlds_for_whoever_acts() -> None:
    pytest.importorskip("pyspiel")
    findings = check_game(lambda: load_game("openspiel:kuhn_poker"), seed=1, games=4)
    assert findings.ok, findings.text
    assert findings["worlds-keep-view"].cases > 0
