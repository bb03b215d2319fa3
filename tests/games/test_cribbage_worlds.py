"""Worlds: they keep what the viewer knows, respect goes, and come as often as their histories."""

import random
from collections import Counter

import numba
import numpy as np
import pytest

from facedown.core import PUBLIC, Stream, below
from facedown.core.records import address_of, view
from facedown.core.rules import call_apply, call_legal, call_turn
from facedown.games.cribbage.cards import draw_some
from facedown.games.cribbage.rules import State
from facedown.games.cribbage.state import CUTS
from facedown.games.cribbage.text import cards_of
from support.cribbage_hands import at_play, canonical, dealt, play
from support.naive_cribbage import PACK, worth
from support.playing import game, random_moves


def cards(mask):
    return [PACK[card] for card in cards_of(int(mask))]


def worlds(position, viewer, n, seed=3):
    stream, seen = Stream(seed), position.view(viewer)
    for _ in range(n):
        world = seen.copy()
        world.determinize(viewer, stream)
        yield world.record


@pytest.mark.parametrize("seed", range(12))
def test_every_card_is_in_one_place_and_what_a_player_knows_stays(seed):
    for position, _ in random_moves(game("cribbage"), seed):
        truth = position.record
        for viewer in (PUBLIC, 0, 1):
            seen = position.view(viewer).record
            for world in worlds(position, viewer, 1, seed):
                places = [*world["held"], *world["thrown"], *world["played"]]
                everything = [card for place in places for card in cards(place)]
                everything += [PACK[world["cut"]]] if world["cut"] >= 0 else []
                assert len(set(everything)) == len(everything)
                assert [len(cards(hand)) for hand in world["held"]] == seen["left"].tolist()
                if viewer >= 0:
                    assert world["held"][viewer] == truth["held"][viewer]
                    assert world["thrown"][viewer] == truth["thrown"][viewer]
                for field in ("played", "shown", "line", "score", "gained", "cut", "count"):
                    assert np.array_equal(world[field], truth[field])


def test_a_pending_throw_is_searched_and_not_guessed():
    """The dealer's view is that of before; in his worlds the pone still holds six cards."""
    position = dealt()
    before = position.view(0).digest()
    play(position, "2c 2d")
    assert position.view(0).digest() == before
    assert position.view(0).turn() == 1
    for world in worlds(position, 0, 20):
        assert world["left"].tolist() == [6, 6]
        assert world["thrown"].tolist() == [0, 0]
    assert position.view(1).turn() == 0
    assert cards(position.view(1).record["thrown"][1]) == ["2c", "2d"]


def test_goes_are_respected():
    """The dealer could not play on 24, the pone not on 26: nothing of 7 or less, of 5 or less."""
    position = at_play("Kh 4c 2c 9s", "Qh Th 9d 8h", "Ah")
    play(position, "Kh", "Qh", "4c", "go", "2c", "go")
    lowest = {0: 8, 1: 6}
    for viewer, others in ((1, [0]), (0, [1]), (PUBLIC, [0, 1])):
        seen = Counter()
        for world in worlds(position, viewer, 300):
            for player in others:
                worths = [worth(card) for card in cards(world["held"][player])]
                assert min(worths) >= lowest[player]
                seen[player, min(worths)] += 1
        assert all(seen[player, lowest[player]] for player in others)


def test_plays_and_throws_that_were_shown_are_never_dealt_again():
    position = at_play("Kh 4c 2c 9s", "Qh Th 9d 8h", "Ah", crib=("3c 3d", "7c 7d"))
    play(position, "Kh", "Qh")
    for world in worlds(position, 1, 100):
        known = {"Kh", "Qh", "Ah", "4c", "2c", "9s", "3c", "3d"}
        assert not known & set(cards(world["held"][0]) + cards(world["thrown"][0]))


# --- frequencies, against random play -------------------------------------------------------------

DEALER, PONE, ANY = 0, 1, -1


@numba.njit
def rejection(rules, ctx, base, free, script, rng, trials):
    """Deal the dealer six random cards and play on, he at random, the others by the script.

    The script is the cut and the moves; ANY is any. What the dealer holds in the end is noted if
    all that he did was as in the script.
    """
    block, moves = np.zeros(len(base), np.int64), np.zeros(64, np.int32)
    state, found = block.ctypes.data, np.zeros(trials, np.int64)
    fitted = 0
    for _ in range(trials):
        block[:] = base
        s = view(state, State)
        s["held"][DEALER] = draw_some(rng, free, 6, 0)
        if s["held"][DEALER] >> (script[2] - CUTS) & 1:
            continue  # then the cut would have been another card
        fits = True
        for move in script:
            if call_turn(rules, ctx, state) == DEALER:
                n = call_legal(rules, ctx, state, moves.ctypes.data)
                choice = np.int64(moves[below(rng, n)])
                fits = move in (ANY, choice)
                move = choice
            if not fits:
                break
            call_apply(rules, ctx, state, move)
        if fits:
            found[fitted] = s["held"][DEALER]
            fitted += 1
    return found[:fitted]


def rejected(pone, thrown, line, trials):
    """What the dealer holds after the line in random play; player 1's cards are given."""
    g = game("cribbage")
    others = [card for card in PACK if card not in (pone + thrown)][:6]
    position = dealt(f"{pone} {thrown}", " ".join(others))
    free = (1 << 52) - 1 - int(position.record["held"][PONE])
    names = [canonical(thrown), "", *line]
    numbers = {g.move_text(move): move for move in range(g.moves)}
    script = np.array([numbers[name] if name else ANY for name in names])
    stream, base = Stream(21), position.block[0].view(np.int64).copy()
    return rejection(
        address_of(g.rules.table), g.rules.ctx, base, free, script, stream.address, trials
    )


def low_cards(hands, most):
    """How often a hand has 0, 1, 2, 3 cards worth at most so much, as shares."""
    tally = np.zeros(4)
    for hand in hands:
        tally[sum(worth(card) <= most for card in cards(hand))] += 1
    return tally / tally.sum()


def ranks_held(hands):
    """The shares of the thirteen ranks."""
    tally = Counter(card[0] for hand in hands for card in cards(hand))
    return np.array([tally[rank] for rank in "A23456789TJQK"]) / tally.total()


@pytest.mark.parametrize(
    ("pone", "line", "trials"),
    [
        ("Kh 5c 2c 9s", ["cut Ah", "Kh", "Qh", "5c", "4h"], 1_500_000),
        ("Kh 4c 2c 9s", ["cut Ah", "Kh", "Qh", "4c", "go"], 1_000_000),
    ],
    ids=["he chose among what fitted", "he said go"],
)
def test_worlds_come_as_often_as_in_random_play(pone, line, trials):
    """Beside a 4 that was played on 25 low cards are less likely: with them there was a choice."""
    wanted = rejected(pone, "3c 3d", line, trials)
    assert len(wanted) > 500
    dealers = "Qh 4h 8d 9d" if "4h" in line else "Qh 8h 8d 9d"
    position = at_play(pone, dealers, "Ah", crib=("3c 3d", "7c 7d"))
    play(position, *line[1:])
    got = [world["held"][DEALER] for world in worlds(position, PONE, 6000)]
    error = 4.5 * np.sqrt(0.25 / len(wanted) + 0.25 / len(got))
    assert np.abs(low_cards(got, 6) - low_cards(wanted, 6)).max() < error
    assert np.abs(ranks_held(got) - ranks_held(wanted)).max() < 0.5 * error


def test_worlds_of_the_public_weigh_both_players():
    """By hand: three cards above 7 for the dealer; the pone played 2c on 24, one of what fitted."""
    position = at_play("Kh 4c 2c 9s", "Qh Th 9d 8h", "Ah", crib=("3c 3d", "7c 7d"))
    play(position, "Kh", "Qh", "4c", "go", "2c")
    rng, fits, total = random.Random(2), 0.0, 0.0
    unseen = [card for card in PACK if card not in ("Kh", "Qh", "4c", "2c", "Ah")]
    for _ in range(60_000):
        *three, one = rng.sample(unseen, 4)
        if min(map(worth, three)) > 7:
            low = worth(one) <= 7
            total += 0.5 if low else 1.0
            fits += 0.5 if low else 0.0
    got = [cards(world["held"][PONE]) for world in worlds(position, PUBLIC, 6000)]
    assert sum(worth(hand[0]) <= 7 for hand in got) / 6000 == pytest.approx(fits / total, abs=0.04)
