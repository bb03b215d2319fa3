"""Records, rules as functions with addresses, random streams, the compile cache."""

from facedown.core.compiled import CompiledGame
from facedown.core.constants import CHANCE, NOTHING, OVER, PUBLIC
from facedown.core.errors import FacedownError, RuleError, SpecError
from facedown.core.game import Game, Position
from facedown.core.jit import jit
from facedown.core.learning import Traits
from facedown.core.lessons import Question
from facedown.core.memo import Memo, Memos
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
