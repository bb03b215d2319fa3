"""The rule files that come with facedown, by name; each says in its first lines what it is."""

from __future__ import annotations

from pathlib import Path

from facedown.core.errors import SpecError

_FOLDER = Path(__file__).parent


def names() -> list[str]:
    """The names of the games, in order.

    >>> "monty-hall" in names()
    True
    """
    return sorted(file.stem for file in _FOLDER.glob("*.kif"))


def find(text: str) -> Path:
    """The rule file at a path, or the library's of this name."""
    if text in names():
        return _FOLDER / f"{text}.kif"
    path = Path(text)
    try:
        found = path.exists()
    except (OSError, ValueError):  # such as a name with a zero byte, or one that is too long
        found = False
    if found:
        return path
    known = ", ".join(names())
    raise SpecError(f"no rule file {text!r}, and none of this name in the library: {known}")


def summary(name: str) -> str:
    """The first sentence that a rule file of the library says of itself.

    >>> summary("tic-tac-toe")
    'noughts and crosses on three by three, crosses begin, three in a line win'
    """
    words: list[str] = []
    for line in (_FOLDER / f"{name}.kif").read_text(encoding="utf-8").splitlines():
        if not line.removeprefix(";;;").strip():
            break
        words.append(line.removeprefix(";;;").strip())
    text = " ".join(words).partition(". ")[0].removesuffix(".")
    return text.partition(": ")[2]
