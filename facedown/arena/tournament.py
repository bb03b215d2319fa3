"""A tournament: matches of many agents in one game, kept as one run, with ratings in the end."""

from __future__ import annotations

import secrets
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from facedown.agents.registry import check_agent
from facedown.arena.apart.seat import Isolation
from facedown.arena.backends import Backend
from facedown.arena.forms import FORMS, Field, check_form, most_encounters
from facedown.arena.match import MOST_GAMES, Fixture, check_numbers, fixture_of
from facedown.arena.ratings import Rating, rate
from facedown.arena.schedule import Met, Schedule, Telling
from facedown.arena.sequential import Stopping, stopping_of
from facedown.arena.sweep import Grid, swept
from facedown.core import Game, SpecError
from facedown.core.files import read_bounded
from facedown.games.registry import load_game
from facedown.store.revision import revision
from facedown.store.store import Run, Store, digest

MOST_BYTES = 16 << 20

KIND = "tournament"
"""Of runs, in a store."""


@dataclass(frozen=True)
class Description:
    """All that decides a tournament but the seed.

    `over` has options with their values: every agent takes part with every combination of them.
    `games` are those of a match, at most where `stop` (an error) or `margin` may end it.
    """

    game: str
    agents: tuple[str, ...]
    form: str = "round-robin"
    over: Grid = field(default_factory=dict)
    against: tuple[str, ...] = ()
    games: int = 100
    duplicate: bool = True
    clock: float | None = None
    stop: float | None = None
    margin: float | None = None

    @property
    def stopping(self) -> Stopping | None:
        """The test that may end a match, if there is one."""
        return stopping_of(self.stop, self.margin)

    @property
    def competitors(self) -> tuple[str, ...]:
        """All agents with all their options."""
        return tuple(spec for agent in self.agents for spec in swept(agent, self.over))

    def to_json(self) -> dict[str, Any]:
        """As plain JSON; what it was not told is left out."""
        plain = {**asdict(self), "over": {k: list(v) for k, v in self.over.items()}}
        plain |= {"agents": list(self.agents), "against": list(self.against)}
        return {name: value for name, value in plain.items() if value not in (None, [], {})}


def read_description(file: str | Path) -> dict[str, Any]:
    """What a TOML file says of a tournament; SpecError names the line or the word that is wrong."""
    try:
        plain = tomllib.loads(read_bounded(file, MOST_BYTES).decode())
    except OSError as error:
        raise SpecError(f"cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SpecError(f"cannot read {file}: it is not text in UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise SpecError(f"{file} is not TOML: {error}") from None
    return {name: _read(file, name, value) for name, value in plain.items()}


_KINDS: dict[str, tuple[type, ...]] = {
    "game": (str,), "agents": (list,), "form": (str,), "over": (dict,), "against": (list,),
    "games": (int,), "duplicate": (bool,), "clock": (int, float), "stop": (int, float),
    "margin": (int, float), "seed": (int,),
}  # fmt: skip
_WORDS = {str: "a text", list: "a list of texts", dict: "a table of lists", bool: "true or false"}


def _read(file: str | Path, name: str, value: Any) -> Any:
    """A value of a description as its field wants it."""
    if name not in _KINDS:
        raise SpecError(f"{file}: no setting {name!r}; there are {', '.join(_KINDS)}")
    kinds = _KINDS[name]
    fits = isinstance(value, kinds) and (isinstance(value, bool) == (kinds == (bool,)))
    if fits and kinds == (list,):
        fits = all(isinstance(item, str) for item in value)
    if fits and kinds == (dict,):
        fits = all(isinstance(item, list) and item for item in value.values())
    if not fits:
        raise SpecError(f"{file}: {name} is to be {_WORDS.get(kinds[0], 'a number')}")
    if kinds == (dict,):
        return {option: [_told(item) for item in items] for option, items in value.items()}
    return tuple(value) if kinds == (list,) else value


def _told(value: Any) -> str:
    """A value of an option as a spec has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def described(plain: Mapping[str, Any]) -> Description:
    """The description that settings make; SpecError where one is missing."""
    for name in ("game", "agents"):
        if not plain.get(name):
            raise SpecError(f"a tournament wants {name}")
    given = {name: value for name, value in plain.items() if name != "seed"}
    given |= {name: tuple(given[name]) for name in ("agents", "against") if name in given}
    return Description(**given)


@dataclass(frozen=True)
class TournamentResult:
    """What a tournament came to: who met whom, and how strong all are.

    `order` is the one that a ladder or an elimination makes by itself, the first one first.
    """

    run: int
    game: str
    form: str
    seed: int
    games: int
    met: tuple[Met, ...]
    ratings: tuple[Rating, ...]
    order: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The result as plain JSON."""
        return asdict(self)


class Tournament:
    """A tournament that can be played: checked, its game loaded.

    SpecError says what is wrong with a description; nothing is played then.
    """

    def __init__(
        self, description: Description, *, jobs: int | None = 1, isolation: Isolation | None = None
    ) -> None:
        told = self.description = description
        check_numbers(games=told.games, jobs=jobs, clock=told.clock)
        self.game: Game = load_game(told.game)
        self.field = Field(told.competitors, told.against, self.game.players)
        check_form(told.form, self.field)
        agents, apart = (*self.field.agents, *self.field.against), isolation or Isolation()
        for spec in agents:
            if not apart.apart(spec):
                check_agent(spec, self.game)
        self._isolation = apart.checked(agents, self.game)
        self.revision = revision(self.game, agents)
        self.most_games = self._most_games(agents)

    def _most_games(self, agents: Sequence[str]) -> int:
        legs = len(self.legs(agents[: self.game.players if self._tabled else 2]))
        most = most_encounters(self.description.form, self.field) * legs * self.description.games
        if most > MOST_GAMES:
            raise SpecError(f"that is {most:,} games; at most {MOST_GAMES:,} is wanted")
        return most

    @property
    def _tabled(self) -> bool:
        return self.description.form == "tables"

    def legs(self, agents: Sequence[str]) -> list[Fixture]:
        """The matches of an encounter: in all of them together every agent has the same chances.

        Two agents share the seats; where they are odd, or the game has two sides, there are two
        matches, in the second of which they have changed places.
        """
        return [self._fixture(words) for words in self._seated(tuple(agents))]

    def _seated(self, agents: tuple[str, ...]) -> list[list[str]]:
        game = self.game
        if self._tabled:
            return [list(agents)]
        if len(game.sides) == 2:
            turns = (agents, agents[::-1])
            return [[f"{s}={a}" for s, a in zip(game.sides, turn, strict=True)] for turn in turns]
        less = game.players // 2
        ways = {(less, game.players - less): None, (game.players - less, less): None}
        return [[_times(a, n) for a, n in zip(agents, way, strict=True) if n] for way in ways]

    def _fixture(self, words: Sequence[str]) -> Fixture:
        told = self.description
        made = fixture_of(self.game, words, told.games, told.duplicate, told.clock, told.stopping)
        return replace(made, isolation=self._isolation)

    # --- playing -------------------------------------------------------------------------------

    def settings(self) -> dict[str, Any]:
        """What makes it the same tournament again, the seed apart."""
        return self.description.to_json()

    def found(self, store: Store, seed: int | None) -> Run | None:
        """The run of this tournament in a store: by this revision, else one that is finished."""
        key = digest(self.settings())
        runs = [one for one in store.runs() if one.kind == KIND and digest(one.settings) == key]
        fitting = [one for one in runs[::-1] if seed is None or one.seed == seed]
        for run in fitting:
            if set(run.revisions) <= {self.revision}:
                return run
        return next((run for run in fitting if run.finished), None)

    def begin(self, store: Store, seed: int | None = None, *, new: bool = False) -> Run:
        """The run to play: the one that was begun before, or a new one."""
        run = None if new else self.found(store, seed)
        if run is None:
            seed = secrets.randbits(64) if seed is None else seed
            run = store.run(store.begin_run(KIND, self.name, self.settings(), seed))
        return run

    @property
    def name(self) -> str:
        """What it is called in a list of runs."""
        many = f"{len(self.field.agents)} agents"
        many += f" against {len(self.field.against)}" if self.field.against else ""
        return f"{self.description.form} {self.game.spec}, {many}"

    def play(
        self, store: Store, run: Run, backend: Backend, tell: Telling | None = None
    ) -> TournamentResult:
        """Play what is missing of a run; its result. What was played is kept, whatever ends it."""
        entered = replace(self.field, seed=run.seed)
        form = FORMS[self.description.form]
        code = run.revisions[0] if run.finished and run.revisions else self.revision
        with Schedule(self.legs, lambda met: form(entered, met), store, run, code, tell) as todo:
            backend.play(todo, {self.game.spec: self.game})
            todo.report()
        if not run.finished:
            store.finish_run(run.id)
        return self._result(run, todo)

    def _result(self, run: Run, todo: Schedule) -> TournamentResult:
        played = [shares for one in todo.met for shares in one.matches]
        return TournamentResult(
            run=run.id,
            game=self.game.spec,
            form=self.description.form,
            seed=run.seed,
            games=sum(one.games for one in played),
            met=tuple(todo.met),
            ratings=tuple(rate(played)),
            order=tuple(todo.order),
        )


def _times(agent: str, seats: int) -> str:
    return agent if seats == 1 else f"{agent}*{seats}"
