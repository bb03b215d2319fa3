"""Settlers by hand: trades between players, as in the paper and as at a real table."""

from facedown.core import PUBLIC
from facedown.games.settlers import moves as m
from facedown.games.settlers.setup import Seat
from support.settlers_table import ACTING, can, cards, choices, hand, phase, say, table

TABLE = "settlers:board=1,offers=table"


def seen(position, words, viewer=PUBLIC):
    move = position.game.parse_move(words, position.legal())
    return position.game.text.observation_text(position.sees(move, viewer), viewer)


# --- the paper's ----------------------------------------------------------------------------------


def test_offers_are_one_for_one_one_for_two_two_for_one_and_conjunctive():
    sizes = [(len(gives), len(gets)) for gives, gets in m.OFFER_LIST]
    assert {size: sizes.count(size) for size in sizes} == {(1, 1): 20, (1, 2): 50, (2, 1): 50}
    assert len(set(map(str, m.OFFER_LIST))) == m.OFFERS
    for gives, gets in m.OFFER_LIST:
        assert not set(gives) & set(gets)


def test_an_offer_needs_the_cards_and_a_recipient_with_enough_of_some():
    mine = Seat(hand=cards("ore ore wood"))
    position = table(mine, Seat(hand=cards("brick")), Seat(hand=cards("wheat sheep")))
    to_one, to_two = choices(position, "offer player 1"), choices(position, "offer player 2")
    assert not choices(position, "offer player 3")  # he has no cards at all
    given = {words.partition(" for ")[0] for words in to_two}
    assert given == {"ore", "wood", "ore ore", "ore wood"}
    assert all(" " not in words.partition(" for ")[2] for words in to_one)
    assert "ore for brick sheep" in to_two
    assert len(to_two) == 2 * 14 + 4 + 3


def test_an_offer_is_accepted_by_whoever_has_what_is_asked_for():
    position = table(Seat(hand=cards("ore ore")), Seat(hand=cards("wood")))
    say(position, "offer player 1 ore for wood")
    assert position.turn() == 1
    assert choices(position, "") == {"accept", "reject"}
    assert seen(position, "accept") == "player 1: accept of player 0: 1 ore for 1 wood"
    say(position, "accept")
    assert (hand(position, 0), hand(position, 1)) == (cards("ore wood"), cards("ore"))
    assert (position.turn(), phase(position)) == (0, ACTING)
    say(position, "offer player 1 wood for brick")
    assert choices(position, "") == {"reject"}  # he has none


def test_at_most_three_offers_a_turn():
    position = table(Seat(hand=cards("ore ore")), Seat(hand=cards("wood")))
    for _ in range(3):
        say(position, "offer player 1 ore for brick", "reject")
    assert not choices(position, "offer")
    say(position, "end turn", "roll", "dice 12")
    assert choices(position, "offer")


def test_players_trade_only_after_the_dice_and_may_not_trade_at_all():
    seats = Seat(hand=cards("ore ore")), Seat(hand=cards("wood"))
    assert not choices(table(*seats, rolled=False), "offer")
    assert not choices(table(*seats, spec="settlers:board=1,offers=none"), "offer")


# --- a real table's -------------------------------------------------------------------------------


def offer(position, gives, asks, to):
    """An offer made up step by step and proposed."""
    steps = [*(f"give {g}" for g in gives.split()), *(f"ask {a}" for a in asks.split())]
    return say(position, "offer", *steps, *(f"to player {p}" for p in to), "propose")


def trio(**more):
    seats = (
        Seat(hand=cards("ore ore ore wood")),
        Seat(hand=cards("brick sheep")),
        Seat(hand=cards("wheat wheat wheat")),
        Seat(hand=cards("brick brick brick")),
    )
    return table(*seats, spec=TABLE, **more)


def test_an_offer_has_any_amounts_and_several_recipients_who_answer_in_turn():
    position = offer(trio(), "ore", "brick brick brick", (1, 2, 3))
    assert position.turn() == 1
    assert not can(position, "accept")
    say(position, "reject", "reject")
    assert position.turn() == 3
    say(position, "accept")
    assert hand(position, 0) == cards("brick brick brick ore ore wood")
    assert hand(position, 3) == cards("ore")
    assert (position.turn(), phase(position)) == (0, ACTING)


def test_the_first_who_accepts_gets_it():
    position = say(offer(trio(), "ore ore", "brick", (1, 3)), "accept")
    assert hand(position, 1) == cards("ore ore sheep")
    assert position.turn() == 0


def test_steps_go_in_order_and_no_like_for_like():
    position = say(trio(), "offer")
    assert choices(position, "give") == {"ore", "wood"}
    assert not choices(position, "ask")
    say(position, "give wood")
    assert not choices(position, "give")  # ore would have come before, and there is no more wood
    assert choices(position, "ask") == {"brick", "ore", "sheep", "wheat"}
    assert not can(position, "propose")  # no gifts
    say(position, "ask sheep")
    assert choices(position, "ask") == {"sheep", "wheat"}
    assert not can(position, "propose")  # to nobody
    say(position, "to player 2")
    assert choices(position, "to player") == {"3"}
    assert not choices(position, "ask")
    assert seen(position, "propose") == "player 0: propose: 1 wood for 1 sheep, to 2"


def test_nobody_offers_all_five_kinds():
    position = table(Seat(hand=[1] * 5), spec=TABLE)
    say(position, "offer", "give brick", "give ore", "give sheep", "give wheat")
    assert not choices(position, "give")
    assert choices(position, "ask") == {"wood"}


def test_an_offer_can_be_withdrawn():
    position = say(trio(), "offer", "give ore", "withdraw")
    assert (position.turn(), phase(position)) == (0, ACTING)
    assert not position.record["terms"].any()


def test_a_counter_offer_is_answered_before_the_others_are_asked():
    position = say(offer(trio(), "ore", "wheat", (1, 2)), "counter")
    assert position.turn() == 1
    say(position, "give sheep", "ask ore", "ask ore")
    assert not choices(position, "to player")  # it is for whoever's turn it is
    assert seen(position, "propose") == "player 1: propose: 1 sheep for 2 ore"
    say(position, "propose")
    assert position.turn() == 0
    assert not can(position, "counter")
    rejected = say(position.copy(), "reject")
    assert rejected.turn() == 2  # the first offer stands
    say(rejected, "accept")
    assert hand(rejected, 0) == cards("ore ore wood wheat")
    say(position, "accept")
    assert hand(position, 0) == cards("ore wood sheep")
    assert hand(position, 1) == cards("brick ore ore")
    assert (position.turn(), phase(position)) == (0, ACTING)


def test_a_counter_offer_can_be_withdrawn():
    position = say(offer(trio(), "ore", "wheat", (1, 2)), "counter", "give brick", "withdraw")
    assert position.turn() == 2
    assert not position.record["terms"][2:].any()


def test_offers_may_be_repeated_far_beyond_three_times():
    position = trio()
    for _ in range(20):
        offer(position, "ore", "brick", (2,))
        say(position, "reject")
    assert can(position, "offer")
