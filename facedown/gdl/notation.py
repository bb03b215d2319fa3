"""Rule files in notations that others use, told by their look; only KIF is read."""

from __future__ import annotations

import re

_WORDS = "role|init|legal|next|goal|true|does|sees|base|input"
_FUNCTIONAL = re.compile(rf"(?<![\w(?])(?:{_WORDS})\(", re.IGNORECASE)
_KIF = re.compile(rf"\(\s*(?:<=|{_WORDS})\s", re.IGNORECASE)
_COMMENT = re.compile(r";[^\n\r]*")
_WANTED = "rules in KIF are wanted, (<= head body ...) and (role name)"


def other_notation(text: str) -> tuple[str, int] | None:
    """What a text is that is not in KIF, in words, and where that shows first; None for KIF.

    >>> other_notation("(role white) (<= (legal white noop) (true start))")
    >>> other_notation("role(white). next(X) :- true(X).")[0].partition(";")[0]
    'rules in the notation of Prolog, head :- body'
    """
    bare = _COMMENT.sub(lambda found: " " * len(found[0]), text)
    calls = list(_FUNCTIONAL.finditer(bare))
    if len(calls) < 2 or len(calls) <= sum(1 for _ in _KIF.finditer(bare)):
        return None
    return f"{_kind(bare)}; {_WANTED}", calls[0].start()


def _kind(text: str) -> str:
    if ":-" in text:
        return "rules in the notation of Prolog, head :- body"
    if re.search(r"(?<![\w])<=\s*\(", text):
        return "rules in prefix notation with commas, <=(head, body)"
    if "<=" in text:
        return "rules in infix notation, head <= body"
    return "facts in the notation of functions, role(name)"
