"""The page of a tuning: what was found, and what mattered."""

from __future__ import annotations

import html
import io
from typing import Any

from facedown.papers.html import document, picture
from facedown.papers.plots import COLOURS, INK, MissingPlotsError, dress, new_figure
from facedown.tune.tuner import Influence, Tuned


def page(found: Tuned) -> str:
    """The whole page, one file of HTML."""
    title = f"facedown: tuned for {found.game}"
    facts = f"{found.games:,} games against {found.default}, seed {found.seed}, run {found.run}"
    parts = [
        f"<h1>{html.escape(title)}</h1>",
        f'<p class="facts">{html.escape(facts)}</p>',
        f"<article><h3>What was found</h3><p><code>{html.escape(found.best)}</code></p>"
        f"<p>{html.escape(verdict(found))}</p></article>",
        _mattered(found),
        _race(found),
        _steps(found),
    ]
    return document(title, "\n".join(parts))


def verdict(found: Tuned) -> str:
    """What the last match came to, in words."""
    gain = found.gain
    if found.best == found.default:
        return f"Nothing was found that is better than {found.default}."
    if gain.value is None or gain.low is None or gain.high is None:
        return f"{found.best} was not played often enough to tell."
    told = f"{gain.value:+.1%} ({gain.low:+.1%} to {gain.high:+.1%}) of the range of payoffs a game"
    if found.better:
        return f"With fresh seeds it gains {told} against {found.default}: it is better."
    return f"With fresh seeds it gains {told} against {found.default}: not shown to be better."


def _mattered(found: Tuned) -> str:
    shown = "".join(_influence(one) for one in found.influences)
    return (
        "<article><h3>What mattered</h3><p>For each option the mean gain of its values against the "
        "default, over all games of race and model, and the share of what differed that its values "
        f"account for by themselves.</p>{shown}</article>"
    )


def _influence(one: Influence) -> str:
    words = f"{one.name}: {one.share:.0%}"
    return f"<h4>{html.escape(words)}</h4>{_drawn(one, words)}{_values(one)}"


def _values(one: Influence) -> str:
    cells = "".join(
        f"<tr><td>{html.escape(value)}</td><td style='text-align:right'>"
        f"{f'{100 * mean:+.1f} %' if weight else 'not tried'}</td>"
        f"<td style='text-align:right'>{weight:.0f}</td></tr>"
        for value, mean, weight in zip(one.values, one.means, one.weights, strict=True)
    )
    head = "<tr><th>value</th><th>mean gain</th><th>deals</th></tr>"
    return f'<div class="scroll"><table>{head}{cells}</table></div>'


def _drawn(one: Influence, words: str) -> str:
    """Bars of the means; nothing without matplotlib."""
    try:
        figure = new_figure()
    except MissingPlotsError:
        return ""
    figure.set_size_inches(8.6, 2.6)
    axis: Any = figure.add_subplot()
    dress(axis)
    tried = [k for k, weight in enumerate(one.weights) if weight]
    axis.bar(range(len(tried)), [100 * one.means[k] for k in tried], color=COLOURS[0], width=0.6)
    axis.axhline(0, color=INK, lw=1)
    axis.set_xticks(range(len(tried)), [one.values[k] for k in tried])
    axis.set_ylabel("mean gain (%)")
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    return picture(buffer.getvalue(), words)


def _race(found: Tuned) -> str:
    rows = [
        f"<tr><td>{number}</td><td><code>{html.escape(spec)}</code></td>"
        f"<td style='text-align:right'>{100 * gain:+.1f} %</td>"
        f"<td>{html.escape(rung.dropped.get(spec, 'goes on'))}</td></tr>"
        for number, rung in enumerate(found.rungs, 1)
        for spec, gain in sorted(rung.gains.items(), key=lambda pair: -pair[1])
    ]
    head = "<tr><th>rung</th><th>candidate</th><th>mean gain so far</th><th></th></tr>"
    return _table("The race", head, rows)


def _steps(found: Tuned) -> str:
    rows = [
        f"<tr><td>{number}</td><td><code>{html.escape(spec)}</code></td>"
        f"<td style='text-align:right'>{100 * gain:+.1f} %</td></tr>"
        for number, (spec, gain) in enumerate(found.steps, 1)
    ]
    head = "<tr><th>step</th><th>tried</th><th>mean gain</th></tr>"
    return _table("What the model tried", head, rows)


def _table(title: str, head: str, rows: list[str]) -> str:
    body = f'<div class="scroll"><table>{head}{"".join(rows)}</table></div>'
    return f"<article><h3>{title}</h3>{body}</article>"
