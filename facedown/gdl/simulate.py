"""Can rules be played? Random games tell: all roles can move, games end, goals are there."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from facedown.core import Stream, derive
from facedown.gdl.checks import Finding, goal_value
from facedown.gdl.lifted import State
from facedown.gdl.syntax import Place, Term

RANDOM = "random"
"""The role that draws its moves, each as likely, and that needs no goals."""

_START = Place(1, 1)  # what a game does stands nowhere in the file


class Reasoner(Protocol):
    """What simulation needs of a reasoner."""

    roles: tuple[str, ...]

    def initial(self) -> State: ...
    def terminal(self, state: State) -> bool: ...
    def legal(self, state: State, role: str) -> list[Term]: ...
    def next(self, state: State, moves: Sequence[Term]) -> State: ...
    def sees(self, state: State, moves: Sequence[Term], role: str) -> list[Term]: ...
    def goals(self, state: State, role: str) -> list[Term]: ...


@dataclass
class Played:
    """What some random games were like."""

    games: int = 0
    states: int = 0
    seconds: float = 0.0
    lengths: list[int] = field(default_factory=list)
    fluents: set[Term] = field(default_factory=set)
    moves: dict[str, set[Term]] = field(default_factory=dict)
    percepts: dict[str, set[Term]] = field(default_factory=dict)
    goals: dict[str, list[int]] = field(default_factory=dict)
    most_moves: int = 0
    findings: dict[str, Finding] = field(default_factory=dict)

    def tell(self, severity: str, words: str, seed: int, steps: int) -> None:
        """Note a finding once, with the game and the step at which it was made first."""
        if words not in self.findings:
            where = f"{words} (random game {seed}, after {steps} steps)"
            kind: Finding = Finding("error" if severity == "error" else "warning", _START, where)
            self.findings[words] = kind

    @property
    def faults(self) -> list[Finding]:
        """The findings, errors first."""
        return sorted(self.findings.values(), key=lambda each: each.severity)


def play(
    reasoner: Reasoner,
    *,
    games: int = 20,
    seconds: float = 10.0,
    steps: int = 2000,
    seed: int = 0,
) -> Played:
    """Random games until there are enough of them or the time is over; the first is played out."""
    played = Played()
    for role in reasoner.roles:
        played.moves[role], played.percepts[role], played.goals[role] = set(), set(), []
    start = time.thread_time()
    while played.games < games and (not played.games or played.seconds < seconds):
        stream = Stream(derive(seed, "gdl", "simulate", played.games))
        _one_game(reasoner, played, stream, steps)
        played.games += 1
        played.seconds = time.thread_time() - start
    return played


def _one_game(reasoner: Reasoner, played: Played, stream: Stream, steps: int) -> None:
    state, step, game = reasoner.initial(), 0, played.games
    played.fluents |= state
    while not reasoner.terminal(state):
        legal = [reasoner.legal(state, role) for role in reasoner.roles]
        for role, options in zip(reasoner.roles, legal, strict=True):
            if not options:
                played.tell("error", f"{role} has no legal move", game, step)
        if not all(legal):
            return
        if step == steps:
            played.tell("error", f"a game did not end in {steps:,} steps", game, step)
            return
        state = _one_step(reasoner, played, stream, state, legal)
        step += 1
    played.lengths.append(step)
    _end(reasoner, played, state, step)


def _one_step(
    reasoner: Reasoner, played: Played, stream: Stream, state: State, legal: list[list[Term]]
) -> State:
    moves = [stream.choice(options) for options in legal]
    for role, options in zip(reasoner.roles, legal, strict=True):
        played.moves[role].update(options)
        played.most_moves = max(played.most_moves, len(options))
        played.percepts[role].update(reasoner.sees(state, moves, role))
    after = reasoner.next(state, moves)
    played.fluents |= after
    played.states += 1
    return after


def _end(reasoner: Reasoner, played: Played, state: State, step: int) -> None:
    for role in reasoner.roles:
        terms = reasoner.goals(state, role)
        values = [value for term in terms if (value := goal_value(term)) is not None]
        if len(values) < len(terms):
            played.tell("error", f"a goal of {role} is no whole number", played.games, step)
        if len(values) > 1:
            words = f"{role} has several goals, of which the highest counts"
            played.tell("warning", words, played.games, step)
        if values:
            played.goals[role].append(max(values))
        elif role != RANDOM:
            words = f"{role} has no goal at the end, which counts as 0"
            played.tell("warning", words, played.games, step)
