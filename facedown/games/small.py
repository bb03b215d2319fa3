"""What the small games share: their words, scripted player and picture are modules beside them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, ClassVar

from facedown.core import CompiledGame, Stream


class SmallGame(CompiledGame):
    """A game without options, in a package with modules `text`, `scripted` and `picture`.

    `package` is that package's name, and `names` are those of its moves, in the order of their
    numbers.
    """

    package: ClassVar[str]
    names: ClassVar[Sequence[str]]

    def move_text(self, move: int) -> str:
        return self.names[move]

    def observation_text(self, token: int, viewer: int) -> str:
        return str(_part(self, "text").observation_text(token))

    def view_text(self, view: Any, viewer: int) -> str:
        return str(_part(self, "text").view_text(view, viewer))

    def hidden_text(self, world: Any, viewer: int) -> str:
        return str(_part(self, "text").hidden_text(world, viewer))

    def hidden_facts(self, world: Any, viewer: int) -> tuple[str, ...]:
        own = getattr(_part(self, "text"), "hidden_facts", None)
        return super().hidden_facts(world, viewer) if own is None else tuple(own(world, viewer))

    def picture(self, view: Any, viewer: int) -> str:
        return str(_part(self, "picture").picture(view, viewer))

    def move_parts(self, view: Any, viewer: int, move: int) -> tuple[str, ...]:
        parts: tuple[str, ...] = _part(self, "picture").move_parts(view, viewer, move)
        return parts

    def scripted(self, view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
        return int(_part(self, "scripted").choose(view, player, legal, stream))


def _part(game: SmallGame, name: str) -> Any:
    """A module of the game's package; a picture's is loaded when the first is drawn."""
    return import_module(f"{game.package}.{name}")
