"""How games that are ordinary Python classes show themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from facedown.core.pictures import text_picture

if TYPE_CHECKING:
    from facedown.core.plain import PlainRules


class PlainText:
    """How an ordinary class shows itself: by its own methods, or by its values' own text."""

    def __init__(self, rules: PlainRules) -> None:
        self._rules, self._definition = rules, rules.definition

    def move_text(self, move: int) -> str:
        """A move as people write it."""
        value = self._rules.values[move]
        own = getattr(self._definition, "move_text", None)
        return str(own(value) if own else value)

    def move_words(self, move: int) -> str:
        """A move for people to read."""
        own = getattr(self._definition, "move_words", None)
        return str(own(self._rules.values[move])) if own else self.move_text(move)

    def observation_text(self, token: int, viewer: int) -> str:
        """What a viewer has just seen."""
        value = self._rules.tokens.get(token, token)
        own = getattr(self._definition, "observation_text", None)
        return str(own(value, viewer) if own else value)

    def view_text(self, view: Any, viewer: int) -> str:
        """A view for the terminal."""
        own = getattr(self._definition, "view_text", None)
        return str(own(view, viewer) if own else view)

    def hidden_text(self, world: Any, viewer: int) -> str:
        """What a world holds that the viewer cannot see; empty: nothing is told."""
        own = getattr(self._definition, "hidden_text", None)
        return str(own(world, viewer)) if own else ""

    def hidden_facts(self, world: Any, viewer: int) -> tuple[str, ...]:
        """The same, fact by fact."""
        own = getattr(self._definition, "hidden_facts", None)
        if own is not None:
            return tuple(str(fact) for fact in own(world, viewer))
        told = self.hidden_text(world, viewer)
        return (told,) if told else ()

    def picture(self, view: Any, viewer: int) -> str:
        """A view as SVG."""
        own = getattr(self._definition, "picture", None)
        if own:
            return str(own(view, viewer))
        return text_picture(self.view_text(view, viewer).splitlines() or [""])

    def move_parts(self, view: Any, viewer: int, move: int) -> tuple[str, ...]:
        """The parts of the picture that make up a legal move of the viewer's."""
        own = getattr(self._definition, "move_parts", None)
        if own is None:
            return ()
        return tuple(str(part) for part in own(view, viewer, self._rules.values[move]))
