"""Replies that are foreseen: the first comes as often as it is said to, all else is searched."""

from collections import Counter

import pytest

from facedown.core import CHANCE, OVER, derive
from facedown.core.plain import adapt
from facedown.search.budget import Budget
from facedown.search.recipe import Growth, Identity, Playout, Recipe, Smooth
from facedown.search.search import Search
from facedown.search.thread import Foreseen
from support.naive import Naive
from support.table_games import begun, root, tree

PAID = {  # to the one who claims
    ("truth", "call"): 0.5, ("truth", "pass"): 0.2, ("truth", "wait"): 0.2,
    ("lie", "call"): -1.0, ("lie", "pass"): 1.0, ("lie", "wait"): 1.0,
    ("silence", "pass"): 0.0, ("silence", "wait"): 0.0,
}  # fmt: skip


class TwoClaims:
    """Two claims of player 0; chance lays a card for a lie; player 1 calls, waits or passes.

    Nobody can call silence. The answers to the first claim are noted as they are played.
    """

    players, bounds = 2, (-2.0, 2.0)
    moves, most_moves, most_plies = 8, 3, 6

    def __init__(self):
        self.first, self.second = Counter(), Counter()

    def start(self):
        return ()

    def turn(self, s):
        said = [move for move in s if move not in ("lay 2", "lay 3")]
        if len(said) == 4:
            return OVER
        return CHANCE if s and s[-1] == "lie" else len(said) % 2

    def legal(self, s):
        if self.turn(s) == CHANCE:
            return ["lay 2", "lay 3"]
        if self.turn(s) == 0:
            return ["truth", "lie", "silence"]
        return ["pass", "wait"] if s[-1] == "silence" else ["call", "pass", "wait"]

    def apply(self, s, move):
        if self.turn(s) == 1:
            answers = self.first if len(s) < 3 else self.second
            claim = s[-1] if s[-1] in ("truth", "silence") else "lie"
            answers[claim, move] += 1
        return (*s, move)

    def sees(self, s, move, viewer):
        return move

    def payoff(self, s):
        said = [move for move in s if move not in ("lay 2", "lay 3")]
        won = PAID[said[0], said[1]] + 0.1 * PAID[said[2], said[3]]
        return [won, -won]

    def hide(self, s, viewer):
        return s

    def infoset(self, s, viewer):
        return s

    def determinize(self, s, viewer, stream):
        return s


RECIPES = [
    Recipe(identity=Identity.FULL),
    Recipe(growth=Growth.NODE),
    Recipe(identity=Identity.MULTI, growth=Growth.PLAYER, smooth=Smooth()),
    Recipe(playout=Playout(depth=1)),
]


def searched(share, recipe, iterations=600, seed=1, asking=("truth", "lie", "silence")):
    definition = TwoClaims()
    game = adapt(definition, "claims")
    position = game.start()
    numbers = {game.move_text(move): move for move in position.legal()}
    answering = position.copy()
    answering.apply(numbers["truth"])
    call = game.parse_move("call", answering.legal())
    definition.first.clear()
    foreseen = Foreseen(call, {numbers[name]: share for name in asking})
    legal = position.legal()
    search = Search(game, recipe, position, 0, legal, seed, foreseen=foreseen)
    return definition, search.run(Budget(iterations))


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.growth.name)
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_first_replies_come_as_often_as_foreseen(share, recipe):
    definition, _ = searched(share, recipe)
    first, second = definition.first, definition.second
    assert first.total() == second.total() == 600
    called = sum(n for (_, move), n in first.items() if move == "call")
    asked = sum(n for (claim, _), n in first.items() if claim != "silence")
    assert asked > 100
    spread = 4 * (share * (1 - share) * asked) ** 0.5
    assert abs(called - share * asked) <= spread
    assert first["silence", "pass"] + first["silence", "wait"] == 600 - asked
    for move in ("call", "pass", "wait"):  # the second is nobody's to foresee
        assert sum(n for (_, what), n in second.items() if what == move) > 20
    if share < 1:
        assert min(first["lie", "pass"], first["lie", "wait"]) > 5


@pytest.mark.parametrize(
    ("share", "best"), [(0.0, "lie"), (0.2, "lie"), (0.6, "truth"), (1.0, "truth")]
)
def test_whether_to_lie_depends_on_what_is_foreseen(share, best):
    """A lie is worth (1 - p) - p, the truth 0.5 p + 0.2 (1 - p); the second claim at most 0.1."""
    for recipe in RECIPES[:3]:
        _, search = searched(share, recipe, 1500)
        found = search.report()
        worth = {one.text: one.mean for one in found.candidates}
        assert worth["lie"] == pytest.approx(1 - 2 * share, abs=0.25)
        assert worth["truth"] == pytest.approx(0.2 + 0.3 * share, abs=0.25)
        assert found.best("mean").text == best


def test_moves_of_which_nothing_is_foreseen_are_searched_as_ever():
    definition, _ = searched(1.0, RECIPES[0], asking=("truth",))
    assert definition.first["truth", "pass"] == definition.first["truth", "wait"] == 0
    assert definition.first["lie", "call"] > 10
    assert definition.first["lie", "pass"] + definition.first["lie", "wait"] > 10


def test_a_reply_that_nobody_foresees_changes_no_tree():
    plain, truth = begun("kuhn", Recipe(), 3)
    named = truth.game.parse_move("bet", truth.legal())
    foreseen, _ = begun("kuhn", Recipe(), 3, foreseen=Foreseen(named, {}))
    assert tree(plain.run(Budget(300))) == tree(foreseen.run(Budget(300)))


@pytest.mark.parametrize("growth", list(Growth))
@pytest.mark.parametrize("name", ["kuhn", "leduc", "many dice", "knowing", "cheat"])
def test_the_tree_is_the_naive_searchs(name, growth):
    g, truth, player = root(name)
    answering = truth.copy()
    answering.apply(truth.legal()[0])
    answers = answering.legal()
    reply = next((move for move in answers if g.move_text(move) == "call"), answers[-1])
    shares = {move: 0.1 + 0.8 * k / len(truth.legal()) for k, move in enumerate(truth.legal())}
    informed = name in ("knowing", "cheat")
    for seed, frozen in enumerate(((), (1 - player,) if g.players == 2 else ())):
        recipe = Recipe(
            identity=Identity.MANY, growth=growth, smooth=Smooth(0.9, 0.2, 0.5), frozen=frozen,
            playout=Playout(informed=informed),
        )  # fmt: skip
        seen = Foreseen(reply, shares)
        search, _ = begun(name, recipe, seed, foreseen=seen)
        search.run(Budget(150))
        view = truth.view(player)
        naive = Naive(g, recipe, view, player, derive(seed, 0), foreseen=seen).run(150)
        wanted = naive.dump()
        assert {key: visits for key, (visits, _) in tree(search).items()} == {
            key: visits for key, (visits, _) in wanted.items()
        }
        assert naive.plies == search.report().plies


def test_shares_are_shares():
    with pytest.raises(ValueError, match="not within 0 and 1"):
        Foreseen(3, {1: 1.5})
