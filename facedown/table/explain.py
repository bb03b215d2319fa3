"""Reports of a search and beliefs, for the eye."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.markup import escape
from rich.table import Table

from facedown.search.report import Report


def candidates_table(report: Report, most: int = 8) -> Table:
    """The moves of a report, the most visited first; the one to be played stands out."""
    shown = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0))
    shown.add_column("candidate")
    for name in ("visits", "available", "mean ± error"):
        shown.add_column(name, justify="right")
    played = report.played()
    ranked = sorted(report.candidates, key=lambda candidate: -candidate.visits)
    for candidate in ranked[:most]:
        name = escape(candidate.text)
        worth = f"{candidate.mean:+.3f} ± {candidate.error:.3f}" if candidate.visits else "–"
        shown.add_row(
            f"[bold green]{name}[/]" if candidate is played else name,
            f"{candidate.visits:,.0f}",
            f"{candidate.available:,.0f}",
            worth,
        )
    left = len(ranked) - most
    if left > 0:
        shown.add_row(f"[dim]and {left} more[/]")
    return shown


def bars(shares: Sequence[tuple[str, float]], width: int = 24, most: int = 8) -> list[str]:
    """Shares as lines of text with bars; what is certain, where anything is not, in one line.

    >>> bars([("player 1 holds K", 0.75), ("player 1 holds J", 0.25)], width=8)
    ['player 1 holds K  ██████    75 %', 'player 1 holds J  ██        25 %']
    >>> bars([("a", 1.0), ("b", 0.5)], width=2)
    ['b  █   50 %', 'certain: a']
    """
    rows, others, notes = parted(shares, most)
    names = max((len(text) for text, _ in rows), default=0)
    lines = [
        f"{text.ljust(names)}  {('█' * round(share * width)).ljust(width)} {percent(share):>5}"
        for text, share in rows
    ]
    if others is not None:
        lines.append(f"{'anything else'.ljust(names)}  {percent(others)}")
    return lines + notes


def parted(
    shares: Sequence[tuple[str, float]], most: int = 8
) -> tuple[Sequence[tuple[str, float]], float | None, list[str]]:
    """The shares to show, that of anything else, if it has one, and what is said besides.

    >>> parted([("a", 0.5), ("b", 0.25), ("c", 0.125), ("d", 0.125)], most=2)
    ([('a', 0.5), ('b', 0.25)], 0.25, [])
    >>> parted([("a", 1.0), ("b", 0.5)])
    ([('b', 0.5)], None, ['certain: a'])
    """
    exclusive = abs(sum(share for _, share in shares) - 1) < 1e-6
    certain = [text for text, share in shares if share > 1 - 1e-9]
    if certain and len(certain) < len(shares):
        open_ones = [(text, share) for text, share in shares if share <= 1 - 1e-9]
        rows, others, notes = parted(open_ones, most)
        return rows, others, [*notes, f"certain: {', '.join(certain)}"]
    rows, left = shares[:most], shares[most:]
    if not left:
        return rows, None, []
    if not exclusive:
        return rows, None, [f"and {len(left)} more, each {percent(left[0][1])} or less"]
    return rows, sum(share for _, share in left), []


def percent(share: float) -> str:
    """A share in words.

    >>> percent(0.254)
    '25 %'
    """
    return f"{share:.0%}".replace("%", " %")
