"""What compiled code is made of: a digest of a function and of all that it reaches.

Numba freezes into the machine code whatever a function finds in its globals: other functions,
numbers, types of records, whole arrays. The digest is of just that, found by following the names in
the code, so that equal digests mean equal machine code wherever the files lie, and an edit that no
compiled function can notice (a comment, a docstring, a neighbour) costs no compiling.
"""

from __future__ import annotations

import dis
import hashlib
import sys
from collections.abc import Iterator
from enum import EnumMeta
from functools import cache
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

Part = tuple[str, tuple[Any, ...]]
"""How something is spelt, and what else belongs to it."""

_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(...))


def digest(function: Any, *more: Any) -> str:
    """20 letters that stand for a function, all that it reaches, and `more` that decides its code.

    >>> def one(): return 1
    >>> def other(): return one()
    >>> digest(one) == digest(one) != digest(other)
    True
    """
    taken = hashlib.sha256(repr(more).encode())
    for text in _walk(function):
        taken.update(text.encode() + b"\0")
    return taken.hexdigest()[:20]


def _walk(start: Any) -> Iterator[str]:
    """Everything that is reached, each once, depth first; later its number stands for it."""
    numbers: dict[int, int] = {}
    kept, left = [], [start]  # what is kept keeps its id
    while left:
        thing = left.pop()
        if id(thing) in numbers:
            yield f"#{numbers[id(thing)]}"
            continue
        text, more = _part(thing)
        if more:
            numbers[id(thing)] = len(numbers)
            kept.append(thing)
        yield text
        left.extend(reversed(more))


def _part(thing: Any) -> Part:
    """One thing that code refers to."""
    if isinstance(thing, _PLAIN):
        return f"{type(thing).__name__} {thing!r}", ()
    if isinstance(thing, FunctionType):
        return _function(thing)
    if hasattr(thing, "py_func"):  # a function that Numba compiles into its callers
        return f"compiled {sorted(thing.targetoptions.items())!r}", (thing.py_func,)
    if hasattr(thing, "_defn"):  # a Numba intrinsic
        return "intrinsic", (thing._defn,)
    if isinstance(thing, tuple | list):
        return f"{type(thing).__name__} of {len(thing)}", tuple(thing)
    return _value(thing), ()


def _value(thing: Any) -> str:
    """What has no parts of its own to follow."""
    if isinstance(thing, np.dtype):
        return f"dtype {_fields(thing)}"
    if isinstance(thing, np.ndarray | np.generic):
        return f"array {_fields(thing.dtype)} {thing.shape} {_hash(thing.tobytes())}"
    if isinstance(thing, EnumMeta):
        members: dict[str, Any] = dict(thing.__members__)
        return f"enum {[(name, repr(one.value)) for name, one in members.items()]}"
    if isinstance(thing, type | BuiltinFunctionType | np.ufunc) and not _ours(thing):
        return f"{getattr(thing, '__module__', '')}.{thing.__name__}"
    if isinstance(thing, ModuleType):
        return f"module {thing.__name__}"
    if _ours(type(thing)) or _ours(thing):
        return f"of {_home(thing)}"
    return f"{type(thing).__module__}.{type(thing).__qualname__} {thing!r}"


def _fields(kind: np.dtype[Any]) -> str:
    """A type of records with the places of its fields."""
    if kind.fields is None:
        base, shape = kind.base, kind.shape
        return f"{base.str}{shape}" if base.fields is None else f"({_fields(base)}){shape}"
    places = ((name, *kind.fields[name][:2]) for name in kind.names or ())
    inner = [f"{name}@{place}:{_fields(field)}" for name, field, place in places]
    return f"{{{','.join(inner)}}}{kind.itemsize}"


@cache
def _function(function: FunctionType) -> Part:
    """A function's code, and what its names stand for."""
    codes = list(_codes(function.__code__))
    names = list(dict.fromkeys(name for code in codes for name in code.co_names))
    text = [function.__name__, *map(_spelt, codes)]
    more: list[Any] = [function.__defaults__]
    for cell in function.__closure__ or ():
        more += _named(cell.cell_contents, names)
    for name in names:
        if name in function.__globals__:
            text.append(name)
            more += _named(function.__globals__[name], names)
    return "\n".join(text), tuple(more)


def _named(value: Any, names: list[str]) -> list[Any]:
    """What a global stands for; of a module of ours those attributes that the code may ask for."""
    if isinstance(value, ModuleType) and _ours(value):
        asked = [name for name in names if hasattr(value, name)]
        return [value, *asked, *(getattr(value, name) for name in asked)]
    if isinstance(value, FunctionType) and _ours(value):
        # It may stand for an `overload` beside it.
        return [value, _text(value.__code__.co_filename)]
    return [value]


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A function's code and that of those inside it."""
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _codes(one)


def _spelt(code: CodeType) -> str:
    """Code without the place where it stands, and without its docstring."""
    consts = ["code" if isinstance(one, CodeType) else repr(one) for one in code.co_consts]
    if code.co_flags & 2 and consts and isinstance(code.co_consts[0], str):  # may be a docstring
        consts[0] = "text" if not _loads_first(code) else consts[0]
    parts = (code.co_code.hex(), code.co_names, code.co_varnames, code.co_argcount, consts)
    return repr((*parts, code.co_freevars, code.co_cellvars, code.co_flags))


def _loads_first(code: CodeType) -> bool:
    """Whether a code uses its first constant, which is then more than a docstring."""
    return any(step.opname == "LOAD_CONST" and step.arg == 0 for step in dis.get_instructions(code))


@cache
def _text(file: str) -> str:
    """The digest of a whole file; of none, where a function was typed in."""
    return _hash(Path(file).read_bytes()) if Path(file).is_file() else ""


def _home(thing: Any) -> str:
    """The digest of the file of a class of ours, or of the class of an object."""
    module = sys.modules[getattr(thing, "__module__", None) or type(thing).__module__]
    name = getattr(thing, "__qualname__", type(thing).__qualname__)
    return f"{name} {_text(str(module.__file__))}"


@cache
def _known(package: str) -> bool:
    """Whether a package is Python's or the compiler's own: its version stands for it."""
    return package in sys.stdlib_module_names or package in ("numpy", "numba", "llvmlite", "scipy")


def _ours(thing: Any) -> bool:
    """Whether something is of files that may change while the compiler does not."""
    name = thing.__name__ if isinstance(thing, ModuleType) else getattr(thing, "__module__", None)
    if not isinstance(name, str) or _known(name.partition(".")[0]):
        return False
    return getattr(sys.modules.get(name), "__file__", None) is not None


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
