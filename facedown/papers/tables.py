"""Results as Markdown: measured, interval and published side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from facedown.papers.verdict import Claim

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


def against(measured: AgentResult | Effect, published: Published | None) -> str:
    """Where the published number lies, seen from the measured interval."""
    if published is None:
        return ""
    low, high = published.bounds
    if measured.low <= high and low <= measured.high:
        return "within"
    return "below" if high < measured.low else "above"


def claim_of(words: str, agent: AgentResult, stated: Published | None) -> Claim | None:
    """A published win rate beside the measured one; None where none was published."""
    return None if stated is None else Claim.number(words, agent.low, agent.high, stated)


@dataclass(frozen=True)
class Effect:
    """How much more often one agent won than another did in another cell, with its interval.

    `words` is what the paper states without a number that could be compared.
    """

    name: str
    gain: float
    low: float
    high: float
    times: float | None  # as often; None where the other never won
    published: Published | None = None
    words: str = ""
    sign: int = 0  # of the effect that the words state, if they state one

    @classmethod
    def between(
        cls,
        name: str,
        one: AgentResult,
        other: AgentResult,
        published: Published | None = None,
        words: str = "",
        sign: int = 0,
    ) -> Effect:
        """The effect of one agent's being there and not the other."""
        from facedown.arena.statistics import difference

        shares = ((agent.win_rate, agent.low, agent.high) for agent in (one, other))
        times = one.win_rate / other.win_rate if other.win_rate else None
        return cls(name, *difference(*shares), times, published, words, sign)

    @property
    def claim(self) -> Claim | None:
        """What was published of it beside what was measured; None where nothing was."""
        if self.published is not None:
            return Claim.number(self.name, self.low, self.high, self.published)
        return Claim.order(self.name, self.low, self.high, self.sign) if self.sign else None

    @property
    def row(self) -> list[str]:
        """As a row of a table of effects."""
        stated, words = self.published, self.words
        if stated is not None:
            places = 0 if stated.whole else 1
            bounds = dict.fromkeys(points(share, places) for share in (stated.low, stated.high))
            words = f"{' to '.join(bounds)} ({stated.source})"
        times = "" if self.times is None else f"{self.times:.2f}"
        measured = [f"**{points(self.gain)}**", f"{points(self.low)} to {points(self.high)}", times]
        return [self.name, *measured, words, against(self, stated)]


def points(gain: float, places: int = 1) -> str:
    """A difference of shares, in points of a hundred.

    >>> points(0.317), points(-0.664), points(0.03, 0)
    ('+31.7', '-66.4', '+3')
    """
    return f"{100 * gain:+.{places}f}"


def effects(rows: Sequence[Effect]) -> str:
    """Effects as a Markdown table."""
    head = ["effect", "points", "95 % interval", "times as often", "published", "published lies"]
    return table(head, [effect.row for effect in rows])


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
