"""A picture that can be clicked: parts that make up moves, chosen one by one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape, unescape

from facedown.table.hosted import Choice

_PART = re.compile(r'<g data-part=("[^"]*"|\'[^\']*\')')


@dataclass
class Selection:
    """What a person has clicked of their legal moves, and what that comes to.

    >>> moves = [Choice("5h 6c", ("card:5h", "card:6c")), Choice("pass", ())]
    >>> chosen = Selection(moves)
    >>> chosen.click("card:5h"), chosen.click("card:6c")
    (None, 0)
    """

    moves: Sequence[Choice]
    parts: tuple[str, ...] = ()
    said: str = ""
    _sets: list[frozenset[str]] = field(init=False)

    def __post_init__(self) -> None:
        self._sets = [frozenset(move.parts) for move in self.moves]

    def fitting(self) -> list[int]:
        """The places of the moves that have all that is selected."""
        chosen = set(self.parts)
        return [place for place, parts in enumerate(self._sets) if chosen <= parts]

    def complete(self) -> list[int]:
        """The places of the moves that are all selected."""
        chosen = set(self.parts)
        return [place for place in self.fitting() if chosen and self._sets[place] == chosen]

    def possible(self) -> set[str]:
        """The parts that can be selected now, and those that are."""
        return {part for place in self.fitting() for part in self._sets[place]}

    def click(self, part: str) -> int | None:
        """Select a part, or let go of it; the place of the move that is thereby chosen, if one is.

        A part that goes with nothing selected begins anew; one of no move at all is refused, and
        `said` gives the reason.
        """
        self.said = ""
        if part in self.parts:
            self.parts = tuple(one for one in self.parts if one != part)
            return None
        if not any(part in parts for parts in self._sets):
            self.said = f"{worded(part)} is in none of your moves now"
            return None
        before, self.parts = self.parts, (*self.parts, part)
        if not self.fitting():
            together = " and ".join(worded(one) for one in before)
            self.said = f"no move has {worded(part)} together with {together}"
            self.parts = (part,)
        fitting, complete = self.fitting(), self.complete()
        return complete[0] if len(complete) == 1 and len(fitting) == 1 else None


def worded(part: str) -> str:
    """A part by its name, in words.

    >>> worded("card:5h")
    'card 5h'
    """
    return " ".join(part.replace(":", " ").replace("-", " ").split())


def labelled(part: str, moves: Iterable[Choice]) -> str:
    """What a part stands for, to be read aloud: the moves that have it, if they are few."""
    texts = [move.text for move in moves if part in move.parts]
    if len(texts) > 3:
        return f"{worded(part)}, in {len(texts)} moves"
    return f"{worded(part)}: {' or '.join(texts)}"


def clickable(picture: str, moves: Sequence[Choice]) -> str:
    """The picture in which the parts of legal moves are buttons, for mouse, keys and readers."""
    playable = {part for move in moves for part in move.parts}

    def button(found: re.Match[str]) -> str:
        part = unescape(found[1][1:-1])
        if part not in playable:
            return found[0]
        words = escape(labelled(part, moves))
        return f'{found[0]} class="can" tabindex="0" role="button" aria-label="{words}"'

    return _PART.sub(button, picture.replace('role="img"', 'role="group"', 1))


def listed(moves: Sequence[Choice], places: Sequence[int], ticket: int | None) -> str:
    """Moves as a list of buttons, those at `places`; their numbers are what keys 1 to 9 play."""
    items = "".join(
        f'<li><button type="button" class="move" data-move="{place}">'
        f"{escape(moves[place].text)}</button></li>"
        for place in places
    )
    return f'<ol class="moves" data-ticket="{ticket or 0}">{items}</ol>'
