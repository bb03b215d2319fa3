"""What the 32-bit key of Cheat is worth: `python benchmarks/cheat_key.py`.

Bitan and Kraus (2017, section 4.3.1) packed sixteen attributes, 15 bytes as they are, into 32 bits
and could make 12 times more simulations in the same time. Here the same search is made with the
packed key and with the attributes as they are, compiled and in plain Python:

- compiled: the search of `mga`, its nodes under the packed key; and under a key that is made of the
  sixteen attributes one by one, each mixed in. (All tables here have 64-bit keys.)
- plain Python: the same algorithm in a few lines of Python, its nodes in a dictionary under the
  packed key, or under a tuple of the attributes. Rules are compiled in both; moves beyond the tree
  are drawn evenly.
- look-ups alone, without a search: Python's dictionary under integers and under tuples, and Numba's
  typed one under 32-bit integers and under tuples of sixteen bytes.

All in one process, CPU time of the thread, interleaved; medians over the rounds.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Hashable
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numba
import numpy as np
from rich.console import Console
from rich.table import Table

from facedown.agents.registry import make_agent
from facedown.arena.bench import first_decision
from facedown.core import CHANCE, Game, Position, Stream, jit, mix
from facedown.games.cheat import Cheat, rules
from facedown.games.cheat.cards import count
from facedown.games.cheat.key import decode
from facedown.games.cheat.state import CALL, TAKE, UNSEEN, beside, is_lie
from facedown.games.registry import load_game
from facedown.search.budget import Budget
from facedown.search.search import Search

ROUNDS = 7
SIMULATIONS, SLOW_SIMULATIONS = 20_000, 150
LOOKUPS = 200_000
C, ETA, GAMMA, D, DISCOUNT = 1.4, 0.9, 0.1, 0.0025, 0.995


# --- the attributes as they are, compiled ---------------------------------------------------------


@jit
def _psi(n: int) -> int:
    if n <= 4:
        return n
    return 5 if n <= 8 else 6


@jit
def _previous(s: Any) -> int:
    if s["n"] == 0:
        return 4
    code = int(s["line"][s["n"] - 1])
    if code >= UNSEEN:
        return 5
    if code == CALL:
        return 3
    if code == TAKE:
        return 2
    return 1 if is_lie(code) else 0


@jit
def attributes_of(s: Any, ranks: int, player: int, out: Any) -> None:
    """The sixteen attributes, one after another [16]."""
    other, rank, hand = 1 - player, int(s["rank"]), s["cards"][player]
    out[0] = _previous(s)
    out[1], out[2] = _psi(int(s["size"][player])), _psi(int(s["size"][other]))
    out[3], out[4] = _psi(int(s["table"])), int(s["n"]) + 1
    for lower in range(2):
        near = beside(rank, lower == 1, ranks)
        out[5 + lower] = 1 if count(hand, near) > 0 else 0
        out[7 + lower] = min(count(s["known"][other], near), 3)
        out[9 + lower] = (int(s["claimed"][player]) >> near) & 1
        out[11 + lower] = (int(s["claimed"][other]) >> near) & 1
        out[13 + lower] = (int(s["caught"][player]) >> near) & 1
    out[15] = 1 if s["times"][player] > 0 else 0


def bucket(v: Any, s: Any, viewer: int) -> int:
    """The attributes, mixed in one by one."""
    if viewer < 0 or s["rank"] < 0:
        return 0
    found = np.empty(16, np.uint8)
    attributes_of(s, v["ranks"], viewer, found)
    key = mix(0, found[0])
    for k in range(1, 16):
        key = mix(key, found[k])
    return np.int64(key)  # type: ignore[return-value]


UNPACKED = ModuleType("unpacked")
UNPACKED.__dict__.update({**vars(rules), "bucket": bucket})


class Unpacked(Cheat):
    rules: ClassVar = UNPACKED


def compiled(spec: str) -> Callable[[], float]:
    """Simulations a CPU second of the search of `mga`."""
    game = load_game(spec)
    root = first_decision(game, seed=1)
    agent: Any = make_agent(
        f"mga:iterations={SIMULATIONS},c={C},d={D},discount={DISCOUNT}", game, root.turn(), seed=1
    )
    seen, legal = root.view(agent.player), root.legal()

    def measure() -> float:
        search = Search(game, agent.recipe, seen, agent.player, legal, seed=7)
        began = time.thread_time()
        search.run(Budget(SIMULATIONS))
        return SIMULATIONS / (time.thread_time() - began)

    return measure


# --- plain Python ---------------------------------------------------------------------------------


def tuple_of(position: Position, player: int) -> tuple[Hashable, ...]:
    """The sixteen attributes as a tuple, found in Python."""
    s, other = position.record, 1 - player
    rank, n = int(s["rank"]), int(s["n"])
    up, down = 4 * ((rank + 1) % 13), 4 * ((rank + 12) % 13)
    hand, known = int(s["cards"][player]), int(s["known"][other])
    sizes = [int(s["size"][player]), int(s["size"][other]), int(s["table"])]
    found: list[Hashable] = [_previous.py_func(s), n + 1, int(s["times"][player]) > 0]
    found += [size if size <= 4 else 5 if size <= 8 else 6 for size in sizes]
    for near in (up, down):
        found += [hand >> near & 15 > 0, min(known >> near & 15, 3)]
        for field, whose in (("claimed", player), ("claimed", other), ("caught", player)):
            found.append(int(s[field][whose]) >> (near >> 2) & 1)
    return tuple(found)


def packed_of(position: Position, player: int) -> int:
    return position.bucket(player)


class PlainSearch:
    """Algorithms 2 and 3 of the paper, over a dictionary of nodes: visits and totals by move."""

    def __init__(self, key_of: Callable[[Position, int], Hashable], seed: int) -> None:
        self.nodes: dict[Hashable, dict[int, list[float]]] = {}
        self._key_of, self._stream = key_of, Stream(seed)

    def run(self, root: Position, player: int, simulations: int) -> None:
        for _ in range(simulations):
            world = root.view(player)
            world.determinize(player, self._stream)
            self._simulate(world)

    def _simulate(self, world: Position) -> None:
        path: list[tuple[dict[int, list[float]], int, int, int]] = []
        out, depth = [False, False], 0
        while not world.over:
            player = world.turn()
            if player == CHANCE:
                world.apply(world.draw(self._stream))
                continue
            legal = world.legal()
            move = self._stream.choice(legal)
            if not out[player]:
                key = (player, self._key_of(world, player))
                node = self.nodes.setdefault(key, {})
                out[player] = not node
                move = move if out[player] else self._select(node, legal)
                path.append((node, move, player, depth))
            world.apply(move)
            depth += 1
        payoffs = world.payoff()
        for node, move, player, at in path:
            edge = node.setdefault(move, [0.0, 0.0])
            edge[0] += 1
            edge[1] += payoffs[player] * DISCOUNT ** (depth - at)

    def _select(self, node: dict[int, list[float]], legal: list[int]) -> int:
        here = {move: node[move] for move in legal if move in node}
        visits = sum(edge[0] for edge in here.values())
        if len(here) < len(legal):
            return self._stream.choice([move for move in legal if move not in here])
        if self._stream.random() < max(GAMMA, ETA / (1 + D * math.sqrt(visits))):
            log = math.log(visits)
            return max(
                here, key=lambda m: here[m][1] / here[m][0] + C * math.sqrt(log / here[m][0])
            )
        point = self._stream.random() * visits
        for move, edge in here.items():
            point -= edge[0]
            if point < 0:
                return move
        return legal[-1]


def plain(key_of: Callable[[Position, int], Hashable]) -> Callable[[], float]:
    """Simulations a CPU second of the search in Python."""
    root = first_decision(load_game("cheat"), seed=1)
    player = root.turn()

    def measure() -> float:
        search = PlainSearch(key_of, seed=7)
        began = time.thread_time()
        search.run(root, player, SLOW_SIMULATIONS)
        return SLOW_SIMULATIONS / (time.thread_time() - began)

    return measure


# --- look-ups alone -------------------------------------------------------------------------------


@numba.njit
def _count_packed(keys: Any, table: Any) -> int:
    for k in range(len(keys)):
        table[keys[k]] = table.get(keys[k], 0) + 1
    return len(table)


@numba.njit
def _count_tuples(rows: Any, table: Any) -> int:
    for k in range(len(rows)):
        r = rows[k]
        key = (r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7],
               r[8], r[9], r[10], r[11], r[12], r[13], r[14], r[15])  # fmt: skip
        table[key] = table.get(key, 0) + 1
    return len(table)


def situations(game: Game) -> tuple[Any, Any]:
    """Keys and attributes of the decisions of random games, over and over [LOOKUPS], [.., 16]."""
    keys, rows, stream = [], [], Stream(3)
    while len(keys) < LOOKUPS // 10:
        position = game.start()
        while not position.over:
            player = position.turn()
            if player == CHANCE:
                position.apply(position.draw(stream))
                continue
            keys.append(position.bucket(player))
            row = np.zeros(16, np.uint8)
            attributes_of(position.record, 13, player, row)
            rows.append(row)
            position.apply(stream.choice(position.legal()))
    packed, unpacked = np.array(keys, np.uint32), np.stack(rows)
    assert len(set(keys)) == len(set(map(bytes, rows)))  # the packing loses nothing
    assert all(decode(int(key)).round == row[4] for key, row in zip(packed, rows, strict=True))
    order = np.random.default_rng(1).integers(len(packed), size=LOOKUPS)
    return packed[order], unpacked[order]


def lookups(count: Callable[[], Any]) -> Callable[[], float]:
    def measure() -> float:
        began = time.thread_time()
        count()
        return LOOKUPS / (time.thread_time() - began)

    return measure


def in_python(keys: list[Any]) -> Callable[[], None]:
    def count() -> None:
        table: dict[Any, int] = {}
        for key in keys:
            table[key] = table.get(key, 0) + 1

    return count


def in_numba(run: Any, keys: Any, kind: Any) -> Callable[[], None]:
    def count() -> None:
        run(keys, numba.typed.Dict.empty(kind, numba.int64))

    return count


# --- all of it ------------------------------------------------------------------------------------

PACKED, TUPLES = "packed, 32 bits", "the attributes as they are"
SEARCH, PYTHON = "compiled search", "plain Python search"
NUMBA_DICT, PYTHON_DICT = "look-ups, Numba's dictionary", "look-ups, Python's dictionary"


def measures() -> dict[tuple[str, str], Callable[[], float]]:
    keys, rows = situations(load_game("cheat"))
    sixteen = numba.types.UniTuple(numba.uint8, 16)
    return {
        (SEARCH, PACKED): compiled("cheat"),
        (SEARCH, TUPLES): compiled(f"{Path(__file__).resolve()}:Unpacked"),
        (PYTHON, PACKED): plain(packed_of),
        (PYTHON, TUPLES): plain(tuple_of),
        (NUMBA_DICT, PACKED): lookups(in_numba(_count_packed, keys, numba.uint32)),
        (NUMBA_DICT, TUPLES): lookups(in_numba(_count_tuples, rows, sixteen)),
        (PYTHON_DICT, PACKED): lookups(in_python(keys.tolist())),
        (PYTHON_DICT, TUPLES): lookups(in_python([tuple(row) for row in rows.tolist()])),
    }


def main() -> None:
    found = measures()
    for measure in found.values():
        measure()  # compiles
    rounds = [{name: measure() for name, measure in found.items()} for _ in range(ROUNDS)]
    table = Table("per CPU second", PACKED, TUPLES, "ratio (range)")
    for what in (SEARCH, PYTHON, NUMBA_DICT, PYTHON_DICT):
        table.add_row(what, *_row(rounds, (what, PACKED), (what, TUPLES)))
    Console(width=110).print(table)
    across = _row(rounds, (SEARCH, PACKED), (PYTHON, TUPLES))[2]
    print(f"compiled and packed over plain Python and tuples: {across} times the simulations")


def _row(rounds: list[dict[tuple[str, str], float]], one: Any, two: Any) -> list[str]:
    ratios = [each[one] / each[two] for each in rounds]
    speeds = [f"{statistics.median(each[name] for each in rounds):,.0f}" for name in (one, two)]
    low, high = min(ratios), max(ratios)
    return [*speeds, f"{statistics.median(ratios):.2f} ({low:.2f} to {high:.2f})"]


if __name__ == "__main__":
    main()
