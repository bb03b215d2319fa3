"""Boards in rule files, found by the shape of the facts and not by their names.

A coordinate is an argument whose values are in an order: they are numbers, or they lie on a chain
of a static relation that gives each at most one successor, `(succ a b)` by whatever name; or two
arguments have all values of one list, `(index a) (index b)`. A fluent
with two coordinates is on a grid, the first across and the second up; one with a single coordinate
is on a row of cells if it has a content too, or if a player's move names such a cell. The rest of a
fluent's arguments is what lies there. Fluents over the same coordinates share a board.

Terms are looked at flat: `(on (pos 3 1) (piece white king))` has the arguments pos, 3, 1, piece,
white and king, of which those that are function symbols and never differ say nothing of a place.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from facedown.gdl.syntax import Compound, Description, Term

Shape = tuple[str, int]
"""The name of a fluent or a move, and how many arguments it has."""
Cell = tuple[int, int]
"""A place on a board: how far across and how far up, from 0."""
Label = tuple[str, ...]
"""What lies on a cell: the name of its fluent, and the arguments that are no coordinates."""

MOST_ACROSS, MOST_CELLS = 40, 900
"""Boards beyond this are not drawn."""


class _Function(str):
    """A function symbol, among the arguments of a term that is looked at flat."""

    __slots__ = ()


def shape_of(term: Term) -> Shape:
    """The name of a term and how many arguments it has, looked at flat.

    >>> shape_of("noop"), shape_of(Compound("cell", ("1", "b")))
    (('noop', 0), ('cell', 2))
    """
    return (term.name if isinstance(term, Compound) else str(term)), len(_args(term))


def _args(term: Term) -> tuple[str, ...]:
    """The arguments of a term, those of its functions among them.

    >>> _args(Compound("on", (Compound("pos", ("3", "1")), "king")))
    ('pos', '3', '1', 'king')
    """
    return tuple(_flat(term.args)) if isinstance(term, Compound) else ()


def _flat(args: Iterable[Term]) -> Iterator[str]:
    for arg in args:
        if isinstance(arg, Compound):
            yield _Function(arg.name)
            yield from _flat(arg.args)
        else:
            yield str(arg)


@dataclass(frozen=True)
class Kind:
    """Where on a board the fluents of one shape lie: which of their arguments say so."""

    across: int
    up: int | None
    idle: frozenset[int] = frozenset()
    """Arguments that say nothing."""

    def coordinates(self, args: Sequence[str]) -> tuple[str, str]:
        """The two coordinates of a fluent, the second empty on a row."""
        return args[self.across], "" if self.up is None else args[self.up]

    def content(self, args: Sequence[str]) -> tuple[str, ...]:
        """What is said of the place."""
        without = {self.across, self.up, *self.idle}
        return tuple(arg for k, arg in enumerate(args) if k not in without)


@dataclass
class Board:
    """A grid of cells, or a row of them: then `up` is one empty name."""

    across: tuple[str, ...]
    up: tuple[str, ...]
    kinds: dict[Shape, Kind] = field(default_factory=dict)
    blanks: set[Label] = field(default_factory=set)
    columns: bool = False
    """Whether moves name columns and no cells."""

    @property
    def row(self) -> bool:
        """Whether it is a row of cells."""
        return self.up == ("",)

    def cell(self, across: str, up: str) -> Cell | None:
        """The place with these coordinates; None where there is none."""
        if across in self.across and up in self.up:
            return self.across.index(across), self.up.index(up)
        return None

    def find(self, fact: Term) -> tuple[Cell, Label] | None:
        """Where a fact lies on this board, and what it says is there; None for another's."""
        kind = self.kinds.get(shape_of(fact))
        if kind is None:
            return None
        cell = self.cell(*kind.coordinates(_args(fact)))
        return None if cell is None else (cell, (shape_of(fact)[0], *kind.content(_args(fact))))


@dataclass
class Layout:
    """The boards of a game, by what its facts and its players' moves can be."""

    boards: list[Board]

    def find(self, fact: Term) -> tuple[int, Cell, Label] | None:
        """The board, the cell and the label of a fact; None for one that is on no board."""
        for k, board in enumerate(self.boards):
            found = board.find(fact)
            if found is not None:
                return k, *found
        return None

    def cells(self, move: Term) -> list[tuple[int, Cell]]:
        """The cells that a move names, in order; of a board of columns, their lowest cells."""
        args, found, k = _args(move), list[tuple[int, Cell]](), 0
        while k < len(args):
            place, taken = self._cell(args[k : k + 2])
            found += [] if place is None else [place]
            k += taken
        return list(dict.fromkeys(found))

    def _cell(self, names: Sequence[str]) -> tuple[tuple[int, Cell] | None, int]:
        """The cell that names begin with, and how many of them it takes."""
        for number, board in enumerate(self.boards):
            if not (board.row or board.columns) and len(names) == 2:
                cell = board.cell(*names)
                if cell is not None:
                    return (number, cell), 2
        for number, board in enumerate(self.boards):
            if (board.row or board.columns) and names[0] in board.across:
                return (number, (board.across.index(names[0]), 0)), 1
        return None, 1


# --- orders ---------------------------------------------------------------------------------------


def chains(description: Description) -> list[tuple[str, ...]]:
    """The orders that static facts give: the longest chains of relations like a successor."""
    pairs: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for rule in description.rules:
        args = rule.head.args
        if not rule.body and len(args) == 2 and all(isinstance(arg, str) for arg in args):
            pairs[rule.head.name].append((str(args[0]), str(args[1])))
    found = [chain for each in pairs.values() for chain in _chains(each)]
    return sorted(set(found), key=lambda chain: (-len(chain), chain))


def lists(description: Description) -> list[tuple[str, ...]]:
    """What static facts of one argument list, `(index a) (index b)`, in the order of the file."""
    found: dict[str, list[str]] = defaultdict(list)
    for rule in description.rules:
        if not rule.body and len(rule.head.args) == 1 and isinstance(rule.head.args[0], str):
            found[rule.head.name].append(rule.head.args[0])
    return [tuple(dict.fromkeys(each)) for each in found.values() if len(set(each)) > 1]


def _chains(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, ...]]:
    """The chains of a relation; none where anything has two successors or two predecessors."""
    after = dict(pairs := set(pairs))
    if len(after) < len(pairs) or len(set(after.values())) < len(pairs):
        return []
    found = []
    for first in sorted(set(after) - set(after.values())):  # what is in a circle has no first
        chain = [first]
        while chain[-1] in after:
            chain.append(after[chain[-1]])
        found.append(tuple(chain))
    return found


def in_order(values: Iterable[str], known: Sequence[tuple[str, ...]]) -> tuple[str, ...] | None:
    """Values in their order; None where they have none, or are fewer than two.

    >>> in_order(["10", "9"], []), in_order(["b", "a"], [("c", "b", "a")]), in_order("xy", [])
    (('9', '10'), ('b', 'a'), None)
    """
    wanted = set(values)
    if len(wanted) < 2:
        return None
    if all(value.isdecimal() for value in wanted):
        return tuple(sorted(wanted, key=lambda value: (int(value), value)))
    chain = next((chain for chain in known if wanted <= set(chain)), None)
    return None if chain is None else tuple(value for value in chain if value in wanted)


# --- boards ---------------------------------------------------------------------------------------


class _Finder:
    """Finds the boards of a game."""

    def __init__(
        self,
        description: Description,
        fluents: Iterable[Term],
        initial: Iterable[Term],
        moves: Iterable[Term],
        partial: bool,
    ) -> None:
        self.roles = set(description.roles)
        self.orders, self.lists = chains(description), lists(description)
        self.partial = partial
        self.fluents = _by_shape(fluents)
        self.initial = _by_shape(initial)
        self.moves = _by_shape(moves)
        self.named = {
            frozenset(plain[0] for plain in map(_plain, rows))
            for rows in self.moves.values()
            if len(_plain(rows[0])) == 1
        }
        self.boards: list[Board] = []

    def layout(self) -> Layout:
        ordered = {
            shape: self._ordered(rows) or self._listed(rows) for shape, rows in self.fluents.items()
        }
        for shape, orders in sorted(ordered.items(), key=lambda item: -len(item[1])):
            self._put(shape, orders)
        for board in self.boards:
            board.blanks = self._blanks(board)
            board.columns = not board.row and self._by_columns(board)
        fit = [b for b in self.boards if len(b.across) <= MOST_ACROSS]
        return Layout([b for b in fit if len(b.across) * len(b.up) <= MOST_CELLS])

    def _ordered(self, rows: Sequence[tuple[str, ...]]) -> dict[int, tuple[str, ...]]:
        """The arguments that are in an order, with their values in it."""
        found = {}
        for k in range(len(rows[0])):
            values = {args[k] for args in rows}
            order = in_order(values, self.orders) if not values & self.roles else None
            if order is not None:
                found[k] = self._filled(order) if self.partial else order
        return found

    def _listed(self, rows: Sequence[tuple[str, ...]]) -> dict[int, tuple[str, ...]]:
        """Two arguments that have all values of one list of the rules, in the order of that list.

        A weaker sign than an order: only two that are alike, as of a square, are taken for it.
        """
        sets = [frozenset(args[k] for args in rows) for k in range(len(rows[0]))]
        for listed in self.lists:
            alike = [k for k, values in enumerate(sets) if values == set(listed)]
            if len(alike) >= 2 and not set(listed) & self.roles:
                return dict.fromkeys(alike[:2], listed)
        return {}

    def _filled(self, order: tuple[str, ...]) -> tuple[str, ...]:
        """An order with what lies between its ends, by the first chain that has them both."""
        for chain in self.orders:
            if set(order) <= set(chain):
                ends = sorted((chain.index(order[0]), chain.index(order[-1])))
                return in_order(chain[ends[0] : ends[1] + 1], self.orders) or order
        return order

    def _put(self, shape: Shape, orders: Mapping[int, tuple[str, ...]]) -> None:
        places = self._places(shape, orders)
        if len(places) == 2:
            first, second = places
            kind = Kind(first, second, self._idle(shape))
            self._join(shape, kind, orders[first], orders[second])
        elif len(places) == 1:
            across = orders[places[0]]
            idle = self._idle(shape)
            told = shape[1] - len(idle) > 1 and not self._amounts(shape, places[0])
            if told or frozenset(across) in self.named:
                self._join(shape, Kind(places[0], None, idle), across, ("",))

    def _idle(self, shape: Shape) -> frozenset[int]:
        """The function symbols of a fluent that are the same in all of its shape."""
        columns = enumerate(zip(*self.fluents[shape], strict=True))
        return frozenset(
            k
            for k, column in columns
            if len(set(column)) == 1 and all(isinstance(each, _Function) for each in column)
        )

    def _amounts(self, shape: Shape, place: int) -> bool:
        """Whether a coordinate is rather what a role has, or all else has from the start."""
        without = {place, *self._idle(shape)}
        others = [_but(args, without) for args in self.initial.get(shape, ())]
        possible = {_but(args, without) for args in self.fluents[shape]}
        if all(arg in self.roles for args in possible for arg in args):
            return True
        return len(others) == len(set(others)) and set(others) == possible

    def _places(self, shape: Shape, orders: Mapping[int, tuple[str, ...]]) -> list[int]:
        """Which arguments are the coordinates: one, or the first two.

        Where there are two and no more arguments, and every value of the first has one of the
        second at the start, that is an amount of each and not a place: a row.
        """
        places = sorted(orders)[:2]
        if len(places) == 2 and shape[1] - len(self._idle(shape)) == 2:
            start = Counter(args[places[0]] for args in self.initial.get(shape, ()))
            if set(start) == set(orders[places[0]]) and set(start.values()) == {1}:
                return places[:1]
        return places

    def _join(self, shape: Shape, kind: Kind, across: tuple[str, ...], up: tuple[str, ...]) -> None:
        """Put fluents on a board that has their coordinates, or has fewer of the same; or anew.

        A row that is a side of a grid is none: its facts are told in words.
        """
        for board in self.boards:
            if not board.row and up == ("",) and set(across) in (set(board.across), set(board.up)):
                return
            sides = ((set(board.across), set(across)), (set(board.up), set(up)))
            if all(new <= old for old, new in sides):
                board.kinds[shape] = kind
                return
            if all(old <= new for old, new in sides):
                board.across, board.up = across, up
                board.kinds[shape] = kind
                return
        self.boards.append(Board(across, up, {shape: kind}))

    def _blanks(self, board: Board) -> set[Label]:
        """What says that nothing lies there: the commonest content of cells that all have one."""
        found = set()
        for shape, kind in board.kinds.items():
            facts = [] if board.row else self.initial.get(shape, [])
            cells = {board.cell(*kind.coordinates(args)) for args in facts}
            said = Counter(kind.content(args) for args in facts if kind.content(args))
            if not said or len(cells) < len(board.across) * len(board.up):
                continue
            content, count = min(said.items(), key=lambda item: (-item[1], item[0]))
            if 3 * count >= len(cells) and not set(content) & self.roles:
                found.add((shape[0], *content))
        return found

    def _by_columns(self, board: Board) -> bool:
        """Whether moves name columns of a board and no move names a cell of it."""
        pairs = [
            (args[k], args[k + 1])
            for rows in self.moves.values()
            for args in rows
            for k in range(len(args) - 1)
        ]
        if any(board.cell(*pair) is not None for pair in pairs):
            return False
        across, up = set(board.across), set(board.up)
        named = [names for names in self.named if len(names) > 1 and names <= across]
        return any(names == across or names != up for names in named)


def _plain(args: Iterable[str]) -> list[str]:
    """Arguments without function symbols."""
    return [arg for arg in args if not isinstance(arg, _Function)]


def _but(args: tuple[str, ...], without: set[int]) -> tuple[str, ...]:
    return tuple(arg for k, arg in enumerate(args) if k not in without)


def _by_shape(terms: Iterable[Term]) -> dict[Shape, list[tuple[str, ...]]]:
    found: dict[Shape, list[tuple[str, ...]]] = defaultdict(list)
    for term in terms:
        if isinstance(term, Compound):
            found[shape_of(term)].append(_args(term))
    return dict(found)


def layout_of(
    description: Description,
    fluents: Iterable[Term],
    initial: Iterable[Term],
    moves: Iterable[Term],
    *,
    partial: bool = False,
) -> Layout:
    """The boards of a game with these fluents, of which `initial` hold first, and moves.

    Of a game that was not grounded the fluents are known in part: what lies between the ends of a
    coordinate is then taken to be one too.
    """
    return _Finder(description, fluents, initial, moves, partial).layout()
