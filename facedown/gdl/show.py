"""How the game of a rule file shows itself to people: its boards, its moves in words, its story."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from facedown.gdl.board_picture import part_name, scene_picture
from facedown.gdl.boards import Cell, Layout, Shape, layout_of, shape_of
from facedown.gdl.knowing import Known, shown
from facedown.gdl.scene import Scene, Signs, in_words, scene_lines, scene_of
from facedown.gdl.syntax import Compound, Description, Term

TOLD = 8
"""How much of what was seen is told beside a board."""


@dataclass(frozen=True)
class Chosen:
    """A player chose a move."""

    move: Term


@dataclass(frozen=True)
class Seen:
    """A step was made, and a player saw this of it."""

    percepts: tuple[Term, ...]


Story = Sequence[Chosen | Seen]
"""What a player has done and seen, in order."""


class Show:
    """The boards of a game, found when they are first asked for.

    `known` gives what can hold, what holds at the start, what players can do and what they can see,
    as terms; `partial`: as far as that is known.
    """

    def __init__(
        self,
        description: Description,
        roles: Sequence[str],
        known: Callable[[], tuple[Sequence[Term], ...]],
        *,
        partial: bool = False,
    ) -> None:
        self._description, self._roles, self._known = description, roles, known
        self._partial = partial

    @cached_property
    def layout(self) -> Layout:
        """The boards."""
        fluents, initial, moves, _ = self._known()
        return layout_of(self._description, fluents, initial, moves, partial=self._partial)

    @cached_property
    def signs(self) -> Signs:
        """What lies on them, in short."""
        return Signs(self.layout, self._known()[0], self._roles)

    def move_words(self, move: Term) -> str:
        """A move as people would say it: from one cell to another.

        >>> from facedown.gdl.reader import read
        >>> show = Show(read("(role me)"), ["me"], lambda: ([], [], [], []))
        >>> show.move_words(Compound("drop", ("3",)))
        'drop 3'
        """
        if not isinstance(move, Compound) or len(self.layout.cells(move)) != 2:
            return in_words(move)
        args, half = [str(arg) for arg in move.args], len(move.args) // 2
        if len(args) != 4 or self.layout.boards[self.layout.cells(move)[0][0]].row:
            return in_words(move)
        return f"{move.name} {' '.join(args[:half])} to {' '.join(args[half:])}"

    def parts(self, move: Term) -> tuple[str, ...]:
        """The cells that a move names, as parts of the picture."""
        boards = self.layout.boards
        return tuple(part_name(k, boards[k], cell) for k, cell in self.layout.cells(move))

    def text(self, facts: Iterable[Term]) -> list[str]:
        """Facts as lines, with their boards."""
        return scene_lines(scene_of(self.layout, facts), self.signs)

    def picture(self, head: str, facts: Iterable[Term], notes: Sequence[str]) -> str:
        """Facts as SVG, with notes beside them."""
        return scene_picture(head, scene_of(self.layout, facts), self.signs, notes)

    # --- what a player knows who does not see the position --------------------------------------

    def told_text(self, story: Story, known: Known | None) -> list[str]:
        """What a player knows, as lines, and what it has done and seen of late."""
        scene = self._told(story, known)
        empty = not scene.cells and not scene.beside
        lines = [] if empty else scene_lines(scene, self.signs)
        return [*lines, *(f"  {words}" for words in self.told_words(story))]

    def told_picture(self, head: str, story: Story, known: Known | None) -> str:
        """The same as SVG."""
        return scene_picture(head, self._told(story, known), self.signs, self.told_words(story))

    def told_words(self, story: Story) -> list[str]:
        """The latest of a story, a line for each step."""
        lines = []
        for one in story[-TOLD:]:
            if isinstance(one, Chosen):
                lines.append(f"you: {self.move_words(one.move)}")
            elif one.percepts:
                lines.append(f"you see {', '.join(map(in_words, one.percepts))}")
        return lines

    def _told(self, story: Story, known: Known | None) -> Scene:
        """What is known to hold; without conclusions, the last that was seen of each cell."""
        if known is not None:
            scene = scene_of(self.layout, shown(known))
            places = [self.layout.find(f) for f in self._known()[0] if f not in known]
            scene.unsure = {place[:2] for place in places if place is not None}
            return scene
        scene = Scene(self.layout)
        for one in story:
            for percept in one.percepts if isinstance(one, Seen) else ():
                cell = self._place(percept)
                if cell is not None:
                    scene.cells[cell] = [(shape_of(percept)[0],)]
        return scene

    def _place(self, percept: Term) -> tuple[int, Cell] | None:
        """The one cell that a percept is about; None where it is about none, or a number."""
        cells = self.layout.cells(percept)
        if len(cells) != 1:
            return None
        board = self.layout.boards[cells[0][0]]
        told = board.row and self._values[shape_of(percept)] == set(board.across)
        return cells[0] if told or not (board.row or board.columns) else None

    @cached_property
    def _values(self) -> dict[Shape, set[str]]:
        """The first arguments of all percepts of a shape."""
        found: dict[Shape, set[str]] = defaultdict(set)
        for percept in self._known()[3]:
            if isinstance(percept, Compound):
                found[shape_of(percept)].add(str(percept.args[0]))
        return found
