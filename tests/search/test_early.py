"""Searches that stop as soon as the most visited move is certain: the same move, fewer iterations.

A search is the beginning of the longer one with the same seed, so it is held against that.
"""

import itertools
from dataclasses import replace
from functools import partial

import pytest

from facedown.agents.registry import make_agent
from facedown.arena.game import play_game
from facedown.core import SpecError
from facedown.search.budget import Budget
from facedown.search.early import undecided
from facedown.search.recipe import Growth, Identity, Labels, Recipe, Worlds
from support.table_games import begun, game, searched, tree

RECIPES = {
    "so": Recipe(),
    "mo": Recipe(identity=Identity.MULTI),
    "puct": Recipe(bandit="puct", c=0.5, growth=Growth.NODE),
    "determinized": Recipe(
        identity=Identity.FULL, worlds=Worlds.IN_TURN, labels=Labels.TREE, samples=5
    ),
    "labels": Recipe(labels=Labels.ROOT),
}
ROOTS = ("kuhn", "kuhn second", "leduc", "leduc raised", "dice", "many dice", "knowing", "moles")


def early(recipe):
    return replace(recipe, early=True)


def most_at_the_end(visits, left):
    """Which moves may be the most visited one, ties included, however the rest goes."""
    found = set()
    for added in itertools.product(range(left + 1), repeat=len(visits)):
        ends = [n + more for n, more in zip(visits, added, strict=True)]
        found |= {k for k, n in enumerate(ends) if n == max(ends)}
    return found


@pytest.mark.parametrize("visits", [(5, 2, 0), (3, 3), (4, 0), (0, 0, 0), (1,), (6, 5, 5)])
@pytest.mark.parametrize("left", range(7))
def test_certain_is_what_no_rest_can_change(visits, left):
    """An iteration adds one visit to a move, or to several, or to none."""
    certain = len(most_at_the_end(visits, left)) == 1
    if len(visits) > 1:
        assert (undecided(visits, left) == 0) == certain
    wait = undecided(visits, left)
    leader = max(range(len(visits)), key=lambda k: visits[k])
    for more in range(min(wait, left + 1)):  # at best all of them go to the leader
        ahead = [n + more * (k == leader) for k, n in enumerate(visits)]
        assert undecided(ahead, left - more) > 0


@pytest.mark.parametrize("name", RECIPES)
def test_the_move_is_that_of_the_whole_search(name):
    spared = 0
    for at, seed in itertools.product(ROOTS, range(6)):
        if name == "labels" and not begun(at, Recipe())[0].game.has("secret"):
            continue
        whole, _ = searched(at, RECIPES[name], 400, seed)
        short, _ = searched(at, early(RECIPES[name]), 400, seed)
        report = short.report()
        assert report.best().move == whole.report().best().move
        assert report.iterations + report.spared == 400
        spared += report.spared
    assert spared > 400


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_what_it_finds_is_the_beginning_of_the_whole_search(threads):
    for seed in range(5):
        short, _ = searched("leduc", early(Recipe()), 601, seed, threads=threads)
        whole, _ = searched("leduc", Recipe(), 601, seed, threads=threads)
        assert short.report().best().move == whole.report().best().move
        same_length, _ = searched("leduc", Recipe(), short.iterations, seed, threads=threads)
        assert tree(short) == tree(same_length)
        assert short.report().to_json().get("spared", 0) == short.spared == 601 - short.iterations


def test_a_second_run_counts_what_the_first_has_found():
    search, _ = searched("kuhn", early(Recipe()), 300)
    before = search.iterations, search.spared
    search.run(Budget(100))
    more = search.iterations - before[0], search.spared - before[1]
    assert sum(more) == 100
    assert search.report().spared == search.spared


def test_time_and_a_stop_end_it_without_a_word_of_sparing():
    search, _ = begun("leduc", early(Recipe()))
    search.run(Budget(1 << 30, seconds=0.02))
    search.run(Budget(seconds=0.02))  # nobody knows how many iterations are left
    search.stop()
    assert search.run(Budget(1 << 30)).stopped
    assert search.iterations > 0
    assert search.spared == 0


@pytest.mark.parametrize("name", ["kuhn", "leduc", "liars-dice:faces=3"])
def test_whole_games_are_the_same(name):
    """Agents draw nothing by how long they thought."""

    def played(spec):
        g = game(name)
        makers = [partial(make_agent, spec, seed=5)] * g.players
        records = [play_game(g, makers, deal_seed=seed) for seed in range(4)]
        return [[one.text for one in record.moves] for record in records]

    spec = "so-ismcts:iterations=300"
    assert played(spec) == played(f"{spec},early=true")


@pytest.mark.parametrize(
    ("name", "spec", "said"),
    [
        ("kuhn", "so-ismcts:early=true,final=mean", "asks for visits alone"),
        (
            "kuhn",
            "smooth-uct:early=true,bucket=false",
            "asks for visits alone, so not for final=average",
        ),
        ("kuhn", "so-ismcts:early=true,reuse=true", "goes on with the tree"),
        ("kuhn", "mt-ismcts:early=true", "learn from all of a search"),
        ("resistance", "so-ismcts:early=true,script=logical", "asks is means"),
    ],
)
def test_what_would_not_be_the_same_is_refused(name, spec, said):
    with pytest.raises(SpecError, match=said):
        make_agent(spec, game(name), 0, seed=1).require()
