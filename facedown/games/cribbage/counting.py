"""The count of a hand, in plain Python and item by item: for tables, text and the scripted player.

Ranks are 0 (ace) to 12 (king); cards as in `cards`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from facedown.games.cribbage.cards import JACK, SUITS

_NAMES = {"fifteens": "fifteen", "pairs": "pair", "runs": "run"}


def worth(card: int) -> int:
    """What a card counts towards fifteen and thirty-one."""
    return min(card // SUITS + 1, 10)


def fifteens(ranks: Sequence[int]) -> int:
    """Two points for every set of cards that adds up to fifteen.

    >>> fifteens([4, 4, 4, 4, 10])  # four fives and a jack
    16
    """
    values = [min(rank + 1, 10) for rank in ranks]
    sums = (sum(some) for n in range(2, len(values) + 1) for some in combinations(values, n))
    return 2 * sum(total == 15 for total in sums)


def pairs(ranks: Sequence[int]) -> int:
    """Two points for every pair: six for three of a kind, twelve for four.

    >>> pairs([4, 4, 4, 10, 10])
    8
    """
    return sum(n * (n - 1) for n in Counter(ranks).values())


def runs(ranks: Sequence[int]) -> int:
    """The length of every longest run of three or more, once for each way to make it.

    >>> runs([6, 7, 7, 8, 12]), runs([2, 3, 4, 5, 9]), runs([0, 1, 11, 12, 5])
    (6, 4, 0)
    """
    have, total, length, ways = Counter(ranks), 0, 0, 1
    for rank in range(14):  # 13 is no rank: it ends the last run
        if have[rank]:
            length, ways = length + 1, ways * have[rank]
            continue
        total += length * ways if length >= 3 else 0
        length, ways = 0, 1
    return total


def flush(hand: Sequence[int], cut: int | None, *, crib: bool) -> int:
    """Four points for a hand of one suit, five with the cut; in the crib only all five count."""
    suits = {card % SUITS for card in hand}
    if len(suits) > 1:
        return 0
    if cut is not None and cut % SUITS in suits:
        return 5
    return 0 if crib else 4


def nobs(hand: Sequence[int], cut: int | None) -> int:
    """One for the jack of the cut's suit."""
    return int(cut is not None and SUITS * JACK + cut % SUITS in hand)


def count(hand: Sequence[int], cut: int | None, *, crib: bool = False) -> dict[str, int]:
    """What a hand of four cards counts with the cut, or without one: item by item."""
    ranks = [card // SUITS for card in (*hand, *(() if cut is None else (cut,)))]
    return {
        "fifteens": fifteens(ranks),
        "pairs": pairs(ranks),
        "runs": runs(ranks),
        "flush": flush(hand, cut, crib=crib),
        "nobs": nobs(hand, cut),
    }


def play_points(pile: Sequence[int]) -> int:
    """What the last card of the pile makes in the play, but for the one of a last card.

    >>> play_points([12, 16, 8])  # 4c 5c 3c: a run of three
    3
    """
    points = 2 * (sum(map(worth, pile)) in (15, 31))
    ranks = [card // SUITS for card in reversed(pile)]
    alike = next((k for k, rank in enumerate(ranks) if rank != ranks[0]), len(ranks))
    if alike > 1:
        return points + alike * (alike - 1)
    made = (n for n in range(len(ranks), 2, -1) if _one_run(ranks[:n]))
    return points + next(made, 0)


def _one_run(ranks: Sequence[int]) -> bool:
    """Whether all of them together are one run."""
    return len(set(ranks)) == len(ranks) == max(ranks) - min(ranks) + 1


def count_text(items: dict[str, int]) -> str:
    """A count as people say it.

    >>> count_text({"fifteens": 4, "pairs": 0, "runs": 3, "flush": 0, "nobs": 1})
    'fifteens 4, run 3, nobs 1 = 8'
    """
    said = ", ".join(
        f"{_NAMES[name] if points <= _single(name) else name} {points}"
        if name in _NAMES
        else f"{name} {points}"
        for name, points in items.items()
        if points
    )
    return f"{said} = {sum(items.values())}" if said else "nothing = 0"


def _single(name: str) -> int:
    """The most points that one of these can make."""
    return 5 if name == "runs" else 2
