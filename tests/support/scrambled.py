"""Rule files by any other names."""

from __future__ import annotations

import re

from facedown.core import Stream

KEYWORDS = {
    *("role", "init", "true", "next", "legal", "does", "sees", "goal", "terminal", "distinct"),
    *("not", "or", "and", "<=", "random", "base", "input"),
}


def scrambled(text: str, seed: int) -> str:
    """Rules in which every name that means nothing to GDL is another one, numbers too.

    But for the numbers of goals, which are what they say.
    """
    text = re.sub(r";[^\n]*", "", text)
    worth = set(re.findall(r"\(goal\s+\S+\s+(\d+)\)", text))
    names = {name for name in re.findall(r"[^\s()]+", text) if not name.startswith("?")}
    old = sorted(names - KEYWORDS - worth)
    new = [f"w{k}" for k in range(len(old))]
    Stream(seed).shuffle(new)
    other = dict(zip(old, new, strict=True))
    return re.sub(r"[^\s()]+", lambda found: other.get(found[0], found[0]), text)
