"""`facedown serve`: the table in the browser."""

from __future__ import annotations

from typing import Annotated

import typer

from facedown.commands.options import StoreFile


def serve(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="Games of yours to offer too: my.py:MyGame."),
    ] = None,
    host: Annotated[str, typer.Option(help="The address to serve at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 8000,
    allow: Annotated[
        list[str] | None,
        typer.Option(metavar="HOST", help="A name by which the server is called, behind a proxy."),
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(metavar="AGENT", help="An agent of yours to offer too: mine.py:Mine."),
    ] = None,
    store: StoreFile = None,
) -> None:
    """Serve the table to browsers: play, alone or with others by link, until Ctrl-C."""
    from facedown.commands.screen import console
    from facedown.store.store import Store
    from facedown.table.house import House
    from facedown.table.web.server import Address, serve

    address = Address(host, port, tuple(allow or ()))
    with Store(store) as opened:
        house = House(opened, games=tuple(games or ()), agents=tuple(agent or ()))
        for spec in house.games:
            house.load(spec)
        serve(
            house,
            address,
            ready=lambda url: console().print(f"facedown serves at {url} (Ctrl-C ends it)"),
        )
