"""What a search reports is what its tree holds, in the game's own payoffs."""

import math

import numpy as np
import pytest

from facedown.belief.pool import Pool
from facedown.core import Stream
from facedown.core.plain import adapt
from facedown.search.budget import Budget
from facedown.search.recipe import Growth, Identity, Labels, Recipe, Worlds
from facedown.search.report import Candidate, Report
from facedown.search.search import Search
from facedown.search.tables import Edge, Node, Root
from support.table_games import PlainKuhn, begun, fresh, root, searched, tree

RECIPES = {
    "so-ismcts": Recipe(),
    "mo-ismcts": Recipe(identity=Identity.MULTI),
    "many trees": Recipe(identity=Identity.MANY, growth=Growth.PLAYER),
    "cheating": Recipe(identity=Identity.FULL, belief=("truth",)),
    "determinized": Recipe(
        identity=Identity.FULL, worlds=Worlds.IN_TURN, samples=9, labels=Labels.TREE
    ),
}


def recorded(search):
    """Visits, availability, sums of payoffs and of squares for each move, over all the roots."""
    tables, sums = search.tables, {}
    for root_ in tables.roots[: tables.used("roots")]:
        for edge in tables.edges_of(tables.node(int(root_["key"]))):
            into = sums.setdefault(int(edge["move"]), [0.0] * 4)
            for k, name in enumerate(("visits", "available", "total", "squares")):
                into[k] += edge[name].item()
    return sums


@pytest.mark.parametrize("scaled", [True, False])
@pytest.mark.parametrize("name", list(RECIPES))
def test_candidates_are_the_sums_over_the_roots(name, scaled):
    recipe = Recipe(**{**vars(RECIPES[name]), "scaled": scaled, "c": 0.7 if scaled else 18.0})
    search, truth = searched("leduc", recipe, 1000)
    report, sums = search.report(), recorded(search)
    low, width = (-13.0, 26.0) if scaled else (0.0, 1.0)
    assert [candidate.move for candidate in report.candidates] == truth.legal()
    assert sum(candidate.visits for candidate in report.candidates) == 1000
    for candidate in report.candidates:
        visits, available, total, squares = sums[candidate.move]
        mean = total / visits
        spread = math.sqrt(max(squares / visits - mean**2, 0.0))
        assert candidate.visits == visits
        assert candidate.available == available
        assert candidate.mean == pytest.approx(low + width * mean)
        assert candidate.error == pytest.approx(width * spread / math.sqrt(visits))
        assert candidate.text == search.game.move_text(candidate.move)
        assert -13.0 <= candidate.mean <= 13.0


def test_mean_and_error_are_those_of_the_payoffs_themselves():
    """A loaded die, weights 1, 2, 5: betting on the three is worth 5/8, whatever the scale."""
    for scaled in (True, False):
        search, _ = searched("loaded", Recipe(scaled=scaled, bandit="uniform"), 30_000)
        for candidate, worth in zip(search.report().candidates, (1 / 8, 2 / 8, 5 / 8), strict=True):
            error = math.sqrt(worth * (1 - worth) / 10_000)
            assert candidate.visits == 10_000
            assert candidate.error == pytest.approx(error, rel=0.1)
            assert abs(candidate.mean - worth) < 5 * error


def test_a_move_never_tried_has_no_worth():
    search, _ = searched("dice", Recipe(), 2)
    tried = [candidate for candidate in search.report().candidates if candidate.visits]
    rest = [candidate for candidate in search.report().candidates if not candidate.visits]
    assert len(tried) == 2
    assert all((c.mean, c.error, c.available) == (0.0, 0.0, 0.0) for c in rest)
    assert search.report().best().visits == 1


def test_nodes_and_bytes_are_those_of_the_tables():
    search, _ = searched("many dice", Recipe(identity=Identity.FULL, c=5.0), 3000)
    report, tables = search.report(), search.tables
    sizes = (len(tables.nodes), len(tables.edges), len(tables.roots), len(tables.index))
    kinds = (Node, Edge, Root, np.dtype(np.int32))
    assert report.nodes == len(tree(search)) == int((tables.nodes["key"] != 0).sum())
    assert report.bytes == sum(n * k.itemsize for n, k in zip(sizes, kinds, strict=True))
    assert report.nodes <= sizes[0]
    assert tables.used("edges") == sum(len(edges) for _, edges in tree(search).values())
    assert report.iterations == 3000
    assert 0 < report.playout_plies < report.plies
    assert report.iterations_per_second == pytest.approx(3000 / report.seconds)


@pytest.mark.parametrize("at", ["kuhn", "leduc", "dice", "fusion", "pennies"])
@pytest.mark.parametrize("name", list(RECIPES))
def test_the_expected_line_is_legal_play_that_begins_with_most_visits(name, at):
    _, truth, player = root(at)
    if at == "pennies" and RECIPES[name].belief == ("truth",):
        player = truth.turn()
    search, _ = searched(at, RECIPES[name], 600)
    line = search.line()
    assert line
    if at != "pennies" and name != "determinized":
        assert line[0] == search.report().best().text
    lines = []
    for seed in range(60):  # in one of the worlds at least
        world = truth.copy() if name == "cheating" else truth.view(player)
        if name != "cheating":
            world.determinize(player, Stream(seed))
        lines.append(playable(world, line))
    assert any(lines)


def playable(position, line):
    """Whether the moves can be played one after another."""
    g = position.game
    for text in line:
        try:
            position.apply(g.parse_move(text, position.legal()))
        except ValueError:
            return False
    return True


class Locked(PlainKuhn):
    """Kuhn poker whose rules cannot be asked of a view when the other player acts."""

    def legal(self, s):
        if s[1] and "?" in s[:2]:
            raise KeyError("a view")
        return super().legal(s)


def test_the_expected_line_is_played_in_a_world_of_the_pool():
    """Not in the view, where the rules need not know what others may do."""
    g = adapt(Locked(), "locked")
    truth = g.start()
    for move in ("deal Q", "deal J"):
        truth.apply(g.parse_move(move, truth.legal()))
    recipe = Recipe(identity=Identity.MULTI)
    search = Search(g, recipe, truth.view(0), 0, truth.legal(), 1, worlds=Pool([truth]))
    assert search.run(Budget(200)).line()


def test_the_expected_line_in_labelled_worlds_follows_a_tree_that_is_there():
    """The likeliest world and its own label: else no node would be found."""
    _, truth, player = root("leduc")
    worlds = [truth.view(player) for _ in range(3)]
    for world in worlds:
        world.determinize(player, Stream(2))
    pool = Pool(worlds, weights=[0.0, 1.0, 0.0], labels=[7, 8, 9])
    recipe = Recipe(identity=Identity.FULL, labels=Labels.TREE)
    search, _ = begun("leduc", recipe, pool=pool)
    report = search.run(Budget(300)).report()
    assert search.line()[0] == report.best().text


class Secretive(PlainKuhn):
    """Kuhn poker whose secret is the other player's card."""

    def secret(self, s, viewer):
        return "JQK".index(s[1 - viewer]) - 1  # may be negative


def test_roots_by_secret_are_told_apart_and_summed():
    g = adapt(Secretive(), "secretive")
    position = g.start()
    for move in ("deal Q", "deal J"):
        position.apply(g.parse_move(move, position.legal()))
    recipe = Recipe(identity=Identity.MULTI, labels=Labels.ROOT)
    search = Search(g, recipe, position.view(0), 0, position.legal(), 1).run(Budget(500))
    roots = search.tables.roots[: search.tables.used("roots")]
    assert {int(r["label"]) for r in roots} == {1, 2**64 - 1}  # a king, a jack
    report = search.report()
    assert sum(candidate.visits for candidate in report.candidates) == 500
    assert search.line()
    means = {}
    for r in roots:
        bet = next(
            e
            for e in search.tables.edges_of(search.tables.node(int(r["key"])))
            if g.move_text(int(e["move"])) == "bet"
        )
        means[int(r["label"])] = float(bet["total"] / bet["visits"])
    assert means[2**64 - 1] > means[1]  # a bet with a queen is worth more against the jack


def test_chance_plays_its_likeliest_outcome_in_a_line_whatever_it_was_numbered():
    """Numbers are given in the order in which moves are met, which may be the order of a deal."""
    lines = set()
    for first in ("roll 1", "roll 3"):
        g = fresh("Dice")
        g.rules.number(first)
        start = g.start()
        search = Search(g, Recipe(), start, 0, start.legal(), 1).run(Budget(100))
        lines.add(search.line())
    assert lines == {("bet on 3", "roll 3")}


def test_a_search_keeps_its_own_root():
    g, truth, player = root("leduc")
    recipe = RECIPES["cheating"]
    search = Search(g, recipe, truth, player, truth.legal(), 1).run(Budget(300))
    before = search.report()
    truth.apply(truth.legal()[0])
    assert search.report() == before


def test_the_best_candidate():
    def made(move, visits, mean):
        return Candidate(move, str(move), visits, mean, 0.0, visits)

    def report(*candidates):
        return Report(candidates, (), 10, 1.0, 1, 1, 1, 1)

    r = report(made(0, 5.0, 0.1), made(1, 5.0, 0.2), made(2, 3.0, 0.9), made(3, 0.0, 0.0))
    assert r.best().move == 1
    assert r.best("mean").move == 2
    losing = report(made(0, 5.0, -0.5), made(1, 0.0, 0.0))
    assert losing.best("mean").move == 0  # what was never tried is not worth 0
    assert [c["move"] for c in r.to_json(top=2)["candidates"]] == ["0", "1"]
