"""Games in which nobody sees everything, and players that never peek.

Load a game, let agents play a match, search a view, and see what may be hidden in it:

>>> import facedown
>>> result = facedown.match("kuhn", ["so-ismcts:iterations=200", "random"], games=20, seed=1)
>>> result.agents[0].spec, result.agents[0].games, result.errors
('so-ismcts:iterations=200', 20, 0)

>>> kuhn = facedown.load_game("kuhn")
>>> truth = kuhn.start()
>>> for move in ("deal K", "deal Q", "pass", "bet"):
...     truth.apply(move)
>>> view = truth.view(0)
>>> print(view.text(0))
Kuhn poker: pot 3, your move
  player 0 (you)  [K]  1 chip in the pot
  player 1        [?]  2 chips in the pot
  played: pass, bet
>>> facedown.analyse(view, "so-ismcts:iterations=1000").best().text
'bet'
>>> sorted(text for text, share in facedown.beliefs(view, player=0))
['player 1 holds J', 'player 1 holds Q']

A game of your own is a class, ordinary Python or compiled; an agent of your own is a class, too.
`docs/new-game.md` and `docs/new-agent.md` show how. Nothing heavy is imported before it is used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from facedown.agents.analysis import beliefs, inferred, retell
    from facedown.agents.base import Agent
    from facedown.agents.registry import make_agent
    from facedown.api import analyse, check, exploit, match
    from facedown.arena.bench import bench
    from facedown.arena.replay import replay
    from facedown.arena.results import MatchResult
    from facedown.belief.belief import Belief, Wanted
    from facedown.belief.pool import Pool
    from facedown.core import (
        CHANCE,
        NOTHING,
        OVER,
        PUBLIC,
        CompiledGame,
        FacedownError,
        Game,
        Position,
        Question,
        RuleError,
        SpecError,
        Stream,
        Traits,
        below,
        derive,
        jit,
        lowest,
        mix,
        pick,
        uniform,
    )
    from facedown.games.registry import load_game
    from facedown.plots import plot
    from facedown.search.report import Report
    from facedown.store.records import read_records

    __version__: str

__all__ = [
    "CHANCE",
    "NOTHING",
    "OVER",
    "PUBLIC",
    "Agent",
    "Belief",
    "CompiledGame",
    "FacedownError",
    "Game",
    "MatchResult",
    "Pool",
    "Position",
    "Question",
    "Report",
    "RuleError",
    "SpecError",
    "Stream",
    "Traits",
    "Wanted",
    "__version__",
    "analyse",
    "beliefs",
    "below",
    "bench",
    "check",
    "derive",
    "exploit",
    "inferred",
    "jit",
    "load_game",
    "lowest",
    "make_agent",
    "match",
    "mix",
    "pick",
    "plot",
    "read_records",
    "replay",
    "retell",
    "uniform",
]

_HOMES = {
    "Agent": "facedown.agents.base",
    "Belief": "facedown.belief.belief",
    "MatchResult": "facedown.arena.results",
    "Pool": "facedown.belief.pool",
    "Report": "facedown.search.report",
    "Wanted": "facedown.belief.belief",
    "analyse": "facedown.api",
    "beliefs": "facedown.agents.analysis",
    "bench": "facedown.arena.bench",
    "check": "facedown.api",
    "exploit": "facedown.api",
    "inferred": "facedown.agents.analysis",
    "load_game": "facedown.games.registry",
    "make_agent": "facedown.agents.registry",
    "match": "facedown.api",
    "plot": "facedown.plots",
    "read_records": "facedown.store.records",
    "replay": "facedown.arena.replay",
    "retell": "facedown.agents.analysis",
}
"""Where a name lives, and by which name there if by another; all others live in the core."""


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name == "__version__":
        from importlib import metadata

        found: Any = metadata.version("facedown")
    elif name in __all__:
        module, _, own = _HOMES.get(name, "facedown.core").partition(":")
        found = getattr(importlib.import_module(module), own or name)
    else:
        raise AttributeError(f"module 'facedown' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
