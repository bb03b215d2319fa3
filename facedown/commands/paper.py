"""`facedown paper`: the tables and figures of the papers, measured beside published."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from facedown.commands import InterruptedRunError
from facedown.commands.options import Jobs, Json, StoreFile, seed_word, whole

if TYPE_CHECKING:
    from facedown.commands.screen import Notes
    from facedown.papers.paper import Paper
    from facedown.papers.produce import CellProgress, Run
    from facedown.papers.state import State
    from facedown.store.store import Store

OUT = Path("results")
OURS = Path("docs/results")  # in a checkout: what the project has played
Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="Of pages, pictures and results.")]


def paper(
    name: Annotated[
        str | None, typer.Argument(metavar="[PAPER]", help="Unless given, all are listed.")
    ] = None,
    exhibit: Annotated[
        str | None,
        typer.Argument(metavar="[EXHIBIT]", help="A table or figure, or all; else a list."),
    ] = None,
    listing: Annotated[
        bool, typer.Option("--list", help="Show how far each has come; nothing is played.")
    ] = False,
    scale: Annotated[
        str, typer.Option(metavar="SCALE", help="quick, standard or full: the paper's own.")
    ] = "standard",
    games: Annotated[
        int | None, typer.Option(callback=whole, help="Games a cell.", show_default="by the scale")
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(callback=whole, help="Iterations a move.", show_default="by the scale"),
    ] = None,
    seed: Annotated[int, typer.Option(callback=seed_word, help="Of every cell.")] = 1,
    jobs: Jobs = None,
    renew: Annotated[
        bool, typer.Option("--renew", help="Play anew what another revision of the code played.")
    ] = False,
    out: Out = OUT,
    store: StoreFile = None,
    json: Json = False,
) -> None:
    """Run tables and figures of a paper: measured beside published."""
    from facedown.papers.paper import parse_scale
    from facedown.papers.registry import PAPERS, load_paper

    size = parse_scale(scale)
    papers = [load_paper(one) for one in (PAPERS if name is None else [name])]
    if listing or json:
        _list(papers, exhibit or "all", out, store, json)
        return
    if exhibit is None:
        _offer(papers)
        return
    budgets = []
    for one in papers[0].find(exhibit):
        asked = games, iterations
        if exhibit == "all":  # where a game costs next to nothing, as many as usual
            asked = games if one.costly else None, iterations if one.iterations else None
        budgets.append((one, one.budget(*asked, seed, size)))
    from facedown.papers.archive import Archive
    from facedown.papers.lines import ResultFiles
    from facedown.papers.produce import Run
    from facedown.store.store import Store

    folder = out / papers[0].name
    with Store(store) as opened:
        archive = Archive(opened, ResultFiles(folder))
        _produce(
            [Run(folder, papers[0], one, budget, archive, jobs, renew) for one, budget in budgets]
        )


# --- listing -------------------------------------------------------------------------------------


def _offer(papers: list[Paper]) -> None:
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


def _list(papers: list[Paper], exhibit: str, out: Path, store: str | None, json: bool) -> None:
    """Every table and figure with its state."""
    from facedown.commands.screen import print_json
    from facedown.papers.state import state_of

    opened, folders = existing(store), [out, OURS] if out == OUT else [out]
    try:
        states = [
            [state_of(paper, one, folders, opened) for one in paper.find(exhibit)]
            for paper in papers
        ]
    finally:
        if opened is not None:
            opened.close()
    if json:
        print_json({"exhibits": [state.to_json() for some in states for state in some]})
        return
    for paper, some in zip(papers, states, strict=True):
        _show_states(paper, some)


def existing(store: str | None) -> Store | None:
    """The store, where there is one; None where there is none yet."""
    from facedown.store.store import MEMORY, Store, default_place

    place = store or default_place()
    return Store(place, create=False) if place != MEMORY and Path(place).exists() else None


def _show_states(paper: Paper, states: list[State]) -> None:
    from rich.markup import escape

    from facedown.commands.screen import console, table

    screen = console()
    columns = (paper.name, "state", "games", "iterations", "verdict", "revision", "date")
    shown = table(*columns, right=(2, 3))
    for state in states:
        budget, counts = state.budget, ["", ""]
        if budget is not None:
            counts = [f"{budget.games:,}", f"{budget.iterations:,}" if budget.iterations else ""]
        shown.add_row(
            state.exhibit.name, state.name, *counts, state.verdict, escape(state.revision),
            state.day,
        )  # fmt: skip
    screen.print(shown)
    screen.print()


# --- running -------------------------------------------------------------------------------------


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
                "the same command goes on from there"
            ) from stop
        _show(run)
    if missing is not None:
        raise missing


def _show(run: Run) -> None:
    """The page as it was written, and where."""
    from facedown.commands.screen import remark

    print(run.page.read_text(encoding="utf-8"))
    print(f"written: {run.page}")
    if run.old:
        line = f"{run.old} of {run.total} cells were played by another revision of the code"
        remark(f"{line}: --renew plays them anew", "yellow")


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
