"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

MOST = 10**9
"""The highest that any count may be."""


def whole(value: int | None) -> int | None:
    """A number that somebody gave, as it is; that it is too high is said at once."""
    if value is not None and abs(value) > MOST:
        raise typer.BadParameter(f"at most {MOST:,} is wanted")
    return value


def wholes(values: list[int] | None) -> list[int] | None:
    """Several of them."""
    for value in values or []:
        whole(value)
    return values


def seed_word(value: int | None) -> int | None:
    """A seed of up to 64 bits."""
    if value is not None and not -(1 << 63) <= value < 1 << 64:
        raise typer.BadParameter("a seed of at most 64 bits is wanted")
    return value


Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        callback=whole,
        help="Processes.",
        show_default="one, or every core where it takes long",
    ),
]
Clock = Annotated[
    float | None,
    typer.Option("--clock", metavar="SECONDS", help="Time for a move; more forfeits."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Seed = Annotated[
    int | None,
    typer.Option(
        help="Reproduce the run of this seed.", show_default="a random one", callback=seed_word
    ),
]
RunSeed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        help="Of all games.",
        show_default="that of the same run begun before, else a random one",
        callback=seed_word,
    ),
]
Save = Annotated[
    str | None,
    typer.Option("--save", metavar="FILE", help="Write the records of the games to a new file."),
]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Write over a file that is there already.")
]
StoreFile = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="FILE",
        help="Where results are kept.",
        show_default="$FACEDOWN_STORE, or store.db in the user's data folder",
    ),
]
Trust = Annotated[
    bool, typer.Option("--trust", help="Run the Python files in which records find their games.")
]
Rules = Annotated[
    str | None,
    typer.Option("--rules", metavar="GAME", help="Play by this game, whatever the records name."),
]
New = Annotated[bool, typer.Option("--new", help="Play anew, whatever was played or begun before.")]
Stop = Annotated[
    float | None,
    typer.Option(
        "--stop",
        metavar="ERROR",
        help="End a match once a sequential test of this error tells the agents apart.",
    ),
]
Margin = Annotated[
    float | None,
    typer.Option(
        "--margin",
        metavar="SHARE",
        help="End it too where the share of wins is shown to be this close to even.",
    ),
]
BackendName = Annotated[
    str,
    typer.Option(
        "--backend", metavar="NAME", help="Where games are played: local, or ray for a cluster."
    ),
]
Address = Annotated[
    str | None,
    typer.Option(
        "--address",
        metavar="HOST:PORT",
        help="Of the Ray cluster; auto finds the one that this machine is a node of.",
    ),
]
Isolate = Annotated[
    bool | None,
    typer.Option(
        "--isolate/--no-isolate",
        help="Have agents play in processes of their own, where they cannot peek.",
        show_default="agents from files and programs",
    ),
]
IsolateLimits = Annotated[
    str,
    typer.Option(
        "--limits",
        metavar="NAME=N,...",
        help="Of isolated agents: memory and files (MB), cpu (seconds a game), processes.",
        show_default="memory=2048,files=64,processes=64",
    ),
]
