"""What the public names do that is more than one call: games by their spec, as in the commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from facedown.agents import analysis
from facedown.agents.base import Agent
from facedown.agents.registry import GIVEN as GIVEN_AGENTS
from facedown.agents.registry import spec_of as agent_spec_of
from facedown.arena.analysis.analyse import SECONDS, Analysis, analyse_game
from facedown.arena.exploit import ExploitResult, Mode, exploit_curve
from facedown.arena.match import run_match
from facedown.arena.respond import GAMES, THINK
from facedown.arena.results import MatchResult
from facedown.core import Position, SpecError
from facedown.games.registry import GIVEN, load_game, spec_of
from facedown.laws import Findings, check_game
from facedown.search.report import Report


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
    games: int = GAMES,
    think: int = THINK,
) -> ExploitResult:
    """What a best response wins from an agent, exactly or from below, as `facedown exploit` does.

    With `mode="search"` from below: so many `games` from each seat, `think` iterations a reply.

    >>> found = exploit("kuhn", "random", seeds=50)
    >>> 0.3 < found.points[0].exploitability < 0.6, round(found.uniform, 3)
    (True, 0.458)
    """
    return exploit_curve(
        load_game(game),
        agent,
        iterations,
        seeds,
        mode,
        seed=seed,
        games=games,
        think=think,
    )


@overload
def analyse(
    what: Position,
    agent: str | type[Agent] | Agent = ...,
    *,
    player: int | None = ...,
    legal: Sequence[int] | None = ...,
    observed: Sequence[int] | None = ...,
    seed: int = ...,
) -> Report: ...


@overload
def analyse(
    what: Any, *, seconds: float = ..., samples: int | None = ..., seed: int = ...
) -> Analysis: ...


def analyse(
    what: Any,
    agent: str | type[Agent] | Agent = "so-ismcts",
    *,
    seconds: float = SECONDS,
    samples: int | None = None,
    seed: int = 0,
    **how: Any,
) -> Report | Analysis:
    """Analyse a position, or a game.

    A position, which is a view of a player's, is searched with an agent's recipe: a `Report`, as
    `agents.analysis.analyse` has it. A game (a spec, a class, an object or a Game) is looked at for
    so many `seconds`, or over so many `samples`, as `facedown analyse` does: an `Analysis`.

    >>> kuhn = load_game("kuhn").start()
    >>> for move in ("deal K", "deal J", "pass", "bet"):
    ...     kuhn.apply(move)
    >>> analyse(kuhn.view(0), "so-ismcts:iterations=2000").best().text
    'bet'
    >>> analyse("kuhn", seconds=0.2).tree.disambiguation.value
    0.0
    """
    if isinstance(what, Position):
        return analysis.analyse(what, agent, seed=seed, **how)
    if how:
        raise SpecError(f"{next(iter(how))} is for a position; {spec_of(what)} is a game")
    return analyse_game(load_game(what), seconds, samples, seed)
