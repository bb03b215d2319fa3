"""`facedown report`: what was measured of a paper, or of all, as one page of HTML."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from facedown.commands.options import Overwrite
from facedown.commands.paper import OUT


def report(
    name: Annotated[
        str | None, typer.Argument(metavar="[PAPER]", help="Unless given, all papers.")
    ] = None,
    source: Annotated[
        Path, typer.Option("--from", metavar="DIR", help="Where `facedown paper` wrote.")
    ] = OUT,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="The page.", show_default="DIR/report.html"),
    ] = None,
    overwrite: Overwrite = False,
) -> None:
    """Make one page of all that was measured, with its pictures inside; nothing is played."""
    from facedown.commands.screen import notes, remark
    from facedown.core import SpecError
    from facedown.core.files import NewFile
    from facedown.papers import report as reports
    from facedown.papers.registry import PAPERS, load_paper

    papers = [load_paper(one) for one in (PAPERS if name is None else [name])]
    if not source.is_dir():
        raise SpecError(f"there is no folder {source}; `facedown paper` makes it, or --from DIR")
    usual = source / (f"{name}.html" if name else "report.html")
    place = NewFile(out or usual, overwrite=overwrite or out is None)
    with notes(only=True):
        states = reports.states_of(papers, source)
        page = reports.report(papers, states, source)
    file = place.write(page.encode())
    found = sum(one.found is not None for some in states for one in some)
    remark(f"{found} of {sum(map(len, states))} tables and figures are in {file}")
