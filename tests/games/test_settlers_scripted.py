"""Settlers' scripted player: right in small positions, always legal, blind to hidden cards."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facedown.core import CHANCE, Stream
from facedown.games.settlers import moves as m
from facedown.games.settlers import state
from facedown.games.settlers.scripted import speed
from facedown.games.settlers.setup import Seat
from facedown.games.settlers.state import pack, unpack
from support.settlers_table import cards, game, road, say, table

PLAIN, TABLE = "settlers:board=1,offers=none", "settlers:board=1,offers=table"
MINE = Seat(settlements=[9, 44], roads=[*road(9, 13), *road(44, 48)])


def choice(position):
    """What the scripted player does, from the view of whoever acts, in words."""
    player = position.turn()
    view, legal = position.view(player), position.legal()
    move = position.game.definition.scripted(view.record, player, legal, Stream(1))
    assert move in legal
    return position.game.move_text(move)


def mine(text="", **more):
    return Seat(settlements=MINE.settlements, roads=MINE.roads, hand=cards(text), **more)


# --- speed ----------------------------------------------------------------------------------------


def packed(text):
    return pack(cards(text))


def test_what_is_in_the_hand_takes_no_roll():
    assert speed.rolls(packed("brick wood"), state.ROAD_COST, 0, state.RATES) == 0


def test_a_card_of_six_dots_comes_every_sixth_roll():
    dots = pack([6, 0, 0, 0, 0])
    assert speed.rolls(packed("wood"), state.ROAD_COST, dots, state.RATES) == 6
    assert speed.rolls(0, packed("brick brick brick"), dots, state.RATES) == 18


def test_what_is_not_produced_is_swapped():
    dots = pack([6, 0, 0, 0, 0])
    assert speed.rolls(0, state.ROAD_COST, dots, state.RATES) == 30  # one, and four for a wood
    assert speed.rolls(0, state.ROAD_COST, dots, pack([2, 4, 4, 4, 4])) == 18


@given(st.lists(st.integers(0, 5), min_size=20, max_size=20))
@settings(max_examples=100, deadline=None)
def test_rolls_are_the_least_number_after_which_the_bank_helps_out(numbers):
    hand, cost, dots = (numbers[5 * k : 5 * k + 5] for k in range(3))
    rates = [2 + n % 3 for n in numbers[15:]]
    found = speed.rolls(*map(pack, (hand, cost, dots, rates)))

    def enough(n):
        have = [h + d * n // 36 for h, d in zip(hand, dots, strict=True)]
        spare = [a - b for a, b in zip(have, cost, strict=True)]
        swaps = sum(max(a, 0) // r for a, r in zip(spare, rates, strict=True))
        return sum(max(-a, 0) for a in spare) <= swaps

    assert found == next((n for n in range(speed.MOST_ROLLS) if enough(n)), speed.MOST_ROLLS)


# --- building -------------------------------------------------------------------------------------


def test_a_city_is_built_where_it_can_be():
    position = table(mine("ore ore ore wheat wheat"), spec=PLAIN)
    assert choice(position).startswith("city")


def test_the_better_settlement_becomes_the_city():
    seat = Seat(settlements=[4, 31], hand=cards("ore ore ore wheat wheat"))
    assert choice(table(seat, spec=PLAIN)) == "city 31"  # eleven dots, three resources


def test_a_settlement_is_built_where_a_road_leads():
    seat = Seat(settlements=[9], roads=road(9, 13, 18, 24), hand=cards("brick wood sheep wheat"))
    assert choice(table(seat, spec=PLAIN)).startswith("settlement")


def test_the_win_is_taken():
    seat = Seat(cities=[9, 44, 30, 35], settlements=[5], cards=(0, 0, 0, 0, 1))
    position = table(seat, spec=PLAIN)
    assert choice(position) == "claim"


def test_a_swap_completes_a_city():
    position = table(mine("ore ore ore wheat brick brick brick brick"), spec=PLAIN)
    assert choice(position) == "bank brick for wheat"


def test_nothing_is_swapped_that_the_plan_needs():
    position = table(mine("ore ore wheat wheat"), spec=PLAIN)
    assert choice(position) == "end turn"


def test_a_year_of_plenty_completes_the_plan():
    position = table(mine("ore ore wheat", cards=(0, 0, 1, 0, 0)), spec=PLAIN)
    assert choice(position) == "year of plenty ore wheat"


# --- the robber and discards ----------------------------------------------------------------------


def after_a_seven(*seats):
    return say(table(*seats, rolled=False, robber=0, spec=PLAIN), "roll", "dice 7")


def test_the_leader_is_robbed():
    behind = Seat(settlements=[31, 41], hand=cards("ore"))
    ahead = Seat(cities=[17, 28, 34], hand=cards("wood"))
    position = after_a_seven(mine("ore"), behind, ahead)
    assert choice(position) == "robber to 8"  # where all three cities stand
    say(position, "robber to 8")
    assert position.record["victim"] == 2


def test_nobody_robs_himself():
    """The leader's best hex, 8, is one's own too."""
    ahead = Seat(cities=[17, 34], hand=cards("wood"))
    position = after_a_seven(Seat(settlements=[22, 39]), ahead)
    assert choice(position) == "robber to 4"


def test_whoever_is_ahead_is_the_victim():
    seats = (
        mine("ore"),
        Seat(settlements=[17], hand=cards("ore")),
        Seat(cities=[34], hand=cards("ore")),
    )
    position = say(after_a_seven(*seats), "robber to 8")
    assert choice(position) == "rob player 2"


def test_what_the_plan_needs_is_kept():
    hand = "ore ore ore wheat wheat sheep sheep sheep sheep"
    position = table(mine(hand), rolled=False, spec=PLAIN)
    say(position, "roll", "dice 7")
    for _ in range(4):
        assert choice(position) == "discard sheep"
        say(position, "discard sheep")


# --- offers ---------------------------------------------------------------------------------------


def asked(hand, words, *, points=(), spec="settlers:board=1"):
    """What the scripted player answers to player 1, who makes an offer to him."""
    theirs = Seat(cities=points, settlements=[31], hand=cards("ore wheat wood brick"))
    position = table(mine(hand), theirs, player=1, spec=spec)
    return choice(say(position, f"offer player 0 {words}"))


def test_a_trade_that_completes_the_plan_is_accepted():
    assert asked("ore ore wheat wheat sheep", "ore for sheep") == "accept"


def test_a_trade_that_takes_what_the_plan_needs_is_not():
    assert asked("ore ore ore wheat wheat", "brick for ore") == "reject"


def test_nothing_is_traded_to_one_who_is_about_to_win():
    hand = "ore ore wheat wheat sheep"
    assert asked(hand, "ore for sheep", points=[17, 28, 34, 21]) == "reject"


def test_what_is_not_needed_is_offered_for_what_is():
    others = Seat(settlements=[31, 41], hand=cards("ore ore wheat"))
    position = table(mine("ore ore wheat wheat sheep sheep"), others)
    assert choice(position) == "offer player 1 sheep for ore"


def test_an_offer_at_a_table_is_made_up_step_by_step():
    others = [Seat(settlements=[n], hand=cards("ore ore ore")) for n in (31, 41)]
    position, said = table(mine("ore ore wheat wheat sheep sheep"), *others, spec=TABLE), []
    while position.record["phase"] in (state.ACTING, state.COMPOSING):
        said.append(choice(position))
        say(position, said[-1])
    assert said == ["offer", "give sheep", "ask ore", "to player 1", "to player 2", "propose"]


# --- the start ------------------------------------------------------------------------------------


def test_the_first_places_have_many_dots_and_several_resources():
    position = game("settlers:board=1").start()
    while position.record["phase"] in (state.SETTLING, state.PAVING):
        say(position, choice(position))
    for player in range(4):
        dots = unpack(speed.player_dots(position.record, player))
        assert sum(dots) >= 17
        assert sum(n > 0 for n in dots) >= 4


# --- always ---------------------------------------------------------------------------------------

SPECS = [
    f"settlers:offers={offers},players={n}" for offers in ("none", "paper", "table") for n in (3, 4)
]


def moved(position):
    """The scripted player's move, by its rule, in the position itself."""
    rules = position.game.rules
    rules.variants.get("playout:scripted")
    return int(rules.python["playout:scripted"](rules.ctx, position.address, Stream(1).address))


def games(spec, seed, noise):
    """Positions of a game in which players move by the script, or now and then at random."""
    position, stream = game(spec).start(), Stream(seed)
    while not position.over:
        if position.turn() == CHANCE:
            position.apply(position.draw(stream))
            continue
        move = moved(position)
        yield position, move
        odd = stream.below(100) < noise
        position.apply(stream.choice(position.legal()) if odd else move)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("noise", [0, 30, 100])
def test_its_moves_are_legal_and_its_games_end(spec, noise):
    for seed in range(3):
        for position, move in games(spec, seed, noise):
            assert move in position.legal(), position.game.move_text(move)


@pytest.mark.parametrize("spec", ["settlers", "settlers:offers=table"])
def test_it_sees_no_hidden_card(spec):
    """The same view gives the same move, whatever the others hold: in the truth, in any world."""
    stream, met = Stream(3), 0
    for position, move in games(spec, 5, 20):
        player = position.turn()
        view = position.view(player)
        assert moved(view) == move
        if met % 5 == 0:
            world = position.view(player)
            for other in range(position.game.players):
                if other != player:
                    world.record["hands"][other] = stream.below(1 << 40) & 0x0707070707
                    world.record["cards"][other] = stream.below(1 << 40) & 0x0303030303
            world.record["bank"], world.record["deck"] = (
                stream.below(1 << 40),
                stream.below(1 << 40),
            )
            assert moved(world) == move
        met += 1
    assert met > 200


def test_it_beats_random_play():
    for seed in range(4):
        position, stream = game("settlers").start(), Stream(seed)
        while not position.over:
            if position.turn() == CHANCE:
                move = position.draw(stream)
            else:
                ours = position.turn() == seed
                move = moved(position) if ours else stream.choice(position.legal())
            position.apply(move)
        assert int(position.record["winner"]) == seed


def test_a_move_that_may_not_be_asked_for_is_replaced():
    """Where offers are not allowed it swaps, and where nothing else is, the turn ends."""
    position = table(
        mine("ore ore ore wheat brick brick brick brick"),
        Seat(settlements=[31], hand=cards("wheat wheat ore")),
    )
    legal = position.legal()
    script = position.game.definition.scripted
    assert script(position.record, 0, legal, Stream(1)) >= m.TRADE
    swaps = [move for move in legal if move < m.TRADE]
    assert m.SWAP <= script(position.record, 0, swaps, Stream(1)) < m.PLAY_PLENTY
    assert script(position.record, 0, [m.END], Stream(1)) == m.END
