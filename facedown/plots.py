"""One call for a picture of what was found: of a report, a match, beliefs (extra `plots`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from facedown.arena.results import MatchResult
from facedown.core import SpecError
from facedown.core.files import NewFile
from facedown.papers.plots import COLOURS, INK, dress, new_figure
from facedown.search.report import Report

MOST = 24
"""Bars of a picture: the longest of more."""


def plot(
    found: Report | MatchResult | Sequence[tuple[str, float]], file: str | Path | None = None
) -> Any:
    """A matplotlib figure of a report, of a match, or of beliefs as `beliefs` gives them.

    `file`, where nothing may be yet, gets it too, as its ending says (png, svg, pdf).

    >>> figure = plot([("player 1 holds K", 0.75), ("player 1 holds J", 0.25)])
    >>> [text.get_text() for text in figure.axes[0].get_yticklabels()]
    ['player 1 holds K', 'player 1 holds J']
    """
    place = None if file is None else NewFile(file)
    figure = new_figure()
    axis = figure.add_subplot()
    if isinstance(found, Report):
        _draw_report(axis, found)
    elif isinstance(found, MatchResult):
        _draw_match(axis, found)
    else:
        _draw_beliefs(axis, found)
    dress(axis)
    if place is not None:
        ending = place.given.suffix.removeprefix(".") or "png"
        if ending not in figure.canvas.get_supported_filetypes():
            known = ", ".join(sorted(figure.canvas.get_supported_filetypes()))
            raise SpecError(f"{file}: a picture ends with one of {known}")
        figure.savefig(place.part, format=ending)
        place.place()
    return figure


def _bars(axis: Any, names: Sequence[str], shares: Sequence[float], colour: str) -> None:
    """Bars from top to bottom, in the order given."""
    places = range(len(names))
    axis.barh(places, shares, color=colour)
    axis.set_yticks(places, names)
    axis.invert_yaxis()


def _draw_report(axis: Any, report: Report) -> None:
    ranked = sorted(report.candidates, key=lambda one: -one.visits)[:MOST]
    total = sum(one.visits for one in report.candidates) or 1
    _bars(axis, [one.text for one in ranked], [one.visits / total for one in ranked], COLOURS[0])
    for k, one in enumerate(ranked):
        words = f" {one.mean:+.3f} ± {one.error:.3f}" if one.visits else " not tried"
        axis.text(one.visits / total, k, words, va="center", color=INK)
    axis.set_xlabel("share of visits; beside it the mean payoff")
    axis.set_title(f"{report.iterations:,} iterations")
    axis.margins(x=0.2)


def _draw_match(axis: Any, result: MatchResult) -> None:
    agents = result.agents
    _bars(axis, [one.spec for one in agents], [one.win_rate for one in agents], COLOURS[0])
    for k, one in enumerate(agents):
        axis.plot([one.low, one.high], [k, k], color=INK, lw=2)
    axis.axvline(1 / len(agents), color=INK, ls=":", lw=1)
    axis.set_xlim(0, 1)
    axis.set_xlabel("share of games won, with its 95 % interval")
    axis.set_title(f"{result.game}: {result.games:,} games")


def _draw_beliefs(axis: Any, found: Sequence[tuple[str, float]]) -> None:
    try:
        pairs = [(str(text), float(share)) for text, share in found]
    except (TypeError, ValueError):
        wanted = "a Report, a MatchResult or pairs of a text and a share are wanted"
        raise SpecError(f"{type(found).__name__} cannot be plotted: {wanted}") from None
    ranked = sorted(pairs, key=lambda pair: -pair[1])[:MOST]
    _bars(axis, [text for text, _ in ranked], [share for _, share in ranked], COLOURS[1])
    axis.set_xlabel("how likely")
