"""What was learnt, kept in the store: a run of its own with the very file that was written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from facedown.store.errors import readable
from facedown.store.store import Store

KIND = "learn"
"""Of the runs in the store."""


@dataclass(frozen=True)
class Model:
    """A file that was learnt: its name, what is told of it, and its content."""

    file: str
    about: Mapping[str, Any]
    content: bytes


def keep_model(
    store: Store, name: str, settings: Mapping[str, Any], seed: int, model: Model
) -> int:
    """Keep what was learnt, all of it or nothing; the number of its run."""
    about = json.dumps(model.about, sort_keys=True)
    with store.writing() as db:
        run = store.insert_run(db, KIND, name, settings, seed, finished=True)
        query = "INSERT INTO models (run, file, about, content) VALUES (?, ?, ?, ?)"
        db.execute(query, (run, model.file, about, model.content))
    return run


def model_of(store: Store, run: int) -> Model | None:
    """What a run learnt; None where it learnt nothing."""
    rows = store.read("SELECT file, about, content FROM models WHERE run = ?", (run,))
    if not rows:
        return None
    file, about, content = rows[0]
    with readable(store.path):
        return Model(str(file), dict(json.loads(about)), bytes(content))
