"""Pieces that several pages have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from fastapi.responses import HTMLResponse, JSONResponse
from nicegui import ui

from facedown.core import FacedownError
from facedown.search.report import Report
from facedown.shown import one_line
from facedown.table.explain import parted, percent
from facedown.table.web.beside import FORMS, Beside
from facedown.table.web.guard import log
from facedown.table.web.style import CSS, SCRIPT


def frame(title: str) -> None:
    """The head of a page: its name, its looks, the way home, light or dark."""
    ui.page_title(f"{title} · facedown")
    ui.add_head_html(_head())
    ui.html(_bar(title), tag="header", sanitize=False).classes("bar")


def plain_page(title: str, heading: str, inside: str) -> HTMLResponse:
    """A page without a socket, of HTML: nothing of it is ever made anew but by its reader."""
    return HTMLResponse(
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)} · '
        'facedown</title><meta name="viewport" content="width=device-width, initial-scale=1">'
        f'{_head()}</head><body class="plain"><script>facedownDark(false)</script>'
        f'<header class="bar">{_bar(title)}</header><main><section class="panel">'
        f"<h2>{escape(heading)}</h2>{inside}</section></main></body></html>"
    )


def _head() -> str:
    return f"<style>{CSS}</style><script>{SCRIPT}</script>"


def _bar(title: str) -> str:
    return (
        f'<a href="/">facedown</a><span class="ellipsis">{escape(title)}</span>'
        '<button type="button" onclick="facedownDark(true)" aria-label="light or dark">◐</button>'
    )


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


def form(action: str, fields: str, button: str) -> str:
    """A form of the browser's own fields that is sent as JSON to a path, as HTML.

    The answer (`answered`) names the page to go to, or says what is wrong.
    """
    return (
        f'<form action="{escape(action)}" onsubmit="facedownSend(this); return false">{fields}'
        f'<p class="said" role="alert"></p><button class="send">{escape(button)}</button></form>'
    )


def text_field(label: str, name: str, value: str = "", more: str = "") -> str:
    """A field to type in, with its label, as HTML; one without a name is not sent."""
    known = name or label.lower().replace(" ", "-")
    sent = f' name="{name}"' if name else ""
    return (
        f'<div class="field {known}"><label for="f-{known}">{escape(label)}</label>'
        f'<input id="f-{known}"{sent} value="{escape(value)}" autocomplete="off" {more}></div>'
    )


def hidden_field(name: str, value: object) -> str:
    """A field that a page fills in, as HTML."""
    return f'<input type="hidden" name="{escape(name)}" value="{escape(str(value))}">'


async def answered(deed: Callable[[], Mapping[str, str]], beside: Beside = FORMS) -> JSONResponse:
    """The answer to a form: what a deed tells, or in one line why it could not be done."""
    try:
        return JSONResponse(dict(await beside(deed)))
    except FacedownError as error:
        return JSONResponse({"wrong": one_line(str(error))}, 400)
    except Exception as error:
        log.exception("a form was not answered")
        return JSONResponse({"wrong": f"a fault of the server's: {type(error).__name__}"}, 500)


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


def share_bars(shares: Sequence[tuple[str, float]]) -> str:
    """What may be, and how likely, as bars; as HTML."""
    rows, others, notes = parted(shares)
    rest = [] if others is None else [("anything else", others)]
    drawn = "".join(bar(text, share, percent(share)) for text, share in [*rows, *rest])
    said = "".join(f"<p>{escape(note)}</p>" for note in notes)
    return f'<div class="bars">{drawn}</div>{said}'


def bar(text: str, share: float, worth: str, kind: str = "") -> str:
    """A line with a bar; as HTML."""
    width = f"{100 * min(max(share, 0.0), 1.0):.1f}%"
    return (
        f"<span{kind}>{escape(text)}</span>"
        f'<span class="bar2"><i style="width:{width}"></i></span><span>{escape(worth)}</span>'
    )
