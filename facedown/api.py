"""What the public names do that is more than one call: games by their spec, as in the commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from facedown.agents.registry import GIVEN as GIVEN_AGENTS
from facedown.agents.registry import spec_of as agent_spec_of
from facedown.arena.exploit import ExploitResult, Mode, exploit_curve
from facedown.arena.match import run_match
from facedown.arena.measures import Measures, measure
from facedown.arena.results import MatchResult
from facedown.core import SpecError
from facedown.games.registry import GIVEN, load_game, spec_of
from facedown.laws import Findings, check_game


def match(
    game: Any,
    agents: Sequence[Any],
    games: int = 100,
    seed: int = 0,
    jobs: int | None = 1,
    **how: Any,
) -> MatchResult:
    """Play a match and give its result, as `facedown match` does; `how` as `run_match` has it.

    A game is a spec, a class, an object or a Game, an agent a spec or a class. What is handed over
    as a class or an object is known to this process alone, so all is played in it.

    >>> from facedown import Agent
    >>> class First(Agent):
    ...     def choose(self, view, legal):
    ...         return legal[0]
    >>> match("kuhn", [First, "random"], games=10, seed=1).agents[0].spec
    'First'
    """
    spec, players = spec_of(game), [agent_spec_of(agent) for agent in agents]
    given = [name.partition(":")[0] for name in (spec, *players)]
    here = [name for name in given if name in GIVEN or name in GIVEN_AGENTS]
    if here and jobs not in (None, 1):
        raise SpecError(f"jobs={jobs}: {here[0]} is known to this process alone; jobs=1 is wanted")
    return run_match(spec, players, games, seed, 1 if here else jobs, **how)


def check(game: Any, *, seed: int = 0, games: int = 50, seconds: float | None = 60.0) -> Findings:
    """Fuzz a game against the laws of the contract, as `facedown check` does.

    >>> check("kuhn", games=5).ok
    True
    """
    return check_game(lambda: load_game(game), seed=seed, games=games, seconds=seconds)


def exploit(
    game: Any,
    agent: str,
    iterations: Sequence[int] = (),
    *,
    seeds: int | None = None,
    mode: Mode = "play",
    seed: int = 0,
) -> ExploitResult:
    """What a best response wins from an agent, exactly, as `facedown exploit` does.

    >>> found = exploit("kuhn", "random", seeds=50)
    >>> 0.3 < found.points[0].exploitability < 0.6, round(found.uniform, 3)
    (True, 0.458)
    """
    return exploit_curve(load_game(game), agent, iterations, seeds, mode, seed=seed)


def measures(game: Any, *, samples: int | None = None, seed: int = 0) -> Measures:
    """Leaf correlation, bias and disambiguation of a game's tree, as `facedown measures` does.

    >>> measures("kuhn").disambiguation.value
    0.0
    """
    return measure(load_game(game), samples, seed)
