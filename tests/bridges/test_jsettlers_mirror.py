"""The mirror of a table, message by message, in small conversations of our own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facedown.bridges.jsettlers.fields import Message
from facedown.bridges.jsettlers.messages import FROM_SERVER, parse
from facedown.bridges.jsettlers.mirror import Mirror
from facedown.bridges.jsettlers.table import CITY, KNIGHT, ROAD, SETTLEMENT, Hand
from support.jsettlers_talk import BOARD, mirrored, told

ME = 1


def test_the_second_settlement_pays_though_nobody_says_so() -> None:
    mirror = mirrored()
    assert [place.hand.total for place in mirror.table.places] == [3, 2, 3, 2]
    assert mirror.table.own.hand.least == [0, 1, 1, 0, 0]
    assert mirror.table.own.left == [13, 3, 4]
    assert mirror.table.bank[1][1] < 19


def test_production_is_foretold_and_compared() -> None:
    mirror = mirrored("1026|g,3,15", "1028|g,8", "1092|g|2|0|5|1|3|1|5|0|1|3|1|3", "1025|g,20")
    assert mirror.checked["production"] == 1
    assert mirror.checked["hand totals"] == 2
    assert mirror.differences == []
    assert mirror.table.own.hand.least == [0, 1, 2, 0, 0]


@pytest.mark.parametrize(
    ("told_wrong", "what"),
    [
        (["1092|g|1|0|5|1|3|1|5"], "production"),
        (["1092|g|2|0|6|1|3|1|5|0|1|3|1|3"], "hand totals"),
        (["1092|g|2|0|5|1|3|1|5|0|1|3|1|3", "1086|g|1|100|1|0|2|1|3|1|4|0|5|0"], "own hands"),
        (["1025|g,20"], "production"),
    ],
)
def test_what_the_rules_do_not_foretell_is_noted(told_wrong: list[str], what: str) -> None:
    mirror = mirrored("1026|g,3,15", "1028|g,8", *told_wrong)
    assert [difference.partition(":")[0] for difference in mirror.differences] == [what]


def test_the_robber_keeps_its_hex_from_producing() -> None:
    mirror = mirrored("1034|g,3,149", "1026|g,0,15")
    gains = mirror.table.production(8)
    assert gains.get(ME) is None
    assert mirror.table.robber == 149


def test_a_city_gives_double_and_the_settlement_back() -> None:
    before = mirrored().table.production(8)
    mirror = mirrored("1009|g,1,2,182")
    after = mirror.table.production(8)
    assert [2 * n for n in before[ME]] == after[ME]
    assert mirror.table.own.left == [13, 4, 3]
    told(mirror, "1105|g,1,2,182")
    assert mirror.table.own.settlements == {69, 182}
    assert mirror.table.own.left == [13, 3, 4]


def test_an_empty_seat_gets_nothing() -> None:
    mirror = mirrored("1011|player 0,-,g")
    assert 0 not in mirror.table.production(8)
    told(mirror, "1012|g,somebody,0,true")
    assert 0 in mirror.table.production(8)


def test_a_stolen_card_is_known_to_two() -> None:
    ours = mirrored("1102|g,1,0,R,5,1,T")
    assert ours.table.own.hand.least == [0, 1, 1, 0, 1]
    others = mirrored("1102|g,2,0,R,6,1,T")
    hands = [place.hand for place in others.table.places]
    assert (hands[2].total, hands[2].unknown) == (4, 1)
    assert (hands[0].total, hands[0].unknown) == (2, 2 - sum(hands[0].least))
    told(others, "1086|g|2|102|1|1|5|1")
    assert others.differences == []


def test_discards_of_others_are_counted_and_own_ones_known() -> None:
    mirror = mirrored(
        "1024|g,0,101,3,7", "1024|g,1,101,4,8", "1026|g,0,15", "1028|g,7", "1025|g,50"
    )
    assert mirror.table.discards == {0: 5, 1: 5}
    told(mirror, "1033|g,p0,0,0,0,0,0,5", "1025|g,50")
    assert mirror.table.discards == {1: 5}
    assert mirror.table.places[0].hand.total == 5
    assert mirror.table.places[0].hand.least[2] >= 2
    told(mirror, "1033|g,p1,0,0,0,5,0,0", "1025|g,33")
    assert mirror.table.own.hand.least == [0, 1, 1, 3, 0]
    assert mirror.differences == []
    assert mirror.table.discards == {}


def test_what_a_server_discards_for_one_who_is_late_is_told_as_lost() -> None:
    mirror = mirrored(
        "1024|g,0,101,3,7", "1024|g,1,101,4,8", "1026|g,0,15", "1028|g,7", "1025|g,50"
    )
    told(mirror, "1086|g|1|102|4|5", "1025|g,50")
    assert mirror.table.discards == {0: 5}
    assert mirror.table.own.hand.least == [0, 1, 1, 3, 0]
    told(mirror, "1024|g,0,102,6,5,Y", "1025|g,50")
    assert mirror.table.discards == {}
    assert mirror.table.places[0].hand.total == 5
    assert mirror.differences == []


def test_one_who_asks_for_what_cannot_be_hears_where_the_game_stands() -> None:
    mirror = mirrored("1026|g,1,15", "1028|g,12", "1025|g,30", "1104|g,0,3")
    assert mirror.table.state == 30
    told(mirror, "1104|g,20,3")
    assert mirror.table.state == 20


def test_cards_are_new_until_the_next_turn() -> None:
    mirror = mirrored("1026|g,1,15", "1028|g,12", "1025|g,20", "1046|g,1,0,9", "1090|g,1,1,24,0")
    own = mirror.table.own
    assert (own.new[KNIGHT], own.old[KNIGHT], mirror.table.cards_left) == (1, 0, 24)
    told(mirror, "1026|g,2,15", "1046|g,2,0,0")
    assert (own.new[KNIGHT], own.old[KNIGHT]) == (0, 1)
    assert mirror.table.places[2].cards == 1
    told(mirror, "1026|g,1,15", "1046|g,1,1,9", "1024|g,1,100,19,1", "1024|g,1,101,15,1")
    assert own.cards == 0
    assert own.knights == 1
    assert mirror.table.card_played
    told(mirror, "1026|g,2,15")
    assert not mirror.table.card_played


def test_a_card_that_cannot_be_played_stays() -> None:
    mirror = mirrored("1046|g,1,0,9", "1046|g,-1,4,9")
    assert mirror.table.own.cards == 1


def test_a_monopoly_takes_all_of_a_kind() -> None:
    mirror = mirrored(
        "1024|g,0,101,3,2", "1024|g,0,100,3,0,Y", "1063|g,0,2", "1024|g,2,101,3,3", "1090|g,2,3,3,3"
    )
    assert mirror.table.places[0].hand.least[2] == 0
    assert mirror.table.places[0].hand.total == 2


def test_trades_with_the_bank_have_the_best_rate() -> None:
    mirror = mirrored("1024|g,1,101,3,6", "1040|g,0,0,3,0,0,0,0,0,0,1,1")
    assert mirror.differences == []  # a harbour of three is at corner 69 or 182
    told(mirror, "1040|g,0,0,4,0,0,0,0,0,0,1,1")
    assert len(mirror.differences) == 1
    assert mirror.table.own.hand.least == [0, 1, 0, 0, 2]


def test_offers_stand_until_they_are_cleared_or_taken() -> None:
    offer = "1041|g,0,false,true,true,false,0,0,0,0,1,0,0,1,0,0"
    mirror = mirrored("1026|g,0,15", "1025|g,20", offer)
    assert mirror.table.offers[0].to == {1, 2}
    told(mirror, "1037|g,2")
    assert mirror.table.rejected[0] == {2}
    told(mirror, "1039|g,1,0,0,0,0,0,1,0,0,1,0,0", "1038|g,-1")
    assert mirror.table.offers == {}
    assert mirror.table.own.hand.least == [0, 1, 0, 0, 1]
    assert mirror.differences == []


def test_the_end_is_compared_with_all_points() -> None:
    final = "1061|g,2,3,4,2,true,true,true,true"
    end = ["1096|g|6|2", "1025|g,1000", "1046|g,1,3,6", final]
    mirror = mirrored("1046|g,1,0,6", *end)
    assert mirror.checked["points"] == 4
    assert mirror.differences == []
    assert mirror.final == (2, 3, 4, 2)


def test_a_game_that_one_comes_to_late_is_taken_as_it_stands() -> None:
    mirror = mirrored(placed=False, me=0)
    told(
        mirror,
        *["1096|g|4|2", "1009|g,0,1,184", "1009|g,0,0,184", "1009|g,1,2,135"],
        *["1086|g|0|100|18|184|6|3|15|0|10|14|11|4|12|4", "1086|g|1|100|6|5|15|2|10|9|11|5|12|3"],
        *["1046|g,1,3,0,0", "1096|g|2|20|1|0|3|3|6|1|5|-1", "1025|g,15", "1012|g,me,0,true"],
        *["1086|g|0|100|1|1|2|0|3|0|4|2|5|0|6|0", "1046|g,0,3,9", "1025|g,15"],
    )
    table = mirror.table
    assert table.own.hand.least == [1, 0, 0, 2, 0]
    assert table.own.old[KNIGHT] == 1
    other = table.places[1]
    assert (other.hand.total, other.cards, other.knights) == (5, 2, 2)
    assert (other.left[ROAD], other.left[SETTLEMENT], other.left[CITY]) == (9, 5, 3)
    assert (table.turn, table.first, table.longest_road, table.cards_left) == (2, 3, 1, 20)
    assert mirror.differences == []


def test_a_person_may_take_back_a_first_settlement() -> None:
    mirror = mirrored("1026|g,0,10", "1009|g,0,1,56", "1025|g,11")
    hand = list(mirror.table.places[0].hand.least)
    told(mirror, "1044|g,1", "1025|g,10")
    assert 56 not in mirror.table.places[0].settlements
    assert sum(hand) - mirror.table.places[0].hand.total in (1, 2, 3)


def test_what_cannot_be_is_noted_and_survived() -> None:
    mirror = mirrored("1086|g|0|102|2|9", "1009|g,0,0,255", "1009|g,0,7,69", "1034|g,0,3")
    assert len(mirror.differences) == 4
    assert mirror.table.places[0].hand.total == 0


@given(
    st.lists(
        st.tuples(
            st.sampled_from(sorted(FROM_SERVER)),
            st.lists(
                st.integers(-1, 110) | st.sampled_from(["true", "false", "p1", "R"]), max_size=12
            ),
            st.sampled_from(",|"),
        )
    )
)
def test_nothing_that_a_server_says_raises(said: list[tuple[int, list[object], str]]) -> None:
    mirror = Mirror(ME)
    told(mirror, BOARD)
    for number, fields, separator in said:
        message = parse(f"{number}|{separator.join(['g', *map(str, fields)])}")
        if isinstance(message, Message):
            mirror.take(message)
    for place in mirror.table.places:
        assert 0 <= sum(place.hand.least) <= place.hand.total


@given(st.data())
def test_a_hand_never_claims_what_may_be_wrong(data: st.DataObject) -> None:
    """Bounds of a hand against a true one, whatever is shown of its cards coming and going."""
    true, hand = [0] * 5, Hand()
    for _ in range(data.draw(st.integers(0, 25))):
        shown = data.draw(st.booleans())
        held = [resource for resource in range(5) if true[resource]]
        if held and data.draw(st.booleans()):
            resource = data.draw(st.sampled_from(held))
            true[resource] -= 1
            assert hand.lose(resource) if shown else hand.lose_any(1)
        else:
            resource = data.draw(st.integers(0, 4))
            true[resource] += 1
            if shown:
                hand.gain(resource)
            else:
                hand.gain_any(1)
        assert hand.total == sum(true)
        assert all(least <= have for least, have in zip(hand.least, true, strict=True))
