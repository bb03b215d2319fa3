"""Functions made for a game from a template, with the game's own functions for its globals.

Numba compiles and caches a function by its file, its name and its code, and does not look at what
its globals are. So a made function lies, as far as Numba knows, where the first function that it is
made of does, and has in its name a digest of all that it was made of.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from facedown.core.jit import PACKAGE


def make(
    template: CodeType,
    name: str,
    names: Mapping[str, Any],
    *,
    of: Mapping[str, Any],
    kinds: Iterable[Any] = (),
) -> FunctionType:
    """The template's code as a function with these globals.

    `of` are the functions that it is made of, `kinds` what else tells it from others like it.
    """
    functions = {key: plain(one) for key, one in of.items()}
    first = next(iter(functions.values()))
    known = all(map(_at_home, functions.values()))  # else it has no file, and is not cached
    code = template.replace(
        co_filename=first.__code__.co_filename if known else "<made>",
        co_name=name,
        co_qualname=f"{name}_{_digest(functions, kinds)}",
    )
    return FunctionType(code, {**names, "__name__": first.__module__}, name)


def plain(function: Any) -> FunctionType:
    """A function as it was before it was compiled."""
    found: FunctionType = getattr(function, "py_func", function)
    return found


def folders(functions: Iterable[Any]) -> list[Path]:
    """Where the functions' own files lie, with all that they may call: folders of the package."""
    files = {Path(plain(one).__code__.co_filename).resolve() for one in functions}
    return sorted({file.parent for file in files if file.is_relative_to(PACKAGE)})


def _digest(functions: Mapping[str, FunctionType], kinds: Iterable[Any]) -> str:
    """What tells a made function from those of other functions that lie in the same files."""
    parts = [(name, _spelt(one.__code__), one.__defaults__) for name, one in functions.items()]
    text = repr((sorted(parts), [repr(kind) for kind in kinds]))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _spelt(code: CodeType) -> tuple[Any, ...]:
    """Code as what can be compared from process to process."""
    consts = [_spelt(one) if isinstance(one, CodeType) else repr(one) for one in code.co_consts]
    place = (code.co_filename, code.co_firstlineno, code.co_qualname)
    return (*place, code.co_code, code.co_names, *consts)


def _at_home(function: FunctionType) -> bool:
    """Whether a function is as its file says: it closes over nothing, its globals are there."""
    home = sys.modules.get(function.__module__)
    bare = function.__closure__ is None and Path(function.__code__.co_filename).is_file()
    return bare and home is not None and function.__globals__ is vars(home)
