"""`facedown serve`: the table in the browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from facedown.commands.options import StoreFile

if TYPE_CHECKING:
    from facedown.table.house import House
    from facedown.table.study import Studying


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
    study: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Run the study of this file in place of open tables."),
    ] = None,
    export: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="Write what the study has so far, and end."),
    ] = None,
    warm: Annotated[
        bool,
        typer.Option(help="Get all games ready beforehand, while nobody plays."),
    ] = True,
    store: StoreFile = None,
) -> None:
    """Serve the table to browsers: play, alone or with others by link, until Ctrl-C."""
    from facedown.commands.screen import console
    from facedown.core import SpecError
    from facedown.store.store import Store
    from facedown.table.house import House
    from facedown.table.study import Study, Studying
    from facedown.table.web.server import Address, serve

    if export is not None and study is None:
        raise SpecError("--export is for a study: --study FILE names it")
    address = Address(host, port, tuple(allow or ()))
    owned = {"games": tuple(games or ()), "agents": tuple(agent or ())}
    alike = study is not None  # whose opponents think as they were told to, however many wait
    with Store(store) as opened, House(opened, **owned, hurries=not alike) as house:
        for spec in house.games:
            house.load(spec)
        if study is not None:
            studying = Studying(house, Study.read(study))
            studying.study.check(house)
            if export is not None:
                count = studying.export(export)
                console().print(f"{count} participants written to {export}", markup=False)
                return
            pages, pairs = _pages(studying), studying.study.pairs()
        else:
            pages, pairs = (), house.offered()

        def ready(url: str) -> None:
            console().print(f"facedown serves at {url} (Ctrl-C ends it)", soft_wrap=True)

        serve(house, address, pages=pages, ready=ready, warm=pairs if warm else ())


def _pages(studying: Studying) -> tuple[Callable[[House], None], ...]:
    from facedown.table.web.server import needs_extra

    needs_extra()
    from facedown.table.web.study import pages

    return (pages(studying),)
