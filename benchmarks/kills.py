"""Is anything finished lost when a command is killed? By kill -9 at random moments.

`python benchmarks/kills.py [--kills N] [--seed S]` kills `match`, `tournament`, `paper`,
`tournament` over a grid, `learn` and `play` so often each, with tiny budgets, in processes that are
forked from this one, so that they begin at once. After every kill the store must be sound and have
every game that it had; a file that was there must be whole. In the end the same command, left in
peace, must come to what one that was never killed comes to.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from facedown import cli
from facedown.store.records import read_records
from facedown.store.store import Store

SEEDED = ("--seed", "5", "--jobs", "1", "--json")
LEFT_OUT = ("seconds", "run", "revisions", "file", "out")

Games = dict[tuple[str, int], str]
"""The games of a store, by their match and number."""


@dataclass(frozen=True)
class Case:
    """A command by its words, in a folder of its own, and what must hold in that folder.

    `told` gives what it came to; `sound` raises AssertionError.
    """

    name: str
    words: Callable[[Path], list[str]]
    told: Callable[[Path, str], Any]
    typed: str = ""
    sound: Callable[[Path], None] = lambda folder: None


def started(case: Case, folder: Path) -> int:
    """The command in a process of its own, which leads a group; its number."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        os.setsid()
        (folder / "typed").write_text(case.typed)
        for fd, name in enumerate(("typed", "out", "err")):
            flags = os.O_RDONLY if fd == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            os.dup2(os.open(folder / name, flags), fd)
        sys.stdin = os.fdopen(0, closefd=False)
        sys.stdout, sys.stderr = (os.fdopen(fd, "w", closefd=False) for fd in (1, 2))
        status = cli.main(case.words(folder))
        sys.stdout.flush()
    finally:
        os._exit(status)


def left_in_peace(case: Case, folder: Path) -> tuple[Any, float]:
    """What the command comes to, and the seconds that it takes."""
    began = time.monotonic()
    _, status = os.waitpid(started(case, folder), 0)
    took = time.monotonic() - began
    error = (folder / "err").read_text()
    assert os.waitstatus_to_exitcode(status) == 0, f"{case.name}: {error}"
    return case.told(folder, (folder / "out").read_text()), took


def killed(case: Case, folder: Path, seconds: float) -> bool:
    """Whether the command was still at work after so many seconds, and was killed."""
    pid = started(case, folder)
    time.sleep(seconds)
    os.killpg(pid, signal.SIGKILL) if _leads(pid) else os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    return os.WIFSIGNALED(status)


def _leads(pid: int) -> bool:
    return os.getpgid(pid) == pid


def games_in(file: Path) -> Games:
    """All games of a store, which must be sound."""
    if not file.exists():
        return {}
    found: Games = {}
    with Store(file, create=False) as store:
        assert store.damage() == [], f"{file} is damaged"
        for run in store.runs():
            for match in store.matches(run.id):
                for record in match.records():
                    plain = record.to_json()
                    found[f"{match.id} {match.name}", record.number] = json.dumps(plain)
    return found


@dataclass
class Tally:
    """Of one command: kills at work, ends before the kill, games that were there when killed."""

    kills: int = 0
    ended: int = 0
    games: int = 0


def tried(case: Case, kills: int, draw: random.Random, top: Path) -> Tally:
    """Kill a command so often, beginning anew where it has come to its end."""
    tally, number = Tally(), 0
    whole = _folder(top, "whole")
    expected, took = left_in_peace(case, whole)
    while tally.kills < kills:
        folder, number = _folder(top, str(number)), number + 1
        while tally.kills < kills:
            before = games_in(folder / "store.db")
            if not killed(case, folder, draw.uniform(0, took)):
                tally.ended += 1
                break
            tally.kills += 1
            after = games_in(folder / "store.db")
            lost = [game for game, record in before.items() if after.get(game) != record]
            assert not lost, f"{case.name} has lost {lost}"
            tally.games += len(after)
            case.sound(folder)
        assert left_in_peace(case, folder)[0] == expected, f"{case.name} came to something else"
    return tally


def _folder(top: Path, name: str) -> Path:
    made = top / name
    made.mkdir(parents=True)
    return made


# --- the commands --------------------------------------------------------------------------------


def stored(*words: str) -> Callable[[Path], list[str]]:
    """Words of a command that keeps its games in a store."""
    return lambda folder: [*words, "--store", str(folder / "store.db")]


def without_time(folder: Path, out: str) -> Any:
    """The result, but for what differs from run to run."""
    return {k: v for k, v in json.loads(out).items() if k not in LEFT_OUT}


def page_of(folder: Path, out: str) -> str:
    """The page that `paper` has written."""
    return (folder / "out.d" / "kelly2017" / "strength.md").read_text()


def people(folder: Path) -> Path:
    """A file of games to learn from."""
    file = folder / "people.jsonl"
    words = ("people", "cheat", "--pairs", "3", "--matches", "1", "--seed", "1")
    assert cli.main([*words, "--save", str(file), "--json"]) == 0
    return file


def model(folder: Path) -> None:
    """The model that was there, or the new one, is there, and nothing in between."""
    from facedown.belief.predictor import load_predictor
    from facedown.games.registry import load_game

    file = folder / "model.skops"
    if file.exists():
        load_predictor(file, load_game("cheat"))


def sat(folder: Path) -> None:
    """Every game in the file of a person's games is whole, and in the store."""
    file = folder / "mine.jsonl"
    if file.exists():
        kept = games_in(folder / "store.db").values()
        own = [record.to_json() for record in read_records(file)]
        assert len(own) <= len(kept)
        moves = [json.loads(one)["moves"] for one in kept]
        assert all(one["moves"] in moves for one in own)


def cases(learnt: Path) -> list[Case]:
    """All of them."""
    iterated = "so-ismcts:iterations=20"
    return [
        Case("match", stored("match", "kuhn", "random", "scripted", "--games", "4000", *SEEDED),
             without_time),
        Case("match, isolated", stored("match", "kuhn", "random", "scripted", "--games", "20",
                                       "--isolate", *SEEDED), without_time),
        Case("tournament", stored("tournament", "leduc", iterated, "random", "scripted", "--games",
                                  "60", *SEEDED), without_time),
        Case("paper", lambda folder: stored(
            "paper", "kelly2017", "strength", "--games", "12", "--iterations", "40", "--jobs", "1",
            "--out", str(folder / "out.d"))(folder), page_of),
        Case("a grid", stored("tournament", "leduc", iterated, "--form", "elimination", "--over",
                              "c=0.3,0.7,1,2", "--games", "60", *SEEDED), without_time),
        Case("learn", lambda folder: [
            "learn", "cheat", "--from", str(learnt), "--out", str(folder / "model.skops"),
            "--overwrite", "--classifier", "decision-tree", "--blocks", "0", "--json"],
            without_time, sound=model),
        Case("play", lambda folder: stored(
            "play", "kuhn", "--seed", "5", "--against", "random", "--no-quiz",
            "--save", str(folder / "mine.jsonl"))(folder),
            lambda folder, out: out.count("another game"), "1\ny\n" * 150 + "n\nn\n", sat),
    ]  # fmt: skip


def main() -> None:
    """A line for each command."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=20)
    options.add_argument("--seed", type=int, default=16)
    options.add_argument("--only", default="")
    given = options.parse_args()
    total = 0
    with tempfile.TemporaryDirectory() as top:
        for case in cases(people(Path(top))):
            if given.only and case.name != given.only:
                continue
            draw, place = random.Random(f"{case.name} {given.seed}"), Path(top, case.name)
            tally = tried(case, given.kills, draw, place)
            total += tally.kills
            print(
                f"{case.name}: {tally.kills} kills with {tally.games:,} games there, {tally.ended} "
                "had ended before; nothing lost",
                flush=True,
            )
    print(f"{total} kills, seed {given.seed}")


if __name__ == "__main__":
    main()
