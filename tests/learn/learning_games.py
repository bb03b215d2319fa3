"""What the tests of learning share: a few games of simulated people, and a small corpus."""

from __future__ import annotations

from functools import cache

from facedown.arena.records import GameRecord
from facedown.core import Game
from facedown.games.registry import load_game
from facedown.learn.corpus import Corpus, gather
from facedown.learn.people import Gathering

FIRST = 500


@cache
def cheat() -> Game:
    return load_game("cheat")


@cache
def records(pairs: int = 6, matches: int = 2) -> tuple[GameRecord, ...]:
    return tuple(Gathering("cheat", pairs, matches, 3, FIRST).play(cheat()))


@cache
def corpus() -> Corpus:
    return gather(cheat(), records())
