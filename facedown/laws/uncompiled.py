"""Traces of a game with the JIT off, in a process of its own, to compare compiled rules with.

`python -m facedown.laws.uncompiled SPEC SEED GAMES`, run with NUMBA_DISABLE_JIT=1, prints one line
of JSON for each game.
"""

from __future__ import annotations

import json
import sys

from facedown.core import RuleError, SpecError
from facedown.games.registry import load_game
from facedown.laws.trace import trace

LOST = 3
"""The exit status where the game cannot be loaded by its spec."""


def main(arguments: list[str]) -> int:
    """Print the traces, one game a line."""
    spec, seed, games = arguments[0], int(arguments[1]), int(arguments[2])
    try:
        game = load_game(spec)
    except SpecError as error:
        print(error, file=sys.stderr)
        return LOST
    for k in range(games):
        try:
            marks = [(mark.move, mark.answers) for mark in trace(game, seed + k, worlds=True)]
        except RuleError as error:
            print(error, file=sys.stderr)
            return 1
        print(json.dumps(marks), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
