"""A rollout is the rules of a game in one loop: the same moves as rule by rule."""

import pytest

from facedown.search.budget import Budget
from facedown.search.recipe import Identity, Playout, Recipe
from support.table_games import begun

RECIPES = {
    "kuhn": Recipe(),
    "leduc": Recipe(identity=Identity.MULTI),
    "cribbage": Recipe(playout=Playout(horizon=True)),
}


@pytest.mark.parametrize("name", RECIPES)
def test_a_rollout_plays_as_the_rules_one_by_one_do(name):
    whole, _ = begun(name, RECIPES[name])
    parts, _ = begun(name, RECIPES[name])
    assert whole.threads[0].state["play"]["rollout"] != 0
    parts.threads[0].state["play"]["rollout"] = 0
    assert whole.run(Budget(400)).dump() == parts.run(Budget(400)).dump()
    assert whole.report().playout_plies == parts.report().playout_plies
