"""What the probe of the agent `general` says of every rule file of the library, and what it costs.

    python benchmarks/value_of_information.py [GAME ...]

For each game who plays, the two losses of `facedown.agents.probe` with their standard errors, the
decisions that they are means of, the states visited and the seconds of one core.
"""

from __future__ import annotations

import sys
import time

from facedown.agents.probe import probe
from facedown.games.registry import load_game
from facedown.gdl.library import names


def main() -> None:
    for name in sys.argv[1:] or names():
        game = load_game(name)
        began = time.thread_time()
        found = probe(game)
        losses = "  ".join(f"{loss:7.2f} ({error:.2f})" for loss, error in found.losses)
        says = "valued" if found.valued else "not valued" if found.hidden else "nothing hidden"
        print(
            f"{name:24s} {says:14s} {losses:34s} {found.decisions:3d} decisions"
            f" {found.states:12,d} states {time.thread_time() - began:6.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
