"""Boards, and positions made from parts: for given boards, tests, and whoever mirrors a game.

>>> from facedown.games.registry import load_game
>>> spot = make(load_game("settlers:board=1"), [Seat(settlements=[10], hand=[1, 0, 1, 1, 1])])
>>> int(spot.record["held"][0]), int(spot.record["points"][0])
(4, 1)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.core import Game, Position, SpecError, Stream, derive
from facedown.games.settlers import moves as m
from facedown.games.settlers import state as st
from facedown.games.settlers.geometry import EDGES, HARBOURS, HEXES, NODES, SPIRALS, TOKENS
from facedown.games.settlers.state import pack, unpack


@dataclass(frozen=True)
class Board:
    """The island: kinds and numbers of its hexes, kinds of its harbours, as `geometry` counts."""

    hexes: tuple[int, ...]
    numbers: tuple[int, ...]
    harbours: tuple[int, ...]

    def __post_init__(self) -> None:
        lengths = (len(self.hexes), len(self.numbers), len(self.harbours))
        if lengths != (HEXES, HEXES, HARBOURS):
            raise SpecError(f"a board has 19 hexes, 19 numbers and 9 harbours, not {lengths}")
        wrong = [k for k in (*self.hexes, *self.harbours) if not 0 <= k <= st.DESERT]
        if wrong:
            raise SpecError(f"{wrong[0]} is no kind of a hex or of a harbour: 0 to 5 is allowed")
        for kind, number in zip(self.hexes, self.numbers, strict=True):
            if (number == 0) != (kind == st.DESERT) or number == 7 or not 0 <= number <= 12:
                raise SpecError(
                    f"a hex of kind {kind} has the number {number}: 2 to 12 but 7, or 0"
                )
        often = [n for n in range(2, 13) if self.numbers.count(n) > 2]
        if often:
            raise SpecError(f"number {often[0]} lies on more than two hexes")
        if st.DESERT not in self.hexes:
            raise SpecError("a board has a desert, where the robber begins")

    @property
    def where(self) -> list[int]:
        """The two hexes of each sum of the dice, NONE where there is none."""
        found = [[h for h in range(HEXES) if self.numbers[h] == n] for n in range(13)]
        pairs = [(*places, st.NONE, st.NONE)[:2] for places in ([], *found[1:])]
        return [h for pair in pairs for h in pair]

    @property
    def key(self) -> int:
        """A number that stands for the board."""
        return derive(0, "settlers", *self.hexes, *self.numbers, *self.harbours) >> 1

    def put(self, record: Any) -> None:
        """Lay this board out in a position, or in a variant; the robber stands in the desert."""
        record["hexes"], record["numbers"] = self.hexes, self.numbers
        record["harbours"], record["where"] = self.harbours, self.where
        record["robber"], record["board"] = self.hexes.index(st.DESERT), self.key


def random_board(seed: int) -> Board:
    """A board laid out as chance would, the same for the same seed."""
    stream = Stream(derive(seed, "settlers", "board"))
    hexes = [kind for kind, n in enumerate(m.LAY_COUNTS) for _ in range(n)]
    harbours = [kind for kind, n in enumerate(m.MOOR_COUNTS) for _ in range(n)]
    stream.shuffle(hexes)
    stream.shuffle(harbours)
    numbers, tokens = [0] * HEXES, iter(TOKENS)
    for h in SPIRALS[stream.below(6)]:
        if hexes[h] != st.DESERT:
            numbers[h] = next(tokens)
    return Board(tuple(hexes), tuple(numbers), tuple(harbours))


def board_of(record: Any) -> Board:
    """The board of a position."""
    kinds = ("hexes", "numbers", "harbours")
    return Board(*(tuple(int(k) for k in record[name]) for name in kinds))


@dataclass(frozen=True)
class Seat:
    """What a player has: pieces by node and edge, cards by kind, knights played."""

    settlements: Sequence[int] = ()
    cities: Sequence[int] = ()
    roads: Sequence[int] = ()
    hand: Sequence[int] = (0, 0, 0, 0, 0)
    cards: Sequence[int] = (0, 0, 0, 0, 0)
    knights: int = 0


def make(
    game: Game,
    seats: Sequence[Seat],
    *,
    board: Board | None = None,
    player: int = 0,
    rolled: bool = True,
    spent: bool = False,
    fresh: Sequence[int] = (0, 0, 0, 0, 0),
    played: Sequence[int] | None = None,
    robber: int | None = None,
    longest: int | None = None,
    army: int | None = None,
    turns: int = 0,
) -> Position:
    """A position of `game` in a player's turn, before or after the dice.

    The board is the game's own, where it has one, unless another is given. `fresh` are those of the
    player's development cards that he bought in this turn, `spent` says that he has played one.
    `played` counts the cards played by all, by kind: without it, the knights. The holders of the
    longest road and of the largest army are found unless they are given (-1 is nobody): of several
    with the same, the first. Pieces are put down by the rules themselves.
    """
    gone = [sum(seat.knights for seat in seats), 0, 0, 0, 0] if played is None else list(played)
    _check(seats, gone)
    position = game.start()
    s = position.record
    given = board or getattr(game.definition, "board", None)
    if given is None:
        raise SpecError(f"{game.spec} has no board of its own: give one")
    given.put(s)
    for k, seat in enumerate(seats):
        _put_buildings(position, k, seat)
    for k, seat in enumerate(seats):
        _put_roads(position, k, seat)
        _put_cards(s, k, seat)
    s["played"], s["fresh"], s["bought"] = pack(gone), pack(fresh), sum(fresh)
    _settle_supplies(s)
    s["robber"] = s["robber"] if robber is None else robber
    s["player"], s["actor"], s["turns"] = player, player, turns
    s["rolled"], s["spent"], s["free"], s["count"] = int(rolled), int(spent), 0, 0
    s["spot"], s["phase"] = st.NONE, st.ACTING if rolled else st.BEFORE
    _award(s, longest, army)
    return position


def _check(seats: Sequence[Seat], played: Sequence[int]) -> None:
    """That there are enough pieces and cards, and that nothing lies on anything else."""
    nodes = [n for seat in seats for n in (*seat.settlements, *seat.cities)]
    edges = [e for seat in seats for e in seat.roads]
    for what, places, most in (("node", nodes, NODES), ("edge", edges, EDGES)):
        if len(set(places)) < len(places) or not all(0 <= place < most for place in places):
            raise SpecError(f"{places}: each {what} once, from 0 to {most - 1}")
    limits = (st.MOST_SETTLEMENTS, st.MOST_CITIES, st.MOST_ROADS)
    for seat in seats:
        pieces = (len(seat.settlements), len(seat.cities), len(seat.roads))
        if any(n > limit for n, limit in zip(pieces, limits, strict=True)):
            raise SpecError(f"{pieces} settlements, cities and roads: a player has {limits}")
    for what, hands, supply in (
        ("resources", [seat.hand for seat in seats], unpack(st.SUPPLY)),
        ("development cards", [*(seat.cards for seat in seats), played], unpack(st.DECK)),
    ):
        sums = [sum(hand[kind] for hand in hands) for kind in range(5)]
        if any(n > most for n, most in zip(sums, supply, strict=True)):
            raise SpecError(f"{sums} {what} in all, there are {supply}")


def _put_buildings(position: Position, player: int, seat: Seat) -> None:
    s = position.record
    for node in (*seat.settlements, *seat.cities):
        s["phase"], s["count"], s["actor"] = st.SETTLING, 0, player
        position.play(m.SETTLE + node)
    for node in seat.cities:  # paid from a hand that is written afterwards
        s["hands"][player], s["held"][player] = st.CITY_COST, 5
        s["phase"], s["actor"] = st.ACTING, player
        position.play(m.UPGRADE + node)


def _put_roads(position: Position, player: int, seat: Seat) -> None:
    s = position.record
    for edge in seat.roads:
        s["phase"], s["free"], s["actor"] = st.PAVING_FREE, 2, player
        position.play(m.PAVE + edge)


def _put_cards(s: Any, player: int, seat: Seat) -> None:
    s["hands"][player], s["held"][player] = pack(seat.hand), sum(seat.hand)
    s["cards"][player], s["unplayed"][player] = pack(seat.cards), sum(seat.cards)
    s["knights"][player], s["silent"][player] = seat.knights, sum(seat.cards)


def _settle_supplies(s: Any) -> None:
    """The bank and the deck have what is in nobody's hands."""
    s["bank"] = st.SUPPLY - sum(int(hand) for hand in s["hands"])
    s["stock"] = (int(s["bank"]) + 0x7F7F7F7F7F) & st.TOPS
    s["deck"] = st.DECK - int(s["played"]) - sum(int(cards) for cards in s["cards"])
    s["left"] = sum(unpack(s["deck"]))


def _award(s: Any, longest: int | None, army: int | None) -> None:
    """Longest road and largest army to whom they are given, or to whom they belong."""
    most = int(np.argmax(s["knights"]))
    found = most if int(s["knights"][most]) >= 3 else st.NONE
    for name, given, natural in (("longest", longest, int(s["longest"])), ("army", army, found)):
        held = int(s[name])
        holder = natural if given is None else given
        if held != st.NONE:
            s["points"][held] -= 2
        if holder != st.NONE:
            s["points"][holder] += 2
        s[name] = holder
