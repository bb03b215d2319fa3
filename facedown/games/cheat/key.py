"""The abstraction: sixteen attributes of a player's situation in 32 bits (sections 4.3, figure 1).

| bits | attribute |
|---|---|
| 0-1 | 1: the previous action: a true claim, a false one, a card taken, a call |
| 2, 3 | 2, 3: can claim truly, one rank higher; lower |
| 4-6, 7-9, 10-12 | 4, 5, 6: own cards, the opponent's, on the table; 5 is 5 to 8, 6 is more |
| 13-19 | 7: the round, from 1 |
| 20-21, 22-23 | 8, 9: cards of the higher, lower rank that the opponent took in piles; 3 for more |
| 24, 25 | 10, 11: has claimed the higher, lower rank since the last call |
| 26, 27 | 12, 13: the opponent has |
| 28, 29 | 14, 15: was caught cheating on the higher, lower rank |
| 30 | 16: was caught cheating on any |
| 31 | spare in the paper. Here bits 0-1 mean something else: 0 no previous action, 1 a claim whose
truth the viewer of a view has not seen; in a world it is known |

As in the paper (section 4.3) the key has the truth of the claim just made, which its player has
not seen: a search takes claims as public, and asks for the label (`secret`) of the one at its root
what a predictor makes of it. Nothing else of the key is hidden from its player.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from facedown.core import jit
from facedown.games.cheat.cards import count
from facedown.games.cheat.state import (
    CALL,
    FALSE_HIGHER,
    TAKE,
    UNSEEN,
    beside,
    is_claim,
    is_lie,
    mover_of,
)

TRUE_CLAIM, FALSE_CLAIM, TAKE_CARD, CALL_CHEAT = range(4)
UNCLEAR = 1 << 31  # then the previous action is none, or a claim whose truth is unseen
NO_LABEL, TRUE, FALSE = 0, 1, 2  # labels of `secret`


@jit
def _psi(n: int) -> int:
    """The paper's binning of numbers of cards, 0 included."""
    if n <= 4:
        return n
    return 5 if n <= 8 else 6


@jit
def _previous(s: Any) -> int:
    """Bits 0, 1 and 31: the previous action."""
    if s["n"] == 0:
        return UNCLEAR
    code = int(s["line"][s["n"] - 1])
    if code >= UNSEEN:
        return UNCLEAR + 1
    if code == CALL:
        return CALL_CHEAT
    if code == TAKE:
        return TAKE_CARD
    return FALSE_CLAIM if is_lie(code) else TRUE_CLAIM


@jit
def _bit(ranks: int, rank: int) -> int:
    return (int(ranks) >> rank) & 1


@jit
def bits_of(s: Any, ranks: int, player: int) -> int:
    """The 32 bits of a player's situation."""
    other, rank = 1 - player, int(s["rank"])
    hand, key = s["cards"][player], _previous(s)
    for lower in range(2):
        near = beside(rank, lower == 1, ranks)
        key += (1 if count(hand, near) > 0 else 0) << (2 + lower)
        key += min(count(s["known"][other], near), 3) << (20 + 2 * lower)
        key += _bit(s["claimed"][player], near) << (24 + lower)
        key += _bit(s["claimed"][other], near) << (26 + lower)
        key += _bit(s["caught"][player], near) << (28 + lower)
    key += _psi(int(s["size"][player])) << 4
    key += _psi(int(s["size"][other])) << 7
    key += _psi(int(s["table"])) << 10
    key += (int(s["n"]) + 1) << 13
    return key + ((1 if s["times"][player] > 0 else 0) << 30)


def bucket(v: Any, s: Any, viewer: int) -> int:
    """The 32 bits of a player's situation; the public has none, and they are 0 before the deal."""
    if viewer < 0 or s["rank"] < 0:
        return 0
    return bits_of(s, v["ranks"], viewer)


def secret(v: Any, s: Any, viewer: int) -> int:
    """Whether the claim that the other has just made is true: 1, false: 2; 0 if it was no claim."""
    last = int(s["n"]) - 1
    if last < 0 or mover_of(s, last) == viewer:
        return NO_LABEL
    code = int(s["line"][last])
    if not is_claim(code) or code >= UNSEEN:
        return NO_LABEL
    return FALSE if is_lie(code) else TRUE


# --- in words -------------------------------------------------------------------------------------

_ACTIONS = ("true claim", "false claim", "card taken", "call")
_UNCLEAR = ("none", "claim, its truth unseen")


def previous_text(code: int | None) -> str:
    """The first attribute: the entry of the line before, None where there is none."""
    if code is None:
        return _UNCLEAR[0]
    if code >= UNSEEN:
        return _UNCLEAR[1]
    if code >= CALL:
        return _ACTIONS[CALL_CHEAT if code == CALL else TAKE_CARD]
    return _ACTIONS[FALSE_CLAIM if code >= FALSE_HIGHER else TRUE_CLAIM]


@dataclass(frozen=True)
class Attributes:
    """The sixteen attributes; pairs are of the higher and of the lower rank."""

    previous: str
    can_claim: tuple[bool, bool]
    hand: int
    opponent: int
    table: int
    round: int
    known: tuple[int, int]
    claimed: tuple[bool, bool]
    opponent_claimed: tuple[bool, bool]
    caught: tuple[bool, bool]
    ever_caught: bool


def _flags(key: int, shift: int) -> tuple[bool, bool]:
    return bool(key >> shift & 1), bool(key >> shift + 1 & 1)


def decode(key: int) -> Attributes:
    """The attributes that a key holds; ValueError where it is no key."""
    names = _UNCLEAR if key >> 31 & 1 else _ACTIONS
    if not 0 <= key < 1 << 32 or key & 3 >= len(names):
        raise ValueError(f"{key} is no key of a situation: 32 bits as `encode` gives are wanted")
    return Attributes(
        previous=names[key & 3],
        can_claim=_flags(key, 2),
        hand=key >> 4 & 7,
        opponent=key >> 7 & 7,
        table=key >> 10 & 7,
        round=key >> 13 & 127,
        known=(key >> 20 & 3, key >> 22 & 3),
        claimed=_flags(key, 24),
        opponent_claimed=_flags(key, 26),
        caught=_flags(key, 28),
        ever_caught=bool(key >> 30 & 1),
    )


def encode(found: Attributes) -> int:
    """The key that holds these attributes.

    >>> encode(decode(0x4123_4567)) == 0x4123_4567
    True
    """
    unclear = found.previous in _UNCLEAR
    key = (_UNCLEAR if unclear else _ACTIONS).index(found.previous) + (unclear << 31)
    for shift, pair in (
        (2, found.can_claim),
        (24, found.claimed),
        (26, found.opponent_claimed),
        (28, found.caught),
    ):
        key += (pair[0] << shift) + (pair[1] << shift + 1)
    key += (found.hand << 4) + (found.opponent << 7) + (found.table << 10) + (found.round << 13)
    return key + (found.known[0] << 20) + (found.known[1] << 22) + (found.ever_caught << 30)


def _some(binned: int) -> str:
    return {5: "5 to 8", 6: "9 or more"}.get(binned, str(binned))


def _ways(pair: tuple[bool, bool]) -> str:
    return {
        (True, True): "higher and lower",
        (True, False): "higher",
        (False, True): "lower",
        (False, False): "neither",
    }[pair]


def words(key: int) -> str:
    """A key in words, one line for each attribute or pair of them.

    >>> print(words(0x8000_2441).splitlines()[0])
    previous action: claim, its truth unseen
    """
    found = decode(key)
    known = " and ".join(
        f"{n if n < 3 else '3 or more'} {way}"
        for n, way in zip(found.known, ("higher", "lower"), strict=True)
    )
    return "\n".join(
        [
            f"previous action: {found.previous}",
            f"can claim truly: {_ways(found.can_claim)}",
            f"cards: {_some(found.hand)}, the opponent {_some(found.opponent)}, "
            f"on the table {_some(found.table)}",
            f"round: {found.round}",
            f"taken by the opponent in piles: {known}",
            f"has claimed since the last call: {_ways(found.claimed)}",
            f"the opponent has: {_ways(found.opponent_claimed)}",
            f"was caught cheating on: {_ways(found.caught)}",
            f"was ever caught: {'yes' if found.ever_caught else 'no'}",
        ]
    )
