"""Values in an order that says nothing, and as JSON that anyone can read."""

from __future__ import annotations

import math
from enum import Enum
from typing import Any

import numpy as np

from facedown.core.canonical import canonical, fields_of

UNORDERED = 3
"""The first part of the rank of values that have no order of their own; their text follows."""


def rank(value: Any) -> tuple[Any, ...]:
    """By what values are sorted, whichever kinds are among them: by nothing but themselves.

    >>> sorted([("raise", 10), ("raise", 9), 3, "call", ("fold",)], key=rank)
    [3, 'call', ('fold',), ('raise', 9), ('raise', 10)]
    """
    if isinstance(value, (bool, int, float, np.number, np.bool_)):
        return (0, value)
    if isinstance(value, str):
        return (1, str(value))
    if isinstance(value, (tuple, list)):
        return (2, *map(rank, value))
    kind: Any = type(value)
    if (kind.__str__, kind.__repr__) == (object.__str__, object.__repr__):
        return (UNORDERED, type(value).__qualname__, canonical(value))  # no text but its address
    return (UNORDERED, type(value).__qualname__, str(value))


def readable(value: Any) -> Any:
    """A record, or a value of a plain Python game, as plain JSON: complete, field by field.

    Sets become sorted lists, objects and records become dictionaries of their fields, bytes become
    hexadecimal text, numbers that JSON does not have become null.

    >>> readable({"hand": {3, 1}, "bids": (None, 0.5)})
    {'hand': [1, 3], 'bids': [None, 0.5]}
    """
    if isinstance(value, Enum):
        return value.name
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, np.void) and value.dtype.names:
        return {name: readable(value[name]) for name in value.dtype.names}
    if isinstance(value, np.ndarray) and value.ndim:
        return [readable(item) for item in value]
    if isinstance(value, (np.generic, np.ndarray)):
        return readable(value.item())
    if isinstance(value, (bytes, bytearray)):
        return value.hex()
    return _composed(value)


def _composed(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return [readable(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return [readable(item) for item in sorted(value, key=rank)]
    if not isinstance(value, dict):
        return {name: readable(item) for name, item in fields_of(value).items()}
    if all(isinstance(key, (str, int)) for key in value):
        return {str(readable(key)): readable(item) for key, item in value.items()}
    return [[readable(key), readable(item)] for key, item in value.items()]
