"""The small steps of the search: worlds, keys, moves beyond the tree."""

from __future__ import annotations

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
    open_moves,
)
from facedown.core.streams import below, mix, tag, uniform
from facedown.search.kinds import by_policy
from facedown.search.recipe import Identity, Labels
from facedown.search.sight import (
    NOBODYS,
    begin_memos,
    look,
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
    open_histories,
    open_sights,
    open_starts,
    open_state,
)

FULL, SINGLE = int(Identity.FULL), int(Identity.SINGLE)
MULTI, MANY = int(Identity.MULTI), int(Identity.MANY)
BUCKET, OWN_BUCKET = int(Identity.BUCKET), int(Identity.OWN_BUCKET)
LABEL_ROOT, LABEL_TREE = int(Labels.ROOT), int(Labels.TREE)
MOST_DRAWS = 1000  # of worlds, for one with the secret that is wanted
MOST_TRIES = 64  # of the game's policy, for a move other than the reply that was foreseen


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
