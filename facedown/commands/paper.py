"""`facedown paper`: the tables and figures of the papers, measured beside published."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from facedown.commands import InterruptedRunError
from facedown.commands.options import seed_word, whole

if TYPE_CHECKING:
    from facedown.commands.screen import Notes
    from facedown.papers.paper import CellProgress, Paper, Run

OUT, QUICK_OUT = Path("results"), Path("results", "quick")


def paper(
    name: Annotated[
        str | None, typer.Argument(metavar="[PAPER]", help="Unless given, all are listed.")
    ] = None,
    exhibit: Annotated[
        str | None,
        typer.Argument(metavar="[EXHIBIT]", help="A table or figure, or all; else a list."),
    ] = None,
    games: Annotated[
        int | None, typer.Option(callback=whole, help="Games a cell.", show_default="as listed")
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(callback=whole, help="Iterations a move.", show_default="as listed"),
    ] = None,
    seed: Annotated[int, typer.Option(callback=seed_word, help="Of every cell.")] = 1,
    jobs: Annotated[
        int | None,
        typer.Option(
            callback=whole, help="Processes.", show_default="one, or every core for a long match"
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Of the results.", show_default=f"{OUT}; {QUICK_OUT}"),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A tiny run, to see how it goes.")] = False,
) -> None:
    """Run tables and figures of a paper: measured beside published."""
    from facedown.papers.paper import Run
    from facedown.papers.registry import PAPERS, load_paper

    papers = [load_paper(one) for one in (PAPERS if name is None else [name])]
    if exhibit is None:
        _list(papers)
        return
    folder = (out or (QUICK_OUT if quick else OUT)) / papers[0].name
    runs = []
    for one in papers[0].find(exhibit):
        asked = games, iterations
        if exhibit == "all":  # where a game costs next to nothing, as many as usual
            asked = games if one.costly else None, iterations if one.iterations else None
        runs.append(Run(folder, papers[0], one, one.budget(*asked, seed, quick), jobs))
    _produce(runs)


def _list(papers: list[Paper]) -> None:
    """Every table and figure with the budget that it has unless told otherwise."""
    from rich.markup import escape

    from facedown.commands.screen import console, table

    screen = console()
    for paper in papers:
        screen.print(f"[bold]{paper.name}[/]: {escape(paper.source)}", soft_wrap=True)
        shown = table("", "what it shows", "games", "iterations", right=(2, 3))
        for one in paper.exhibits.values():
            searches = "" if one.iterations is None else f"{one.iterations:,}"
            shown.add_row(one.name, escape(one.title), f"{one.games:,}", searches)
        screen.print(shown)
        screen.print()
    screen.print("To run one, or all: facedown paper PAPER EXHIBIT", style="dim")


def _produce(runs: list[Run]) -> None:
    """Make one after another; a picture that cannot be drawn holds up no table."""
    from facedown.commands.screen import notes
    from facedown.papers.plots import MissingPlotsError
    from facedown.papers.produce import produce

    missing = None
    for run in runs:
        try:
            with notes(only=True) as progress:
                run.tell = _teller(progress)
                produce(run)
        except MissingPlotsError as error:
            missing = error
        except KeyboardInterrupt as stop:
            raise InterruptedRunError(
                f"interrupted in {run.exhibit.name} after {run.done} of {run.total} cells; "
                f"{run.folder} keeps them, and the same command goes on from there"
            ) from stop
        _show(run)
    if missing is not None:
        raise missing


def _show(run: Run) -> None:
    """The page as it was written, and where."""
    print(run.page.read_text(encoding="utf-8"))
    print(f"written: {run.page}")


def _teller(progress: Notes) -> Callable[[CellProgress], None]:
    """A bar that moves in a terminal, and a line for every cell that is finished."""

    def tell(step: CellProgress) -> None:
        known = step.left is not None and step.done < step.total
        left = f", about {time_text(step.left or 0.0)} to go" if known else ""
        pace = f"{step.done} of {step.total} cells, {time_text(step.seconds)}{left}"
        if step.outcome is None:
            words = f"{step.cell.name}: {step.games} of {step.cell.games} games; {pace}"
            progress.compiled()
            progress.step(
                words, step.done * step.cell.games + step.games, step.total * step.cell.games
            )
            return
        first = step.outcome.first
        progress.line(
            f"{pace}; {step.cell.name}: {first.win_rate:.1%} ({first.low:.1%}–{first.high:.1%})"
        )

    return tell


def time_text(seconds: float) -> str:
    """A time as people say it.

    >>> time_text(41.6), time_text(200), time_text(8000)
    ('42 s', '3 min 20 s', '2 h 13 min')
    """
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 1:
        return f"{rest} s"
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
