"""Cribbage's informed player: throws by exact means, a prior and a playout that peek at nothing."""

from itertools import combinations

import numpy as np
import pytest

from facedown.core import CHANCE, Stream
from facedown.games.cribbage.learnt import stored
from facedown.games.cribbage.policy import kept_worth, throw_worth
from facedown.games.cribbage.scoring import tables
from facedown.games.cribbage.state import PLAY, THROW, THROWS
from facedown.games.cribbage.text import pair_cards
from support.cribbage_hands import at_play, dealt, play
from support.naive_cribbage import PACK, hand_points
from support.playing import game, random_moves

TABLES = tables(False)[0]


def mask(cards):
    return sum(1 << card for card in cards)


def mean_count(kept, six):
    """The kept hand's count over all cards but the six, one by one."""
    cuts = [card for card in range(52) if card not in six]
    names = [PACK[card] for card in kept]
    return sum(hand_points(names, PACK[cut]) for cut in cuts) / len(cuts)


@pytest.mark.parametrize("seed", range(6))
def test_the_kept_hand_is_worth_its_mean_count(seed):
    pack, stream = list(range(52)), Stream(seed)
    stream.shuffle(pack)
    six = sorted(pack[:6]) if seed else [40, 16, 20, 24, 41, 2]  # a flush with its jack, once
    for low, high in combinations(sorted(six), 2):
        kept = [card for card in six if card not in (low, high)]
        found = kept_worth(TABLES, mask(six), low, high)
        assert found == pytest.approx(mean_count(kept, six))


def test_the_crib_counts_for_the_dealer_and_against_the_pone():
    six = [0, 5, 16, 17, 30, 44]
    crib = stored().crib  # fives, which are ranks 4 and 4: the double after those of 0 to 3
    fives = sum(13 - rank for rank in range(4))
    kept = kept_worth(TABLES, mask(six), 16, 17)
    for deals, sign, role in ((True, 1, 0), (False, -1, 1)):
        found = throw_worth(TABLES, mask(six), 16, 17, deals)
        assert found == pytest.approx(kept + sign * crib[role, 0, fives])


def prior(position):
    out = np.array(position.prior(position.legal()))
    return out / out.sum()


def playouts(position, n=20):
    stream, rules = Stream(3), position.game.rules
    return [rules.python["playout"](rules.ctx, position.address, stream.address) for _ in range(n)]


def test_the_prior_of_throws_is_the_exponential_of_their_worth():
    position = dealt("5c 5d Jh Qs 2c 9d")
    six = int(position.record["held"][1])
    pairs = [pair_cards(move - THROWS) for move in position.legal()]
    worth = np.array([throw_worth(TABLES, six, *pair, False) for pair in pairs])
    wanted = np.exp(worth / 0.7)
    assert prior(position) == pytest.approx(wanted / wanted.sum())
    assert pairs[int(prior(position).argmax())] == [PACK.index("2c"), PACK.index("9d")]


def test_the_play_takes_points_and_leads_no_five():
    position = at_play("5c 4h Jd 9s", "5d Ts 2c 3c", "Ah")
    shares = dict(zip(position.legal(), prior(position), strict=True))
    assert shares[PACK.index("4h")] == max(shares.values())
    assert shares[PACK.index("5c")] == min(shares.values())
    play(position, "Jd")
    assert set(playouts(position)) == {PACK.index("5d")}  # fifteen
    play(position, "5d")
    assert set(playouts(position)) == {PACK.index("5c")}  # the pair


@pytest.mark.parametrize("seed", range(4))
def test_prior_and_playout_know_only_what_the_player_knows(seed):
    """Other worlds of the same view: the same prior, the same playouts of the same stream."""
    stream, compared = Stream(seed), 0
    for k, (position, _) in enumerate(random_moves(game("cribbage"), seed)):
        player = position.turn()
        if position.over or player == CHANCE or position.record["stage"] not in (THROW, PLAY):
            continue
        wanted, moves = prior(position), playouts(position)
        assert set(moves) <= set(position.legal())
        for _ in range(3):
            world = position.view(player)
            world.determinize(player, stream)
            if world.turn() != player:
                continue  # the view withdraws a pending throw
            assert prior(world).tolist() == wanted.tolist()
            assert playouts(world) == moves
            compared += 1
        if k > 150:
            break
    assert compared > 100


def test_a_skilled_belief_agrees_with_the_view_and_keeps_better_hands():
    view = at_play("5c 4h Jd 9s", "5d Ts 2c 3c", "Ah").view(1)
    stream, means = Stream(1), {}
    for belief in (None, "skilled"):
        kept = []
        for _ in range(400):
            world = view.copy()
            world.determinize(1, stream, belief)
            assert world.view(1).digest() == view.digest()
            held = int(world.record["held"][0])
            kept.append(hand_points([PACK[c] for c in range(52) if held >> c & 1], "Ah"))
        means[belief] = np.mean(kept)
    assert means["skilled"] > means[None] + 1.5


def test_a_skilled_belief_fits_every_play():
    stream = Stream(5)
    for seed in range(3):
        for position, _ in random_moves(game("cribbage"), seed):
            for viewer in (0, 1):
                view = position.view(viewer)
                world = view.copy()
                world.determinize(viewer, stream, "skilled")
                assert world.view(viewer).digest() == view.digest()
