"""Settlers by hand: pieces, roads, the longest road, the largest army."""

import random

import pytest

from facedown.games.settlers import moves as m
from facedown.games.settlers.geometry import EDGE_AT, EDGE_ENDS, EDGES, HEX_NODES, NEIGHBOUR, NODES
from facedown.games.settlers.setup import Seat
from support.settlers_table import can, cards, choices, game, hand, points, road, say, table

RING = [int(node) for node in HEX_NODES[9]]
ROAD = cards("brick wood")
SETTLEMENT = cards("brick sheep wheat wood")
CITY = cards("ore ore ore wheat wheat")


def length(position, player=0):
    return int(position.record["lengths"][player])


def holder(position):
    return int(position.record["longest"])


def test_a_closed_hexagon_counts_six():
    assert length(table(Seat(roads=road(*RING, RING[0])))) == 6


def test_the_longest_single_branch_counts():
    trunk = road(0, 4, 8, 12, 7)
    assert length(table(Seat(roads=trunk))) == 4
    assert length(table(Seat(roads=[*trunk, *road(8, 13)]))) == 4
    assert length(table(Seat(roads=[*trunk, *road(8, 13, 18)]))) == 4
    assert length(table(Seat(roads=[*trunk, *road(8, 13, 18, 24)]))) == 5


def test_two_rings_with_a_shared_side_are_walked_through_once():
    rings = {*road(*RING, RING[0]), *road(*map(int, HEX_NODES[10]), int(HEX_NODES[10][0]))}
    assert len(rings) == 11
    assert length(table(Seat(roads=sorted(rings)))) == 11


def test_another_building_breaks_a_road_and_an_own_one_does_not():
    path = road(0, 4, 8, 13, 18, 24)
    assert length(table(Seat(roads=path, settlements=[8]))) == 5
    assert length(table(Seat(roads=path), Seat(settlements=[8]))) == 3
    assert length(table(Seat(roads=path), Seat(settlements=[0]))) == 5  # a road may end there


def test_five_are_needed_and_a_tie_leaves_it_with_its_holder():
    five = road(0, 4, 8, 13, 18, 24)
    four = road(47, 43, 39, 44, 48)
    position = table(Seat(roads=five), Seat(roads=four, hand=cards("brick wood") * 1), player=1)
    assert (holder(position), points(position)) == (0, [2, 0, 0, 0])
    say(position, "road 48-52")
    assert (length(position, 1), holder(position)) == (5, 0)
    assert holder(table(Seat(roads=five[:-1]))) == -1


def test_a_longer_road_takes_it():
    five, other = road(0, 4, 8, 13, 18, 24), road(47, 43, 39, 44, 48, 52)
    position = table(Seat(roads=five), Seat(roads=other, hand=ROAD), player=1, longest=0)
    say(position, "road 49-52")
    assert (holder(position), points(position)) == (1, [0, 2, 0, 0])


def cut(*others):
    """Player 3 settles in the middle of player 0's road of five; he has a road to there."""
    mine = Seat(roads=road(0, 4, 8, 13, 18, 24))
    cutter = Seat(roads=road(12, 8), hand=SETTLEMENT)
    seats = [mine, *others, *[Seat()] * (2 - len(others)), cutter]
    return say(table(*seats, player=3, longest=0), "settlement 8")


def test_a_settlement_that_cuts_a_road_gives_it_to_the_sole_leader():
    five = Seat(roads=road(47, 43, 39, 44, 48, 52))
    position = cut(five)
    assert (length(position), holder(position)) == (3, 1)
    assert points(position) == [0, 2, 0, 1]


def test_after_a_cut_it_is_set_aside_where_others_tie_until_there_is_a_sole_leader():
    five = Seat(roads=road(47, 43, 39, 44, 48, 52), hand=ROAD)
    also = Seat(roads=road(15, 20, 25, 31, 36, 41))
    position = cut(five, also)
    assert (holder(position), points(position)) == (-1, [0, 0, 0, 1])
    say(position, "end turn", "roll", "dice 12", "end turn", "roll", "dice 12", "road 49-52")
    assert (holder(position), points(position)) == (1, [0, 2, 0, 1])


def test_after_a_cut_nobody_with_five_means_nobody():
    assert holder(cut()) == -1


def naive_longest(roads, stops):
    """Every path, by recursion."""

    def walk(node, left):
        best = 0
        for slope in range(3):
            edge, other = int(EDGE_AT[node, slope]), int(NEIGHBOUR[node, slope])
            if edge in left:
                onward = 0 if other in stops else walk(other, left - {edge})
                best = max(best, 1 + onward)
        return best

    return max((walk(node, frozenset(roads)) for node in range(NODES)), default=0)


@pytest.mark.parametrize("seed", range(40))
def test_the_longest_road_is_that_of_brute_force_on_random_boards(seed):
    rng = random.Random(seed)
    stops = [n for n in rng.sample(range(NODES), 12) if rng.random() < 0.6]
    start = rng.randrange(NODES)
    mine, reached = set(), {start}
    while len(mine) < 15:
        edges = [e for e in range(EDGES) if e not in mine and reached & set(map(int, EDGE_ENDS[e]))]
        chosen = rng.choice(edges)
        mine.add(chosen)
        reached |= set(map(int, EDGE_ENDS[chosen]))
    roads = rng.sample(sorted(mine), 15)
    thirds = [stops[k::3] for k in range(3)]
    before = table(Seat(roads=roads), *(Seat(settlements=third[:5]) for third in thirds))
    stops = [n for third in thirds for n in third[:5]]
    assert length(before) == naive_longest(roads, stops)
    after = table(Seat(roads=roads))  # the same, with the buildings coming last
    for k, node in enumerate(stops):
        s = after.record
        s["phase"], s["count"], s["actor"] = 1, 0, 1 + k % 3
        after.play(m.SETTLE + node)
    assert length(after) == length(before)
    assert (before.record["frontier"][:2] == after.record["frontier"][:2]).all()


def test_the_largest_army_needs_three_and_only_a_larger_one_takes_it():
    knight = [1, 0, 0, 0, 0]
    two = table(Seat(knights=1, cards=knight), robber=0)
    assert int(say(two, "knight").record["army"]) == -1
    three = say(table(Seat(knights=2, cards=knight), robber=0), "knight")
    assert (int(three.record["army"]), points(three)[0]) == (0, 2)
    tie = say(table(Seat(knights=2, cards=knight), Seat(knights=3), army=1, robber=0), "knight")
    assert (int(tie.record["army"]), points(tie)) == (1, [0, 2, 0, 0])
    more = say(table(Seat(knights=3, cards=knight), Seat(knights=3), army=1, robber=0), "knight")
    assert (int(more.record["army"]), points(more)) == (0, [2, 0, 0, 0])


def test_roads_go_on_from_ones_own_and_not_through_others_buildings():
    position = table(Seat(settlements=[8], roads=road(8, 13), hand=ROAD), Seat(settlements=[13]))
    assert choices(position, "road") == {"4-8", "8-12"}
    free = table(Seat(settlements=[8], roads=road(8, 13), hand=ROAD))
    assert choices(free, "road") == {"4-8", "8-12", "9-13", "13-18"}
    assert not choices(table(Seat(settlements=[8], roads=road(8, 13))), "road")


def test_settlements_keep_their_distance_and_stand_at_ones_roads():
    roads = road(8, 13, 18, 24)
    position = table(Seat(settlements=[8], roads=roads, hand=SETTLEMENT))
    assert choices(position, "settlement") == {"18", "24"}
    beside = table(Seat(settlements=[8], roads=roads, hand=SETTLEMENT), Seat(settlements=[19]))
    assert choices(beside, "settlement") == {"18"}


def test_a_city_replaces_a_settlement_which_comes_back():
    five = [0, 2, 11, 15, 28]
    roads = [*road(0, 4, 8), *road(2, 6)]
    both = [a + b for a, b in zip(SETTLEMENT, CITY, strict=True)]
    position = table(Seat(settlements=five, roads=roads, hand=both))
    assert not choices(position, "settlement")  # none left
    assert choices(position, "city") == {str(node) for node in five}
    say(position, "city 28")
    assert points(position)[0] == 6
    assert choices(position, "settlement") == {"8"}
    assert hand(position, 0) == SETTLEMENT


def test_there_are_four_cities_and_fifteen_roads():
    cities = table(Seat(cities=[0, 2, 11, 15], settlements=[28], hand=CITY))
    assert not choices(cities, "city")
    path = road(0, 4, 8, 13, 18, 24, 30, 36, 41, 45, 40, 44, 39, 34, 28, 22)
    assert len(path) == 15
    assert not choices(table(Seat(roads=path, hand=ROAD)), "road")
    assert choices(table(Seat(roads=path[:-1], hand=ROAD)), "road")


def test_costs_are_paid_to_the_bank():
    position = table(Seat(settlements=[8], roads=road(8, 13, 18), hand=SETTLEMENT))
    say(position, "settlement 18")
    assert hand(position, 0) == [0] * 5
    assert int(position.record["held"][0]) == 0
    assert not can(position, "buy card")


def test_placement_goes_through_the_seats_and_back_and_the_second_settlement_pays():
    position = game().start()
    order = []
    for node in (8, 10, 27, 32, 44, 41, 22, 35):
        order.append(position.turn())
        assert can(position, f"settlement {node}")
        say(position, f"settlement {node}")
        roads = choices(position, "road")
        assert all(str(node) in words.split("-") for words in roads)
        say(position, f"road {min(roads)}")
    assert order == [0, 1, 2, 3, 3, 2, 1, 0]
    assert hand(position, 0) == cards("ore wood wheat")  # hexes 9, 13, 14 at node 35
    assert hand(position, 3) == cards("wood brick brick")  # hexes 13, 16, 17 at node 44
    assert position.turn() == 0


def test_three_players_place_in_snake_order_too():
    position = game("settlers:board=1,players=3").start()
    order = []
    while position.record["phase"] in (1, 2):
        order.append(position.turn())
        say(position, position.game.move_text(position.legal()[0]))
    assert order == [0, 0, 1, 1, 2, 2, 2, 2, 1, 1, 0, 0]
