"""Settlers by hand: dice, the bank, the robber, development cards, harbours, winning."""

import pytest

from facedown.core import CHANCE, OVER, PUBLIC, SpecError
from facedown.games.registry import load_game
from facedown.games.settlers import state as st
from facedown.games.settlers.setup import Board, Seat, make, random_board
from facedown.games.settlers.state import unpack
from support.settlers_table import (
    ACTING,
    BEFORE,
    ROBBING,
    can,
    cards,
    choices,
    game,
    hand,
    phase,
    points,
    road,
    say,
    table,
)

KNIGHT, ROADS, PLENTY, MONOPOLY, VICTORY = ([int(k == n) for k in range(5)] for n in range(5))


def bank(position):
    return unpack(position.record["bank"])


def test_a_settlement_gets_one_and_a_city_two_and_the_robber_stops_it():
    seats = Seat(settlements=[8]), Seat(cities=[5])
    position = say(table(*seats, rolled=False), "roll", "dice 4")  # sheep at hex 1
    assert hand(position, 0) == cards("sheep")
    assert hand(position, 1) == cards("sheep sheep")
    robbed = say(table(*seats, rolled=False, robber=1), "roll", "dice 4")
    assert hand(robbed, 0) == hand(robbed, 1) == [0] * 5


def test_two_hexes_with_one_number_both_pay():
    position = say(table(Seat(settlements=[25], cities=[22]), rolled=False), "roll", "dice 5")
    assert hand(position, 0) == cards("brick sheep sheep")  # hexes 10 and 7


def test_dice_are_rolled_with_their_odds():
    position = say(table(Seat(), rolled=False), "roll")
    assert position.turn() == CHANCE
    weights = [36 * weight for weight in position.weights()]
    assert weights == pytest.approx([1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1])


def test_a_bank_that_cannot_pay_all_pays_nobody():
    rest = Seat(hand=[0, 0, 17, 0, 0])
    position = table(Seat(cities=[8]), Seat(settlements=[5]), rest, rolled=False)
    say(position, "roll", "dice 4")
    assert hand(position, 0) == hand(position, 1) == [0] * 5
    assert bank(position)[st.SHEEP] == 2


def test_a_bank_that_cannot_pay_the_only_one_due_gives_what_it_has():
    position = table(Seat(cities=[8]), Seat(), Seat(hand=[0, 0, 18, 0, 0]), rolled=False)
    say(position, "roll", "dice 4")
    assert hand(position, 0) == cards("sheep")
    assert bank(position)[st.SHEEP] == 0


def test_shortage_of_one_resource_leaves_the_other_alone():
    seats = Seat(cities=[25], settlements=[22]), Seat(settlements=[28]), Seat(hand=[0, 0, 18, 0, 0])
    position = say(table(*seats, rolled=False), "roll", "dice 5")
    assert hand(position, 0) == cards("brick brick")  # two are due sheep, one card is there
    assert hand(position, 1) == [0] * 5


# --- seven ----------------------------------------------------------------------------------------


def test_on_a_seven_hands_of_eight_discard_half_before_the_robber_moves():
    seats = Seat(hand=[7, 0, 0, 0, 0]), Seat(hand=[0, 8, 0, 0, 0]), Seat(hand=[0, 0, 5, 4, 0])
    position = say(table(*seats, rolled=False), "roll", "dice 7")
    order = []
    while position.turn() != 0:
        order.append(position.turn())
        say(position, position.game.move_text(position.legal()[0]))
    assert order == [1] * 4 + [2] * 4
    assert [int(n) for n in position.record["held"]] == [7, 4, 5, 0]
    assert phase(position) == ROBBING


def test_whoever_rolled_discards_first():
    seats = Seat(hand=[9, 0, 0, 0, 0]), Seat(hand=[0, 8, 0, 0, 0])
    position = say(table(*seats, rolled=False, player=1), "roll", "dice 7")
    assert position.turn() == 1
    say(position, *["discard ore"] * 4)
    assert position.turn() == 0


def test_the_robber_must_change_its_hex():
    position = say(table(Seat(), rolled=False, robber=4), "roll", "dice 7")
    assert choices(position, "robber to") == {str(h) for h in range(19) if h != 4}


def test_a_card_is_stolen_from_an_adjacent_opponent_who_has_cards():
    one = table(
        Seat(settlements=[8]), Seat(settlements=[18], hand=cards("ore ore wood")), rolled=False
    )
    say(one, "roll", "dice 7", "robber to 4")
    assert one.turn() == CHANCE
    assert one.weights() == pytest.approx([2 / 3, 1 / 3])
    say(one, "steal wood")
    assert hand(one, 0) == cards("wood")
    assert hand(one, 1) == cards("ore ore")
    assert phase(one) == ACTING


def test_of_several_victims_one_is_chosen_and_empty_hands_are_none():
    victims = Seat(settlements=[18], hand=cards("ore")), Seat(settlements=[12], hand=cards("wood"))
    position = table(Seat(settlements=[8]), *victims, Seat(settlements=[23]), rolled=False)
    say(position, "roll", "dice 7", "robber to 4")
    assert choices(position, "rob player") == {"1", "2"}
    say(position, "rob player 2", "steal wood")
    assert hand(position, 0) == cards("wood")


def test_with_nobody_to_rob_the_turn_goes_on():
    position = table(Seat(settlements=[8], hand=cards("ore")), Seat(settlements=[18]), rolled=False)
    say(position, "roll", "dice 7", "robber to 4")
    assert (position.turn(), phase(position)) == (0, ACTING)


def test_a_knight_moves_the_robber_and_causes_no_discards():
    seats = Seat(cards=KNIGHT), Seat(settlements=[18], hand=[9, 0, 0, 0, 0])
    position = say(table(*seats, rolled=False), "knight", "robber to 4", "steal brick")
    assert int(position.record["held"][1]) == 8
    assert phase(position) == BEFORE
    assert can(position, "roll")
    assert not can(position, "knight")


# --- development cards ----------------------------------------------------------------------------


def test_one_card_a_turn_and_never_the_turn_bought():
    two = table(Seat(cards=[2, 0, 0, 1, 0]))
    assert can(two, "knight")
    assert choices(two, "monopoly") == {"brick", "ore", "sheep", "wheat", "wood"}
    say(two, "monopoly ore")
    assert not can(two, "knight")
    fresh = table(Seat(cards=[1, 0, 0, 1, 0]), fresh=KNIGHT)
    assert not can(fresh, "knight")
    assert can(fresh, "monopoly ore")


def test_a_bought_card_is_drawn_by_chance_and_playable_next_turn():
    position = table(Seat(hand=cards("ore sheep wheat")), played=[10, 2, 2, 2, 0])
    say(position, "buy card")
    assert position.weights() == pytest.approx([4 / 9, 5 / 9])
    say(position, "draw knight")
    assert not can(position, "knight")
    assert int(position.record["left"]) == 8
    say(position, "end turn", *["roll", "dice 12", "end turn"] * 3)
    assert position.turn() == 0
    assert can(position, "knight")


def test_every_kind_may_be_played_before_the_dice():
    position = table(Seat(settlements=[8], roads=road(8, 13), cards=[1, 1, 1, 1, 0]), rolled=False)
    for words in ("knight", "road building", "year of plenty ore ore", "monopoly wood"):
        assert can(position, words)


def test_road_building_places_two_for_nothing_and_goes_on():
    position = table(Seat(settlements=[8], roads=road(8, 13), cards=ROADS), rolled=False)
    say(position, "road building", "road 13-18", "road 18-24")
    assert phase(position) == BEFORE
    assert int(position.record["lengths"][0]) == 3


def test_road_building_with_one_road_left_places_one():
    path = road(0, 4, 8, 13, 18, 24, 30, 36, 41, 45, 40, 44, 39, 34, 28)
    position = say(table(Seat(roads=path, cards=ROADS)), "road building", "road 22-28")
    assert phase(position) == ACTING
    full = [*path, *road(28, 22)]
    assert not can(table(Seat(roads=full, cards=ROADS)), "road building")


def test_a_year_of_plenty_takes_what_the_bank_has():
    rest = Seat(hand=[19, 18, 0, 0, 0])
    position = table(Seat(cards=PLENTY), rest)
    assert not any("brick" in pair for pair in choices(position, "year of plenty"))
    say(position, "year of plenty ore ore")
    assert hand(position, 0) == cards("ore")
    both = say(table(Seat(cards=PLENTY), rest), "year of plenty ore wood")
    assert hand(both, 0) == cards("ore wood")


def test_a_monopoly_takes_all_of_a_kind_and_all_see_how_many():
    seats = Seat(cards=MONOPOLY, hand=cards("wood")), Seat(hand=cards("wood wood ore")), Seat()
    position = table(*seats, Seat(hand=cards("wood sheep")))
    move = position.game.parse_move("monopoly wood", position.legal())
    seen = position.game.text.observation_text(position.sees(move, PUBLIC), PUBLIC)
    assert seen == "player 0: monopoly wood, 2 from player 1, 1 from player 3"
    position.apply(move)
    assert hand(position, 0) == cards("wood wood wood wood")
    assert hand(position, 1) == cards("ore")
    assert [int(n) for n in position.record["held"]] == [4, 1, 0, 1]


# --- harbours -------------------------------------------------------------------------------------


def test_the_bank_takes_four_alike_three_at_a_harbour_two_at_its_own():
    four = [4, 3, 2, 0, 0]
    assert choices(table(Seat(hand=four)), "bank") == {
        f"brick for {name}" for name in ("ore", "sheep", "wheat", "wood")
    }
    any_harbour = table(Seat(settlements=[3], hand=four))  # any, at 3 and 0
    assert {words.split()[0] for words in choices(any_harbour, "bank")} == {"brick", "ore"}
    say(any_harbour, "bank ore for wood")
    assert hand(any_harbour, 0) == [4, 0, 2, 0, 1]
    sheep = table(Seat(settlements=[46], hand=four))  # sheep, at 46 and 42
    assert {words.split()[0] for words in choices(sheep, "bank")} == {"brick", "sheep"}
    say(sheep, "bank sheep for wood")
    assert hand(sheep, 0) == [4, 3, 0, 0, 1]


def test_a_city_keeps_its_harbour_and_rates_are_the_best_of_all():
    position = table(Seat(settlements=[3], cities=[46]))
    assert unpack(position.record["rates"][0]) == [3, 3, 2, 3, 3]


def test_the_bank_gives_nothing_that_it_lacks():
    position = table(Seat(hand=[4, 0, 0, 0, 0]), Seat(hand=[0, 19, 0, 0, 0]))
    assert choices(position, "bank") == {f"brick for {k}" for k in ("sheep", "wheat", "wood")}


# --- winning --------------------------------------------------------------------------------------

EIGHT = {"cities": [0, 2, 11, 15]}
TURNS = ("roll", "dice 12", "end turn")


def test_ten_points_win_at_once_in_ones_own_turn():
    position = table(Seat(**EIGHT, settlements=[28], cards=[0, 0, 0, 0, 1]))
    assert choices(position, "") == {"claim"}
    say(position, "claim")
    assert position.turn() == OVER
    assert position.payoff() == [1.0, 0.0, 0.0, 0.0]
    assert points(position)[0] == 10


def test_a_victory_card_wins_in_the_turn_it_was_bought():
    seat = Seat(**EIGHT, settlements=[28], hand=cards("ore sheep wheat"))
    position = say(table(seat), "buy card", "draw victory point")
    assert choices(position, "") == {"claim"}


def test_points_gained_in_anothers_turn_win_at_the_start_of_ones_own():
    ten = Seat(**EIGHT, roads=road(47, 43, 39, 44, 48, 52))
    longer = Seat(roads=road(21, 16, 22, 17, 23, 29, 35))
    cutter = Seat(roads=road(28, 22), hand=cards("brick sheep wheat wood"))
    position = table(ten, longer, cutter, player=2, longest=1)
    say(position, "settlement 22")  # the longest road of six is cut, that of five is the longest
    assert points(position)[0] == 10
    assert not can(position, "claim")
    say(position, "end turn", *TURNS)
    assert position.turn() == 0
    assert choices(position, "") == {"claim"}


def test_nine_points_do_not_win():
    position = table(Seat(**EIGHT, settlements=[28]))
    assert not can(position, "claim")


def test_a_game_that_lasts_too_long_has_no_winner():
    position = make(game("settlers:board=1,turns=1"), [Seat()])
    say(position, "end turn")
    assert position.turn() == OVER
    assert position.payoff() == [0.0] * 4


# --- what cannot be -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("settlers:players=5", "players=5 in settlers: 3 to 4 is allowed"),
        ("settlers:offers=free", "offers=free in settlers: one of paper, table, none"),
        ("settlers:board=-1", "the seed of a board is not negative"),
        ("settlers:turns=0", "turns=0 in settlers: 1 to 30000 is allowed"),
        ("settlers:dice=3", "settlers has no option 'dice'"),
    ],
)
def test_impossible_options_are_told(spec, told):
    with pytest.raises(SpecError, match=told.replace("(", r"\(")):
        load_game(spec)


def test_impossible_boards_are_told():
    good = random_board(3)
    for hexes, numbers, harbours, told in [
        (good.hexes[1:], good.numbers, good.harbours, "19 hexes"),
        ((7, *good.hexes[1:]), good.numbers, good.harbours, "7 is no kind"),
        (good.hexes, (7,) * 19, good.harbours, "has the number 7"),
        (good.hexes, tuple(4 if n else 0 for n in good.numbers), good.harbours, "more than two"),
    ]:
        with pytest.raises(SpecError, match=told):
            Board(hexes, numbers, harbours)


def test_impossible_positions_are_told():
    for seats, told in [
        ([Seat(settlements=[3]), Seat(cities=[3])], "each node once"),
        ([Seat(hand=[20, 0, 0, 0, 0])], "resources in all"),
        ([Seat(cards=[0, 3, 0, 0, 0])], "development cards in all"),
        ([Seat(cities=[0, 2, 11, 15, 28])], "a player has"),
    ]:
        with pytest.raises(SpecError, match=told):
            table(*seats)


def test_red_numbers_never_lie_side_by_side_and_boards_have_all_tiles():
    from facedown.games.settlers.geometry import HEX_MASK

    for seed in range(60):
        board = random_board(seed)
        red = [h for h in range(19) if board.numbers[h] in (6, 8)]
        assert all(int(HEX_MASK[a] & HEX_MASK[b]) == 0 for a in red for b in red if a < b)
        assert sorted(board.hexes) == sorted([0] * 3 + [1] * 3 + [2] * 4 + [3] * 4 + [4] * 4 + [5])
        assert sorted(board.harbours) == [0, 1, 2, 3, 4, 5, 5, 5, 5]
