"""Fifty people at once: how soon the table in the browser answers them.

    python benchmarks/web_load.py [--people 50] [--seconds 60] [--every 5] [--settle 0]
                                  [--agent best] [--games settlers,cheat]

Starts `facedown serve` over a store of its own, opens tables of mixed games, and plays them over
raw sockets, each person acting every few seconds. Told are the errors, how soon a click was
answered (the next frame after it), how long a person waited until it was their turn again or the
game was over (from the page or from their click on; waits that were open at the end count as long
as they had lasted), how long single decisions of opponents took, their waiting for a processor
included, and how many of them were cut short. Everything counts from the moment at which the server
can be called, while compiled code is loaded; --settle leaves the first seconds out.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from html import unescape
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from websockets.asyncio.client import connect

from facedown.games.registry import load_game
from facedown.store.records import HUMAN
from facedown.store.store import Store
from facedown.table.house import House, Order
from facedown.table.sitting import HURRIED

GAMES = ("cribbage", "cheat", "resistance", "settlers", "leduc")
SPARE = {"leduc": 20}  # tables that a person may need of a short game


@dataclass
class Told:
    clicks: list[float] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    open: list[float] = field(default_factory=list)  # waits that had not ended at the end
    errors: list[str] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    games: int = 0


class Person:
    """Somebody who plays one table after another, with a socket in place of a browser."""

    def __init__(
        self, port: int, paths: list[str], every: float, seed: int, told: Told, counted: float
    ) -> None:
        self.port, self.paths, self.every, self.told = port, paths, every, told
        self.counted = counted  # the time from which on it counts
        self.draw = random.Random(seed)
        self.ticket, self.moves, self.over = 0, 0, False
        self.changed = asyncio.Event()

    async def play(self, until: float) -> None:
        await asyncio.sleep(self.draw.random() * self.every)
        try:
            for path in self.paths:
                if time.monotonic() < until:
                    await self._table(path, until)
        except Exception as error:
            self.told.errors.append(f"{type(error).__name__}: {error}")

    async def _table(self, path: str, until: float) -> None:
        base = f"http://127.0.0.1:{self.port}"
        began = time.monotonic()
        html = await asyncio.to_thread(lambda: urllib.request.urlopen(base + path).read().decode())
        self.told.pages.append(time.monotonic() - began)
        client = re.search(r"client_id\W+([0-9a-f-]{36})", unescape(html))
        found = re.search(r"parseElements\(String\.raw`(.*?)`\)", html, re.DOTALL)
        assert client is not None, html[:500]
        assert found is not None
        board, listener = _board(json.loads(unescape(found[1])))
        query = urlencode({"EIO": 4, "transport": "websocket", "client_id": client[1],
                           "document_id": "1", "tab_id": "1", "next_message_id": 0,
                           "implicit_handshake": "true"})  # fmt: skip
        where = f"ws://127.0.0.1:{self.port}/_nicegui_ws/socket.io/?{query}"
        self.ticket, self.moves, self.over = 0, 0, False
        self._read(unescape(html))
        async with connect(where, origin=base, max_size=None) as socket:
            await socket.send("40")
            reading = asyncio.create_task(self._frames(socket))
            try:
                while not self.over and time.monotonic() < until:
                    await self._turn(socket, client[1], board, listener, until)
            finally:
                reading.cancel()
        self.told.games += self.over

    async def _turn(
        self, socket: Any, client: str, board: int, listener: str, until: float
    ) -> None:
        if not (self.ticket and self.moves):  # others come first
            await self._wait(time.monotonic(), lambda: bool(self.ticket and self.moves), until)
        if self.over or time.monotonic() >= until:
            return
        await asyncio.sleep(self.every * (0.8 + 0.4 * self.draw.random()))
        args = [str(self.draw.randrange(self.moves)), str(self.ticket)]
        plain = {"id": board, "client_id": client, "listener_id": listener, "args": args}
        before, began = self.ticket, time.monotonic()
        self.changed.clear()
        await socket.send(f'42["event",{json.dumps(plain)}]')
        await asyncio.wait_for(self.changed.wait(), 30)
        if began > self.counted:
            self.told.clicks.append(time.monotonic() - began)
        await self._wait(began, lambda: self.ticket not in (0, before), until)

    async def _wait(self, began: float, wanted: Callable[[], bool], until: float) -> None:
        """Wait for one's turn, or the end of the game, and count how long it was."""
        await self._until(lambda: self.over or wanted(), until)
        if began > self.counted:
            ended = self.over or wanted()
            (self.told.waits if ended else self.told.open).append(time.monotonic() - began)

    async def _until(self, wanted: Any, until: float) -> None:
        while not wanted():
            self.changed.clear()
            left = until - time.monotonic()
            if left <= 0:
                return
            try:
                await asyncio.wait_for(self.changed.wait(), min(left, 1.0))
            except TimeoutError:
                continue

    async def _frames(self, socket: Any) -> None:
        async for frame in socket:
            if frame == "2":
                await socket.send("3")
            elif "update" in frame:
                self._read(frame)
                self.changed.set()

    def _read(self, text: str) -> None:
        tickets = re.findall(r'data-ticket=\\*"(\d+)', text)
        if tickets:
            self.ticket = int(tickets[-1])
        if listed := re.findall(r'data-move=\\*"(\d+)', text):
            self.moves = int(listed[-1]) + 1
        if re.search(r"You (win|lose|end)|A draw|This game is over", text):
            self.over = True


def _board(elements: dict[str, Any]) -> tuple[int, str]:
    for name, element in elements.items():
        if "board" in element.get("class", ()):
            return int(name), str(element["events"][0]["listener_id"])
    raise AssertionError("there is no board")


def opened(store: Path, given: Any) -> list[tuple[str, list[str]]]:
    """Tables for everybody: the game, and the paths of their seats."""
    games, agent = given.games.split(","), f"{given.agent}:iterations={given.iterations}"
    found = []
    with Store(store) as kept, House(kept) as house:
        for person in range(given.people):
            game = games[person % len(games)]
            specs = [agent] * load_game(game).players
            specs[0] = HUMAN
            tables = [house.open(Order(game, tuple(specs))) for _ in range(SPARE.get(game, 3))]
            found.append((game, [f"/table/{t.kept.id}/{token}" for t, token in tables]))
    return found


def decisions(store: Path) -> tuple[dict[str, list[float]], Counter[str]]:
    """How long opponents took over decisions, by game, and how many were cut short."""
    short = Counter[str]()
    with Store(store) as kept:
        rows = kept.read(
            "SELECT t.settings, d.player, d.seconds, d.summary FROM decisions d "
            'JOIN tables t ON t.id = d."table"'
        )
        found: dict[str, list[float]] = defaultdict(list)
        for settings, player, seconds, summary in rows:
            if player != 0:
                game = json.loads(settings)["game"]
                found[game].append(seconds)
                short[game] += HURRIED in (json.loads(summary or "null") or {})
        for run in kept.runs():
            for record in kept.matches(run.id)[0].records():
                found[record.game] += [m.seconds for m in record.moves if m.player > 0]
                short[record.game] += sum(HURRIED in (m.summary or {}) for m in record.moves)
    return found, short


def share(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(part * len(values)))] if values else 0.0


async def run(port: int, plans: list[tuple[str, list[str]]], given: Any) -> dict[str, Told]:
    told: dict[str, Told] = defaultdict(Told)
    counted = time.monotonic() + given.settle
    until = counted + given.seconds
    people = [
        Person(port, paths, given.every, k, told[game], counted)
        for k, (game, paths) in enumerate(plans)
    ]
    await asyncio.gather(*(person.play(until) for person in people))
    return told


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--every", type=float, default=5.0)
    parser.add_argument("--settle", type=float, default=0.0)
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--agent", default="best")
    parser.add_argument("--games", default=",".join(GAMES))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store.db"
        plans = opened(store, given)
        command = [sys.executable, "-m", "facedown", "serve", "--port", "0", "--store", str(store)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            found = re.search(r":(\d+)/", server.stdout.readline())
            assert found is not None
            try:
                told = asyncio.run(run(int(found[1]), plans, given))
                spent = Path(f"/proc/{server.pid}/stat")
                cpu = sum(map(int, spent.read_text().split()[13:15])) / 100 if spent.exists() else 0
            finally:
                server.terminate()
                server.wait()
        _show(told, *decisions(store), cpu, given.seconds)
    return 1 if any(one.errors for one in told.values()) else 0


def _show(
    told: dict[str, Told],
    thought: dict[str, list[float]],
    short: Counter[str],
    cpu: float,
    wall: float,
) -> None:
    print(f"{'game':<12}{'clicks':>7}{'p50':>7}{'p99':>7}{'max':>7} ms", end="")
    print(f"{'waits':>7}{'p50':>7}{'p99':>7}{'max':>7} s{'open':>6}", end="")
    print(f"{'opponents':>11}{'p50':>7}{'max':>7} s{'short':>7}{'errors':>8}")
    every = Told()
    for game, one in [*sorted(told.items()), ("all", every)]:
        decided = thought.get(game, []) if game != "all" else [*chain(*thought.values())]
        cut = short[game] if game != "all" else short.total()
        ms = [1000 * share(one.clicks, part) for part in (0.5, 0.99, 1.0)]
        waits = one.waits + one.open
        print(f"{game:<12}{len(one.clicks):>7}{ms[0]:>7.0f}{ms[1]:>7.0f}{ms[2]:>7.0f}   ", end="")
        print(f"{len(waits):>7}{share(waits, 0.5):>7.2f}{share(waits, 0.99):>7.2f}", end="")
        print(f"{share(waits, 1.0):>7.2f}  {len(one.open):>6}{len(decided):>11}", end="")
        print(f"{share(decided, 0.5):>7.3f}{share(decided, 1.0):>7.2f}  {cut:>7}", end="")
        print(f"{len(one.errors):>8}")
        every.clicks += one.clicks
        every.waits += one.waits
        every.open += one.open
        every.errors += one.errors
        every.pages += one.pages
    print(f"pages: median {statistics.median(every.pages):.3f} s, max {max(every.pages):.3f} s; "
          f"server: {cpu:.1f} s of CPU in {wall:.0f} s; the machine: {os.cpu_count()} processors, "
          f"load {os.getloadavg()[0]:.1f}")  # fmt: skip
    for error in sorted(set(every.errors))[:10]:
        print("error:", error)


if __name__ == "__main__":
    raise SystemExit(main())
