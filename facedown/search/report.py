"""What a search found: candidates, and what it cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from facedown.core import Game, SpecError
from facedown.shown import html_table

if TYPE_CHECKING:
    from facedown.search.tree import TreeNode

Numbers = np.ndarray[Any, np.dtype[Any]]


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
    visits (SDMCTS by the odds of the labels), or draw. `walk` gives its tree, where that was kept.
    `spared` are the iterations that were not needed any more, where the search may stop early.
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
    spared: int = 0
    walk: Callable[[], TreeNode] | None = field(default=None, repr=False, compare=False)

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

    @property
    def moves(self) -> Numbers:
        """The numbers of the candidates' moves."""
        return np.array([one.move for one in self.candidates], np.int64)

    def policy(self, over: int | None = None) -> Numbers:
        """The share of visits of each candidate, in their order; they sum to 1.

        `over` so many moves, as the game has them, by their numbers; 0 for what is not legal.
        """
        visits = np.array([one.visits for one in self.candidates], np.float64)
        shares = (
            visits / visits.sum() if visits.sum() > 0 else np.full(len(visits), 1 / len(visits))
        )
        return self._over(shares, over, 0.0)

    def values(self, over: int | None = None) -> Numbers:
        """The mean payoff of each candidate; NaN for what was not tried, or is not legal."""
        means = [one.mean if one.visits else np.nan for one in self.candidates]
        return self._over(np.array(means, np.float64), over, np.nan)

    def _over(self, numbers: Numbers, over: int | None, rest: float) -> Numbers:
        if over is None:
            return numbers
        wide = np.full(over, rest)
        wide[self.moves] = numbers
        return wide

    @property
    def value(self) -> float:
        """The mean payoff of all iterations."""
        tried = [one for one in self.candidates if one.visits]
        total = sum(one.visits for one in tried)
        return sum(one.visits * one.mean for one in tried) / total if total else 0.0

    def tree(self) -> TreeNode:
        """The root of the search's tree, to walk and to export; SpecError where none was kept."""
        if self.walk is None:
            raise SpecError("no tree was kept with this report; `analyse` keeps that of a search")
        return self.walk()

    def _repr_html_(self) -> str:
        """The candidates as a table, the most visited first, as notebooks show it."""
        ranked = sorted(self.candidates, key=lambda one: -one.visits)
        rows = [(c.text, f"{c.visits:,.0f}", f"{c.mean:+.3f}", f"{c.error:.3f}") for c in ranked]
        return html_table(("move", "visits", "mean", "error"), rows)

    def to_json(self, top: int = 8) -> dict[str, Any]:
        """A plain summary for records: the most visited candidates and what the search cost."""
        ranked = sorted(self.candidates, key=lambda candidate: -candidate.visits)[:top]
        return {
            "iterations": self.iterations,
            "seconds": round(self.seconds, 6),
            "nodes": self.nodes,
            **({"spared": self.spared} if self.spared else {}),
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
