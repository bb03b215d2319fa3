"""Bandits: the score of a move from its statistics; the search plays the highest.

Each is a small function of eight numbers: `visits` of the move, the `mean` and `variance` of its
payoffs, how often it was `available` and the logarithm of that, the `total` visits of the moves
legal here, its `prior`, and the constant `c`. Payoffs are scaled to [0, 1] unless the recipe says
otherwise. A user's own bandit is such a function too.
"""

from __future__ import annotations

import ctypes
import dis
import inspect
import math
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from facedown.core.errors import BanditError, SpecError
from facedown.core.jit import JIT, jit, native
from facedown.core.rules import BANDIT, call_bandit, ticket
from facedown.core.specs import load_module


def ucb1(
    visits: float,
    mean: float,
    variance: float,
    available: float,
    log_available: float,
    total: float,
    prior: float,
    c: float,
) -> float:
    """UCB1 with availability counts in place of the parent's visits (Cowling et al. 2012)."""
    if visits == 0.0:
        return math.inf
    return mean + c * math.sqrt(log_available / visits)


def ucb_tuned(
    visits: float,
    mean: float,
    variance: float,
    available: float,
    log_available: float,
    total: float,
    prior: float,
    c: float,
) -> float:
    """UCB1-Tuned (Auer et al. 2002): explores by the variance seen; for payoffs in [0, 1]."""
    if visits == 0.0:
        return math.inf
    rate = log_available / visits
    bound = 0.25
    if rate < 1 / 32:  # else the square root alone reaches the bound, and is not worth taking
        bound = min(bound, variance + math.sqrt(2.0 * rate))
    return mean + c * math.sqrt(rate * bound)


def puct(
    visits: float,
    mean: float,
    variance: float,
    available: float,
    log_available: float,
    total: float,
    prior: float,
    c: float,
) -> float:
    """PUCT with priors: Q + c P sqrt(sum of the other moves' visits) / (1 + N)."""
    return mean + c * prior * math.sqrt(total - visits) / (1.0 + visits)


def prior_first(
    visits: float,
    mean: float,
    variance: float,
    available: float,
    log_available: float,
    total: float,
    prior: float,
    c: float,
) -> float:
    """Q + c P sqrt(1 + N of all moves) / (1 + N): PUCT that tries the likeliest move first.

    With PUCT all moves are equal where none was tried, as at most nodes of others whose legal moves
    differ from world to world. A move that was not tried has Q = 0: best with payoffs around 0.
    """
    return mean + c * prior * math.sqrt(1.0 + total) / (1.0 + visits)


def uniform(
    visits: float,
    mean: float,
    variance: float,
    available: float,
    log_available: float,
    total: float,
    prior: float,
    c: float,
) -> float:
    """Every move as often as any other: flat Monte Carlo."""
    return -visits


BANDITS: dict[str, Callable[..., float]] = {
    "ucb1": ucb1,
    "ucb-tuned": ucb_tuned,
    "puct": puct,
    "uniform": uniform,
    "prior-first": prior_first,
}
UCB1, UCB_TUNED, PUCT, UNIFORM, PRIOR_FIRST = -1, -2, -3, -4, -5
"""How ours stand on the desk; a user's by its address."""

_ucb1, _ucb_tuned, _puct, _uniform, _prior_first = (jit(function) for function in BANDITS.values())


@jit
def score(
    bandit: int,
    visits: float,
    mean: float,
    variance: float,
    available: float,
    log_available: float,
    total: float,
    prior: float,
    c: float,
) -> float:
    """The score of a move by the bandit: one of ours, or the address of a user's.

    Ours are compiled into the search, for in small games they are a good part of the work.
    """
    if bandit == UCB1:
        return _ucb1(visits, mean, variance, available, log_available, total, prior, c)
    if bandit == UCB_TUNED:
        return _ucb_tuned(visits, mean, variance, available, log_available, total, prior, c)
    if bandit == PUCT:
        return _puct(visits, mean, variance, available, log_available, total, prior, c)
    if bandit == PRIOR_FIRST:
        return _prior_first(visits, mean, variance, available, log_available, total, prior, c)
    if bandit == UNIFORM:
        return _uniform(visits, mean, variance, available, log_available, total, prior, c)
    return call_bandit(bandit, visits, mean, variance, available, log_available, total, prior, c)


_kept: list[Any] = []  # callbacks live as long as the process: a search may hold their address
_raised: list[BaseException] = []  # by a user's bandit in plain Python, while compiled code ran


@cache
def bandit_number(name: str) -> int:
    """What stands for a bandit on the desk: a name above, or a user's `path/file.py:function`."""
    if name in BANDITS:
        return -1 - list(BANDITS).index(name)
    path, mark, function = name.partition(".py:")
    if not mark:
        raise SpecError(f"no bandit {name!r}; one of {', '.join(BANDITS)}, or file.py:function")
    file = Path(path + ".py")
    if not file.is_file():
        raise SpecError(f"there is no file {file}")
    found = getattr(load_module(file), function, None)
    if not callable(found):
        raise SpecError(f"{file} has no function {function!r}")
    if len(inspect.signature(found).parameters) != len(BANDIT.takes):
        wanted = ", ".join(inspect.signature(ucb1).parameters)
        raise SpecError(f"a bandit takes {wanted}; {function} of {file} does not")
    return _address(found, (file.resolve(),))


def _address(function: Callable[..., float], sources: tuple[Path, ...]) -> int:
    if not JIT:
        return ticket(_guarded(function))
    try:
        if not _raises(function):  # an exception cannot leave compiled code
            compiled = native(function, BANDIT.signature, sources)
            _kept.append(compiled)
            return int(compiled.address)
    except Exception as error:  # whatever Numba cannot compile runs as plain Python
        if not _is_numba(error):
            raise
    callback = BANDIT.callback(_guarded(function))
    _kept.append(callback)
    return ctypes.cast(callback, ctypes.c_void_p).value or 0


def _raises(function: Callable[..., float]) -> bool:
    return any(step.opname == "RAISE_VARARGS" for step in dis.get_instructions(function))


def _guarded(function: Callable[..., float]) -> Callable[..., float]:
    """A bandit in plain Python, which compiled code calls: what it raises is kept."""

    def call(*numbers: float) -> float:
        try:
            return float(function(*numbers))
        except BaseException as error:
            _raised.append(error)
            return math.nan

    return call


def raise_bandit_error() -> None:
    """Raise what a user's bandit raised while compiled code ran, if anything."""
    if not _raised:
        return
    error = _raised[0]
    _raised.clear()
    if not isinstance(error, Exception):
        raise error
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{frames[-1].filename}:{frames[-1].lineno}"
    what = f"the bandit raised {type(error).__name__}: {error} ({place})"
    raise BanditError(what, rule="bandit") from error


def _is_numba(error: Exception) -> bool:
    return type(error).__module__.startswith("numba.")
