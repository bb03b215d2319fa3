"""What a viewer knows: his view, and the key of his information."""

from __future__ import annotations

from typing import Any

from facedown.core import jit, mix
from facedown.games.cribbage.state import RAN_OUT, THROW


@jit
def _withdrawn(s: Any, viewer: int) -> bool:
    """Whether the pone has thrown, the dealer has not, and the viewer may not know it."""
    dealer = int(s["dealer"])
    return s["stage"] == THROW and s["actor"] == dealer and viewer != 1 - dealer


def hide(t: Any, s: Any, viewer: int) -> None:
    """Blank the hands and throws of others; withdraw a pending throw."""
    if _withdrawn(s, viewer):
        pone = 1 - int(s["dealer"])
        s["left"][pone], s["actor"] = 6, pone
    for player in range(2):
        if player != viewer:
            s["held"][player] = 0
            s["thrown"][player] = 0


@jit
def _line(s: Any) -> Any:
    """A key of the play."""
    key = mix(1, int(s["n"]) * 16 + int(s["first"]))
    for half in range(2):
        code = 0
        for k in range(6 * half, 6 * half + 6):
            code = code * 64 + int(s["line"][k]) - RAN_OUT
        key = mix(key, code)
    return key


@jit
def _scores(s: Any) -> int:
    code = 0
    for player in range(2):
        code = code * 256 + int(s["score"][player])
        code = code * 256 + int(s["back"][player])
        code = code * 256 + int(s["gained"][player])
    return code


@jit
def _situation(s: Any, withdrawn: bool) -> int:
    """The small numbers of a view in one."""
    actor, left = int(s["actor"]), int(s["left"][0]) * 8 + int(s["left"][1])
    if withdrawn:
        actor, left = 1 - int(s["dealer"]), 6 * 8 + 6
    code = ((left * 4 + actor + 2) * 4 + int(s["stage"])) * 2 + int(s["dealer"])
    code = ((code * 64 + int(s["cut"]) + 1) * 32 + int(s["count"])) * 4 + int(s["gone"]) + 1
    return (code * 64 + int(s["last"][0]) + 1) * 4 + int(s["last"][1]) + 1


def infoset(t: Any, s: Any, viewer: int) -> int:
    """A key of all that a view holds."""
    key = mix(_line(s), _scores(s))
    key = mix(key, _situation(s, _withdrawn(s, viewer)))
    for player in range(2):
        key = mix(key, s["played"][player])
    for k in range(3):
        key = mix(key, s["shown"][k])
    if viewer >= 0:
        key = mix(mix(key, s["held"][viewer]), s["thrown"][viewer])
    return key  # type: ignore[no-any-return]
