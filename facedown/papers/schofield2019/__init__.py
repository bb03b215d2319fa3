"""Schofield and Thielscher 2019: HyperPlay and HyperPlay-II.

The appendices, which hold most of the paper's numbers, are not in print; published is what its text
and its two tables state. Games are those of the library, written after the paper's descriptions:
where sizes and percepts are our own, numbers need not be the paper's.
"""

from __future__ import annotations

# each of these adds its tables and figures to the paper, in this order
from facedown.papers.schofield2019 import (  # noqa: F401
    cost,
    more,
    remedies,
    sizes,
    sound,
    uniform,
    value,
    weights,
)
from facedown.papers.schofield2019.games import PAPER

__all__ = ["PAPER"]
