"""Two checkouts of facedown side by side: the speed of seven searches, and what compiling takes.

    python benchmarks/before_after.py BEFORE AFTER [--rounds 15] [--compile]

BEFORE and AFTER are folders of checkouts; both run with this interpreter. Each has a process of its
own; a round asks both for the same short search, one after the other, so that whatever else the
machine does meets both alike. Times are CPU seconds. `--compile` compiles the kernels of each into
an empty cache instead.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

PAIRS: dict[str, tuple[str, dict[str, Any], int]] = {
    "SO-ISMCTS, Kuhn": ("kuhn", {"identity": "SINGLE"}, 150_000),
    "MO-ISMCTS, Kuhn": ("kuhn", {"identity": "MULTI"}, 150_000),
    "determinized UCT, Leduc": ("leduc", {"identity": "FULL"}, 80_000),
    "many trees, UCB1-Tuned, Leduc": ("leduc", {"identity": "MANY", "bandit": "ucb-tuned"}, 60_000),
    "buckets, Cheat": ("cheat", {"identity": "BUCKET"}, 1_500),
    "mga, Cheat": ("cheat", {"agent": "mga"}, 1_500),
    "SO-ISMCTS, Kuhn as a Python class": ("examples/kuhn.py:Kuhn", {"identity": "SINGLE"}, 2_000),
}
"""The games of the golden trees, with every identity: game, recipe, iterations of a round."""


def _search(pair: str, folder: Path) -> Any:
    """The search of a pair, from the first decision of its game."""
    from facedown.agents.registry import make_agent
    from facedown.core import Stream
    from facedown.games.registry import load_game
    from facedown.search.recipe import Identity, Recipe
    from facedown.search.search import Search

    name, options, _ = PAIRS[pair]
    game = load_game(str(folder / name) if "/" in name else name)
    stream, truth = Stream(1), game.start()
    while truth.turn() < 0:
        truth.apply(truth.draw(stream))
    player = truth.turn()
    if "agent" in options:
        agent: Any = make_agent(options["agent"], game, player, 0)
        recipe = agent.recipe
    else:
        recipe = Recipe(**{**options, "identity": Identity[options["identity"]]})
    return lambda: Search(game, recipe, truth.view(player), player, truth.legal(), 1)


def _serve(folder: Path) -> None:
    """Run what the parent asks for, pair by pair; its CPU seconds."""
    from facedown.search.budget import Budget

    makers = {pair: _search(pair, folder) for pair in PAIRS}
    for maker in makers.values():
        maker().run(Budget(100))
    print("ready", flush=True)
    for line in sys.stdin:
        search, iterations = makers[line.strip()](), PAIRS[line.strip()][2]
        began = time.process_time()
        search.run(Budget(iterations))
        print(time.process_time() - began, flush=True)


def _compile() -> None:
    """Compile the kernels; CPU seconds of each."""
    from facedown.search.kernel import search
    from facedown.search.oos import sample_outcomes
    from facedown.search.playouts import play_out

    taken = {}
    for kernel in (search, sample_outcomes, play_out):
        began = time.process_time()
        kernel.ready()
        taken[kernel.function.__name__] = time.process_time() - began
    print(json.dumps(taken))


def _child(folder: Path, mode: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, __file__, str(folder), str(folder), "--child", mode],
        env={**os.environ, "PYTHONPATH": str(folder), **environment},
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def speeds(folders: list[Path], rounds: int) -> None:
    """Print best and median microseconds an iteration, and the ratio after to before."""
    children = [_child(folder, "serve") for folder in folders]
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline().strip() == "ready"
    taken: dict[str, list[list[float]]] = {pair: [[], []] for pair in PAIRS}
    for number in range(rounds):
        for pair, (_, _, iterations) in PAIRS.items():
            for k in (0, 1) if number % 2 == 0 else (1, 0):
                child = children[k]
                assert child.stdin is not None
                assert child.stdout is not None
                print(pair, file=child.stdin, flush=True)
                taken[pair][k].append(float(child.stdout.readline()) / iterations * 1e6)
    for child in children:
        assert child.stdin is not None
        child.stdin.close()
        child.wait()
    print(
        "| search | before, µs | after, µs | after/before, best | median |\n|---|---|---|---|---|"
    )
    bests, middles = [], []
    for pair, (before, after) in taken.items():
        bests.append(min(after) / min(before))
        middles.append(statistics.median(after) / statistics.median(before))
        numbers = f"{min(before):.3f} | {min(after):.3f} | {bests[-1]:.3f} | {middles[-1]:.3f}"
        print(f"| {pair} | {numbers} |")
    means = [statistics.geometric_mean(ratios) for ratios in (bests, middles)]
    print(f"| all (geometric mean) | | | {means[0]:.3f} | {means[1]:.3f} |")


def compiling(folders: list[Path], rounds: int) -> None:
    """Print the CPU seconds that compiling takes, the best of the rounds."""
    found: list[list[dict[str, float]]] = [[], []]
    for _ in range(rounds):
        for k, folder in enumerate(folders):
            with tempfile.TemporaryDirectory() as cache:
                out, _ = _child(folder, "compile", FACEDOWN_CACHE=cache).communicate()
                found[k].append(json.loads(out))
    for name in found[0][0]:
        before, after = (min(one[name] for one in side) for side in found)
        print(f"{name}: {before:.1f} s before, {after:.1f} s after ({after / before:.2f})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--child", choices=("serve", "compile"))
    asked = parser.parse_args()
    if asked.child == "serve":
        _serve(asked.before)
    elif asked.child == "compile":
        _compile()
    else:
        folders = [asked.before.resolve(), asked.after.resolve()]
        (compiling if asked.compile else speeds)(folders, asked.rounds)


if __name__ == "__main__":
    main()
