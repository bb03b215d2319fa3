"""What was found, in sentences that a maker of games understands."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from facedown.arena.analysis.numbers import Measure
from facedown.playtest.findings import MOMENTS, Findings
from facedown.playtest.habits import Habit

_SHOWN = 8  # moves that are named
FEW = 100
"""Games of a match below which a page warns that it is noisy."""


def percent(one: Measure) -> str:
    """A share with its interval."""
    if one.value is None:
        return "unknown"
    if one.low is None or one.high is None:
        return f"{one.value:.0%}"
    return f"{one.value:.0%} ({one.low:.0%} to {one.high:.0%})"


def few(found: Findings) -> str:
    """A warning where matches are short, by the widest interval that a share of wins has then."""
    games = found.test.games
    if games >= FEW:
        return ""
    points = 98 / math.sqrt(games)
    return (
        f"Few games: {games} a match. A share of wins is uncertain by up to {points:.0f} points "
        "then, so what differs by less may be chance; --games 200 or more tells it apart."
    )


def length(found: Findings) -> str:
    """How long games are."""
    if not found.lengths:
        return "No game came to its end."
    plies = sorted(found.lengths)
    low, high = (plies[int(share * (len(plies) - 1))] for share in (0.1, 0.9))
    middle, choices = statistics.median(plies), statistics.median(found.decisions)
    words = f"Half of the games are over after {middle:g} moves, {choices:g} of them the players'; "
    if low == high:
        return words + f"eight in ten take exactly {low}."
    return words + f"eight in ten take between {low} and {high}."


def seats(found: Findings) -> str:
    """Whether it matters where one sits."""
    if found.players == 1:
        return "One player plays alone."
    even, fair = 1 / found.players, _mean([one.value or 0.0 for one in found.seats])
    paid = [
        f"player {p} is paid {one.value:+.3f} ({one.low:+.3f} to {one.high:+.3f}) and wins "
        f"{percent(won)}"
        for p, (one, won) in enumerate(zip(found.seats, found.wins, strict=True))
        if one.value is not None and one.low is not None and one.high is not None
    ]
    told = f" On average {', '.join(paid)}; {even:.0%} is even." if paid else ""
    apart = [
        p
        for p, one in enumerate(found.seats)
        if one.low is not None and one.high is not None and not one.low <= fair <= one.high
    ]
    if not apart:
        return "Among equals no seat is shown to be better or worse than another." + told
    return f"Seats are not even: player {' and '.join(map(str, apart))} shows it." + told


def _mean(some: Sequence[float]) -> float:
    return sum(some) / len(some)


def luck(found: Findings) -> str:
    """How much of the result is luck."""
    parts, (weak, strong) = found.variance, found.strong
    if parts.total == 0.0:
        return "Every game pays the same."
    words = (
        f"Between {weak} and {strong} {parts.skill:.0%} of what decides a game is skill, "
        f"{parts.luck:.0%} is luck"
    )
    if parts.deal is not None:
        words += f" ({parts.deal:.0%} in the deal, which both had, {parts.play:.0%} in how it went)"
    return words + f" and {parts.seat:.0%} the seat."


def payoff(one: Measure) -> str:
    """A payoff with its interval."""
    if one.value is None or one.low is None or one.high is None:
        return "unknown"
    return f"{one.value:+.2f} ({one.low:+.2f} to {one.high:+.2f})"


def ladder(found: Findings) -> str:
    """What thinking longer is worth."""
    first, last, step = found.ladder[0], found.ladder[-1], found.steps[-1]
    words = f"{payoff(step)} a game {last.agent} is ahead of {found.ladder[-2].agent}"
    if len(found.ladder) > 2:
        if step.low is not None and step.low > 0:
            words += ": the last doubling of the budget still helps, there is more to find"
        else:
            words += ": the last doubling of the budget is not shown to help"
    if not found.staked:
        words += f". From {first.agent} to the top are {last.rating - first.rating:.0f} Elo points"
    return words + "."


def peeking(found: Findings) -> str:
    """What the hidden things are worth."""
    one = found.peeking
    if one.value is None or one.low is None:
        return "It was not found out what hidden things are worth."
    words = f"{payoff(one)} a game one who sees everything is ahead of one who does not. "
    if one.low <= 0:
        return words + "So knowing what is hidden is not shown to help."
    return words + "So what is hidden matters."


def decided(found: Findings) -> str:
    """When games are decided."""
    won = [one for one in found.courses if not one.drawn]
    if not won:
        return "No game had a winner."
    middle = statistics.median(one.decided for one in won)
    late = sum(one.decided >= 0.9 for one in won) / len(won)
    return (
        f"Half of the games are decided after {middle:.0%} of their moves, {late:.0%} of them only "
        "in the last tenth. (Decided: who wins would, from there on, win four in five if all "
        "played at random.)"
    )


def lead(found: Findings) -> str:
    """Whether a lead is kept."""
    if not found.courses or all(one.drawn for one in found.courses):
        return "Nobody led."
    changes = statistics.mean(one.changes for one in found.courses)
    half = found.ahead[MOMENTS.index(0.5)]
    words = (
        f"The lead changes {changes:.1f} times in a game. Who leads halfway wins {percent(half)}"
    )
    if half.low is not None and half.low > 0.85:
        return words + ": leaders run away, and the second half decides little."
    return words + "."


def stalemates(found: Findings) -> str:
    """Games without a winner."""
    if found.drawn.value is None:
        return "No game came to its end."
    if not found.drawn.value:
        return f"None of {len(found.lengths):,} games among equals was drawn."
    return f"{percent(found.drawn)} of games among equals end without a winner."


def moves(found: Findings) -> str:
    """Moves that are no choice."""
    one = found.habits
    what = "kinds of moves" if one.kinds else "moves"
    if not one.told:
        return f"No move was legal often enough to judge it ({len(one.by_name):,} {what} were met)."
    parts = []
    if one.always:
        parts.append(f"Always made where there was a choice: {_named(one.always)}")
    if one.never:
        parts.append(f"Never made: {_named(one.never)}")
    words = f"Of {len(one.told):,} {what} that were legal 30 times or more "
    if not parts:
        return words + "all were made at times, and none always: each is a choice."
    return (
        words
        + f"{len(one.always)} were always made and {len(one.never)} never. "
        + (". ".join(parts) + ".")
    )


def _named(some: Sequence[Habit]) -> str:
    more = f" and {len(some) - _SHOWN} more" if len(some) > _SHOWN else ""
    return ", ".join(f"{one.name} ({one.legal} times)" for one in some[:_SHOWN]) + more
