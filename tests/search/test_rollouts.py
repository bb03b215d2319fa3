"""A rollout is the rules of a game in one loop: the same moves, cached apart from other rules'."""

import types

import pytest

from facedown.core.rollout import _digest, _home, _plain, rollout_of
from facedown.games.kuhn import rules as kuhn
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
    assert whole._threads[0].state["play"]["rollout"] != 0
    parts._threads[0].state["play"]["rollout"] = 0
    assert whole.run(Budget(400)).dump() == parts.run(Budget(400)).dump()
    assert whole.report().playout_plies == parts.report().playout_plies


def functions_of(module):
    return {name: _plain(getattr(module, name)) for name in ("turn", "legal", "apply", "payoff")}


def test_other_functions_have_another_name_in_the_cache():
    own = functions_of(kuhn)

    def legal(ctx, state, out):
        return own["legal"](ctx, state, out)

    assert _digest(own) == _digest(functions_of(kuhn))
    assert _digest({**own, "legal": kuhn.hide}) != _digest(own)
    assert _digest({**own, "legal": legal}) != _digest(own)


def test_only_what_is_as_its_file_says_is_cached():
    own = functions_of(kuhn)
    assert _home(kuhn, own) == kuhn.__file__
    here = 1

    def closed(ctx, state):
        return here

    assert _home(kuhn, {**own, "turn": closed}) == "<rollout>"
    elsewhere = types.FunctionType(own["turn"].__code__, {**own["turn"].__globals__})
    elsewhere.__module__ = kuhn.__name__
    assert _home(kuhn, {**own, "turn": elsewhere}) == "<rollout>"


def test_a_rollout_of_swapped_rules_is_its_own():
    """Rules that lie in one file, one of them another's: each loop has its own machine code."""
    own = functions_of(kuhn)
    first = rollout_of(kuhn, own, ())
    second = rollout_of(kuhn, {**own, "weights": kuhn.payoff}, ())
    assert first.address != second.address
