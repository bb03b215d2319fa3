"""A match of many games: seats rotate, deals come again for every seat, results are counted."""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from facedown.agents.registry import check_agent
from facedown.arena.apart.limits import Limits
from facedown.arena.apart.seat import Cells, Isolation
from facedown.arena.backends import Backend, Local
from facedown.arena.ledger import Ledger, Progress
from facedown.arena.plan import Plan, expand
from facedown.arena.results import MatchResult, Scoreboard
from facedown.arena.sequential import Stopping, even_share
from facedown.arena.sides import by_side, headcount, seating
from facedown.core import Game, SpecError
from facedown.core.files import NewFile
from facedown.core.machine import most_threads
from facedown.core.specs import parse
from facedown.games.registry import load_game
from facedown.store.kept import Kept, Writer
from facedown.store.records import write_records
from facedown.store.revision import machine, revision
from facedown.store.store import MEMORY, Ask, Store

MOST_GAMES, MOST_SECONDS = 10**9, 10**7
"""Of a match, and for a move: beyond any match that ends."""


def run_match(
    game_spec: str,
    agent_specs: Sequence[str],
    games: int = 100,
    seed: int = 0,
    jobs: int | None = 1,
    *,
    duplicate: bool = True,
    clock: float | None = None,
    stopping: Stopping | None = None,
    isolate: bool | None = None,
    limits: Limits | None = None,
    store: Store | None = None,
    new: bool = False,
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
    move, in seconds. With `stopping` the match ends once it is decided.

    Agents that `isolate` asks for, those from files unless told otherwise, play in processes of
    their own within these `limits`, and can peek at nothing.

    A `store` keeps the games: a match that it has goes on where it was, or is not played again,
    unless a `new` one is wanted. `save` names a file of records, which must not be there; it gets
    what was finished also when an error or Ctrl-C ends the match. MatchInterrupt then has the
    result of the games so far.

    >>> result = run_match("kuhn", ["random*2"], games=4, seed=1)
    >>> result.agents[0].win_rate, result.errors
    (0.5, 0)
    """
    isolation = Isolation(isolate, Cells(limits or Limits()))
    fixture = arrange(
        game_spec,
        agent_specs,
        games,
        duplicate=duplicate,
        clock=clock,
        stopping=stopping,
        jobs=jobs,
        isolation=isolation,
    )
    if save is None and store is None:
        return play_match(fixture, seed, jobs, progress=progress)
    if save is not None:
        NewFile(save)  # SpecError, where nothing could be written
    with Store(MEMORY) as scratch:
        kept = (store or scratch).match(fixture.ask(seed), new=new)
        try:
            return keep_match(fixture, kept, jobs, progress=progress)
        finally:
            if save is not None:
                write_records(save, kept.records())


@dataclass(frozen=True)
class Fixture:
    """A match that can be played: all that decides it but the seed."""

    game: Game
    specs: tuple[str, ...]  # as they were given
    entries: tuple[tuple[str, int], ...]
    seating: tuple[tuple[int, ...], ...]
    games: int
    duplicate: bool
    clock: float | None
    isolation: Isolation = field(default_factory=Isolation)
    stopping: Stopping | None = None

    @property
    def sides(self) -> tuple[str, ...]:
        """The names of the sides, in a match of sides."""
        return self.game.sides if self.seating else ()

    def plan(self, seed: int, *, hidden: Sequence[str] = ()) -> Plan:
        """The match with a seed; files that are `hidden` no agent apart can read."""
        cells = replace(self.isolation.cells, hidden=tuple(hidden))
        return Plan(
            self.game.spec,
            self.entries,
            self.games,
            seed,
            self.duplicate and not self.seating,
            self.clock,
            self.seating,
            replace(self.isolation, cells=cells),
        )

    def ledger(
        self,
        seed: int,
        *,
        writer: Writer | None = None,
        progress: Progress | None = None,
        match: int = 0,
    ) -> Ledger:
        """The books of the match with a seed, as far as a writer has its games."""
        hidden = [] if writer is None else _files_of(writer.match.store)
        plan, stopping = self.plan(seed, hidden=hidden), self.stopping
        return Ledger(plan, self.sides, writer, progress, stopping=stopping, match=match)

    def ask(self, seed: int | None, kind: str = "match", code: str | None = None) -> Ask:
        """What to ask a store for; without a seed, any. `code` is the revision, if it is known."""
        agents = [spec for spec, _ in self.entries]
        settings = {
            "game": self.game.spec,
            "agents": list(self.specs),
            "games": self.games,
            "duplicate": self.duplicate,
            "clock": self.clock,
            **self._files(),
            **self._apart(),
            **({} if self.stopping is None else {"stop": self.stopping.to_json()}),
        }
        return Ask(
            kind=kind,
            name=" ".join((self.game.spec, *self.specs)),
            game=self.game.spec,
            settings=settings,
            games=self.games,
            revision=revision(self.game, agents) if code is None else code,
            seed=seed,
            machine=machine(),
        )

    def _apart(self) -> dict[str, Any]:
        """Who played apart, and how: the same agents elsewhere may have known more."""
        apart = [self.isolation.apart(spec) for spec, _ in self.entries]
        if any(apart):
            return {"isolate": self.isolation.isolate, "isolation": self.isolation.to_json()}
        return {"isolate": False} if any(parse(spec).file for spec, _ in self.entries) else {}

    def _files(self) -> dict[str, Any]:
        """Where a user's own files are: the same words elsewhere mean another match."""
        specs = [self.game.spec, *(spec for spec, _ in self.entries)]
        files = [parse(spec).file for spec in specs if ".py:" in spec]
        found = sorted({os.path.realpath(file) for file in files if file is not None})
        return {"files": found} if found else {}


def arrange(
    game_spec: str,
    agent_specs: Sequence[str],
    games: int = 100,
    *,
    duplicate: bool = True,
    clock: float | None = None,
    stopping: Stopping | None = None,
    jobs: int | None = 1,
    isolation: Isolation | None = None,
) -> Fixture:
    """A match that can be played; SpecError says what is wrong with what was given."""
    check_numbers(games=games, jobs=jobs, clock=clock)
    game = load_game(game_spec)
    fixture = fixture_of(game, agent_specs, games, duplicate, clock, stopping)
    apart, specs = isolation or Isolation(), [spec for spec, _ in fixture.entries]
    for spec in specs:
        if not apart.apart(spec):
            check_agent(spec, game)
    return replace(fixture, isolation=apart.checked(specs, game))


def fixture_of(
    game: Game,
    agent_specs: Sequence[str],
    games: int,
    duplicate: bool,
    clock: float | None,
    stopping: Stopping | None = None,
) -> Fixture:
    """A match whose agents nobody has looked at."""
    teams = by_side(agent_specs, game)
    seats = seating(game) if teams is not None else ()
    entries = expand(agent_specs, game) if teams is None else headcount(teams, seats)
    if stopping is not None:
        _check_stopping(stopping, entries, teams is not None)
    made = Fixture(game, tuple(agent_specs), entries, seats, games, duplicate, clock)
    return replace(made, stopping=stopping)


def _check_stopping(stopping: Stopping, entries: Sequence[tuple[str, int]], by_sides: bool) -> None:
    """SpecError where nobody can say what an even result would be."""
    if by_sides:
        raise SpecError("a match of sides has no even result that a test could stop it by")
    if len(entries) < 2:
        raise SpecError("one agent in all seats has nobody to be better than: nothing to stop by")
    stopping.check(even_share([count for _, count in entries]))


def keep_match(
    fixture: Fixture,
    kept: Kept,
    jobs: int | None = 1,
    *,
    backend: Backend | None = None,
    progress: Progress | None = None,
    whole_run: bool = True,
) -> MatchResult:
    """The result of a match in a store: what is missing of it is played, and kept.

    A `backend` plays elsewhere than in so many processes here. `whole_run` says that its run is
    over with it.
    """
    if kept.result is not None:
        return MatchResult.from_json(kept.result)
    with Writer(kept) as writer:
        if kept.result is not None:  # another process has finished it meanwhile
            return MatchResult.from_json(kept.result)
        ledger = fixture.ledger(kept.seed, writer=writer, progress=progress)
        _play_out(ledger, fixture.game, backend or Local(jobs))
        return ledger.close(whole_run=whole_run)


def play_match(
    fixture: Fixture,
    seed: int,
    jobs: int | None = 1,
    *,
    progress: Progress | None = None,
) -> MatchResult:
    """Play a match that nobody keeps; its result."""
    ledger = fixture.ledger(seed, progress=progress)
    _play_out(ledger, fixture.game, Local(jobs))
    return ledger.close()


def _play_out(ledger: Ledger, game: Game, backend: Backend) -> None:
    try:
        backend.play(ledger, {game.spec: game})
    except KeyboardInterrupt as stop:
        raise MatchInterrupt(ledger.result()) from stop


def _files_of(store: Store) -> list[str]:
    """The files of a store: a database, and what lies beside it for its journal and locks."""
    return sorted(glob.glob(f"{glob.escape(store.path)}*"))


def recounted(kept: Kept, game: Game) -> list[str]:
    """What differs between the result of a match in a store and its games, counted anew.

    Its agents are not loaded for that.
    """
    if kept.result is None or not kept.wanted:  # random games by the hundred thousand: no records
        return []
    given = kept.settings
    stop = Stopping(**given["stop"]) if "stop" in given else None
    agents, games, duplicate = given["agents"], given["games"], given["duplicate"]
    fixture = fixture_of(game, agents, games, duplicate, given["clock"], stop)
    apart = Isolation.told(given.get("isolate", False), given.get("isolation"))
    board = Scoreboard(replace(fixture, isolation=apart).plan(kept.seed), fixture.sides, stop)
    for tally in kept.tallies():
        board.add(tally)
    stored = MatchResult.from_json(kept.result).to_json()
    counted, told = (_counted(one) for one in (board.result(0.0).to_json(), stored))
    differ = [name for name in counted if counted[name] != told.get(name)]
    return [f"{name} is not what the games add up to" for name in differ]


def _counted(result: Mapping[str, Any]) -> dict[str, Any]:
    """What a result counts; intervals are reckoned from that, by other versions in other ways."""
    reckoned = ("low", "high", "p_value")
    agents = [{k: v for k, v in one.items() if k not in reckoned} for one in result["agents"]]
    return {**{k: v for k, v in result.items() if k != "seconds"}, "agents": agents}


class MatchInterrupt(KeyboardInterrupt):
    """Ctrl-C has ended a match; `result` is that of the finished games, None if there are none."""

    def __init__(self, result: MatchResult | None) -> None:
        self.result = result
        super().__init__(f"after {result.games if result else 0} games")


def check_numbers(*, games: int, jobs: int | None, clock: float | None) -> None:
    """SpecError where a number of a match is out of all bounds."""
    if games < 1:
        raise SpecError(f"games is {games}; at least 1 is wanted")
    if games > MOST_GAMES:
        raise SpecError(f"games is {games:,}; at most {MOST_GAMES:,} is wanted")
    if jobs is not None and jobs < 1:
        raise SpecError(f"jobs is {jobs}; at least 1 is wanted")
    if jobs is not None and jobs > most_threads():
        raise SpecError(f"jobs is {jobs:,}; at most {most_threads()} is wanted on this machine")
    if clock is not None and not clock > 0:
        raise SpecError(f"clock is {clock}; more than 0 seconds is wanted")
    if clock is not None and clock > MOST_SECONDS:
        raise SpecError(f"clock is {clock:g}; at most {MOST_SECONDS:,} seconds is wanted")
