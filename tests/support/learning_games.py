"""What the tests of learning share: a few games of simulated people, and a small corpus."""

from __future__ import annotations

from functools import cache

from facedown.core import Game, Position
from facedown.learn.corpus import Corpus, gather
from facedown.learn.people import Gathering
from facedown.store.records import GameRecord
from support import cheat_table
from support.playing import game

FIRST = 500
MINE, YOURS = "2 2 2 4 5 9 J K", "A 4 4 6 8 9 T Q"


def cheat() -> Game:
    return game("cheat")


def dealt(first: str = MINE, second: str = YOURS, turned: str = "3") -> Position:
    return cheat_table.dealt(first, second, turned)


@cache
def records(pairs: int = 6, matches: int = 2) -> tuple[GameRecord, ...]:
    return tuple(Gathering("cheat", pairs, matches, 3, FIRST).play(cheat()))


@cache
def corpus() -> Corpus:
    return gather(cheat(), records())
