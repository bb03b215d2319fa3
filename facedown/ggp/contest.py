"""Tournaments of a referee: several rule files, several players, every seat for everybody."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

from facedown.arena.ratings import Rating, rate, shares
from facedown.arena.results import scores
from facedown.core import SpecError, derive
from facedown.core.files import make_folder, write_whole
from facedown.gdl.checks import checked
from facedown.gdl.reader import read_file
from facedown.gdl.simulate import RANDOM
from facedown.ggp.record import log_of
from facedown.ggp.referee import Referee, Report, Setting, Watch
from facedown.ggp.remote import address_of

MOST_MATCHES = 100_000


@dataclass(frozen=True)
class Encounter:
    """A match that is to be played: its number, its rules, who sits where, and its deal.

    The matches of a deal are those of the same players in all their seats, with the same seed.
    """

    number: int
    file: Path
    players: tuple[int, ...]
    deal: tuple[int, ...]

    @property
    def log(self) -> str:
        """The name of its log."""
        return f"{self.number:05}-{self.file.stem}.json"


@dataclass(frozen=True)
class Standing:
    """A player: the mean of its goals by file, matches that it played, moves that were not its."""

    player: str
    goals: dict[str, float]
    matches: int
    faults: dict[str, int]
    rating: Rating | None  # None where nobody met anybody


class Contest:
    """A tournament: in every file everybody sits in every seat with everybody, so many `rounds`.

    Matches are played one after another. With a folder for `logs` a match whose log is there
    already is not played again, so a tournament that was broken off goes on.
    """

    def __init__(
        self,
        files: Sequence[Path],
        urls: Sequence[str],
        setting: Setting,
        *,
        rounds: int = 1,
        logs: Path | None = None,
    ) -> None:
        if rounds < 1:
            raise SpecError(f"--rounds {rounds}: at least 1 is wanted")
        if len(set(urls)) < len(urls):
            raise SpecError("a player is named twice, and plays one match at a time")
        self.files, self.urls, self.setting = list(files), list(urls), setting
        self.encounters = self._drawn(rounds)
        self._logs = logs
        if logs is not None:
            make_folder(logs)
        self.reports: dict[int, Report] = {}

    def _drawn(self, rounds: int) -> list[Encounter]:
        seats = [_seats(path) for path in self.files]
        for path, roles in zip(self.files, seats, strict=True):
            if roles > len(self.urls):
                raise SpecError(f"{path.name} is for {roles} players; {len(self.urls)} are given")
        found: list[Encounter] = []
        for lap in range(rounds):
            for k, (path, roles) in enumerate(zip(self.files, seats, strict=True)):
                for group in combinations(range(len(self.urls)), roles):
                    for seated in permutations(group):
                        found.append(Encounter(len(found), path, seated, (lap, k, *group)))
                        if len(found) > MOST_MATCHES:
                            raise SpecError(f"that is more than {MOST_MATCHES:,} matches")
        return found

    def play(
        self,
        tell: Callable[[Encounter, Report], None] | None = None,
        watch: Callable[[Path], Watch | None] | None = None,
    ) -> list[Standing]:
        """Play what is not played yet; how everybody stands, the best first.

        Who is to `watch` the matches of a file, if anybody, is asked for each.
        """
        for one in self.encounters:
            looks = None if watch is None else watch(one.file)
            self.reports[one.number] = self._kept(one) or self._played(one, looks)
            if tell is not None:
                tell(one, self.reports[one.number])
        return self.standings()

    def _seed(self, one: Encounter) -> int:
        return derive(self.setting.seed, "contest", *one.deal)

    def _kept(self, one: Encounter) -> Report | None:
        """The match as it was played before, if its log is of this tournament."""
        report = None if self._logs is None else log_of(self._logs / one.log)
        if report is None or not report.goals:
            return None
        wanted, setting = [address_of(self.urls[k]).url for k in one.players], self.setting
        same = (
            [*report.players.values()] == wanted
            and report.seed == self._seed(one)
            and (report.start_clock, report.play_clock) == (setting.start_clock, setting.play_clock)
            and report.scrambled == setting.scramble
        )
        if not same:
            raise SpecError(
                f"{self._logs}/{one.log} is of another tournament: other --logs are wanted"
            )
        return report

    def _played(self, one: Encounter, watch: Watch | None) -> Report:
        setting = replace(self.setting, seed=self._seed(one))
        urls = [self.urls[k] for k in one.players]
        report = Referee(one.file, urls, setting, watch).play()
        if self._logs is not None:
            plain = json.dumps(report.to_json(), indent=1)
            write_whole(self._logs / one.log, f"{plain}\n")
        return report

    # --- how everybody stands --------------------------------------------------------------------

    def standings(self) -> list[Standing]:
        """By what was played so far, the best first: by rating, else by the mean of goals."""
        ratings = {one.agent: one for one in self._ratings()}
        found = [self._standing(k, url, ratings.get(url)) for k, url in enumerate(self.urls)]

        def worth(one: Standing) -> tuple[float, float]:
            mean = sum(one.goals.values()) / max(len(one.goals), 1)
            return (one.rating.rating if one.rating is not None else 0.0, mean)

        return sorted(found, key=worth, reverse=True)

    def _ratings(self) -> list[Rating]:
        """Bradley and Terry's, over all files for two or more players."""
        deals: dict[tuple[int, ...], list[list[float]]] = {}
        for one in self.encounters:
            report = self.reports.get(one.number)
            if report is not None and len(one.players) > 1:
                won = scores([float(goal or 0) for goal in report.goals.values()])
                by_player = dict(zip(one.players, won, strict=True))
                total = sum(won)
                game = [by_player[k] / total for k in one.deal[2:]]
                deals.setdefault(one.deal, []).append(game)
        groups: dict[tuple[int, ...], list[list[list[float]]]] = {}
        for deal, games in deals.items():
            groups.setdefault(deal[1:], []).append(games)
        matches = [
            shares([self.urls[k] for k in group[1:]], [1] * len(group[1:]), played)
            for group, played in groups.items()
        ]
        return rate(matches) if matches else []

    def _standing(self, player: int, url: str, rating: Rating | None) -> Standing:
        goals: dict[str, list[float]] = {}
        faults: dict[str, int] = {}
        matches = 0
        for one in self.encounters:
            report = self.reports.get(one.number)
            if report is None or player not in one.players:
                continue
            role = list(report.players)[one.players.index(player)]
            goals.setdefault(one.file.stem, []).append(float(report.goals[role] or 0))
            for fault, count in report.faults(role).items():
                faults[fault] = faults.get(fault, 0) + count
            matches += 1
        means = {name: sum(values) / len(values) for name, values in goals.items()}
        return Standing(url, means, matches, faults, rating)


def _seats(path: Path) -> int:
    """How many players a rule file is for."""
    return len([role for role in checked(read_file(path)).roles if role != RANDOM])


def standings_json(standings: Sequence[Standing]) -> list[dict[str, Any]]:
    """Standings as plain JSON."""
    return [
        {
            "player": one.player,
            "goals": one.goals,
            "matches": one.matches,
            "faults": one.faults,
            "rating": None
            if one.rating is None
            else {"rating": one.rating.rating, "low": one.rating.low, "high": one.rating.high},
        }
        for one in standings
    ]
