"""Two checkouts of facedown side by side: the speed of seven searches, compiling, lines and names.

    python benchmarks/before_after.py BEFORE AFTER [--rounds 15] [--starts 5]
        [--beside | --compile | --sizes]

BEFORE and AFTER are folders of checkouts; both run with this interpreter. Each has a process of its
own; a round asks both for the same short search, one after the other, so that whatever else the
machine does meets both alike. Times are CPU seconds. `--beside` times
whole decisions of other agents instead; `--compile` compiles the kernels of each into
an empty cache instead; `--sizes` counts the lines of parts and the names that they import.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
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

BESIDE: dict[str, tuple[str, dict[str, Any], int]] = {
    "HyperPlay, Leduc": ("leduc", {"decides": "hyperplay"}, 20_000),
    "HyperPlay-II, Kuhn": ("kuhn", {"decides": "hyperplay-ii"}, 400),
    "outcome sampling, Leduc": ("leduc", {"decides": "oos"}, 20_000),
}
"""Whole decisions of agents with kernels of their own."""

ALL = PAIRS | BESIDE


PARTS: dict[str, tuple[str, ...]] = {
    "the loop": ("search/kernel.py",),
    "its steps": ("search/steps.py", "search/selection.py"),
    "its state": ("search/desk.py", "search/state.py"),
    "a thread of it": ("search/thread.py",),
    "outcome sampling": ("search/oos.py", "search/oos_steps.py", "search/outcome.py"),
    "bandits": ("search/bandits.py",),
    "HyperPlay's walk": ("belief/walk.py", "belief/weighing.py"),
    "HyperPlay-II": (
        *("belief/nest.py", "belief/nested.py", "belief/nested_desk.py", "belief/nested_steps.py"),
        *("belief/sharing.py", "belief/simulation.py", "search/nested/*.py"),
    ),
    "rollouts": ("core/rollout.py", "core/made.py"),
    "stepping, buffers": ("core/stepping.py", "core/buffers.py"),
}
"""Parts of the search, as the files that they have been: those that a checkout has count."""


def _runner(pair: str, folder: Path) -> Callable[[int], float]:
    """What runs a pair for so many iterations, from the first decision of its game: CPU seconds."""
    from facedown.agents.registry import make_agent
    from facedown.core import Stream
    from facedown.games.registry import load_game
    from facedown.search.budget import Budget
    from facedown.search.recipe import Identity, Recipe
    from facedown.search.search import Search

    name, options, _ = ALL[pair]
    game = load_game(str(folder / name) if "/" in name else name)
    stream, truth, dealt = Stream(1), game.start(), []
    while truth.turn() < 0:
        move = truth.draw(stream)
        dealt.append([truth.sees(move, p) for p in range(game.players)])
        truth.apply(move)
    player, legal = truth.turn(), truth.legal()

    def decide(iterations: int) -> float:
        agent: Any = make_agent(f"{options['decides']}:iterations={iterations}", game, player, 1)
        for tokens in dealt:
            agent.observe(tokens[player], "")
        return _timed(lambda: agent.choose(truth.view(player), legal))

    def search(iterations: int) -> float:
        begun = Search(game, recipe, truth.view(player), player, legal, 1)
        return _timed(lambda: begun.run(Budget(iterations)))

    if "decides" in options:
        return decide
    if "agent" in options:
        searcher: Any = make_agent(options["agent"], game, player, 0)
        recipe = searcher.recipe
    else:
        recipe = Recipe(**{**options, "identity": Identity[options["identity"]]})
    return search


def _timed(run: Callable[[], Any]) -> float:
    began = time.process_time()
    run()
    return time.process_time() - began


def _serve(folder: Path) -> None:
    """Run what the parent asks for, pair by pair; its CPU seconds."""
    runners: dict[str, Callable[[int], float]] = {}
    for line in sys.stdin:
        pair, iterations = line.strip().split("\t")
        if pair not in runners:
            runners[pair] = _runner(pair, folder)
        print(runners[pair](int(iterations)), flush=True)


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


def _ask(child: subprocess.Popen[str], pair: str, iterations: int) -> float:
    assert child.stdin is not None
    assert child.stdout is not None
    print(pair, iterations, sep="\t", file=child.stdin, flush=True)
    return float(child.stdout.readline())


Times = dict[str, tuple[list[float], list[float]]]


def speeds(folders: list[Path], rounds: int, starts: int, pairs: Iterable[str] = PAIRS) -> None:
    """Print best and median microseconds an iteration, and the ratio after to before.

    Two processes of the same code differ by up to a fifth, by where their memory lies: both are
    started anew so many times.
    """
    taken: Times = {pair: ([], []) for pair in pairs}
    for _ in range(starts):
        _race(folders, rounds, taken)
    _print_speeds(taken)


def _race(folders: list[Path], rounds: int, taken: Times) -> None:
    """Start both, and let them search in turn."""
    children = [_child(folder, "serve") for folder in folders]
    for pair in taken:
        for child in children:
            _ask(child, pair, 100)  # compiles what is not compiled yet
    for number in range(rounds):
        for pair, times in taken.items():
            iterations = ALL[pair][2]
            for k in (0, 1) if number % 2 == 0 else (1, 0):
                times[k].append(_ask(children[k], pair, iterations) / iterations * 1e6)
    for child in children:
        child.communicate()


def _print_speeds(taken: Times) -> None:
    print("| search | before, µs | after, µs | after/before, best | median |")
    print("|---|---|---|---|---|")
    ratios: list[tuple[float, float]] = []
    for pair, (before, after) in taken.items():
        middles = statistics.median(after) / statistics.median(before)
        ratios.append((min(after) / min(before), middles))
        numbers = f"{min(before):.3f} | {min(after):.3f} | {ratios[-1][0]:.3f} | {middles:.3f}"
        print(f"| {pair} | {numbers} |")
    best, middle = (statistics.geometric_mean(column) for column in zip(*ratios, strict=True))
    print(f"| geometric mean | | | {best:.3f} | {middle:.3f} |")


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


def _size(folder: Path, patterns: tuple[str, ...]) -> tuple[int, int]:
    """Lines of the files, and names that they import from the package."""
    files = [file for pattern in patterns for file in (folder / "facedown").glob(pattern)]
    texts = [file.read_text() for file in files]
    imports = [node for text in texts for node in ast.walk(ast.parse(text))]
    names = sum(
        len(node.names)
        for node in imports
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("facedown")
    )
    return sum(text.count("\n") for text in texts), names


def sizes(folders: list[Path]) -> None:
    """Print lines and imported names of each part, before and after."""
    print("| part | lines | names imported |\n|---|---|---|")
    totals = [[0, 0], [0, 0]]
    for part, patterns in PARTS.items():
        found = [_size(folder, patterns) for folder in folders]
        for k, size in enumerate(found):
            totals[k] = [old + new for old, new in zip(totals[k], size, strict=True)]
        (lines, names), (fewer, less) = found
        print(f"| {part} | {lines} → {fewer} | {names} → {less} |")
    (lines, names), (fewer, less) = totals
    print(f"| all | {lines} → {fewer} | {names} → {less} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--beside", action="store_true")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--sizes", action="store_true")
    parser.add_argument("--child", choices=("serve", "compile"))
    asked = parser.parse_args()
    if asked.child == "serve":
        _serve(asked.before)
    elif asked.child == "compile":
        _compile()
    else:
        folders = [asked.before.resolve(), asked.after.resolve()]
        if asked.sizes:
            sizes(folders)
        elif asked.compile:
            compiling(folders, asked.rounds)
        else:
            speeds(folders, asked.rounds, asked.starts, BESIDE if asked.beside else PAIRS)


if __name__ == "__main__":
    main()
