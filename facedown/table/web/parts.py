"""Pieces that several pages have."""

from __future__ import annotations

from html import escape
from typing import Any

from nicegui import ui

from facedown.search.report import Report
from facedown.table.web.style import CSS, SCRIPT


def frame(title: str) -> None:
    """The head of a page: its name, its looks, the way home, light or dark."""
    ui.page_title(f"{title} · facedown")
    ui.add_head_html(f"<style>{CSS}</style><script>{SCRIPT}</script>")
    dark = ui.dark_mode(None)
    with ui.row().classes("bar items-center justify-between no-wrap").props('role="banner"'):
        ui.link("facedown", "/")
        ui.label(title).classes("ellipsis")
        ui.button(icon="contrast", on_click=lambda: _turn(dark)).props(
            'flat round dense color=white aria-label="light or dark"'
        )


def _turn(dark: ui.dark_mode) -> None:
    """Light, dark, as the system has it, in turn."""
    dark.value = {None: True, True: False, False: None}[dark.value]


def panel(heading: str) -> Any:
    """A box with a heading."""
    box = ui.element("section").classes("panel")
    with box:
        ui.html(escape(heading), tag="h2", sanitize=False)
    return box


def message(title: str, words: str) -> None:
    """A page that says one thing."""
    frame(title)
    with ui.element("main").classes("q-pa-lg"), panel(title):
        ui.label(words)
        ui.link("To the tables", "/")


def report_bars(report: Report, most: int = 8) -> str:
    """The candidates of a search as bars of visits, with mean and error; as HTML."""
    ranked = sorted(report.candidates, key=lambda candidate: -candidate.visits)[:most]
    top = max((candidate.visits for candidate in ranked), default=0) or 1
    best = report.played().move
    rows = []
    for candidate in ranked:
        worth = f"{candidate.mean:+.3f} ± {candidate.error:.3f}" if candidate.visits else "–"
        kind = ' class="best"' if candidate.move == best else ""
        rows.append(bar(candidate.text, candidate.visits / top, worth, kind))
    return f'<div class="bars">{"".join(rows)}</div>'


def bar(text: str, share: float, worth: str, kind: str = "") -> str:
    """A line with a bar; as HTML."""
    width = f"{100 * min(max(share, 0.0), 1.0):.1f}%"
    return (
        f"<span{kind}>{escape(text)}</span>"
        f'<span class="bar2"><i style="width:{width}"></i></span><span>{escape(worth)}</span>'
    )
