"""The options of an agent's spec: its own fields, and those of its recipe."""

from __future__ import annotations

import typing
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from enum import Enum
from inspect import Parameter
from typing import TYPE_CHECKING, Any

from facedown.core import Game, SpecError
from facedown.core.specs import Spec, arguments, options_of

if TYPE_CHECKING:
    from facedown.search.recipe import Recipe
    from facedown.search.settings import Settings

RENAMED = {
    "informed": "playout",
    "priors": "prior",
    "abstract": "bucket",
    "value": "horizon",
    "belief": "determinize",  # where it names a variant of that rule
}
"""Options that had other names before variants of rules had one way to be asked for."""

GIVEN = 3
"""The first arguments of an agent are no options: game, player and seed."""


def agent_options(maker: Any) -> Mapping[str, Parameter]:
    """All that a spec can say of agents of this class, with what it is otherwise.

    >>> from facedown.agents.searching import SingleObserver
    >>> agent_options(SingleObserver)["c"].default
    0.7
    """
    own = {k: v for k, v in options_of(maker, skip=GIVEN).items() if k != "recipe"}
    return {**own, **recipe_options(maker)}


def recipe_options(maker: Any) -> dict[str, Parameter]:
    """Of these, the fields of its recipe: those that its class `offers`, all where it says none."""
    base: Recipe | None = getattr(maker, "base", None)
    if base is None:
        return {}
    from facedown.search.recipe import Worlds  # what random players do without

    offers = getattr(maker, "offers", None)
    found = {name: one for name, _, one in _fields(base)}
    if base.worlds is not Worlds.IN_TURN or base.samples is None:
        found.pop("worlds")
    return {name: one for name, one in found.items() if offers is None or name in offers}


def _fields(part: Settings) -> Iterator[tuple[str, tuple[str, ...], Parameter]]:
    """The options of a recipe and of its parts: name, place, and what a spec may say."""
    from facedown.search.settings import offered

    kind_of: Any = type(part)
    for one in offered(kind_of):
        value = getattr(part, one.field)
        kind = str if isinstance(value, tuple) else one.kind
        parameter = Parameter(one.name, Parameter.KEYWORD_ONLY, default=value, annotation=kind)
        yield one.name, (one.field,), parameter
    for field in ("smooth", "outcome", "playout"):
        inner = getattr(part, field, None)
        for name, place, parameter in _fields(inner) if inner is not None else ():
            yield name, (field, *place), parameter


def given_options(maker: Any, spec: Spec, game: Game) -> dict[str, Any]:
    """What a spec says, converted; SpecError lists what it may say."""
    known = agent_options(maker)
    spec = replace(spec, options=renamed(spec.options, known, game))
    return arguments(maker, spec, skip=GIVEN, options=known)


def renamed(options: Mapping[str, Any], known: Container[str], game: Game) -> dict[str, Any]:
    """Options by the names that they have today, as records may have them by older ones."""
    found = dict(options)
    for was, now in RENAMED.items():
        if was == "belief" and found.get(was) not in game.variants("determinize"):
            continue
        if was not in found or (was in known and was != "belief") or now not in known:
            continue
        if now in found:
            raise SpecError(f"{was} is an older name of {now}, and both are given")
        found[now] = found.pop(was)
    return found


def settings_of(maker: Any, spec: Spec, game: Game) -> dict[str, Any]:
    """What the game says of an agent of ours, where the spec does not."""
    settings = game.settings.get(spec.name, {}) if spec.file is None else {}
    return renamed(settings, agent_options(maker), game)


def constructed(maker: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options as arguments of the class: those of the recipe are put into one."""
    known = recipe_options(maker)
    own = {key: value for key, value in options.items() if key not in known}
    chosen = {key: value for key, value in options.items() if key in known}
    return {**own, "recipe": tailored(maker.base, chosen)} if chosen else own


def tailored(base: Recipe, options: Mapping[str, Any]) -> Recipe:
    """A recipe with other choices, by the names of options.

    >>> from facedown.search.recipe import Recipe
    >>> tailored(Recipe(), {"c": 2.0, "discount": 0.9}).playout.discount
    0.9
    """
    places = {name: place for name, place, _ in _fields(base)}
    made: Any = base
    for name, value in options.items():
        made = _with(made, places[name], value)
    return typing.cast("Recipe", made)


def _with(part: Any, place: tuple[str, ...], value: Any) -> Any:
    """A part of a recipe with another value at a place."""
    first, *rest = place
    was = getattr(part, first)
    if rest:
        value = _with(was, tuple(rest), value)
    elif isinstance(was, tuple) and isinstance(value, str):
        value = (value,)
    elif isinstance(was, Enum) and isinstance(value, str):
        value = type(was)[value.upper()]
    return replace(part, **{first: value})
