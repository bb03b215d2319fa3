"""What is said of a plain class that is no game: what is wrong, where, and what would be right."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable
from itertools import islice
from typing import Any

from facedown.core.errors import RuleError
from facedown.core.game import check_sizes
from facedown.core.rules import REQUIRED

_TAKES = {
    "start": "",
    "turn": "s",
    "legal": "s",
    "apply": "s, move",
    "sees": "s, move, viewer",
    "payoff": "s",
    "hide": "s, viewer",
    "infoset": "s, viewer",
    "copy": "s",
    "weights": "s",
    "draw": "s, stream",
    "world": "s, viewer, k",
    "secret": "s, viewer",
}
"""What methods are called with, those apart that have a memo in some games."""

_SAID = {"players": "players = 2, say,", "bounds": "bounds = (lowest payoff, highest payoff)"}


def check_class(definition: Any) -> None:
    """RuleError where what every game has is missing, or a method cannot be called."""
    name = type(definition).__name__
    missing = [one for one in ("players", "bounds", *REQUIRED) if not hasattr(definition, one)]
    if missing:
        wanted = " and ".join(_SAID.get(one) or _defined(one) for one in missing)
        raise RuleError(f"{name} has no {', '.join(missing)}; {wanted} is wanted")
    for rule, takes in _TAKES.items():
        method = getattr(definition, rule, None)
        asked = method is not None or rule in REQUIRED
        if asked and (why := _refused(method, takes)):
            what = f"{name}.{rule} {why}; {_defined(rule)} is wanted"
            raise RuleError(what + _place(method), rule=rule)


def _defined(rule: str) -> str:
    takes = _TAKES[rule]
    return f"def {rule}(self, {takes})" if takes else f"def {rule}(self)"


def _refused(method: Any, takes: str) -> str:
    """Why a method cannot be called with so many values; nothing where it can."""
    if not callable(method):
        return "is no method"
    try:
        inspect.signature(method).bind(*takes.split(", ") if takes else ())
    except TypeError as error:
        return f"cannot be called with ({takes}): {error}"
    except ValueError:  # a builtin, which says nothing of what it takes
        pass
    return ""


def _place(method: Any) -> str:
    code = getattr(getattr(method, "__func__", method), "__code__", None)
    return f" ({code.co_filename}:{code.co_firstlineno})" if code else ""


def listed(moves: Any, most: int) -> list[Any]:
    """What `legal` gave as a list, where it is another thing that has moves in an order.

    Of more than `most` moves there is one more than that, for some give moves without end.
    """
    if isinstance(moves, set | frozenset):
        what = "legal gave a set, whose order is another in another run; a list is wanted"
        raise RuleError(what, rule="legal")
    if moves is None or isinstance(moves, str | bytes) or not hasattr(moves, "__iter__"):
        raise RuleError(f"legal gave {moves!r:.60}; a list of moves is wanted", rule="legal")
    return list(islice(moves, most + 1))


def numbered(moves: list[Any], number: Callable[[Any], int]) -> list[int]:
    """The numbers of moves, some of which are new; RuleError for one that cannot have any."""
    for move in moves:
        try:
            hash(move)
        except TypeError as error:
            what = f"legal gave the move {move!r:.60}, which keys no dict ({error})"
            raise RuleError(f"{what}; a tuple or a text, say, is wanted", rule="legal") from None
    return [number(move) for move in moves]


def after(result: Any) -> Any:
    """The position that `apply` or `hide` gave; RuleError for what a comparison gives."""
    if result is True or result is False:
        what = f"a rule that changes a position gave {result}"
        raise RuleError(f"{what}; the new position is wanted, or nothing where it was changed")
    return result


def check_payoffs(payoffs: Any, players: int) -> None:
    """RuleError where these are not as many numbers as there are players."""
    if not hasattr(payoffs, "__len__") or isinstance(payoffs, str):
        wanted = f"a number for each of {players} players is wanted"
        raise RuleError(f"payoff gave {payoffs!r:.60}; {wanted}", rule="payoff")
    if len(payoffs) != players:
        raise RuleError(f"{len(payoffs)} payoffs given, {players} wanted", rule="payoff")
    for payoff in payoffs:
        if not hasattr(payoff, "__float__"):
            raise RuleError(f"payoff gave {payoff!r:.60}; a number is wanted", rule="payoff")


def whole(turn: Any) -> int:
    """What `turn` gave as an integer, which compiled code wants; RuleError where it is none."""
    try:
        return operator.index(turn)
    except TypeError:
        what = f"turn gave {turn!r:.60}; a player's number, CHANCE or OVER is wanted"
        raise RuleError(what, rule="turn") from None


def bounds_of(definition: Any) -> tuple[float, float]:
    """The lowest and the highest payoff; RuleError where `bounds` are not these."""
    try:
        low, high = (float(bound) for bound in definition.bounds)
    except (TypeError, ValueError, OverflowError):
        what = f"bounds is {definition.bounds!r:.60}; the lowest and the highest payoff are wanted"
        raise RuleError(what) from None
    return low, high


def size_of(definition: Any, name: str, default: int) -> int:
    """A number that a game says of itself; RuleError where that is none."""
    given = getattr(definition, name, default)
    try:
        size = int(given)
        whole_number = isinstance(given, str) or size == given
    except (TypeError, ValueError, OverflowError):
        whole_number = False
    if not whole_number:
        raise RuleError(f"{name} is {given!r:.60}; a whole number is wanted")
    check_sizes(**{name: size})
    return size
