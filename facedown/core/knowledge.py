"""A game's own belief: what a viewer's tokens say of hidden things, beyond what they prove."""

from __future__ import annotations

from typing import Any, Protocol

from facedown.core.streams import Stream


class Knowledge(Protocol):
    """What one viewer, a player or PUBLIC, may believe, as a game keeps it for him.

    A game with compiled rules offers it by the method `knowledge(viewer)` of its definition; the
    belief `factored` makes worlds of it. It is told the viewer's tokens from the start of a game,
    and never anything else.
    """

    def observe(self, token: int) -> None:
        """Advance it by a token; ValueError where nothing that it held for possible agrees."""

    def fill(self, worlds: Any, stream: Stream) -> int:
        """Draw anew what it knows about, in worlds of one view, an array of records; in how many.

        They come from `determinize`. A world in which no draw fits the rest is left as it is.
        """

    def told(self, view: Any) -> list[tuple[str, float]]:
        """What the record of the viewer's view hides, in words, and how likely it is."""
