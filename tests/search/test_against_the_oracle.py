"""The kernel's tree is the naive search's tree, node by node: visits, availability, totals."""

import itertools
from dataclasses import replace

import pytest

from facedown.belief.pool import Pool
from facedown.core import Stream, derive
from facedown.search.budget import Budget
from facedown.search.recipe import (
    BUCKETS,
    Growth,
    Identity,
    Labels,
    Playout,
    Recipe,
    Smooth,
    Worlds,
)
from support.naive import Naive
from support.table_games import begun, root, same, tree

EXACT = [Identity.FULL, Identity.SINGLE, Identity.MULTI, Identity.MANY]
BANDITS = ["ucb1", "ucb-tuned", "puct", "prior-first", "uct"]


def compare(name, recipe, iterations, seed=1, worlds=()):
    """Search both ways, and hold one tree against the other."""
    pool = Pool([world for _, world in worlds], [w for w, _ in worlds]) if worlds else None
    search, _ = begun(name, recipe, seed, pool)
    search.run(Budget(iterations))
    g, truth, player = root(name)
    start = truth if recipe.belief == ("truth",) else truth.view(player)
    naive = Naive(g, recipe, start, player, derive(seed, 0), worlds).run(iterations)
    same(tree(search), naive.dump())
    assert len(naive.nodes) == len(tree(search)) == search.report().nodes
    assert naive.plies == search.report().plies
    return search, naive


@pytest.mark.parametrize("growth", list(Growth))
@pytest.mark.parametrize("bandit", BANDITS)
@pytest.mark.parametrize("identity", EXACT)
def test_every_identity_bandit_and_growth(identity, bandit, growth):
    recipe = Recipe(identity=identity, bandit=bandit, growth=growth)
    for seed, name in enumerate(("kuhn", "leduc"), start=int(growth) * 10):
        compare(name, recipe, 150, seed)


@pytest.mark.parametrize(("bandit", "growth"), list(itertools.product(BANDITS, Growth)))
def test_buckets(bandit, growth):
    for identity, seed in itertools.product(BUCKETS, range(3)):
        recipe = Recipe(identity=identity, bandit=bandit, growth=growth)
        compare("buckets", recipe, 200, seed)


@pytest.mark.parametrize("growth", list(Growth))
@pytest.mark.parametrize("identity", list(Identity))
def test_smooth_uct(identity, growth):
    """A large d, so that the average strategy has a good part in it."""
    recipe = Recipe(identity=identity, smooth=Smooth(0.9, 0.2, 0.5), growth=growth)
    bucket = identity in BUCKETS
    for seed, name in enumerate(["buckets"] if bucket else ["kuhn second", "leduc"]):
        compare(name, recipe, 200, seed)


@pytest.mark.parametrize("name", ["kuhn second", "leduc raised", "dice", "fusion", "pennies"])
@pytest.mark.parametrize("identity", EXACT)
def test_every_small_game(identity, name):
    for seed, growth in enumerate(Growth):
        compare(name, Recipe(identity=identity, growth=growth, c=0.4), 200, seed)


def test_three_players_with_two_dice_each():
    compare("many dice", Recipe(identity=Identity.MULTI), 150)


@pytest.mark.parametrize("growth", list(Growth))
def test_tables_that_grow_several_times_change_nothing(growth):
    """Past 512 slots of nodes and of edges, which is where every table starts."""
    recipe = Recipe(identity=Identity.FULL, growth=growth, c=20.0)
    search, _ = compare("many dice", recipe, 2000)
    assert len(search.tables.nodes) >= 1024
    assert len(search.tables.edges) >= 2048


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe(bandit="puct", priors=True, c=2.0),
        Recipe(playout=Playout(informed=True)),
        Recipe(growth=Growth.PLAYER, playout=Playout(informed=True)),
        Recipe(playout=Playout(horizon=True)),
        Recipe(playout=Playout(discount=0.8), identity=Identity.MULTI),
        Recipe(playout=Playout(depth=1), bandit="uniform"),
        Recipe(playout=Playout(depth=2), growth=Growth.NODE),
        Recipe(scaled=False, c=2.0),
        Recipe(scaled=False, playout=Playout(horizon=True, discount=0.9, informed=True)),
    ],
    ids=lambda recipe: f"{recipe.bandit} {recipe.growth.name} {recipe.playout}",
)
def test_priors_playouts_horizons_discounts_and_depths(recipe):
    for seed in range(2):
        compare("knowing", recipe, 200, seed)


def test_weighted_chance():
    for seed, growth in enumerate(Growth):
        compare("loaded", Recipe(growth=growth), 200, seed)


def test_the_true_position():
    recipe = Recipe(identity=Identity.FULL, belief=("truth",))
    for seed in range(2):
        compare("leduc", recipe, 200, seed)


def drawn(name, n, stream):
    """So many worlds that the searcher holds for possible."""
    _, truth, player = root(name)
    worlds = [truth.view(player) for _ in range(n)]
    for world in worlds:
        world.determinize(player, stream)
    return worlds


@pytest.mark.parametrize("labels", [Labels.NONE, Labels.TREE])
def test_given_worlds_by_weight(labels):
    worlds = list(zip((0.0, 1.0, 2.5), drawn("leduc", 3, Stream(4)), strict=True))
    recipe = Recipe(identity=Identity.MANY, labels=labels)
    compare("leduc", recipe, 200, worlds=worlds)


def test_determinized_uct_takes_its_worlds_in_turn():
    recipe = Recipe(
        identity=Identity.FULL, worlds=Worlds.IN_TURN, samples=7, labels=Labels.TREE, bandit="ucb1"
    )
    worlds = [(1.0, world) for world in drawn("leduc", 7, Stream(11))]
    compare("leduc", recipe, 300, worlds=worlds)


def test_nodes_of_many_edges_few_of_them_legal_in_a_world():
    recipe = Recipe(c=2.8, scaled=False, playout=Playout(horizon=True))
    search, _ = compare("cribbage", recipe, 600)
    widest = max(len(edges) for _, edges in tree(search).values())
    assert widest > 100  # the opponent's throws: 15 of them are legal in a world


def test_the_games_own_policy_prior_value_and_belief():
    recipe = Recipe(
        bandit="prior-first",
        c=0.5,
        priors=True,
        growth=Growth.NODE,
        determinize="skilled",
        playout=Playout(informed=True, horizon="winning"),
    )
    for scaled in (True, False):
        compare("cribbage", replace(recipe, scaled=scaled), 300)


@pytest.mark.parametrize("name", ["leduc", "loaded"])
def test_chance_that_is_fixed_in_each_world(name):
    given = [(1.0, world) for world in drawn("leduc", 5, Stream(12))] if name == "leduc" else []
    for worlds, seed in itertools.product((Worlds.IN_TURN, Worlds.DRAWN), range(2)):
        if name == "loaded" and worlds is Worlds.IN_TURN:
            continue  # it has no worlds to choose from
        recipe = Recipe(
            identity=Identity.FULL, worlds=worlds, samples=5, labels=Labels.TREE, chance="fixed"
        )
        compare(name, recipe, 300, seed, given)


def test_a_pack_in_one_order_gives_one_card_after_the_same_moves():
    """On the true position of Leduc: nodes behind the public card follow from one card alone."""
    recipe = Recipe(identity=Identity.FULL, belief=("truth",))
    drawn_anew, _ = compare("leduc", recipe, 400)
    one_order, _ = compare("leduc", replace(recipe, chance="fixed"), 400)
    assert one_order.report().nodes < drawn_anew.report().nodes / 1.5
