"""Functions made for a game from a template, with the game's own functions for its globals.

A made function lies, as far as Numba and tracebacks know, where the first function that it is made
of does, and has in its name a digest of all that it was made of: names in machine code must differ
where the code does.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import CodeType, FunctionType
from typing import Any

from facedown.core.reach import digest


def make(template: CodeType, name: str, names: Mapping[str, Any], *, of: Any) -> FunctionType:
    """The template's code as a function with these globals, made of the function `of`."""
    home = plain(of)
    code = template.replace(co_filename=home.__code__.co_filename, co_name=name, co_qualname=name)
    globals_ = {**names, "__name__": home.__module__}
    made = FunctionType(code, globals_, name)
    return FunctionType(code.replace(co_qualname=f"{name}_{digest(made)}"), globals_, name)


def plain(function: Any) -> FunctionType:
    """A function as it was before it was compiled."""
    found: FunctionType = getattr(function, "py_func", function)
    return found
