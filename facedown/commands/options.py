"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Seed = Annotated[
    int | None, typer.Option(help="Reproduce the run of this seed.", show_default="a random one")
]
Save = Annotated[
    str | None, typer.Option("--save", metavar="FILE", help="Record the games in this file.")
]
