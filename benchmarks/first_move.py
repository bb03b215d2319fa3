"""From START to the first legal moves of rule files: `python benchmarks/first_move.py [FILE...]`.

In the process that plays, warmed up as a player's is, on a machine that has nothing else to do:
reading, grounding in a process beside it, the network, the seat, the agent, and what is legal.
"""

from __future__ import annotations

import sys
from time import monotonic

from facedown.gdl.library import find, names
from facedown.gdl.reader import read_file
from facedown.gdl.simulate import RANDOM
from facedown.ggp.messages import Start
from facedown.ggp.mind import Mind
from facedown.ggp.referee import sheet

CLOCK, WANTED = 10.0, 1.0
"""Seconds: of the start clock, and until the first legal moves."""


def first_move(mind: Mind, name: str) -> tuple[float, str]:
    """Seconds from START until the mind tells what is legal; how it will play."""
    path, told = find(name), list[float]()
    rules = read_file(path)
    role = next(role for role in rules.roles if role != RANDOM)
    start = Start("match", role, f"({sheet(path, rules)})", CLOCK, CLOCK)
    began = monotonic()
    how = mind.start(start, CLOCK)
    mind.play([], None, monotonic() + 0.3, lambda legal: told.append(monotonic()))
    return (told[0] if told else monotonic()) - began, how


def main() -> None:
    mind = Mind("so-ismcts", seed=1)
    mind.warm_up()
    found = sorted((*first_move(mind, name), name) for name in sys.argv[1:] or names())
    mind.stop()
    for seconds, how, name in found[::-1]:
        print(f"{seconds:5.2f} s {'' if seconds <= WANTED else '(late) '}{name}: {how}")


if __name__ == "__main__":
    main()
