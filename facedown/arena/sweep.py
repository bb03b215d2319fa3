"""Sweeps: one agent with all combinations of options, as the agents of a tournament."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from facedown.core import SpecError

Grid = Mapping[str, Sequence[str]]
"""The values that are tried, as a spec has them, by the option."""


def swept(agent: str, grid: Grid) -> list[str]:
    """The agent with every combination of the values, in the order of the grid.

    >>> swept("so-ismcts:iterations=9", {"c": ["0.5", "0.7"]})
    ['so-ismcts:iterations=9,c=0.5', 'so-ismcts:iterations=9,c=0.7']
    """
    if not grid:
        return [agent]
    joint = "," if ":" in agent.rpartition(".py:")[2] else ":"
    names = list(grid)
    return [
        f"{agent}{joint}{','.join(f'{k}={v}' for k, v in zip(names, values, strict=True))}"
        for values in product(*grid.values())
    ]


def parse_grid(given: Sequence[str]) -> dict[str, list[str]]:
    """The grid that options `OPTION=VALUE,VALUE` give; SpecError says what is wrong with one.

    >>> parse_grid(["c=0.7,1.4", "discount=0.99,0.995"])
    {'c': ['0.7', '1.4'], 'discount': ['0.99', '0.995']}
    """
    grid: dict[str, list[str]] = {}
    for text in given:
        name, equals, rest = text.partition("=")
        values = rest.split(",")
        if not name or not equals or not all(values) or any("=" in value for value in values):
            raise SpecError(f"{text!r} is not OPTION=VALUE,VALUE")
        if name in grid:
            raise SpecError(f"{name} is given twice; all its values go into one list")
        if len(set(values)) < len(values):
            raise SpecError(f"{text!r} has a value twice")
        grid[name] = values
    return grid
