"""MT-ISMCTS against its naive twin: trees, tallies, beliefs and moves, through whole games."""

from itertools import product

import numpy as np
import pytest

from facedown.agents.registry import make_agent
from facedown.belief.pool import Pool
from facedown.core import CHANCE, NOTHING, PUBLIC, Stream, derive
from facedown.search.budget import Budget
from facedown.search.recipe import Growth, Identity, Recipe
from facedown.search.search import Search
from facedown.search.thread import Phase
from support.naive import Naive, Part
from support.naive_many import MODES, NaiveManyTree
from support.table_games import MOLES, after, game, same, tallied, tree

TABLES = {
    # a game, deals, and the streams that the others play by
    "kuhn": ("kuhn", [("deal Q", "deal J"), ("deal J", "deal Q")], range(4)),
    "moles": (MOLES, [("deal mole", "deal loyal", "deal loyal"), ("deal loyal",) * 3], [5]),
}


def shares(belief):
    return {k: share for k, share in enumerate(belief.shares.tolist()) if share > 0}


def compare_beliefs(agent, naive):
    if naive.phi is not None:
        assert shares(agent.belief) == pytest.approx(naive.phi)
    if naive.psi is not None:
        assert shares(agent.beliefs[PUBLIC]) == pytest.approx(naive.psi)


def compare_decision(agent, naive, truth):
    """Let both decide; the move."""
    view, legal = truth.view(agent.player), truth.legal()
    move = agent.choose(view, legal)
    assert move in naive.choose(view, legal, agent.search.seed)
    same(tree(agent.search), naive.search.dump())
    assert tallied(agent.search) == naive.search.dump_tallies()
    return move


def compare_game(spec, deals, agent, naive, plays):
    """One game in which the others play by a stream; how many decisions the player had."""
    g, others, dealt, decisions = game(spec), Stream(plays), iter(deals), 0
    truth = g.start()
    while not truth.over:
        turn, legal = truth.turn(), truth.legal()
        if turn == CHANCE:
            move = g.parse_move(next(dealt), legal)
        elif turn != agent.player:
            move = others.choice(legal)
        else:
            move = compare_decision(agent, naive, truth)
            decisions += 1
        token, public = truth.sees(move, agent.player), truth.sees(move, PUBLIC)
        truth.apply(move)
        naive.observe(token, public)
        if token != NOTHING:
            agent.observe(token, "")
        if public != NOTHING:
            agent.overhear(public)
        compare_beliefs(agent, naive)
    return decisions


@pytest.mark.parametrize("inference", ["particle", "none"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("table", list(TABLES))
def test_whole_games_draw_by_draw(table, mode, inference):
    spec, hands, streams = TABLES[table]
    g, decisions = game(spec), []
    for player, deals, plays in product(range(g.players), hands, streams):
        options = f"self={mode},inference={inference},split=0.4,iterations=120"
        agent = make_agent(f"mt-ismcts:{options}", g, player, seed=7 + plays)
        naive = NaiveManyTree(g, player, agent.recipe, mode, 0.4, 120)
        naive.infers = inference == "particle"
        decisions.append(compare_game(spec, deals, agent, naive, plays))
    assert min(decisions) >= 1
    assert max(decisions) > 1  # so that a belief was carried over


@pytest.mark.parametrize(("player", "mode"), [(0, "bluff"), (0, "twostep"), (1, "trueonly")])
def test_the_resistance_draw_by_draw(player, mode):
    """A spy and one who is none; the rules tell everyone's tokens in one call here."""
    g = game("resistance")
    agent = make_agent(f"mt-ismcts:self={mode},iterations=60", g, player, seed=3)
    naive = NaiveManyTree(g, player, agent.recipe, mode, 0.5, 60)
    assert compare_game("resistance", ("spies 0 2",), agent, naive, 1) > 3


@pytest.mark.parametrize("growth", list(Growth))
@pytest.mark.parametrize("identity", [Identity.SINGLE, Identity.MULTI, Identity.MANY])
def test_phases_and_tallies_of_other_recipes(identity, growth):
    """Worlds drawn by determinize, from one viewer and then from the other; not from a belief."""
    recipe = Recipe(identity=identity, growth=growth)
    g = game(MOLES)
    truth = after(g, "deal loyal", "deal mole", "deal loyal", "name 1", "yes")
    view, me = truth.view(1), 1
    search = Search(g, recipe, view, me, truth.legal(), 3)
    naive = Naive(g, recipe, view, me, derive(3, 0))
    for seen, viewer, frozen, observers in (
        (view.view(PUBLIC), PUBLIC, (), (PUBLIC, me)),
        (view, me, (0,), (me,)),
        (view.view(PUBLIC), PUBLIC, (2,), ()),
    ):
        search.enter(Phase(Pool([seen], labels=[0], views=True), viewer, frozen, observers)).run(
            Budget(120)
        )
        naive.enter(Part([(1.0, seen, 0)], viewer, frozen, observers, views=True)).run(120)
        same(tree(search), naive.dump())
        assert tallied(search) == naive.dump_tallies()


def test_tallies_that_grow_several_times_change_nothing():
    """Past the 1024 slots at which the table starts."""
    g = game("leduc")
    truth = after(g, "deal J", "deal K", "call")
    view = truth.view(1)
    recipe = Recipe(identity=Identity.MANY, c=20.0)
    label = [(1.0, view, k) for k in range(1)]
    search = Search(g, recipe, view, 1, truth.legal(), 3)
    search.enter(Phase(Pool([view], labels=[0]), 1, (), (1, PUBLIC))).run(Budget(3000))
    naive = Naive(g, recipe, view, 1, derive(3, 0))
    naive.enter(Part(label, 1, (), (1, PUBLIC))).run(3000)
    assert tallied(search) == naive.dump_tallies()


def test_the_onlooker_reads_what_the_naive_search_counted():
    """Along one line of play, for the player and for the public, world by world."""
    g, me = game(MOLES), 2
    agent = make_agent("mt-ismcts:self=split,split=0.5,iterations=2000", g, me, seed=2)
    naive = NaiveManyTree(g, me, agent.recipe, "split", 0.5, 2000)
    deal = ("deal loyal", "deal mole", "deal loyal")
    truth = after(g, *deal, "name 1", "yes", "yes")
    agent.choose(truth.view(me), truth.legal())
    naive.choose(truth.view(me), truth.legal(), agent.search.seed)
    own, public = (agent.search.onlooker(who, range(g.worlds)) for who in (me, PUBLIC))
    assert public.root.sum() == 1000
    assert own.root.sum() == sum(
        naive.search.tallies[me, naive.known, (), d] for d in range(g.worlds)
    )
    seen = heard = ()
    for text in ("yes", "help", "name 0"):
        move = g.parse_move(text, truth.legal())
        token, loud = truth.sees(move, me), truth.sees(move, PUBLIC)
        seen, heard = (*seen, token), (*heard, loud)
        wanted = [naive.search.tallies[me, naive.known, seen, d] for d in range(g.worlds)]
        assert own.see(token).tolist() == wanted
        assert sum(wanted) > 0
        wanted = [naive.search.tallies[PUBLIC, heard, d] for d in range(g.worlds)]
        assert public.see(loud).tolist() == wanted
        assert sum(wanted) > 0
        truth.apply(move)
    assert np.array_equal(own.see(1), np.zeros(g.worlds))  # nobody ever saw that
