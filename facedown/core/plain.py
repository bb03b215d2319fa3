"""Games as ordinary Python classes over their own state objects, behind the same contract.

The adapter keeps each position's object under the address of the position's bytes. Moves are
numbered as they are met, by value; tokens and keys are stable hashes of values. An exception in a
rule cannot cross compiled code: it is kept, an alarm stops the search at the next ply, and it is
raised again from there.
"""

from __future__ import annotations

import copy
import ctypes
import dataclasses
import hashlib
import threading
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from facedown.core.compiled import text_picture
from facedown.core.constants import OVER
from facedown.core.errors import RuleError
from facedown.core.game import Game, Script
from facedown.core.jit import JIT
from facedown.core.rules import REQUIRED, RULES, empty_table, ticket
from facedown.core.streams import Stream

_MOST_REMEMBERED = 1 << 20  # hashes kept for speed; beyond that they are computed again


def canonical(value: Any) -> str:
    """A text that is equal for equal values, on every machine; TypeError where there is none.

    >>> canonical((1, "a", {2, 1})) == canonical((True, "a", {1, 2}))
    True
    """
    if value is None or isinstance(value, (str, bytes)):
        return repr(value)
    if isinstance(value, (bool, int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value)) if value != int(value) else str(int(value))
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{value.tolist()}"
    if isinstance(value, (tuple, list)):
        return "(" + ",".join(canonical(item) for item in value) + ")"
    if isinstance(value, (set, frozenset)):
        return "{" + ",".join(sorted(canonical(item) for item in value)) + "}"
    if isinstance(value, dict):
        pairs = sorted((canonical(key), canonical(item)) for key, item in value.items())
        return "{" + ",".join(f"{key}:{item}" for key, item in pairs) + "}"
    return f"{type(value).__qualname__}({canonical(_fields(value))})"


def _fields(value: Any) -> dict[str, Any]:
    """The attributes of an object, from its dataclass fields, its __dict__ or its __slots__."""
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    found = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    found.update(getattr(value, "__dict__", {}))
    if not found and " at 0x" in repr(value):
        raise TypeError(f"{value!r} has no stable text: use numbers, strings, tuples, dataclasses")
    return found or {"": repr(value)}


def stable_hash(value: Any) -> int:
    """64 bits of a value, the same on every machine; never 0."""
    text = canonical(value).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little") or 1


class PlainRules:
    """The rules of an ordinary Python class, callable by address."""

    def __init__(self, definition: Any, moves: int, most_moves: int, players: int) -> None:
        self.definition = definition
        self._most, self._players = moves, players
        self.most_moves = most_moves
        self.objects: dict[int, Any] = {}
        self.values: list[Any] = []  # of moves, by number
        self.numbers: dict[Any, int] = {}
        self.tokens: dict[int, Any] = {}  # what a token stands for, for text
        self._hashes: dict[Any, int] = {}
        self._buffers: dict[int, Any] = {}
        self._raised: dict[int, tuple[BaseException, str]] = {}  # by thread: an error and its rule
        self._lock = threading.Lock()
        self.table, self.alarm = empty_table(), np.zeros(1, np.int64)
        self.ctx, self.size = 0, 8
        self.python: dict[str, Callable[..., Any]] = {}
        self._kept: list[Any] = []
        self._copier: Callable[[Any], Any] = getattr(definition, "copy", copy.deepcopy)
        own = hasattr(definition, "scripted")
        self.scripted: Script | None = self._scripted if own else None
        for name in (*REQUIRED, *self._optional()):
            self._add(name)

    def _optional(self) -> list[str]:
        offered = [name for name in RULES if name not in REQUIRED and name != "copy"]
        return [*(name for name in offered if hasattr(self.definition, name)), "copy"]

    def _add(self, name: str) -> None:
        function = getattr(self, f"_{name}")
        self.python[name] = self._explained(name, function)
        if not JIT:
            explained = self.python[name]  # ctypes wants Python's own integers for addresses
            self.table[RULES[name].slot] = ticket(lambda *args: explained(*map(int, args)))
            return
        callback = RULES[name].callback(self._guarded(name, function))
        self._kept.append(callback)
        address = ctypes.cast(callback, ctypes.c_void_p).value
        self.table[RULES[name].slot] = address or 0

    def _explained(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The rule for Python callers: what it raises comes out as a RuleError."""

        def call(*args: Any) -> Any:
            try:
                return function(*args)
            except Exception as error:
                raise self._described(name, error) from error

        return call

    def _guarded(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The rule for compiled callers: what it raises is kept, and the alarm set."""
        fallback = OVER if name == "turn" else 0

        def call(*args: Any) -> Any:
            try:
                return function(*args)
            except BaseException as error:
                with self._lock:
                    self._raised.setdefault(threading.get_ident(), (error, name))
                    self.alarm[0] = 1
                return fallback

        return call

    def _described(self, name: str, error: BaseException) -> BaseException:
        if isinstance(error, RuleError) or not isinstance(error, Exception):
            return error
        frames = traceback.extract_tb(error.__traceback__)
        place = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
        what = f"rule {name!r} raised {type(error).__name__}: {error}{place}"
        return RuleError(what, rule=name)

    def raise_alarm(self) -> None:
        """Raise what a rule raised while this thread ran compiled code, if anything.

        The alarm is off again once no other thread has an error to raise.
        """
        with self._lock:
            raised = self._raised.pop(threading.get_ident(), None)
            self.alarm[0] = len(self._raised)
        if raised is not None:
            error, rule = raised
            described = self._described(rule, error)
            raise described from (None if described is error else error)

    def _scripted(self, view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
        listed = [self.values[move] for move in legal]
        return self.number(self.definition.scripted(view, player, listed, stream))

    # --- positions ---------------------------------------------------------------------------

    def copy(self, to: int, source: int) -> None:
        """Clone the object at `source` for `to`."""
        self.python["copy"](0, to, source)

    def release(self, address: int) -> None:
        """Forget the object of a position that is gone."""
        self.objects.pop(address, None)

    def digest(self, address: int) -> bytes:
        """A canonical text of the object."""
        return canonical(self.objects[address]).encode()

    def _copy(self, ctx: int, to: int, source: int) -> None:
        self.objects[to] = self._copier(self.objects[source])

    def _keep(self, address: int, result: Any) -> None:
        """A rule that changes a state did so in place, or returned the new one."""
        if result is not None:
            self.objects[address] = result

    # --- the contract ------------------------------------------------------------------------

    def _start(self, ctx: int, state: int) -> None:
        self.objects[state] = self.definition.start()

    def _turn(self, ctx: int, state: int) -> int:
        return self.definition.turn(self.objects[state])  # type: ignore[no-any-return]

    def _legal(self, ctx: int, state: int, out: int) -> int:
        numbers = self.numbers
        moves = self.definition.legal(self.objects[state])
        try:
            known = [numbers[move] for move in moves]
        except KeyError:
            known = [self.number(move) for move in moves]
        buffer = self._buffers.get(out)
        if buffer is None:
            buffer = self._buffer(out, ctypes.c_int32 * self.most_moves)
        n = len(known)
        if n > self.most_moves:
            raise RuleError(f"{n} legal moves, most_moves is {self.most_moves}", rule="legal")
        buffer[:n] = known
        return n

    def number(self, move: Any) -> int:
        """The number of a move's value, given at first sight and kept."""
        if move not in self.numbers:
            if len(self.values) >= self._most:
                raise RuleError(
                    f"more than {self._most} different moves; set `moves`", rule="legal"
                )
            self.numbers[move] = len(self.values)
            self.values.append(move)
        return self.numbers[move]

    def _buffer(self, address: int, kind: Any) -> Any:
        if len(self._buffers) > 4096:
            self._buffers.clear()
        return self._buffers.setdefault(address, kind.from_address(address))

    def _fill(self, out: int, numbers: Any, n: int) -> None:
        numbers = [float(number) for number in numbers]
        if len(numbers) != n:
            raise RuleError(f"{len(numbers)} numbers given, {n} wanted")
        (ctypes.c_double * n).from_address(out)[:] = numbers

    def _apply(self, ctx: int, state: int, move: int) -> None:
        result = self.definition.apply(self.objects[state], self.values[move])
        if result is not None:
            self.objects[state] = result

    def _hash(self, value: Any) -> int:
        try:
            return self._hashes[value]
        except KeyError:
            if len(self._hashes) > _MOST_REMEMBERED:
                self._hashes.clear()
            return self._hashes.setdefault(value, stable_hash(value))
        except TypeError:  # an unhashable value: slower, as right
            return stable_hash(value)

    def _sees(self, ctx: int, state: int, move: int, viewer: int) -> int:
        value = self.definition.sees(self.objects[state], self.values[move], viewer)
        if value is None:
            return 0
        token = self._hash(value)
        if token not in self.tokens and len(self.tokens) < _MOST_REMEMBERED:
            self.tokens[token] = value
        return token

    def _payoff(self, ctx: int, state: int, out: int) -> None:
        self._fill(out, self.definition.payoff(self.objects[state]), self._players)

    def _hide(self, ctx: int, state: int, viewer: int) -> None:
        self._keep(state, self.definition.hide(self.objects[state], viewer))

    def _infoset(self, ctx: int, state: int, viewer: int) -> int:
        return self._hash(self.definition.infoset(self.objects[state], viewer))

    def _determinize(self, ctx: int, state: int, viewer: int, rng: int) -> None:
        stream = Stream.at(rng)
        self._keep(state, self.definition.determinize(self.objects[state], viewer, stream))

    def _weights(self, ctx: int, state: int, out: int) -> None:
        weights = list(self.definition.weights(self.objects[state]))
        self._fill(out, weights, len(weights))

    def _draw(self, ctx: int, state: int, rng: int) -> int:
        return self.number(self.definition.draw(self.objects[state], Stream.at(rng)))

    def _bucket(self, ctx: int, state: int, viewer: int) -> int:
        return self._hash(self.definition.bucket(self.objects[state], viewer))

    def _secret(self, ctx: int, state: int, viewer: int) -> int:
        return int(self.definition.secret(self.objects[state], viewer))

    def _kind(self, ctx: int, state: int, move: int) -> int:
        return int(self.definition.kind(self.objects[state], self.values[move]))

    def _playout(self, ctx: int, state: int, rng: int) -> int:
        return self.number(self.definition.playout(self.objects[state], Stream.at(rng)))

    def _prior(self, ctx: int, state: int, moves: int, n: int, out: int) -> None:
        listed = [self.values[k] for k in (ctypes.c_int32 * n).from_address(moves)]
        self._fill(out, self.definition.prior(self.objects[state], listed), n)

    def _horizon(self, ctx: int, state: int, out: int) -> int:
        values = self.definition.horizon(self.objects[state])
        if values is None:
            return 0
        self._fill(out, values, self._players)
        return 1


class PlainText:
    """How an ordinary class shows itself: by its own methods, or by its values' own text."""

    def __init__(self, rules: PlainRules) -> None:
        self._rules, self._definition = rules, rules.definition

    def move_text(self, move: int) -> str:
        """A move as people write it."""
        value = self._rules.values[move]
        own = getattr(self._definition, "move_text", None)
        return str(own(value) if own else value)

    def observation_text(self, token: int, viewer: int) -> str:
        """What a viewer has just seen."""
        value = self._rules.tokens.get(token, token)
        own = getattr(self._definition, "observation_text", None)
        return str(own(value, viewer) if own else value)

    def view_text(self, view: Any, viewer: int) -> str:
        """A view for the terminal."""
        own = getattr(self._definition, "view_text", None)
        return str(own(view, viewer) if own else view)

    def picture(self, view: Any, viewer: int) -> str:
        """A view as SVG."""
        own = getattr(self._definition, "picture", None)
        if own:
            return str(own(view, viewer))
        return text_picture(self.view_text(view, viewer).splitlines() or [""])


def adapt(definition: Any, spec: str) -> Game:
    """The game that an ordinary Python object with the contract's methods describes."""
    needed = ("players", "bounds", *REQUIRED)
    missing = [name for name in needed if not hasattr(definition, name)]
    if missing:
        raise RuleError(f"{type(definition).__name__} has no {', '.join(missing)}")
    players, moves = int(definition.players), int(getattr(definition, "moves", 1 << 16))
    most_moves = int(getattr(definition, "most_moves", 512))
    rules = PlainRules(definition, moves, most_moves, players)
    low, high = definition.bounds
    return Game(
        spec,
        definition,
        rules,
        PlainText(rules),
        players=players,
        moves=moves,
        most_moves=most_moves,
        most_plies=int(getattr(definition, "most_plies", 10_000)),
        bounds=(float(low), float(high)),
        horizon_bounds=getattr(definition, "horizon_bounds", None),
    )
