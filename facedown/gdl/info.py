"""What a rule file is like: its roles and rules, and its size as random games show it."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from facedown.core.errors import RuleError, SpecError
from facedown.gdl.checks import checked
from facedown.gdl.graph import Graph
from facedown.gdl.lifted import Lifted
from facedown.gdl.network import RuleNetwork
from facedown.gdl.play import random_games
from facedown.gdl.reader import read_file
from facedown.gdl.simulate import Played, play
from facedown.gdl.syntax import Description

_TIMED = 200_000  # joint states that are played to time a network


@dataclass(frozen=True)
class Sample:
    """What the lifted reasoner met in random games; more of it may be reachable."""

    games: int
    states: int
    states_per_second: float
    fluents: int
    moves: dict[str, int]
    percepts: dict[str, int]
    most_moves: int
    steps: tuple[int, float, int]
    """The shortest game, the mean, the longest."""
    goals: dict[str, tuple[int, float, int] | None]
    """The least, the mean and the highest for each role; none where it has no goals."""


@dataclass(frozen=True)
class Grounded:
    """The rule network of a game: all that can come about, by the grounding, and its speed.

    Joint states a second of random play, without and with percepts, in the network itself.
    """

    rules: int
    fluents: int
    moves: dict[str, int]
    percepts: dict[str, int]
    gates: int
    edges: int
    ground_seconds: float
    network_seconds: float
    states_per_second: float
    seeing_per_second: float


@dataclass(frozen=True)
class Info:
    """The facts of a rule file."""

    source: str
    language: str
    roles: tuple[str, ...]
    rules: int
    relations: int
    recursive: tuple[str, ...]
    repairs: int
    read_seconds: float
    compile_seconds: float
    sample: Sample
    grounded: Grounded | None
    lacking: str
    """Why there is no rule network; empty where there is one."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def info(path: str | Path, *, games: int = 100, seconds: float = 5.0, seed: int = 0) -> Info:
    """Read a file and play some random games by its rules."""
    start = time.perf_counter()
    description = checked(read_file(path))
    middle = time.perf_counter()
    reasoner = Lifted(description)
    end = time.perf_counter()
    graph = Graph(description.rules)
    grounded, lacking = _grounded(description)
    cyclic = sorted(name for name, arity in graph.rules if graph.recursive((name, arity)))
    return Info(
        source=str(path),
        language=language(description),
        roles=description.roles,
        rules=len(description.rules),
        relations=len(graph.rules),
        recursive=tuple(cyclic),
        repairs=len(description.repairs),
        read_seconds=middle - start,
        compile_seconds=end - middle,
        sample=_sample(play(reasoner, games=games, seconds=seconds, seed=seed)),
        grounded=grounded,
        lacking=lacking,
    )


def _grounded(description: Description) -> tuple[Grounded | None, str]:
    """The facts of the network, or why there is none."""
    try:
        rules = RuleNetwork(description)
    except SpecError as error:
        return None, str(error)
    roles = list(enumerate(rules.roles))
    nets = (rules.play, rules.sight)
    try:
        plain, seeing = _speed(rules, seeing=False), _speed(rules, seeing=True)
    except RuleError:  # a role without moves: `check` says so
        plain = seeing = 0.0
    return Grounded(
        rules=rules.ground_rules,
        fluents=len(rules.fluents),
        moves={role: sum(s is not None and s[0] == k for s in rules.slots) for k, role in roles},
        percepts={
            role: sum(s is not None and s[0] == k for s in rules.percepts)
            for k, role in roles[: rules.players]
        },
        gates=sum(net.gates for net in nets),
        edges=sum(len(net.edge) for net in nets),
        ground_seconds=rules.ground_seconds,
        network_seconds=rules.seconds - rules.ground_seconds,
        states_per_second=plain,
        seeing_per_second=seeing,
    ), ""


def _speed(rules: RuleNetwork, *, seeing: bool) -> float:
    """Joint states a second; the first run loads what is compiled."""
    for most in (100, _TIMED):
        played = random_games(rules, most, seeing=seeing, most=most)
    return played.states_per_second


def language(description: Description) -> str:
    """GDL-II where roles see only what `sees` says or moves are drawn; else GDL."""
    return "GDL" if description.perfect else "GDL-II"


def _sample(played: Played) -> Sample:
    return Sample(
        games=played.games,
        states=played.states,
        states_per_second=played.states / max(played.seconds, 1e-9),
        fluents=len(played.fluents),
        moves={role: len(found) for role, found in played.moves.items()},
        percepts={role: len(found) for role, found in played.percepts.items()},
        most_moves=played.most_moves,
        steps=_spread(played.lengths) or (0, 0.0, 0),
        goals={role: _spread(values) for role, values in played.goals.items()},
    )


def _spread(values: list[int]) -> tuple[int, float, int] | None:
    return (min(values), sum(values) / len(values), max(values)) if values else None
