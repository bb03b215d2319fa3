"""What a message is made of: fields that are read off a list of words, and written to one.

A message is a dataclass whose annotations say how each field is read. Whatever comes off the wire
that does not fit is an Oddity, with the reason; nothing raises.
"""

from __future__ import annotations

import functools
import typing
from collections import deque
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from typing import Annotated, Any, ClassVar, Self

EMPTY = "\t"
"""How an empty word is written."""


class MalformedError(ValueError):
    """A field does not hold what belongs there."""


@dataclass(frozen=True)
class Field:
    """How a field's value is taken off the words of a message, and turned into words again."""

    read: Callable[[deque[str]], Any]
    write: Callable[[Any], list[str]]


def _next(words: deque[str]) -> str:
    if not words:
        raise MalformedError("a field is missing")
    return words.popleft()


def integer(word: str, low: int, high: int) -> int:
    """A decimal number within bounds; MalformedError.

    >>> integer("-1", -1, 3)
    -1
    """
    digits = word.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 12):
        raise MalformedError(f"{word[:20]!r} is no number")
    if not low <= int(word) <= high:
        raise MalformedError(f"{int(word)} is not within {low} and {high}")
    return int(word)


def _whole(low: int, high: int) -> Field:
    return Field(lambda words: integer(_next(words), low, high), lambda value: [str(value)])


def _wholes(count: int, low: int, high: int) -> Field:
    def read(words: deque[str]) -> tuple[int, ...]:
        return tuple(integer(_next(words), low, high) for _ in range(count))

    return Field(read, lambda values: [str(value) for value in values])


def _truth(word: str) -> bool:
    if word not in ("true", "false"):
        raise MalformedError(f"{word[:20]!r} is neither true nor false")
    return word == "true"


def _said(value: bool) -> str:
    return "true" if value else "false"


def _rest(low: int, high: int) -> Field:
    def read(words: deque[str]) -> tuple[int, ...]:
        values = tuple(integer(word, low, high) for word in words)
        words.clear()
        return values

    return Field(read, lambda values: [str(value) for value in values])


def _words(words: deque[str]) -> tuple[str, ...]:
    taken = tuple(words)
    words.clear()
    return taken


def _name(words: deque[str]) -> str:
    word = _next(words)
    return "" if word == EMPTY else word


def _bools(count: int) -> Field:
    def read(words: deque[str]) -> tuple[bool, ...]:
        return tuple(_truth(_next(words)) for _ in range(count))

    return Field(read, lambda values: [_said(value) for value in values])


SEATS = 4
_MOST = 999  # cards that a message may speak of

Name = Annotated[str, Field(_name, lambda value: [value or EMPTY])]
Words = Annotated[tuple[str, ...], Field(_words, list)]
Whole = Annotated[int, _whole(-(10**12), 10**12)]
Flag = Annotated[bool, Field(lambda words: _truth(_next(words)), lambda value: [_said(value)])]
Seat = Annotated[int, _whole(0, SEATS - 1)]
AnySeat = Annotated[int, _whole(-1, SEATS - 1)]
Coord = Annotated[int, _whole(0, 255)]
Amount = Annotated[int, _whole(0, _MOST)]
Kind = Annotated[int, _whole(1, 6)]
Five = Annotated[tuple[int, ...], _wholes(5, 0, _MOST)]
Four = Annotated[tuple[bool, ...], _bools(SEATS)]
Wholes = Annotated[tuple[int, ...], _rest(-(10**12), 10**12)]
Layout = Annotated[tuple[int, ...], _wholes(37, -1, 255)]


def _read_seat(words: deque[str]) -> int:
    return integer(_next(words).removeprefix("p"), 0, SEATS - 1)


Tagged = Annotated[int, Field(_read_seat, lambda value: [f"p{value}"])]
"""A seat that is written with a p before it."""


@dataclass(frozen=True)
class Gain:
    """What production gave one seat: its cards in hand afterwards, and (amount, kind) pairs."""

    seat: int
    total: int
    cards: tuple[tuple[int, int], ...]


def _read_gains(words: deque[str]) -> tuple[Gain, ...]:
    """Seats one after another, each ended by a 0 but the last."""
    gains = []
    for _ in range(integer(_next(words), 0, SEATS)):
        seat, total = integer(_next(words), 0, SEATS - 1), integer(_next(words), 0, _MOST)
        cards = []
        while words and (amount := integer(words.popleft(), 0, _MOST)):
            cards.append((amount, integer(_next(words), 1, 5)))
        gains.append(Gain(seat, total, tuple(cards)))
    return tuple(gains)


def _write_gains(gains: tuple[Gain, ...]) -> list[str]:
    blocks = []
    for gain in gains:
        pairs = [str(number) for pair in gain.cards for number in pair]
        blocks.append("|".join([str(gain.seat), str(gain.total), *pairs]))
    return [str(len(gains)), "|0|".join(blocks)]


Gains = Annotated[tuple[Gain, ...], Field(_read_gains, _write_gains)]


def _read_pairs(words: deque[str]) -> tuple[tuple[int, int], ...]:
    numbers = [integer(word, -(10**6), 10**6) for word in words]
    words.clear()
    if len(numbers) % 2:
        raise MalformedError("an amount is missing")
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def _write_pairs(pairs: tuple[tuple[int, int], ...]) -> list[str]:
    return [str(number) for pair in pairs for number in pair]


Pairs = Annotated[tuple[tuple[int, int], ...], Field(_read_pairs, _write_pairs)]


@dataclass(frozen=True)
class Message:
    """One message: its number, what separates its fields, and the fields of a subclass.

    Fields with defaults may be missing at the end; what stands beyond the last is left alone.
    """

    number: ClassVar[int] = 0
    separator: ClassVar[str] = ","

    @classmethod
    @functools.cache
    def layout(cls) -> tuple[tuple[str, Field, Any], ...]:
        """By field its name, how it is read, and what it is where it is missing."""
        hints = typing.get_type_hints(cls, include_extras=True)
        return tuple(
            (field.name, hints[field.name].__metadata__[0], field.default) for field in fields(cls)
        )

    @classmethod
    def read(cls, data: str) -> Self:
        """The message of this kind; MalformedError."""
        words = deque(data.split(cls.separator)) if data else deque()
        values = {}
        for name, field, default in cls.layout():
            values[name] = default if not words and default is not MISSING else field.read(words)
        return cls(**values)

    def __str__(self) -> str:
        words = [
            word for name, field, _ in self.layout() for word in field.write(getattr(self, name))
        ]
        return f"{self.number}|{self.separator.join(words)}"


@dataclass(frozen=True)
class Oddity:
    """What was not understood: its number, if it has one (else -1), the text, and the reason."""

    number: int
    text: str
    reason: str
