"""Results as Markdown: measured, interval and published side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from facedown.arena.results import AgentResult


@dataclass(frozen=True)
class Published:
    """A share that a paper states, or the range that it states; `source` says where it does.

    `x` is where it lies: on a figure's axis, as a range where the paper's unit is not ours; among
    bars, the number of the bar. `whole`: the paper rounds to whole percents here, else to a tenth.
    """

    low: float
    high: float
    source: str
    x: tuple[float, float] = (0.0, 0.0)
    whole: bool = False

    @classmethod
    def point(cls, share: float, source: str, x: float = 0.0, *, whole: bool = False) -> Published:
        """One number at one place."""
        return cls(share, share, source, (x, x), whole)

    @property
    def bounds(self) -> tuple[float, float]:
        """What was rounded to the stated shares lies between these."""
        half = 0.005 if self.whole else 0.0005
        return self.low - half, self.high + half

    @property
    def text(self) -> str:
        """In percent, as a paper prints it.

        >>> Published.point(0.76, "table 4-1").text
        '76.0 %'
        >>> Published(0.36, 0.43, "section 4.4", whole=True).text
        '36 % to 43 %'
        """
        places = 0 if self.whole else 1
        low, high = (f"{100 * share:.{places}f} %" for share in (self.low, self.high))
        return low if self.low == self.high else f"{low} to {high}"


def percent(share: float) -> str:
    """A share with one place: more than the games of a table carry would be noise.

    >>> percent(0.6449)
    '64.5 %'
    """
    return f"{100 * share:.1f} %"


def interval(agent: AgentResult) -> str:
    """The 95 % interval of a win rate."""
    return f"{100 * agent.low:.1f} to {100 * agent.high:.1f}"


def against(agent: AgentResult, published: Published | None) -> str:
    """Where the published number lies, seen from the measured interval."""
    if published is None:
        return ""
    low, high = published.bounds
    if agent.low <= high and low <= agent.high:
        return "within"
    return "below" if high < agent.low else "above"


def table(head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """A Markdown table; the first `left` columns are flush left, the others right.

    >>> print(table(["agent", "share"], [["random", "50.0 %"]]))
    | agent | share |
    |:--|--:|
    | random | 50.0 % |
    """
    rule = "".join("|:--" if place < left else "|--:" for place in range(len(head))) + "|"
    lines = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    return "\n".join([f"| {' | '.join(head)} |", rule, *lines])
