"""The contract's rules over a rule network: one set of compiled functions for every GDL game.

All roles move at once. Here the players choose one after another, in the order of their roles, and
their choices are pending until all have chosen; who has only one legal move is not asked. The move
of `random` is CHANCE's, with each of its legal moves as likely, and comes last. In GDL-II CHANCE
makes every step, by the move GO where it has nothing to choose: so what a player is told does not
depend on whether others had a choice. Then all learn what they see. In an *open* game, of GDL, the
last choice makes the step, and everybody sees all moves; GO is for steps without any choice.

A record holds the state as a set of fluents, the legal moves of all roles, the pending choices and
the last joint move, a key of all that each player has observed, and the clock. A view of a game
that is not open keeps the viewer's own legal moves, choices and key, and the clock. In such a view
the viewer acts until the own choice is made, then CHANCE. Players are told when the game is over.

Where the parts of a record and of the context lie, and how long they are, the head of the context
says. So rules ask where the two that are opened for them begin (`address_of`), and find the parts
from there.

A player of the Game Description Language must know its legal moves from what it observes. Where
rules break this, equal observations come with different legal moves, and `facedown check` says so.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import CHANCE, OVER, PUBLIC, array, jit, mix
from facedown.core.records import address_of
from facedown.core.words import ONE, lowest, ones
from facedown.gdl import layout as at
from facedown.gdl.engine import (
    advance,
    head_of,
    holds,
    leave,
    look,
    occupy,
    play_network,
    sight_network,
    stand,
)

_NONE = np.uint64(0)
_PUBLIC: Any = np.int64(PUBLIC)  # of this type: a literal would be compiled apart
UNCHOSEN = -1


# --- the parts of a record -----------------------------------------------------------------------


@jit
def clock_of(h: Any, state: int) -> Any:
    """Steps made, who acts, whether observations are not kept."""
    return array(state + h[at.CLOCK_AT], at.CLOCK, np.int32)


@jit
def pending_of(h: Any, state: int) -> Any:
    """The choice of each role."""
    return array(state + h[at.PENDING_AT], h[at.ROLES], np.int32)


@jit
def last_of(h: Any, state: int) -> Any:
    """The joint move before."""
    return array(state + h[at.LAST_AT], h[at.ROLES], np.int32)


@jit
def chain_of(h: Any, state: int) -> Any:
    """What each player has observed; in an open game there is one key for all."""
    return array(state + h[at.CHAIN_AT], h[at.CHAINS], np.uint64)


@jit
def legal_of(h: Any, state: int) -> Any:
    """The legal moves of all roles."""
    return array(state + h[at.LEGAL_AT], h[at.LEGAL_WORDS], np.uint64)


@jit
def words_of(ctx: int, role: int) -> Any:
    """The first word of a role's moves, and the one after its last."""
    h = head_of(ctx)
    begins = array(ctx + h[at.ROLE_WORDS_AT], h[at.ROLES] + 1, np.int64)
    return begins[role], begins[role + 1]


@jit
def role_of(ctx: int, move: int) -> int:
    """Whose move it is."""
    h = head_of(ctx)
    return array(ctx + h[at.WORD_ROLES_AT], h[at.LEGAL_WORDS], np.int64)[move >> 6]  # type: ignore[no-any-return]


# --- steps ---------------------------------------------------------------------------------------


@jit
def next_actor(h: Any, pending: Any) -> int:
    """The first who has to choose; CHANCE makes the step where nobody has."""
    for player in range(h[at.PLAYERS]):
        if pending[player] == UNCHOSEN:
            return int(player)
    return CHANCE


@jit
def completes(h: Any, state: int) -> bool:
    """Whether the next move makes the step: it is CHANCE's, or the last choice of an open game."""
    if clock_of(h, state)[at.ACTOR] == CHANCE:
        return True
    if h[at.OPEN] == 0:
        return False
    pending, waiting = pending_of(h, state), 0
    for r in range(h[at.ROLES]):
        if pending[r] == UNCHOSEN:
            waiting += 1
    return waiting == 1


@jit
def arrive(ctx: int, area: int, state: int) -> None:
    """Write into a record what holds in the state where the area stands; a new step begins."""
    h, n = head_of(ctx), play_network(ctx)
    here = array(area + n[at.STATE_AT], h[at.STATE_WORDS], np.uint64)
    words = array(state, h[at.STATE_WORDS], np.uint64)
    for w in range(h[at.STATE_WORDS]):
        words[w] = here[w]
    over = holds(ctx, area, h[at.TERMINAL])
    first = n[at.OUTPUTS] >> 6
    bits, moves = array(area + n[at.BITS_AT], n[at.WORDS], np.uint64), legal_of(h, state)
    groups = array(ctx + h[at.GROUPS_AT], 4 * h[at.GROUPS], np.int64)
    for g in range(h[at.GROUPS]):
        shut = over or not holds(ctx, area, groups[4 * g + 3])
        for w in range(groups[4 * g + 1], groups[4 * g + 2]):
            moves[w] = _NONE if shut else bits[first + w]
    pending = pending_of(h, state)
    for r in range(h[at.ROLES]):
        pending[r] = only_move(ctx, state, r)
    clock_of(h, state)[at.ACTOR] = OVER if over else next_actor(h, pending)


@jit
def only_move(ctx: int, state: int, role: int) -> int:
    """The legal move of a role that has only one; UNCHOSEN where it has more, or none."""
    moves, (first, end) = legal_of(head_of(ctx), state), words_of(ctx, role)
    found, n = UNCHOSEN, 0
    for w in range(first, end):
        if moves[w] != _NONE:
            n += ones(moves[w])
            found = (w << 6) + lowest(moves[w])
    return found if n == 1 else UNCHOSEN


# --- what is seen --------------------------------------------------------------------------------


@jit
def sight_of(ctx: int, area: int, viewer: int) -> Any:
    """A key of the set of percepts of a viewer, in a network that is settled; PUBLIC sees none."""
    h, n = head_of(ctx), sight_network(ctx)
    key = np.uint64(1)
    if viewer < 0:
        return key
    begins = array(ctx + h[at.SIGHT_WORDS_AT], h[at.PLAYERS] + 1, np.int64)
    bits = array(area + n[at.BITS_AT], n[at.WORDS], np.uint64)
    for w in range(begins[viewer], begins[viewer + 1]):
        key = mix(key, bits[w])
    return key


@jit
def token_of(ctx: int, area: int, viewer: int) -> Any:
    """What a viewer is told of a step of a game that is not open; PUBLIC, whether it ended."""
    over = holds(ctx, area, head_of(ctx)[at.TERMINAL])
    return mix(sight_of(ctx, area, viewer), np.uint64(1) if over else _NONE)


@jit
def joint_token(ctx: int, state: int, move: int) -> Any:
    """What all are told of a step of an open game that this move makes: the joint move."""
    h = head_of(ctx)
    pending, key = pending_of(h, state), np.uint64(1)
    mover = -1 if move == h[at.GO] else role_of(ctx, move)
    for r in range(h[at.ROLES]):
        key = mix(key, np.uint64(move if r == mover else pending[r]))
    return key


@jit
def foresee(ctx: int, state: int, move: int) -> int:
    """An area, locked, in which the step that a move makes is settled, with what is seen of it."""
    h = head_of(ctx)
    area = occupy(ctx, state)
    joint, pending = array(area + h[at.JOINT_AT], h[at.ROLES], np.int32), pending_of(h, state)
    for r in range(h[at.ROLES]):
        joint[r] = pending[r]
    if move != h[at.GO]:
        joint[role_of(ctx, move)] = move
    look(ctx, area, state, area + h[at.JOINT_AT])
    advance(ctx, area, state, area + h[at.JOINT_AT])
    return area


@jit
def keep_up(ctx: int, area: int, state: int, move: int) -> None:
    """Add to every player's key what it is told of the step that is made."""
    h = head_of(ctx)
    chain = chain_of(h, state)
    if h[at.OPEN] != 0:
        chain[0] = mix(chain[0], joint_token(ctx, state, move))
        return
    look(ctx, area, state, state + h[at.PENDING_AT])
    for viewer in range(h[at.PLAYERS]):
        chain[viewer] = mix(chain[viewer], token_of(ctx, area, viewer))


def glimpse(ctx: int, state: int, move: int, viewer: int, out: int) -> int:
    """Fill in the words of what a player sees of the step that a move makes; whether it is over."""
    h, n = head_of(ctx), sight_network(ctx)
    begins = array(ctx + h[at.SIGHT_WORDS_AT], h[at.PLAYERS] + 1, np.int64)
    first, end = begins[viewer], begins[viewer + 1]
    seen = array(out, end - first, np.uint64)
    area = foresee(ctx, state, move)
    bits = array(area + n[at.BITS_AT], n[at.WORDS], np.uint64)
    for w in range(first, end):
        seen[w - first] = bits[w]
    over = holds(ctx, area, h[at.TERMINAL])
    leave(area)
    return 1 if over else 0


# --- the contract --------------------------------------------------------------------------------


def start(c: Any, s: Any) -> None:
    ctx, state = address_of(c), address_of(s)
    h = head_of(ctx)
    record = array(state, h[at.RECORD_WORDS], np.uint64)
    for w in range(h[at.RECORD_WORDS]):
        record[w] = _NONE
    chain, last = chain_of(h, state), last_of(h, state)
    for k in range(h[at.CHAINS]):
        chain[k] = np.uint64(k + 1)
    for r in range(h[at.ROLES]):
        last[r] = UNCHOSEN
    area = occupy(ctx, state)
    stand(ctx, area, ctx + h[at.START_AT])
    arrive(ctx, area, state)
    leave(area)


def turn(c: Any, s: Any) -> int:
    ctx, state = address_of(c), address_of(s)
    return int(clock_of(head_of(ctx), state)[at.ACTOR])


def legal(c: Any, s: Any, moves: Any) -> int:
    ctx, state = address_of(c), address_of(s)
    h = head_of(ctx)
    actor = int(clock_of(h, state)[at.ACTOR])
    role = int(h[at.PLAYERS]) if actor == CHANCE else actor
    if actor == CHANCE and (role == h[at.ROLES] or pending_of(h, state)[role] != UNCHOSEN):
        moves[0] = h[at.GO]
        return 1
    words, (first, end), n = legal_of(h, state), words_of(ctx, role), 0
    for w in range(first, end):
        x = words[w]
        while x != _NONE:
            moves[n] = (w << 6) + lowest(x)
            x &= x - ONE
            n += 1
    return n


def apply(c: Any, s: Any, move: int) -> None:
    ctx, state = address_of(c), address_of(s)
    h = head_of(ctx)
    clock, pending = clock_of(h, state), pending_of(h, state)
    made = completes(h, state)
    if move != h[at.GO]:
        pending[role_of(ctx, move)] = move
    if not made:
        if h[at.OPEN] == 0 and clock[at.QUIET] == 0:
            chain = chain_of(h, state)
            chain[clock[at.ACTOR]] = mix(chain[clock[at.ACTOR]], np.uint64(move + 1))
        clock[at.ACTOR] = next_actor(h, pending)
        return
    area = occupy(ctx, state)
    advance(ctx, area, state, state + h[at.PENDING_AT])
    if clock[at.QUIET] == 0:
        keep_up(ctx, area, state, move)
    last = last_of(h, state)
    for r in range(h[at.ROLES]):
        last[r] = pending[r]
    clock[at.STEP] += 1
    arrive(ctx, area, state)
    leave(area)


def sees(c: Any, s: Any, move: int, viewer: int) -> int:
    ctx, state = address_of(c), address_of(s)
    h = head_of(ctx)
    if not completes(h, state):
        own = viewer == clock_of(h, state)[at.ACTOR]
        return np.uint64(move + 1) if own else _NONE  # type: ignore[return-value]
    if h[at.OPEN] != 0:
        return joint_token(ctx, state, move)  # type: ignore[no-any-return]
    area = foresee(ctx, state, move)
    token = token_of(ctx, area, viewer)
    leave(area)
    return token  # type: ignore[no-any-return]


def tokens(c: Any, s: Any, move: int, out: Any) -> None:
    ctx, state = address_of(c), address_of(s)
    h = head_of(ctx)
    players = int(h[at.PLAYERS])
    if not completes(h, state):
        for viewer in range(players + 1):
            out[viewer] = _NONE
        out[clock_of(h, state)[at.ACTOR]] = np.uint64(move + 1)
        return
    if h[at.OPEN] != 0:
        token = joint_token(ctx, state, move)
        for viewer in range(players + 1):
            out[viewer] = token
        return
    area = foresee(ctx, state, move)
    for viewer in range(players):
        out[viewer] = token_of(ctx, area, viewer)
    out[players] = token_of(ctx, area, _PUBLIC)
    leave(area)


def payoff(c: Any, s: Any, pay: Any) -> None:
    ctx, state = address_of(c), address_of(s)
    h = head_of(ctx)
    for player in range(h[at.PLAYERS]):
        pay[player] = float(h[at.LOWEST])
    goals = array(ctx + h[at.GOALS_AT], 3 * h[at.GOALS], np.int64)
    area = occupy(ctx, state)
    stand(ctx, area, state)
    for g in range(h[at.GOALS]):  # lower values first: of several the highest counts
        if holds(ctx, area, goals[3 * g + 2]):
            pay[goals[3 * g]] = float(goals[3 * g + 1])
    leave(area)


@jit
def blank(ctx: int, state: int, viewer: int) -> None:
    """Leave nothing in the record of a game that is not open but what is the viewer's own."""
    h = head_of(ctx)
    state_words, moves = array(state, h[at.STATE_WORDS], np.uint64), legal_of(h, state)
    chain, last, pending = chain_of(h, state), last_of(h, state), pending_of(h, state)
    for w in range(h[at.STATE_WORDS]):
        state_words[w] = _NONE
    for r in range(h[at.ROLES]):
        if r == viewer:
            continue
        first, end = words_of(ctx, r)
        for w in range(first, end):
            moves[w] = _NONE
        pending[r] = last[r] = UNCHOSEN
        if r < h[at.CHAINS]:
            chain[r] = _NONE


def hide(c: Any, s: Any, viewer: int) -> None:
    ctx, state = address_of(c), address_of(s)
    h = head_of(ctx)
    clock, pending = clock_of(h, state), pending_of(h, state)
    acts = viewer >= 0 and pending[viewer] == UNCHOSEN
    if h[at.OPEN] == 0:
        blank(ctx, state, viewer)
        if clock[at.ACTOR] != OVER:
            clock[at.ACTOR] = viewer if acts else CHANCE
        return
    for r in range(h[at.ROLES]):
        if r != viewer and only_move(ctx, state, r) == UNCHOSEN:
            pending[r] = UNCHOSEN
    if clock[at.ACTOR] != OVER:
        clock[at.ACTOR] = next_actor(h, pending)


def infoset(c: Any, s: Any, viewer: int) -> int:
    ctx, state = address_of(c), address_of(s)
    h = head_of(ctx)
    clock, chain = clock_of(h, state), chain_of(h, state)
    if h[at.OPEN] != 0:
        own = pending_of(h, state)[viewer] if viewer >= 0 else UNCHOSEN
        return mix(chain[0], np.uint64(own + 2))  # type: ignore[no-any-return]
    if viewer < 0:
        return mix(np.uint64(clock[at.STEP] + 1), np.uint64(clock[at.ACTOR] == OVER))  # type: ignore[no-any-return]
    return mix(chain[viewer], _NONE)  # type: ignore[no-any-return]
