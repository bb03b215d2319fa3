"""Games from rule files: `load` gives the fastest kind that the rules allow."""

from __future__ import annotations

from facedown.core import Game
from facedown.core.compiled import build
from facedown.core.plain import adapt
from facedown.gdl.checks import checked
from facedown.gdl.errors import LimitError
from facedown.gdl.game import NetworkGame
from facedown.gdl.ground import Limits
from facedown.gdl.library import find
from facedown.gdl.lifted_game import lifted_game
from facedown.gdl.reader import read_file
from facedown.gdl.syntax import Description


def load(text: str, spec: str) -> Game:
    """The game of a rule file, given by its path or its name in the library."""
    return game_of(checked(read_file(find(text))), spec)


def game_of(description: Description, spec: str, limits: Limits | None = None) -> Game:
    """The game that rules describe: by a network, or lifted where grounding hits the limits."""
    try:
        return build(NetworkGame(description, limits), spec)
    except LimitError as error:
        return adapt(lifted_game(description, str(error)), spec)
