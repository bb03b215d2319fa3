"""From many candidates to one: racing, then a model, then a match with fresh seeds.

*Racing.* Places of the space, drawn at random, play the default, all with the same deals, each of
which is played from every seat. After every rung the better half goes on (successive halving;
Jamieson and Talwalkar 2016), with twice the games; and whoever is shown to be worse than the
default is out at once: a bet against its gains (`arena/sequential.py`) has grown to candidates /
ERROR, which by Ville's inequality happens to any that is not worse with a chance of ERROR /
candidates at most, however often one looks.

*Model.* All that was measured goes into an N-tuple model; from the best place so far the neighbour
with the highest bound is tried, again and again (NTBEA; Lucas, Liu and Perez-Liebana 2018).

*Match.* The place that the model holds for the best, among those that were tried, meets the default
with seeds that nothing was chosen by.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from facedown.arena.analysis.numbers import Measure, Tally
from facedown.arena.sequential import Bets
from facedown.core import Game, SpecError, Stream, derive
from facedown.store.store import Store
from facedown.tune.ntuple import Model
from facedown.tune.space import Point, Space
from facedown.tune.trials import KIND, Progress, Trial, Trials

CANDIDATES, ERROR = 16, 0.05
"""Places that the race begins with; the chance that any of them is dropped as worse, and is not."""

SHARES = (0.45, 0.3, 0.25)
"""Of the games: race, model, match."""

NEIGHBOURS, EXPLORE, TRIALS = 50, 1.0, 30
"""Of a step of the model: places that it looks at, how much it explores; and how many steps."""


@dataclass(frozen=True)
class Rung:
    """A rung of the race: each candidate's mean gain so far, and why it went no further."""

    games: int
    gains: dict[str, float]
    dropped: dict[str, str]


@dataclass(frozen=True)
class Influence:
    """A dimension: how its values did on average, over all that was measured, and how much of the
    spread of what was measured they account for."""

    name: str
    values: tuple[str, ...]
    means: tuple[float, ...]
    weights: tuple[float, ...]
    share: float


@dataclass(frozen=True)
class Tuned:
    """What was found: the spec to write into the game, and what it gained in the last match.

    `gain` is in units of the range of payoffs, the mean over deals.
    """

    game: str
    default: str
    best: str
    gain: Measure
    games: int
    seed: int
    run: int
    rungs: tuple[Rung, ...]
    steps: tuple[tuple[str, float], ...]
    influences: tuple[Influence, ...]

    @property
    def better(self) -> bool:
        """Whether it is shown to be better than the default."""
        return self.best != self.default and (self.gain.low or 0.0) > 0.0

    def to_json(self) -> dict[str, Any]:
        """As plain JSON."""
        return {**asdict(self), "better": self.better}


def settings_of(space: Space, games: int) -> dict[str, Any]:
    """What makes it the same tuning again, the seed apart."""
    grid = {name: list(values) for name, values in space.dimensions.items()}
    return {
        "game": space.game.spec,
        "families": list(space.families),
        "over": grid,
        "budget": list(space.budget),
        "games": games,
    }


@dataclass
class Tuner:
    """A tuning in a store: the same one goes on where it was stopped."""

    space: Space
    store: Store
    games: int = 2000
    seed: int = 0
    jobs: int | None = 1
    tell: Callable[[str], None] = lambda line: None
    progress: Progress | None = None
    _model: Model = field(init=False)
    _points: dict[str, Point] = field(default_factory=dict)

    def __post_init__(self) -> None:
        game = self.game
        if game.players < 2:
            raise SpecError(f"{game.spec} is for one player; tuning is by games of two or more")
        self.run = self._begun()
        default = self.space.default()
        self._trials = Trials(game, default, self.store, self.run, self.jobs, self.games)
        least = 20 * self._trials.round
        if not least <= self.games <= 10**9:
            raise SpecError(f"games is {self.games}; at least {least} is wanted here")
        self._model = Model(len(self.space.names))

    @property
    def game(self) -> Game:
        """The game that is tuned for."""
        return self.space.game

    @property
    def settings(self) -> dict[str, Any]:
        """What makes it the same tuning again."""
        return {**settings_of(self.space, self.games), "seed": self.seed}

    def _begun(self) -> int:
        found = self.store.find_run(KIND, self.settings)
        if found is not None:
            return found
        name = f"{self.game.spec} {', '.join(self.space.families)}"
        return self.store.begin_run(KIND, name, self.settings, self.seed)

    def play(self) -> Tuned:
        """Tune; what was played before is not played again."""
        self._trials.progress = self.progress
        rungs = tuple(self._race())
        steps = tuple(self._climb())
        best = self._best()
        last = self._trials.play(best, round(SHARES[2] * self.games), self._seed("match"))
        self.store.finish_run(self.run)
        return Tuned(
            game=self.game.spec,
            default=self.space.default(),
            best=best,
            gain=_measured(last),
            games=self._trials.done,
            seed=self.seed,
            run=self.run,
            rungs=rungs,
            steps=steps,
            influences=self._influences(),
        )

    def _seed(self, *path: int | str) -> int:
        return derive(self.seed, KIND, *path)

    # --- the race --------------------------------------------------------------------------------

    def _entered(self) -> list[str]:
        """The candidates: all places of a small space, else some, drawn at random."""
        stream = Stream(self._seed("draw"))
        if self.space.size <= CANDIDATES:
            points = self.space.points()
        else:
            points = [self.space.random(stream) for _ in range(4 * CANDIDATES)]
        for point in points:
            self._points.setdefault(self.space.spec(point), point)
        found = [spec for spec in self._points if spec != self.space.default()]
        return found[:CANDIDATES]

    def _race(self) -> list[Rung]:
        alive, rungs = self._entered(), list[Rung]()
        bets = {spec: Bets(0.5, -1) for spec in alive}
        trials: dict[str, list[Trial]] = {spec: [] for spec in alive}
        count, most = len(alive), max(1, (len(alive) - 1).bit_length())
        for number in range(most):
            games = max(self._trials.round, round(SHARES[0] * self.games / most / len(alive)))
            for spec in alive:
                trial = self._trials.play(spec, games, self._seed("rung", number))
                self._measured(trial)
                trials[spec].append(trial)
                for gain in trial.gains:
                    bets[spec].add(0.5 + gain / 2)
            means = {spec: _mean_gain(trials[spec]) for spec in alive}
            kept, dropped = _halved(means, bets, count)
            rungs.append(Rung(games, means, dropped))
            self.tell(f"rung {number + 1} of {most}: {len(kept)} of {len(alive)} go on")
            alive = kept
            if len(alive) < 2:
                break
        return rungs

    def _measured(self, trial: Trial) -> None:
        point = self._points[trial.spec]
        self._model.add(point, trial.mean, max(1, len(trial.gains)))

    # --- the model -------------------------------------------------------------------------------

    def _climb(self) -> list[tuple[str, float]]:
        """Steps of the model: what was tried, and what it gained."""
        steps = list[tuple[str, float]]()
        games = max(self._trials.round, round(SHARES[1] * self.games / TRIALS))
        stream = Stream(self._seed("climb"))
        here = self._points[self._best()]
        for number in range(TRIALS):
            near = {self.space.neighbour(here, stream) for _ in range(NEIGHBOURS)}
            ranked = sorted(near, key=lambda one: (-self._model.bound(one, EXPLORE), one))
            here = ranked[0]
            spec = self.space.spec(here)
            self._points.setdefault(spec, here)
            trial = self._trials.play(spec, games, self._seed("step", number))
            self._measured(trial)
            steps.append((spec, trial.mean))
        return steps

    def _best(self) -> str:
        """The place that the model holds for the best among those that were tried."""
        default = self.space.default()
        tried = [spec for spec, point in self._points.items() if self._seen(point)]
        return max(tried, key=lambda one: self._model.mean(self._points[one]), default=default)

    def _seen(self, point: Point) -> bool:
        whole = tuple(enumerate(point))
        return whole in self._model.cells

    def _influences(self) -> tuple[Influence, ...]:
        """What each dimension did to what was measured, the most influential first."""
        found = []
        total = self._model.spread**2
        for k, (name, values) in enumerate(self.space.dimensions.items()):
            cells = [self._model.single(k, j) for j in range(len(values))]
            weight = sum(cell.weight for cell in cells) or 1.0
            mean = sum(cell.total for cell in cells) / weight
            between = sum(cell.weight * (cell.mean - mean) ** 2 for cell in cells) / weight
            means, weights = zip(*((cell.mean, cell.weight) for cell in cells), strict=True)
            found.append(Influence(name, values, means, weights, min(1.0, between / total)))
        return tuple(sorted(found, key=lambda one: -one.share))


def _mean_gain(trials: list[Trial]) -> float:
    gains = [gain for trial in trials for gain in trial.gains]
    return sum(gains) / len(gains)


def _halved(
    means: dict[str, float], bets: dict[str, Bets], count: int
) -> tuple[list[str], dict[str, str]]:
    """Who goes on: the better half of those who are not shown to be worse than the default."""
    worse = [spec for spec in means if bets[spec].fortune >= count / ERROR]
    left = sorted((spec for spec in means if spec not in worse), key=lambda one: -means[one])
    kept = left[: max(1, -(-len(means) // 2))]
    dropped = dict.fromkeys(worse, "shown to be worse than the default")
    return kept, dropped | {spec: "in the lower half" for spec in left if spec not in kept}


def _measured(trial: Trial) -> Measure:
    tally = Tally((-1.0, 1.0))
    for gain in trial.gains:
        tally.add([gain])
    return tally.measure()
