"""What a playtest has found, from the games of its parts."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from facedown.arena.analysis.numbers import Measure, Tally
from facedown.arena.ratings import Rating, rate
from facedown.core import derive
from facedown.playtest.course import Course, course, winners
from facedown.playtest.habits import Habit, Habits, habits
from facedown.playtest.parts import Parts, Playtest
from facedown.playtest.variance import Played, Variance, variance
from facedown.store.records import GameRecord

COURSES = 60
"""Games whose course is looked at."""

MOMENTS = (0.25, 0.5, 0.75)
"""When the leader is asked for."""


@dataclass(frozen=True)
class Extreme:
    """A game to look at, by the run and its number there, and what is special about it."""

    what: str
    number: int
    value: str


@dataclass(frozen=True)
class Findings:
    """All that the page shows.

    `address` is where the games among equals are, in the store. `seats` has each player's mean
    payoff among equals, `wins` each player's share of the wins. `ladder` has the levels' strengths,
    the weakest first, and `steps` how far each is ahead of the one below; `peeking` is how far one
    who sees everything is ahead of one who does not, at the same budget: half the difference of
    mean payoffs. `staked`: more is paid than wins, draws and losses. `ahead` has for each of
    MOMENTS how often its leader won.
    """

    test: Playtest
    spec: str
    players: int
    run: int
    address: str
    games: int
    lengths: tuple[int, ...]
    decisions: tuple[int, ...]
    seats: tuple[Measure, ...]
    wins: tuple[Measure, ...]
    drawn: Measure
    staked: bool
    ladder: tuple[Rating, ...]
    steps: tuple[Measure, ...]
    variance: Variance
    strong: tuple[str, str]
    peeking: Measure
    courses: tuple[Course, ...]
    ahead: tuple[Measure, ...]
    habits: Habits
    extremes: tuple[Extreme, ...]
    revisions: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The findings as plain JSON."""
        told: list[Habit] = self.habits.told
        plain = {k: v for k, v in vars(self).items() if k not in ("courses", "habits")}
        shown = {k: _plain(v) for k, v in plain.items()}
        return {
            **shown,
            "moves": [asdict(one) for one in told],
            "decided": [one.decided for one in self.courses if not one.drawn],
            "lead_changes": [one.changes for one in self.courses],
        }


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return asdict(value) if hasattr(value, "__dataclass_fields__") else value


def findings(parts: Parts, tick: Callable[[int, int], None] | None = None) -> Findings:
    """Measure what was played; told of the courses as they are looked at."""
    ((_, kept),) = parts.kept[()]
    sound = [one for one in kept.records() if not one.forfeits]
    courses = _courses(parts, sound, tick)
    return Findings(
        test=parts.test,
        spec=parts.game.spec,
        players=parts.game.players,
        run=parts.run,
        address=f"{kept.run}/{kept.place}",
        games=sum(fixture.games for some in parts.kept.values() for fixture, _ in some),
        lengths=tuple(len(one.moves) for one in sound),
        decisions=tuple(sum(move.player >= 0 for move in one.moves) for one in sound),
        seats=tuple(mean_paid(sound, p, parts.game.bounds) for p in range(parts.game.players)),
        wins=tuple(_won(sound, p) for p in range(parts.game.players)),
        drawn=_share([_is_drawn(one) for one in sound]),
        staked=len({round(paid, 9) for one in sound for paid in one.payoffs}) > 3,
        ladder=_ladder(parts),
        steps=tuple(_ahead_of(parts, b, a) for a, b in pairwise(parts.ladder)),
        variance=_variance(parts),
        strong=(parts.bottom, parts.top),
        peeking=_ahead_of(parts, parts.cheat, parts.top),
        courses=courses,
        ahead=tuple(_ahead(courses, at) for at in MOMENTS),
        habits=habits(sound, parts.game),
        extremes=_extremes(sound, courses),
        revisions=tuple(sorted({one.revision for some in parts.kept.values() for _, one in some})),
    )


def _share(cases: Sequence[bool]) -> Measure:
    tally = Tally()
    for case in cases:
        tally.add([float(case)])
    return tally.measure()


def _is_drawn(record: GameRecord) -> bool:
    return len(winners(record.payoffs)) == len(record.payoffs) > 1


def _over_deals(
    records: Iterable[GameRecord],
    value: Callable[[GameRecord], float],
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Measure:
    """The mean of a number between bounds over games; those of one deal go together."""
    deals: dict[int, list[float]] = {}
    for one in records:
        deals.setdefault(one.deal_seed, []).append(value(one))
    tally = Tally(bounds)
    for some in deals.values():
        tally.add(some)
    return tally.measure()


def _part(record: GameRecord, players: Sequence[int]) -> float:
    """The share of a win that these players have; what is shared counts in parts."""
    won = winners(record.payoffs)
    return sum(p in players for p in won) / len(won)


def mean_paid(records: Sequence[GameRecord], player: int, bounds: tuple[float, float]) -> Measure:
    """What a player is paid on average, in a game that pays between bounds."""
    return _over_deals(records, lambda one: one.payoffs[player], bounds)


def _won(records: Sequence[GameRecord], player: int) -> Measure:
    return _over_deals(records, lambda one: _part(one, [player]))


def _ladder(parts: Parts) -> tuple[Rating, ...]:
    """The levels on Elo's scale by all that they played, the weakest first."""
    played = [shares for pair in parts.pairs for shares in parts.shares(pair)]
    found = {one.agent: one for one in rate(played)}
    return tuple(found[level] for level in parts.ladder)


def _ahead_of(parts: Parts, agent: str, other: str) -> Measure:
    """How far an agent is ahead of another: half the difference of their mean payoffs.

    (In a game of two that adds up to 0 that is what it is paid.)
    """

    def ahead(record: GameRecord) -> float:
        pairs = list(zip(record.agents, record.payoffs, strict=True))
        own = [paid for spec, paid in pairs if spec == agent]
        rest = [paid for spec, paid in pairs if spec != agent]
        return (statistics.mean(own) - statistics.mean(rest)) / 2

    pair = (agent, other) if (agent, other) in parts.kept else (other, agent)
    records = (one for _, kept in parts.kept[pair] for one in kept.records())
    half = (parts.game.bounds[1] - parts.game.bounds[0]) / 2
    return _over_deals(records, ahead, (-half, half))


def _variance(parts: Parts) -> Variance:
    """Of the games between the weakest and the strongest level that thinks."""
    legs = parts.kept[(parts.bottom, parts.top)]
    played = [
        Played(one.deal_seed, one.payoffs, [spec == parts.top for spec in one.agents])
        for _, kept in legs
        for one in kept.records()
    ]
    return variance(played, all(fixture.plan(0).repeats > 1 for fixture, _ in legs))


def _courses(
    parts: Parts, records: Sequence[GameRecord], tick: Callable[[int, int], None] | None
) -> tuple[Course, ...]:
    chosen = records[:: max(1, len(records) // COURSES)][:COURSES]
    found = []
    for k, record in enumerate(chosen, 1):
        if record.moves:
            found.append(course(record, parts.game, derive(parts.test.seed, "course", k)))
        if tick is not None:
            tick(k, len(chosen))
    return tuple(found)


def _ahead(courses: Sequence[Course], at: float) -> Measure:
    led = [one.led(at) for one in courses if not one.drawn]
    return _share([one for one in led if one is not None])


def _extremes(records: Sequence[GameRecord], courses: Sequence[Course]) -> tuple[Extreme, ...]:
    """Games that a maker of games wants to see."""
    if not records:
        return ()
    by_length = sorted(records, key=lambda one: len(one.moves))
    short, long = by_length[0], by_length[-1]
    middle = statistics.median_low([len(one.moves) for one in records])
    usual = next(one for one in by_length if len(one.moves) == middle)
    found = [
        Extreme("the shortest game", short.number, f"{len(short.moves)} moves"),
        Extreme("a game of the usual length", usual.number, f"{len(usual.moves)} moves"),
        Extreme("the longest game", long.number, f"{len(long.moves)} moves"),
    ]
    won = [one for one in courses if not one.drawn and one.looks]
    if won:
        back = min(won, key=lambda one: one.lowest)
        found.append(Extreme("the greatest comeback", back.number, f"from {back.lowest:.0%}"))
        wild = max(won, key=lambda one: one.changes)
        found.append(Extreme("the most changes of the lead", wild.number, f"{wild.changes}"))
        early = min(won, key=lambda one: one.decided)
        found.append(Extreme("decided first", early.number, f"at {early.decided:.0%} of its moves"))
    return tuple(found)
