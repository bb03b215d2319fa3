"""What may be tuned: recipes, and the values of their options."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from facedown.agents.options import agent_options
from facedown.agents.registry import agent_class, check_agent
from facedown.arena.sweep import swept
from facedown.core import Game, SpecError, Stream
from facedown.core.specs import parse

RECIPE = "recipe"
"""The dimension that is which recipe, where there are several."""

FAMILIES = ("so-ismcts", "mo-ismcts", "smooth-uct", "determinized-uct", "flat-mc")
"""Recipes that are tried where none is named."""

USUAL: dict[str, tuple[str, ...]] = {
    "c": ("0.2", "0.35", "0.5", "0.7", "1", "1.4", "2"),
    "growth": ("edge", "node", "player"),
    "final": ("visits", "mean", "average"),
    "worlds": ("5", "10", "20", "50", "100"),
    "discount": ("1", "0.99", "0.95"),
    "playout": ("false", "true"),
    "prior": ("false", "true"),
    "horizon": ("true", "false"),
}
"""Values that are tried where none are named, of options that a recipe has."""

_RULES = ("playout", "prior", "horizon")  # options that want a rule of the game

Point = tuple[int, ...]
"""A place in a space: the number of a value in each dimension."""


@dataclass(frozen=True)
class Space:
    """Dimensions by name, each with the values that it may have; and how a place is a spec.

    `budget` is what every agent may spend on a move, as an option of its spec.
    """

    game: Game
    families: tuple[str, ...]
    dimensions: Mapping[str, tuple[str, ...]]
    budget: tuple[str, str]

    @property
    def names(self) -> tuple[str, ...]:
        """The dimensions in their order."""
        return tuple(self.dimensions)

    @property
    def size(self) -> int:
        """How many places there are; several may be the same agent."""
        sizes = [len(values) for values in self.dimensions.values()]
        return math.prod(sizes)

    def default(self) -> str:
        """The first recipe as it is, with the budget."""
        return self._with_budget(self.families[0])

    def spec(self, point: Point) -> str:
        """The agent at a place: options that its recipe does not have are left out."""
        chosen = {n: self.dimensions[n][k] for n, k in zip(self.names, point, strict=True)}
        family = chosen.pop(RECIPE, self.families[0])
        known = agent_options(agent_class(family, self.game))
        grid = {name: [value] for name, value in chosen.items() if name in known}
        return swept(self._with_budget(family), grid)[0]

    def _with_budget(self, family: str) -> str:
        name, value = self.budget
        known = agent_options(agent_class(family, self.game))
        given = parse(family).options
        if name not in known or {"iterations", "seconds", "cpu"} & set(given):
            return family
        return swept(family, {name: [value]})[0]

    def random(self, stream: Stream) -> Point:
        """Any place."""
        return tuple(stream.below(len(values)) for values in self.dimensions.values())

    def neighbour(self, point: Point, stream: Stream) -> Point:
        """A place that differs in one dimension, and in others by chance."""
        places = list(point)
        sizes = [len(values) for values in self.dimensions.values()]
        free = [k for k, size in enumerate(sizes) if size > 1]
        sure = stream.choice(free)
        for k in free:
            if k == sure or stream.random() < 1 / len(free):
                other = stream.below(sizes[k] - 1)
                places[k] = other + (other >= places[k])
        return tuple(places)

    def points(self) -> list[Point]:
        """All places; for small spaces."""
        return list(itertools.product(*(range(len(v)) for v in self.dimensions.values())))


def space_of(
    game: Game,
    family: str | None,
    over: Mapping[str, Sequence[str]],
    budget: tuple[str, str],
) -> Space:
    """The space to search; SpecError where nothing can be tuned.

    The values of `over` are tried, where any are given; else the usual ones of all options that a
    recipe has and whose rule the game has.

    >>> from facedown.games.registry import load_game
    >>> found = space_of(load_game("kuhn"), "so-ismcts", {}, ("iterations", "100"))
    >>> found.names, found.default()
    (('c', 'growth', 'final', 'discount'), 'so-ismcts:iterations=100')
    """
    families = (family,) if family is not None else FAMILIES
    known = [set(agent_options(agent_class(one, game))) for one in families]
    if over:
        for name in over:
            if not any(name in some for some in known):
                raise SpecError(f"{', '.join(families)} has no option {name!r} to tune")
        dimensions = {name: tuple(values) for name, values in over.items()}
    else:
        dimensions = {
            name: values
            for name, values in USUAL.items()
            if any(name in some for some in known) and (name not in _RULES or game.has(name))
        }
        fixed = set(parse(families[0]).options)
        dimensions = {name: values for name, values in dimensions.items() if name not in fixed}
    if len(families) > 1:
        dimensions = {RECIPE: families, **dimensions}
    made = Space(game, families, dimensions, budget)
    if made.size < 2:
        raise SpecError("there is nothing to choose from: --over OPTION=VALUE,VALUE names values")
    _check(made)
    return made


def _check(space: Space) -> None:
    """SpecError where a value of a dimension makes no agent."""
    zero = (0,) * len(space.names)
    check_agent(space.default(), space.game)
    for k, values in enumerate(space.dimensions.values()):
        for j in range(len(values)):
            check_agent(space.spec((*zero[:k], j, *zero[k + 1 :])), space.game)
