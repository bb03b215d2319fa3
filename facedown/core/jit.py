"""Compilation: the only door to Numba, and the cache of what it made.

The cache folder's name is a digest of all that decides the machine code and that Numba's own index
does not notice: the sources that take part, Numba's version, the processor and the bounds-check
flag. Nothing else in facedown imports Numba except the kernels' intrinsics beside this file.
"""

from __future__ import annotations

import hashlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite.binding
import numba
from numba.core import config

F = TypeVar("F", bound=Callable[..., Any])
Listener = Callable[[str, float | None], None]

JIT = not config.DISABLE_JIT
"""False under NUMBA_DISABLE_JIT=1: every rule and kernel then runs as plain Python."""

PACKAGE = Path(__file__).resolve().parent.parent

_listener: Listener | None = None
_compiling = threading.RLock()  # the cache's folder is one setting for all threads


def on_compile(listener: Listener | None) -> None:
    """Have `listener(what, seconds)` told of each first compilation: None seconds as it starts."""
    global _listener
    _listener = listener


def jit(function: F) -> F:
    """A helper that rules and kernels may call; compiled into each of them, not cached alone."""
    return cast(F, numba.njit(nogil=True, error_model="numpy", forceinline=True)(function))


def cache_root() -> Path:
    """Where compiled code is kept: $FACEDOWN_CACHE, or the user's cache folder."""
    base = os.environ.get("FACEDOWN_CACHE")
    if base:
        return Path(base)
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "facedown"


def _digest(files: Iterable[Path]) -> str:
    flags = (numba.__version__, llvmlite.binding.get_host_cpu_name(), str(config.BOUNDSCHECK))
    digest = hashlib.sha256(repr((*flags, sys.version_info[:2])).encode())
    for file in sorted(files):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:20]


@cache
def _folder(sources: tuple[Path, ...]) -> Path:
    files = set((PACKAGE / "core").glob("*.py"))
    for source in sources:
        files |= set(source.glob("*.py")) if source.is_dir() else {source}
    return cache_root() / _digest(files)


@contextmanager
def _cached(sources: tuple[Path, ...]) -> Iterator[None]:
    """Numba's cache, within this block, in the folder that belongs to these sources."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(_folder(sources))
    try:
        yield
    finally:
        config.CACHE_DIR = before


@contextmanager
def _announced(what: str, fresh: Callable[[], bool]) -> Iterator[None]:
    """Tell the listener of `what` where it has to be compiled, before and after."""
    if _listener is None or not fresh():
        yield
        return
    _listener(what, None)
    began = time.perf_counter()
    yield
    _listener(what, time.perf_counter() - began)


def _absent(sources: tuple[Path, ...], name: str) -> bool:
    """Whether the cache folder has nothing for a function called `name` yet."""
    return not any(_folder(sources).glob(f"**/*.{name}-*.nbi"))


def native(function: Callable[..., Any], signature: Any, sources: tuple[Path, ...]) -> Any:
    """`function` as a C function (a Numba cfunc, which has `.address`), cached on disk.

    `sources` are the files or folders that take part in it beside facedown's core.
    """
    what = f"{sources[-1].name if sources else 'core'}: {function.__name__}"
    with (
        _compiling,
        _announced(what, lambda: _absent(sources, function.__qualname__)),
        _cached(sources),
    ):
        make = numba.cfunc(
            signature, cache=_cacheable(function), error_model="numpy", forceinline=True
        )
        return make(function)


def _cacheable(function: Callable[..., Any]) -> bool:
    """Numba caches what has a file and closes over nothing."""
    return function.__closure__ is None and Path(function.__code__.co_filename).is_file()


class Kernel:
    """A compiled loop with one explicit signature, compiled at its first call and cached on disk.

    It holds no GIL. Compiling late keeps imports fast, and lets a listener see it happen. The first
    of the `folders` is its home; a `loop` is a search of one kind, and others never enter it.
    """

    def __init__(
        self, function: Callable[..., Any], signature: Any, *folders: str, loop: bool = False
    ) -> None:
        self.function, self._signature = function, signature
        self.home, self.loop = folders[0], loop
        self._sources = tuple(PACKAGE / folder for folder in folders)
        self._compiled: Callable[..., Any] | None = None

    def ready(self) -> Callable[..., Any]:
        """The compiled function, compiled now where it has not been."""
        if self._compiled is None:
            with _compiling:
                self._compiled = self._compiled or self._compile()
        return self._compiled

    def __call__(self, *args: Any) -> Any:
        """Run it, compiled first where it has not been."""
        return self.ready()(*args)

    def _compile(self) -> Callable[..., Any]:
        if not JIT:
            return self.function
        name = self.function.__qualname__
        fresh = _announced(f"search: {name}", lambda: _absent(self._sources, name))
        with fresh, _cached(self._sources):
            compiled = numba.njit(self._signature, cache=True, nogil=True, error_model="numpy")(
                self.function
            )
        return cast(Callable[..., Any], compiled)


KERNELS: list[Kernel] = []
"""All that have been declared, in modules that are imported."""


def kernel(
    signature: Any, *folders: str, loop: bool = False
) -> Callable[[Callable[..., Any]], Kernel]:
    """Decorate a kernel; `folders` of the package hold the sources that it is compiled from."""

    def declare(function: Callable[..., Any]) -> Kernel:
        KERNELS.append(Kernel(function, signature, *folders, loop=loop))
        return KERNELS[-1]

    return declare


def make_ready(home: str, *loops: Kernel) -> None:
    """Have these loops, and every kernel of a folder that is none, compiled or loaded."""
    for part in (*loops, *(one for one in KERNELS if one.home == home and not one.loop)):
        part.ready()
