"""Which untried moves the tree tries, and when; and others who decide as a model has them."""

from dataclasses import replace

import pytest

from facedown.agents.registry import make_agent
from facedown.core import SpecError, derive
from facedown.search.budget import Budget
from facedown.search.recipe import Growth, Identity, Playout, Recipe, Smooth
from support.naive import Naive
from support.table_games import begun, game, root, same, tree

SINGLE, MULTI = Recipe(), Recipe(identity=Identity.MULTI)
NAMES = ["leduc", "kuhn second", "dice", "loaded", "many dice"]


def agrees(name: str, recipe: Recipe, seed: int) -> None:
    """Hold a search's tree against the oracle's."""
    search, _ = begun(name, recipe, seed)
    search.run(Budget(300))
    g, truth, player = root(name)
    naive = Naive(g, recipe, truth.view(player), player, derive(seed, 0)).run(300)
    same(tree(search), naive.dump())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("urgency", [0.0, 0.6, 2.0])
def test_urgency_is_the_oracles(name, urgency):
    """With one bandit after another, and for every way of growing."""
    for seed, bandit in enumerate(("ucb1", "uct", "ucb-tuned", "puct")):
        agrees(name, replace(SINGLE, urgency=urgency, bandit=bandit), seed)
    for seed, growth in enumerate(Growth):
        agrees(name, replace(MULTI, urgency=urgency, growth=growth), seed)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("widening", [0.3, 0.7])
def test_widening_is_the_oracles(name, widening):
    agrees(name, replace(SINGLE, widening=widening), 1)
    agrees(name, replace(MULTI, widening=widening, urgency=0.5), 2)
    agrees(name, replace(SINGLE, widening=widening, smooth=Smooth()), 3)


@pytest.mark.parametrize("name", ["leduc", "kuhn second", "knowing"])
def test_others_who_are_modelled_are_the_oracles(name):
    agrees(name, replace(MULTI, modelled=0.4), 1)
    agrees("knowing", replace(SINGLE, modelled=0.7, playout=Playout(informed=True)), 2)


def tried(recipe: Recipe, iterations: int) -> int:
    """How many of the first player's six bids in liar's dice were tried."""
    search, _ = begun("dice", recipe, 1)
    return sum(one.visits > 0 for one in search.run(Budget(iterations)).report().candidates)


def test_what_is_left_untried():
    """Twenty iterations try all six bids, one after another, unless something says otherwise."""
    assert tried(SINGLE, 20) == 6
    assert tried(replace(SINGLE, widening=0.3), 20) == 4  # 1 + 19 ** 0.3 are 3.4
    assert tried(replace(SINGLE, urgency=-1.0, c=0.0), 20) == 1


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("so-ismcts:widening=0.5,growth=node", "one by one; that is growth=edge"),
        ("so-ismcts:widening=0", "widening"),
    ],
)
def test_what_cannot_be(spec, said):
    with pytest.raises(SpecError, match=said):
        make_agent(spec, game("leduc"), 0, seed=1).require()
