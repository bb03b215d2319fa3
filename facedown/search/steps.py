"""The small steps of the search, on the desk: worlds, keys, moves beyond the tree, scores."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from facedown.core.jit import jit
from facedown.core.records import array
from facedown.core.rules import (
    COPY,
    DRAW,
    SUPPOSE,
    TOKENS,
    WEIGHTS,
    call_bucket,
    call_copy,
    call_determinize,
    call_draw,
    call_infoset,
    call_legal,
    call_playout,
    call_prior,
    call_secret,
    call_sees,
    call_tokens,
    call_weights,
    has,
)
from facedown.core.streams import below, mix, pick, tag, uniform
from facedown.search.bandits import UCB1, score
from facedown.search.desk import (
    ALARM,
    ALL_MOVES,
    AWAITED,
    BANDIT,
    BY_RULE,
    BY_SECRET,
    BY_WEIGHT,
    CTX,
    CUMULATIVE,
    DECAY,
    EDGE_SLOTS,
    EDGE_TABLE,
    EDGES,
    ETA,
    FORETOLD,
    GAMMA,
    HISTORIES,
    IDENTITY,
    IN_TURN,
    INDEX_SLOTS,
    INDEX_TABLE,
    INFORMED,
    ITERATIONS,
    LABELS,
    ME,
    MOST_MOVES,
    MOVES,
    NODE_SLOTS,
    NODE_TABLE,
    NUMBERS,
    PLAYERS,
    POOL,
    POOL_LABELS,
    POOL_SIZE,
    POOL_STRIDE,
    PRIORS,
    REPLY,
    REPLYING,
    RNG,
    SAMPLER,
    SIGHTS,
    SLOTS,
    SMOOTH,
    STUCK,
    VIEWER,
    WHERE,
    WORDS,
    WORLD,
    WORLD_RNG,
    C,
    open_desk,
    open_reals,
)
from facedown.search.recipe import Identity, Labels
from facedown.search.tables import Edge, Node, find_edge

FULL, SINGLE = int(Identity.FULL), int(Identity.SINGLE)
MANY, BUCKET = int(Identity.MANY), int(Identity.BUCKET)
LABEL_ROOT, LABEL_TREE = int(Labels.ROOT), int(Labels.TREE)
FEW = 4  # legal moves that are compared one by one
MOST_DRAWS = 1000  # of worlds, for one with the secret that is wanted
MOST_TRIES = 64  # of the game's policy, for a move other than the reply that was foreseen
WALK = 6  # a node with more edges than this, and than legal moves, is looked up in the index
LARGE = 1 << 16  # so is one of so many edges in all: beyond the cache, a list is a chain of waits


# --- worlds ------------------------------------------------------------------------------------


@jit
def put_world(desk: int, w: int) -> None:
    """Copy the `w`-th of the worlds at hand to where the rules work on it, and fill in the rest."""
    d = open_desk(desk)
    source = d[POOL] + w * d[POOL_STRIDE]
    if has(desk, COPY):
        call_copy(desk, d[CTX], d[WORLD], source)
    else:
        words = d[WORDS]
        target, record = array(d[WORLD], words, np.int64), array(source, words, np.int64)
        for k in range(words):
            target[k] = record[k]
    if d[SAMPLER] in (BY_RULE, BY_SECRET):
        call_determinize(desk, d[CTX], d[WORLD], 0, d[VIEWER], d[WORLD_RNG])


@jit
def put_secret(desk: int, w: int) -> Any:
    """Put a world whose secret is the `w`-th label, drawn until there is one; its label.

    For games that cannot suppose a label. After many draws in vain it is whatever came last: a
    label must not stop a search.
    """
    d = open_desk(desk)
    wanted = array(d[POOL_LABELS], d[POOL_SIZE], np.uint64)[w]
    found = wanted
    for _ in range(MOST_DRAWS):
        put_world(desk, w)
        found = np.uint64(call_secret(desk, d[CTX], d[WORLD], d[ME]))
        if found == wanted or array(d[ALARM], 1, np.int64)[0] != 0:
            break
    return found


@jit
def place_world(desk: int) -> Any:
    """Put the iteration's world where the rules work on it; its label."""
    d = open_desk(desk)
    w, sampler, size = 0, d[SAMPLER], d[POOL_SIZE]
    if sampler in (IN_TURN, BY_SECRET):
        w = d[ITERATIONS] % size
    elif sampler == BY_WEIGHT and size > 1:
        cumulative = array(d[CUMULATIVE], size, np.float64)
        point = uniform(d[WORLD_RNG]) * cumulative[size - 1]
        w = min(np.searchsorted(cumulative, point, side="right"), size - 1)
    if sampler == BY_SECRET and not has(desk, SUPPOSE):
        return put_secret(desk, w)
    put_world(desk, w)
    return array(d[POOL_LABELS], size, np.uint64)[w]


# --- what a node's key is made of ----------------------------------------------------------------


@jit
def begin_histories(desk: int, label: Any) -> None:
    """Every player's history at the root: what the keys of its nodes grow from.

    Beyond the players' places, the buffer holds the public's and how the searcher's began.
    """
    d = open_desk(desk)
    histories = array(d[HISTORIES], d[PLAYERS] + 2, np.uint64)
    for p in range(d[PLAYERS]):
        start = np.uint64(p + 1)
        if d[IDENTITY] == MANY:
            start = mix(start, call_infoset(desk, d[CTX], d[WORLD], p))
        if d[LABELS] == LABEL_TREE:
            start = mix(start, label)
        histories[p] = start
        if p == d[ME]:
            histories[d[PLAYERS] + 1] = start


@jit
def look(desk: int, move: int) -> None:
    """Note what every player sees of `move`; the public too where the game tells all at once."""
    d = open_desk(desk)
    if has(desk, TOKENS):
        call_tokens(desk, d[CTX], d[WORLD], move, d[SIGHTS])
        return
    sights = array(d[SIGHTS], d[PLAYERS], np.uint64)
    for p in range(d[PLAYERS]):
        sights[p] = call_sees(desk, d[CTX], d[WORLD], move, p)


@jit
def extend_histories(desk: int, move: int) -> None:
    """The histories after `move`, as each owner sees it; what is seen as nothing adds nothing.

    The full history lies in the first place, the searcher's observations in the searcher's.
    """
    d = open_desk(desk)
    identity, players = d[IDENTITY], d[PLAYERS]
    histories = array(d[HISTORIES], players, np.uint64)
    if identity == FULL:
        histories[0] = mix(histories[0], np.uint64(move + 1))
    elif identity == SINGLE:
        me = d[ME]
        token = call_sees(desk, d[CTX], d[WORLD], move, me)
        if token != np.uint64(0):
            histories[me] = mix(histories[me], token)
    elif identity != BUCKET:
        sights = array(d[SIGHTS], players, np.uint64)
        look(desk, move)
        for p in range(players):
            if sights[p] != np.uint64(0):
                histories[p] = mix(histories[p], sights[p])


@jit
def node_key(desk: int, player: int, label: Any, mine: bool) -> Any:
    """The key of the node at which `player` acts; `mine`: the searcher's first decision."""
    d = open_desk(desk)
    identity = d[IDENTITY]
    histories = array(d[HISTORIES], d[PLAYERS], np.uint64)
    if identity == BUCKET:
        apart = label if d[LABELS] == LABEL_TREE else np.uint64(0)
        key = mix(call_bucket(desk, d[CTX], d[WORLD], 0, player), apart)
    elif identity == FULL:
        key = histories[0]
    elif identity == SINGLE:
        key = histories[d[ME]]
    else:
        key = histories[player]
    key = tag(key, np.uint64(player + 1))
    if mine and d[LABELS] == LABEL_ROOT:
        key = mix(key, label)
    return key


# --- moves beyond the tree -----------------------------------------------------------------------


@jit
def legal_here(desk: int) -> int:
    """List the legal moves of whoever acts; how many. None, or too many, raises the alarm.

    Where it is drawn whether a reply comes that was foreseen, those that agree with that.
    """
    d = open_desk(desk)
    n = call_legal(desk, d[CTX], d[WORLD], d[MOVES])
    if n <= 0 or n > d[MOST_MOVES]:
        alarm = array(d[ALARM], 1, np.int64)
        if alarm[0] == 0:
            alarm[0] = STUCK
        return 0
    return keep_reply(desk, n) if d[REPLYING] > AWAITED else n


@jit
def keep_reply(desk: int, n: int) -> int:
    """Keep of the legal moves the reply that was foreseen, or all but it; how many."""
    d = open_desk(desk)
    moves, kept = array(d[MOVES], n, np.int32), 0
    for j in range(n):
        if (moves[j] == d[REPLY]) == (d[REPLYING] == FORETOLD):
            moves[kept] = moves[j]
            kept += 1
    return kept


@jit
def draw_chance(desk: int) -> int:
    """An outcome of chance by its weights."""
    d = open_desk(desk)
    ctx, state, rng = d[CTX], d[WORLD], d[RNG]
    if has(desk, DRAW):
        return call_draw(desk, ctx, state, rng)
    n = legal_here(desk)
    moves = array(d[MOVES], d[MOST_MOVES], np.int32)
    if has(desk, WEIGHTS):
        call_weights(desk, ctx, state, d[NUMBERS])
        numbers = array(d[NUMBERS], d[MOST_MOVES], np.float64)
        return np.int64(moves[pick(rng, numbers, n)])  # type: ignore[return-value]
    return np.int64(moves[below(rng, n)])  # type: ignore[return-value]


@jit
def default_move(desk: int) -> int:
    """A move beyond the tree: by the game's policy, or any legal one."""
    d = open_desk(desk)
    if d[INFORMED] and d[REPLYING] != FORETOLD:
        for _ in range(MOST_TRIES):
            move = call_playout(desk, d[CTX], d[WORLD], d[RNG])
            if d[REPLYING] <= AWAITED or move != d[REPLY]:
                return move
    n = legal_here(desk)
    moves = array(d[MOVES], d[MOST_MOVES], np.int32)
    return np.int64(moves[below(d[RNG], n)])  # type: ignore[return-value]


# --- moves in the tree ---------------------------------------------------------------------------


@jit
def match_edges(desk: int, i: int, n: int, counts: bool) -> int:
    """Find the edge of each of the `n` legal moves, -1 where it is new; how many are not.

    `counts`: the legal ones were available once more.
    """
    d = open_desk(desk)
    width = array(d[NODE_TABLE], d[NODE_SLOTS], Node)[i]["width"]
    if width > WALK and (width > n or d[EDGES] > LARGE):
        return _look_up(desk, i, n, counts)
    return _walk(desk, i, n, counts)


@jit
def _look_up(desk: int, i: int, n: int, counts: bool) -> int:
    """`match_edges` by the index, for a node with many edges."""
    d = open_desk(desk)
    number = np.int64(array(d[NODE_TABLE], d[NODE_SLOTS], Node)[i]["number"])
    edges = array(d[EDGE_TABLE], d[EDGE_SLOTS], Edge)
    index = array(d[INDEX_TABLE], d[INDEX_SLOTS], np.int32)
    moves, slots = array(d[MOVES], n, np.int32), array(d[SLOTS], n, np.int32)
    mask = len(index) - 1
    for j in range(n):  # all at once, so that their cache misses overlap
        slots[j] = index[np.int64(mix(number, np.int64(moves[j])) >> np.uint64(20)) & mask]
    known = 0
    for j in range(n):
        e = np.int64(slots[j]) - 1
        if e >= 0 and (edges[e]["node"] != number or edges[e]["move"] != moves[j]):
            e = np.int64(index[find_edge(index, edges, number, np.int64(moves[j]))]) - 1
        slots[j] = e
        if e >= 0:
            known += 1
            if counts:
                edges[e]["available"] += 1
    return known


@jit
def _place(moves: Any, n: int, where: Any, move: int) -> int:
    """The place of a move among the `n` legal ones, -1 where it is not legal.

    `where` maps a move's number to its place; what it holds of other moves is stale, and the look
    back at `moves` tells. A few are compared faster one by one.
    """
    if n <= FEW:
        for j in range(n):
            if moves[j] == move:
                return j
        return -1
    place = where[move]
    return place if 0 <= place < n and moves[place] == move else -1


@jit
def _walk(desk: int, i: int, n: int, counts: bool) -> int:
    """`match_edges` along the node's list."""
    d = open_desk(desk)
    edges = array(d[EDGE_TABLE], d[EDGE_SLOTS], Edge)
    moves, slots = array(d[MOVES], n, np.int32), array(d[SLOTS], n, np.int32)
    where = array(d[WHERE], d[ALL_MOVES], np.int32)
    for j in range(n):
        slots[j] = -1
        if n > FEW:
            where[moves[j]] = j
    known, e = 0, array(d[NODE_TABLE], d[NODE_SLOTS], Node)[i]["head"]
    while e >= 0:
        j = _place(moves, n, where, edges[e]["move"])
        if j >= 0:
            slots[j] = e
            known += 1
            if counts:
                edges[e]["available"] += 1
        e = edges[e]["next"]
    return known


@jit
def keep_known(desk: int, n: int) -> int:
    """Keep of the legal moves only those that have an edge; how many."""
    d = open_desk(desk)
    moves, slots = array(d[MOVES], n, np.int32), array(d[SLOTS], n, np.int32)
    kept = 0
    for j in range(n):
        if slots[j] >= 0:
            moves[kept], slots[kept] = moves[j], slots[j]
            kept += 1
    return kept


@jit
def untried(desk: int, n: int, known: int) -> int:
    """The place of a legal move that has no edge yet, each as likely."""
    d = open_desk(desk)
    slots = array(d[SLOTS], n, np.int32)
    skip, j = below(d[RNG], n - known), 0
    while slots[j] >= 0 or skip > 0:
        if slots[j] < 0:
            skip -= 1
        j += 1
    return j


@jit
def by_visits(desk: int, n: int) -> int:
    """A legal move's place drawn in proportion to visits (the average strategy); any if none."""
    d = open_desk(desk)
    edges = array(d[EDGE_TABLE], d[EDGE_SLOTS], Edge)
    slots, numbers = array(d[SLOTS], n, np.int32), array(d[NUMBERS], n, np.float64)
    total = 0.0
    for j in range(n):
        numbers[j] = float(edges[slots[j]]["visits"]) if slots[j] >= 0 else 0.0
        total += numbers[j]
    if total == 0.0:
        return below(d[RNG], n)
    return pick(d[RNG], numbers, n)


@jit
def fill_priors(desk: int, n: int) -> None:
    """The prior of each legal move, summing to 1 over what is legal in this world."""
    d = open_desk(desk)
    priors = array(d[NUMBERS], n, np.float64)
    call_prior(desk, d[CTX], d[WORLD], 0, d[MOVES], n, d[NUMBERS])
    total = 0.0
    for j in range(n):
        total += priors[j]
    for j in range(n):
        priors[j] = priors[j] / total if total > 0.0 else 1.0 / n


@jit
def visits_here(desk: int, n: int) -> float:
    """How often the legal moves were played here, together."""
    d = open_desk(desk)
    edges = array(d[EDGE_TABLE], d[EDGE_SLOTS], Edge)
    slots = array(d[SLOTS], n, np.int32)
    total = 0.0
    for j in range(n):
        if slots[j] >= 0:
            total += edges[slots[j]]["visits"]
    return total


@jit
def by_score(desk: int, n: int, visited: int) -> int:
    """The place of the legal move with the highest score; ties are broken at random."""
    d = open_desk(desk)
    edges = array(d[EDGE_TABLE], d[EDGE_SLOTS], Edge)
    slots, priors = array(d[SLOTS], n, np.int32), array(d[NUMBERS], n, np.float64)
    if d[PRIORS]:
        fill_priors(desk, n)
    c, bandit, total, share = open_reals(desk)[C], d[BANDIT], 0.0, 0.0
    plain = bandit == UCB1  # which needs neither variance, nor total, nor prior
    if not plain:
        total, share = visits_here(desk, n), 1.0 / n
    best, highest, ties = 0, -math.inf, 1
    available, log_available = 1.0, 0.0  # moves are often available together: one logarithm then
    for j in range(n):
        e, visits, mean, variance, times = slots[j], 0.0, 0.0, 0.0, float(visited + 1)
        if e >= 0:
            visits, times = float(edges[e]["visits"]), float(edges[e]["available"])
        if visits > 0.0:
            mean = edges[e]["total"] / visits
            if not plain:
                variance = max(edges[e]["squares"] / visits - mean * mean, 0.0)
        if times != available:
            available, log_available = times, math.log(times)
        prior = priors[j] if d[PRIORS] else share
        here = score(bandit, visits, mean, variance, available, log_available, total, prior, c)
        if here > highest:
            best, highest, ties = j, here, 1
        elif here == highest:
            ties += 1
            if below(d[RNG], ties) == 0:
                best = j
    return best


@jit
def choose(desk: int, i: int, n: int) -> int:
    """The place of the legal move that the tree plays at node `i`.

    Smooth-UCT: the bandit's with probability eta_k, else by the average strategy
    (Bitan and Kraus 2017, Algorithm 3).
    """
    d = open_desk(desk)
    reals = open_reals(desk)
    if n == 1:
        return 0
    visited = array(d[NODE_TABLE], d[NODE_SLOTS], Node)[i]["visits"]
    if d[SMOOTH]:
        eta = max(reals[GAMMA], reals[ETA] / (1.0 + reals[DECAY] * math.sqrt(visited)))
        if uniform(d[RNG]) >= eta:
            return by_visits(desk, n)
    return by_score(desk, n, visited)
