"""Games small enough to be worked out by hand: discount, horizon, playouts, priors."""

import pytest

from facedown.core import Position, Stream
from facedown.core.plain import adapt
from facedown.search.budget import Budget
from facedown.search.recipe import Growth, Identity, Playout, Recipe
from facedown.search.search import Search
from facedown.search.trace import Trace
from support.table_games import root, searched, tree


class Stairs:
    """One player walks or stops; stopping after k steps pays 2k+2, the third step ends it: 8."""

    players, bounds = 1, (0.0, 10.0)
    moves, most_moves, most_plies = 2, 2, 3

    def start(self):
        return (0, False)

    def turn(self, s):
        return -2 if s[1] or s[0] == 3 else 0

    def legal(self, s):
        return ["stop", "walk"]

    def apply(self, s, move):
        return (s[0], True) if move == "stop" else (s[0] + 1, False)

    def sees(self, s, move, viewer):
        return move

    def payoff(self, s):
        return [2.0 * s[0] + 2.0]

    def hide(self, s, viewer):
        return None

    def infoset(self, s, viewer):
        return s

    def determinize(self, s, viewer, stream):
        return None

    def copy(self, s):
        return s


class Landing(Stairs):
    """The same, but a search may stop after the first step, where it reckons with 9."""

    horizon_bounds = (0.0, 20.0)

    def horizon(self, s):
        return [9.0] if s[0] == 1 else None


def climbed(definition, recipe, iterations=4000):
    g = adapt(definition, "stairs")
    start = g.start()
    search = Search(g, recipe, start, 0, start.legal(), 1).run(Budget(iterations))
    return search, {candidate.text: candidate for candidate in search.report().candidates}


@pytest.mark.parametrize("scaled", [True, False])
def test_a_discount_of_one_half_by_hand(scaled):
    """Stop now: 2. Walk and stop: 4/2. Walk twice and stop: 6/4. Walk to the end: 8/4."""
    recipe = Recipe(scaled=scaled, playout=Playout(discount=0.5), c=0.0, bandit="uniform")
    search, found = climbed(Stairs(), recipe)
    assert found["stop"].mean == pytest.approx(2.0)
    below = [edges for _, edges in tree(search).values()]
    low, width = (0.0, 10.0) if scaled else (0.0, 1.0)
    means = {
        round(low + width * total / visits, 6)
        for edges in below
        for visits, _, total in edges.values()
    }
    assert {2.0, 4.0, 6.0, 8.0} <= means  # a last move is not discounted
    walked = found["walk"]
    assert 1.5 <= walked.mean <= 2.0
    late = (4 / 2 + (6 / 4 + 8 / 4) / 2) / 2
    assert walked.mean == pytest.approx(late, abs=0.02)


class Cellar(Stairs):
    """The same stairs ten steps down: every payoff is ten less."""

    bounds = (-10.0, 0.0)

    def payoff(self, s):
        return [pay - 10.0 for pay in super().payoff(s)]


def test_a_discount_is_of_what_the_search_sees():
    """Payoffs that differ by a constant are the same game: what is later is worth less in both.

    Discounted before they are scaled, losses would get smaller with time.
    """
    recipe = Recipe(playout=Playout(discount=0.5), c=0.0, bandit="uniform")
    _, above = climbed(Stairs(), recipe, 300)
    _, below = climbed(Cellar(), recipe, 300)
    for move, one in above.items():
        assert below[move].visits == one.visits
        assert below[move].mean == pytest.approx(one.mean - 10.0)


class Flips(Stairs):
    """One player has so many coins flipped, guesses how they fell, and gets 8 whatever it says."""

    moves, most_moves, most_plies = 5, 2, 5

    def start(self):
        return (None, 0)

    def turn(self, s):
        return 0 if s[0] is None or s == (0, 0) else -2 if s[1] else -1

    def legal(self, s):
        return [1, 3] if s[0] is None else [10, 11] if s[0] == 0 else [20]

    def apply(self, s, move):
        return (move, 0) if s[0] is None else (s[0] - 1, 0) if s[0] > 0 else (0, 1)

    def payoff(self, s):
        return [8.0]


def test_what_chance_draws_is_not_discounted():
    recipe = Recipe(playout=Playout(discount=0.5), c=0.0, bandit="uniform")
    _, found = climbed(Flips(), recipe, 200)
    assert [found[coins].mean for coins in ("1", "3")] == pytest.approx([4.0, 4.0])


def test_without_a_discount_walking_is_better():
    _, found = climbed(Stairs(), Recipe(c=1.0))
    assert found["stop"].mean == pytest.approx(2.0)
    assert found["walk"].mean > 7.0
    assert found["walk"].visits > found["stop"].visits


def test_a_horizon_ends_the_iteration_and_says_what_it_is_worth():
    search, found = climbed(Landing(), Recipe(playout=Playout(horizon=True)), 200)
    assert found["walk"].mean == pytest.approx(9.0)
    assert found["walk"].error == pytest.approx(0.0, abs=1e-6)
    assert found["stop"].mean == pytest.approx(2.0)
    assert search.report().plies == 200
    assert search.report().nodes == 1
    _, without = climbed(Landing(), Recipe(), 2000)
    assert without["walk"].mean < 8.01


def test_the_horizon_is_not_asked_at_the_root():
    g = adapt(Landing(), "stairs")
    position = g.start()
    position.apply(g.parse_move("walk", position.legal()))
    recipe = Recipe(playout=Playout(horizon=True))
    search = Search(g, recipe, position, 0, position.legal(), 1).run(Budget(50))
    assert search.report().plies >= 50
    assert sum(candidate.visits for candidate in search.report().candidates) == 50


def test_depth_one_is_flat():
    recipe = Recipe(playout=Playout(depth=1), bandit="uniform")
    search, found = climbed(Stairs(), recipe, 2000)
    assert search.report().nodes == 1
    assert found["stop"].visits == found["walk"].visits == 1000
    assert found["walk"].mean == pytest.approx((4 + (6 + 8) / 2) / 2, abs=0.3)
    two, _ = climbed(Stairs(), Recipe(playout=Playout(depth=2)), 2000)
    assert two.report().nodes == 2


class Guided(Stairs):
    """The same with a policy that always walks, and a prior for it."""

    sharp = 1.0

    def playout(self, s, stream):
        return "walk"

    def prior(self, s, moves):
        return [self.sharp if move == "walk" else 1.0 - self.sharp for move in moves]


def test_informed_playouts_follow_the_games_policy():
    recipe = Recipe(playout=Playout(depth=1, informed=True), bandit="uniform")
    _, found = climbed(Guided(), recipe, 100)
    assert found["walk"].mean == pytest.approx(8.0)
    assert found["walk"].error == pytest.approx(0.0, abs=1e-6)


def test_a_prior_on_one_move_keeps_puct_to_it():
    recipe = Recipe(bandit="puct", priors=True, growth=Growth.NODE, c=3.0)
    _, found = climbed(Guided(), recipe, 300)
    assert found["stop"].visits <= 1  # a tie before anything is known
    assert found["walk"].visits >= 298
    doubtful = Guided()
    doubtful.sharp = 0.5
    _, even = climbed(doubtful, recipe, 300)
    assert even["stop"].visits > 5


def test_a_prior_of_nothing_is_an_even_one():
    class Silent(Guided):
        def prior(self, s, moves):
            return [0.0 for _ in moves]

    with_prior, _ = climbed(Silent(), Recipe(bandit="puct", priors=True), 300)
    without, _ = climbed(Stairs(), Recipe(bandit="puct"), 300)
    assert tree(with_prior) == tree(without)


def test_chance_in_the_search_keeps_its_weights():
    """Leduc's second queen is half as likely as a king once one queen is held."""
    g, truth, player = root("leduc")
    view = truth.view(player)
    seen = {"deal J": 0, "deal Q": 0, "deal K": 0}
    stream = Stream(3)
    for _ in range(6000):
        world = view.copy()
        world.determinize(player, stream)
        for move in ("call", "call"):
            world.apply(g.parse_move(move, world.legal()))
        seen[g.move_text(world.draw(stream))] += 1
    search, _ = searched("leduc", Recipe(identity=Identity.FULL, bandit="uniform"), 20_000)
    visits = dealt(g, search, view, player)
    total = sum(visits.values())
    assert total > 2000
    for text, wanted in (("deal J", 0.4), ("deal Q", 0.2), ("deal K", 0.4)):
        assert seen[text] / 6000 == pytest.approx(wanted, abs=0.03)
        assert visits[text] / total == pytest.approx(wanted, abs=0.05)


def dealt(g, search, view, player):
    """How often the node after call, call and each board was visited."""
    visits = {}
    for text in ("deal J", "deal Q", "deal K"):
        trace = Trace(g, search.recipe, any_world(view, player), player)
        for move in ("call", "call", text):
            trace.play(g.parse_move(move, trace.world.legal()))
        node = search.tables.node(trace.key(trace.world.turn()))
        visits[text] = int(node["visits"])
    return visits


def any_world(view: Position, player: int) -> Position:
    """A world in which every board can still come."""
    for seed in range(100):
        world = view.copy()
        world.determinize(player, Stream(seed))
        if world.record["cards"][0] != world.record["cards"][1]:
            return world
    raise AssertionError("no such world in a hundred")
