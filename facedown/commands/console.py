"""A console of Rich's that obeys nothing in the texts that it is given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from facedown.shown import shown


class PlainConsole(Console):
    """Shows control characters of names, errors and moves, which may come from anywhere.

    What Rich itself says to the terminal (colours, a bar that moves) is no text, and passes.
    """

    def render_str(self, text: str, **options: Any) -> Text:
        """A string as a text, with nothing in it to obey."""
        return super().render_str(shown(text), **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The pieces of anything else."""
        for piece in super().render(renderable, options):
            plain = piece.text if piece.control else shown(piece.text)
            yield piece if plain == piece.text else Segment(plain, piece.style)
