"""Playouts by what moves are worth on average (MAST), and trees that later decisions go on with."""

import numpy as np
import pytest

from facedown.agents.registry import make_agent
from facedown.core import CHANCE, SpecError, derive
from facedown.search.budget import Budget
from facedown.search.recipe import Growth, Playout, Recipe
from facedown.search.search import Search
from support.naive import Naive
from support.table_games import after, begun, game, root, same, tree


@pytest.mark.parametrize("name", ["leduc", "kuhn second", "dice", "loaded", "many dice"])
@pytest.mark.parametrize("epsilon", [0.0, 0.3])
def test_playouts_by_averages_are_the_oracles(name, epsilon):
    """In games with a compiled rollout and in plain ones, for every way of growing."""
    for seed, growth in enumerate(Growth):
        recipe = Recipe(growth=growth, playout=Playout(mast=epsilon))
        search, _ = begun(name, recipe, seed)
        search.run(Budget(150))
        g, truth, player = root(name)
        naive = Naive(g, recipe, truth.view(player), player, derive(seed, 0)).run(150)
        same(tree(search), naive.dump())
        counted = {
            (int(p), int(move)): int(times)
            for (p, move), times in np.ndenumerate(search.threads[0].averages[:, :, 1])
            if times
        }
        assert counted == {key: len(worth) for key, worth in naive.averages.items()}


LINE = ("deal J", "deal K", "call", "raise")
"""Of Leduc: the first player decides after the deal, and again after these."""


@pytest.mark.parametrize("mast", [None, 0.2])
def test_a_second_decision_goes_on_with_the_tree_of_the_first(mast):
    g = game("leduc")
    recipe = Recipe(reuse=True, playout=Playout(mast=mast))
    before, naive = None, None
    for seed, moves in enumerate((LINE[:2], LINE)):
        position, tokens = after(g, *moves), tokens_of(g, moves)
        view = position.view(0)
        search = Search(g, recipe, view, 0, position.legal(), seed, before=before, seen=tokens)
        if before is not None:
            found = {one.move: one.visits for one in search.report().candidates}
            assert sum(found.values()) == 0  # no root before the first iteration
        naive = Naive(g, recipe, view, 0, derive(seed, 0), before=naive, already=tokens)
        search.run(Budget(300))
        naive.run(300)
        same(tree(search), naive.dump())
        before = search
    report = before.report()
    assert report.iterations == 300
    assert sum(one.visits for one in report.candidates) > 300  # what was there before counts
    assert before.line()


def tokens_of(g, moves):
    position, tokens = g.start(), []
    for text in moves:
        move = g.parse_move(text, position.legal())
        if token := position.sees(move, 0):
            tokens.append(token)
        position.apply(move)
    return tokens


@pytest.mark.parametrize("spec", ["so-ismcts:iterations=200,reuse=true,mast=0.2,threads=2"])
def test_an_agent_that_reuses_its_tree_begins_with_what_it_knows(spec):
    """In tic-tac-toe by rule file, where nothing is hidden: most of the tree is found again."""
    g = game("tic-tac-toe")
    agents = [make_agent(spec, g, p, seed=p + 1) for p in range(2)]
    position, kept = g.start(), []
    while not position.over:
        turn, legal = position.turn(), position.legal()
        move = legal[0] if turn == CHANCE else agents[turn].choose(*position.offer(turn))
        if turn != CHANCE and len(legal) > 1:
            visits = sum(one.visits for one in agents[turn].report().candidates)
            kept.append(visits - 200)
        for player, agent in enumerate(agents):
            if token := position.sees(move, player):
                agent.observe(token, "")
        position.play(move)
    assert kept[:2] == [0, 0]
    assert all(more > 0 for more in kept[2:])


def test_a_tree_that_has_grown_too_large_is_left():
    g = game("leduc")
    recipe, position = Recipe(reuse=True), after(g, *LINE[:2])
    given = (g, recipe, position.view(0), 0, position.legal(), 1)
    before = Search(*given, seen=[1]).run(Budget(2000))
    again = Search(*given, seen=[1], before=before, memory=before.tables.bytes).run(Budget(1))
    assert again.tables.used("nodes") < 10


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("mo-ismcts:reuse=true", "so-ismcts is one whose are"),
        ("so-ismcts:mast=0.2,playout=true", "go by another policy"),
        ("so-ismcts:mast=2", "between 0 and 1 is wanted"),
    ],
)
def test_what_cannot_be(spec, said):
    with pytest.raises(SpecError, match=said):
        make_agent(spec, game("KnowingKuhn"), 0, seed=1).require()
