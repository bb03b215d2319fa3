"""What those who are no spies believed of the true spies, read from recorded games.

An `mt-ismcts` agent records the belief that each of its searches began with. The truth is chance's
first move: the deals come in the order of the worlds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from facedown.core import Game, Position
    from facedown.store.records import GameRecord

SPIES, OTHERS = "spies", "resistance"
EVERY = "all decisions"


@dataclass(frozen=True)
class Decision:
    """A decision of one who is no spy, and the share of the true world in its belief there."""

    player: int
    mission: int  # from 0
    view: Position
    truth: int  # the true world's number
    believed: float

    @property
    def hard(self) -> float:
        """The true world's share where every world that is possible is as likely."""
        from facedown.belief.listed import ListedBelief

        belief = ListedBelief(self.view.game, self.player)
        belief.forget()
        belief.meet(self.view)
        return float(belief.shares[self.truth])


def decisions(record: GameRecord, game: Game) -> Iterator[Decision]:
    """All decisions of the game in which somebody who is no spy had a belief."""
    from facedown.arena.replay import plies

    before = game.start()
    truth = before.legal().index(record.moves[0].move)
    for move, after in plies(record, game):
        shares = (move.summary or {}).get("belief")
        if shares is not None and game.sides[before.side(move.player)] == OTHERS:
            mission, view = int(before.record["round"]), before.view(move.player)
            yield Decision(move.player, mission, view, truth, shares[truth])
        before = after


def _read(records: Iterable[GameRecord]) -> Iterator[tuple[GameRecord, list[Decision]]]:
    """Every game with its decisions; all are of one game, which is loaded once."""
    from facedown.games.registry import load_game

    game = None
    for record in records:
        game = game or load_game(record.game)
        yield record, list(decisions(record, game))


def believed(records: Iterable[GameRecord]) -> Mapping[str, Any]:
    """All that is measured of beliefs: `lines` over the game, and log `scores`.

    One measure, so that the figures and the score are read from the same games.
    """
    known = list(_read(records))
    return {"lines": trajectories(known), "scores": log_scores(known)}


# --- over a game ---------------------------------------------------------------------------------


def trajectories(games: Iterable[tuple[GameRecord, list[Decision]]]) -> list[Any]:
    """A line for each game: the belief in the true spies of one who is none, mission by mission.

    Whose it is goes round with the number of the game, over all who are no spies.
    """
    lines = []
    for record, found in games:
        players = sorted({decision.player for decision in found})
        if not players:
            continue
        player = players[record.number % len(players)]
        missions: list[list[float]] = []
        for decision in found:
            if decision.player == player:
                missions += [[] for _ in range(decision.mission + 1 - len(missions))]
                missions[decision.mission].append(decision.believed)
        won = OTHERS if record.payoffs[player] == max(record.payoffs) else SPIES
        lines.append({"won": won, "missions": missions})
    return lines


def aligned(missions: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
    """A line's points: mission k lies between k and k + 1, its decisions evenly from k on.

    >>> aligned([[0.1, 0.2], [0.3]])
    [(1.0, 0.1), (1.5, 0.2), (2.0, 0.3)]
    """
    return [
        (1 + mission + place / len(shares), share)
        for mission, shares in enumerate(missions)
        for place, share in enumerate(shares)
    ]


# --- how good a belief is ------------------------------------------------------------------------


@dataclass
class _Sums:
    """Sums over decisions, one item for each game: how many, log scores of the two beliefs."""

    counts: list[int]
    believed: list[float]
    hard: list[float]

    def add(self, decisions: Sequence[Decision]) -> None:
        """The decisions of one more game."""
        if decisions:
            self.counts.append(len(decisions))
            self.believed.append(sum(math.log(decision.believed) for decision in decisions))
            self.hard.append(sum(math.log(decision.hard) for decision in decisions))

    def means(self) -> dict[str, Any]:
        """Means with their errors over games, and that of the difference."""
        from facedown.arena.statistics import clustered_mean

        gained = [one - other for one, other in zip(self.believed, self.hard, strict=True)]
        scores = {"believed": self.believed, "hard": self.hard, "gained": gained}
        return {name: asdict(clustered_mean(sums, self.counts)) for name, sums in scores.items()}


def log_scores(games: Iterable[tuple[GameRecord, list[Decision]]]) -> Mapping[str, Any]:
    """The mean log score, ln of the true world's share, of recorded beliefs and of hard evidence.

    Over all decisions of those who are no spies, and over the first of each of them in a mission.
    The hard belief is that of the same player at the same decision, by what its view rules out.
    """
    sums: dict[str, _Sums] = {}
    for _, found in games:
        parts = {EVERY: found}
        for mission in range(5):
            first = {decision.player: decision for decision in reversed(found)
                     if decision.mission == mission}  # fmt: skip
            parts[f"start of mission {mission + 1}"] = list(first.values())
        for name, some in parts.items():
            sums.setdefault(name, _Sums([], [], [])).add(some)
    return {name: some.means() for name, some in sums.items() if some.counts}
