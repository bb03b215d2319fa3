"""What of a position is on which board, as text; `board_picture` draws the same."""

from __future__ import annotations

import string
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from facedown.gdl.boards import Board, Cell, Label, Layout
from facedown.gdl.syntax import Compound, Term

EMPTY, UNSURE = ".", "?"
WRAP = 10
"""A row longer than this goes on below."""


def in_words(term: Term) -> str:
    """A term as people would say it: without the brackets around it.

    >>> in_words(Compound("move", ("1", Compound("to", ("2", "3"))))), in_words("noop")
    ('move 1 (to 2 3)', 'noop')
    """
    return str(term)[1:-1] if isinstance(term, Compound) else str(term)


class Signs:
    """Short signs for all that can lie on the boards of a game, each its own, and whose it is."""

    def __init__(self, layout: Layout, fluents: Iterable[Term], roles: Sequence[str]) -> None:
        self._roles = list(roles)
        self._signs: dict[Label, str] = {}
        self._letters: dict[str, str] = {}
        for fluent in fluents:
            found = layout.find(fluent)
            if found is not None and found[2] not in self._signs:
                blank = found[2] in layout.boards[found[0]].blanks
                self._signs[found[2]] = EMPTY if blank else self._new(found[2])

    def of(self, label: Label) -> str:
        """The sign of what lies on a cell."""
        if label not in self._signs:
            self._signs[label] = self._new(label)
        return self._signs[label]

    def owner(self, label: Label) -> int | None:
        """The role that what lies there names first; None where it names none."""
        return next((self._roles.index(word) for word in label[1:] if word in self._roles), None)

    def _piece(self, content: tuple[str, ...]) -> str:
        """A letter for a piece of a role's: the same for both sides, the first one's a capital."""
        roles = [word for word in content if word in self._roles]
        others = [word for word in content if word not in self._roles]
        if len(roles) != 1 or len(others) != 1:
            return ""
        free = (sign for sign in others[0] if sign not in self._letters.values() and sign.isalpha())
        letter = self._letters.get(others[0]) or next(free, "")
        self._letters[others[0]] = letter
        return letter.upper() if self._roles.index(roles[0]) == 0 else letter

    def _new(self, label: Label) -> str:
        used, content = set(self._signs.values()), label[1:]
        short = len(content) == 1 and len(content[0]) <= 3 and content[0] not in self._roles
        if short and content[0] not in used:
            return content[0]
        piece = self._piece(content)
        if piece and piece not in used:
            return piece
        first = [word[0] for word in (*content, label[0])]
        last = [label[0][0].upper(), *(word[0].upper() for word in content)]
        rest = "".join((*content, label[0])) + string.ascii_letters + string.digits
        tried = [*first, *last, *rest]
        free = (sign for sign in tried if sign not in used and sign.isalnum())
        return next(free, None) or f"{len(used)}"


@dataclass
class Scene:
    """Facts by where they lie: on the boards' cells, or on none of them (`beside`)."""

    layout: Layout
    cells: dict[tuple[int, Cell], list[Label]] = field(default_factory=lambda: defaultdict(list))
    beside: list[Term] = field(default_factory=list)
    unsure: set[tuple[int, Cell]] = field(default_factory=set)
    """Cells of which it is not known what lies there."""

    def add(self, fact: Term) -> None:
        """Put a fact where it belongs; what says that a cell is empty is left out."""
        found = self.layout.find(fact)
        if found is None:
            self.beside.append(fact)
            return
        board, cell, label = found
        if label not in self.layout.boards[board].blanks:
            self.cells[board, cell].append(label)

    def labels(self, board: int) -> list[Label]:
        """What lies on a board, each once, in order of the cells."""
        cells = sorted(place for place in self.cells if place[0] == board)
        return list(dict.fromkeys(label for place in cells for label in self.cells[place]))


def scene_of(layout: Layout, facts: Iterable[Term]) -> Scene:
    """Facts by where they lie."""
    scene = Scene(layout)
    for fact in facts:
        scene.add(fact)
    return scene


def scene_lines(scene: Scene, signs: Signs) -> list[str]:
    """The boards of a scene and what is beside them, for a terminal."""
    lines: list[str] = []
    for number, board in enumerate(scene.layout.boards):
        lines += _board_lines(number, board, scene, signs)
        named = [f"{signs.of(label)} {' '.join(label)}" for label in scene.labels(number)]
        if named:
            lines.append(f"  ({', '.join(named)})")
    if scene.beside:
        lines.append(f"  {', '.join(sorted(map(in_words, scene.beside)))}")
    return lines


def _board_lines(number: int, board: Board, scene: Scene, signs: Signs) -> Iterator[str]:
    def shown(cell: Cell) -> str:
        signed = "".join(signs.of(label) for label in scene.cells.get((number, cell), ()))
        return signed or (UNSURE if (number, cell) in scene.unsure else EMPTY)

    edge, most = max(len(name) for name in board.up), len(board.across)
    step = WRAP if board.row else most
    for part in range(0, most, step):
        across = range(part, min(part + step, most))
        texts = {(x, y): shown((x, y)) for x in across for y in range(len(board.up))}
        wide = max(*(len(text) for text in texts.values()), *(len(board.across[x]) for x in across))
        for y in reversed(range(len(board.up))):
            row = " ".join(texts[x, y].rjust(wide) for x in across)
            yield f"  {board.up[y].rjust(edge)}  {row}"
        names = " ".join(board.across[x].rjust(wide) for x in across)
        yield f"  {' ' * edge}  {names}"
