"""Rules without variables: `ground` has clingo work them out in a child process, within limits."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import time
from dataclasses import asdict, dataclass
from typing import Any

from facedown.core.errors import SpecError
from facedown.core.jit import PACKAGE
from facedown.core.machine import as_program
from facedown.gdl import grounder
from facedown.gdl.asp import Names, program
from facedown.gdl.errors import LimitError
from facedown.gdl.syntax import Description, Term


@dataclass(frozen=True)
class Limits:
    """What grounding may take; rules whose terms nest for ever would take everything.

    `seconds` are of CPU time: on a busy machine it takes longer, and comes to the same.
    """

    seconds: float = 30.0
    rules: int = 2_000_000
    depth: int = 50
    megabytes: int = 4_000


@dataclass(frozen=True)
class Ground:
    """Ground rules over numbered atoms.

    `rules[a]` are the bodies of atom `a`, tuples of signed atoms. `atoms[name]` has the atoms of a
    relation that the language knows, by their arguments: a number, or 0 where it always holds.
    """

    rules: dict[int, list[tuple[int, ...]]]
    atoms: dict[str, dict[tuple[Term, ...], int]]
    seconds: float

    @property
    def size(self) -> int:
        """How many rules there are."""
        return sum(map(len, self.rules.values()))


def ground(
    description: Description,
    limits: Limits | None = None,
    *,
    split: bool = True,
    here: bool = False,
) -> Ground:
    """Ground a game's rules; LimitError where that takes more than the limits allow.

    `split` the rules' bodies first, which keeps the grounding small. `here`: in this process, whose
    owner bounds its time and memory; else in a child.
    """
    limits, names, began = limits or Limits(), Names(), time.perf_counter()
    request = program(description, names, split=split), asdict(limits)
    kind, *told = grounder.answer(*request) if here else _asked(pickle.dumps(request), limits)
    if kind == "limit":
        raise LimitError(f"{description.source}: grounding stopped: {told[0]}")
    if kind == "error":
        raise SpecError(f"{description.source} cannot be grounded: {told[0]}")
    rules, atoms = told
    terms = {
        name: {tuple(map(names.term, args)): atom for args, atom in found}
        for name, found in atoms.items()
    }
    return Ground(rules, terms, time.perf_counter() - began)


def _asked(request: bytes, limits: Limits) -> Any:
    """The answer of a child process, which the system ends where it takes too much."""
    path = os.pathsep.join(filter(None, [str(PACKAGE.parent), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        as_program(grounder.__name__),
        input=request,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )
    if done.returncode == 0:
        return pickle.loads(done.stdout)
    if done.returncode == -signal.SIGPROF:
        return "limit", f"more than {limits.seconds:g} s of CPU time"
    if done.returncode < 0:  # a signal: the system's limit on memory
        return "limit", f"more than {limits.megabytes:,} MB of memory"
    words = done.stderr.decode(errors="replace").strip().splitlines()
    if words and words[-1].startswith("MemoryError"):  # where none was left even to say so
        return "limit", f"more than {limits.megabytes:,} MB of memory"
    return "error", words[-1] if words else f"the grounder ended with status {done.returncode}"
