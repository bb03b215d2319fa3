"""Games as rows of a table: what the games of a match have in common is kept once for all.

Who sat where (*casts*) and what was played (*words*: player, move, text) are numbered as they first
come, so that the moves of a game are a string of small numbers, with their times in microseconds.
What a record has beyond that, such as what searches reported, goes into `details`, compressed.
Reading a row gives the record that was packed, its times rounded to microseconds as in JSON.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from typing import Any, Generic, NamedTuple, TypeVar

from facedown.store.records import Forfeit, GameRecord, MoveRecord, RecordError

T = TypeVar("T")

Cast = tuple[tuple[str, ...], tuple[bool, ...]]
"""The agents of a game by player, and which of them were handed the truth."""

Word = tuple[int, int, str]
"""A move as it is recorded: player, number, text."""

MOST_WORDS = 1 << 16
"""Words that the games of a match share; what comes later, each game spells for itself."""

_ASSISTED, _CONSENT = 1, 2
_ID_CODES, _TIME_CODES = "BHI", "HIq"  # of `struct`, from narrow to wide
_SIZES = {
    wide | long << 4: id_bytes + time_bytes
    for wide, id_bytes in enumerate((1, 2, 4))
    for long, time_bytes in enumerate((2, 4, 8))
}
"""Bytes of a move by how wide numbers and times are, from narrow to wide."""

_UNREADABLE = (
    ValueError, KeyError, IndexError, TypeError, AttributeError, ArithmeticError, RecursionError,
    zlib.error, struct.error,
)  # fmt: skip
_WORD = 1 << 63
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


class Row(NamedTuple):
    """A game as it is stored, in the order of the table's columns.

    `place` is its number in the match. `deal_seed` is taken to a signed word. `payoffs` and
    `forfeits` are JSON, so that SQL can read them; `started` are milliseconds since 1970.
    """

    place: int
    deal: int
    deal_seed: int
    rotation: int
    cast: int
    payoffs: str
    forfeits: str | None
    flags: int
    started: int | None
    moves: bytes
    details: bytes | None


class Tally(NamedTuple):
    """What a game counts for: all of a record that statistics ask for."""

    number: int
    deal: int
    payoffs: tuple[float, ...]
    cheats: tuple[bool, ...]
    forfeits: tuple[Forfeit, ...]


@dataclass(frozen=True)
class Heading:
    """What the records of a match say alike: spec of the game, seed, version of the program."""

    game: str
    seed: int
    facedown: str


class Numbering(Generic[T]):
    """Numbers things in the order in which they first come."""

    def __init__(self, items: Iterable[T] = (), most: int | None = None) -> None:
        self.items = list(items)
        self.numbers = {item: number for number, item in enumerate(self.items)}
        self._most = most

    def number(self, item: T) -> int | None:
        """The number of a thing, a new one if need be; None where there are too many already."""
        found = self.numbers.get(item)
        if found is None and (self._most is None or len(self.items) < self._most):
            found = self.numbers[item] = len(self.items)
            self.items.append(item)
        return found


@dataclass
class Batch:
    """Games on the way from where they were played: rows, with numberings of their own."""

    casts: list[Cast] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)

    def tallies(self) -> Iterator[Tally]:
        """What the games count for."""
        return (tally_of(row, self.casts) for row in self.rows)


class Packer:
    """Packs the games of a match; the numberings grow with what is new."""

    def __init__(
        self, heading: Heading, casts: Iterable[Cast] = (), words: Iterable[Word] = ()
    ) -> None:
        self._heading = heading
        self._common = heading.game, heading.seed, heading.facedown
        self.casts: Numbering[Cast] = Numbering(casts)
        self.words: Numbering[Word] = Numbering(words, MOST_WORDS)

    def pack(self, record: GameRecord, place: int | None = None) -> Row:
        """The row of a game, at its number in the match unless told otherwise."""
        place = record.number if place is None else place
        started = _milliseconds(record.started)
        numbers, moves, spelt = self.words.numbers, record.moves, None
        try:
            ids = [numbers[move.player, move.move, move.text] for move in moves]
        except KeyError:
            ids, spelt = self._numbered(moves)
        return Row(
            place,
            record.deal,
            _signed(record.deal_seed),
            record.rotation,
            self._cast((record.agents, record.cheats)),
            _payoffs_text(record.payoffs),
            _forfeits_text(record.forfeits) if record.forfeits else None,
            _ASSISTED * record.assisted + _CONSENT * record.consent,
            started,
            _packed(ids, [round(move.seconds * 1e6) for move in moves]),
            self._details(record, place, started is None, spelt),
        )

    def adopt(self, batch: Batch) -> list[Row]:
        """The rows of a batch by the numberings of this match."""
        casts = [self._cast(cast) for cast in batch.casts]
        words = [self.words.number(word) for word in batch.words]
        if None in words:  # too many to share: each game spells its own
            unpacked_ = ((self.unpack(row, batch.casts, batch.words), row) for row in batch.rows)
            return [self.pack(record, row.place) for record, row in unpacked_]
        ids = [number for number in words if number is not None]
        table = (
            bytes((*ids, *range(len(ids), 256))) if max(ids, default=0) < 256 >= len(ids) else b""
        )
        return [
            row._replace(cast=casts[row.cast], moves=_renumbered(row.moves, ids, table))
            for row in batch.rows
        ]

    def unpack(
        self,
        row: Row,
        casts: Sequence[Cast] | None = None,
        words: Sequence[Word] | None = None,
    ) -> GameRecord:
        """The record of a row; RecordError where it is none."""
        heading = self._heading
        casts = self.casts.items if casts is None else casts
        words = self.words.items if words is None else words
        try:
            details = {} if row.details is None else json.loads(zlib.decompress(row.details))
            agents, cheats = casts[row.cast]
            plain: dict[str, Any] = {
                "game": heading.game,
                "seed": heading.seed,
                "facedown": heading.facedown,
                "number": row.place,
                "started": "" if row.started is None else iso(row.started),
                **details.get("own", {}),
            }
            return GameRecord(
                deal=row.deal,
                deal_seed=row.deal_seed % (1 << 64),
                rotation=row.rotation,
                agents=agents,
                cheats=cheats,
                moves=_moves(row.moves, words, details),
                payoffs=_payoffs(row.payoffs),
                forfeits=_forfeits(row.forfeits),
                assisted=bool(row.flags & _ASSISTED),
                consent=bool(row.flags & _CONSENT),
                **plain,
            )
        except _UNREADABLE as error:
            raise RecordError(f"game {row.place} cannot be read: {error}") from error

    def _cast(self, cast: Cast) -> int:
        number = self.casts.number(cast)
        assert number is not None  # as many as there are
        return number

    def _numbered(self, moves: Sequence[MoveRecord]) -> tuple[list[int], list[Word] | None]:
        """The numbers of moves, and those that the game has to spell, from MOST_WORDS on."""
        ids: list[int] = []
        spelt: list[Word] = []
        for move in moves:
            word = move.player, move.move, move.text
            number = self.words.number(word) if -_WORD <= move.move < _WORD else None
            if number is None:
                number = MOST_WORDS + len(spelt)
                spelt.append(word)
            ids.append(number)
        return ids, spelt or None

    def _details(
        self, record: GameRecord, place: int, undated: bool, spelt: list[Word] | None
    ) -> bytes | None:
        heading, own_heading = self._heading, (record.game, record.seed, record.facedown)
        summaries = [
            (ply, move.summary) for ply, move in enumerate(record.moves) if move.summary is not None
        ]
        own: dict[str, Any] = {} if record.number == place else {"number": record.number}
        if own_heading != self._common:
            names = ("game", "seed", "facedown")
            own |= {n: getattr(record, n) for n in names if getattr(record, n) != vars(heading)[n]}
        if undated and record.started:
            own["started"] = record.started
        if not (own or spelt or summaries):
            return None
        all_ = {"own": own, "words": spelt, "summaries": summaries}
        details = {name: value for name, value in all_.items() if value}
        return zlib.compress(json.dumps(details, allow_nan=False, separators=(",", ":")).encode())


def tally_of(row: Row, casts: Sequence[Cast]) -> Tally:
    """What a game counts for, without its moves."""
    cheats, forfeits = casts[row.cast][1], _forfeits(row.forfeits)
    return Tally(row.place, row.deal, _payoffs(row.payoffs), cheats, forfeits)


# --- moves ---------------------------------------------------------------------------------------


@cache
def _layout(widths: int, count: int) -> struct.Struct:
    """How so many moves lie in bytes: how wide, the numbers of words, the microseconds."""
    return struct.Struct(f"<B{count}{_ID_CODES[widths & 15]}{count}{_TIME_CODES[widths >> 4]}")


def _packed(ids: Sequence[int], times: Sequence[int]) -> bytes:
    """Numbers of words, then microseconds, as narrow as they go; the first byte says how narrow."""
    for widths in _SIZES:
        try:
            return _layout(widths, len(ids)).pack(widths, *ids, *times)
        except struct.error:
            continue
    raise RecordError(f"{max(times, key=abs)} microseconds are more than can be kept")


def unpacked(moves: bytes) -> tuple[Sequence[int], Sequence[int]]:
    """The numbers of words and the microseconds of a game's moves."""
    each = _SIZES[moves[0]]
    count = (len(moves) - 1) // each
    values = _layout(moves[0], count).unpack(moves)
    return values[1 : count + 1], values[count + 1 :]


def _renumbered(moves: bytes, ids: Sequence[int], table: bytes) -> bytes:
    """The moves with other numbers of words; those that the game spells keep theirs."""
    if table and not moves[0] & 15:
        split = 1 + (len(moves) - 1) // _SIZES[moves[0]]
        return moves[:1] + moves[1:split].translate(table) + moves[split:]
    numbers, micros = unpacked(moves)
    return _packed([ids[n] if n < MOST_WORDS else n for n in numbers], micros)


def _moves(moves: bytes, words: Sequence[Word], details: Any) -> tuple[MoveRecord, ...]:
    numbers, micros = unpacked(moves)
    spelt = details.get("words", ())
    summaries = dict(details.get("summaries", ()))
    made = []
    for ply, (number, micro) in enumerate(zip(numbers, micros, strict=True)):
        word = words[number] if number < MOST_WORDS else spelt[number - MOST_WORDS]
        player, move, text = word
        made.append(MoveRecord(player, move, text, micro / 1e6, summaries.get(ply)))
    return tuple(made)


# --- small things --------------------------------------------------------------------------------


def _signed(seed: int) -> int:
    if not 0 <= seed < 1 << 64:
        raise RecordError(f"deal_seed is {seed}; 64 bits are wanted")
    return seed if seed < _WORD else seed - (1 << 64)


def _milliseconds(started: str) -> int | None:
    """An ISO time as it is recorded; None for any other, which is kept as it is."""
    second, rest = _second(started[:19]), started[19:]
    if second is None or rest[4:] != "+00:00" or rest[:1] != "." or not rest[1:4].isdecimal():
        return None
    return second + int(rest[1:4])


@lru_cache(16)
def _second(text: str) -> int | None:
    """The milliseconds of a time that is told to the second."""
    try:
        found = (datetime.fromisoformat(text).replace(tzinfo=UTC) - _EPOCH) // _MILLISECOND
    except ValueError:
        return None
    return found if _second_text(found // 1000) == text else None


@lru_cache(16)
def _second_text(second: int) -> str:
    return (_EPOCH + timedelta(seconds=second)).strftime("%Y-%m-%dT%H:%M:%S")


def iso(milliseconds: int) -> str:
    """A time as it is recorded."""
    second, rest = divmod(milliseconds, 1000)
    return f"{_second_text(second)}.{rest:03}+00:00"


def _payoffs_text(payoffs: tuple[float, ...]) -> str:
    return f"[{', '.join([repr(float(pay)) for pay in payoffs])}]"  # JSON, as they are finite


@lru_cache(4096)
def _payoffs(text: str) -> tuple[float, ...]:
    return tuple(map(float, json.loads(text)))


def _forfeits_text(forfeits: tuple[Forfeit, ...]) -> str:
    return json.dumps([[forfeit.player, forfeit.reason] for forfeit in forfeits])


def _forfeits(text: str | None) -> tuple[Forfeit, ...]:
    return () if text is None else tuple(Forfeit(*item) for item in json.loads(text))
