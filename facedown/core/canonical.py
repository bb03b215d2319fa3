"""Texts and hashes of Python values that are the same on every machine."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from typing import Any

import numpy as np


def canonical(value: Any) -> str:
    """A text that is equal for equal values, on every machine; TypeError where there is none.

    An object that is more than its fields, or has none, says by a method `canonical` what value it
    stands for.

    >>> canonical((1, "a", {2, 1})) == canonical((True, "a", {1, 2}))
    True
    """
    kind = type(value)  # the usual kinds first: laws ask for millions of these texts
    if kind is int or kind is str:
        return repr(value)
    if kind is tuple or kind is list:
        return "(" + ",".join(map(canonical, value)) + ")"
    if value is None or isinstance(value, (str, bytes)):
        return repr(value)
    if isinstance(value, (bool, int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value)) if value != int(value) else str(int(value))
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{value.tolist()}"
    if isinstance(value, (tuple, list)):
        return "(" + ",".join(canonical(item) for item in value) + ")"
    if isinstance(value, (set, frozenset)):
        return "{" + ",".join(sorted(canonical(item) for item in value)) + "}"
    if isinstance(value, dict):
        pairs = sorted((canonical(key), canonical(item)) for key, item in value.items())
        return "{" + ",".join(f"{key}:{item}" for key, item in pairs) + "}"
    own = getattr(value, "canonical", None)
    stands_for = fields_of(value) if own is None else own()
    return f"{type(value).__qualname__}({canonical(stands_for)})"


@functools.lru_cache(maxsize=256)
def _declared(kind: type) -> tuple[str, ...]:
    """The names of a dataclass's fields."""
    return tuple(field.name for field in dataclasses.fields(kind))


def fields_of(value: Any) -> dict[str, Any]:
    """The attributes of an object, from its dataclass fields, its __dict__ or its __slots__."""
    if dataclasses.is_dataclass(value):
        return {name: getattr(value, name) for name in _declared(type(value))}  # type: ignore[arg-type]
    slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    found = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    found.update(getattr(value, "__dict__", {}))
    if not found and " at 0x" in repr(value):
        raise TypeError(f"{value!r} has no stable text: use numbers, strings, tuples, dataclasses")
    return found or {"": repr(value)}


def stable_hash(value: Any) -> int:
    """64 bits of a value, the same on every machine; never 0."""
    text = canonical(value).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little") or 1
