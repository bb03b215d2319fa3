"""`facedown tune`: find an agent's options for a game by playing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from facedown.commands import InterruptedRunError
from facedown.commands.options import Jobs, Json, Overwrite, RunSeed, StoreFile, whole

if TYPE_CHECKING:
    from facedown.tune.tuner import Tuned


def tune(
    game: Annotated[str, typer.Argument(metavar="GAME")],
    family: Annotated[
        str | None,
        typer.Argument(
            metavar="[FAMILY]",
            help="The agent whose options are tuned.",
            show_default="several recipes",
        ),
    ] = None,
    over: Annotated[
        list[str] | None,
        typer.Option(
            metavar="OPTION=VALUE,VALUE...",
            help="Values to choose from; may be repeated.",
            show_default="the usual ones of every option",
        ),
    ] = None,
    games: Annotated[int, typer.Option(callback=whole, help="Games in all.")] = 2000,
    cpu: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="Processor time for a move, of every agent.",
            show_default="0.01",
        ),
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(callback=whole, help="Iterations of a move instead.", show_default=False),
    ] = None,
    seed: RunSeed = None,
    jobs: Jobs = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="A page of what mattered.", show_default="none"),
    ] = None,
    overwrite: Overwrite = False,
    store: StoreFile = None,
    json: Json = False,
) -> None:
    """Find an agent's options by playing: a race, a model, and a last match with fresh seeds.

    The store keeps the games: the same command goes on where it stopped.
    """
    from facedown.arena.sweep import parse_grid
    from facedown.commands.screen import notes, print_json
    from facedown.core import SpecError
    from facedown.core.files import NewFile
    from facedown.games.registry import load_game
    from facedown.store.store import Store
    from facedown.tune.page import page
    from facedown.tune.space import space_of
    from facedown.tune.trials import KIND
    from facedown.tune.tuner import Tuner, settings_of

    if cpu is not None and iterations is not None:
        raise SpecError("--cpu and --iterations are both given: one of them is the budget")
    budget = ("iterations", str(iterations)) if iterations else ("cpu", f"{cpu or 0.01:g}")
    place = None if out is None else NewFile(out, overwrite=overwrite)
    with notes(only=True) as progress, Store(store) as opened:
        space = space_of(load_game(game), family, parse_grid(over or []), budget)
        drawn = opened.seed_for(KIND, settings_of(space, games), seed)
        tuner = Tuner(space, opened, games, drawn, jobs, progress.line, progress.games)
        try:
            found = tuner.play()
        except KeyboardInterrupt as stop:
            done = opened.run(tuner.run).done
            raise InterruptedRunError(
                f"interrupted after {done:,} games; the same command goes on from there"
            ) from stop
        file = None if place is None else place.write(page(found).encode())
    if json:
        print_json({**found.to_json(), "page": None if file is None else str(file)})
    else:
        _show(found, file)


def _show(found: Tuned, file: Path | None) -> None:
    from facedown.commands.screen import console, remark, table
    from facedown.tune.page import verdict

    shown = table("option", "matters", "best value", "mean gain", right=(1, 3))
    for one in found.influences:
        tried = [k for k, weight in enumerate(one.weights) if weight]
        best = max(tried, key=lambda k: one.means[k])
        shown.add_row(one.name, f"{one.share:.0%}", one.values[best], f"{one.means[best]:+.1%}")
    screen = console()
    screen.print(shown)
    screen.print(verdict(found), markup=False)
    screen.print(found.best, markup=False, soft_wrap=True, style="bold")
    remark(f"{found.games:,} games, seed {found.seed}, run {found.run}")
    if file is not None:
        remark(f"the page is in {file}")
