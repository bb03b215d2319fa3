"""Can rules be played? Random games tell: all roles can move, games end, goals are there."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from facedown.core import derive
from facedown.gdl.checks import Finding, goal_value
from facedown.gdl.lifted import Lifted
from facedown.gdl.syntax import Place, Term
from facedown.gdl.walks import Walk

RANDOM = "random"
"""The role that draws its moves, each as likely, and that needs no goals."""

_OFTEN = 200  # joint states after which the clock is looked at
_START = Place(1, 1)  # what a game does stands nowhere in the file


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
    reasoner: Lifted,
    *,
    games: int = 20,
    seconds: float = 10.0,
    steps: int = 2000,
    seed: int = 0,
) -> Played:
    """Random games until there are enough of them or the time is over; the first is played out."""
    walks, roles, timer = reasoner.walks(), reasoner.roles, Timer()
    played = Played(goals={role: [] for role in roles})
    while played.games < games and (not played.games or timer.seconds < seconds):
        walk = walks.play(derive(seed, "gdl", "simulate", played.games), steps)
        _enter(played, walk, roles)
        timer.look(played.states)
    met, played.seconds = walks.met(), timer.look()
    played.fluents, played.moves, played.percepts = met.fluents, met.moves, met.percepts
    played.most_moves = met.most_moves
    return played


class Timer:
    """CPU seconds of this thread, asked for now and then: to ask takes as long as a short game."""

    def __init__(self) -> None:
        self._began, self._next = time.thread_time(), _OFTEN
        self.seconds = 0.0

    def look(self, states: int | None = None) -> float:
        """The seconds, up to date if there are so many states more than the last time."""
        if states is None or states >= self._next:
            self.seconds = time.thread_time() - self._began
            self._next = (states or 0) + _OFTEN
        return self.seconds


def _enter(played: Played, walk: Walk, roles: Sequence[str]) -> None:
    """Count a game, and what was wrong in it."""
    game, step = played.games, walk.steps
    played.games, played.states = game + 1, played.states + step
    for role in walk.lacking:
        played.tell("error", f"{role} has no legal move", game, step)
    if walk.over:
        played.lengths.append(step)
        _end(played, walk, roles, game)
    elif not walk.lacking:
        played.tell("error", f"a game did not end in {step:,} steps", game, step)


def _end(played: Played, walk: Walk, roles: Sequence[str], game: int) -> None:
    for role in roles:
        terms, step = walk.goals.get(role, []), walk.steps
        values = [value for term in terms if (value := goal_value(term)) is not None]
        if len(values) < len(terms):
            played.tell("error", f"a goal of {role} is no whole number", game, step)
        if len(values) > 1:
            words = f"{role} has several goals, of which the highest counts"
            played.tell("warning", words, game, step)
        if values:
            played.goals[role].append(max(values))
        elif role != RANDOM:
            words = f"{role} has no goal at the end, which counts as 0"
            played.tell("warning", words, game, step)
