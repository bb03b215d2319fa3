"""Cribbage for two (six cards each, 121 points).

Player 0 deals first; then the deal alternates. The other player is the pone. Each hand: twelve
cards are dealt one by one, the pone first; both throw two cards into the crib; the cut is turned up
(a jack, "his heels", is two points for the dealer); the pone begins the play; then the pone's hand,
the dealer's hand and the crib are counted, in this order. Whoever reaches 121 has won at once, by
his heels, in the play or in the count, and pegs no more than 121.

The throws are simultaneous: the pone chooses first here, and until the dealer has chosen too, the
other views show nothing of it. What was thrown stays hidden until the crib is counted. A player who
has cards and cannot play says `go`, a move of its own; one without cards is passed over.

The option `kelly2017` ends games as the program of Kelly (2017) does: all three counts are made
even if somebody has 121 points by then, and if both have, the first dealer has won.

A search may stop at the end of a hand, for the difference of the points made in it
(Kelly 2017, section 3.2.1); or, with the value `winning`, for the chance to win from there. Worlds
are drawn as if others threw anything, or, with the belief `skilled`, as if they threw well.
"""

from __future__ import annotations

from typing import Any

from facedown.core import CHANCE, OVER, jit, lowest
from facedown.games.cribbage.cards import (
    DECK,
    JACK,
    NONE,
    SUITS,
    bit,
    draw_some,
    pair_number,
    value,
    worth_at_most,
)
from facedown.games.cribbage.deal import determinize, skilled
from facedown.games.cribbage.knowledge import hide, infoset
from facedown.games.cribbage.play import card_points, closes, is_last, last_to_play
from facedown.games.cribbage.policy import playout, prior
from facedown.games.cribbage.scoring import count_hand
from facedown.games.cribbage.state import (
    CLOSED,
    CUT,
    CUTS,
    DEAL,
    DEALS,
    GO,
    GO_SAID,
    GOAL,
    PLAY,
    RAN_OUT,
    THROW,
    THROWS,
    State,
)
from facedown.games.cribbage.tokens import sees

__all__ = [
    "State",
    "apply",
    "determinize",
    "draw",
    "hide",
    "horizon",
    "infoset",
    "legal",
    "payoff",
    "playout",
    "prior",
    "sees",
    "skilled",
    "start",
    "turn",
    "winning",
]


def start(t: Any, s: Any) -> None:
    s["shown"][:] = 0
    s["score"][:] = 0
    s["back"][:] = 0
    s["gained"][:] = 0
    s["last"][:] = NONE
    s["dealer"], s["actor"] = 0, CHANCE
    _gather(s)


@jit
def _gather(s: Any) -> None:
    """The cards back into the pack, for the next deal."""
    s["held"][:] = 0
    s["thrown"][:] = 0
    s["played"][:] = 0
    s["line"][:] = NONE
    s["left"][:] = 0
    s["stage"], s["cut"], s["n"], s["first"] = DEAL, NONE, 0, 0
    s["count"], s["gone"] = 0, NONE


def turn(t: Any, s: Any) -> int:
    return int(s["actor"])


# --- moves ----------------------------------------------------------------------------------------


@jit
def _pack(s: Any) -> int:
    """The cards that nobody has been dealt."""
    dealt = s["held"][0] | s["held"][1] | s["thrown"][0] | s["thrown"][1]
    return DECK & ~dealt  # type: ignore[no-any-return]  # at the cut nothing is played yet


@jit
def _list_cards(cards: int, moves: Any, shift: int) -> int:
    n = 0
    while cards != 0:
        moves[n] = shift + lowest(cards)
        cards &= cards - 1
        n += 1
    return n


@jit
def _list_throws(hand: int, moves: Any) -> int:
    n, rest = 0, hand & (hand - 1)
    while rest != 0:
        high, lower = lowest(rest), hand & ((rest & -rest) - 1)
        while lower != 0:
            moves[n] = THROWS + pair_number(lowest(lower), high)
            lower &= lower - 1
            n += 1
        rest &= rest - 1
    return n


def legal(t: Any, s: Any, moves: Any) -> int:
    stage = s["stage"]
    if stage == DEAL:
        return _list_cards(_pack(s), moves, DEALS)
    if stage == CUT:
        return _list_cards(_pack(s), moves, CUTS)
    hand = s["held"][s["actor"]]
    if stage == THROW:
        return _list_throws(hand, moves)
    fits = hand & worth_at_most(31 - int(s["count"]))
    if fits == 0:
        moves[0] = GO
        return 1
    return _list_cards(fits, moves, 0)


def draw(t: Any, s: Any, rng: int) -> int:
    card = lowest(draw_some(rng, _pack(s), 1, 0))
    return card + (DEALS if s["stage"] == DEAL else CUTS)


def apply(t: Any, s: Any, move: int) -> None:
    if move < GO:
        _play(s, t, move)
    elif move == GO:
        _go(s, t)
    elif move < DEALS:
        _throw(s, t, move - THROWS)
    elif move < CUTS:
        _deal(s, move - DEALS)
    else:
        _turn_up(s, t, move - CUTS)


@jit
def _peg(s: Any, t: Any, player: int, points: int) -> bool:
    """Give a player points; whether the game is won by them."""
    if points == 0:
        return False
    before = int(s["score"][player])
    after = before + points
    if t["kelly2017"] == 0:
        after = min(after, GOAL)
    s["back"][player], s["score"][player] = before, after
    s["gained"][player] += after - before
    return after >= GOAL


@jit
def _deal(s: Any, card: int) -> None:
    dealer = int(s["dealer"])
    dealt = int(s["left"][0]) + int(s["left"][1])
    if dealt == 0:
        s["gained"][:] = 0
    player = 1 - dealer if dealt % 2 == 0 else dealer
    s["held"][player] |= bit(card)
    s["left"][player] += 1
    if dealt == 11:
        s["stage"], s["actor"] = THROW, 1 - dealer


@jit
def _throw(s: Any, t: Any, pair: int) -> None:
    player = int(s["actor"])
    cards = bit(t["low"][pair]) | bit(t["high"][pair])
    s["held"][player] ^= cards
    s["thrown"][player] = cards
    s["left"][player] = 4
    if player == s["dealer"]:
        s["stage"], s["actor"] = CUT, CHANCE
    else:
        s["actor"] = s["dealer"]


@jit
def _turn_up(s: Any, t: Any, card: int) -> None:
    dealer = int(s["dealer"])
    s["cut"], s["stage"], s["actor"] = card, PLAY, 1 - dealer
    if card // SUITS == JACK and _peg(s, t, dealer, 2):
        s["actor"] = OVER


@jit
def _note(s: Any, entry: int) -> None:
    s["line"][s["n"]] = entry
    s["n"] += 1


@jit
def _play(s: Any, t: Any, card: int) -> None:
    player = int(s["actor"])
    other = 1 - player
    last, points = is_last(s, card), card_points(s, card)
    _note(s, card)
    s["held"][player] ^= bit(card)
    s["played"][player] |= bit(card)
    s["left"][player] -= 1
    s["count"] = int(s["count"]) + value(card)
    if _peg(s, t, player, points + (1 if last else 0)):
        s["actor"] = OVER
    elif s["left"][0] == 0 and s["left"][1] == 0:
        _show(s, t)
    elif last or s["count"] == 31:
        if last:
            _note(s, RAN_OUT)
        _count_anew(s, player)
    elif s["gone"] != other and s["left"][other] > 0:
        s["actor"] = other


@jit
def _go(s: Any, t: Any) -> None:
    player = int(s["actor"])
    if not closes(s):
        _note(s, GO_SAID - player)
        s["gone"], s["actor"] = player, 1 - player
        return
    last = last_to_play(s)
    _note(s, CLOSED - player)
    if _peg(s, t, last, 1):
        s["actor"] = OVER
    else:
        _count_anew(s, last)


@jit
def _count_anew(s: Any, last: int) -> None:
    """From zero; whoever did not play the last card begins, if he has cards."""
    s["count"], s["first"], s["gone"] = 0, s["n"], NONE
    s["actor"] = 1 - last if s["left"][1 - last] > 0 else last


@jit
def _show(s: Any, t: Any) -> None:
    """Count the hands in order; then the next deal, unless somebody has won."""
    dealer, cut = int(s["dealer"]), int(s["cut"])
    won = False
    s["shown"][:] = 0
    s["last"][0], s["last"][1] = cut, dealer
    for k in range(3):
        player = dealer if k > 0 else 1 - dealer
        cards = s["played"][player] if k < 2 else s["thrown"][0] | s["thrown"][1]
        s["shown"][k] = cards
        won = _peg(s, t, player, count_hand(t, cards, cut, k == 2)) or won
        if won and t["kelly2017"] == 0 and k < 2:
            s["actor"] = OVER
            return
    _gather(s)
    if won:
        s["actor"] = OVER
    else:
        s["dealer"], s["actor"] = 1 - dealer, CHANCE


# --- values ---------------------------------------------------------------------------------------


def payoff(t: Any, s: Any, pay: Any) -> None:
    """Where both have 121 (only under kelly2017) player 0, the first dealer, has won."""
    gain = 1.0 if s["score"][0] >= GOAL else -1.0
    pay[0], pay[1] = gain, -gain


@jit
def _between(s: Any) -> bool:
    """Whether a hand is over and the next one not dealt yet."""
    none_dealt = s["stage"] == DEAL and s["left"][0] == 0 and s["left"][1] == 0
    return none_dealt and s["last"][0] >= 0  # type: ignore[no-any-return]


def horizon(t: Any, s: Any, values: Any) -> int:
    """The end of a hand or of the game: each player's points in this hand, less the other's."""
    if s["actor"] != OVER and not _between(s):
        return 0
    gain = float(s["gained"][0]) - float(s["gained"][1])
    values[0], values[1] = gain, 0.0 - gain
    return 1


def winning(t: Any, s: Any, values: Any) -> int:
    """The same ends, at the payoff that is expected there: by both scores and who deals next."""
    if s["actor"] == OVER:
        gain = 1.0 if s["score"][0] >= GOAL else -1.0
    elif _between(s):
        dealer = int(s["dealer"])
        place = int(s["score"][dealer]) * GOAL + int(s["score"][1 - dealer])
        gain = 2.0 * t["winning"][place] - 1.0
        if dealer != 0:
            gain = 0.0 - gain
    else:
        return 0
    values[0], values[1] = gain, 0.0 - gain
    return 1
