"""Command lines that cannot be meant, made by the hundred: all commands, all options, odd values.

`python -m support.bad_lines COUNT SEED` in the folder of the tests tries so many and says what came
out. Each has to end with one line that says what was wrong, and with status 1 or 2; a line that
happens to be right may do what it says, and one that takes long is interrupted.
"""

from __future__ import annotations

import importlib
import io
import os
import random
import signal
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any

import typer

from facedown import cli

ODD = (
    "", " ", "x", "-1", "0", "-0", "1e999", "nan", "inf", "-inf", "9" * 5000, "1" + "0" * 30,
    "0x10", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "tab\there", "line\nbreak", "\ud800",
    "\udcff", "zero\0byte", "a" * 300, "b" * 5000, "[" * 3000, "/", ".", "/dev/null", "/dev/full",
    "/proc/self/mem", "nowhere/at/all", "~", "*", "kuhn", "random", "é\u202eevil", "\u200b", "--",
    "-", "--json", "🂡", "true", "1.5", "1_000", "__import__('os')", "$(true)", "{0}", "%s%n",
    "None", "null",
)  # fmt: skip

GAMES = (
    "kuhn:", "kuhn:players=3", "kuhn:x=1", "liars-dice:dice=1000000000000",
    "liars-dice:players=99999999", "resistance:players=10000000000000000000000",
    "cheat:rounds=-5", "cheat:rounds=99999999999999999999", "cribbage:goal=0", "gdl:",
    "gdl:/dev/null", "gdl:nowhere.kif", "gdl:/", "gdl:" + "a" * 5000, "nowhere.py:Game",
    "/dev/null.py:Game", "a.py:", ".py:X", "gdl:\x1b[2J", "leduc:,,,", "leduc:a",
    "settlers:players=0", "kuhn" * 2000, "liars-dice:dice=2,dice=3", "phantom-ttt:size=1e9",
    "liars-dice:dice=٣", "liars-dice:faces=nan",
)  # fmt: skip

AGENTS = (
    "so-ismcts:threads=1000000", "so-ismcts:iterations=100000000000000000000",
    "so-ismcts:memory=9999999999", "so-ismcts:seconds=-1", "so-ismcts:seconds=nan",
    "so-ismcts:c=inf", "so-ismcts:c=nan", "so-ismcts:depth=-3",
    "determinized-uct:worlds=10000000000", "determinized-uct:worlds=0",
    "hyperplay:models=100000000", "hyperplay:limit=99999999999999999999", "hyperplay:samples=0",
    "hyperplay-ii:nested=100000000000", "hyperplay-ii:discount=nan", "mt-ismcts:self=nobody",
    "mt-ismcts:split=7", "oos:epsilon=0", "oos:delta=1", "sdmcts", "sdmcts:predictor=/dev/null",
    "sdmcts:predictor=/", "sdmcts:predictor=nowhere", "pmga", "person:number=-1",
    "so-ismcts:bandit=x", "so-ismcts:belief=x",
    "so-ismcts:preferences=/dev/null,kinds=conditioned", "so-ismcts:kinds=uniform",
    "so-ismcts:playout=nobody", "so-ismcts:horizon=x", "so-ismcts:temperature=0", "random*0",
    "random*99999999999999999999", "*3", "random**2", "random*-1", "best", "best:c=x", "nobody",
    "nowhere.py:Agent", "so-ismcts:" + "c" * 4000, "so-ismcts:c=" + "1" * 500,
    "so-ismcts:c=1,c=2", "so-ismcts:=", "so-ismcts:c", "smooth-uct:eta=2", "flat-mc:final=x",
    "general:threads=0", "so-ismcts:growth=\x1b[31m", "fpmga:accuracy=2",
)  # fmt: skip

GIVEN = {
    "game": "kuhn", "spec": "kuhn", "agents": "random", "agent": "random",
    "sources": "nowhere.jsonl", "out": "new.file", "save": "new.jsonl", "over": "c=1,2",
    "source": "nowhere.jsonl", "number": "1", "numbers": "1", "file": "nowhere.kif",
    "paper": "kelly2017", "exhibit": "table-4-1",
}  # fmt: skip
"""What required parameters get where another is the odd one."""

SMALL = {
    "games": "2", "iterations": "5", "pairs": "1", "matches": "1", "hands": "1", "seconds": "0.1",
    "samples": "2",
}  # fmt: skip
"""What keeps a line short that is right after all."""

SECONDS, PATIENCE = 3.0, 20.0
"""Of CPU time, and by the clock on the wall: then a line is interrupted."""


@dataclass(frozen=True)
class Tried:
    """A line, how it ended, and what is wrong with that; nothing where all is well."""

    words: tuple[str, ...]
    status: int
    said: str
    fault: str


def commands(root: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """All commands with the words that call them."""
    found: Any = typer.main.get_command(cli.app) if root is None else root
    inner = getattr(found, "commands", {})
    if not inner:
        yield path, found
    for name, command in inner.items():
        yield from commands(command, (*path, name))


def _value(param: Any, odd: bool, draw: random.Random) -> str:
    if not odd:
        return SMALL.get(param.name, GIVEN.get(param.name, "1"))
    pool: list[str] = list(ODD)
    if param.name in ("game", "spec"):
        pool += GAMES * 3
    if param.name in ("agents", "agent", "against", "hint"):
        pool += AGENTS * 3
    return draw.choice(pool)


def lines(seed: int) -> Iterator[tuple[str, ...]]:
    """Command lines without end, each with something odd in it."""
    draw, known = random.Random(seed), list(commands())
    while True:
        path, command = draw.choice(known)
        params = [p for p in command.params if p.name not in ("help", "store")]
        odd = set(draw.sample(range(len(params)), min(len(params), draw.choice((1, 1, 2, 3)))))
        words = list(path)
        options: list[str] = []
        for k, param in enumerate(params):
            argument = param.param_type_name == "argument"
            if argument and (k in odd or param.required):
                count = draw.choice((1, 2, 3)) if param.nargs == -1 else 1
                words += [_value(param, k in odd, draw) for _ in range(count)]
            elif not argument and (k in odd or param.required or param.name in SMALL):
                options.append(param.opts[-1])
                if not getattr(param, "is_flag", False):
                    options.append(_value(param, k in odd, draw))
        if draw.random() < 0.1:
            options.append(draw.choice(("--nonsense", "--games", "-z", "extra", "--help=1")))
        yield (*words, *options)


def _ring(signum: int, frame: Any) -> None:
    raise KeyboardInterrupt


def tried(words: tuple[str, ...]) -> Tried:
    """Run a line here, and look at how it ended."""
    out, err = io.StringIO(), io.StringIO()
    rung = (signal.SIGALRM, signal.SIGPROF)
    before, stdin = [signal.signal(one, _ring) for one in rung], sys.stdin
    sys.stdin = io.StringIO("")
    status, fault = -1, ""
    try:
        signal.setitimer(signal.ITIMER_REAL, PATIENCE, 1.0)
        signal.setitimer(signal.ITIMER_PROF, SECONDS, 0.5)
        with redirect_stdout(out), redirect_stderr(err):
            status = cli.main(words)
    except KeyboardInterrupt:
        status = cli.INTERRUPTED
    except BaseException:
        fault = traceback.format_exc()
    finally:
        for timer, one, handler in zip((0, 2), rung, before, strict=True):
            signal.setitimer(timer, 0.0)
            signal.signal(one, handler)
        sys.stdin = stdin
    said = err.getvalue()
    return Tried(words, status, said, fault or _fault(status, said, out.getvalue()))


def _fault(status: int, said: str, out: str) -> str:
    told = [line for line in said.splitlines() if line.startswith("facedown: ")]
    if "unexpected" in said or "Traceback" in said:
        return "unexpected"
    if any(mark in said + out for mark in "\x1b\x07\ud800\udcff\u202e"):
        return "an escape is obeyed"
    if status not in (0, 1, 2, cli.INTERRUPTED):
        return f"status {status}"
    if status == 2 and len(told) != 1:
        return f"{len(told)} lines"
    return "a line without end" if any(len(line) > 2500 for line in told) else ""


def warm() -> None:
    """Import what takes long, which an interrupt would leave in pieces."""
    for name in ("arena.match", "agents.hyperplay", "laws.check", "ggp.player", "gdl.load"):
        importlib.import_module(f"facedown.{name}")


def main() -> None:
    """Try so many lines, in a folder of their own, and tell."""
    count, seed = (int(word) for word in (*sys.argv[1:], "1000", "1")[:2])
    statuses: Counter[int] = Counter()
    faults = 0
    warm()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["FACEDOWN_STORE"] = os.path.join(folder, "store.db")
        for _, words in zip(range(count), lines(seed), strict=False):
            found = tried(words)
            statuses[found.status] += 1
            if found.fault:
                faults += 1
                short = [ascii(word)[:80] for word in words]
                print(
                    " ".join(short),
                    "->",
                    found.status,
                    ascii(found.said)[-400:],
                    found.fault,
                    flush=True,
                )
    by = ", ".join(f"{n} with status {status}" for status, n in sorted(statuses.items()))
    print(f"{count} lines, seed {seed}: {by}; {faults} faults")


if __name__ == "__main__":
    main()
