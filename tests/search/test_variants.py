"""Variants of rules: a search that names one is the naive search by that function."""

import pytest

from facedown.core import RuleError, SpecError, derive
from facedown.core.compiled import build
from facedown.core.plain import adapt
from facedown.search.budget import Budget
from facedown.search.recipe import Identity, Playout, Recipe
from facedown.search.search import Search
from support.naive import Naive
from support.table_games import tree
from support.varied_kuhn import VARIANTS, Varied

RECIPES = {
    "playout": (
        Recipe(playout=Playout(informed=True, depth=1)),
        Recipe(playout=Playout(informed="bold", depth=1)),
    ),
    "prior": (
        Recipe(bandit="puct", priors=True),
        Recipe(bandit="puct", priors="betting"),
    ),
    "bucket": (Recipe(identity=Identity.BUCKET), Recipe(bucket="coarse")),
    "horizon": (Recipe(playout=Playout(horizon=True)), Recipe(playout=Playout(horizon="early"))),
    "determinize": (Recipe(identity=Identity.MANY), Recipe(Identity.MANY, determinize="lowest")),
}


def searched(game, recipe, moves=(4, 2)):
    truth = game.start()
    for move in moves:
        truth.apply(move)
    view = truth.view(0)
    return Search(game, recipe, view, 0, truth.legal(), 3).run(Budget(300)), view


@pytest.mark.parametrize("rule", list(RECIPES))
def test_a_variant_stands_for_its_rule(rule):
    game = build(Varied(), "varied")
    plain, varied = RECIPES[rule]
    found = {}
    for recipe in (plain, varied):
        search, view = searched(game, recipe)
        wanted = Naive(game, recipe.in_game(game), view, 0, derive(3, 0)).run(300).dump()
        found[recipe] = tree(search)
        assert set(found[recipe]) == set(wanted)
        for key, (visits, edges) in wanted.items():
            assert found[recipe][key][0] == visits
            assert {m: e[:2] for m, e in found[recipe][key][1].items()} == {
                m: e[:2] for m, e in edges.items()
            }
            for move, (_, _, total) in edges.items():
                assert found[recipe][key][1][move][2] == pytest.approx(total, abs=1e-9)
    assert found[plain] != found[varied]


class Coins:
    """An ordinary class: guess a hidden coin; two ways to play on, two to draw the coin."""

    players, bounds = 1, (0.0, 1.0)
    variants = {"playout": ("tails",), "determinize": ("loaded",)}  # noqa: RUF012

    def start(self):
        return ()

    def turn(self, s):
        return {0: -1, 1: 0, 2: 0}.get(len(s), -2)

    def legal(self, s):
        return ["heads", "tails"]

    def apply(self, s, move):
        return (*s, move)

    def sees(self, s, move, viewer):
        return ("coin",) if not s else (move,)

    def payoff(self, s):
        return [float(s[0] == s[2])]

    def hide(self, s, viewer):
        return ("?", *s[1:]) if s else s

    def infoset(self, s, viewer):
        return s[1:]

    def determinize(self, s, viewer, stream):
        return (stream.choice(["heads", "tails"]), *s[1:])

    def loaded(self, s, viewer, stream):
        return ("tails", *s[1:])

    def playout(self, s, stream):
        return stream.choice(["heads", "tails"])

    def tails(self, s, stream):
        return "tails"


def test_plain_classes_have_variants_too():
    game = adapt(Coins(), "coins.py:Coins")
    truth = game.start()
    truth.apply(truth.legal()[0])
    means = {}
    for recipe in (
        Recipe(playout=Playout(informed=True, depth=1)),
        Recipe(playout=Playout(informed="tails", depth=1)),
        Recipe(playout=Playout(informed="tails", depth=1), determinize="loaded"),
    ):
        search = Search(game, recipe, truth.view(0), 0, truth.legal(), 1).run(Budget(400))
        means[recipe] = search.report().best().mean
    assert list(means.values()) == [pytest.approx(0.5, abs=0.1)] * 2 + [1.0]


def test_what_is_declared_wrongly_is_told():
    class Misnamed(Varied):
        variants = {"playout": ("timid",)}  # noqa: RUF012

    class Unbounded(Varied):
        variants = {"horizon": ("early",)}  # noqa: RUF012

    class Misplaced(Varied):
        variants = {"turn": ("bold",)}  # noqa: RUF012

    for game, what in (
        (Misnamed, "no function 'timid', a variant of playout"),
        (Unbounded, "come with bounds"),
        (Misplaced, "variants of 'turn'"),
    ):
        with pytest.raises(RuleError, match=what):
            build(game(), "wrong")


def test_variants_are_listed_and_checked_alike():
    game = build(Varied(), "varied")
    for rule, names in VARIANTS.items():
        assert game.variants(rule) == list(names)
        listed = f"no {rule} 'none'; variants of {rule}: {next(iter(names))}"
        with pytest.raises(SpecError, match=listed):
            game.variant(rule, "none")
