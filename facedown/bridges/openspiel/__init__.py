"""OpenSpiel: its games here, our players there, our games there (extra `openspiel`)."""

from __future__ import annotations

import importlib
import re
from typing import TYPE_CHECKING, Any

from facedown.core import SpecError

if TYPE_CHECKING:
    from facedown.bridges.openspiel.bots import FacedownBot
    from facedown.core import Game

__all__ = ["MissingOpenSpielError", "bot", "load", "register"]

PREFIX = "openspiel:"
"""How a spec begins that names a game of OpenSpiel's; its own way to write one follows."""


class MissingOpenSpielError(SpecError):
    """OpenSpiel's games and tables want the extra `openspiel`."""


def load(spec: str) -> Game:
    """The game of OpenSpiel's that a spec names: `openspiel:leduc_poker(players=3)`.

    Worlds come from its resampler where it has a sound one, else from HyperPlay's bags.
    """
    from facedown.bridges.openspiel.games import loaded

    return loaded(spec.removeprefix(PREFIX), spec)


def bot(game: Any, agent: Any, player: int, seed: int | None = None) -> FacedownBot:
    """An agent, by its spec or class, as a bot of OpenSpiel's: `step`, `restart`, `inform_action`.

    `game` is OpenSpiel's own object, or its name there. Games of one seed are always the same.
    """
    pyspiel = spiel()
    from facedown.bridges.openspiel.bots import FacedownBot

    return FacedownBot(
        pyspiel.load_game(game) if isinstance(game, str) else game, agent, player, seed
    )


def register(game: Any, name: str | None = None) -> str:
    """Have a game of ours, or your own with compiled rules, be one of OpenSpiel's; its name there.

    That is `facedown_` and the spec, its other signs turned into underscores, or a name given.
    """
    spiel()
    from facedown.bridges.openspiel.ours import registered
    from facedown.games.registry import load_game

    ours = load_game(game)
    return registered(ours, name or "facedown_" + re.sub(r"\W+", "_", ours.spec).strip("_"))


def spiel() -> Any:
    """The module, with its games in Python registered; MissingOpenSpielError without it."""
    try:
        import pyspiel as found

        importlib.import_module("open_spiel.python.games")
    except ImportError:
        what = "games of OpenSpiel want the package open_spiel: pip install 'facedown[openspiel]'"
        raise MissingOpenSpielError(what) from None
    return found
