"""The rule files that come with facedown, by name; each says in its first lines what it is."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from facedown.core.errors import SpecError
from facedown.core.files import make_folder, write_whole
from facedown.core.places import data_folder

_FOLDER = Path(__file__).parent
_KEPT = re.compile(r"[a-z0-9-]{1,40}-[0-9a-f]{16}")
_MOST_KEPT = 1000  # files of others', so that nobody fills the disk


def names() -> list[str]:
    """The names of the games, in order.

    >>> "monty-hall" in names()
    True
    """
    return sorted(file.stem for file in _FOLDER.glob("*.kif"))


def find(text: str) -> Path:
    """The rule file at a path, or of this name in the library or among those kept.

    A path may be written as the game that it is, `gdl:path/to/file.kif`.
    """
    text = text.removeprefix("gdl:")
    if text in names():
        return _FOLDER / f"{text}.kif"
    if is_kept(text):
        return _place(text)
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


def keep(rules: bytes, called: str) -> str:
    """Keep a rule file in the user's data folder, for good; the name that it is found by.

    The name says what it is called and has a digest of it: the same file is kept once.
    """
    words = "-".join(re.findall(r"[a-z0-9]+", called.lower()))[:40].strip("-") or "rules"
    name = f"{words}-{hashlib.sha256(rules).hexdigest()[:16]}"
    place = _place(name)
    if not place.is_file():
        make_folder(place.parent)
        if sum(1 for _ in place.parent.glob("*.kif")) >= _MOST_KEPT:
            raise SpecError(f"{_MOST_KEPT:,} rule files are kept already; nobody cleared them away")
        write_whole(place, rules)
    return name


def is_kept(name: str) -> bool:
    """Whether a rule file was kept by this name."""
    return _KEPT.fullmatch(name) is not None and _place(name).is_file()


def _place(name: str) -> Path:
    return data_folder() / "rules" / f"{name}.kif"
