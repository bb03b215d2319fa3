"""How fast the program answers: `python benchmarks/startup.py` prints the median of some runs.

Wanted: `facedown --help` in under 0.3 s, a warm `facedown match kuhn random random` in under 3 s.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

COMMANDS = {
    "--help": 0.3,
    "games": None,
    "match kuhn random random": 3.0,
    "match kuhn so-ismcts random": None,
}
RUNS = 7


def seconds(command: str) -> float:
    began = time.perf_counter()
    words = [sys.executable, "-m", "facedown", *command.split()]
    subprocess.run(words, check=True, capture_output=True)
    return time.perf_counter() - began


def main() -> None:
    for command, wanted in COMMANDS.items():
        seconds(command)  # the first run may compile
        took = statistics.median(seconds(command) for _ in range(RUNS))
        goal = "" if wanted is None else f"  (under {wanted} s is wanted)"
        print(f"facedown {command:<30} {took:6.2f} s{goal}")


if __name__ == "__main__":
    main()
