"""Cells: the matches that a table or figure is made of, and what is measured in them."""

from __future__ import annotations

import ast
import hashlib
import importlib
import inspect
import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from facedown.arena.results import AgentResult, MatchResult
    from facedown.store.records import GameRecord

Games = Callable[[int, int], None]
"""Called with the number of a cell's games done and that of all."""

Measure = Callable[["Iterable[GameRecord]"], Mapping[str, Any]]
"""Named numbers (plain JSON) from the records of a cell's games."""

PAIR_MATCHES = 2
"""Games of each pair of simulated people, where they play each other."""

EARLIER = "earlier"
"""The revision of what was played before revisions were kept."""


@dataclass(frozen=True)
class Cell:
    """A match and what is measured in it.

    `name` says in words what the cell is, unlike any other of its table or figure. `agents` are as
    `facedown match` takes them, so any seats can be filled. `seats`: they rotate as in a match, or
    stay `fixed`, for random games that are compiled (`arena.random_play`; `agents` is then empty);
    or `pairs` of simulated people, from number 0 on, play each other `PAIR_MATCHES` games a pair
    (`learn.people.Gathering`). `measure`, a function at the top of a module, takes further numbers
    from the games' records.
    """

    name: str
    game: str
    agents: tuple[str, ...]
    games: int
    seed: int
    duplicate: bool = True
    clock: float | None = None
    seats: Literal["rotate", "fixed", "pairs"] = "rotate"
    measure: Measure | None = field(default=None, compare=False)

    @property
    def settings(self) -> dict[str, Any]:
        """All that decides what is played and measured, as plain JSON."""
        return {
            "game": self.game,
            "agents": list(self.agents),
            "games": self.games,
            "seed": self.seed,
            "duplicate": self.duplicate,
            "clock": self.clock,
            "seats": self.seats,
            "measure": self.measured,
        }

    @property
    def measured(self) -> str | None:
        """The name of the measure."""
        measure = self.measure
        return None if measure is None else f"{measure.__module__}.{measure.__qualname__}"

    @property
    def key(self) -> str:
        """What decides the games, whatever is measured in them."""
        return match_key(self.settings)

    @property
    def cost(self) -> float:
        """About how long it takes: iterations, and as many more as a game takes without any."""
        if self.seats == "fixed":
            return float(self.games)
        budgets = re.findall(r"\biterations=([\d_]+)", " ".join(self.agents))
        return self.games * (300.0 + sum(float(budget.replace("_", "")) for budget in budgets))


def match_key(settings: Mapping[str, Any]) -> str:
    """The settings of a cell without its measure, as text.

    >>> one = Cell("so-ismcts against random", "kuhn", ("so-ismcts", "random"), 20, 1)
    >>> one.key == Cell("another name", "kuhn", ("so-ismcts", "random"), 20, 1, measure=print).key
    True
    """
    return json.dumps({**settings, "measure": None}, sort_keys=True)


@dataclass(frozen=True)
class CellResult:
    """A cell that was played: the result of its match, and its own numbers."""

    cell: Cell
    result: MatchResult
    numbers: Mapping[str, Any]
    finished: str  # when, in ISO form
    revision: str = EARLIER  # of the code that decides all this

    @property
    def first(self) -> AgentResult:
        """The result of the agent that the cell names first."""
        return self.result.agents[0]


# --- the revision of a measure -------------------------------------------------------------------

_COVERED = tuple(f"facedown.{one}" for one in ("core", "belief", "search", "agents", "games"))
"""Whose sources a match's own revision is made of."""


def measured_by(measure: Measure | None) -> str:
    """A digest of the code of a measure: of all functions of papers that it reaches.

    Words of pages beside them do not count, nor do comments. Of the rest of the program, what the
    revision of a match does not cover already counts by the file.
    """
    if measure is None:
        return ""
    parts = sorted(set(_reached(measure)))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def cell_revision(match: str, measured: str) -> str:
    """The revision of a cell, of those of its match and of its measure."""
    if not measured or match == EARLIER:
        return match
    return hashlib.sha256(f"{match} {measured}".encode()).hexdigest()[:16]


def _reached(start: Any) -> Iterator[str]:
    """The sources of all that a function reaches in the papers, each once."""
    from facedown.store.revision import bare

    seen, left = set[int](), [start]
    while left:
        thing = left.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        source = bare(textwrap.dedent(inspect.getsource(thing)).encode())
        yield source
        module = sys.modules[thing.__module__]
        for name, value in _named(source, vars(module)):
            if inspect.isfunction(value) or inspect.isclass(value):
                if _of_papers(value.__module__, start):
                    left.append(value)
                elif value.__module__.startswith("facedown."):
                    yield from _file(value.__module__)
            elif isinstance(value, str | int | float | bool | tuple | list | dict):
                yield f"{name} = {value!r}"


def _of_papers(module: str, start: Any) -> bool:
    return module.startswith("facedown.papers") or module == start.__module__


def _named(source: str, known: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What names of a source stand for: globals of its module, and what it imports itself."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and node.id in known:
            yield node.id, known[node.id]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("facedown"):
            found = importlib.import_module(node.module or "")
            yield from ((one.name, getattr(found, one.name, None)) for one in node.names)


def _file(module: str) -> Iterator[str]:
    """The source of a module, unless the revision of a match has it."""
    from facedown.store.revision import bare

    if module.startswith(_COVERED):
        return
    file = inspect.getsourcefile(sys.modules[module])
    if file is not None:
        with open(file, "rb") as source:
            yield bare(source.read())
