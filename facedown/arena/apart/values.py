"""Values of plain Python games as JSON, and back: no pickle, and nothing but fields travels.

Numbers, texts, None, lists and tuples, sets and dictionaries, NumPy arrays, members of enumerations
and objects made of fields (dataclasses, or anything with `__dict__` or `__slots__`) come out equal
on the other side. What is not itself in JSON is `[tag, ...]`. Sets are sorted, so that their order
says nothing; a dictionary keeps its own, for rules may go by it.
"""

from __future__ import annotations

import base64
import importlib
import sys
from collections import deque
from enum import Enum
from typing import Any

import numpy as np

from facedown.core import RuleError
from facedown.core.canonical import fields_of
from facedown.core.plainly import rank

_BASES: tuple[Any, ...] = (int, float, str, tuple, list, dict, set, frozenset)
_SEQUENCES: dict[str, type] = {"l": list, "t": tuple, "s": set, "f": frozenset}


def packed(value: Any) -> Any:
    """A value as plain JSON that `unpacked` reads; RuleError names what has no such form.

    >>> packed((1, {"a": None}))
    ['t', 1, ['d', ['a', None]]]
    """
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if kind is float:
        return value if value == value and abs(value) != float("inf") else ["n", repr(value)]
    if kind in (list, tuple):
        return ["l" if kind is list else "t", *map(packed, value)]
    if kind in (set, frozenset):
        tag = "s" if kind is set else "f"
        return [tag, *map(packed, sorted(value, key=rank))]
    if kind is dict:
        return ["d", *([packed(key), packed(item)] for key, item in value.items())]
    if kind is bytes:
        return ["b", base64.b64encode(value).decode()]
    if isinstance(value, np.generic | np.ndarray):
        return _packed_array(value)
    return _packed_object(value, kind)


def _packed_array(value: Any) -> Any:
    array = np.asarray(value)
    if array.dtype.hasobject:
        raise RuleError(f"an array of objects ({array.dtype}) cannot be sent to an agent apart")
    data = base64.b64encode(array.tobytes()).decode()
    return ["a", str(array.dtype), list(array.shape), data, isinstance(value, np.generic)]


def _packed_object(value: Any, kind: type) -> Any:
    place = [kind.__module__, kind.__qualname__]
    if isinstance(value, Enum):
        return ["e", *place, value.name]
    if callable(value) or isinstance(value, type):
        raise RuleError(f"{value!r} cannot be sent to an agent apart: it is no plain value")
    base: Any = packed(list(value)) if isinstance(value, deque) else None
    for known in _BASES:
        if isinstance(value, known):  # a named tuple, a counter, a number with a name
            base = packed(known(value))
    fields = _fields(value) if base is None else getattr(value, "__dict__", {})
    return ["o", *place, base, [[name, packed(item)] for name, item in fields.items()]]


def _fields(value: Any) -> dict[str, Any]:
    try:
        found = fields_of(value)
    except TypeError as error:
        raise RuleError(str(error)) from None
    if "" in found:
        raise RuleError(f"{value!r} has no fields: it cannot be sent to an agent apart")
    return found


def unpacked(plain: Any) -> Any:
    """The value that `packed` wrote. For what a match has sent, not for what an agent sends."""
    if not isinstance(plain, list):
        return plain
    tag, *rest = plain
    if tag in _SEQUENCES:
        return _SEQUENCES[tag](map(unpacked, rest))
    if tag == "d":
        return {unpacked(key): unpacked(item) for key, item in rest}
    if tag == "n":
        return float(rest[0])
    if tag == "b":
        return base64.b64decode(rest[0])
    if tag == "a":
        dtype, shape, data, single = rest
        array = np.frombuffer(base64.b64decode(data), dtype).reshape(shape).copy()
        return array[()] if single else array
    kind = _found(rest[0], rest[1])
    return getattr(kind, rest[2]) if tag == "e" else _object(kind, *rest[2:])


def _object(kind: Any, base: Any, fields: list[Any]) -> Any:
    made = kind.__new__(kind) if base is None else _based(kind, unpacked(base))
    for name, item in fields:
        object.__setattr__(made, name, unpacked(item))
    return made


def _based(kind: Any, base: Any) -> Any:
    if isinstance(base, list | dict | set):
        made = kind.__new__(kind)
        made.extend(base) if isinstance(base, list) else made.update(base)
        return made
    parent = next(known for known in (int, float, str, tuple, frozenset) if isinstance(base, known))
    return parent.__new__(kind, base)


def _found(module: str, name: str) -> Any:
    found: Any = sys.modules.get(module) or importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found
