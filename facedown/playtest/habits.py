"""Which moves are made whenever they are legal, and which never are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from facedown.arena.replay import decisions
from facedown.core import Game, Position
from facedown.store.records import GameRecord

OFTEN = 30
"""Times that a move must have been legal before anything is said of it."""


@dataclass
class Habit:
    """A move, or a kind of moves: how often it was legal, made, and would be made at random."""

    name: str
    legal: int = 0
    made: int = 0
    expected: float = 0.0

    @property
    def ratio(self) -> float:
        """How much more often it was made than at random."""
        return self.made / self.expected if self.expected else 0.0


@dataclass
class Habits:
    """All moves that were ever legal where there was a choice, by name."""

    by_name: dict[str, Habit] = field(default_factory=dict)
    kinds: bool = False

    @property
    def told(self) -> list[Habit]:
        """Those that were legal OFTEN enough, from what is made most, for its chance, to least."""
        often = [one for one in self.by_name.values() if one.legal >= OFTEN]
        return sorted(often, key=lambda one: (-one.ratio, one.name))

    @property
    def never(self) -> list[Habit]:
        """Legal so often, and not made once: those most often legal first."""
        return sorted((one for one in self.told if not one.made), key=lambda one: -one.legal)

    @property
    def always(self) -> list[Habit]:
        """Made each time, though there was a choice."""
        found = [one for one in self.told if one.made == one.legal]
        return sorted(found, key=lambda one: -one.legal)


def habits(records: Iterable[GameRecord], game: Game) -> Habits:
    """Count the moves of games; by their kinds, where the game names them."""
    found = Habits(kinds=bool(game.kind_names))
    for record in records:
        for move, position in decisions(record, game):
            legal = position.legal()
            if len(legal) > 1:
                _count(found, position, legal, move)
    return found


def _count(found: Habits, position: Position, legal: Sequence[int], move: int) -> None:
    names = [_name(position, one) for one in legal]
    for name, times in Counter(names).items():
        habit = found.by_name.setdefault(name, Habit(name))
        habit.legal += 1
        habit.expected += times / len(legal)
    found.by_name[names[legal.index(move)]].made += 1


def _name(position: Position, move: int) -> str:
    kinds = position.game.kind_names
    return kinds[position.kind(move)] if kinds else position.game.move_text(move)
