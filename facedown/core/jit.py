"""Compilation: the only door to Numba, and the cache of what it made.

What is compiled is kept on disk (`core.compile_cache`) by a digest of all that it is made of
(`core.reach`). Nothing else in facedown imports Numba except the kernels' intrinsics beside this
file.
"""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from llvmlite.binding import ffi
from numba.core import config
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import NumbaError, NumbaExperimentalFeatureWarning
from numba.core.registry import CPUDispatcher

from facedown.core import compile_cache as kept
from facedown.core import shipped
from facedown.core.compile_cache import cache_root
from facedown.core.errors import FacedownError
from facedown.core.parts import PartCompiler, WholeCompiler

__all__ = ["JIT", "KERNELS", "PACKAGE", "Kernel", "cache_root", "jit", "kernel", "make_ready"]
__all__ += ["NotCompiledError", "from_disk_only", "native", "on_compile"]

F = TypeVar("F", bound=Callable[..., Any])
Listener = Callable[[str, float | None], None]

JIT = not config.DISABLE_JIT
"""False under NUMBA_DISABLE_JIT=1: every rule and kernel then runs as plain Python."""

PACKAGE = Path(__file__).resolve().parent.parent
HELPER = {"error_model": "numpy", "forceinline": True, "nogil": True}
RULE = {"error_model": "numpy", "forceinline": True, "pipeline_class": WholeCompiler}
LOOP = {"error_model": "numpy", "nogil": True, "pipeline_class": WholeCompiler}
PART = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": PartCompiler}

_listener: Listener | None = None
_compiling = threading.RLock()  # the cache's folder is one setting for all threads
_loaded: dict[Path, Any] = {}  # by its place: a game that is loaded again is not linked again
_LOCKS = (ffi.lib._lock._lock, global_compiler_lock._lock)
_thread = threading.local()


class NotCompiledError(FacedownError):
    """Something is not on disk yet, where nothing is to be compiled."""


@contextmanager
def from_disk_only() -> Iterator[None]:
    """Within this block, in this thread, nothing is compiled: NotCompiledError where it had to be.

    Compiling takes a minute, and all other threads wait for its locks meanwhile.
    """
    before, _thread.from_disk = getattr(_thread, "from_disk", False), True
    try:
        yield
    finally:
        _thread.from_disk = before


def on_compile(listener: Listener | None) -> None:
    """Have `listener(what, seconds)` told of each first compilation: None seconds as it starts."""
    global _listener
    _listener = listener


class Helper(CPUDispatcher):  # type: ignore[misc]  # Numba has no types
    """A compiled function for compiled functions: Python calls another one, made when it does.

    What lets Python call a compiled function takes a quarter of the time to compile it.
    """

    def __call__(self, *args: Any) -> Any:
        """Call it from Python."""
        if not hasattr(self, "outer"):
            self.outer = numba.njit(**HELPER, pipeline_class=WholeCompiler)(self.py_func)
        return self.outer(*args)


def jit(function: F) -> F:
    """A helper that rules and kernels may call; compiled into each of them, not cached alone."""
    made = numba.njit(**PART, **HELPER)(function)
    if JIT:
        made.__class__ = Helper
    return cast(F, made)


@contextmanager
def _announced(what: str) -> Iterator[None]:
    """Tell the listener of `what`, which is compiled here, before and after."""
    if _listener is None:
        yield
        return
    _listener(what, None)
    began = time.perf_counter()
    yield
    _listener(what, time.perf_counter() - began)


@contextmanager
def _unremarked() -> Iterator[None]:
    """Without Numba's remark on a helper that it takes over for a record with further fields.

    So it is where a game is another with a wider state: what both have lies at the same places.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", ".* considered a subtype of", NumbaExperimentalFeatureWarning
        )
        yield


@contextmanager
def _given_back() -> Iterator[None]:
    """Whatever breaks off compiling, a clock or Ctrl-C, leaves no lock of the compiler's taken.

    They are taken in Python, and an exception may land before the `with` that would give them back:
    the thread would hold them for ever, and every other one wait for ever.
    """
    free = [lock for lock in _LOCKS if not lock._is_owned()]
    try:
        yield
    except BaseException:
        for lock in free:
            while lock._is_owned():
                lock.release()
        raise


def _made(what: str, function: Callable[..., Any], form: Any, make: Callable[[bool], Any]) -> Any:
    """What `make(cached)` compiles of a function, in this form; from the disk where it is there."""
    with _compiling, _given_back(), _unremarked():
        place, module = kept.place_of(function, form), function.__globals__["__name__"]
        if place not in _loaded:
            found, lent = _found(place, module, make), None
            if found is None:
                lent = shipped.place_of(function, form)
            if lent is not None:
                found = _read(shipped.lending(lent, module), make)
            _loaded[place] = _compiled(what, place, module, make) if found is None else found
        return _loaded[place]


def _compiled(what: str, place: Path, module: str, make: Callable[[bool], Any]) -> Any:
    """What `make` compiles now, and keeps at its place; or another process does meanwhile."""
    if getattr(_thread, "from_disk", False):
        raise NotCompiledError(f"{what} is not compiled yet")
    with _announced(what), kept.in_turn(place):
        if (found := _found(place, module, make)) is not None:
            return found
        with kept.writing(place, module) as cached:
            return make(cached)


def _found(place: Path, module: str, make: Callable[[bool], Any]) -> Any:
    """What `make` finds in the user's cache; None where it finds nothing."""
    if not kept.is_whole(place):
        return None
    found = _read(kept.reading(place, module), make)
    if found is None:
        kept.discard(place, "cannot be read")
    return found


def _read(reading: AbstractContextManager[None], make: Callable[[bool], Any]) -> Any:
    """What `make` finds in a folder that is read; None where it cannot be read."""
    try:
        with reading:
            return make(True)
    except NumbaError:
        raise
    except Exception:  # whatever unpickling may raise
        return None


def native(function: Callable[..., Any], signature: Any) -> Any:
    """`function` as a C function (a Numba cfunc, which has `.address`), cached on disk."""

    def make(cached: bool) -> Any:
        return numba.cfunc(signature, cache=cached, **RULE)(function)

    what = f"{_home(function)}: {function.__name__}"
    return _made(what, function, (str(signature), "rule"), make)


def _home(function: Callable[..., Any]) -> str:
    """The game, the part of the package or the file of one's own that a rule is of."""
    package, *inner = function.__globals__["__name__"].split(".")
    if package != "facedown" or not inner:
        return str(([package, *inner])[-1])
    return str(inner[1] if inner[0] == "games" and len(inner) > 1 else inner[0])


class Kernel:
    """A compiled loop with one explicit signature, compiled at its first call and cached on disk.

    It holds no GIL. Compiling late keeps imports fast, and lets a listener see it happen. `home` is
    the folder that it belongs to; a `loop` is a search of one kind, and others never enter it.
    """

    def __init__(
        self, function: Callable[..., Any], signature: Any, home: str, loop: bool = False
    ) -> None:
        self.function, self._signature = function, signature
        self.home, self.loop = home, loop
        self.compiled: Callable[..., Any] | None = None

    def ready(self) -> Callable[..., Any]:
        """The compiled function, compiled now where it has not been."""
        if self.compiled is None:
            with _compiling:
                self.compiled = self.compiled or self.compile()
        return self.compiled

    def __call__(self, *args: Any) -> Any:
        """Run it, compiled first where it has not been."""
        return self.ready()(*args)

    @property
    def known(self) -> bool:
        """Whether nothing is left to compile: it is ready, or on disk, or runs as plain Python."""
        if not JIT or self.compiled is not None:
            return True
        form = (str(self._signature), "loop")
        if kept.is_whole(kept.place_of(self.function, form)):
            return True
        return shipped.place_of(self.function, form) is not None

    def compile(self) -> Callable[..., Any]:
        """Compile it, or load it from the cache; `ready` keeps it as `compiled`."""
        if not JIT:
            return self.function

        def make(cached: bool) -> Any:
            return numba.njit(self._signature, cache=cached, **LOOP)(self.function)

        what = f"search: {self.function.__name__}"
        compiled = _made(what, self.function, (str(self._signature), "loop"), make)
        return cast(Callable[..., Any], compiled)


KERNELS: list[Kernel] = []
"""All that have been declared, in modules that are imported."""


def kernel(
    signature: Any, home: str, *, loop: bool = False
) -> Callable[[Callable[..., Any]], Kernel]:
    """Decorate a kernel of a folder of the package."""

    def declare(function: Callable[..., Any]) -> Kernel:
        KERNELS.append(Kernel(function, signature, home, loop))
        return KERNELS[-1]

    return declare


def make_ready(home: str, *loops: Kernel) -> None:
    """Have these loops, and every kernel of a folder that is none, compiled or loaded.

    The loops come last: another process may be compiling them meanwhile.
    """
    for part in (*(one for one in KERNELS if one.home == home and not one.loop), *loops):
        part.ready()
