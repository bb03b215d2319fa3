"""What each mode of self-determinization promises (Cowling, Whitehouse and Powley 2015, VI)."""

from math import sqrt
from unittest.mock import Mock

import numpy as np
import pytest

from facedown.agents.many_tree import admissible
from facedown.agents.registry import make_agent
from facedown.core import PUBLIC
from facedown.search.budget import Budget
from facedown.search.report import Candidate, Report
from facedown.search.search import Search
from facedown.search.trace import Trace
from support.naive import fold
from support.naive_many import MODES, NaiveManyTree
from support.table_games import MOLES, after, game, tallied

DEAL = ("deal loyal", "deal mole", "deal loyal")
ME = 2
LABELS = range(game(MOLES).worlds)


def decided(mode, iterations=400, split=0.3, seed=1, more="", line=("name 1", "yes", "yes")):
    """An agent of the third player's, a loyal one, that has just made its decision; the truth."""
    g = game(MOLES)
    truth = after(g, *DEAL, *line)
    spec = f"mt-ismcts:self={mode},split={split},iterations={iterations}{more}"
    agent = make_agent(spec, g, ME, seed)
    agent.choose(truth.view(ME), truth.legal())
    return agent, truth


def weights(view, viewer):
    """The weight of each of the game's worlds for a viewer, as shares."""
    found = np.array([view.copy().world(viewer, k) for k in range(view.game.worlds)])
    return found / found.sum()


def root_labels(search):
    tables = search.tables
    return {int(root["label"]) for root in tables.roots[: tables.used("roots")]}


def near(found, wanted):
    """Whether counts are as drawn by shares, none where a share is 0."""
    n = found.sum()
    assert (found[wanted == 0] == 0).all()
    assert (np.abs(found / n - wanted) <= 5 * np.sqrt(wanted * (1 - wanted) / n)).all()


def test_trueonly_never_leaves_the_searchers_information_set():
    agent, truth = decided("trueonly", 1000)
    view, search = truth.view(ME), agent.search
    own = Trace(search.game, search.recipe, view, ME).histories[ME]
    assert root_labels(search) == {own}
    near(search.onlooker(ME, LABELS).root, weights(view, ME))
    assert search.onlooker(ME, LABELS).root.sum() == 1000
    assert not search.onlooker(PUBLIC, LABELS).root.any()
    assert sum(search.visits_everywhere().values()) == sum(
        candidate.visits for candidate in search.report().candidates
    )


def test_pure_draws_from_what_the_public_knows():
    agent, truth = decided("pure", 1000)
    view, search = truth.view(ME), agent.search
    public = weights(view.view(PUBLIC), PUBLIC)
    assert (public > 0).all()
    near(search.onlooker(PUBLIC, LABELS).root, public)
    assert search.onlooker(PUBLIC, LABELS).root.sum() == 1000
    near(search.onlooker(ME, LABELS).root, weights(view, ME))  # those that happened to be true
    true = search.onlooker(ME, LABELS).root.sum()
    assert abs(true / 1000 - 2 / 3) < 5 * sqrt(2 / 9 / 1000)
    assert len(root_labels(search)) == 2  # what it holds, and the other role


@pytest.mark.parametrize("mode", ["split", "twostep", "bluff"])
@pytest.mark.parametrize("split", [0.25, 0.5, 0.875])
def test_the_share_t1_is_drawn_from_the_public_and_the_rest_from_the_players_own(mode, split):
    agent, truth = decided(mode, 400, split)
    search, first = agent.search, round(400 * split)
    assert search.iterations == 400
    assert search.onlooker(PUBLIC, LABELS).root.sum() == first  # N = T1 for the public's belief
    own = search.onlooker(ME, LABELS).root.sum()
    assert 400 - first < own < 400
    near(search.onlooker(ME, LABELS).root, weights(truth.view(ME), ME))


@pytest.mark.parametrize(
    ("mode", "split", "same"), [("split", 0, "trueonly"), ("split", 1, "pure")]
)
def test_the_ends_of_the_share_are_the_other_modes(mode, split, same):
    one, _ = decided(mode, 300, split)
    other, _ = decided(same, 300)
    assert one.search.dump() == other.search.dump()


def phases(mode, iterations=600, split=0.5, line=("name 1", "yes", "yes"), spec=MOLES, me=ME):
    """A search after each of its two phases: the trees, and the search itself."""
    g = game(spec)
    truth = after(g, *(DEAL if spec == MOLES else ()), *line)
    agent = make_agent(f"mt-ismcts:self={mode},split={split},iterations={iterations}", g, me, 1)
    search = agent.start_search(truth.view(me), truth.legal())
    trees = []
    for phase, budget in agent.phases:
        search.enter(phase).run(budget)
        trees.append({key: (visits, edges) for key, visits, edges in search.dump()})
        yield trees, search, truth


def owners(mode, iterations, split):
    """Whose the node of each key is, by the naive search."""
    agent, truth = decided(mode, iterations, split)
    naive = NaiveManyTree(agent.game, ME, agent.recipe, mode, split, iterations)
    naive.choose(truth.view(ME), truth.legal(), agent.search.seed)
    return {fold(key): key[1] for key in naive.search.nodes}


def test_twostep_does_not_touch_the_others_nodes_in_its_second_phase():
    (*_, (trees, _, _)) = phases("twostep")
    before, later = trees
    owner = owners("twostep", 600, 0.5)
    changed = {owner[key] for key in later if later[key] != before.get(key)}
    assert changed == {ME}
    assert {owner[key] for key in before} == {0, 1, 2}


def test_split_does_touch_them():
    """So the test above can fail."""
    (*_, (trees, _, _)) = phases("split")
    before, later = trees
    owner = owners("split", 600, 0.5)
    assert {owner[key] for key in later if later[key] != before.get(key)} == {0, 1, 2}


def test_in_the_second_step_the_others_follow_their_visits():
    """Kuhn, after a pass with the queen: how often each card bets, and how often it then did."""
    g, line = game("kuhn"), ("deal Q", "deal J")
    tokens = [g.start().sees(move, PUBLIC) for move in (0, 1)]
    counted = []
    for _, search, _ in phases("twostep", 4000, 0.5, line, "kuhn", 0):
        onlooker = search.onlooker(0, LABELS)
        counted.append([onlooker.see(token) for token in tokens])
    (early, early_bets), (late, late_bets) = counted
    for card in "JK":
        trace = Trace(g, search.recipe, after(g, "deal Q", f"deal {card}"), 0)
        trace.play(0)
        share = trace.strategy(search.tables, 1)[1]
        (world,) = [k for k in range(6) if holds(k, card)]
        n, bets = (late - early)[world], (late_bets - early_bets)[world]
        assert n > 300
        assert 0.01 < share < 0.99
        assert abs(bets / n - share) < 5 * sqrt(share * (1 - share) / n)


def holds(k, card):
    """Whether the second player holds the card in Kuhn's k-th world, and the first the queen."""
    world = after(game("kuhn"), "deal Q", "deal J").view(PUBLIC)
    world.world(PUBLIC, k)
    return world.record["cards"].tolist() == [1, "JQK".index(card)]


@pytest.mark.parametrize("mode", ["split", "twostep", "bluff"])
def test_trees_carry_over_from_phase_to_phase(mode):
    (*_, (trees, search, _)) = phases(mode)
    before, later = trees
    assert set(before) <= set(later)
    assert all(later[key][0] >= before[key][0] for key in before)
    own = int(search.tables.roots[0]["key"])
    assert later[own][0] > before[own][0]


@pytest.mark.parametrize("mode", MODES)
def test_trees_do_not_carry_over_from_decision_to_decision(mode):
    """The second decision's search is what it would be for an agent with that belief alone."""
    agent, truth = decided(mode)
    g, first = agent.game, agent.search
    truth.apply(g.parse_move("yes", truth.legal()))
    for text in ("help", "name 0", "yes", "no"):
        truth.apply(g.parse_move(text, truth.legal()))
    agent.choose(truth.view(ME), truth.legal())
    assert agent.search is not first
    assert agent.search.iterations == agent.search.report().iterations == 400
    naive = NaiveManyTree(g, ME, agent.recipe, mode, 0.3, 400)
    naive.phi = dict(enumerate(agent.belief.shares.tolist()))
    if mode != "trueonly":
        naive.psi = dict(enumerate(agent.beliefs[PUBLIC].shares.tolist()))
    naive.choose(truth.view(ME), truth.legal(), agent.search.seed)
    assert {key for key, _, _ in agent.search.dump()} == set(naive.search.dump())


@pytest.mark.parametrize("mode", ["split", "twostep", "bluff"])
def test_the_publics_tallies_are_those_of_the_worlds_drawn_from_it(mode):
    counted = [public_counts(search) for _, search, _ in phases(mode)]
    assert counted[0] == counted[1]
    assert counted[0][0].count(0.0) == 0


def public_counts(search):
    onlooker, truth = (
        search.onlooker(PUBLIC, LABELS),
        after(game(MOLES), *DEAL, "name 1", "yes", "yes"),
    )
    found = [onlooker.root.tolist()]
    for text in ("yes", "help", "name 0"):
        move = truth.game.parse_move(text, truth.legal())
        found.append(onlooker.see(truth.sees(move, PUBLIC)).tolist())
        truth.apply(move)
    return found


def test_threads_search_apart_and_their_tallies_are_added():
    agent, truth = decided("split", 1000, 0.4, more=",threads=2")
    one, other = agent.search.threads
    assert one.iterations + other.iterations == 1000
    onlooker = agent.search.onlooker(PUBLIC, LABELS)
    assert onlooker.root.sum() == 400
    assert agent.search.onlooker(ME, LABELS).root.sum() >= 600
    token = truth.sees(agent.game.parse_move("yes", truth.legal()), PUBLIC)
    parts = [sum(thread.tallies.table["count"]) for thread in (one, other)]
    assert min(parts) > 0
    assert onlooker.see(token).sum() > 0
    again, _ = decided("split", 1000, 0.4, more=",threads=2")
    assert again.search.dump() == agent.search.dump()


@pytest.mark.parametrize("mode", MODES)
def test_the_same_seed_gives_the_same_trees_and_tallies(mode):
    one, _ = decided(mode)
    other, _ = decided(mode)
    assert one.search.dump() == other.search.dump()
    assert tallied(one.search) == tallied(other.search)
    third, _ = decided(mode, seed=2)
    assert third.search.dump() != one.search.dump()


def test_the_line_is_told_in_a_world_where_the_searcher_holds_what_it_does():
    """Player 1, a mole, is sent; most worlds of the public's make a loyal one of it."""
    g = game(MOLES)
    truth = after(g, *DEAL, "name 1", "yes", "yes", "yes")
    agent = make_agent("mt-ismcts:self=pure,iterations=1000", g, 1, 1)
    agent.choose(truth.view(1), truth.legal())
    report = agent.search.report()
    assert report.best().text == agent.search.line()[0] == "spoil"


def test_bytes_count_the_tallies():
    agent, _ = decided("split")
    search = agent.search
    (thread,) = search.threads
    assert search.report().bytes == search.tables.bytes + thread.tallies.table.nbytes
    plain, _ = decided("split", more=",inference=none")
    assert plain.search.report().bytes == plain.search.tables.bytes


# --- equation 3 ----------------------------------------------------------------------------------


def report_of(*moves):
    """A report of (move, visits, mean, standard deviation) each."""
    candidates = tuple(
        Candidate(move, str(move), visits, mean, spread / sqrt(visits) if visits else 0.0, visits)
        for move, visits, mean, spread in moves
    )
    return Report(candidates, (), 100, 1.0, 1, 1, 1, 1)


def bluffed(report, everywhere):
    agent, _ = decided("bluff", 10)
    agent.search = Mock(spec=Search)
    agent.search.visits_everywhere.return_value = everywhere
    return agent.decide(report)


def test_admissible_moves_are_within_one_standard_deviation_of_the_best():
    report = report_of(
        (1, 100, 0.60, 0.30),  # a*, though not of the best mean
        (2, 50, 0.45, 0.20),  # 0.15 < min(0.30, 0.20)
        (3, 40, 0.45, 0.10),  # 0.15 > min(0.30, 0.10)
        (4, 30, 0.25, 0.90),  # 0.35 > min(0.30, 0.90)
        (5, 20, 0.90, 0.01),  # better than a*
        (6, 0, 0.0, 0.0),  # never tried
    )
    assert [candidate.move for candidate in admissible(report)] == [1, 2, 5]
    edge = report_of((1, 64, 0.5, 0.5), (2, 16, 0.25, 0.25), (3, 4, 0.25, 0.5))
    assert [candidate.move for candidate in admissible(edge)] == [1, 3]  # 0.25 is not less


def test_the_best_move_is_admissible_though_nothing_varies():
    report = report_of((1, 9, 0.5, 0.0), (2, 8, 0.5, 0.0))
    assert [candidate.move for candidate in admissible(report)] == [1]


def test_bluff_plays_the_admissible_move_most_visited_in_all_its_trees():
    report = report_of((1, 100, 0.6, 0.3), (2, 50, 0.45, 0.2), (3, 40, 0.1, 0.1))
    assert bluffed(report, {1: 150.0, 2: 400.0, 3: 900.0}) == 2
    assert bluffed(report, {1: 500.0, 2: 400.0, 3: 900.0}) == 1
    assert bluffed(report, {1: 400.0, 2: 400.0, 3: 900.0}) == 1  # a tie: the decision tree's


def test_visits_are_summed_over_all_that_the_searcher_may_hold():
    agent, truth = decided("bluff", 1000)
    search, legal = agent.search, truth.legal()
    wanted = dict.fromkeys(legal, 0)
    for role in ("mole", "loyal"):  # the votes of the others are pending, and not in a view
        view = after(agent.game, *DEAL[:2], f"deal {role}", "name 1", "yes", "yes").view(ME)
        node = search.tables.node(Trace(agent.game, search.recipe, view, ME).key(ME))
        for edge in search.tables.edges_of(node):
            wanted[int(edge["move"])] += int(edge["visits"])
    assert search.visits_everywhere() == wanted
    own = {candidate.move: candidate.visits for candidate in search.report().candidates}
    assert sum(own.values()) < sum(wanted.values())


def test_a_move_is_found_where_the_decision_tree_was_never_come_to():
    """The public is all but sure that player 1 is loyal; every world drawn says so."""
    g = game(MOLES)
    truth = after(g, *DEAL, "name 1", "yes", "yes", "yes")
    agent = make_agent("mt-ismcts:self=pure,iterations=30", g, 1, 1)
    view = truth.view(1)
    agent.beliefs[PUBLIC].meet(view.view(PUBLIC))
    loyal = np.array([float(k & 2 > 0) for k in range(8)])  # DEALS counts moles first
    agent.beliefs[PUBLIC].update(loyal * 1e12, 4e12 + 1)
    assert g.move_text(agent.choose(view, truth.legal())) == "help"
    assert sum(candidate.visits for candidate in agent.search.report().candidates) == 0


def test_a_budget_in_parts_is_all_of_it():
    for n in (1, 7, 100):
        for share in (0.0, 0.3, 0.5, 1.0):
            first, last = Budget(n, 2.0).part(share), Budget(n, 2.0).part(share, last=True)
            assert first.iterations + last.iterations == n
            assert first.seconds + last.seconds == pytest.approx(2.0)
    assert Budget(None, 3.0).part(0.5).iterations is None
