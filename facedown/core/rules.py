"""The rules of a game, as functions that compiled code can call by their address.

Each rule has one C signature. A search takes a *rule table*: an int64 array with the address of
each rule, 0 where a game has none. So a search compiles once and serves compiled rules (some 2 ns
a call), plain Python rules (a ctypes callback) and data-driven rules alike. With the JIT off the
"addresses" are tickets into a registry of Python functions.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from facedown.core.jit import JIT, jit
from facedown.core.records import array

_KINDS: dict[str, tuple[Any, Any]] = {
    "address": (types.intp, ctypes.c_ssize_t),
    "int": (types.int64, ctypes.c_int64),
    "key": (types.uint64, ctypes.c_uint64),
    "real": (types.float64, ctypes.c_double),
    "nothing": (types.void, None),
}


@dataclass(frozen=True)
class Argument:
    """What a rule is handed: its name, its kind in C, and what is opened for it.

    `opens` is "state", "context", "memo", the type of an array's items, or nothing for a number;
    `length` tells how many items there are.
    """

    name: str
    kind: str = "int"
    opens: str = ""
    length: str = ""


@dataclass(frozen=True)
class Rule:
    """The name of a rule, its place in a rule table, what it takes and what it gives.

    The `arguments` of a rule of the contract say how a function that serves as it is written.
    """

    name: str
    slot: int
    gives: str
    takes: tuple[str, ...]
    arguments: tuple[Argument, ...] = ()

    @property
    def signature(self) -> Any:
        """Numba's signature."""
        return _KINDS[self.gives][0](*(_KINDS[kind][0] for kind in self.takes))

    @property
    def prototype(self) -> Any:
        """The ctypes prototype; it keeps the GIL, for rules are short."""
        return ctypes.PYFUNCTYPE(_KINDS[self.gives][1], *(_KINDS[kind][1] for kind in self.takes))

    @property
    def callback(self) -> Any:
        """The ctypes prototype of a Python function that is called from code without the GIL."""
        return ctypes.CFUNCTYPE(_KINDS[self.gives][1], *(_KINDS[kind][1] for kind in self.takes))


_RECORDS = {"ctx": "context", "s": "state", "to": "state", "source": "state", "memo": "memo"}
_NUMBERS = {"rng": "address", "token": "key"}  # the others are plain integers


def _argument(text: str) -> Argument:
    """An argument as the table below writes it: a name, or `name:type[length]` for an array."""
    name, _, rest = text.partition(":")
    if rest:
        items, _, length = rest.removesuffix("]").partition("[")
        return Argument(name, "address", items, length)
    if name in _RECORDS:
        return Argument(name, "address", _RECORDS[name])
    return Argument(name, _NUMBERS.get(name, "int"))


# What each rule gives, and what it takes beside the context, which comes first. A memo reaches
# only rules of games that keep one. Arrays are as long as there are legal moves at most (`most`),
# players, or as the argument says that the rule takes for it in C alone.
_TABLE: list[tuple[str, str, str]] = [
    ("start", "nothing", "s"),
    ("turn", "int", "s"),
    ("legal", "int", "s moves:int32[most]"),  # fills in moves, gives how many
    ("apply", "nothing", "s move"),
    ("sees", "key", "s move viewer"),
    ("payoff", "nothing", "s pay:float64[players]"),
    ("hide", "nothing", "s viewer"),
    ("infoset", "key", "s viewer"),
    ("determinize", "nothing", "s memo viewer rng"),
    ("weights", "nothing", "s out:float64[most]"),  # one for each outcome of `legal`
    ("draw", "int", "s rng"),  # gives an outcome of chance
    ("bucket", "key", "s memo viewer"),
    ("secret", "int", "s viewer"),  # the label of what the viewer did not see of the last move
    ("kind", "int", "s move"),
    ("playout", "int", "s rng"),  # gives a move
    ("prior", "nothing", "s memo moves:int32[n] n out:float64[n]"),
    ("horizon", "int", "s values:float64[players]"),  # fills and gives 1 where a search may stop
    ("copy", "nothing", "to source"),
    ("world", "real", "s viewer k"),  # makes the k-th world, gives its weight
    ("tokens", "nothing", "s move out:uint64[players + 1]"),  # the players', then the public's
    ("suppose", "int", "s viewer label"),  # 0 where no world has that secret
    ("remember", "nothing", "memo token viewer"),
    ("kinds", "key", "s"),  # a bit for each kind that a legal move has
    ("of_kind", "int", "s kind moves:int32[most]"),  # as `legal`, those of a kind
    ("traits", "nothing", "s memo viewer moves:int32[n] n out:float64[size] size"),
]


def _rule(slot: int, name: str, gives: str, takes: str) -> Rule:
    words = takes.replace(" + ", "+").split(" ")
    arguments = tuple(_argument(word) for word in ("ctx", *words))
    return Rule(name, slot, gives, tuple(one.kind for one in arguments), arguments)


RULES: dict[str, Rule] = {row[0]: _rule(slot, *row) for slot, row in enumerate(_TABLE)}
REQUIRED = ("start", "turn", "legal", "apply", "sees", "payoff", "hide", "infoset")
OPTIONAL = tuple(name for name in RULES if name not in REQUIRED)

ROLLOUT = Rule("rollout", 0, "int", ("address", "int"))
"""orders, ply -> the ply at the end; made from the rules of a game (`core.rollout`)."""

_tickets: dict[int, Callable[..., Any]] = {}


def ticket(function: Callable[..., Any]) -> int:
    """A number that stands for `function` where the JIT is off and there are no addresses."""
    number = len(_tickets) + 1
    _tickets[number] = function
    return number


def caller(rule: Rule) -> Any:
    """A function for compiled code: `caller(rule)(address, *args)` calls the rule at `address`."""
    if not JIT:
        return lambda address, *args: _tickets[int(address)](*args)
    gives, takes = _KINDS[rule.gives][0], [_KINDS[kind][0] for kind in rule.takes]

    @intrinsic  # type: ignore[untyped-decorator]  # Numba has no types
    def call(typingctx: Any, address: Any, *given: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kinds, packed = signature.args[1], args[1]
            values = [
                context.cast(builder, builder.extract_value(packed, k), kinds[k], wanted)
                for k, wanted in enumerate(takes)
            ]
            void = gives is types.void
            result = ir.VoidType() if void else context.get_value_type(gives)
            shape = ir.FunctionType(result, [context.get_value_type(kind) for kind in takes])
            code = builder.inttoptr(args[0], shape.as_pointer())
            answer = builder.call(code, values)
            return context.get_dummy_value() if void else answer

        return gives(types.intp, types.Tuple(given)), codegen

    return call


TURN, LEGAL, APPLY = RULES["turn"].slot, RULES["legal"].slot, RULES["apply"].slot
SEES, PAYOFF, INFOSET = RULES["sees"].slot, RULES["payoff"].slot, RULES["infoset"].slot
DETERMINIZE, WEIGHTS, DRAW = RULES["determinize"].slot, RULES["weights"].slot, RULES["draw"].slot
BUCKET, SECRET, PLAYOUT = RULES["bucket"].slot, RULES["secret"].slot, RULES["playout"].slot
PRIOR, HORIZON, COPY = RULES["prior"].slot, RULES["horizon"].slot, RULES["copy"].slot
TOKENS, SUPPOSE = RULES["tokens"].slot, RULES["suppose"].slot
REMEMBER, KINDS, OF_KIND = RULES["remember"].slot, RULES["kinds"].slot, RULES["of_kind"].slot
KIND, TRAITS = RULES["kind"].slot, RULES["traits"].slot
_SLOTS = len(RULES)
_call = {name: caller(rule) for name, rule in RULES.items()}
_turn, _legal, _apply, _sees = (_call[name] for name in ("turn", "legal", "apply", "sees"))
_payoff, _infoset, _copy = _call["payoff"], _call["infoset"], _call["copy"]
_determinize, _weights, _draw = _call["determinize"], _call["weights"], _call["draw"]
_bucket, _secret, _playout = _call["bucket"], _call["secret"], _call["playout"]
_prior, _horizon, _tokens = _call["prior"], _call["horizon"], _call["tokens"]
_remember, _kinds, _of_kind = _call["remember"], _call["kinds"], _call["of_kind"]
_kind, _traits = _call["kind"], _call["traits"]
_rollout = caller(ROLLOUT)


@jit
def call_turn(rules: int, ctx: int, state: int) -> int:
    """Who acts: a player, CHANCE or OVER."""
    return _turn(array(rules, _SLOTS, np.int64)[TURN], ctx, state)  # type: ignore[no-any-return]


@jit
def call_legal(rules: int, ctx: int, state: int, out: int) -> int:
    """Fill the int32 array at `out` with the legal moves; how many."""
    return _legal(array(rules, _SLOTS, np.int64)[LEGAL], ctx, state, out)  # type: ignore[no-any-return]


@jit
def call_apply(rules: int, ctx: int, state: int, move: int) -> None:
    """Play the move in place."""
    _apply(array(rules, _SLOTS, np.int64)[APPLY], ctx, state, move)


@jit
def call_sees(rules: int, ctx: int, state: int, move: int, viewer: int) -> Any:
    """The token that the viewer gets from the move, asked before it is played."""
    return _sees(array(rules, _SLOTS, np.int64)[SEES], ctx, state, move, viewer)


@jit
def call_tokens(rules: int, ctx: int, state: int, move: int, out: int) -> None:
    """Fill the uint64 array at `out` with what `sees` gives each player, and then the public."""
    _tokens(array(rules, _SLOTS, np.int64)[TOKENS], ctx, state, move, out)


@jit
def call_payoff(rules: int, ctx: int, state: int, out: int) -> None:
    """Fill the float64 array at `out`, one number for each player."""
    _payoff(array(rules, _SLOTS, np.int64)[PAYOFF], ctx, state, out)


@jit
def call_infoset(rules: int, ctx: int, state: int, viewer: int) -> Any:
    """The key of the viewer's exact information."""
    return _infoset(array(rules, _SLOTS, np.int64)[INFOSET], ctx, state, viewer)


@jit
def call_determinize(rules: int, ctx: int, state: int, memo: int, viewer: int, rng: int) -> None:
    """Turn the viewer's view into a world, in place."""
    _determinize(array(rules, _SLOTS, np.int64)[DETERMINIZE], ctx, state, memo, viewer, rng)


@jit
def call_weights(rules: int, ctx: int, state: int, out: int) -> None:
    """Fill the float64 array at `out` with the weights of chance's outcomes."""
    _weights(array(rules, _SLOTS, np.int64)[WEIGHTS], ctx, state, out)


@jit
def call_draw(rules: int, ctx: int, state: int, rng: int) -> int:
    """An outcome of chance, drawn without listing them."""
    return _draw(array(rules, _SLOTS, np.int64)[DRAW], ctx, state, rng)  # type: ignore[no-any-return]


@jit
def call_bucket(rules: int, ctx: int, state: int, memo: int, viewer: int) -> Any:
    """The abstraction's key of the viewer's information."""
    return _bucket(array(rules, _SLOTS, np.int64)[BUCKET], ctx, state, memo, viewer)


@jit
def call_secret(rules: int, ctx: int, state: int, viewer: int) -> int:
    """The label of the unseen part of the last action."""
    return _secret(array(rules, _SLOTS, np.int64)[SECRET], ctx, state, viewer)  # type: ignore[no-any-return]


@jit
def call_playout(rules: int, ctx: int, state: int, rng: int) -> int:
    """A move by the game's informed policy."""
    return _playout(array(rules, _SLOTS, np.int64)[PLAYOUT], ctx, state, rng)  # type: ignore[no-any-return]


@jit
def call_prior(rules: int, ctx: int, state: int, memo: int, moves: int, n: int, out: int) -> None:
    """Fill the float64 array at `out` with the prior of each of the `n` moves."""
    _prior(array(rules, _SLOTS, np.int64)[PRIOR], ctx, state, memo, moves, n, out)


@jit
def call_remember(rules: int, ctx: int, memo: int, token: Any, viewer: int) -> None:
    """Advance the memo by a token of the viewer's, in place."""
    _remember(array(rules, _SLOTS, np.int64)[REMEMBER], ctx, memo, token, viewer)


@jit
def call_kind(rules: int, ctx: int, state: int, move: int) -> int:
    """The kind of a move."""
    return _kind(array(rules, _SLOTS, np.int64)[KIND], ctx, state, move)  # type: ignore[no-any-return]


@jit
def call_kinds(rules: int, ctx: int, state: int) -> Any:
    """The kinds of the legal moves, a bit each."""
    return _kinds(array(rules, _SLOTS, np.int64)[KINDS], ctx, state)


@jit
def call_of_kind(rules: int, ctx: int, state: int, kind: int, out: int) -> int:
    """Fill the int32 array at `out` with the legal moves of a kind; how many."""
    return _of_kind(array(rules, _SLOTS, np.int64)[OF_KIND], ctx, state, kind, out)  # type: ignore[no-any-return]


@jit
def call_traits(
    rules: int,
    ctx: int,
    state: int,
    memo: int,
    viewer: int,
    moves: int,
    n: int,
    out: int,
    size: int,
) -> None:
    """Fill the float64 array at `out` with numbers of the position, then of each of `n` moves."""
    _traits(array(rules, _SLOTS, np.int64)[TRAITS], ctx, state, memo, viewer, moves, n, out, size)


@jit
def call_horizon(rules: int, ctx: int, state: int, out: int) -> int:
    """1, and the values filled in, where a search may stop; else 0."""
    return _horizon(array(rules, _SLOTS, np.int64)[HORIZON], ctx, state, out)  # type: ignore[no-any-return]


@jit
def call_copy(rules: int, ctx: int, to: int, source: int) -> None:
    """Copy a position that is more than its bytes."""
    _copy(array(rules, _SLOTS, np.int64)[COPY], ctx, to, source)


@jit
def call_rollout(address: int, orders: int, ply: int) -> int:
    """Play on by random moves; the ply at the end, or a negative number where there is none."""
    return _rollout(address, orders, ply)  # type: ignore[no-any-return]


@jit
def has(rules: int, slot: int) -> bool:
    """Whether the game has the rule of this slot."""
    return array(rules, _SLOTS, np.int64)[slot] != 0  # type: ignore[no-any-return]


def empty_table() -> np.ndarray[Any, np.dtype[np.int64]]:
    """A rule table with no rule in it."""
    return np.zeros(len(RULES), np.int64)
