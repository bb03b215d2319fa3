"""The network at work: difference propagation in compiled code.

A network keeps its values in an area of memory, settled at some state and joint move; going to
another state, near or far, touches only what changes. Every gate is a counter whose sign is its
truth. When the sign changes, a bit is toggled, so that a change that is taken back leaves no trace;
scanning the bits in the order of numbers finds what is to be done. The bit of a fluent says whether
the fluent will change, that of a register whether it must, that of an output whether it holds.

An area is used by one rule call at a time: `occupy` locks one, by preference the one that was last
used for a record at the same address, for that is most likely settled where the record stands. So
any number of threads can share a game.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from facedown.core import array, jit
from facedown.core.jit import JIT, native
from facedown.core.locks import claim, release
from facedown.core.rules import Rule, caller, ticket
from facedown.core.words import ONE, lowest, member
from facedown.gdl import layout as at

_SIX, _LAST = np.uint32(6), np.uint32(63)
_UP, _DOWN = np.int32(1), np.int32(-1)
_NONE = np.uint64(0)
_FIRST: Any = np.int64(0)  # of this type: a literal 0 would be compiled apart


@jit
def head_of(ctx: int) -> Any:
    """The head of `ctx`."""
    return array(ctx, at.HEAD, np.int64)


@jit
def play_network(ctx: int) -> Any:
    """The head of the network of what happens."""
    return array(ctx + 8 * at.PLAY, at.NETWORK, np.int64)


@jit
def sight_network(ctx: int) -> Any:
    """The head of the network of what is seen."""
    return array(ctx + 8 * at.SIGHT, at.NETWORK, np.int64)


# --- areas ---------------------------------------------------------------------------------------


@jit
def occupy(ctx: int, state: int) -> int:
    """Lock an area for the record at `state`; where it lies."""
    h = head_of(ctx)
    last, size = h[at.AREAS] - 1, h[at.AREA_SIZE]
    k = (state >> 6) ^ (state >> 12)
    while True:
        k &= last
        area = ctx + h[at.AREAS_AT] + k * size
        if claim(area):
            break
        k += 1
    if array(area, at.READY + 1, np.int64)[at.READY] == 0:
        _furnish(ctx, area)
    return area  # type: ignore[no-any-return]


@jit
def _furnish(ctx: int, area: int) -> None:
    """Give an area its first content: networks with nothing true."""
    h = head_of(ctx)
    n = (h[at.AREA_SIZE] - at.AREA_HEAD) >> 3
    there, fresh = array(area + at.AREA_HEAD, n, np.int64), array(ctx + h[at.FRESH_AT], n, np.int64)
    for k in range(n):
        there[k] = fresh[k]
    array(area, at.READY + 1, np.int64)[at.READY] = 1


@jit
def leave(area: int) -> None:
    """Unlock an area."""
    release(area)


# --- propagation ---------------------------------------------------------------------------------


@jit
def add(counts: Any, bits: Any, t: Any, d: Any) -> None:
    """Add to a counter; where its sign changes, toggle its bit."""
    old = counts[t]
    new = old + d
    counts[t] = new
    if (old ^ new) < 0:
        bits[t >> _SIX] ^= ONE << np.uint64(t & _LAST)


@jit
def spread(ptr: Any, edge: Any, counts: Any, bits: Any, k: int, d: Any) -> None:
    """Node `k` changed by `d`: tell the counters that read it."""
    middle = ptr[2 * k + 1]
    for e in range(ptr[2 * k], middle):
        add(counts, bits, edge[e], d)
    for e in range(middle, ptr[2 * k + 2]):
        add(counts, bits, edge[e], np.int32(-d))


@jit
def scan(ptr: Any, edge: Any, counts: Any, bits: Any, first: int, end: int) -> None:
    """Pass on what has changed among the gates of some words; each gate is seen once."""
    for w in range(first, end):
        while bits[w] != _NONE:
            k = (w << 6) + lowest(bits[w])
            bits[w] &= bits[w] - ONE
            spread(ptr, edge, counts, bits, k, _UP if counts[k] >= 0 else _DOWN)


@jit
def set_registers(
    ptr: Any, edge: Any, counts: Any, bits: Any, held: Any, first: int, end: int, d: Any
) -> bool:
    """Lower all registers of some words, or raise those that must be; whether there were any."""
    found = False
    for w in range(first, end):
        x = bits[w] if d > 0 else held[w]
        held[w] ^= x
        bits[w] ^= x
        while x != _NONE:
            found = True
            k = (w << 6) + lowest(x)
            x &= x - ONE
            spread(ptr, edge, counts, bits, k, d)
    return found


@jit
def any_in(bits: Any, first: int, end: int) -> bool:
    """Whether there is a bit in some words."""
    found = _NONE
    for w in range(first, end):
        found |= bits[w]
    return found != _NONE  # type: ignore[no-any-return]


@jit
def settle(ctx: int, network: int, area: int, first: int, end: int) -> None:
    """Settle some segments in their order.

    A loop in which anything has changed begins anew: its registers are lowered, then gates are
    settled and registers raised in turn until nothing changes, which is the least fixed point.
    """
    n = array(network, at.NETWORK, np.int64)
    ptr = array(ctx + n[at.PTR_AT], 2 * n[at.COUNTERS] + 1, np.uint32)
    edge = array(ctx + n[at.EDGE_AT], n[at.EDGES], np.uint32)
    counts = array(area + n[at.COUNT_AT], n[at.COUNTERS], np.int32)
    bits = array(area + n[at.BITS_AT], n[at.WORDS], np.uint64)
    held = array(area + n[at.HELD_AT], n[at.WORDS], np.uint64)
    segments = array(ctx + n[at.SEGMENTS_AT], 3 * n[at.SEGMENTS], np.int64)
    for s in range(first, end):
        low, high, last = segments[3 * s], segments[3 * s + 1], segments[3 * s + 2]
        loop, d = last > high, _DOWN
        if loop and not any_in(bits, low, last):
            continue
        while True:
            if loop and not set_registers(ptr, edge, counts, bits, held, high, last, d) and d > 0:
                break
            scan(ptr, edge, counts, bits, low, high)
            if not loop:
                break
            d = _UP


@jit
def _travel(ctx: int, network: int, area: int, state: int) -> None:
    """Have a network stand at the state that lies at `state`, its view settled."""
    n = array(network, at.NETWORK, np.int64)
    words = n[at.FLUENT_WORDS]
    ptr = array(ctx + n[at.PTR_AT], 2 * n[at.COUNTERS] + 1, np.uint32)
    edge = array(ctx + n[at.EDGE_AT], n[at.EDGES], np.uint32)
    counts = array(area + n[at.COUNT_AT], n[at.COUNTERS], np.int32)
    bits = array(area + n[at.BITS_AT], n[at.WORDS], np.uint64)
    here = array(area + n[at.STATE_AT], words + 1, np.uint64)
    there = array(state, words, np.uint64)
    moved = here[words] != _NONE  # so it is where nothing was settled yet, though nothing holds
    here[words] = _NONE
    for w in range(words):
        x = here[w] ^ there[w]
        if x == _NONE:
            continue
        moved = True
        now = there[w]
        here[w] = now
        bits[w] ^= x
        while x != _NONE:
            bit = lowest(x)
            x &= x - ONE
            up = (now >> np.uint64(bit)) & ONE != _NONE
            spread(ptr, edge, counts, bits, (w << 6) + bit, _UP if up else _DOWN)
    if moved:
        settle(ctx, network, area, _FIRST, n[at.VIEW_SEGMENTS])


@jit
def _act(ctx: int, network: int, area: int, joint: int) -> None:
    """Have the roles make the moves (slots) at `joint`, and settle the step."""
    n = array(network, at.NETWORK, np.int64)
    roles = head_of(ctx)[at.ROLES]
    ptr = array(ctx + n[at.PTR_AT], 2 * n[at.COUNTERS] + 1, np.uint32)
    edge = array(ctx + n[at.EDGE_AT], n[at.EDGES], np.uint32)
    counts = array(area + n[at.COUNT_AT], n[at.COUNTERS], np.int32)
    bits = array(area + n[at.BITS_AT], n[at.WORDS], np.uint64)
    does = array(area + n[at.DOES_AT], roles + 1, np.int32)
    moves = array(joint, roles, np.int32)
    first = n[at.MOVES]
    total = n[at.COUNTERS] - 1
    for r in range(roles):
        if moves[r] == does[r]:
            continue
        for rising in range(2):
            move = moves[r] if rising else does[r]
            if move >= 0:
                spread(ptr, edge, counts, bits, first + move, _UP if rising else _DOWN)
        does[r] = moves[r]
    d = counts[total] - does[roles]  # what the shared sum has changed by since it was told last
    if d != 0:
        does[roles] += d
        spread(ptr, edge, counts, bits, total, np.int32(d))
    settle(ctx, network, area, n[at.VIEW_SEGMENTS], n[at.SEGMENTS])


# --- by address: compiled into each rule, these would take a minute to compile -------------------


def go_to(ctx: int, network: int, area: int, state: int) -> None:
    """`_travel`, to be called by its address."""
    _travel(ctx, network, area, state)


def do(ctx: int, network: int, area: int, joint: int) -> None:
    """`_act`, to be called by its address."""
    _act(ctx, network, area, joint)


def go_on(ctx: int, area: int, state: int, joint: int) -> None:
    """`advance`, to be called by its address; the area need not stand at the state."""
    h, network = head_of(ctx), ctx + 8 * at.PLAY
    n, words = play_network(ctx), h[at.STATE_WORDS]
    bits = array(area + n[at.BITS_AT], words, np.uint64)
    here = array(area + n[at.STATE_AT], words + 1, np.uint64)
    wanted = array(state, words, np.uint64)
    came = array(area + h[at.FROM_AT], 2 * words, np.uint64)
    far = here[words]
    for w in range(words):
        far |= here[w] ^ wanted[w]
        came[w] = wanted[w]
    if far != _NONE:
        call_go_to(ctx, network, area, state)
    _act(ctx, network, area, joint)
    for w in range(words):
        came[words + w] = here[w] ^ bits[w]
    _travel(ctx, network, area, area + h[at.FROM_AT] + 8 * words)
    array(area, at.AHEAD + 1, np.int64)[at.AHEAD] = 1


_FOUR = ("address",) * 4
_GO_TO, _DO = Rule("go_to", 0, "nothing", _FOUR), Rule("do", 0, "nothing", _FOUR)
_GO_ON = Rule("go_on", 0, "nothing", _FOUR)
_call_go_to, _call_do, _call_go_on = caller(_GO_TO), caller(_DO), caller(_GO_ON)


@jit
def call_go_to(ctx: int, network: int, area: int, state: int) -> None:
    """`go_to` by its address."""
    _call_go_to(head_of(ctx)[at.GO_TO], ctx, network, area, state)


@cache
def _workers() -> tuple[tuple[int, ...], list[Any]]:
    """The addresses, and what must be kept for them to stay valid."""
    named = ((go_to, _GO_TO), (do, _DO), (go_on, _GO_ON))
    if not JIT:
        return tuple(ticket(function) for function, _ in named), []
    made = [native(function, rule.signature) for function, rule in named]
    return tuple(int(each.address) for each in made), made


def workers() -> tuple[int, ...]:
    """The addresses of `go_to`, `do` and `go_on` in this process."""
    return _workers()[0]


# --- states --------------------------------------------------------------------------------------


@jit
def stand(ctx: int, area: int, state: int) -> None:
    """Have what happens be settled at a state."""
    array(area, at.AHEAD + 1, np.int64)[at.AHEAD] = 0
    call_go_to(ctx, ctx + 8 * at.PLAY, area, state)


@jit
def _is_ahead(ctx: int, area: int, state: int, joint: int) -> bool:
    """Whether the area stands where this joint move leads from this state."""
    h, n = head_of(ctx), play_network(ctx)
    if array(area, at.AHEAD + 1, np.int64)[at.AHEAD] == 0:
        return False
    words, roles = h[at.STATE_WORDS], h[at.ROLES]
    came, here = array(area + h[at.FROM_AT], words, np.uint64), array(state, words, np.uint64)
    for w in range(words):
        if came[w] != here[w]:
            return False
    does, moves = array(area + n[at.DOES_AT], roles, np.int32), array(joint, roles, np.int32)
    for r in range(roles):  # noqa: SIM110  # compiled code has no `all`
        if does[r] != moves[r]:
            return False
    return True


@jit
def advance(ctx: int, area: int, state: int, joint: int) -> None:
    """Have what happens be settled at the state that a joint move leads to from a state.

    Asked again at once, as by `apply` after `sees`, it is there already.
    """
    if not _is_ahead(ctx, area, state, joint):
        _call_go_on(head_of(ctx)[at.GO_ON], ctx, area, state, joint)


@jit
def holds(ctx: int, area: int, output: int) -> bool:
    """Whether an output of what happens holds where the area stands."""
    n = play_network(ctx)
    return member(array(area + n[at.BITS_AT], n[at.WORDS], np.uint64), n[at.OUTPUTS] + output)


@jit
def look(ctx: int, area: int, state: int, joint: int) -> None:
    """Settle what is seen when a joint move is made in a state."""
    call_go_to(ctx, ctx + 8 * at.SIGHT, area, state)
    _call_do(head_of(ctx)[at.DO], ctx, ctx + 8 * at.SIGHT, area, joint)
