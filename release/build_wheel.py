"""A wheel for this platform with compiled code in it: `make wheel` runs this.

The code is for any processor of the kind (x86-64-v2: those of the last fifteen years), for this
version of Python and for the versions of Numba and NumPy that are installed here. Elsewhere the
wheel works too, and compiles at first use as one without such code does. How it is used, see
`facedown/core/shipped.py`. Needs the package `wheel`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from itertools import chain, product
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KINDS = {
    "x86_64": ("x86-64-v2", ("cx16", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3")),
    "other": ("generic", ()),
}
RULE_FILES = ("tic-tac-toe", "banker-and-thief")  # one of either kind: all others share their code


def steps(games: Sequence[str], agents: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    """What is compiled: all searches, then each game with each agent; where none are named, all."""
    from facedown.agents.registry import AGENTS
    from facedown.arena.ahead import SEARCH
    from facedown.games.registry import GAMES

    pairs = product(games or (*GAMES, *RULE_FILES), agents or AGENTS)
    return [(SEARCH, ()), *((game, (agent,)) for game, agent in pairs)]


def compile_into(folder: Path, games: Sequence[str], agents: Sequence[str]) -> None:
    """Compile all that into a folder, with its manifest; the processor is in the environment."""
    from facedown.arena.ahead import ready
    from facedown.core import compile_cache, shipped
    from facedown.core.errors import FacedownError

    places, done, made = {}, [], compile_cache.cache_root() / "compiled"
    for game, players in steps(games, agents):
        try:
            ready(game, players)
        except FacedownError as error:  # an agent that does not play this game, a missing extra
            print(f"left out: {game} {' '.join(players)}: {error}", file=sys.stderr)
        new = [one for one in sorted(made.iterdir()) if one.name not in places]
        for place in new:
            places[place.name] = {"step": len(done), "files": _packed(place, folder / place.name)}
        if new:
            done.append((game, players))
            print(f"{len(places)} functions, {game} {' '.join(players)}", file=sys.stderr)
    needs = KINDS.get(platform.machine(), KINDS["other"])[1]
    cargo = shipped.Shipment(compile_cache.this_processor(), needs, tuple(done), places)
    (folder / shipped.MANIFEST).write_text(json.dumps(cargo.to_json(), indent=1))


def _packed(place: Path, to: Path) -> dict[str, str]:
    """Copy a folder of compiled code, which the manifest seals from now on; its files' digests."""
    from facedown.core.compile_cache import SEAL, digests

    shutil.copytree(place, to, ignore=shutil.ignore_patterns(SEAL))
    return digests(to)


def build(out: Path, *options: str) -> Path:
    """Build the wheel into a folder; where it is."""
    with tempfile.TemporaryDirectory() as scratch:
        plain = Path(scratch) / "plain"
        _run("pip", "wheel", "--quiet", "--no-deps", "-w", plain, ROOT)
        _run("wheel", "unpack", "-d", scratch, *plain.glob("*.whl"))
        (tree,) = (one for one in Path(scratch).iterdir() if one != plain)
        into = tree / "facedown" / "compiled"
        into.mkdir()
        name = KINDS.get(platform.machine(), KINDS["other"])[0]
        processor = {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": ""}
        place = {"FACEDOWN_CACHE": str(Path(scratch) / "cache"), "PYTHONPATH": str(tree)}
        environment = {**os.environ, **processor, **place, "FACEDOWN_SHIPPED": "off"}
        words = [sys.executable, __file__, *options, "--compile", str(into)]
        subprocess.run(words, check=True, cwd=scratch, env=environment)
        _tag(next(tree.glob("*.dist-info")) / "WHEEL")
        out.mkdir(parents=True, exist_ok=True)
        before = set(out.iterdir())
        _run("wheel", "pack", "-d", out, tree)
    return next(iter(set(out.iterdir()) - before), out)


def _run(*words: object) -> None:
    subprocess.run([sys.executable, "-m", *map(str, words)], check=True, stdout=sys.stderr)


def _tag(file: Path) -> None:
    """Say of a wheel that it is for this Python and this platform."""
    python = "cp{}{}".format(*sys.version_info[:2])
    system = re.sub(r"[^a-z0-9_]", "_", sysconfig.get_platform().lower())
    told = re.sub(r"(?m)^Tag: .*$", f"Tag: {python}-{python}-{system}", file.read_text())
    file.write_text(told.replace("Root-Is-Purelib: true", "Root-Is-Purelib: false"))


def main() -> None:
    """Build the wheel, or, in the process that this starts, compile for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where the wheel goes")
    parser.add_argument("--compile", type=Path, help=argparse.SUPPRESS)
    for name in ("game", "agent"):
        told = f"compile for this {name} alone (may be repeated); else for all"
        parser.add_argument(f"--{name}", action="append", default=[], help=told)
    given = parser.parse_args()
    if given.compile is not None:
        compile_into(given.compile, given.game, given.agent)
    else:
        chosen = ((f"--{name}", one) for name in ("game", "agent") for one in getattr(given, name))
        print(build(given.out, *chain.from_iterable(chosen)))


if __name__ == "__main__":
    main()
