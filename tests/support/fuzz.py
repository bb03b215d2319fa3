"""Files and messages from strangers, spoilt at random: each is taken, or refused in our own words.

`python -m support.fuzz COUNT SEED` in the folder of the tests tries so many of every kind, in parts
that suit what each costs, and says what came out. Whatever is raised but a FacedownError
is a fault.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from facedown.arena.match import run_match
from facedown.arena.replay import replay
from facedown.bridges.jsettlers.fields import Message
from facedown.bridges.jsettlers.framing import Frames, packed
from facedown.bridges.jsettlers.messages import parse as parse_server
from facedown.bridges.jsettlers.mirror import Mirror
from facedown.core import FacedownError, Game
from facedown.games.registry import load_game
from facedown.gdl.checks import checked
from facedown.gdl.library import find, names
from facedown.gdl.reader import read
from facedown.ggp.messages import error_reply, one_line
from facedown.ggp.messages import parse as parse_manager
from facedown.search.preferences import load_preferences
from facedown.store.records import read_records
from facedown.store.store import Store
from support.jsettlers_talk import BOARD, PLACED, SEATED

ALLOWED = (FacedownError,)
"""What may be raised."""

WORDS = (
    b"", b"0", b"-1", b"1e999", b"NaN", b"Infinity", b"null", b"true", b"[]", b"{}", b'""',
    b"9" * 30, b"9" * 5000, b"1" * 400, b"[" * 2000, b"(" * 300, b")", b'"', b"\\", b"\\ud800",
    b"\x00", b"\xff", b"\x1b[31m", "\u202e".encode(), b"?x", b"<=", b"(not", b";", b",", b"|",
    b"\n", b" ", b"/dev/null", b"a" * 300, b"chance", b"kuhn", b"-2", b"4294967296",
    b"18446744073709551616", b"0.1", b"gdl:/",
)  # fmt: skip


def spoilt(data: bytes, draw: random.Random) -> bytes:
    """Bytes with one to four changes: taken out, doubled, swapped, overwritten, words put in."""
    made = bytearray(data)
    for _ in range(draw.choice((1, 1, 1, 2, 4))):
        if not made:
            return bytes(made)
        at = draw.randrange(len(made))
        end = min(len(made), at + draw.choice((1, 1, 2, 5, 20, 200)))
        kind = draw.randrange(6)
        if kind == 0:
            del made[at:end]
        elif kind == 1:
            made[at:at] = made[at:end]
        elif kind == 2:
            made[at] = draw.randrange(256)
        elif kind == 3:
            made[at:end] = draw.choice(WORDS)
        elif kind == 4:
            made[at:at] = draw.choice(WORDS)
        else:
            other = draw.randrange(len(made))
            made[at], made[other] = made[other], made[at]
    return bytes(made[: draw.choice((len(made), len(made), len(made), at + 1))])


def text_of(data: bytes) -> str:
    """Bytes as text, half a character for what is none."""
    return data.decode("utf-8", "surrogateescape")


@cache
def kuhn() -> Game:
    return load_game("kuhn")


@dataclass
class Kind:
    """What is spoilt: samples of it, and what takes them."""

    samples: list[bytes]
    take: Callable[[bytes], object]


def _record(folder: Path) -> Kind:
    file = folder / "games.jsonl"
    run_match("kuhn", ["random", "scripted"], 20, 1, save=file)
    samples, spoilt_file = file.read_bytes().splitlines(keepends=True), folder / "spoilt.jsonl"

    def take(data: bytes) -> None:
        spoilt_file.write_bytes(data)
        for record in read_records(spoilt_file):
            replay(record, kuhn())

    return Kind(samples, take)


def _store(folder: Path) -> Kind:
    file, spoilt_file = folder / "good.db", folder / "spoilt.db"
    with Store(file) as store:
        run_match("kuhn", ["random", "scripted"], 30, 1, store=store)

    def take(data: bytes) -> None:
        for rest in ("", "-wal", "-shm"):
            spoilt_file.with_name(spoilt_file.name + rest).unlink(missing_ok=True)
        spoilt_file.write_bytes(data)
        with Store(spoilt_file, create=False) as store:
            for run in store.runs():
                for match in store.matches(run.id):
                    list(match.records())
            store.damage()

    return Kind([file.read_bytes()], take)


def _preferences(folder: Path) -> Kind:
    plain = {
        "format": "facedown preferences 1", "game": "settlers", "kinds": ["roll", "build", "end"],
        "about": {"from": "here"}, "totals": {"roll": {"chosen": 3, "legal": 9}},
        "decisions": [{"legal": ["roll", "end"], "chosen": {"roll": 4, "end": 2}}] * 3,
    }  # fmt: skip
    file = folder / "preferences.json"

    def take(data: bytes) -> None:
        file.write_bytes(data)
        load_preferences(file).unconditioned()

    return Kind([json.dumps(plain).encode()], take)


def _model(folder: Path) -> Kind | None:
    try:
        from support.fuzz_models import model_kind
    except ImportError:
        return None
    samples, take = model_kind(folder)
    return Kind(samples, take)


def _rules(folder: Path) -> Kind:
    samples = [find(name).read_bytes()[:4000] for name in names()]
    return Kind(samples, lambda data: checked(read(text_of(data))))


MANAGER = [
    b"(INFO)", b"(START m xplayer ((role xplayer) (role oplayer) (init (cell 1 1 b))) 30 10)",
    b"(PLAY m NIL)", b"(PLAY m ((mark 1 1) noop))", b"(PLAY m 3 noop ((did a b) (sees c)))",
    b"(STOP m ((mark 1 2) noop))", b"(ABORT m)",
    b"(PREVIEW ((role a) (<= (legal a x) (true y))) 5)",
]  # fmt: skip


def _manager(folder: Path) -> Kind:
    def take(data: bytes) -> None:
        text = data.decode("utf-8", errors="replace")
        try:
            one_line(repr(parse_manager(text)))
        except FacedownError as error:
            error_reply(str(error))

    return Kind(MANAGER, take)


def _server(folder: Path) -> Kind:
    """A message after a placement, as a mirror takes it, and as bytes on the line."""
    before = [BOARD, *SEATED, *PLACED]
    more = ["1026|g,1,15", "1028|g,1,8", "1023|g,1,101,1,3", "1039|g,2", "1102|g,1,2,true,-1,5,1"]

    def take(data: bytes) -> None:
        text = text_of(data)
        for whole in Frames().feed(packed("1000|x") + data):
            parse_server(whole)
        message = parse_server(text)
        if isinstance(message, Message):
            mirror = Mirror(1)
            for one in (BOARD, *SEATED[:2]):
                known = parse_server(one)
                assert isinstance(known, Message)
                mirror.take(known)
            mirror.take(message)

    return Kind([line.encode() for line in (*before, *more)], take)


KINDS = {
    "records": _record, "stores": _store, "preferences": _preferences, "models": _model,
    "rule files": _rules, "messages of managers": _manager, "messages of servers": _server,
}  # fmt: skip


@dataclass
class Found:
    """How many of a kind were tried and refused, and what was raised that may not be."""

    tried: int = 0
    refused: int = 0
    faults: Counter[str] | None = None
    seconds: float = 0.0


def fuzzed(name: str, count: int, seed: int, folder: Path) -> Found | None:
    """Try so many of a kind; None where that cannot be tried here."""
    kind = KINDS[name](folder)
    if kind is None:
        return None
    draw, found, began = random.Random(f"{name} {seed}"), Found(faults=Counter()), time.monotonic()
    assert found.faults is not None
    for data in _spoilt(kind, count, draw):
        found.tried += 1
        try:
            kind.take(data)
        except ALLOWED:
            found.refused += 1
        except Exception:
            found.faults[f"{traceback.format_exc(limit=-3)}{ascii(data)[:300]}"] += 1
    found.seconds = time.monotonic() - began
    return found


def _spoilt(kind: Kind, count: int, draw: random.Random) -> Iterator[bytes]:
    for _ in range(count):
        yield spoilt(draw.choice(kind.samples), draw)


def main() -> None:
    """Try so many of all kinds, and tell."""
    count, seed = (int(word) for word in (*sys.argv[1:], "100000", "1")[:2])
    warnings.simplefilter("ignore")
    total = 0
    for name, share in {
        "records": 0.25, "stores": 0.01, "preferences": 0.05, "models": 0.003, "rule files": 0.04,
        "messages of managers": 0.35, "messages of servers": 0.3,
    }.items():  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            found = fuzzed(name, max(1, round(count * share)), seed, Path(folder))
        if found is None:
            print(f"{name}: not tried")
            continue
        total += found.tried
        faults = found.faults or Counter()
        told = f"{found.tried:,} tried, {found.refused:,} refused, {sum(faults.values())} faults"
        print(f"{name}: {told} ({found.seconds:.0f} s)", flush=True)
        for fault, times in faults.most_common(5):
            print(f"--- {times} times:\n{fault}", flush=True)
    print(f"{total:,} files and messages, seed {seed}")


if __name__ == "__main__":
    main()
