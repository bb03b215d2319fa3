"""A match of many games: seats rotate, deals come again for every seat, results are counted."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from facedown.agents.registry import check_agent
from facedown.arena.plan import Plan, expand
from facedown.arena.records import GameRecord, RecordFile
from facedown.arena.results import MatchResult, Scoreboard
from facedown.arena.sides import by_side, headcount, seating
from facedown.arena.workers import play_here, play_in_workers
from facedown.core import Game, SpecError
from facedown.games.registry import load_game

Progress = Callable[[int, int], None]
"""Called with the number of games done and the number of all."""


def run_match(
    game_spec: str,
    agent_specs: Sequence[str],
    games: int = 100,
    seed: int = 0,
    jobs: int | None = 1,
    *,
    duplicate: bool = True,
    clock: float | None = None,
    save: str | Path | None = None,
    progress: Progress | None = None,
) -> MatchResult:
    """Play a match and give its result.

    `AGENT*3` fills three seats. Seats rotate through the players of the game; with `duplicate`
    every rotation plays the same deal. In a game with sides `SIDE=AGENT`, once for each side, has
    every player of a side played by its agent; chance's first moves are then taken in turn, and
    there are no duplicates. Games of agents without time budgets depend on the seed
    alone, not on the number of `jobs` (processes); None is one as long as the match looks short,
    and all cores for the rest of one that looks long. `clock` is what an agent may take for a
    move, in seconds. `save` names a file of records, which gets what was finished also when an
    error or Ctrl-C ends the match; MatchInterrupt then has the result of the games so far.

    >>> result = run_match("kuhn", ["random*2"], games=4, seed=1)
    >>> result.agents[0].win_rate, result.errors
    (0.5, 0)
    """
    _check(games=games, jobs=jobs, clock=clock)
    game = load_game(game_spec)
    teams = by_side(agent_specs, game)
    seats = seating(game) if teams is not None else ()
    entries = expand(agent_specs, game) if teams is None else headcount(teams, seats)
    for spec, _ in entries:
        check_agent(spec, game)
    plan = Plan(game_spec, entries, games, seed, duplicate and not seats, clock, seats)
    began = time.perf_counter()
    with ExitStack() as stack:
        file = None if save is None else stack.enter_context(RecordFile(save))
        desk = _Desk(plan, file, progress, game.sides if seats else ())
        try:
            with desk:
                _play(plan, game, desk, jobs)
        except KeyboardInterrupt as stop:
            result = desk.board.result(time.perf_counter() - began) if desk.board.games else None
            raise MatchInterrupt(result) from stop
    return desk.board.result(time.perf_counter() - began)


class MatchInterrupt(KeyboardInterrupt):
    """Ctrl-C has ended a match; `result` is that of the finished games, None if there are none."""

    def __init__(self, result: MatchResult | None) -> None:
        self.result = result
        super().__init__(f"after {result.games if result else 0} games")


def _play(plan: Plan, game: Game, desk: _Desk, jobs: int | None) -> None:
    first = 0
    if jobs is None:
        first = play_here(plan, game, desk, while_short=True)
        jobs = cores()
    left = plan.games - first
    if left and min(jobs, left) > 1:
        play_in_workers(plan, min(jobs, left), desk, first=first)
    elif left:
        play_here(plan, game, desk, first=first)


def cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _check(*, games: int, jobs: int | None, clock: float | None) -> None:
    if games < 1:
        raise SpecError(f"games is {games}; at least 1 is wanted")
    if jobs is not None and jobs < 1:
        raise SpecError(f"jobs is {jobs}; at least 1 is wanted")
    if clock is not None and not clock > 0:
        raise SpecError(f"clock is {clock}; more than 0 seconds is wanted")


class _Desk:
    """Takes finished games in any order; saves and counts them by their numbers."""

    def __init__(
        self,
        plan: Plan,
        file: RecordFile | None,
        progress: Progress | None,
        sides: tuple[str, ...],
    ) -> None:
        self.board = Scoreboard(plan, sides)
        self._plan, self._file, self._progress = plan, file, progress
        self._early: dict[int, GameRecord] = {}  # finished before one of a lower number
        self._done = self._reported = 0

    def take(self, record: GameRecord) -> None:
        """A game is finished."""
        self._early[record.number] = record
        self._done += 1
        while (following := self._early.pop(self.board.games, None)) is not None:
            self._keep(following)

    def report(self) -> None:
        """Call `progress` once for each game that was finished since the last report."""
        while self._reported < self._done:
            self._reported += 1
            if self._progress is not None:
                self._progress(self._reported, self._plan.games)

    def _keep(self, record: GameRecord) -> None:
        self.board.add(record)
        if self._file is not None:
            self._file.add(record)

    def __enter__(self) -> _Desk:
        return self

    def __exit__(self, *error: object) -> None:
        """An interrupted match keeps the games that were waiting for others, too."""
        for number in sorted(self._early):
            self._keep(self._early[number])
