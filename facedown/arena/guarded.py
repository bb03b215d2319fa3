"""An agent at the table, kept at arm's length: what it is handed, its time and its faults."""

from __future__ import annotations

import math
import operator
import time
import traceback
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from facedown.arena.clock import Overrun, limited
from facedown.arena.private import PrivateGame
from facedown.core import Game, Position, RuleError, SpecError
from facedown.core.errors import BanditError, foreign
from facedown.shown import one_line, shown
from facedown.store.records import Forfeit

T = TypeVar("T")

Maker = Callable[[Game, int], Any]
"""Makes the agent of a player, for the game that it is given: an Agent, or what has its methods."""

OFFERED = ("overhear", "clocked", "pace")
"""What an agent may have, and need not."""

SETUP_SECONDS = 60.0
"""What an agent may take to get ready where moves are clocked; it is not thinking time."""

_LONGEST = 300  # characters of a reason
_LARGEST = 1 << 64  # a number that is no longer told in digits
_LISTED = 100  # moves that a reason names


class FaultError(Exception):
    """An agent has lost the game other than by the rules."""

    def __init__(self, player: int, reason: str) -> None:
        self.forfeit = Forfeit(player, one_line(reason))
        super().__init__(reason)


class LeaveError(BaseException):
    """Somebody leaves the table, or wants a move back: no fault of an agent's, so it passes."""


class Closing:
    """An agent of ours that holds something beyond this process."""

    def close(self) -> None:
        """Let go of it: the game is over."""


class GuardedAgent:
    """One player's agent. Whatever it does wrong comes out as a FaultError.

    `clock` is what its player may take for a move, with all that it was told since its last one. A
    RuleError passes, for it is the game's fault, and so does KeyboardInterrupt.
    """

    def __init__(self, game: Game, player: int, make: Maker, clock: float | None) -> None:
        self.player, self.private, self.cheats = player, PrivateGame(game), False
        self._make, self._clock = make, clock
        self._agent: Any = None
        self._offered: dict[str, Any] = {}
        self._spent = 0.0  # since its last move

    def set_up(self) -> None:
        """Make the agent. A SpecError passes: it is the fault of whoever wrote the spec."""
        limit = None if self._clock is None else SETUP_SECONDS
        passing = (RuleError, SpecError)
        self._agent, self.cheats, self._offered = self._ask(limit, self._made, passing)
        self._spent = 0.0

    def _made(self) -> tuple[Any, bool, dict[str, Any]]:
        """The agent, whether it says that it cheats, what it has of what it need not have.

        It is asked within its guard: an attribute may be a property, and raise.
        """
        agent = self._make(self.private.game, self.player)
        offered = {name: getattr(agent, name, None) for name in OFFERED}
        return agent, bool(getattr(agent, "cheats", False)), offered

    def observe(self, token: int, text: str) -> None:
        """Tell the agent what its player has seen."""
        agent: Any = self._agent
        self.private.learn(token)
        self._ask(self._clock, lambda: agent.observe(token, text))

    def overhear(self, token: int) -> None:
        """Tell the agent what the public has seen, if it listens."""
        told = self._offered["overhear"]
        if told is not None:
            self._ask(self._clock, lambda: told(token))

    def clocked(self, player: int, seconds: float) -> None:
        """Tell the agent how long another took over a decision, if it wants to know."""
        told = self._offered["clocked"]
        if told is not None:
            self._ask(self._clock, lambda: told(player, seconds))

    def pace(self) -> float:
        """The seconds that the others saw its last choice take; NaN where that means nothing."""
        offered = self._offered["pace"]
        seconds = None if offered is None else self._ask(self._clock, offered)
        return math.nan if seconds is None else float(seconds)

    def choose(self, truth: Position) -> tuple[int, float, dict[str, Any] | None]:
        """The agent's legal move, the seconds since its last one, and its summary."""
        agent: Any = self._agent
        view, legal = truth.offer(self.player)
        seen = self.private.carry(truth.copy() if self.cheats else view)
        numbers = self.private.moves(legal)
        given = self._ask(self._clock, lambda: agent.choose(seen, list(numbers)))
        place = numbers.index(self._checked(given, numbers))
        seconds = self._spent
        summary = self._ask(self._clock, lambda: summary_of(agent))
        self._spent = 0.0
        return legal[place], seconds, summary

    def _checked(self, given: Any, legal: Sequence[int]) -> int:
        wrong = what_is_wrong(given, legal, self.private.game)
        if wrong:
            raise FaultError(self.player, wrong)
        return operator.index(given)

    def close(self) -> None:
        """The game is over: let go of what the agent holds beyond this process."""
        if isinstance(self._agent, Closing):
            self._agent.close()

    def _ask(
        self,
        limit: float | None,
        call: Callable[[], T],
        passing: tuple[type[Exception], ...] = (RuleError,),
    ) -> T:
        began = time.perf_counter()
        try:
            answer = limited(None if limit is None else limit - self._spent, call)
        except FaultError:
            raise
        except BanditError as error:
            raise FaultError(self.player, error.what) from error
        except passing:
            raise
        except Overrun:
            raise FaultError(self.player, _overrun(limit)) from None
        except (KeyboardInterrupt, LeaveError):
            raise
        except BaseException as error:
            raise FaultError(self.player, described(error)) from error
        finally:
            self._spent += time.perf_counter() - began
        if limit is not None and self._spent > limit:
            raise FaultError(self.player, _overrun(limit))
        return answer


def what_is_wrong(given: Any, legal: Sequence[int], game: Game) -> str:
    """Why what an agent gave is none of its legal moves; empty where it is one."""
    if isinstance(given, bool) or not isinstance(given, int | np.integer):
        return f"NotAMove: choose gave {type(given).__name__}, one of `legal` is wanted"
    move = operator.index(given)
    if move in legal:
        return ""
    said = str(move) if abs(move) < _LARGEST else f"a number of {move.bit_length()} bits"
    texts = ", ".join(worded(game.move_text, number) for number in legal[:_LISTED])
    more = ", ..." if len(legal) > _LISTED else ""
    return f"IllegalMove: {said} is not legal here; legal: {texts}{more}"


def summary_of(agent: Any) -> dict[str, Any] | None:
    """What an agent would have recorded of its last choice, as plain JSON."""
    offered = getattr(agent, "summary", None)
    summary = None if offered is None else offered()
    if summary is None:
        return None
    if not isinstance(summary, dict):
        raise TypeError(f"summary() gave {type(summary).__name__}; a dict or None is wanted")
    return {shown(str(key)): plain(value) for key, value in summary.items()}


def worded(words: Callable[..., str], *args: int) -> str:
    """What a game says in words; a RuleError where its text fails."""
    try:
        text = words(*args)
        text.encode()  # half of a character is no text, and could not be kept
        return text
    except BaseException as error:
        if not (isinstance(error, Exception) or foreign(error)):
            raise
        name = getattr(words, "__name__", "text")
        raise RuleError(f"{name}{args} raised {described(error)}", rule=name) from error


def plain(value: Any) -> Any:
    """A value as plain JSON; numbers that JSON does not have become null.

    >>> plain({"mean": np.float64(0.5), "line": (1, 2), "error": float("nan")})
    {'mean': 0.5, 'line': [1, 2], 'error': None}
    """
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return value if value.isascii() else value.encode(errors="backslashreplace").decode()
    if isinstance(value, int):
        if abs(value) >= _LARGEST:
            raise TypeError("a number of more than 64 bits is not plain JSON")
        return operator.index(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, dict):
        return {shown(str(key)): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} is not plain JSON")


def _overrun(limit: float | None) -> str:
    return f"Overrun: more than {limit:g} s for a move"


def described(error: BaseException) -> str:
    """Type, message and place of an error, in one line."""
    try:
        message = " ".join(str(error).split())
    except Exception:
        message = "its text raised an error itself"
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {message}"[:_LONGEST] + place
