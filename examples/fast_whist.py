"""The short whist of whist.py with compiled rules: cards are numbers, a hand is a set of bits."""

import numpy as np

from facedown import CHANCE, OVER, CompiledGame, below, jit, lowest, mix

DEALT, TRICKS, NONE, HIDDEN = 10, 5, -1, 17
NAMES = tuple(rank + suit for suit in "cdhs" for rank in "JQKA")

State = np.dtype(
    [
        ("hands", np.int64, 2),  # a bit for each card; nothing where the viewer cannot know
        ("held", np.int8, 2),  # how many cards each holds
        ("tricks", np.int8, 2),
        ("played", np.int8, 10),
        ("n", np.int8),  # how many of those
        ("turned", np.int8),
        ("leader", np.int8),
    ]
)


class Whist(CompiledGame):
    State = State
    players, bounds = 2, (-5.0, 5.0)
    moves, most_moves, most_plies = 16, 16, 21

    def move_text(self, move):
        return NAMES[move]

    def observation_text(self, token, viewer):
        return "a card is dealt" if token == HIDDEN else NAMES[token - 1]

    def view_text(self, s, viewer):
        turned = "" if s["turned"] == NONE else NAMES[s["turned"]]
        hands = [" ".join(NAMES[c] for c in range(16) if s["hands"][p] >> c & 1) for p in (0, 1)]
        shown = "\n".join(f"player {p}: {hands[p] or '?? ' * s['held'][p]}" for p in (0, 1))
        led = NAMES[s["played"][s["n"] - 1]] if s["n"] % 2 else ""
        return f"turned up: {turned}; tricks {s['tricks']}\n{shown}\non the table: {led}"

    def hidden_facts(self, s, viewer):
        cards = [(p, c) for p in {0, 1} - {viewer} for c in range(16) if s["hands"][p] >> c & 1]
        return [f"player {p} holds {NAMES[card]}" for p, card in cards]


@jit
def beats(s, card, led):
    if card >> 2 == led >> 2:
        return card > led
    return card >> 2 == s["turned"] >> 2


@jit
def count(cards):
    n = 0
    while cards:
        cards, n = cards & (cards - 1), n + 1
    return n


@jit
def drawn(cards, n, rng):
    """Any `n` of these cards."""
    taken = 0
    for size in range(count(cards), count(cards) - n, -1):
        left = cards & ~taken
        for _ in range(below(rng, size)):
            left &= left - 1
        taken |= left & -left
    return taken


@jit
def followed(s, player, rng):
    """Whether this player, playing any legal card, would have followed suit as it did."""
    hand, leader = s["hands"][player], s["leader"]
    if s["n"] & 1 and leader == player:
        hand |= 1 << int(s["played"][s["n"] - 1])
    for trick in range(s["n"] // 2 - 1, -1, -1):  # the hand as it was then
        led, card = int(s["played"][2 * trick]), int(s["played"][2 * trick + 1])
        leader = 1 - leader if beats(s, card, led) else leader  # who led: it took the trick, or not
        hand |= 1 << (led if leader == player else card)
        suited = count(hand & (15 << 4 * (led >> 2)))
        if leader != player and suited and (card >> 2 != led >> 2 or below(rng, suited)):
            return False
    return True


def start(s):
    s["hands"][:] = 0
    s["held"][:] = 0
    s["tricks"][:] = 0
    s["played"][:] = NONE
    s["n"], s["turned"], s["leader"] = 0, NONE, 0


def turn(s):
    if s["turned"] == NONE:
        return CHANCE
    return OVER if s["n"] == 2 * TRICKS else s["leader"] ^ (s["n"] & 1)


def legal(s, moves):
    if s["turned"] == NONE:
        cards = 0xFFFF & ~(s["hands"][0] | s["hands"][1])
    else:
        cards = s["hands"][s["leader"] ^ (s["n"] & 1)]
        if s["n"] & 1:
            suit = cards & (15 << 4 * int(s["played"][s["n"] - 1] >> 2))
            cards = suit or cards
    n = 0
    while cards:
        moves[n] = lowest(cards)
        cards &= cards - 1
        n += 1
    return n


def apply(s, move):
    dealt = s["held"][0] + s["held"][1]
    if s["turned"] == NONE:
        if dealt < DEALT:
            s["hands"][dealt & 1] |= 1 << move
            s["held"][dealt & 1] += 1
        else:
            s["turned"] = move
        return
    player = s["leader"] ^ (s["n"] & 1)
    if s["n"] & 1:
        s["leader"] = player if beats(s, move, s["played"][s["n"] - 1]) else s["leader"]
        s["tricks"][s["leader"]] += 1
    s["played"][s["n"]] = move
    s["n"] += 1
    s["hands"][player] &= ~(1 << move)
    s["held"][player] -= 1


def sees(s, move, viewer):
    dealt = s["held"][0] + s["held"][1]
    secret = s["turned"] == NONE and dealt < DEALT and viewer != dealt & 1
    return HIDDEN if secret else move + 1


def payoff(s, pay):
    pay[0] = float(s["tricks"][0] - s["tricks"][1])
    pay[1] = -pay[0]


def hide(s, viewer):
    for player in range(2):
        if player != viewer:
            s["hands"][player] = 0


def infoset(s, viewer):
    key = mix(s["turned"] + 2, s["held"][0] * 8 + s["held"][1])
    if viewer >= 0:
        key = mix(key, s["hands"][viewer])
    for k in range(s["n"]):
        key = mix(key, s["played"][k])
    return key


def determinize(s, viewer, rng):
    unseen = 0xFFFF
    if s["turned"] != NONE:
        unseen &= ~(1 << int(s["turned"]))
    for k in range(s["n"]):
        unseen &= ~(1 << int(s["played"][k]))
    if viewer >= 0:
        unseen &= ~s["hands"][viewer]
    fits = False
    while not fits:
        left, fits = unseen, True
        for player in range(2):
            if player != viewer:
                s["hands"][player] = drawn(left, s["held"][player], rng)
                left &= ~s["hands"][player]
                fits = fits and followed(s, player, rng)
