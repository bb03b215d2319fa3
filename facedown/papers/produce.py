"""Runs a table or figure of a paper and writes its page and its picture."""

from __future__ import annotations

from facedown.core.files import write_whole
from facedown.papers.paper import Page, Run


def produce(run: Run) -> Page:
    """Play what is missing, write `NAME.md`, draw `NAME.png` where there is something to draw.

    The page is written before the picture is drawn: MissingPlotsError leaves all but the picture.
    """
    page = run.exhibit.make(run)
    write_whole(run.page, page_text(run, page))
    if page.draw is not None:
        page.draw(run.picture)
    return page


def page_text(run: Run, page: Page) -> str:
    """The page in Markdown: where it comes from, what it took, what came out."""
    budget, exhibit = run.budget, run.exhibit
    searches = f", {budget.iterations:,} iterations a move" if budget.iterations else ""
    if exhibit.seconds is not None:
        searches = f", {exhibit.seconds:g} s a move"
    flags = f"--games {budget.games} --seed {budget.seed}"
    if budget.iterations:
        flags += f" --iterations {budget.iterations}"
    parts = [
        f"# {run.paper.name}, {exhibit.name}: {exhibit.title}",
        f"{run.paper.source}.",
        f"Budget: {budget.games:,} games a cell{searches}; seed {budget.seed}; measured "
        f"{run.dates}. Again: `facedown paper {run.paper.name} {exhibit.name} {flags}`",
        page.body,
    ]
    if page.draw is not None:
        parts.append(f"![{exhibit.title}]({run.picture.name})")
    return "\n\n".join(parts) + "\n"
