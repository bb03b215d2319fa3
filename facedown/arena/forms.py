"""Forms of tournaments: who meets whom, as far as the results so far decide it.

A form is a function of the agents and of the points of all encounters that are finished. It gives
every encounter that is certain to be played by now, in order, so that a tournament that was stopped
goes on without any memory but its results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

from facedown.core import SpecError, Stream, derive


@dataclass(frozen=True)
class Encounter:
    """Agents that meet, by their specs, and what the encounter is called."""

    name: str
    agents: tuple[str, ...]


Points = Mapping[Encounter, Sequence[float]]
"""The shares of wins of each agent of an encounter, for those that are finished."""


@dataclass(frozen=True)
class Field:
    """Who takes part: `agents`, in games of so many `players`, and whom they are held `against`."""

    agents: tuple[str, ...]
    against: tuple[str, ...] = ()
    players: int = 2
    seed: int = 0


@dataclass
class Draw:
    """The encounters that are certain; once `complete`, the `order` that the form itself makes."""

    encounters: list[Encounter] = field(default_factory=list)
    complete: bool = True
    order: list[str] = field(default_factory=list)


def round_robin(entered: Field, points: Points) -> Draw:
    """Everybody meets everybody."""
    return Draw([Encounter(_versus(pair), pair) for pair in combinations(entered.agents, 2)])


def tables(entered: Field, points: Points) -> Draw:
    """As many as a game has players sit down together, in every combination."""
    seated = combinations(entered.agents, entered.players)
    return Draw([Encounter(_versus(some), some) for some in seated])


def one_against_many(entered: Field, points: Points) -> Draw:
    """Every agent meets each of those that it is held against."""
    pairs = product(entered.agents, entered.against)
    return Draw([Encounter(_versus(pair), pair) for pair in pairs])


def ladder(entered: Field, points: Points) -> Draw:
    """One after another climbs from below, in the order given, as long as it wins more than half.

    Whoever does not beat the one above stays below it.
    """
    drawn, rungs = Draw(), list(entered.agents[:1])
    for number, climber in enumerate(entered.agents[1:], 2):
        place = len(rungs)
        while place:
            name = f"agent {number} at rung {place}"
            met = Encounter(name, (climber, rungs[place - 1]))
            drawn.encounters.append(met)
            if met not in points:
                drawn.complete = False
                return drawn
            if not points[met][0] > points[met][1]:
                break
            place -= 1
        rungs.insert(place, climber)
    drawn.order = rungs
    return drawn


def elimination(entered: Field, points: Points) -> Draw:
    """Rounds of pairs; whoever has more points goes on, the one drawn first where they are even.

    The order of the draw comes from the seed. Of an odd number the last goes on without a match.
    (Bitan and Kraus 2017, section 4.6, where agents are one agent with other options.)
    """
    drawn, number = Draw(), 0
    left, out = shuffled(entered.agents, entered.seed), list[str]()
    while len(left) > 1:
        number += 1
        bye = left[-1:] if len(left) % 2 else []
        pairs = list(zip(left[::2], left[1::2], strict=False))
        met = [Encounter(f"round {number}, pairing {k}", pair) for k, pair in enumerate(pairs, 1)]
        drawn.encounters += met
        if any(one not in points for one in met):
            drawn.complete = False
            return drawn
        won = [points[one][1] > points[one][0] for one in met]
        left = [pair[k] for pair, k in zip(pairs, won, strict=True)] + bye
        out = [pair[1 - k] for pair, k in zip(pairs, won, strict=True)] + out
    drawn.order = left + out
    return drawn


FORMS: dict[str, Callable[[Field, Points], Draw]] = {
    "round-robin": round_robin,
    "against": one_against_many,
    "ladder": ladder,
    "elimination": elimination,
    "tables": tables,
}


def most_encounters(form: str, entered: Field) -> int:
    """How many encounters there can be at most."""
    count = len(entered.agents)
    if form == "elimination":
        return count - 1
    if form == "ladder":
        return count * (count - 1) // 2
    return len(FORMS[form](entered, {}).encounters)


def check_form(form: str, entered: Field) -> None:
    """SpecError where these agents cannot meet in this form."""
    if form not in FORMS:
        raise SpecError(f"no form {form!r} of a tournament; there are {', '.join(FORMS)}")
    for kind in (entered.agents, entered.against):
        twice = [agent for k, agent in enumerate(kind) if agent in kind[:k]]
        if twice:
            raise SpecError(f"{twice[0]} is given twice; every agent takes part once")
    if form == "against":
        _check_against(entered)
        return
    if entered.against:
        raise SpecError(f"`against` is for the form against; in {form} all agents are alike")
    least = entered.players if form == "tables" else 2
    if len(entered.agents) < least:
        raise SpecError(f"{len(entered.agents)} agents are given; {form} wants at least {least}")


def _check_against(entered: Field) -> None:
    if not entered.agents or not entered.against:
        raise SpecError("the form against wants agents, and others that they are held against")
    both = [agent for agent in entered.agents if agent in entered.against]
    if both:
        raise SpecError(f"{both[0]} is held against itself")


def shuffled(agents: Sequence[str], seed: int) -> list[str]:
    """The agents in an order that the seed decides.

    >>> sorted(shuffled(["a", "b", "c"], 7))
    ['a', 'b', 'c']
    """
    stream, left = Stream(derive(seed, "draw")), list(agents)
    return [left.pop(stream.below(len(left))) for _ in agents]


def _versus(agents: Sequence[str]) -> str:
    return " - ".join(agents)
