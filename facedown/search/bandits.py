"""Bandits: the score of a move from its statistics; the search plays the highest.

Each is a small function of `Statistics`. Payoffs are scaled to [0, 1] unless the recipe says
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
from typing import Any, NamedTuple

from facedown.core.errors import BanditError, SpecError
from facedown.core.jit import JIT, jit, native
from facedown.core.made import make
from facedown.core.rules import Rule, caller, ticket
from facedown.core.specs import load_module


class Statistics(NamedTuple):
    """What a bandit knows of a move that is legal here."""

    visits: float  # of the move
    mean: float  # of its payoffs
    variance: float
    available: float  # how often the move could have been played here
    log_available: float  # the logarithm of that, taken once for all moves that share it
    total: float  # visits of all the moves that are legal here
    node_visits: float  # of this node, whichever moves were legal then
    log_node_visits: float  # the logarithm of that, taken once for all moves
    prior: float
    c: float  # the constant of the recipe


def ucb1(move: Statistics) -> float:
    """UCB1 with availability counts in place of the parent's visits (Cowling et al. 2012)."""
    if move.visits == 0.0:
        return math.inf
    return move.mean + move.c * math.sqrt(move.log_available / move.visits)


def uct(move: Statistics) -> float:
    """UCB1 with the visits of the node, as UCT has it (Kocsis and Szepesvári 2006).

    So have it Kelly (2017, Algorithm 1) and Bitan and Kraus (2017, Algorithm 3).
    """
    if move.visits == 0.0:
        return math.inf
    return move.mean + move.c * math.sqrt(move.log_node_visits / move.visits)


def ucb_tuned(move: Statistics) -> float:
    """UCB1-Tuned (Auer et al. 2002): explores by the variance seen; for payoffs in [0, 1]."""
    if move.visits == 0.0:
        return math.inf
    rate = move.log_available / move.visits
    bound = 0.25
    if rate < 1 / 32:  # else the square root alone reaches the bound, and is not worth taking
        bound = min(bound, move.variance + math.sqrt(2.0 * rate))
    return move.mean + move.c * math.sqrt(rate * bound)


def puct(move: Statistics) -> float:
    """PUCT with priors: Q + c P sqrt(sum of the other moves' visits) / (1 + N)."""
    others = math.sqrt(move.total - move.visits)
    return move.mean + move.c * move.prior * others / (1.0 + move.visits)


def puct_printed(move: Statistics) -> float:
    """PUCT as Dobre and Lascarides (2018) print it: Q + c P sqrt(others' visits / (1 + N)).

    Equations 3 and 4 have 1 + N under the root; the paper's program does not (`puct`).
    """
    others = (move.total - move.visits) / (1.0 + move.visits)
    return move.mean + move.c * move.prior * math.sqrt(others)


def prior_first(move: Statistics) -> float:
    """Q + c P sqrt(1 + N of all moves) / (1 + N): PUCT that tries the likeliest move first.

    With PUCT all moves are equal where none was tried, as at most nodes of others whose legal moves
    differ from world to world. A move that was not tried has Q = 0: best with payoffs around 0.
    """
    return move.mean + move.c * move.prior * math.sqrt(1.0 + move.total) / (1.0 + move.visits)


def uniform(move: Statistics) -> float:
    """Every move as often as any other: flat Monte Carlo."""
    return -move.visits


BANDITS: dict[str, Callable[..., float]] = {
    "ucb1": ucb1,
    "ucb-tuned": ucb_tuned,
    "puct": puct,
    "uniform": uniform,
    "prior-first": prior_first,
    "puct-printed": puct_printed,
    "uct": uct,
}
UCB1, UCB_TUNED, PUCT, UNIFORM, PRIOR_FIRST, PUCT_PRINTED, UCT = range(-1, -8, -1)
"""How ours stand in the state of a search; a user's by its address."""

_ucb1, _ucb_tuned, _puct, _uniform, _prior_first, _puct_printed, _uct = (
    jit(function) for function in BANDITS.values()
)

BANDIT = Rule("bandit", 0, "real", ("real",) * len(Statistics._fields))
"""A user's bandit as compiled code calls it: the statistics, one by one."""

_call = caller(BANDIT)


@jit
def score(bandit: int, move: Statistics) -> float:
    """The score of a move by the bandit: one of ours, or the address of a user's.

    Ours are compiled into the search, for in small games they are a good part of the work.
    """
    if bandit == UCB1:
        return _ucb1(move)
    if bandit == UCB_TUNED:
        return _ucb_tuned(move)
    if bandit == PUCT:
        return _puct(move)
    if bandit == PRIOR_FIRST:
        return _prior_first(move)
    if bandit == UNIFORM:
        return _uniform(move)
    if bandit == PUCT_PRINTED:
        return _puct_printed(move)
    if bandit == UCT:
        return _uct(move)
    return _call(bandit, *move[:])  # type: ignore[no-any-return]


bandit: Any = _uniform  # a user's own, when a function is made from what follows


def scored(
    visits: float,
    mean: float,
    variance: float,
    available: float,
    log_available: float,
    total: float,
    node_visits: float,
    log_node_visits: float,
    prior: float,
    c: float,
) -> float:
    """A user's bandit as C calls it: the template that its function is made from."""
    return bandit(  # type: ignore[no-any-return]
        Statistics(
            visits, mean, variance, available, log_available, total,
            node_visits, log_node_visits, prior, c,
        )
    )  # fmt: skip


_kept: list[Any] = []  # callbacks live as long as the process: a search may hold their address
_raised: list[BaseException] = []  # by a user's bandit in plain Python, while compiled code ran


@cache
def bandit_number(name: str) -> int:
    """What stands for a bandit in a state: a name above, or a user's `path/file.py:function`."""
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
    if len(inspect.signature(found).parameters) != 1:
        wanted = ", ".join(Statistics._fields)
        what = f"a bandit takes one argument, a move's statistics ({wanted})"
        raise SpecError(f"{what}; {function} of {file} does not")
    return _address(found)


def _address(function: Callable[..., float]) -> int:
    if not JIT:
        return ticket(_guarded(function))
    try:
        if not _raises(function):  # an exception cannot leave compiled code
            compiled = native(_made(function), BANDIT.signature)
            _kept.append(compiled)
            return int(compiled.address)
    except Exception as error:  # whatever Numba cannot compile runs as plain Python
        if not _is_numba(error):
            raise
    callback = BANDIT.callback(_guarded(function))
    _kept.append(callback)
    return ctypes.cast(callback, ctypes.c_void_p).value or 0


def _made(function: Callable[..., float]) -> Callable[..., float]:
    """A user's bandit in C, made from the template."""
    names = {**globals(), "bandit": jit(function)}
    return make(scored.__code__, "bandit", names, of=function)


def _raises(function: Callable[..., float]) -> bool:
    return any(step.opname == "RAISE_VARARGS" for step in dis.get_instructions(function))


def _guarded(function: Callable[..., float]) -> Callable[..., float]:
    """A bandit in plain Python, which compiled code calls: what it raises is kept."""

    def call(*numbers: float) -> float:
        try:
            return float(function(Statistics(*numbers)))
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
