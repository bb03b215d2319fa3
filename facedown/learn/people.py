"""Games of simulated people with each other: records to learn from, and how they behave.

No data of human Cheat games is public. Whatever is learnt or measured here is of *simulated
people*, and says so.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from facedown.agents.person import NAME
from facedown.arena.ledger import Progress
from facedown.arena.plan import Plan
from facedown.arena.planned import play_planned
from facedown.arena.results import MatchResult, Scoreboard
from facedown.core import Game, SpecError, derive
from facedown.core.canonical import canonical
from facedown.core.learning import People
from facedown.games.registry import load_game
from facedown.store.kept import Kept, Writer
from facedown.store.records import GameRecord, RecordFile

_TRIAL = 2017, 8, 2  # seed, pairs and matches of the games behind a fingerprint


@dataclass(frozen=True)
class Gathering:
    """Pairs of simulated people, nobody in two of them, who play so many matches each.

    The first pair is of the persons `first` and `first + 1`. The same seed gives the same games.
    """

    game: str
    pairs: int
    matches: int
    seed: int
    first: int = 0

    def __post_init__(self) -> None:
        for name, least in (("pairs", 1), ("matches", 1), ("first", 0)):
            if getattr(self, name) < least:
                raise SpecError(f"{name} is {getattr(self, name)}; at least {least} is wanted")

    @property
    def games(self) -> int:
        """How many games that makes."""
        return self.pairs * self.matches

    def play(self, game: Game) -> Iterator[GameRecord]:
        """The games, pair by pair; seats alternate, every game has its own deal."""
        people_of(game)
        return (self._play(game, place) for place in range(self.games))

    def _play(self, game: Game, place: int) -> GameRecord:
        """The game at a place in the order of all."""
        pair, number = divmod(place, self.matches)
        two = [f"{NAME}:number={self.first + 2 * pair + k}" for k in range(2)]
        seed = derive(self.seed, "pair", pair)
        entries = tuple((spec, 1) for spec in two)
        plan = Plan(self.game, entries, self.matches, seed, duplicate=False)
        return play_planned(plan, game, number)

    def keep(self, kept: Kept, progress: Progress | None = None) -> MatchResult:
        """Play into a match of a store what is missing there; its result, as `match` counts it."""
        if kept.result is not None:
            return MatchResult.from_json(kept.result)
        game = load_game(self.game)
        people_of(game)
        board = self._board()
        with Writer(kept) as writer:
            for place in writer.missing():
                # every game has a deal of its own
                writer.add(replace(self._play(game, place), deal=place), place)
                if progress is not None:
                    progress(writer.done, self.games)
            writer.flush()
            for tally in kept.tallies():
                board.add(tally)
            result = board.result(writer.seconds)
            writer.finish(result.to_json(), whole_run=False)
        return result

    def _board(self) -> Scoreboard:
        """Where the games count as those of anybody against anybody else."""
        entries = ((NAME, 1), (NAME, 1))
        return Scoreboard(Plan(self.game, entries, self.games, self.seed, duplicate=False))

    def match(
        self, save: str | Path | None = None, progress: Progress | None = None
    ) -> MatchResult:
        """Play all games, and count them as a match of anybody against anybody else."""
        game = load_game(self.game)
        board = self._board()
        began = time.perf_counter()
        with nullcontext() if save is None else RecordFile(save) as file:
            for done, record in enumerate(self.play(game)):
                board.add(replace(record, number=done, deal=done))  # one of its own for each game
                if file is not None:
                    file.add(record)
                if progress is not None:
                    progress(done + 1, self.games)
        return board.result(time.perf_counter() - began)


def people_of(game: Game) -> People:
    """The game's simulated people; SpecError where it has none."""
    if game.people is None:
        raise SpecError(f"{game.name} has no simulated people")
    return game.people


def fingerprint(game: Game) -> str:
    """A digest of how the game's simulated people play: moves and times of a few games.

    It is recorded with them (`frozen`), so that nobody can change them unnoticed once others have
    played them.
    """
    seed, pairs, matches = _TRIAL
    told = [
        [
            (move.player, move.text, (move.summary or {}).get("response", 0.0))
            for move in record.moves
        ]
        for record in Gathering(game.spec, pairs, matches, seed).play(game)
    ]
    return hashlib.sha256(canonical(told).encode()).hexdigest()[:16]


Counted = Mapping[str, tuple[int, int]]
"""By the name of a behaviour: how often it was seen, and how often it could have been."""


def behaviour(
    game: Game, records: Iterable[GameRecord], who: Callable[[str], bool] = lambda _: True
) -> Counted:
    """How the players whose specs are `who` behave, by the game's own figures, over all games."""
    people, seen, all_ = people_of(game), Counter[str](), Counter[str]()
    for record in records:
        for player, spec in enumerate(record.agents):
            if not who(spec):
                continue
            own = [move.move for move in record.moves if move.player == player]
            for name, (count, of) in people.figures(own).items():
                seen[name] += count
                all_[name] += of
    return {name: (seen[name], all_[name]) for name in all_}
