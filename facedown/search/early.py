"""When a search whose most visited move is played may stop: as soon as that cannot change."""

from __future__ import annotations

from collections.abc import Collection


def undecided(visits: Collection[int], left: int) -> int:
    """After how many more iterations the most visited move may be certain at the earliest; 0: now.

    `visits` are those of the moves so far, of which an iteration adds at most one to each. With
    `left` iterations to go the leader is certain once it is ahead of the second by more than that:
    a tie would go by means. All that is done at best is one more visit for the leader alone.

    >>> undecided([60, 10], 49), undecided([60, 11], 49), undecided([], 100)
    (0, 1, 51)
    """
    second, first = sorted([0, 0, *visits])[-2:]
    behind = left - (first - second)
    return 0 if behind < 0 else behind // 2 + 1
