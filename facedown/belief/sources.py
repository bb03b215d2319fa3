"""Where worlds come from: the beliefs by name, and the one place that chooses among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from facedown.belief.belief import Belief
from facedown.belief.dealt import Certain, Dealt
from facedown.belief.factored import DRAWS, Factored
from facedown.belief.facts import FactBelief
from facedown.belief.hyperplay import Bag
from facedown.belief.listed import ListedBelief
from facedown.core import Game, SpecError
from facedown.core.specs import load_class, parse


@dataclass(frozen=True)
class Means:
    """What a belief may spend, and by which rule it draws: as the agent's options say.

    A bag has so many `models`, each of which may visit `limit` states for an observation, and a
    scout that is as `thorough` as `Bag` says. `determinize` names a variant of that rule. `draws`
    are worlds that are drawn beforehand for a decision, where the kernel cannot draw them by
    itself.
    """

    models: int = 100
    limit: int = 10_000
    determinize: str | None = None
    draws: int = DRAWS
    thorough: int = 0


KNOWLEDGE = "knowledge"
"""No rule of the kernel's, but a method of a game's definition: its own belief."""


@dataclass(frozen=True)
class Source:
    """A kind of belief: the rule that a game must have for it, and how one is made."""

    summary: str
    rule: str | None
    make: Callable[[Game, int, int, Means], Belief]


SOURCES: dict[str, Source] = {
    "determinize": Source(
        "a new world for every iteration, by the game's own rule",
        "determinize",
        lambda game, viewer, seed, means: Dealt(game, viewer, seed, means.determinize),
    ),
    "facts": Source(
        "worlds by the game's own rule, by what earlier searches tell of hidden facts",
        "determinize",
        lambda game, viewer, seed, means: FactBelief(
            game, viewer, seed, means.determinize, means.draws
        ),
    ),
    "factored": Source(
        "the game's own belief, told tokens: worlds by its rule, filled in by what is likely",
        KNOWLEDGE,
        lambda game, viewer, seed, means: Factored(
            game, viewer, seed, means.determinize, means.draws
        ),
    ),
    "hyperplay": Source(
        "histories that fit what was observed, from the rules alone",
        None,
        lambda game, viewer, seed, means: Bag(
            game,
            viewer,
            means.models,
            seed,
            limit=means.limit,
            reseed=True,
            repairs=True,
            thorough=means.thorough,
        ),
    ),
    "listed": Source(
        "all worlds of the game's list that are possible, all as likely",
        "world",
        lambda game, viewer, seed, means: ListedBelief(game, viewer, infers=False),
    ),
    "particle": Source(
        "the same list, by what earlier searches tell of moves seen since",
        "world",
        lambda game, viewer, seed, means: ListedBelief(game, viewer, infers=True),
    ),
    "truth": Source(
        "the true position: for benchmarks that cheat",
        None,
        lambda game, viewer, seed, means: Certain(game, viewer, seed),
    ),
}


Named = str | type[Belief]
"""A belief by its name here, by `path/to/file.py:ClassName`, or as a class."""


def chosen(game: Game, names: Sequence[Named]) -> Named:
    """The first of these that the game has the rule for; a class of one's own needs none.

    >>> from facedown.games.registry import load_game
    >>> chosen(load_game("kuhn"), ("listed", "hyperplay"))
    'listed'
    """
    rules = []
    for name in names:
        rule = None if _own(name) is not None else _source(name).rule
        if rule is None or _offers(game, rule):
            return name
        rules.append(rule)
    raise SpecError(f"{game.name} has no rule {rules[0]!r}, which this search needs")


def make_belief(
    game: Game, names: Sequence[Named], viewer: int, seed: int, means: Means | None = None
) -> Belief:
    """A belief of the first of these sources that the game offers.

    A class of one's own is made with the game, the viewer and a seed.
    """
    name = chosen(game, names)
    own = _own(name)
    if own is None:
        return _source(name).make(game, viewer, seed, means or Means())
    made = own(game, viewer, seed)
    if not isinstance(made, Belief):
        raise SpecError(f"{name} is no belief: a subclass of facedown.Belief is wanted")
    return made


def _offers(game: Game, rule: str) -> bool:
    """Whether a game has what a source needs; its own belief completes worlds of its rule."""
    return game.knows and game.has("determinize") if rule == KNOWLEDGE else game.has(rule)


def _own(name: Named) -> Callable[[Game, int, int], object] | None:
    """A class of one's own; None for what has a name here."""
    if not isinstance(name, str):
        return name
    spec = parse(name)
    return None if spec.file is None else load_class(spec)


def _source(name: Named) -> Source:
    if name not in SOURCES:
        known = ", ".join(SOURCES)
        raise SpecError(f"no belief {name!r}; beliefs: {known}, or path/to/file.py:ClassName")
    return SOURCES[str(name)]
