"""What is wrong with a rule file, and where."""

from __future__ import annotations

from facedown.core.errors import SpecError
from facedown.gdl.syntax import Place

_SHOWN = 60  # characters of the offending text in a message


class GdlError(SpecError):
    """A rule file that cannot be meant: `source:line:column: words: offending text`."""

    def __init__(self, source: str, place: Place, words: str, text: str = "") -> None:
        self.source, self.place, self.words, self.text = source, place, words, clipped(text)
        shown = f": {self.text}" if self.text else ""
        super().__init__(f"{source}:{place.line}:{place.column}: {words}{shown}")


class LimitError(SpecError):
    """Rules whose consequences outgrow a limit on facts, term depth, time or steps."""


def clipped(text: str) -> str:
    """The beginning of a text on one line, short enough for a message."""
    words = " ".join(text[: 4 * _SHOWN].split())
    words = "".join(letter if letter.isprintable() else "?" for letter in words)
    return words if len(words) <= _SHOWN else words[: _SHOWN - 3] + "..."
