"""`facedown playtest`: what a maker of games wants to know of one, as a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from facedown.commands import InterruptedRunError
from facedown.commands.options import Jobs, Json, Overwrite, RunSeed, StoreFile, whole

if TYPE_CHECKING:
    from facedown.playtest.findings import Findings


def playtest(
    game: Annotated[str, typer.Argument(metavar="GAME")],
    agent: Annotated[
        str, typer.Argument(metavar="[AGENT]", help="Who plays, at several budgets.")
    ] = "so-ismcts",
    games: Annotated[int, typer.Option(callback=whole, help="Games of each match.")] = 200,
    budget: Annotated[
        int, typer.Option(callback=whole, help="Iterations a move of the strongest level.")
    ] = 400,
    levels: Annotated[
        int, typer.Option(callback=whole, help="Levels, each with half the iterations.")
    ] = 5,
    seed: RunSeed = None,
    jobs: Jobs = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="The page.", show_default="playtest-GAME.html"),
    ] = None,
    overwrite: Overwrite = False,
    store: StoreFile = None,
    json: Json = False,
) -> None:
    """Play games of agents at several strengths, and make a page for the maker of the game.

    The store keeps the games: the same command goes on where it stopped.
    """
    from dataclasses import asdict, replace

    from facedown.arena.match import MatchInterrupt
    from facedown.commands.screen import notes, print_json
    from facedown.core.files import NewFile
    from facedown.playtest import sentences as say
    from facedown.playtest.findings import findings
    from facedown.playtest.page import page
    from facedown.playtest.parts import KIND, Parts, Playtest
    from facedown.store.store import Store

    usual = Path(f"playtest-{_file_name(game)}.html")
    place = NewFile(out or usual, overwrite=overwrite)
    test = Playtest(game, agent, budget, levels, games)
    with notes(only=True) as progress, Store(store) as opened:
        drawn = opened.seed_for(KIND, asdict(test), seed)
        parts = Parts(replace(test, seed=drawn), opened, jobs)
        try:
            parts.play(progress.games)
            found = findings(parts, lambda k, n: progress.step("looking at games", k, n))
        except (KeyboardInterrupt, MatchInterrupt) as stop:
            done = opened.run(parts.run).done
            raise InterruptedRunError(
                f"interrupted after {done:,} of {parts.total:,} games; "
                "the same command goes on from there"
            ) from stop
        file = place.write(page(found).encode())
    if json:
        print_json({**found.to_json(), "page": str(file)})
        return
    _show([say.length, say.seats, say.luck, say.ladder, say.peeking, say.decided, say.lead,
           say.stalemates, say.moves], found, drawn, file)  # fmt: skip


def _show(sentences: list[object], found: Findings, seed: int, file: Path) -> None:
    from facedown.commands.screen import console, remark
    from facedown.playtest.sentences import few

    screen = console()
    if warning := few(found):
        remark(warning)
    for one in sentences:
        assert callable(one)
        screen.print(one(found), markup=False)
    remark(f"seed {seed}; the page is in {file}")


def _file_name(game: str) -> str:
    """A game's spec as part of a file's name."""
    short = game.rpartition("/")[2]
    return "".join(c if c.isalnum() or c in "-_." else "-" for c in short)
