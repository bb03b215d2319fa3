"""What players see of a move made in the tree, and what they remember of it.

A *memo* is what a viewer's tokens have proven (the rule `remember`). The searcher's own comes with
the search; what another player knows beyond the public the searcher cannot tell, so that one's
begins as the public's. Each iteration begins with these, and a move in the tree advances them by
the token that its owner gets, where the search asks rules that take them: `bucket`, `prior` and
`traits`. A search whose nodes are the searcher's (SINGLE, OWN_BUCKET) keeps the searcher's memo
alone, whoever acts. Playouts advance nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from facedown.core.jit import jit
from facedown.core.records import array
from facedown.core.rules import TOKENS, call_remember, call_sees, call_tokens, call_turn, has
from facedown.search.recipe import Identity
from facedown.search.state import open_sights, open_state

if TYPE_CHECKING:
    from facedown.core import Game
    from facedown.search.recipe import Recipe

NOBODYS, SEARCHERS, EVERYBODYS = range(3)  # whose memos are kept along the tree


def memos_kept(game: Game, recipe: Recipe) -> int:
    """Whose memos a search keeps along its tree: only such as it hands to rules."""
    own = recipe.identity in (Identity.SINGLE, Identity.OWN_BUCKET)
    asks = (
        recipe.priors or recipe.network or recipe.identity in (Identity.BUCKET, Identity.OWN_BUCKET)
    )
    if not game.rules.memo_size or not asks:
        return NOBODYS
    return SEARCHERS if own else EVERYBODYS


@jit
def look(state: int, move: int) -> None:
    """Note what every player sees of `move`; the public too where the game tells all at once."""
    s = open_state(state)
    play = s["play"]
    if has(state, TOKENS):
        call_tokens(state, play["ctx"], play["world"], move, s["buffers"]["sights"])
        return
    sights = open_sights(state, play["players"])
    for p in range(play["players"]):
        sights[p] = call_sees(state, play["ctx"], play["world"], move, p)


@jit
def begin_memos(state: int) -> None:
    """Every memo that is kept as it is at the root."""
    s = open_state(state)
    n = s["play"]["players"] * s["memory"]["words"]
    memos = array(s["buffers"]["memos"], n, np.int64)
    root = array(s["buffers"]["root_memos"], n, np.int64)
    for k in range(n):
        memos[k] = root[k]


@jit
def memo_of(state: int, player: int) -> int:
    """The memo that rules get where `player` acts."""
    s = open_state(state)
    memory = s["memory"]
    owner = s["settings"]["me"] if memory["kept"] == SEARCHERS else player
    return s["buffers"]["memos"] + 8 * memory["words"] * owner  # type: ignore[no-any-return]


@jit
def memo_here(state: int) -> int:
    """The memo that rules get where the world stands."""
    play = open_state(state)["play"]
    if open_state(state)["memory"]["kept"] == NOBODYS:
        return 0
    return memo_of(state, call_turn(state, play["ctx"], play["world"]))


@jit
def root_memo(state: int, viewer: int) -> int:
    """The memo with which a viewer, the searcher or PUBLIC, came to the root."""
    s = open_state(state)
    place = viewer if viewer >= 0 else s["play"]["players"]
    return s["buffers"]["root_memos"] + 8 * s["memory"]["words"] * place  # type: ignore[no-any-return]


@jit
def remember_move(state: int, move: int) -> None:
    """Advance the memos that are kept by what their owners see of `move`, before it is played."""
    s = open_state(state)
    play, me = s["play"], s["settings"]["me"]
    if s["memory"]["kept"] == SEARCHERS:
        _remember(state, call_sees(state, play["ctx"], play["world"], move, me), me)
        return
    look(state, move)
    sights = open_sights(state, play["players"])
    for p in range(play["players"]):
        _remember(state, sights[p], p)


@jit
def _remember(state: int, token: Any, player: int) -> None:
    """What is seen as nothing leaves a memo as it is."""
    if token != np.uint64(0):
        ctx = open_state(state)["play"]["ctx"]
        call_remember(state, ctx, memo_of(state, player), token, player)
