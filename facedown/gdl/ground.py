"""Rules without variables: `ground` has clingo work them out in a child process, within limits."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from typing import Any

from facedown.core.errors import SpecError
from facedown.core.jit import PACKAGE
from facedown.gdl.asp import Names, program
from facedown.gdl.errors import LimitError
from facedown.gdl.syntax import Description, Term

_MODULE = "facedown.gdl.grounder"  # not imported for its work: it is run as a program


@dataclass(frozen=True)
class Limits:
    """What grounding may take; rules whose terms nest for ever would take everything."""

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


def ground(description: Description, limits: Limits | None = None, *, split: bool = True) -> Ground:
    """Ground a game's rules; LimitError where that takes more than the limits allow.

    `split` the rules' bodies first, which keeps the grounding small.
    """
    limits, names, began = limits or Limits(), Names(), time.perf_counter()
    request = pickle.dumps((program(description, names, split=split), asdict(limits)))
    kind, *told = _asked(description.source, request, limits)
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


def _asked(source: str, request: bytes, limits: Limits) -> Any:
    """The answer of the child process, which is ended where it takes too long."""
    path = os.pathsep.join(filter(None, [str(PACKAGE.parent), os.environ.get("PYTHONPATH")]))
    try:
        done = subprocess.run(
            [sys.executable, "-m", _MODULE],
            input=request,
            capture_output=True,
            timeout=limits.seconds,
            env={**os.environ, "PYTHONPATH": path},
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "limit", f"more than {limits.seconds:g} s"
    if done.returncode == 0:
        return pickle.loads(done.stdout)
    if done.returncode < 0:  # a signal: the system's limits on time or memory
        return "limit", f"more than {limits.megabytes:,} MB of memory, or {limits.seconds:g} s"
    words = done.stderr.decode(errors="replace").strip().splitlines()
    if words and words[-1].startswith("MemoryError"):  # where none was left even to say so
        return "limit", f"more than {limits.megabytes:,} MB of memory"
    return "error", words[-1] if words else f"the grounder ended with status {done.returncode}"
