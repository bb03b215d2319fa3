"""Compiled code that comes with an installed package, so that the first match need not wait for it.

A wheel for one platform may have, in `facedown/compiled`, code for any processor of its kind, as
`release/build_wheel.py` makes them. It is lent as long as the user's own cache has none for
this very processor; when the program ends, a process in the background compiles what was lent, at
the lowest priority, and the next program finds that instead.

Numba unpickles what it reads. So nothing is read but folders inside of the package, as its manifest
has them, file by file; and nothing whose digest is not that of the function asked for, of these
versions of Python, Numba and NumPy.

`FACEDOWN_SHIPPED=off` does without such code, `FACEDOWN_TAILOR=off` without the process.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any

from llvmlite import binding
from numba.core.registry import cpu_target

from facedown.core import compile_cache as kept
from facedown.core.machine import as_program

if sys.platform != "win32":
    import fcntl

FOLDER = Path(__file__).resolve().parent.parent / "compiled"
MANIFEST = "manifest.json"
TAILOR = "facedown.arena.ahead"  # the program that compiles what was lent

Lineup = tuple[str, tuple[str, ...]]
"""What is got ready together: a game and agents; or all searches, and none."""

LENT: set[int] = set()
"""The numbers of the steps of which something was lent to this process."""


@dataclass(frozen=True)
class Shipment:
    """What a package brings: for which processor, and in the course of which step it was made."""

    processor: kept.Processor
    needs: tuple[str, ...]
    steps: tuple[Lineup, ...]
    places: Mapping[str, Mapping[str, Any]]

    def to_json(self) -> dict[str, Any]:
        """The manifest."""
        parts = {"processor": list(self.processor), "needs": list(self.needs)}
        return {**parts, "steps": list(self.steps), "places": dict(self.places)}

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Shipment:
        """The shipment of a manifest; ValueError, KeyError or TypeError where it is none."""
        steps = tuple((game, tuple(agents)) for game, agents in told["steps"])
        name, features = told["processor"]
        for place, entry in dict(told["places"]).items():
            if not dict(entry["files"]) or entry["step"] not in range(len(steps)):
                raise ValueError(f"{place} has no files, or is of no step")
        return cls((name, features), tuple(told["needs"]), steps, told["places"])


@cache
def shipment() -> Shipment | None:
    """What this package brings that this processor can run; None for nothing."""
    if os.environ.get("FACEDOWN_SHIPPED") == "off":
        return None
    try:
        found = Shipment.from_json(json.loads((FOLDER / MANIFEST).read_bytes()))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        _tell(f"cannot be read ({error})", FOLDER / MANIFEST)
        return None
    has = binding.get_host_cpu_features()
    return found if all(has.get(one, False) for one in found.needs) else None


def place_of(function: Any, form: Any) -> Path | None:
    """The folder with a function's code in this form, as it was packed; None where it has none."""
    found = shipment()
    if found is None:
        return None
    place = kept.place_of(function, form, FOLDER, found.processor)
    entry = found.places.get(place.name)
    if entry is None:
        return None
    try:
        if kept.digests(place) == entry["files"]:
            return place
    except OSError:
        pass
    _tell("is not as it was packed, and is compiled anew", place)
    return None


@contextmanager
def lending(place: Path, module: str) -> Iterator[None]:
    """Numba's cache, within this block, in this folder; what is in it counts as this processor's.

    What was read is compiled for this processor, in the background, when the program has ended.
    """
    found, codegen = shipment(), cpu_target.target_context.codegen()
    assert found is not None
    own = codegen.magic_tuple()
    codegen.magic_tuple = lambda: (own[0], *found.processor)
    try:
        with kept.reading(place, module):
            yield
    finally:
        del codegen.magic_tuple
    if not LENT:
        atexit.register(tailor)
    LENT.add(int(found.places[place.name]["step"]))


def lent() -> list[Lineup]:
    """The steps of which something was lent, in their order."""
    found = shipment()
    return [] if found is None else [found.steps[number] for number in sorted(LENT)]


def tailor() -> subprocess.Popen[bytes] | None:
    """Start the process that compiles what was lent, which nobody waits for; one at a time."""
    off = os.environ.get("FACEDOWN_TAILOR") == "off" or "PYTEST_CURRENT_TEST" in os.environ
    steps = lent()
    if off or not steps or sys.platform == "win32":
        return None
    lock = claim()
    if lock is None:
        return None
    with lock:
        return subprocess.Popen(
            as_program(TAILOR, json.dumps(steps), "--tailor"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "FACEDOWN_SHIPPED": "off"},
            pass_fds=[lock.fileno()],  # the lock is the process's as long as it lives
            start_new_session=True,
        )


def claim() -> IO[bytes] | None:
    """The file whose lock says that somebody compiles; None where somebody does, or nobody can."""
    try:
        kept.cache_root().mkdir(mode=0o700, parents=True, exist_ok=True)
        file = (kept.cache_root() / "tailor.lock").open("wb")
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file


@cache
def _tell(what: str, place: Path) -> None:
    print(f"facedown: compiled code of the package {what}: {place}", file=sys.stderr)
