"""One page for a paper, or for all: every table and figure with its verdict, pictures inside.

The page is one file of HTML that asks no network for anything: style and pictures are in it. It is
made from the files of results alone; nothing is played.
"""

from __future__ import annotations

import html
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from facedown.papers.html import document, picture
from facedown.papers.paper import Page, Paper
from facedown.papers.plots import MissingPlotsError
from facedown.papers.produce import dates, revisions_text
from facedown.papers.state import MISSING, OTHER, State, state_of
from facedown.papers.verdict import verdict

_WORDS = {
    "agrees": "agrees",
    "differs": "differs",
    "open": "open",
    "none": "nothing to compare",
    "": "not played",
}
"""What a verdict is called on its badge."""

_COUNTED = {
    "agrees": "agree",
    "differs": "differ",
    "open": "open",
    "none": "with nothing to compare",
    "": "not played",
}
"""The same of many."""


def states_of(papers: Sequence[Paper], folder: Path) -> list[list[State]]:
    """The states of all exhibits, by paper, as the files of results have them."""
    return [
        [state_of(paper, one, [folder], None) for one in paper.exhibits.values()]
        for paper in papers
    ]


def report(papers: Sequence[Paper], states: Sequence[Sequence[State]], folder: Path) -> str:
    """The page."""
    title = f"facedown: {papers[0].name}" if len(papers) == 1 else "facedown: papers played again"
    day = datetime.now(UTC).date().isoformat()
    parts = [
        f"<h1>{html.escape(title)}</h1>",
        f'<p class="facts">{day}. {_counted([one for some in states for one in some])}</p>',
        _contents(states),
    ]
    for paper, some in zip(papers, states, strict=True):
        parts.append(f'<h2 id="{paper.name}">{paper.name}</h2><p>{html.escape(paper.source)}.</p>')
        parts += [_article(state, folder) for state in some]
    return document(title, "\n".join(parts))


def _counted(states: Sequence[State]) -> str:
    """How many tables and figures there are, and what came of them."""
    found = Counter(state.verdict if state.found is not None else "" for state in states)
    told = [f"{count} {_COUNTED[kind]}" for kind in _COUNTED if (count := found[kind])]
    return f"{len(states)} tables and figures: {', '.join(told)}."


def _word(state: State) -> str:
    return _WORDS[state.verdict if state.found is not None else ""]


def _badge(state: State) -> str:
    kind = state.verdict if state.found is not None else MISSING
    return f'<span class="badge {kind}">{_word(state)}</span>'


def _contents(states: Sequence[Sequence[State]]) -> str:
    """All of them in a table, with links."""
    rows = [
        f'<tr><td><a href="#{_anchor(state)}">{state.paper.name} {state.exhibit.name}</a></td>'
        f"<td>{_inline(state.exhibit.title)}</td><td>{_badge(state)}</td>"
        f"<td>{_scale(state)}</td></tr>"
        for some in states
        for state in some
    ]
    head = "<tr><th>exhibit</th><th>what it shows</th><th>verdict</th><th>scale</th></tr>"
    return f'<nav class="scroll"><table>{head}{"".join(rows)}</table></nav>'


def _anchor(state: State) -> str:
    return f"{state.paper.name}-{state.exhibit.name}"


def _scale(state: State) -> str:
    return {MISSING: "–", OTHER: "less than quick"}.get(state.name, state.name)


def _article(state: State, folder: Path) -> str:
    """One table or figure."""
    title = f"{state.exhibit.name}: {_inline(state.exhibit.title)}"
    head = f'<article id="{_anchor(state)}"><h3>{title} {_badge(state)}</h3>'
    if state.found is None or state.budget is None:
        command = f"facedown paper {state.paper.name} {state.exhibit.name}"
        return f'{head}<p class="facts">Not played yet: <code>{command}</code></p></article>'
    page = state.exhibit.page(state.found)
    told = _inline(verdict(page.claims, state.exhibit.because))
    parts = [head, *_facts(state), f"<p><b>Verdict</b>: {told}</p>"]
    parts += _picture(state, page, folder)
    return "\n".join([*parts, _body(page), "</article>"])


def _facts(state: State) -> Iterator[str]:
    """Its budget, when it was measured, by which code."""
    budget, found = state.budget, state.found
    if budget is None or found is None:
        return
    searches = f", {budget.iterations:,} iterations a move" if budget.iterations else ""
    words = f"{_scale(state)}: {budget.games:,} games a cell{searches}, seed {budget.seed}"
    by = f"measured {dates(found.outcomes)} by {revisions_text(found.outcomes)}"
    yield f'<p class="facts">{html.escape(words)}; {html.escape(by)}</p>'


def _picture(state: State, page: Page, folder: Path) -> Iterator[str]:
    """Its picture, drawn anew, or the one that lies there where there is no matplotlib."""
    if page.draw is None:
        return
    there = folder / state.paper.name / f"{state.exhibit.name}.png"
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "it.png"
        try:
            page.draw(file)
        except MissingPlotsError:
            file = there
        if not file.is_file():
            return
        yield picture(file.read_bytes(), state.exhibit.title)


def _body(page: Page) -> str:
    """The page's Markdown; tables scroll sideways, for phones are narrow."""
    text = _markdown(page.body)
    text = text.replace("<table>", '<div class="scroll"><table>')
    return text.replace("</table>", "</table></div>")


def _markdown(text: str) -> str:
    """Markdown with tables as HTML; HTML in it is shown and not obeyed."""
    from markdown_it import MarkdownIt

    made: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return made


def _inline(text: str) -> str:
    """A line of Markdown."""
    from markdown_it import MarkdownIt

    made: str = MarkdownIt("commonmark", {"html": False}).renderInline(text)
    return made
