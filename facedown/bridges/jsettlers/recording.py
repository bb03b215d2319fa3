"""Conversations kept in a file: one message a line, with the time and who said it."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from facedown.bridges.jsettlers import messages as say

Side = Literal["S", "C"]


@dataclass(frozen=True)
class Said:
    """One message: seconds since the connection, S for the server or C for the robot, its text."""

    seconds: float
    side: Side
    text: str

    def __str__(self) -> str:
        return f"{self.seconds:.3f}\t{self.side}\t{self.text}"


def read_recording(path: Path) -> Iterator[Said]:
    """The messages of a file, gzipped or not; a recorder's notes are left out.

    A text may itself hold tabs: only the first two of a line separate.
    """
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            time, _, rest = line.rstrip("\n").partition("\t")
            side, _, text = rest.partition("\t")
            if side == "S":
                yield Said(float(time), "S", text)
            elif side == "C":
                yield Said(float(time), "C", text)


def seat_games(path: Path) -> list[tuple[int, list[Said]]]:
    """The games of a recording: the seat that was asked for, and all that was said in each."""
    found: list[tuple[int, list[Said]]] = []
    playing: dict[str, list[Said]] = {}
    for said in read_recording(path):
        message = say.parse(said.text, say.FROM_SERVER if said.side == "S" else say.FROM_ROBOT)
        if isinstance(message, say.JoinRequest):
            playing[message.game] = []
            found.append((message.seat, playing[message.game]))
        name = getattr(message, "game", None)
        if name in playing:
            playing[name].append(said)
    return found
