"""Typed playouts and priors by kinds, against the naive oracle."""

from dataclasses import replace

import pytest

from facedown.core import SpecError, derive
from facedown.core.plain import adapt
from facedown.core.rules import RULES
from facedown.games.registry import load_game
from facedown.search.bandits import Statistics, puct, puct_printed
from facedown.search.budget import Budget
from facedown.search.preferences import Preferences
from facedown.search.recipe import Growth, Identity, Playout, Recipe
from facedown.search.search import Search
from support import EXAMPLES
from support.naive import Naive
from support.plain_peek import PlainPeek
from support.table_games import same, tree

SPEC = f"{EXAMPLES / 'peek.py'}:Peek"
KINDS = ("above", "guess", "deal")
READINGS = ("uniform", "unconditioned", "conditioned")


@pytest.fixture(scope="module", params=["compiled", "plain", "listed"])
def game(request):
    """`listed`: with the rule `kind` and nothing more, so moves are listed and sorted by kind."""
    if request.param == "compiled":
        return load_game(SPEC)
    game = adapt(PlainPeek(), "PlainPeek")
    if request.param == "listed":
        for rule in ("kinds", "of_kind"):
            game.rules.table[RULES[rule].slot] = 0
    return game


@pytest.fixture
def prefs(tmp_path):
    known = Preferences("peek", KINDS, {0b011: (3, 1, 0), 0b001: (2, 0, 0)}, {"from": "a test"})
    known.save(tmp_path / "prefs.json")
    return str(tmp_path / "prefs.json")


def searched(game, recipe, iterations=150, seed=3):
    position = game.start()
    position.apply(game.parse_move("deal 2", position.legal()))
    view = position.view(0)
    search = Search(game, recipe, view, 0, position.legal(), seed).run(Budget(iterations))
    naive = Naive(game, recipe, view, 0, derive(seed, 0)).run(iterations)
    return search, naive


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("growth", [Growth.EDGE, Growth.NODE])
def test_typed_playouts_are_the_oracles(game, prefs, reading, growth):
    playout = Playout(kinds=reading)
    recipe = Recipe(playout=playout, preferences=prefs, growth=growth)
    search, naive = searched(game, recipe)
    same(tree(search), naive.dump())


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("temperature", [1.0, 7.0])
def test_priors_by_kinds_are_the_oracles(game, prefs, reading, temperature):
    recipe = Recipe(
        bandit="puct",
        c=2.0,
        growth=Growth.NODE,
        kind_priors=reading,
        temperature=temperature,
        preferences=prefs,
    )
    search, naive = searched(game, recipe)
    same(tree(search), naive.dump())


@pytest.mark.parametrize("unchosen", ["share", "none"])
@pytest.mark.parametrize("bandit", ["puct", "puct-printed"])
def test_pomcp_with_preferences_is_the_oracles(game, tmp_path, bandit, unchosen):
    """All at once: nodes of what the searcher has proven, kinds in the tree and beyond it.

    Guessing was never chosen under the set that is met here, so the two readings differ.
    """
    known = Preferences("peek", KINDS, {0b011: (3, 0, 0), 0b010: (0, 2, 0)}, {})
    known.save(tmp_path / "prefs.json")
    recipe = Recipe(
        identity=Identity.OWN_BUCKET,
        bandit=bandit,
        c=4.0,
        growth=Growth.NODE,
        kind_priors="conditioned",
        temperature=7.0,
        preferences=str(tmp_path / "prefs.json"),
        unchosen=unchosen,
        playout=Playout(kinds="conditioned", depth=3),
        final="mean",
    )
    search, naive = searched(game, recipe)
    same(tree(search), naive.dump())


def test_puct_as_coded_and_as_printed_by_hand():
    """Dobre and Lascarides (2018): C = 4, P = 0.5, 20 visits, 4 of them of the move."""
    move = Statistics(4.0, 0.0, 0.0, 20.0, 0.0, 20.0, 20.0, 0.0, 0.5, 4.0)
    assert puct(move) == pytest.approx(4 * 0.5 * 16**0.5 / 5)  # 1.6
    assert puct_printed(move) == pytest.approx(4 * 0.5 * (16 / 5) ** 0.5)  # 3.6
    assert puct_printed(move._replace(mean=0.25)) == pytest.approx(0.25 + 3.577709)
    untried = move._replace(visits=0.0)
    assert puct(untried) == puct_printed(untried) == pytest.approx(2 * 20**0.5)


def test_preferences_make_the_tree_another(game, prefs):
    plain, _ = searched(game, Recipe())
    typed, _ = searched(game, Recipe(playout=Playout(kinds="conditioned"), preferences=prefs))
    assert tree(plain) != tree(typed)


def test_what_is_missing_is_told(game, tmp_path, prefs):
    position = game.start()
    position.apply(position.legal()[0])
    recipe = Recipe(playout=Playout(kinds="conditioned"))

    def searching(game, recipe):
        return Search(game, recipe, position.view(0), 0, position.legal(), 1)

    with pytest.raises(SpecError, match="want preferences=FILE"):
        searching(game, recipe)
    with pytest.raises(SpecError, match="cannot be read"):
        searching(game, replace(recipe, preferences=str(tmp_path / "nowhere.json")))
    kuhn = load_game("kuhn")
    root = kuhn.start()
    with pytest.raises(SpecError, match="kuhn has no rule 'kind'"):
        Search(kuhn, recipe, root, 0, [], 1)
    with pytest.raises(SpecError, match="more than 0"):
        replace(recipe, temperature=0.0)
