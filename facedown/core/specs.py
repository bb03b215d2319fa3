"""Specs: `name:key=value,key=value`, or `path/to/file.py:ClassName:key=value` for a user's own."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import os
import sys
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

from facedown.core.errors import SpecError
from facedown.shown import clipped, shown

_WORD = 1 << 63
_LONGEST, _DIGITS = 4000, 400  # characters of a spec, and of a number in one

PROGRAM = "program"
"""The name of agents that are programs of their own, in any language: `program:COMMAND`."""


@dataclass(frozen=True)
class Spec:
    """A parsed spec: a registered name, or a file and a class in it; and the options as given."""

    text: str
    name: str
    file: Path | None
    options: Mapping[str, str]


def parse(text: str) -> Spec:
    """Read a spec; SpecError says what is wrong with it.

    What follows `program:` is a command line, and no options.

    >>> parse("so-ismcts:iterations=10000,c=2.0").options["c"]
    '2.0'
    >>> parse("mine.py:Kuhn").file.name
    'mine.py'
    >>> parse("program:./bot --fast").options["command"]
    './bot --fast'
    """
    if len(text) > _LONGEST or shown(text) != text or "\n" in text:
        wanted = f"up to {_LONGEST} characters that can be seen are wanted"
        raise SpecError(f"{clipped(ascii(text), 120)} is no spec: {wanted}")
    head, dot, rest = text.partition(".py:")
    if text.startswith(f"{PROGRAM}:"):
        return Spec(text, PROGRAM, None, {"command": text[len(PROGRAM) + 1 :]})
    if dot and "=" not in head:
        name, _, options = rest.partition(":")
        return Spec(text, name, Path(head + ".py"), _options(text, options))
    name, _, options = text.partition(":")
    if not name:
        raise SpecError(f"{text!r} has no name; a spec is name or name:key=value,key=value")
    return Spec(text, name, None, _options(text, options))


def _options(spec: str, text: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key or not value:
            raise SpecError(f"{part!r} in {spec!r} is not key=value")
        if key in options:
            raise SpecError(f"{key} is given twice in {spec!r}")
        options[key] = value
    return options


def load_class(spec: Spec) -> type[Any]:
    """The class that a spec with a file names."""
    assert spec.file is not None
    if not os.path.isfile(spec.file):
        raise SpecError(f"there is no file {spec.file}")
    found = getattr(load_module(spec.file), spec.name, None)
    if not isinstance(found, type):
        raise SpecError(f"{spec.file} has no class {spec.name!r}")
    return found


def load_module(file: Path) -> types.ModuleType:
    """A user's file as a module; its folder can be imported from, as with `python file.py`."""
    path = file.resolve()
    stamp = hashlib.sha256(str(path).encode()).hexdigest()[:12]  # the compile cache knows the name
    name = f"facedown_user_{path.stem}_{stamp}"
    if name in sys.modules:
        return sys.modules[name]
    made = importlib.util.spec_from_file_location(name, path)
    if made is None or made.loader is None:
        raise SpecError(f"{file} is not a Python file")
    module = importlib.util.module_from_spec(made)
    sys.modules[name] = module
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    try:
        made.loader.exec_module(module)
    except KeyboardInterrupt:
        del sys.modules[name]
        raise
    except BaseException as error:  # it may leave by sys.exit, too
        del sys.modules[name]
        raise SpecError(f"{file} does not load: {told(error)}") from error
    return module


def told(error: BaseException) -> str:
    """An error of somebody's code in words: its type and its text, if that can be had."""
    try:
        words = clipped(" ".join(str(error).split()), 300)
    except Exception:
        words = "its text raised an error itself"
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def arguments(
    maker: Callable[..., Any],
    spec: Spec,
    *,
    skip: int = 0,
    options: Mapping[str, inspect.Parameter] | None = None,
) -> dict[str, Any]:
    """The spec's options as keyword arguments of `maker`, converted by its annotations.

    The first `skip` parameters are not options. `options` are what is allowed, where that is not
    the parameters of `maker`. SpecError lists it.
    """
    own = options_of(maker, skip=skip)
    allowed = own if options is None else options
    given = {}
    for key, text in spec.options.items():
        if key not in allowed:
            known = ", ".join(allowed) or "none"
            raise SpecError(f"{spec.name} has no option {key!r}; its options: {known}")
        given[key] = _convert(spec, key, text, allowed[key].annotation)
    try:
        plain = {key: value for key, value in given.items() if key in own}
        inspect.signature(maker).bind(*range(skip), **plain)
    except TypeError as error:
        raise SpecError(f"{spec.name} cannot be made from {spec.text!r}: {error}") from None
    return given


def options_of(maker: Callable[..., Any], *, skip: int = 0) -> dict[str, inspect.Parameter]:
    """The parameters of `maker` that a spec can set, with their annotations resolved."""
    return _options_of(maker, skip)


@cache
def _options_of(maker: Any, skip: int) -> dict[str, inspect.Parameter]:
    signature = inspect.signature(maker, eval_str=True)
    named = [
        parameter
        for parameter in signature.parameters.values()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    ]
    return {parameter.name: parameter for parameter in named[skip:]}


def _number(kind: type[Any], text: str) -> Any:
    """A number of a spec; ValueError where it is none, or none that a machine's word holds."""
    if len(text) > _DIGITS:
        raise ValueError
    value = kind(text.replace("_", ""))
    if value != value or (kind is int and not -_WORD <= value < _WORD):
        raise ValueError
    return value


_WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def _convert(spec: Spec, key: str, text: str, wanted: Any) -> Any:
    if {bool, str} <= set(typing.get_args(wanted)):  # of a rule: whether, or which variant of it
        return _WORDS.get(text.lower(), text)
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        wanted = typing.Literal[tuple(one.name.lower() for one in wanted)]
    kind = wanted
    if typing.get_origin(wanted) is not typing.Literal:  # of `int | None` the int
        kind = next((k for k in typing.get_args(wanted) if k is not type(None)), wanted)
    if typing.get_origin(kind) is typing.Literal:
        choices = typing.get_args(kind)
        if text in choices:
            return text
        raise SpecError(f"{key}={text} in {spec.name}: one of {', '.join(map(str, choices))}")
    try:
        if kind is bool:
            return _WORDS[text.lower()]
        if kind in (int, float):
            return _number(kind, text)
    except (ValueError, KeyError):
        whole = "a whole number" + (f" below {_WORD:,}" if text.strip("+-_").isdecimal() else "")
        names = {bool: "true or false", int: whole, float: "a number"}
        given = clipped(text, 60)
        raise SpecError(f"{key}={given} in {spec.name}: {names[kind]} is wanted") from None
    return text
