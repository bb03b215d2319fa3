"""What players of Settlers know: views, tokens, memos and worlds, along random games."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from facedown.core import CHANCE, PUBLIC, Memo, Stream
from facedown.games.settlers import moves as m
from facedown.games.settlers.memory import possible_hands
from facedown.games.settlers.setup import Seat
from facedown.games.settlers.state import DECK, SUPPLY, unpack
from support.playing import game, viewers
from support.settlers_table import cards, say, table

SPECS = [
    "settlers:turns=60",
    "settlers:players=3,turns=60",
    "settlers:offers=table,turns=40",
    "settlers:offers=none,turns=60,board=2",
]
relaxed = settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.differing_executors]
)
seeds = st.integers(0, 2**60)
every_variant = pytest.mark.parametrize("spec", SPECS)


def typed_games(spec, seed):
    """A random game by kinds first: each position with its move, and every viewer's memo."""
    g, stream = game(spec), Stream(seed)
    position, memos = g.start(), {viewer: Memo(g) for viewer in viewers(g)}
    while not position.over:
        if position.turn() == CHANCE:
            move = position.draw(stream)
        else:
            move = stream.choice(position.of_kind(stream.choice(position.kinds())))
        yield position, move, memos
        for viewer, memo in memos.items():
            memo.remember(position.sees(move, viewer), viewer)
        position.apply(move)


def rows(memo, player):
    span = slice(5 * player, 5 * player + 5)
    return [int(n) for n in memo["low"][span]], [int(n) for n in memo["high"][span]]


@every_variant
@given(seeds)
@relaxed
def test_no_card_is_ever_lost(spec, seed):
    for position, _, _ in typed_games(spec, seed):
        s = position.record
        hands = [unpack(word) for word in s["hands"]]
        assert [sum(hand) for hand in hands] == [int(n) for n in s["held"]]
        held = np.sum([*hands, unpack(s["bank"])], axis=0)
        assert held.tolist() == unpack(SUPPLY)
        assert [int(s["stock"]) >> 8 * k + 7 & 1 for k in range(5)] == [
            int(n > 0) for n in unpack(s["bank"])
        ]
        owned = [unpack(word) for word in s["cards"]]
        assert [sum(one) for one in owned] == [int(n) for n in s["unplayed"]]
        everywhere = np.sum([*owned, unpack(s["deck"]), unpack(s["played"])], axis=0)
        assert everywhere.tolist() == unpack(DECK)


@every_variant
@given(seeds)
@relaxed
def test_points_are_those_of_the_pieces_and_the_honours(spec, seed):
    for position, _, _ in typed_games(spec, seed):
        s = position.record
        for player in range(4):
            pieces = int(s["settlements"][player]).bit_count()
            pieces += 2 * int(s["cities"][player]).bit_count()
            honours = 2 * (int(s["longest"]) == player) + 2 * (int(s["army"]) == player)
            assert int(s["points"][player]) == pieces + honours


@every_variant
@given(seeds)
@relaxed
def test_a_memo_always_holds_the_truth_and_ones_own_hand(spec, seed):
    for position, _, memos in typed_games(spec, seed):
        s = position.record
        for viewer, memo in memos.items():
            record = memo.record
            assert record["held"].tolist() == s["held"].tolist()
            for player in range(position.game.players):
                low, high = rows(record, player)
                hand = unpack(s["hands"][player])
                assert all(a <= b <= c for a, b, c in zip(low, hand, high, strict=True))
                if player == viewer:
                    assert low == high == hand
        for player in range(4):
            assert unpack(s["cards"][player])[4] <= int(s["silent"][player])


@every_variant
@given(seeds)
@relaxed
def test_worlds_are_what_view_and_memo_allow(spec, seed):
    stream = Stream(seed + 1)
    for k, (position, _, memos) in enumerate(typed_games(spec, seed)):
        if k % 5:
            continue
        for viewer, memo in memos.items():
            view = position.view(viewer)
            world = view.copy()
            world.determinize(viewer, stream, memo=memo)
            assert world.view(viewer).digest() == view.digest()
            s = world.record
            for player in range(4):
                low, high = rows(memo.record, player)
                hand = unpack(s["hands"][player])
                assert sum(hand) == int(s["held"][player])
                assert all(a <= b <= c for a, b, c in zip(low, hand, high, strict=True))
                assert unpack(s["cards"][player])[4] <= int(s["silent"][player])
            held = np.sum([unpack(word) for word in (*s["hands"], s["bank"])], axis=0)
            assert held.tolist() == unpack(SUPPLY)
            assert sum(unpack(s["deck"])) == int(s["left"])
            assert sum(unpack(s["fresh"])) == int(s["bought"])


@every_variant
@given(seeds)
@relaxed
def test_kinds_and_moves_of_a_kind_are_the_legal_moves(spec, seed):
    for position, _, _ in typed_games(spec, seed):
        found = []
        for kind in position.kinds():
            moves = position.of_kind(kind)
            assert moves
            placing = m.KINDS[kind] == "placement"
            assert placing or {int(m.KIND_OF[move]) for move in moves} == {kind}
            found += moves
        assert found == position.legal()


@every_variant
@given(seeds)
@relaxed
def test_what_others_hold_changes_nothing_that_a_player_sees(spec, seed):
    """Deal a world instead of the truth: the viewer's tokens of public moves stay the same."""
    stream = Stream(seed + 2)
    for k, (position, move, memos) in enumerate(typed_games(spec, seed)):
        actor = position.turn()
        if k % 5 or actor < 0:
            continue
        world = position.view(actor)
        world.determinize(actor, stream, memo=memos[actor])
        assert world.legal() == position.legal()
        name = m.KINDS[int(m.KIND_OF[move])]
        if name not in ("monopoly", "discard", "port trade", "year of plenty"):
            assert world.sees(move, actor) == position.sees(move, actor)


def test_a_memo_narrows_by_payments_offers_and_thefts():
    g = game("settlers:board=1")
    seats = Seat(hand=cards("ore ore ore")), Seat(hand=cards("brick wood"), settlements=[8])
    position = table(*seats, Seat(settlements=[18], cards=[1, 0, 0, 0, 0]), player=2)
    memo = Memo(g)
    kind = g.definition.Memo
    record = memo.block.view(np.uint8)[: kind.itemsize].view(kind)[0]
    record["held"] = (3, 2, 0, 0)
    record["low"][:10], record["high"][:10] = [0, 3, 0, 0, 0, 0, 0, 0, 0, 0], 2
    record["high"][:5] = [0, 3, 0, 0, 0]

    def told(words):
        move = position.game.parse_move(words, position.legal())
        memo.remember(position.sees(move, 0), 0)
        position.apply(move)

    for words in ("knight", "robber to 4", "steal wood"):
        told(words)
    assert rows(memo.record, 2) == ([0] * 5, [1] * 5)  # one card, of any kind
    assert possible_hands(memo.record, 2) == 5
    told("offer player 1 wood for brick")
    assert rows(memo.record, 2) == (cards("wood"), cards("wood"))  # he has it, so it is that
    told("accept")
    assert rows(memo.record, 2) == (cards("brick"), cards("brick"))
    assert memo.record["held"].tolist() == [3, 1, 1, 0]
    assert rows(memo.record, 1) == (cards("wood"), cards("wood"))


def test_a_steal_shows_its_card_to_thief_and_victim_alone():
    seats = Seat(cards=[1, 0, 0, 0, 0]), Seat(settlements=[8], hand=cards("ore wood"))
    position = say(table(*seats), "knight", "robber to 4")
    ore, wood = position.legal()
    for viewer, knows in ((0, True), (1, True), (2, False), (PUBLIC, False)):
        assert (position.sees(ore, viewer) != position.sees(wood, viewer)) == knows


def test_a_discard_shows_its_card_to_nobody_else():
    position = table(Seat(hand=cards("ore wood") * 1), Seat(hand=[4, 4, 0, 0, 0]), rolled=False)
    say(position, "roll", "dice 7")
    one, two = position.legal()
    assert position.sees(one, 1) != position.sees(two, 1)
    for viewer in (0, 2, PUBLIC):
        assert position.sees(one, viewer) == position.sees(two, viewer)


def test_a_bought_card_shows_to_its_buyer_alone():
    position = say(table(Seat(hand=cards("ore sheep wheat"))), "buy card")
    tokens = {viewer: {position.sees(k, viewer) for k in position.legal()} for viewer in (0, 1)}
    assert len(tokens[0]) == 5
    assert len(tokens[1]) == 1


def test_not_having_won_limits_victory_cards():
    nine = Seat(cities=[0, 2, 11, 15], settlements=[28], cards=[1, 0, 0, 0, 0])
    position = table(nine, rolled=False)
    assert int(position.record["silent"][0]) == 1
    say(position, "roll")
    assert int(position.record["silent"][0]) == 0
    for seed in range(10):
        world = position.view(1)
        world.determinize(1, Stream(seed))
        assert unpack(world.record["cards"][0])[4] == 0
