"""Games out of a store and into one: JSON lines (records), CSV, Parquet."""

from __future__ import annotations

import csv
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from facedown.core.errors import SpecError
from facedown.core.files import NewFile
from facedown.store.codec import MOST_WORDS, Heading, Packer, Row, iso, tally_of, unpacked
from facedown.store.kept import Kept, Writer
from facedown.store.records import FORMAT, line_of, read_records

if TYPE_CHECKING:
    from facedown.store.store import Store

FORMATS = ("jsonl", "csv", "parquet")
_PAGE = 10_000  # rows that are handed to Parquet at a time


class MissingArrowError(SpecError):
    """Parquet wants the extra `parquet`."""


def export(matches: Iterable[Kept], place: NewFile, form: str = "") -> tuple[int, Path]:
    """Write the games of matches into a new file, which appears whole; how many, and where.

    The form is one of FORMATS, by the file's ending unless it is named.
    """
    write = _WRITERS[chosen_form(place.given, form)]
    try:
        count = write(list(matches), place.part)
        with place.part.open("rb") as written:
            os.fsync(written.fileno())
        return count, place.place()
    except OSError as error:
        raise SpecError(f"cannot write {place.given}: {error.strerror}") from None
    finally:
        place.drop()


def chosen_form(file: Path, form: str = "") -> str:
    """The form that is named, or that a file's ending says; SpecError lists what there is."""
    found = form or file.suffix.removeprefix(".")
    if found not in FORMATS:
        raise SpecError(f"no form {found!r}; --as jsonl, csv or parquet, or a file of that ending")
    if found == "parquet":
        _arrow()
    return found


def lines(match: Kept) -> Iterator[str]:
    """The games of a match as lines of JSON, each a record."""
    return map(line_writer(match.heading, match.packer), match.rows())


def line_writer(heading: Heading, packer: Packer) -> Callable[[Row], str]:
    """A function that gives a game's record as a line: what `json.dumps` gives, sooner."""
    named = {"format": FORMAT, "facedown": heading.facedown, "game": heading.game}
    head = _open({**named, "seed": heading.seed}) + ', "number": '
    casts, words = packer.casts.items, packer.words.items

    @cache
    def seats(number: int) -> str:
        agents, cheats = casts[number]
        return _open({"agents": agents, "cheats": cheats})[1:]

    @cache
    def word(number: int) -> str:
        player, move, text = words[number]
        who = "chance" if player < 0 else player
        return _open({"player": who, "move": move, "text": text}) + ', "seconds": '

    def line(row: Row) -> str:
        if row.details is not None or row.forfeits is not None or row.started is None:
            return line_of(packer.unpack(row).to_json())
        numbers, micros = unpacked(row.moves)
        pairs = zip(numbers, micros, strict=True)
        moves = "}, ".join([word(number) + repr(micro / 1e6) for number, micro in pairs])
        assisted, consent = _TRUTH[row.flags & 1], _TRUTH[row.flags >> 1 & 1]
        return (
            f'{head}{row.place}, "deal": {row.deal}, "deal_seed": {row.deal_seed % (1 << 64)}, '
            f'"rotation": {row.rotation}, {seats(row.cast)}, "moves": [{moves}'
            f'{"}" if numbers else ""}], "payoffs": {row.payoffs}, "forfeits": [], '
            f'"assisted": {assisted}, "consent": {consent}, "started": "{iso(row.started)}"}}\n'
        )

    return line


_TRUTH = ("false", "true")


def _open(plain: dict[str, Any]) -> str:
    """The beginning of a JSON object."""
    return json.dumps(plain, ensure_ascii=False, allow_nan=False)[:-1]


def _write_lines(matches: list[Kept], file: Path) -> int:
    count = 0
    with file.open("w", encoding="utf-8", errors="backslashreplace") as out:
        for match in matches:
            made = lines(match)
            while page := list(islice(made, 1000)):
                out.write("".join(page))
                count += len(page)
    return count


# --- tables --------------------------------------------------------------------------------------

_COMMON = (
    "run", "match", "game", "spec", "seed", "deal", "deal_seed", "rotation", "plies", "seconds",
    "started", "assisted", "consent", "forfeited", "reason",
)  # fmt: skip


def columns(matches: Iterable[Kept]) -> list[str]:
    """The columns of a table of games: agent, cheats and payoff once for each player."""
    players = max((len(agents) for one in matches for agents, _ in one.casts()), default=0)
    own = [f"{name}_{p}" for name in ("agent", "cheats", "payoff") for p in range(players)]
    return [*_COMMON, *own]


def table_rows(match: Kept, players: int) -> Iterator[tuple[list[Any], Row]]:
    """The games of a match as rows of such a table, each with the row that it is from."""
    casts = match.casts()
    blank: list[Any] = []
    for row in match.rows():
        tally, (agents, cheats) = tally_of(row, casts), casts[row.cast]
        numbers, micros = unpacked(row.moves)
        lost = tally.forfeits[0] if tally.forfeits else None
        blank = [None] * (players - len(agents))
        yield (
            [
                match.run, match.place, row.place, match.game, str(match.seed), row.deal,
                str(row.deal_seed % (1 << 64)), row.rotation, len(numbers), sum(micros) / 1e6,
                None if row.started is None else iso(row.started),
                bool(row.flags & 1), bool(row.flags & 2),
                None if lost is None else lost.player, None if lost is None else lost.reason,
                *agents, *blank, *cheats, *blank, *tally.payoffs, *blank,
            ],
            row,
        )  # fmt: skip


def _write_csv(matches: list[Kept], file: Path) -> int:
    names, count = columns(matches), 0
    players = (len(names) - len(_COMMON)) // 3
    with file.open("w", encoding="utf-8", errors="backslashreplace", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(names)
        for match in matches:
            made = (values for values, _ in table_rows(match, players))
            while page := list(islice(made, 1000)):
                writer.writerows(page)
                count += len(page)
    return count


def _arrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingArrowError(
            "Parquet wants pyarrow: pip install 'facedown[parquet]'; csv and jsonl do without"
        ) from None
    return pyarrow


def _write_parquet(matches: list[Kept], file: Path) -> int:
    """As in CSV, and the moves: players, texts and seconds, ply by ply."""
    arrow = _arrow()
    names, count = columns(matches), 0
    players = (len(names) - len(_COMMON)) // 3
    schema = _parquet_schema(arrow, players)
    with file.open("wb") as out, arrow.parquet.ParquetWriter(out, schema) as writer:
        for match in matches:
            made = table_rows(match, players)
            while page := list(islice(made, _PAGE)):
                held = [list(column) for column in zip(*(row for row, _ in page), strict=True)]
                held += _moves_of(match, [row for _, row in page])
                writer.write_table(arrow.table(held, schema=schema))
                count += len(page)
    return count


def _moves_of(match: Kept, rows: list[Row]) -> list[list[Any]]:
    """Players, texts and seconds of the moves of games."""
    words = match.packer.words.items
    who: list[Any] = []
    texts: list[Any] = []
    seconds: list[Any] = []
    for row in rows:
        numbers, micros = unpacked(row.moves)
        if numbers and max(numbers) >= MOST_WORDS:
            moves = match.packer.unpack(row).moves
            who.append([move.player for move in moves])
            texts.append([move.text for move in moves])
        else:
            who.append([words[number][0] for number in numbers])
            texts.append([words[number][2] for number in numbers])
        seconds.append([micro / 1e6 for micro in micros])
    return [who, texts, seconds]


def _parquet_schema(arrow: Any, players: int) -> Any:
    whole, text, yes, real = arrow.int64(), arrow.string(), arrow.bool_(), arrow.float64()
    kinds = dict.fromkeys(_COMMON, whole)
    kinds |= {"spec": text, "seed": text, "deal_seed": text, "started": text, "reason": text}
    kinds |= {"assisted": yes, "consent": yes, "seconds": real}
    for name, kind in (("agent", text), ("cheats", yes), ("payoff", real)):
        kinds |= {f"{name}_{p}": kind for p in range(players)}
    kinds |= {"players": arrow.list_(arrow.int32()), "moves": arrow.list_(text)}
    return arrow.schema([*kinds.items(), ("move_seconds", arrow.list_(real))])


_WRITERS: dict[str, Callable[[list[Kept], Path], int]] = {
    "jsonl": _write_lines,
    "csv": _write_csv,
    "parquet": _write_parquet,
}


# --- import --------------------------------------------------------------------------------------


def import_records(store: Store, file: Path) -> Kept:
    """Take a file of records into the store, as a run of its own; the one that it is already, else.

    RecordError names a line that is no record, and nothing is taken then.
    """
    from facedown.store.store import Ask

    records = list(read_records(file))
    if not records:
        raise SpecError(f"{file} holds no games")
    first = records[0]
    settings = {"file": file.name, "sha256": _sha256(file)}
    ask = Ask("import", file.name, first.game, settings, len(records), "", seed=first.seed)
    kept = store.match(ask)
    if kept.finished is None:
        with Writer(kept) as writer:
            for place, record in enumerate(records):
                if place not in writer:
                    writer.add(record, place)
            writer.finish(None)
    return kept


def _sha256(file: Path) -> str:
    with file.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()


def write_text(out: IO[str], matches: Iterable[Kept]) -> int:
    """The games of matches as lines of JSON, to a stream; how many there were."""
    count = 0
    for match in matches:
        for line in lines(match):
            out.write(line)
            count += 1
    return count
