"""An agent plays what it has observed: what it cannot see changes neither moves nor reports."""

from math import sqrt

import pytest

from facedown.core import Stream
from facedown.search.budget import Budget
from facedown.search.recipe import Identity, Recipe
from facedown.search.search import Search
from facedown.search.trace import Trace
from support.seats import HONEST, MOLES, PLAIN, SEMI, after, game, play, short

KUHN, LEDUC = PLAIN
MOLE, LOYAL = "deal mole", ("deal loyal",)
DEALS = {
    # game, player, and chance's moves in histories that look the same to the player
    "kuhn first": ("kuhn", 0, [("deal Q", "deal J"), ("deal Q", "deal K")]),
    "kuhn second": ("kuhn", 1, [("deal J", "deal Q"), ("deal K", "deal Q")]),
    "leduc first": ("leduc", 0, [("deal Q", f"deal {card}", "deal K") for card in "JQK"]),
    "leduc second": ("leduc", 1, [(f"deal {card}", "deal K", "deal J") for card in "JQK"]),
    "dice first": ("liars-dice", 0, [("roll 3", f"roll {face}") for face in (1, 3, 6)]),
    "dice second": ("liars-dice", 1, [(f"roll {face}", "roll 6") for face in (2, 6)]),
    "plain kuhn": (KUHN, 0, [("deal Q", "deal K"), ("deal Q", "deal J")]),
    "plain leduc": (LEDUC, 1, [("deal K", "deal Q", "deal K"), ("deal J", "deal Q", "deal K")]),
}
ROLES = {
    # the same for games of hidden roles, which the many-tree agents are meant for
    "kuhn first": DEALS["kuhn first"],
    "kuhn second": DEALS["kuhn second"],
    "loyal leader": (MOLES, 0, [("deal loyal", *rest) for rest in (LOYAL * 2, (MOLE, *LOYAL))]),
    "mole who votes second": (MOLES, 1, [(role, MOLE, "deal loyal") for role in (MOLE, *LOYAL)]),
    "resistance": ("resistance", 1, [("spies 0 2",), ("spies 2 4",), ("spies 3 4",)]),
    "loyal who votes last": (MOLES, 2, [(*LOYAL * 2, *LOYAL), (MOLE, MOLE, *LOYAL)]),
}
MANY = [
    f"mt-ismcts:self={mode},inference={inference}"
    for mode in ("trueonly", "pure", "split", "twostep", "bluff")
    for inference in ("particle", "none")
]


@pytest.mark.parametrize("agent", [*HONEST, "mo-ismcts:threads=2", "so-ismcts:bandit=puct"])
@pytest.mark.parametrize("name", list(DEALS))
def test_histories_that_look_the_same_get_the_same_moves_and_reports(name, agent):
    spec, player, deals = DEALS[name]
    if agent == "scripted" and game(spec).scripted is None:
        pytest.skip("the game has no scripted player")
    agent = short(agent) if ":" not in agent else f"{agent},iterations=100"
    for plays in range(4):
        first, *others = (play(spec, agent, player, deal, 9, plays) for deal in deals)
        assert first.moves
        for other in others:
            assert other.views == first.views
            assert other.tokens == first.tokens
            assert other.moves == first.moves
            assert other.reports == first.reports


@pytest.mark.parametrize("agent", SEMI)
@pytest.mark.parametrize("name", ["leduc first", "leduc second"])
def test_nor_do_those_peek_who_determine_what_the_last_action_hid(name, agent):
    spec, player, deals = DEALS[name]
    for plays in range(4):
        first, *others = (play(spec, short(agent), player, deal, 9, plays) for deal in deals)
        assert first.moves
        for other in others:
            assert (other.views, other.moves) == (first.views, first.moves)
            assert other.reports == first.reports


def test_who_peeks_at_what_the_last_action_hid_is_found_out():
    """So the test above can fail."""
    spec, player, deals = DEALS["leduc second"]
    seats = [
        [play(spec, f"{short('fpmga')},accuracy=1", player, deal, 9, plays) for plays in range(4)]
        for deal in deals
    ]
    assert len({str([seat.views for seat in games]) for games in seats}) == len(deals)


@pytest.mark.parametrize("name", list(DEALS))
def test_those_histories_do_differ(name):
    spec, player, deals = DEALS[name]
    payoffs = [
        {play(spec, "random", player, deal, plays, plays).payoff for deal in deals}
        for plays in range(20)
    ]
    assert max(len(different) for different in payoffs) > 1


@pytest.mark.parametrize("agent", [*MANY, "mt-ismcts:self=split,threads=2"])
@pytest.mark.parametrize("name", list(ROLES))
def test_beliefs_too_are_those_of_who_cannot_know(name, agent):
    """What a player believes, and what it thinks that the others do, after every move."""
    spec, player, deals = ROLES[name]
    for plays in range(3):
        first, *others = (
            play(spec, f"{agent},iterations=60", player, deal, 9, plays) for deal in deals
        )
        assert first.moves
        for other in others:
            assert other.views == first.views
            assert other.tokens == first.tokens
            assert other.moves == first.moves
            assert other.reports == first.reports
            assert other.beliefs == first.beliefs


def test_beliefs_do_move():
    """So the test above can fail."""
    spec, player, deals = ROLES["loyal leader"]
    seat = play(spec, "mt-ismcts:self=split,iterations=200", player, deals[0], 9)
    for belief in (0, 1):
        assert len({tuple(held[belief]) for held in seat.beliefs}) > 3


def test_an_agent_that_cheats_does_see_the_difference():
    """So the test above can fail."""
    _, player, deals = DEALS["leduc first"]
    seats = [play("leduc", short("cheating-uct"), player, deal, 9) for deal in deals]
    assert len({str(seat.reports[0]) for seat in seats}) == len(deals)
    assert len({seat.views[0] for seat in seats}) == len(deals)


CHANCES = {
    ("kuhn", ("deal Q", "deal J"), 0): 1 / 2,
    ("kuhn", ("deal Q", "deal J", "pass"), 1): 1 / 2,
    ("leduc", ("deal Q", "deal K"), 0): 2 / 5,
    ("leduc", ("deal Q", "deal Q", "call"), 1): 1 / 5,
    ("leduc", ("deal Q", "deal K", "call", "call", "deal K"), 0): 1 / 4,
    ("liars-dice", ("roll 2", "roll 5"), 0): 1 / 6,
    ("liars-dice:dice=2", ("roll 2", "roll 5", "roll 1", "roll 1"), 0): 1 / 36,
    (KUHN, ("deal K", "deal J"), 0): 1 / 2,
    (LEDUC, ("deal J", "deal J"), 0): 1 / 5,
}


@pytest.mark.parametrize(("case", "chance"), list(CHANCES.items()), ids=str)
def test_sampled_worlds_meet_the_true_one_no_more_often_than_chance(case, chance):
    spec, moves, player = case
    truth, stream, n = after(spec, *moves), Stream(5), 3000
    met = 0
    for _ in range(n):
        world = truth.view(player)
        world.determinize(player, stream)
        met += world.digest() == truth.digest()
    assert abs(met / n - chance) < 5 * sqrt(chance * (1 - chance) / n)


@pytest.mark.parametrize("hidden", ["J", "K"])
def test_the_worlds_inside_a_search_are_no_better_informed(hidden):
    """The other's nodes, one for each card that it may hold, share the iterations evenly."""
    truth = after("kuhn", "deal Q", f"deal {hidden}")
    g, n = game("kuhn"), 4000
    recipe = Recipe(identity=Identity.MANY, bandit="uniform")
    search = Search(g, recipe, truth.view(0), 0, truth.legal(), 3).run(Budget(n))
    visits = {}
    for card in "JK":
        trace = Trace(g, recipe, after("kuhn", "deal Q", f"deal {card}"), 0)
        trace.play(g.parse_move("bet", trace.world.legal()))
        visits[card] = int(search.tables.node(trace.key(1))["visits"])
    total = sum(visits.values())
    assert total > 0.45 * n
    assert abs(visits["J"] / total - 0.5) < 5 * 0.5 / sqrt(total)
