"""What a search found: candidates, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from facedown.core import Game


@dataclass(frozen=True)
class Candidate:
    """A move at the root: how often it was played and available, and what it was worth."""

    move: int
    text: str
    visits: float
    mean: float
    error: float
    available: float

    @property
    def spread(self) -> float:
        """The standard deviation of what single iterations were worth."""
        return self.error * self.visits**0.5  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Report:
    """The result of a search, in the game's own payoffs; candidates in the order of `legal`.

    `line` is the one that the search expects, where somebody asked for it (`Search.line`).
    `chosen` is the move that the agent played after it, where one was asked: it may go by more than
    visits (SDMCTS by the odds of the labels), or draw.
    """

    candidates: tuple[Candidate, ...]
    iterations: int
    seconds: float
    nodes: int
    bytes: int
    plies: int
    playout_plies: int
    line: tuple[str, ...] = ()
    chosen: int | None = None

    @property
    def iterations_per_second(self) -> float:
        """The speed of the search."""
        return self.iterations / self.seconds if self.seconds > 0 else 0.0

    def best(self, final: Literal["visits", "mean"] = "visits") -> Candidate:
        """The candidate to play: the most visited (ties: the better mean), or the best mean."""
        tried = [candidate for candidate in self.candidates if candidate.visits > 0]
        if not tried:
            return self.candidates[0]
        if final == "mean":
            return max(tried, key=lambda candidate: (candidate.mean, candidate.visits))
        return max(tried, key=lambda candidate: (candidate.visits, candidate.mean))

    def played(self) -> Candidate:
        """The candidate that the agent chose; the best where it is not known or not among them."""
        chosen = (one for one in self.candidates if one.move == self.chosen)
        return next(chosen, self.best())

    def to_json(self, top: int = 8) -> dict[str, Any]:
        """A plain summary for records: the most visited candidates and what the search cost."""
        ranked = sorted(self.candidates, key=lambda candidate: -candidate.visits)[:top]
        return {
            "iterations": self.iterations,
            "seconds": round(self.seconds, 6),
            "nodes": self.nodes,
            "candidates": [
                {"move": c.text, "visits": round(c.visits, 3), "mean": round(c.mean, 6)}
                for c in ranked
            ],
        }


def gather(
    game: Game,
    legal: list[int],
    sums: dict[int, list[float]],
    offset: float,
    scale: float,
) -> tuple[Candidate, ...]:
    """Candidates from the sums (visits, available, total, squares) of each move over all roots."""
    return tuple(_candidate(game, move, sums.get(move, [0.0] * 4), offset, scale) for move in legal)


def _candidate(game: Game, move: int, sums: list[float], offset: float, scale: float) -> Candidate:
    visits, available, total, squares = sums
    mean = total / visits if visits else 0.0
    variance = max(squares / visits - mean * mean, 0.0) if visits else 0.0
    error = (variance / visits) ** 0.5 / scale if visits else 0.0
    value = mean / scale + offset if visits else 0.0
    return Candidate(move, game.move_text(move), visits, value, error, available)
