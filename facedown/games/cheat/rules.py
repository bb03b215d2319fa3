"""The Cheat Game for two, as Bitan and Kraus (2017) play it (section 4).

Chance says who begins, deals eight cards each and turns up the top card of the deck: it lies on the
table and stands for the first claim, which nobody can call. Players then take turns, a *round*
each. Whoever's turn it is claims to lay down one to four cards of the rank one higher or one lower
than the last claim, the king and the ace being neighbours; or calls the claim just made a lie; or
takes a card from the deck, while there is one. After a call all that lies on the table is shown:
the liar takes it, or whoever called a true claim. The claimed rank stands even if it was a lie. A
player without cards has won when his turn comes round again; until then the other has one move, a
call perhaps. After 100 rounds whoever holds fewer cards has won; equal hands share the win
(payoff 0).

**Moves.** The eighteen moves are the abstract actions of section 4.4: direction, truth and number
of cards of a claim; call; take. A true claim lays down cards of the claimed rank. What a lie lays
down, cards of other ranks, is drawn: each set of so many of them is equally likely. It is *chance*
that draws, card by card, for the mover's eyes only, rather than the mover who chooses, for three
reasons. The paper's players do it so. A search then decides among 18 moves and never among the
hundreds of ways to lay them out, nor does its tree get a level for each card. And what an opponent
may have laid is drawn by the same law that `determinize` follows. To everybody else a lie shows
when it is complete, and looks like a true claim; likewise a card taken when it is drawn.

Only ranks count, so a position knows no suits. The record keeps all rounds, for a player remembers
what was claimed, called, shown and taken; a view lacks what is not the viewer's to know: the
other's cards, whether the other's claims since the last call were true, which cards the other took
from the deck.
"""

from __future__ import annotations

from typing import Any

from facedown.core import CHANCE, OVER, below, jit
from facedown.games.cheat.cards import (
    NONE,
    alike,
    count,
    draw_rank,
    insert,
    pack,
    unit,
)
from facedown.games.cheat.key import bucket, secret
from facedown.games.cheat.knowledge import hide, infoset
from facedown.games.cheat.policy import playout
from facedown.games.cheat.state import (
    BEGINS,
    CALL,
    DEALS,
    DRAWS,
    FALSE_HIGHER,
    FALSE_LOWER,
    LAYS,
    PILE,
    STOCK,
    TAKE,
    TRUE_HIGHER,
    TRUE_LOWER,
    TURNS,
    State,
    beside,
    bit,
    cards_of,
    goes_lower,
    is_claim,
    is_lie,
    laid_at,
    mover,
    mover_of,
)
from facedown.games.cheat.tokens import sees
from facedown.games.cheat.worlds import determinize, suppose

__all__ = [
    "State",
    "apply",
    "bucket",
    "determinize",
    "draw",
    "hide",
    "infoset",
    "legal",
    "payoff",
    "playout",
    "secret",
    "sees",
    "start",
    "suppose",
    "turn",
    "weights",
]


def start(v: Any, s: Any) -> None:
    s["cards"][:] = 0
    s["cards"][STOCK] = pack(v["ranks"], v["copies"])
    s["deck"] = v["ranks"] * v["copies"]
    s["known"][:] = 0
    s["laid"][:] = 0
    s["line"][:] = NONE
    for player in range(2):
        s["claimed"][player], s["again"][player], s["caught"][player] = 0, 0, 0
        s["times"][player], s["size"][player] = 0, 0
    s["table"], s["n"], s["since"], s["owed"] = 0, 0, 0, 0
    s["actor"], s["first"], s["turned"], s["rank"], s["doing"] = CHANCE, NONE, NONE, NONE, NONE


def turn(v: Any, s: Any) -> int:
    return int(s["actor"])


# --- what can be played ---------------------------------------------------------------------------


@jit
def _list_claims(moves: Any, n: int, kind: int, most: int) -> int:
    for k in range(min(most, 4)):
        moves[n + k] = kind + k
    return n + min(most, 4)


@jit
def _list_actions(s: Any, v: Any, moves: Any) -> int:
    player, rank, ranks = mover(s), int(s["rank"]), v["ranks"]
    hand, held = s["cards"][player], int(s["size"][player])
    up = count(hand, beside(rank, False, ranks))
    down = count(hand, beside(rank, True, ranks))
    n = _list_claims(moves, 0, TRUE_HIGHER, up)
    n = _list_claims(moves, n, TRUE_LOWER, down)
    n = _list_claims(moves, n, FALSE_HIGHER, held - up)
    n = _list_claims(moves, n, FALSE_LOWER, held - down)
    if s["n"] > 0 and is_claim(int(s["line"][s["n"] - 1])):
        moves[n] = CALL
        n += 1
    if s["deck"] > 0:
        moves[n] = TAKE
        n += 1
    return n


@jit
def _to_deal(s: Any, v: Any) -> bool:
    return int(s["size"][0]) + int(s["size"][1]) < 2 * v["dealt"] and s["turned"] == NONE  # type: ignore[no-any-return]


@jit
def _drawn_from(s: Any, v: Any) -> tuple[int, int, int]:
    """What chance draws from: the counts, how many cards that is, and the first move's number.

    Not before it is said who begins.
    """
    if s["turned"] == NONE:
        shift = DEALS if _to_deal(s, v) else TURNS
        return s["cards"][STOCK], int(s["deck"]), shift
    if s["doing"] == TAKE:
        return s["cards"][STOCK], int(s["deck"]), DRAWS
    player, move = mover(s), int(s["doing"])
    rank = beside(int(s["rank"]), goes_lower(move), v["ranks"])
    hand = s["cards"][player]
    same = count(hand, rank)
    held = int(s["size"][player]) - (cards_of(move) - int(s["owed"]))
    return hand - same * unit(rank), held - same, LAYS


def legal(v: Any, s: Any, moves: Any) -> int:
    if s["actor"] != CHANCE:
        return _list_actions(s, v, moves)
    if s["first"] == NONE:
        moves[0], moves[1] = BEGINS, BEGINS + 1
        return 2
    cards, _, shift = _drawn_from(s, v)
    n = 0
    for rank in range(v["ranks"]):
        if count(cards, rank) > 0:
            moves[n] = shift + rank
            n += 1
    return n


def weights(v: Any, s: Any, out: Any) -> None:
    if s["first"] == NONE:
        out[0], out[1] = 1.0, 1.0
        return
    cards, _, _ = _drawn_from(s, v)
    n = 0
    for rank in range(v["ranks"]):
        if count(cards, rank) > 0:
            out[n] = count(cards, rank)
            n += 1


def draw(v: Any, s: Any, rng: int) -> int:
    if s["first"] == NONE:
        return BEGINS + below(rng, 2)
    cards, n, shift = _drawn_from(s, v)
    return shift + draw_rank(rng, cards, n)


# --- playing --------------------------------------------------------------------------------------


def apply(v: Any, s: Any, move: int) -> None:
    if move < FALSE_HIGHER:
        _tell_truth(s, v, move)
    elif move < CALL or move == TAKE:  # chance draws the cards first
        s["doing"], s["owed"], s["actor"] = move, 1 if move == TAKE else cards_of(move), CHANCE
    elif move == CALL:
        _call(s)
        _pass_on(s, v)
    elif move < DEALS:
        s["first"] = move - BEGINS
    elif move < TURNS:
        _deal(s, v, move - DEALS)
    elif move < LAYS:
        _turn_up(s, v, move - TURNS)
    elif move < DRAWS:
        _lay(s, v, move - LAYS)
    else:
        _take(s, v, move - DRAWS)


@jit
def _deal(s: Any, v: Any, rank: int) -> None:
    dealt = int(s["size"][0]) + int(s["size"][1])
    player = mover_of(s, dealt)
    s["cards"][STOCK] -= unit(rank)
    s["cards"][player] += unit(rank)
    s["size"][player] += 1
    s["deck"] -= 1


@jit
def _turn_up(s: Any, v: Any, rank: int) -> None:
    s["cards"][STOCK] -= unit(rank)
    s["cards"][PILE] = unit(rank)
    s["deck"] -= 1
    s["table"], s["turned"], s["rank"] = 1, rank, rank
    s["actor"] = mover(s)


@jit
def _pass_on(s: Any, v: Any) -> None:
    """The round is over: the other's turn, unless he has won by now or rounds have run out."""
    player = mover(s)
    if s["size"][player] == 0 or s["n"] >= v["rounds"]:
        s["actor"] = OVER
    else:
        s["actor"] = player


@jit
def _note(s: Any, move: int) -> None:
    """Write the round down."""
    s["line"][s["n"]] = move
    s["n"] += 1
    s["doing"] = NONE


@jit
def _claim(s: Any, v: Any, move: int) -> None:
    """The claim is made; its cards have been laid."""
    player, k = mover(s), cards_of(move)
    rank = beside(int(s["rank"]), goes_lower(move), v["ranks"])
    one = bit(rank)
    s["again"][player] |= int(s["claimed"][player]) & one
    s["claimed"][player] |= one
    s["size"][player] -= k
    s["table"] += k
    s["rank"] = rank
    _note(s, move)
    _pass_on(s, v)


@jit
def _tell_truth(s: Any, v: Any, move: int) -> None:
    rank = beside(int(s["rank"]), goes_lower(move), v["ranks"])
    k = cards_of(move)
    s["cards"][mover(s)] -= k * unit(rank)
    s["cards"][PILE] += k * unit(rank)
    s["laid"][s["n"]] = alike(rank, k)
    _claim(s, v, move)


@jit
def _lay(s: Any, v: Any, rank: int) -> None:
    s["cards"][mover(s)] -= unit(rank)
    s["cards"][PILE] += unit(rank)
    s["laid"][s["n"]] = insert(laid_at(s, s["n"]), rank)
    s["owed"] -= 1
    if s["owed"] == 0:
        _claim(s, v, int(s["doing"]))


@jit
def _take(s: Any, v: Any, rank: int) -> None:
    player = mover(s)
    s["cards"][STOCK] -= unit(rank)
    s["cards"][player] += unit(rank)
    s["laid"][s["n"]] = rank + 1
    s["size"][player] += 1
    s["deck"] -= 1
    s["owed"] = 0
    _note(s, TAKE)
    _pass_on(s, v)


@jit
def _show_pile(s: Any) -> None:
    """Everybody sees who laid what since the last call: those cards are known to be shed."""
    for k in range(int(s["since"]), int(s["n"])):
        if not is_claim(int(s["line"][k])):
            continue
        player, laid = mover_of(s, k), laid_at(s, k)
        while laid != 0:
            rank = (laid & 15) - 1
            if count(s["known"][player], rank) > 0:
                s["known"][player] -= unit(rank)
            laid >>= 4


@jit
def _call(s: Any) -> None:
    caller = mover(s)
    accused, lie = 1 - caller, is_lie(int(s["line"][s["n"] - 1]))
    taker = accused if lie else caller
    if lie:
        s["caught"][accused] |= bit(int(s["rank"]))
        s["times"][accused] += 1
    _show_pile(s)
    s["known"][taker] += s["cards"][PILE]
    s["cards"][taker] += s["cards"][PILE]
    s["size"][taker] += s["table"]
    s["cards"][PILE], s["table"] = 0, 0
    for player in range(2):
        s["claimed"][player], s["again"][player] = 0, 0
    _note(s, CALL)
    s["since"] = s["n"]


def payoff(v: Any, s: Any, pay: Any) -> None:
    """1 for the winner and -1 for the loser; 0 each for equal hands after the last round."""
    player = mover(s)
    mine, other = int(s["size"][player]), int(s["size"][1 - player])
    gain = 0.0
    if mine == 0 or mine < other:
        gain = 1.0
    elif mine > other:
        gain = -1.0
    pay[player], pay[1 - player] = gain, 0.0 - gain
