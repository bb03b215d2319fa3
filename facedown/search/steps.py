"""The small steps of the search: worlds, keys, moves beyond the tree, scores."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from facedown.core.constants import CHANCE
from facedown.core.jit import jit
from facedown.core.records import array
from facedown.core.rules import (
    SUPPOSE,
    call_bucket,
    call_determinize,
    call_infoset,
    call_prior,
    call_secret,
    call_sees,
    call_turn,
    has,
)
from facedown.core.stepping import (
    alarmed,
    by_average,
    copy_position,
    draw_chance,
    list_legal,
    normalize,
    open_moves,
    open_numbers,
)
from facedown.core.streams import below, mix, pick, tag, uniform
from facedown.search.bandits import UCB1, UCT, Statistics, score
from facedown.search.recipe import Identity, Labels
from facedown.search.scored import fill_network_priors
from facedown.search.sight import (
    NOBODYS,
    begin_memos,
    look,
    memo_here,
    memo_of,
    remember_move,
    root_memo,
)
from facedown.search.state import (
    AWAITED,
    BY_RULE,
    BY_SECRET,
    BY_WEIGHT,
    FORETOLD,
    IN_TURN,
    open_edges,
    open_histories,
    open_index,
    open_nodes,
    open_sights,
    open_slots,
    open_starts,
    open_state,
    open_where,
)
from facedown.search.tables import find_edge
from facedown.search.typed import by_policy, fill_kind_priors

FULL, SINGLE = int(Identity.FULL), int(Identity.SINGLE)
MULTI, MANY = int(Identity.MULTI), int(Identity.MANY)
BUCKET, OWN_BUCKET = int(Identity.BUCKET), int(Identity.OWN_BUCKET)
LABEL_ROOT, LABEL_TREE = int(Labels.ROOT), int(Labels.TREE)
FEW = 4  # legal moves that are compared one by one
MOST_DRAWS = 1000  # of worlds, for one with the secret that is wanted
MOST_TRIES = 64  # of the game's policy, for a move other than the reply that was foreseen
WALK = 6  # a node with more edges than this, and than legal moves, is looked up in the index
LARGE = 1 << 16  # so is one of so many edges in all: beyond the cache, a list is a chain of waits


# --- worlds ------------------------------------------------------------------------------------


@jit
def put_world(state: int, w: int) -> None:
    """Copy the `w`-th of the worlds at hand to where the rules work on it, and fill in the rest."""
    s = open_state(state)
    play, worlds = s["play"], s["worlds"]
    copy_position(state, play["world"], worlds["pool"] + w * worlds["stride"])
    if worlds["sampler"] in (BY_RULE, BY_SECRET):
        memo = root_memo(state, worlds["viewer"])
        call_determinize(state, play["ctx"], play["world"], memo, worlds["viewer"], worlds["rng"])


@jit
def put_secret(state: int, w: int) -> Any:
    """Put a world whose secret is the `w`-th label, drawn until there is one; its label.

    For games that cannot suppose a label. After many draws in vain it is whatever came last: a
    label must not stop a search.
    """
    s = open_state(state)
    play, worlds = s["play"], s["worlds"]
    wanted = array(worlds["labels"], worlds["size"], np.uint64)[w]
    found = wanted
    for _ in range(MOST_DRAWS):
        put_world(state, w)
        found = np.uint64(call_secret(state, play["ctx"], play["world"], s["settings"]["me"]))
        if found == wanted or alarmed(state):
            break
    return found


@jit
def fix_chance(state: int, w: int) -> None:
    """Have chance draw in this world what it drew there before, as from a pack in one order."""
    s = open_state(state)
    worlds = s["worlds"]
    if worlds["sampler"] in (BY_RULE, BY_SECRET):  # a world of its own in every iteration
        w = s["counts"]["iterations"]
    array(s["play"]["chance"], 1, np.uint64)[0] = mix(worlds["pack"], np.uint64(w))


@jit
def place_world(state: int) -> Any:
    """Put the iteration's world where the rules work on it; its label."""
    s = open_state(state)
    worlds = s["worlds"]
    w, sampler, size = 0, worlds["sampler"], worlds["size"]
    if sampler in (IN_TURN, BY_SECRET):
        w = s["counts"]["iterations"] % size
    elif sampler == BY_WEIGHT and size > 1:
        cumulative = array(worlds["cumulative"], size, np.float64)
        point = uniform(worlds["rng"]) * cumulative[size - 1]
        w = min(np.searchsorted(cumulative, point, side="right"), size - 1)
    if worlds["pack"] != 0:
        fix_chance(state, w)
    if sampler == BY_SECRET and not has(state, SUPPOSE):
        return put_secret(state, w)
    put_world(state, w)
    return array(worlds["labels"], size, np.uint64)[w]


# --- what a node's key is made of ----------------------------------------------------------------


@jit
def begin_histories(state: int, label: Any) -> None:
    """Every player's history at the root, and memo: what the keys of its nodes grow from."""
    s = open_state(state)
    play, settings = s["play"], s["settings"]
    players = play["players"]
    histories, starts = open_histories(state, players + 2), open_starts(state, players)
    for p in range(players):
        start = starts[p]
        if settings["identity"] == MANY:
            start = mix(start, call_infoset(state, play["ctx"], play["world"], p))
        if settings["labels"] == LABEL_TREE:
            start = mix(start, label)
        histories[p] = start
        if p == settings["me"]:
            histories[players + 1] = start
    if s["memory"]["kept"] != NOBODYS:
        begin_memos(state)


@jit
def extend_histories(state: int, move: int) -> None:
    """The histories after `move`, as each owner sees it; what is seen as nothing adds nothing.

    So are the memos, where any are kept.
    The full history lies in the first place, the searcher's observations in the searcher's.
    """
    s = open_state(state)
    play, identity = s["play"], s["settings"]["identity"]
    players = play["players"]
    histories = open_histories(state, players)
    if identity == FULL:
        histories[0] = mix(histories[0], np.uint64(move + 1))
    elif identity == SINGLE:
        me = s["settings"]["me"]
        token = call_sees(state, play["ctx"], play["world"], move, me)
        if token != np.uint64(0):
            histories[me] = mix(histories[me], token)
    elif identity in (MULTI, MANY):
        sights = open_sights(state, players)
        look(state, move)
        for p in range(players):
            if sights[p] != np.uint64(0):
                histories[p] = mix(histories[p], sights[p])
    if s["memory"]["kept"] != NOBODYS:
        remember_move(state, move)


@jit
def node_key(state: int, player: int, label: Any, mine: bool) -> Any:
    """The key of the node at which `player` acts; `mine`: the searcher's first decision."""
    s = open_state(state)
    play, settings = s["play"], s["settings"]
    identity = settings["identity"]
    histories = open_histories(state, play["players"])
    if identity in (BUCKET, OWN_BUCKET):
        apart = label if settings["labels"] == LABEL_TREE else np.uint64(0)
        viewer, memo = settings["me"] if identity == OWN_BUCKET else player, memo_of(state, player)
        key = mix(call_bucket(state, play["ctx"], play["world"], memo, viewer), apart)
    elif identity == FULL:
        key = histories[0]
    elif identity == SINGLE:
        key = histories[settings["me"]]
    else:
        key = histories[player]
    key = tag(key, np.uint64(player + 1))
    if mine and settings["labels"] == LABEL_ROOT:
        key = mix(key, label)
    return key


# --- moves beyond the tree -----------------------------------------------------------------------


@jit
def legal_here(state: int) -> int:
    """List the legal moves of the player who acts; how many. None, or too many, raises the alarm.

    Where it is drawn whether a reply comes that was foreseen, those that agree with that.
    """
    s = open_state(state)
    n = list_legal(state, s["play"]["world"])
    return keep_reply(state, n) if s["reply"]["stage"] > AWAITED else n


@jit
def keep_reply(state: int, n: int) -> int:
    """Keep of the legal moves the reply that was foreseen, or all but it; how many."""
    reply = open_state(state)["reply"]
    moves, kept = open_moves(state, n), 0
    for j in range(n):
        if (moves[j] == reply["move"]) == (reply["stage"] == FORETOLD):
            moves[kept] = moves[j]
            kept += 1
    return kept


@jit
def default_move(state: int) -> int:
    """A player's move beyond the tree: by a policy, or any legal one."""
    s = open_state(state)
    play, reply = s["play"], s["reply"]
    if (play["informed"] or play["typed"]) and reply["stage"] != FORETOLD:
        for _ in range(MOST_TRIES):
            move = by_policy(state)
            if reply["stage"] <= AWAITED or move != reply["move"]:
                return move
    n = legal_here(state)
    moves = open_moves(state, play["most_moves"])
    if play["averages"] != 0 and n > 0:
        player = call_turn(state, play["ctx"], play["world"])
        return by_average(state, player, play["rng"], moves, n)
    return np.int64(moves[below(play["rng"], n)])  # type: ignore[return-value]


@jit
def beyond(state: int, player: int) -> int:
    """The move of whoever acts where no tree is asked, chance by its weights."""
    play = open_state(state)["play"]
    if player == CHANCE:
        return draw_chance(state, play["world"], play["chance"])
    return default_move(state)


# --- moves in the tree ---------------------------------------------------------------------------


@jit
def match_edges(state: int, i: int, n: int, counts: bool) -> int:
    """Find the edge of each of the `n` legal moves, -1 where it is new; how many are not.

    `counts`: the legal ones were available once more.
    """
    width = open_nodes(state)[i]["width"]
    if width > WALK and (width > n or open_state(state)["tree"]["edges"] > LARGE):
        return _look_up(state, i, n, counts)
    return _walk(state, i, n, counts)


@jit
def _look_up(state: int, i: int, n: int, counts: bool) -> int:
    """`match_edges` by the index, for a node with many edges."""
    number = np.int64(open_nodes(state)[i]["number"])
    edges, index = open_edges(state), open_index(state)
    moves, slots = open_moves(state, n), open_slots(state, n)
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
def _walk(state: int, i: int, n: int, counts: bool) -> int:
    """`match_edges` along the node's list."""
    edges, moves, slots = open_edges(state), open_moves(state, n), open_slots(state, n)
    where = open_where(state, open_state(state)["play"]["all_moves"])
    for j in range(n):
        slots[j] = -1
        if n > FEW:
            where[moves[j]] = j
    known, e = 0, open_nodes(state)[i]["head"]
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
def keep_known(state: int, n: int) -> int:
    """Keep of the legal moves only those that have an edge; how many."""
    moves, slots, kept = open_moves(state, n), open_slots(state, n), 0
    for j in range(n):
        if slots[j] >= 0:
            moves[kept], slots[kept] = moves[j], slots[j]
            kept += 1
    return kept


@jit
def untried(state: int, n: int, known: int) -> int:
    """The place of a legal move that has no edge yet, each as likely."""
    slots = open_slots(state, n)
    skip, j = below(open_state(state)["play"]["rng"], n - known), 0
    while slots[j] >= 0 or skip > 0:
        if slots[j] < 0:
            skip -= 1
        j += 1
    return j


@jit
def by_visits(state: int, n: int) -> int:
    """A legal move's place drawn in proportion to visits (the average strategy); any if none."""
    edges, slots, numbers = open_edges(state), open_slots(state, n), open_numbers(state, n)
    rng, total = open_state(state)["play"]["rng"], 0.0
    for j in range(n):
        numbers[j] = float(edges[slots[j]]["visits"]) if slots[j] >= 0 else 0.0
        total += numbers[j]
    return below(rng, n) if total == 0.0 else pick(rng, numbers, n)


@jit
def fill_priors(state: int, i: int, n: int) -> None:
    """The prior of each legal move at node `i`, summing to 1 over what is legal in this world.

    But for a network's without mu, which sum to less.
    """
    s = open_state(state)
    if s["scored"]["network"] != 0:
        fill_network_priors(state, i, n)
        if s["scored"]["mu"] == 0:
            return
    elif s["settings"]["kind_priors"] != 0:
        fill_kind_priors(state, n)
    else:
        play, memo = s["play"], memo_here(state)
        call_prior(state, play["ctx"], play["world"], memo, play["moves"], n, play["numbers"])
    normalize(open_numbers(state, n), n)


@jit
def visits_here(state: int, n: int) -> float:
    """How often the legal moves were played here, together."""
    edges, slots, total = open_edges(state), open_slots(state, n), 0.0
    for j in range(n):
        if slots[j] >= 0:
            total += edges[slots[j]]["visits"]
    return total


@jit
def by_score(state: int, i: int, n: int) -> int:
    """The place of the legal move with the highest score at node `i`; ties broken at random."""
    s = open_state(state)
    edges, slots, priors = open_edges(state), open_slots(state, n), open_numbers(state, n)
    visited = open_nodes(state)[i]["visits"]
    settings, total, share, node_visits = s["settings"], 0.0, 0.0, float(visited)
    c, bandit, informed = settings["c"], settings["bandit"], settings["priors"] != 0
    if informed:
        fill_priors(state, i, n)
    plain = bandit in (UCB1, UCT)  # which need neither variance, nor total, nor prior
    if not plain:
        total, share = visits_here(state, n), 1.0 / n
    log_node = math.log(node_visits) if bandit != UCB1 and visited > 0 else 0.0
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
        prior = priors[j] if informed else share
        move = Statistics(
            visits, mean, variance, available, log_available, total,
            node_visits, log_node, prior, c,
        )  # fmt: skip
        here = score(bandit, move)
        if here > highest:
            best, highest, ties = j, here, 1
        elif here == highest:
            ties += 1
            if below(s["play"]["rng"], ties) == 0:
                best = j
    return best


@jit
def choose(state: int, i: int, n: int) -> int:
    """The place of the legal move that the tree plays at node `i`.

    Smooth-UCT: the bandit's with probability eta_k, else by the average strategy
    (Bitan and Kraus 2017, Algorithm 3).
    """
    s = open_state(state)
    settings = s["settings"]
    if n == 1:
        return 0
    if settings["smooth"]:
        visited = open_nodes(state)[i]["visits"]
        shrunk = settings["eta"] / (1.0 + settings["decay"] * math.sqrt(visited))
        if uniform(s["play"]["rng"]) >= max(settings["gamma"], shrunk):
            return by_visits(state, n)
    return by_score(state, i, n)
