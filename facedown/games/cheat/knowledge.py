"""What a viewer knows: his view, and the key of his information."""

from __future__ import annotations

from typing import Any

from facedown.core import jit, mix
from facedown.games.cheat.cards import NONE
from facedown.games.cheat.state import (
    PILE,
    STOCK,
    TAKE,
    is_claim,
    laid_at,
    mover,
    mover_of,
    unseen,
)


@jit
def _withdrawn(s: Any, viewer: int) -> bool:
    """Whether chance is drawing cards for a choice that the viewer does not see yet."""
    return s["doing"] != NONE and viewer != mover(s)


def hide(v: Any, s: Any, viewer: int) -> None:
    """Blank the others' cards, the truth of their claims since the last call, what they took; and
    take back a choice for which chance has not drawn all cards."""
    if _withdrawn(s, viewer):
        s["laid"][s["n"]] = 0
        s["doing"], s["owed"], s["actor"] = NONE, 0, mover(s)
    for player in range(2):
        if player != viewer:
            s["cards"][player] = 0
    s["cards"][PILE], s["cards"][STOCK] = 0, 0
    since = int(s["since"])
    for k in range(int(s["n"])):
        if mover_of(s, k) != viewer:
            code = int(s["line"][k])
            if code == TAKE:
                s["laid"][k] = 0
            elif k >= since and is_claim(code):
                s["line"][k], s["laid"][k] = unseen(code), 0


@jit
def _rounds(s: Any, viewer: int) -> Any:
    """A key of what the viewer has seen of all rounds."""
    key, since = mix(1, int(s["n"])), int(s["since"])
    for k in range(int(s["n"])):
        code, laid = int(s["line"][k]), laid_at(s, k)
        if mover_of(s, k) != viewer:
            if code == TAKE:
                laid = 0
            elif k >= since and is_claim(code):
                code, laid = unseen(code), 0
        key = mix(key, laid * 64 + code)
    return key


@jit
def _situation(s: Any, viewer: int) -> int:
    """The small numbers of a view in one."""
    actor, doing, owed, laid = int(s["actor"]), NONE, 0, 0
    if _withdrawn(s, viewer):
        actor = mover(s)
    elif s["doing"] != NONE:
        doing, owed, laid = int(s["doing"]), int(s["owed"]), laid_at(s, s["n"])
    code = ((actor + 2) * 4 + int(s["first"]) + 1) * 16 + int(s["turned"]) + 1
    code = (code * 64 + int(s["size"][0])) * 64 + int(s["size"][1])
    return ((code * 32 + doing + 1) * 8 + owed) * 65536 + laid


def infoset(v: Any, s: Any, viewer: int) -> int:
    """A key of all that a view holds."""
    key = mix(_rounds(s, viewer), _situation(s, viewer))
    if viewer >= 0:
        key = mix(key, s["cards"][viewer])
    return key  # type: ignore[no-any-return]
