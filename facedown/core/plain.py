"""Games as ordinary Python classes over their own state objects, behind the same contract.

The adapter keeps each position's object under the address of the position's bytes. Moves are
numbered as they are met, by value; tokens and keys are stable hashes of values. An exception in a
rule cannot cross compiled code: it is kept, an alarm stops the search at the next ply, and it is
raised again from there.
"""

from __future__ import annotations

import copy
import ctypes
import threading
import traceback
import weakref
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from types import CodeType, SimpleNamespace
from typing import Any

import numpy as np

from facedown.core.canonical import canonical, stable_hash
from facedown.core.constants import OVER
from facedown.core.errors import RuleError, foreign
from facedown.core.game import Game, Script
from facedown.core.jit import JIT
from facedown.core.plain_faults import (
    after,
    bounds_of,
    check_class,
    check_payoffs,
    listed,
    numbered,
    size_of,
    whole,
)
from facedown.core.plain_text import PlainText
from facedown.core.plainly import UNORDERED, rank
from facedown.core.rules import REQUIRED, RULES, empty_table, ticket
from facedown.core.specs import told
from facedown.core.streams import Stream
from facedown.core.variants import declared

SHIELDED: set[CodeType] = {weakref.finalize.__call__.__code__}
"""Code that compiled code calls, and what tidies up. What is raised there, and not below it, would
be lost, and the rule would answer 0: a signal's handler that finds itself in it waits a moment."""

_MOST_REMEMBERED = 1 << 20  # hashes kept for speed; beyond that they are computed again


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
        self._seen: dict[Any, int] = {}  # tokens by value
        self._hashes: dict[Any, int] = {}
        self._streams: dict[int, Stream] = {}
        self._listings: dict[int, Any] = {}  # buffers that moves are listed into, by address
        self._purses: dict[int, Any] = {}  # buffers that payoffs are put into
        self._scales: dict[int, Any] = {}  # buffers for weights of chance
        self._raised: dict[int, tuple[BaseException, str]] = {}  # by thread: an error and its rule
        self._lock = threading.Lock()
        self.table, self.alarm = empty_table(), np.zeros(1, np.int64)
        self.ctx, self.size = 0, 8
        self.memo_size = 8 if hasattr(definition, "remember") else 0
        self.memos: list[Any] = [None]  # by the number that a memo's bytes hold
        self._memos: dict[Any, int] = {None: 0}
        self.python: dict[str, Callable[..., Any]] = {}
        self.variants: dict[str, int] = {}
        self._kept: list[Any] = []
        self._move_text = getattr(definition, "move_text", None)
        self._quick = self._quick_rules(getattr(definition, "copy", copy.deepcopy))
        own, named = getattr(definition, "scripted", None), getattr(definition, "scripts", {})
        self.scripted: Script | None = partial(self._scripted, own) if own else None
        self.scripts: dict[str, Script] = {k: partial(self._scripted, named[k]) for k in named}
        for name in (*REQUIRED, *self._optional()):
            self.table[RULES[name].slot] = self._add(name, name, self._rule(name))
        for (rule, name), method in declared(definition, partial(_method, definition)).items():
            key = f"{rule}:{name}"
            self.variants[key] = self._add(key, rule, self._standing_in(rule, method))

    def _optional(self) -> list[str]:
        left_out = (*REQUIRED, "copy", "tokens")  # `tokens` saves calls of compiled code only
        offered = [name for name in RULES if name not in left_out]
        return [*(name for name in offered if hasattr(self.definition, name)), "copy"]

    def _rule(self, name: str) -> Callable[..., Any]:
        """How a rule of the class is called with addresses."""
        function: Callable[..., Any] = self._quick.get(name) or getattr(self, f"_{name}")
        return function

    def _standing_in(self, rule: str, method: Callable[..., Any]) -> Callable[..., Any]:
        """The same for another method of the class in the rule's place."""
        twin = copy.copy(self)  # which shares all that is remembered
        twin.definition = SimpleNamespace(**{rule: method})
        function: Callable[..., Any] = getattr(twin, f"_{rule}")
        return function

    def _add(self, key: str, name: str, function: Callable[..., Any]) -> int:
        """Have a function serve as a rule, for Python under `key`; its address."""
        explained = self.python[key] = self._explained(name, function)
        if not JIT:  # ctypes wants Python's own integers for addresses
            return ticket(lambda *args: explained(*map(int, args)))
        callback = RULES[name].callback(self._guarded(name, function))
        self._kept.append(callback)
        return ctypes.cast(callback, ctypes.c_void_p).value or 0

    def _explained(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The rule for Python callers: what it raises comes out as a RuleError."""

        def call(*args: Any) -> Any:
            try:
                return function(*args)
            except BaseException as error:
                described = self._described(name, error)
                raise described from (None if described is error else error)

        return call

    def _guarded(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The rule for compiled callers: what it raises is kept, and the alarm set.

        One wrapper for each number of arguments: these calls are the cost of a plain game.
        """

        def fail(error: BaseException) -> int:
            with self._lock:
                self._raised.setdefault(threading.get_ident(), (error, name))
                self.alarm[0] = 1
            return OVER if name == "turn" else 0

        def two(ctx: int, state: int) -> Any:
            try:
                return function(ctx, state)
            except BaseException as error:
                return fail(error)

        def three(ctx: int, state: int, a: int) -> Any:
            try:
                return function(ctx, state, a)
            except BaseException as error:
                return fail(error)

        def four(ctx: int, state: int, a: int, b: int) -> Any:
            try:
                return function(ctx, state, a, b)
            except BaseException as error:
                return fail(error)

        def more(*args: int) -> Any:
            try:
                return function(*args)
            except BaseException as error:
                return fail(error)

        SHIELDED.update(each.__code__ for each in (fail, two, three, four, more))
        SHIELDED.add(PlainRules.release.__code__)
        known: dict[int, Callable[..., Any]] = {2: two, 3: three, 4: four}
        return known.get(len(RULES[name].takes), more)

    def _described(self, name: str, error: BaseException) -> BaseException:
        if isinstance(error, RuleError) or not (isinstance(error, Exception) or foreign(error)):
            return error
        frames = traceback.extract_tb(error.__traceback__)
        place = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
        what = f"rule {name!r} raised {told(error)}{place}"
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

    def _scripted(self, play: Any, view: Any, player: int, legal: Any, stream: Stream) -> int:
        return self.number(play(view, player, [self.values[move] for move in legal], stream))

    # --- positions ---------------------------------------------------------------------------

    def copy(self, to: int, source: int) -> None:
        """Clone the object at `source` for `to`."""
        self.python["copy"](0, to, source)

    def rollout(self) -> int:
        """None: Python's rules are asked one by one."""
        return 0

    def release(self, address: int) -> None:
        """Forget the object of a position that is gone."""
        self.objects.pop(address, None)

    def digest(self, address: int) -> bytes:
        """A canonical text of the object."""
        return canonical(self.objects[address]).encode()

    def ordered(self, moves: Sequence[int]) -> list[int]:
        """By their values: the numbers tell in which order they were met, in the truth too.

        Values that have no order of their own go by their text.
        """
        try:
            return sorted(moves, key=self._rank)
        except BaseException as error:  # of a move's own order or text
            described = self._described("legal", error)
            raise described from (None if described is error else error)

    def _rank(self, move: int) -> tuple[Any, ...]:
        value = self.values[move]
        own = rank(value)
        if own[0] != UNORDERED or self._move_text is None:
            return own
        return (*own[:2], str(self._move_text(value)))

    def _keep(self, address: int, result: Any) -> None:
        """A rule that changes a state did so in place, or returned the new one."""
        if result is not None:
            self.objects[address] = after(result)

    # --- the contract ------------------------------------------------------------------------

    def _start(self, ctx: int, state: int) -> None:
        self.objects[state] = self.definition.start()

    def _quick_rules(self, copier: Callable[[Any], Any]) -> dict[str, Callable[..., Any]]:
        """The rules that every ply needs, as closures: attribute look-ups would cost a third."""
        objects, numbers, values, listings = self.objects, self.numbers, self.values, self._listings
        rule_turn, rule_legal = self.definition.turn, self.definition.legal
        rule_apply, rule_sees = self.definition.apply, self.definition.sees
        most, seen = self.most_moves, self._seen

        def turn(ctx: int, state: int) -> int:
            player = rule_turn(objects[state])
            return player if player.__class__ is int else whole(player)

        def legal(ctx: int, state: int, out: int) -> int:
            moves = rule_legal(objects[state])
            if moves.__class__ is not list:
                moves = listed(moves, most)  # what gives its moves but once, or without end, too
            try:
                known = [numbers[move] for move in moves]
            except (KeyError, TypeError):
                known = numbered(moves, self.number)
            n = len(known)
            if n > most:
                raise RuleError(f"{n} legal moves, most_moves is {most}", rule="legal")
            buffer = listings.get(out) or _open(listings, out, ctypes.c_int32 * most)
            buffer[:n] = known
            return n

        def apply(ctx: int, state: int, move: int) -> None:
            result = rule_apply(objects[state], values[move])
            if result is not None:
                objects[state] = after(result) if result.__class__ is bool else result

        def duplicate(ctx: int, to: int, source: int) -> None:
            objects[to] = copier(objects[source])

        def sees(ctx: int, state: int, move: int, viewer: int) -> int:
            value = rule_sees(objects[state], values[move], viewer)
            if value is None:
                return 0
            try:
                return seen[value]
            except (KeyError, TypeError):
                return self._token(value)

        found: dict[str, Callable[..., Any]]
        found = {"turn": turn, "legal": legal, "apply": apply, "copy": duplicate, "sees": sees}
        weighs = hasattr(self.definition, "weights")
        return {**found, "weights": self._quick_weights()} if weighs else found

    def _quick_weights(self) -> Callable[..., Any]:
        """The rule `weights`, asked at every outcome of chance in a bag."""
        objects, rule, buffers = self.objects, self.definition.weights, self._scales
        most = self.most_moves

        def weights(ctx: int, state: int, out: int) -> None:
            given = rule(objects[state])
            if given.__class__ is not list and given.__class__ is not tuple:
                given = list(islice(given, most + 1))  # some give weights without end
            n = len(given)
            if n > most:
                raise RuleError(f"{n} weights given, most_moves is {most}", rule="weights")
            buffer = buffers.get(out) or _open(buffers, out, ctypes.c_double * most)
            try:
                buffer[:n] = given
            except TypeError:  # a fraction, say
                buffer[:n] = [float(weight) for weight in given]

        return weights

    def number(self, move: Any) -> int:
        """The number of a move's value, given at first sight and kept."""
        if move not in self.numbers:
            if len(self.values) >= self._most:
                more = f"{move!r:.60} is one more than {self._most} different moves"
                raise RuleError(f"{more}; set `moves`", rule="legal")
            self.values.append(move)  # first: a clock may strike between the two
            self.numbers[move] = len(self.values) - 1
        return self.numbers[move]

    def _fill(self, out: int, numbers: Any, n: int) -> None:
        numbers = [float(number) for number in islice(numbers, n + 1)]
        if len(numbers) != n:
            raise RuleError(f"{len(numbers)} numbers given, {n} wanted")
        (ctypes.c_double * n).from_address(out)[:] = numbers

    def _hash(self, value: Any) -> int:
        try:
            return self._hashes[value]
        except KeyError:
            if len(self._hashes) > _MOST_REMEMBERED:
                self._hashes.clear()
            return self._hashes.setdefault(value, stable_hash(value))
        except TypeError:  # an unhashable value: slower, as right
            return stable_hash(value)

    def _token(self, value: Any) -> int:
        """The token of a value that is new; kept with its value, for text."""
        token = self._hash(value)
        if len(self.tokens) < _MOST_REMEMBERED or self.memo_size:  # `remember` wants the value
            self.tokens[token] = value
            if value.__hash__ is not None:
                self._seen[value] = token
        return token

    def _payoff(self, ctx: int, state: int, out: int) -> None:
        buffer = self._purses.get(out) or _open(self._purses, out, ctypes.c_double * self._players)
        payoffs = self.definition.payoff(self.objects[state])
        try:
            buffer[:] = payoffs
        except (TypeError, ValueError):
            check_payoffs(payoffs, self._players)
            buffer[:] = [float(payoff) for payoff in payoffs]

    def _hide(self, ctx: int, state: int, viewer: int) -> None:
        self._keep(state, self.definition.hide(self.objects[state], viewer))

    def _infoset(self, ctx: int, state: int, viewer: int) -> int:
        return self._hash(self.definition.infoset(self.objects[state], viewer))

    def _determinize(self, ctx: int, state: int, memo: int, viewer: int, rng: int) -> None:
        known = (self.objects[state], *self._known(memo))
        self._keep(state, self.definition.determinize(*known, viewer, self._stream(rng)))

    def _stream(self, address: int) -> Stream:
        """The stream at an address; making one takes longer than drawing from it."""
        if address not in self._streams:
            if len(self._streams) > 1024:
                self._streams.clear()
            self._streams[address] = Stream.at(address)
        return self._streams[address]

    def _world(self, ctx: int, state: int, viewer: int, k: int) -> float:
        world, weight = self.definition.world(self.objects[state], viewer, k)
        self._keep(state, world)
        return float(weight)

    def _draw(self, ctx: int, state: int, rng: int) -> int:
        return self.number(self.definition.draw(self.objects[state], self._stream(rng)))

    def _bucket(self, ctx: int, state: int, memo: int, viewer: int) -> int:
        return self._hash(self.definition.bucket(self.objects[state], *self._known(memo), viewer))

    def _secret(self, ctx: int, state: int, viewer: int) -> int:
        return int(self.definition.secret(self.objects[state], viewer))

    def _suppose(self, ctx: int, state: int, viewer: int, label: int) -> int:
        supposed, possible = self.definition.suppose(self.objects[state], viewer, label)
        self._keep(state, supposed)
        return 1 if possible else 0

    def _remember(self, ctx: int, memo: int, token: int, viewer: int) -> None:
        value = self.definition.remember(self.memo(memo), self.tokens[token], viewer)
        if value not in self._memos:
            with self._lock:
                self.memos.append(value)
                self._memos[value] = len(self.memos) - 1
        ctypes.c_int64.from_address(memo).value = self._memos[value]

    def memo(self, address: int) -> Any:
        """The value of the memo at `address`."""
        return self.memos[ctypes.c_int64.from_address(address).value]

    def _known(self, memo: int) -> tuple[Any, ...]:
        """The memo as an argument of a rule, where the game keeps one; 0 is one of nothing."""
        if not self.memo_size:
            return ()
        return (self.memo(memo) if memo else None,)

    def _kinds(self, ctx: int, state: int) -> int:
        kinds = {int(kind) for kind in self.definition.kinds(self.objects[state])}
        return sum(1 << kind for kind in kinds)

    def _of_kind(self, ctx: int, state: int, kind: int, out: int) -> int:
        found = self.definition.of_kind(self.objects[state], kind)
        moves: list[Any] = [self.number(move) for move in found]
        if len(moves) > self.most_moves:
            what = f"{len(moves)} legal moves, most_moves is {self.most_moves}"
            raise RuleError(what, rule="of_kind")
        (ctypes.c_int32 * len(moves)).from_address(out)[:] = moves
        return len(moves)

    def _kind(self, ctx: int, state: int, move: int) -> int:
        return int(self.definition.kind(self.objects[state], self.values[move]))

    def _playout(self, ctx: int, state: int, rng: int) -> int:
        return self.number(self.definition.playout(self.objects[state], self._stream(rng)))

    def _prior(self, ctx: int, state: int, memo: int, moves: int, n: int, out: int) -> None:
        listed = [self.values[k] for k in (ctypes.c_int32 * n).from_address(moves)]
        known = (self.objects[state], *self._known(memo))
        self._fill(out, self.definition.prior(*known, listed), n)

    def _traits(self, *given: int) -> None:
        _, state, memo, viewer, moves, n, out, size = given
        listed = [self.values[k] for k in (ctypes.c_int32 * n).from_address(moves)]
        known = (self.objects[state], *self._known(memo), viewer)
        position, rows = self.definition.traits(*known, listed)
        self._fill(out, [*position, *(number for row in rows for number in row)], size)

    def _horizon(self, ctx: int, state: int, out: int) -> int:
        values = self.definition.horizon(self.objects[state])
        if values is None:
            return 0
        self._fill(out, values, self._players)
        return 1


def _method(definition: Any, name: str) -> Any:
    """A method of a class by its name; None where it has none."""
    return getattr(definition, name, None)


def _open(known: dict[int, Any], address: int, kind: Any) -> Any:
    """The buffer of a kind at an address, remembered: making one takes longer than filling it."""
    if len(known) > 4096:
        known.clear()
    return known.setdefault(address, kind.from_address(address))


def adapt(definition: Any, spec: str) -> Game:
    """The game that an ordinary Python object with the contract's methods describes."""
    check_class(definition)
    players, moves = size_of(definition, "players", 2), size_of(definition, "moves", 1 << 16)
    most_moves = size_of(definition, "most_moves", 512)
    rules = PlainRules(definition, moves, most_moves, players)
    low, high = bounds_of(definition)
    return Game(
        spec,
        definition,
        rules,
        PlainText(rules),
        players=players,
        moves=moves,
        most_moves=most_moves,
        most_plies=size_of(definition, "most_plies", 10_000),
        bounds=(low, high),
        horizon_bounds=getattr(definition, "horizon_bounds", None),
        worlds=int(getattr(definition, "worlds", 0)),
        secrets=int(getattr(definition, "secrets", 0)),
    )
