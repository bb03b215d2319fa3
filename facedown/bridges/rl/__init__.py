"""Any game as an environment of PettingZoo or Gymnasium, for programs that learn (extra `rl`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from facedown.bridges.rl.encoding import Encode
from facedown.core import SpecError

if TYPE_CHECKING:
    from facedown.bridges.rl.aec import FacedownAEC
    from facedown.bridges.rl.single import FacedownEnv

__all__ = ["MissingRLError", "aec_env", "gym_env"]


class MissingRLError(SpecError):
    """Environments want the extra `rl`."""


def aec_env(
    game: Any,
    *,
    places: bool | None = None,
    encode: Encode | None = None,
    render_mode: str | None = None,
) -> FacedownAEC:
    """A game as PettingZoo's AEC environment: every player is an agent, `player_0` the first.

    A game is a spec, a class, an object or a Game. An action is the number of a move or, with
    `places`, its place among the legal ones; None: numbers where they are fixed and at most 4,096.
    `encode(record, player)` turns a view's record into the numbers of an observation, always as
    many; without it they are the record's own. `render_mode="ansi"` shows views as text.
    """
    try:
        from facedown.bridges.rl.aec import FacedownAEC
    except ImportError:
        raise _missing("PettingZoo") from None
    return FacedownAEC(game, places=places, encode=encode, render_mode=render_mode)


def gym_env(
    game: Any,
    opponents: Sequence[Any] = ("random",),
    seat: int = 0,
    *,
    places: bool | None = None,
    encode: Encode | None = None,
    render_mode: str | None = None,
) -> FacedownEnv:
    """One player's game as a Gymnasium environment: agents of the house play the others.

    `opponents` are specs or classes of agents: one for all the other players, or one for each, in
    the order of their seats. The rest is as for `aec_env`.
    """
    try:
        from facedown.bridges.rl.single import FacedownEnv
    except ImportError:
        raise _missing("Gymnasium") from None
    return FacedownEnv(game, opponents, seat, places=places, encode=encode, render_mode=render_mode)


def _missing(what: str) -> MissingRLError:
    return MissingRLError(f"this environment wants {what}: pip install 'facedown[rl]'")
