"""From START to the first legal moves of rule files: `python benchmarks/first_move.py [FILE...]`.

In the process that plays, warmed up as a player's is, on a machine that has nothing else to do:
reading, grounding in a process beside it, the network, the seat, the agent, and what is legal. In
brackets: when the clerk knows it, who answers where the mind is late.
"""

from __future__ import annotations

import sys
from time import monotonic

from facedown.gdl.library import find, names
from facedown.gdl.reader import read_file
from facedown.gdl.simulate import RANDOM
from facedown.ggp.clerk import Clerk
from facedown.ggp.messages import Start
from facedown.ggp.mind import Mind
from facedown.ggp.referee import sheet

CLOCK, WANTED = 10.0, 1.0
"""Seconds: of the start clock, and until the first legal moves."""


def started(name: str) -> Start:
    """The message that begins a match of a file."""
    path = find(name)
    rules = read_file(path)
    role = next(role for role in rules.roles if role != RANDOM)
    return Start("match", role, f"({sheet(path, rules)})", CLOCK, CLOCK)


def by_clerk(clerk: Clerk, start: Start) -> float:
    """Seconds from START until the clerk knows what is legal."""
    began = monotonic()
    clerk.start(start, CLOCK)
    assert clerk.legal([], None, began + CLOCK)
    return monotonic() - began


def first_move(mind: Mind, start: Start) -> tuple[float, str]:
    """Seconds from START until the mind tells what is legal; how it will play."""
    began, told = monotonic(), list[float]()
    how = mind.start(start, CLOCK)
    mind.play([], None, monotonic() + 0.3, lambda legal: told.append(monotonic()))
    return (told[0] if told else monotonic()) - began, how


def main() -> None:
    mind, clerk = Mind("so-ismcts", seed=1), Clerk("", 1)
    mind.warm_up()
    clerk.warm_up()
    starts = {name: started(name) for name in sys.argv[1:] or names()}
    soon = {name: by_clerk(clerk, start) for name, start in starts.items()}
    found = sorted((*first_move(mind, start), name) for name, start in starts.items())
    mind.stop()
    for seconds, how, name in found[::-1]:
        late = "" if seconds <= WANTED else "(late) "
        print(f"{seconds:5.2f} s ({soon[name]:.3f} s) {late}{name}: {how}")


if __name__ == "__main__":
    main()
