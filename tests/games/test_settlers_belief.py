"""The factored belief of Settlers, told the tokens of whole games."""

import numpy as np
import pytest

from facedown.belief.pool import Pool
from facedown.core import CHANCE, PUBLIC, Stream, derive
from facedown.core.memo import Memo
from facedown.games.registry import load_game
from facedown.games.settlers.belief import FactoredBelief
from facedown.games.settlers.state import unpack
from support.settlers_joint import JointBelief, apart

VIEWERS = (0, 1, 2, 3, PUBLIC)


def moves_of(position, stream):
    """A move of random play that trades and builds more than it passes."""
    if position.turn() == CHANCE:
        return position.draw(stream)
    kind = stream.choice(position.kinds())
    return stream.choice(position.of_kind(kind))


def told(spec, seed, plies):
    """A random game, with what every viewer believes and has proven, after each move."""
    game = load_game(spec)
    position, stream = game.start(), Stream(derive(seed, spec))
    beliefs = {viewer: FactoredBelief(viewer) for viewer in VIEWERS}
    memos = {viewer: Memo(game) for viewer in VIEWERS}
    for _ in range(plies):
        if position.over:
            return
        move = moves_of(position, stream)
        for viewer in VIEWERS:
            token = position.sees(move, viewer)
            beliefs[viewer].observe(token)
            memos[viewer].remember(token, viewer)
        position.apply(move)
        yield position, beliefs, memos


@pytest.mark.parametrize("spec", ["settlers", "settlers:offers=table", "settlers:players=3"])
def test_the_truth_is_possible_and_within_what_is_proven(spec):
    for seed in range(1):
        for position, beliefs, memos in told(spec, seed, 400):
            s = position.record
            for viewer in VIEWERS:
                for player, hands in enumerate(beliefs[viewer].hands):
                    assert hands.share(unpack(s["hands"][player])) > 0
                    assert hands.total == s["held"][player]
                    low, high = memos[viewer].record["low"], memos[viewer].record["high"]
                    for r in range(5):
                        least, most = hands.bounds(r)
                        assert low[5 * player + r] <= least <= most <= high[5 * player + r]
            assert len(beliefs[0].hands[0]) == 1  # one's own hand is no secret


def test_worlds_have_all_cards_and_come_from_the_belief():
    stream, seen = Stream(4), 0
    for ply, (position, beliefs, _) in enumerate(told("settlers", 5, 1200)):
        if ply % 100 or ply < 200:
            continue
        world = Pool([position.view(1)])
        assert beliefs[1].fill(world.records, stream) == 1
        s = world.position(0).record
        total = np.sum([unpack(hand) for hand in s["hands"]], axis=0) + unpack(s["bank"])
        assert total.tolist() == [19] * 5
        assert s["hands"][1] == position.record["hands"][1]
        for player in range(4):
            assert beliefs[1].hands[player].share(unpack(s["hands"][player])) > 0
        seen += 1
    assert seen > 5


def test_a_world_that_cannot_be_drawn_leaves_the_record_as_it_was():
    game = load_game("settlers")
    view = game.start().view(0)
    belief = FactoredBelief(0)
    belief.hands[1].gain((19, 0, 0, 0, 0))
    belief.hands[2].gain((19, 0, 0, 0, 0))
    view.record["held"][1:3] = 19
    pool = Pool([view, view])
    assert belief.fill(pool.records, Stream(1)) == 0
    assert pool.position(1).digest() == view.digest()


def test_it_predicts_hands_better_than_the_bounds_alone():
    """Log score of the true hands: the belief's against all hands within the bounds as likely."""
    gained = []
    for seed in range(3):
        for ply, (position, beliefs, memos) in enumerate(told("settlers", seed + 50, 1500)):
            if ply % 50:
                continue
            for player in range(1, 4):
                hands = beliefs[0].hands[player]
                share = hands.share(unpack(position.record["hands"][player]))
                gained.append(np.log(share) + np.log(possible(memos[0].record, player)))
    assert np.mean(gained) > 0


def possible(memo, player):
    """How many hands the bounds of a memo leave, by listing them."""
    low, high = (memo[name][5 * player : 5 * player + 5].tolist() for name in ("low", "high"))
    ways = {0: 1}
    for least, most in zip(low, high, strict=True):
        nxt: dict[int, int] = {}
        for total, n in ways.items():
            for k in range(least, most + 1):
                nxt[total + k] = nxt.get(total + k, 0) + n
        ways = nxt
    return ways[int(memo["held"][player])]


def test_worlds_have_hands_as_often_as_they_are_likely():
    """A robbed player's hand by hand: of three cards one of two alike went, or the other."""
    game = load_game("settlers:board=3")
    view, belief = game.start().view(0), FactoredBelief(0)
    belief.hands[1].gain((2, 1, 0, 0, 0))
    belief.hands[1].lose_unseen()
    belief.hands[2].gain((0, 0, 0, 0, 1))
    view.record["held"][1:3] = 2, 1
    view.record["stock"] = game.start().record["stock"]
    worlds = Pool([view] * 6000).records
    assert belief.fill(worlds, Stream(8)) == 6000
    hands = [tuple(unpack(world["hands"][1])) for world in worlds]
    assert hands.count((2, 0, 0, 0, 0)) / 6000 == pytest.approx(1 / 3, abs=0.02)
    assert hands.count((1, 1, 0, 0, 0)) / 6000 == pytest.approx(2 / 3, abs=0.02)
    assert {tuple(unpack(world["bank"])) for world in worlds} == {
        (17, 19, 19, 19, 18),
        (18, 18, 19, 19, 18),
    }


def told_jointly(seed, plies, most=3000):
    """A random game with the factored and the exact belief of player 0, while that is small."""
    game = load_game("settlers")
    position, stream = game.start(), Stream(derive(seed, "jointly"))
    factored, exact = FactoredBelief(0), JointBelief(0)
    for _ in range(plies):
        move = moves_of(position, stream)
        token = position.sees(move, 0)
        factored.observe(token)
        exact.observe(token)
        position.apply(move)
        if position.over or len(exact.shares) > most:
            return
        yield position, factored, exact


def test_factors_hold_all_that_is_possible_and_are_near_the_enumeration():
    """The factors may hold more than is possible, never less, and their shares are not far off."""
    distances, cases = [], 0
    for seed in range(6):
        for position, factored, exact in told_jointly(seed, 500):
            truth = tuple(tuple(unpack(hand)) for hand in position.record["hands"])
            assert exact.shares[truth] > 0
            if all(len(hands) == 1 for hands in factored.hands):
                assert list(exact.shares) == [truth]
                continue
            cases += 1
            for player in range(1, 4):
                marginal, own = exact.marginal(player), factored.hands[player].to_dict()
                assert set(marginal) <= set(own)
                distances.append(apart(marginal, own))
    assert cases > 100
    assert max(distances) > 0  # a card that went from one hand to another is forgotten
    assert np.mean(distances) < 0.1


def test_what_is_believed_is_told_in_words():
    game = load_game("settlers:board=3")
    view, belief = game.start().view(0).record, FactoredBelief(0)
    belief.hands[1].gain((2, 1, 0, 0, 0))
    belief.hands[1].lose_unseen()
    view["unplayed"][2], view["silent"][2] = 1, 5
    said = dict(belief.told(view))
    assert said["player 1 has brick"] == 1
    assert said["player 1 has ore"] == pytest.approx(2 / 3)
    assert said["player 1 has wood"] == 0
    assert said["player 2 has a victory card"] == pytest.approx(5 / 25)
    view["silent"][2] = 0  # with one he would have won
    assert dict(belief.told(view))["player 2 has a victory card"] == 0
