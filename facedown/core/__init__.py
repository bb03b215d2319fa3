"""Records, rules as functions with addresses, random streams, the compile cache.

Errors and constants are there at once. What brings Numba with it is imported when it is first asked
for, so that commands which play nothing start fast.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from facedown.core.constants import CHANCE, NOTHING, OVER, PUBLIC
from facedown.core.errors import FacedownError, RuleError, SpecError

if TYPE_CHECKING:
    from facedown.core.compiled import CompiledGame
    from facedown.core.game import Game
    from facedown.core.jit import jit
    from facedown.core.learning import Traits
    from facedown.core.lessons import Question
    from facedown.core.memo import Memo, Memos
    from facedown.core.position import Position
    from facedown.core.records import array, from_text, to_text, view
    from facedown.core.sets import lowest
    from facedown.core.streams import Stream, below, bits, derive, mix, pick, uniform

__all__ = [
    "CHANCE",
    "NOTHING",
    "OVER",
    "PUBLIC",
    "CompiledGame",
    "FacedownError",
    "Game",
    "Memo",
    "Memos",
    "Position",
    "Question",
    "RuleError",
    "SpecError",
    "Stream",
    "Traits",
    "array",
    "below",
    "bits",
    "derive",
    "from_text",
    "jit",
    "lowest",
    "mix",
    "pick",
    "to_text",
    "uniform",
    "view",
]

_HOMES = {
    "CompiledGame": "compiled",
    "Game": "game",
    "Position": "position",
    "jit": "jit",
    "Question": "lessons",
    "Traits": "learning",
    "Memo": "memo",
    "Memos": "memo",
    "array": "records",
    "from_text": "records",
    "to_text": "records",
    "view": "records",
    "lowest": "sets",
    "Stream": "streams",
    "below": "streams",
    "bits": "streams",
    "derive": "streams",
    "mix": "streams",
    "pick": "streams",
    "uniform": "streams",
}
"""The module of the core that a name lives in."""


def __getattr__(name: str) -> Any:
    """Import a name when it is first used."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'facedown.core' has no attribute {name!r}")
    found = getattr(importlib.import_module(f"facedown.core.{home}"), name)
    globals()[name] = found
    return found


class _Core(ModuleType):
    """`jit` is the function, though Python would put the module of its name there once it loads."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "jit" and isinstance(value, ModuleType):
            value = value.jit
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Core
