"""`facedown calibrate`: the best options of an agent, by an elimination over a grid of them."""

from __future__ import annotations

from typing import Annotated

import typer

from facedown.commands.options import Jobs, Json, New, Seed, StoreFile, whole
from facedown.commands.tournament import tournament


def calibrate(
    game: Annotated[str, typer.Argument(metavar="GAME")],
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="With the options that are fixed.")],
    over: Annotated[
        list[str],
        typer.Option(
            metavar="OPTION=VALUE,VALUE...",
            help="Values that are tried; all combinations where it is repeated.",
        ),
    ],
    games: Annotated[int, typer.Option(callback=whole, help="Games of a pairing.")] = 100,
    seed: Seed = None,
    jobs: Jobs = None,
    new: New = False,
    store: StoreFile = None,
    json: Json = False,
) -> None:
    """Find an agent's options by an elimination tournament (Bitan and Kraus 2017, section 4.6).

    It is the tournament `--form elimination --over ...` of one agent, and is kept as one.
    """
    tournament(
        game, [agent], form="elimination", over=over, games=games, seed=seed, jobs=jobs, new=new,
        store=store, json=json,
    )  # fmt: skip
