"""Where recorded games come from that something is learnt from: files, or runs of the store."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from facedown.store.records import GameRecord, read_records
from facedown.store.store import Store

RUN = re.compile(r"\d{1,18}")


def is_run(source: str) -> bool:
    """Whether a source is the number of a run, and not a file that is called so."""
    return RUN.fullmatch(source) is not None and not os.path.exists(source)


def records_of(source: str, store: str | None) -> Iterator[GameRecord]:
    """The games of a source: a file of records, or the number of a run of the store."""
    if not is_run(source):
        yield from read_records(source)
        return
    with Store(store, create=False) as opened:
        for match in opened.matches(opened.run(int(source)).id):
            yield from match.records()
