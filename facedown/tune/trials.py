"""Candidates played against the default, in a store: what was played is not played again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from facedown.arena.apart.seat import Isolation
from facedown.arena.match import Fixture, keep_match
from facedown.arena.plan import Plan
from facedown.arena.tournament import Description, Tournament
from facedown.core import Game
from facedown.store.kept import Kept
from facedown.store.revision import revision
from facedown.store.store import Store

KIND = "tune"
"""Of runs, in a store."""

Progress = Callable[[int, int], None]
"""Told how many games of how many are played."""


@dataclass(frozen=True)
class Trial:
    """What a candidate made of some deals against the default.

    `gains` has, for each deal, its mean payoff less the default's, in units of the range of
    payoffs: 0 is even, 1 the most that there is.
    """

    spec: str
    gains: tuple[float, ...]
    games: int

    @property
    def mean(self) -> float:
        """The mean over deals."""
        return sum(self.gains) / len(self.gains) if self.gains else 0.0


class Trials:
    """Matches of one run, each of a candidate with the default."""

    def __init__(
        self, game: Game, default: str, store: Store, run: int, jobs: int | None, total: int
    ) -> None:
        self._game, self._default, self._store = game, default, store
        self._run, self._jobs, self._total, self.done = run, jobs, total, 0
        told = Description(game.spec, (default, "random"))
        self._cup = Tournament(told, jobs=jobs, isolation=Isolation(False))
        self._codes: dict[str, str] = {}
        self.progress: Progress | None = None

    @property
    def round(self) -> int:
        """Games that are played at least: every agent once at every place."""
        legs = self._cup.legs((self._default, "random"))
        return sum(fixture.plan(0).cycle for fixture in legs)

    def play(self, spec: str, games: int, seed: int) -> Trial:
        """Play about so many games with this seed's deals: the same for every candidate."""
        legs = self._cup.legs((spec, self._default))
        each = max(1, round(games / self.round))
        if spec == self._default:  # against itself it is even
            return Trial(spec, (0.0,) * each, 0)
        found = [self._match(fixture, each, seed + k) for k, fixture in enumerate(legs)]
        parts = [_gains(kept, plan, spec, self._game) for plan, kept in found]
        gains = [sum(some) / len(some) for some in zip(*parts, strict=True)]
        return Trial(spec, tuple(gains), sum(kept.wanted for _, kept in found))

    def _match(self, fixture: Fixture, rounds: int, seed: int) -> tuple[Plan, Kept]:
        sized = replace(fixture, games=rounds * fixture.plan(0).cycle)
        ask = sized.ask(seed % (1 << 63), kind=KIND, code=self._code(sized))
        kept = self._store.match(ask, run=self._run)
        before = self.done

        def tell(done: int, total: int, **_: bool) -> None:
            if self.progress is not None:
                self.progress(min(before + done, self._total), self._total)

        keep_match(sized, kept, self._jobs, progress=tell, whole_run=False)
        self.done = before + sized.games
        return sized.plan(kept.seed), self._store.kept(kept.id)

    def _code(self, fixture: Fixture) -> str:
        """The revision of the code that plays: options do not change it."""
        agents = [spec for spec, _ in fixture.entries]
        named = " ".join(spec.partition("=")[0] for spec in agents)
        if named not in self._codes:
            self._codes[named] = revision(self._game, agents)
        return self._codes[named]


def _gains(kept: Kept, plan: Plan, spec: str, game: Game) -> list[float]:
    """Round by round of the seats, how much more the candidate was paid."""
    rounds: dict[int, list[float]] = {}
    scale = game.bounds[1] - game.bounds[0]
    own = [k for k, (agent, _) in enumerate(plan.entries) if agent == spec]
    for tally in kept.tallies():
        who = plan.who(tally.number)
        mine = [paid for paid, k in zip(tally.payoffs, who, strict=True) if k in own]
        theirs = [paid for paid, k in zip(tally.payoffs, who, strict=True) if k not in own]
        gain = (_mean(mine) - (_mean(theirs) if theirs else 0.0)) / scale
        rounds.setdefault(tally.number // plan.cycle, []).append(gain)
    return [_mean(rounds[k]) for k in sorted(rounds)]


def _mean(some: Sequence[float]) -> float:
    return sum(some) / len(some)
