"""Rules by other names, so that players cannot know a game by its words."""

from __future__ import annotations

import re
from itertools import product

from facedown.core.streams import Stream, derive
from facedown.gdl.syntax import Compound, Term, Variable

KEYWORDS = {
    *("role", "init", "true", "next", "legal", "does", "sees", "goal", "terminal", "distinct"),
    *("not", "or", "and", "<=", "random", "base", "input", "nil"),
}
"""Words that mean something to GDL, or to managers."""

_WORD = re.compile(r"[^\s()]+")
_FIRST, _SECOND = "bdfgklmnprstvz", "aeiou"


def _words() -> list[str]:
    """Words that nobody has heard before."""
    parts = ["".join(part) for part in product(_FIRST, _SECOND)]
    return ["".join(pair) for pair in product(parts, parts)]


class Scrambling:
    """Names of rules for others, and back. Variables, numbers and keywords are left as they are."""

    def __init__(self, sheet: str, seed: int) -> None:
        known = dict.fromkeys(word for word in _WORD.findall(sheet) if _is_name(word))
        found = [word for word in _words() if word not in known and word not in KEYWORDS]
        Stream(derive(seed, "scramble")).shuffle(found)
        found += [f"word{k}" for k in range(len(known) - len(found))]
        self._there = dict(zip(known, found, strict=False))
        self._back = {new: old for old, new in self._there.items()}

    def rules(self, sheet: str) -> str:
        """Rules as players get them."""
        return _WORD.sub(lambda found: self._there.get(found[0], found[0]), sheet)

    def there(self, term: Term) -> Term:
        """A term as players get it."""
        return _renamed(term, self._there)

    def back(self, term: Term) -> Term:
        """A player's term as the rules have it; a word that no player was sent stays."""
        return _renamed(term, self._back)


class Plain(Scrambling):
    """No scrambling: every name is its own."""

    def __init__(self) -> None:
        super().__init__("", 0)


def _is_name(word: str) -> bool:
    number = word.lstrip("+-").isdigit()
    return word not in KEYWORDS and not word.startswith("?") and not number


def _renamed(term: Term, names: dict[str, str]) -> Term:
    if isinstance(term, Compound):
        return Compound(
            names.get(term.name, term.name), tuple(_renamed(a, names) for a in term.args)
        )
    return term if isinstance(term, Variable) else names.get(term, term)
