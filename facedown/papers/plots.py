"""Pictures of results: lines with error bars, bars, strands; PNG, by matplotlib (extra `plots`)."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from facedown.core.errors import FacedownError
from facedown.core.files import write_whole
from facedown.papers.tables import Published

if TYPE_CHECKING:
    from facedown.arena.results import AgentResult

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")  # Okabe and Ito
MARKERS = ("o", "s", "D", "^", "v", "P")
INK, FAINT = "0.25", "0.88"
DPI = 140


class MissingPlotsError(FacedownError):
    """There is no matplotlib."""

    def __init__(self) -> None:
        super().__init__("pictures need matplotlib: pip install 'facedown[plots]'")


@dataclass(frozen=True)
class Point:
    """A measured share with its 95 % interval, at `x` on the axis or named `label` under a bar."""

    share: float
    low: float
    high: float
    x: float = 0.0
    label: str = ""

    @classmethod
    def of(cls, agent: AgentResult, x: float = 0.0, label: str = "") -> Point:
        """An agent's win rate."""
        return cls(agent.win_rate, agent.low, agent.high, x, label)


@dataclass(frozen=True)
class Series:
    """Points under one name, and what the paper states of the same."""

    name: str
    points: Sequence[Point]
    published: Sequence[Published] = ()


@dataclass(frozen=True)
class Axes:
    """Words and scales of a picture; `even` draws a line where a match is even.

    `note` is a line below the title: with what budget this was measured.
    """

    title: str
    note: str
    x: str = ""
    y: str = "games won (%)"
    log: bool = False
    even: bool = True


def lines(file: Path, series: Sequence[Series], axes: Axes) -> None:
    """A line for each series, with error bars; what was published stands hollow beside it."""
    figure, axis = _open(axes)
    for k, one in enumerate(series):
        colour, marker = COLOURS[k % len(COLOURS)], MARKERS[k % len(MARKERS)]
        axis.errorbar(
            _beside([point.x for point in one.points], k, len(series), axes.log),
            [100 * point.share for point in one.points],
            _errors(one.points),
            color=colour,
            marker=marker,
            ms=6,
            lw=1.8,
            elinewidth=1.2,
            capsize=3,
            label=f"{one.name}, measured",
            zorder=3,
        )
        for stated in one.published:
            _draw_published(axis, stated, colour, marker, one.name)
    _close(file, figure, axis)


def bars(file: Path, series: Sequence[Series], axes: Axes) -> None:
    """Groups of bars, one bar a series in each; the published number is a line across its bar."""
    figure, axis = _open(axes)
    width = 0.8 / len(series)
    for k, one in enumerate(series):
        places = [g + (k - (len(series) - 1) / 2) * width for g in range(len(one.points))]
        axis.bar(
            places,
            [100 * point.share for point in one.points],
            0.92 * width,
            yerr=_errors(one.points),
            color=COLOURS[k % len(COLOURS)],
            alpha=0.85,
            error_kw={"elinewidth": 1.3, "capsize": 3, "ecolor": INK},
            label=one.name,
            zorder=2,
        )
        for stated in one.published:
            at = [places[int(stated.x[0])]], [50 * (stated.low + stated.high)]
            axis.plot(*at, **_PUBLISHED, label=_once(axis, "published"))
    axis.set_xticks(range(len(series[0].points)), [point.label for point in series[0].points])
    axis.tick_params(axis="x", length=0, labelsize=8)
    _close(file, figure, axis)


@dataclass(frozen=True)
class Panel:
    """Bars of one measure under its name; `published` has numbers by the number of the bar."""

    title: str
    points: Sequence[Point]
    published: Sequence[tuple[int, float]] = ()
    scale: float = 1.0


def panels(file: Path, panels: Sequence[Panel], axes: Axes) -> None:
    """Measures of different units side by side, a panel for each, with error bars."""
    figure = new_figure()
    figure.suptitle(axes.title, x=0.02, ha="left", fontsize=13, fontweight="bold")
    figure.supxlabel(f"{axes.note}; bars: 95 % intervals", fontsize=9.5, color="0.4")
    for k, panel in enumerate(panels):
        axis = figure.add_subplot((len(panels) + 1) // 2, 2, k + 1)
        dress(axis)
        axis.set_title(panel.title, loc="left", fontsize=11)
        values = [panel.scale * point.share for point in panel.points]
        errors = [[panel.scale / 100 * far for far in side] for side in _errors(panel.points)]
        colours = [COLOURS[n % len(COLOURS)] for n in range(len(values))]
        axis.bar(
            range(len(values)), values, 0.6, yerr=errors, color=colours, alpha=0.85, zorder=2,
            error_kw={"elinewidth": 1.3, "capsize": 3, "ecolor": INK},
        )  # fmt: skip
        for place, value in panel.published:
            axis.plot([place], [value], **_PUBLISHED, label=_once(axis, "published"))
        if panel.published:
            axis.legend(frameon=False, fontsize=9)
        axis.set_xticks(range(len(values)), [point.label for point in panel.points])
    _write(file, figure)


def strands(
    file: Path,
    panels: Sequence[tuple[str, Sequence[Sequence[tuple[float, float]]]]],
    axes: Axes,
    *,
    level: float,
    shaken: bool = False,
) -> None:
    """Thin lines of numbers from 0 to 1 in named panels side by side; a line across at `level`.

    `shaken`: every strand lies a little aside, so that those which would hide each other show.
    """
    figure = new_figure()
    figure.suptitle(axes.title, x=0.02, ha="left", fontsize=13, fontweight="bold")
    figure.supxlabel(f"{axes.x}\n{axes.note}", fontsize=10, color="0.4")
    shared = None
    for k, (name, lines) in enumerate(panels):
        axis = shared = figure.add_subplot(1, len(panels), k + 1, sharex=shared, sharey=shared)
        dress(axis)
        axis.set_title(f"{name}: {len(lines):,}", loc="left", fontsize=11)
        axis.axhline(level, color="0.5", lw=1.1, ls=(0, (4, 3)), zorder=1)
        for n, line in enumerate(lines):
            aside = 0.03 * ((n * 0.618034) % 1.0 - 0.5) if shaken else 0.0
            places, shares = [x for x, _ in line], [y + aside for _, y in line]
            strength = min(0.8, 0.2 + 8 / len(lines))
            axis.plot(places, shares, color=COLOURS[k], lw=0.7, alpha=strength, zorder=2)
        axis.set_ylim(-0.03, 1.03)
        axis.set_ylabel(axes.y if k == 0 else "", fontsize=11)
    _write(file, figure)


def curves(
    file: Path,
    lines: Sequence[tuple[str, Sequence[float], Sequence[float]]],
    axes: Axes,
    *,
    published: tuple[str, float, float] | None = None,
) -> None:
    """Named curves from (0, 0) to (1, 1), ROC curves say, over the diagonal, which is chance.

    `published` is a point that stands beside them, by its name.
    """
    figure = new_figure()
    axis = figure.add_subplot(aspect="equal")
    axis.set_title(f"{axes.title}\n", loc="left", fontsize=13, fontweight="bold")
    axis.text(0, 1.02, axes.note, transform=axis.transAxes, fontsize=9.5, color="0.4")
    dress(axis)
    axis.plot([0, 1], [0, 1], color="0.5", lw=1.1, ls=(0, (4, 3)), zorder=1)
    for k, (name, across, up) in enumerate(lines):
        axis.plot(across, up, color=COLOURS[k % len(COLOURS)], lw=1.8, label=name, zorder=2)
    if published is not None:
        name, x, y = published
        axis.plot([x], [y], **{**_PUBLISHED, "label": name})
    axis.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01))
    axis.set_xlabel(axes.x, fontsize=11)
    axis.set_ylabel(axes.y, fontsize=11)
    axis.legend(frameon=False, fontsize=9.5, loc="lower right")
    _write(file, figure)


def ratios(file: Path, lines: Sequence[tuple[str, Sequence[Point]]], axes: Axes) -> None:
    """Named lines of ratios, given as shares with intervals, over a logarithmic scale in percent.

    The line across is at 100 %, where what is compared is alike.
    """
    figure, axis = _open(axes)
    reach = [100 * x for _, points in lines for point in points for x in (point.low, point.high)]
    axis.set_ylim(min([*reach, 50.0]) / 2, max([*reach, 200.0]) * 2)
    axis.set_yscale("log")
    axis.axhline(100, color="0.5", lw=1.1, ls=(0, (4, 3)), zorder=1)
    for k, (name, points) in enumerate(lines):
        style = {"color": COLOURS[k % len(COLOURS)], "ls": "-" if k < len(COLOURS) else "--"}
        axis.errorbar(
            [point.x for point in points],
            [100 * point.share for point in points],
            _errors(points),
            **style,
            marker=MARKERS[k % len(MARKERS)],
            ms=5,
            lw=1.5,
            elinewidth=0.9,
            capsize=2,
            label=name,
            zorder=3,
        )
    figure.legend(frameon=False, fontsize=9.5, loc="outside lower center", ncols=3)
    _write(file, figure)


_PUBLISHED = {
    "ls": "", "marker": "D", "ms": 7, "mfc": "white", "mec": "black", "mew": 1.4, "zorder": 4,
}  # fmt: skip


def new_figure() -> Any:
    """An empty figure; MissingPlotsError without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise MissingPlotsError from None
    return Figure(figsize=(8.6, 5.2), layout="constrained")


def dress(axis: Any) -> None:
    """Have an axis look like all of ours."""
    axis.spines[["top", "right"]].set_visible(False)
    axis.grid(True, axis="y", color=FAINT)
    axis.set_axisbelow(True)


def _open(axes: Axes) -> tuple[Any, Any]:
    figure = new_figure()
    axis = figure.add_subplot()
    axis.set_title(axes.title, loc="left", fontsize=13, fontweight="bold", pad=24)
    axis.annotate(
        f"{axes.note}; bars: 95 % intervals",
        (0, 1),
        xycoords="axes fraction",
        xytext=(0, 9),
        textcoords="offset points",
        fontsize=9.5,
        color="0.4",
    )
    axis.set_xlabel(axes.x, fontsize=11)
    axis.set_ylabel(axes.y, fontsize=11)
    dress(axis)
    if axes.log:
        axis.set_xscale("log")
    if axes.even:
        axis.axhline(50, color="0.5", lw=1.1, ls=(0, (4, 3)), zorder=1)
    return figure, axis


def _beside(places: Sequence[float], k: int, of: int, log: bool) -> list[float]:
    """The places of the k-th line, a little aside, so that error bars do not hide each other."""
    aside = k - (of - 1) / 2
    if log:
        return [x * 1.025**aside for x in places]
    return [x + 0.008 * aside * (max(places) - min(places)) for x in places]


def _errors(points: Sequence[Point]) -> list[list[float]]:
    """How far each interval reaches below and above its share. [2, points]"""
    below = [100 * max(0.0, point.share - point.low) for point in points]
    above = [100 * max(0.0, point.high - point.share) for point in points]
    return [below, above]


def _draw_published(axis: Any, stated: Published, colour: str, marker: str, name: str) -> None:
    """A hollow mark, with a bar along the axis where the place is a range; a box for a range."""
    label = _once(axis, f"{name}, published")
    left, right = stated.x
    low, high = 100 * stated.low, 100 * stated.high
    if high > low:
        axis.fill_between([left, right], low, high, color=colour, alpha=0.18, lw=0, label=label)
        return
    middle = (left * right) ** 0.5 if axis.get_xscale() == "log" else (left + right) / 2
    axis.errorbar(
        [middle],
        [low],
        xerr=[[middle - left], [right - middle]] if right > left else None,
        color=colour,
        marker=marker,
        ms=9,
        mfc="white",
        mew=1.6,
        ls="",
        elinewidth=1.2,
        capsize=3,
        label=label,
        zorder=4,
    )


def _once(axis: Any, label: str) -> str | None:
    """The label, unless the legend has it already."""
    return None if label in axis.get_legend_handles_labels()[1] else label


def _log(axis: Any) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    left, right = axis.get_xlim()
    steps = (1.0, 2.0, 5.0) if right < 300 * left else (1.0,)
    axis.xaxis.set_major_locator(LogLocator(subs=steps, numticks=20))
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axis.xaxis.set_minor_formatter(NullFormatter())


def _close(file: Path, figure: Any, axis: Any) -> None:
    """Legend, limits and the file."""
    if axis.get_xscale() == "log":
        _log(axis)
    low, high = axis.get_ylim()
    axis.set_ylim(max(low, -2.0), min(high, 104.0))  # shares lie between 0 and 100 %
    figure.legend(frameon=False, fontsize=9.5, loc="outside lower center", ncols=2)
    _write(file, figure)


def _write(file: Path, figure: Any) -> None:
    """The file: whole, or not at all."""
    data = io.BytesIO()
    figure.savefig(data, dpi=DPI, format="png", bbox_inches="tight", metadata={"Software": None})
    write_whole(file, data.getvalue())
