"""Kinds of messages by their numbers, those of a server and those of a robot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

from facedown.bridges.jsettlers.fields import MalformedError, Message, Oddity

Table = dict[int, type[Message]]

FROM_SERVER: Table = {}
FROM_ROBOT: Table = {}

IGNORED = frozenset(
    {1003, 1013, 1017, 1019, 1042, 1057, 1058, 1068, 1072, 1079, 1082, 1083, 1085, 1091, 1106}
)
"""What a server says that a robot need not hear: lists, faces, legal corners, texts, statistics."""

M = TypeVar("M", bound=Message)


@dataclass_transform(frozen_default=True)
def kind(number: int, *tables: Table, separator: str = ",") -> Callable[[type[M]], type[M]]:
    """Make a class of fields a kind of message, known by its number to those who read it."""

    def enter(plain: type[M]) -> type[M]:
        made = dataclass(frozen=True)(plain)
        made.number, made.separator = number, separator
        for table in tables:
            table[number] = made
        return made

    return enter


def parse(text: str, table: Table = FROM_SERVER) -> Message | Oddity:
    """The message of a text, of either side's; an Oddity of every text that is none.

    >>> from facedown.bridges.jsettlers import messages as say
    >>> say.parse("1026|g,3,15")
    Turn(game='g', player=3, state=15)
    >>> parse("1026|g,9,15").reason
    '9 is not within 0 and 3'
    >>> parse("what?").reason
    'no number stands before it'
    """
    head, _, data = text.partition("|")
    if not (head.isascii() and head.isdecimal() and len(head) <= 9):
        return Oddity(-1, text, "no number stands before it")
    found = table.get(int(head))
    if found is None:
        return Oddity(int(head), text, "nothing is known of this number")
    try:
        return found.read(data)
    except MalformedError as error:
        return Oddity(int(head), text, str(error))
