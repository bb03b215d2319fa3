"""The page of a playtest: a sentence and a picture for each thing that was found."""

from __future__ import annotations

import html
import io
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from facedown.papers.html import document, picture
from facedown.papers.plots import COLOURS, INK, MissingPlotsError, dress, new_figure
from facedown.playtest import sentences as say
from facedown.playtest.findings import MOMENTS, Findings

_BARS = 16  # moves that are drawn


def page(found: Findings) -> str:
    """The whole page, one file of HTML."""
    title = f"facedown: a playtest of {found.spec}"
    day = datetime.now(UTC).date().isoformat()
    test = found.test
    facts = (
        f"{day}. {found.games:,} games by {', '.join(one.agent for one in found.ladder)} and one "
        f"who sees everything; seed {test.seed}, run {found.run}, code {', '.join(found.revisions)}"
    )
    parts = [f"<h1>{html.escape(title)}</h1>", f'<p class="facts">{html.escape(facts)}</p>']
    if warning := say.few(found):
        parts.append(f'<p class="facts"><strong>{html.escape(warning)}</strong></p>')
    parts += [_article(name, text(found), draw, found) for name, text, draw in _ARTICLES]
    parts.append(_games(found))
    return document(title, "\n".join(parts))


def _article(name: str, words: str, draw: Drawing | None, found: Findings) -> str:
    shown = "" if draw is None else _drawn(draw, found, words)
    return f"<article><h3>{html.escape(name)}</h3><p>{html.escape(words)}</p>{shown}</article>"


def _drawn(draw: Drawing, found: Findings, words: str) -> str:
    """A picture; nothing without matplotlib."""
    try:
        figure = new_figure()
    except MissingPlotsError:
        return ""
    figure.set_size_inches(8.6, 3.4)
    axis = figure.add_subplot()
    dress(axis)
    draw(axis, found)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    return picture(buffer.getvalue(), words)


def _games(found: Findings) -> str:
    """The games to look at."""
    if not found.extremes:
        return ""
    rows = [
        f"<tr><td>{html.escape(one.what)}</td><td>{html.escape(one.value)}</td>"
        f"<td><code>facedown replay {found.address}/{one.number}</code></td></tr>"
        for one in found.extremes
    ]
    return (
        "<article><h3>Games to look at</h3><p>The games are kept in the store; each of these "
        'commands shows one, ply by ply.</p><div class="scroll"><table>'
        f"{''.join(rows)}</table></div></article>"
    )


# --- pictures -------------------------------------------------------------------------------------

Drawing = Callable[[Any, Findings], None]


def _draw_lengths(axis: Any, found: Findings) -> None:
    low, high = min(found.lengths, default=0), max(found.lengths, default=0)
    step = max(1, -(-(high - low + 1) // 30))
    edges = [low - 0.5 + k * step for k in range((high - low) // step + 2)]
    axis.hist(found.lengths, bins=edges, color=COLOURS[0], edgecolor="white")
    axis.set_xlabel("moves of a game, chance's included")
    axis.set_ylabel("games")


def _draw_seats(axis: Any, found: Findings) -> None:
    for p, one in enumerate(found.wins):
        axis.bar(p, 100 * (one.value or 0.0), color=COLOURS[0], width=0.6)
        if one.low is not None and one.high is not None:
            axis.plot([p, p], [100 * one.low, 100 * one.high], color=INK, lw=2)
    axis.axhline(100 / found.players, color=INK, ls=":", lw=1)
    axis.set_xticks(range(found.players), [f"player {p}" for p in range(found.players)])
    axis.set_ylabel("wins (%), 95 % interval")


def _draw_luck(axis: Any, found: Findings) -> None:
    parts = found.variance
    named = [(name, getattr(parts, name)) for name in ("skill", "deal", "play", "seat")]
    left = 0.0
    for k, (name, share) in enumerate((name, 100 * share) for name, share in named if share):
        axis.barh([0], [share], left=left, color=COLOURS[k], label=f"{name} {share:.0f} %")
        left += share
    axis.set_yticks([])
    axis.set_ylim(-0.7, 1.3)
    axis.set_xlabel("share of the variance of payoffs (%)")
    axis.grid(False)
    axis.legend(loc="upper center", ncol=4, frameon=False)


def _draw_ladder(axis: Any, found: Findings) -> None:
    for k, one in enumerate(found.steps):
        axis.bar(k, one.value or 0.0, color=COLOURS[0], width=0.6)
        if one.low is not None and one.high is not None:
            axis.plot([k, k], [one.low, one.high], color=INK, lw=2)
    axis.axhline(0, color=INK, lw=1)
    names = [f"{_short(b.agent)}\nover {_short(a.agent)}" for a, b in pairwise(found.ladder)]
    axis.set_xticks(range(len(names)), names)
    axis.set_ylabel("ahead, payoff a game, 95 %")
    axis.set_xlabel("iterations a move")


def _short(agent: str) -> str:
    return agent.rpartition("iterations=")[2].partition(",")[0] if "=" in agent else agent


def _draw_peeking(axis: Any, found: Findings) -> None:
    one = found.peeking
    axis.barh([0], [one.value or 0.0], color=COLOURS[1], height=0.4)
    if one.low is not None and one.high is not None:
        axis.plot([one.low, one.high], [0, 0], color=INK, lw=2)
    axis.axvline(0, color=INK, lw=1)
    axis.set_yticks([0], ["sees everything"])
    axis.set_ylim(-0.6, 0.6)
    axis.set_xlabel("ahead of one who sees its own view, payoff a game, 95 %")


def _draw_decided(axis: Any, found: Findings) -> None:
    moments = sorted(100 * one.decided for one in found.courses if not one.drawn)
    shares = [100 * k / len(moments) for k in range(1, len(moments) + 1)]
    axis.step(moments, shares, where="post", color=COLOURS[0])
    axis.set_xlim(0, 101)
    axis.set_ylim(0, 101)
    axis.set_xlabel("share of a game's moves (%)")
    axis.set_ylabel("games decided by then (%)")


def _draw_lead(axis: Any, found: Findings) -> None:
    places = [100 * at for at in MOMENTS]
    shares = [100 * (one.value or 0.0) for one in found.ahead]
    axis.plot(places, shares, color=COLOURS[0], marker="o")
    for at, one in zip(places, found.ahead, strict=True):
        if one.low is not None and one.high is not None:
            axis.plot([at, at], [100 * one.low, 100 * one.high], color=INK, lw=2)
    axis.axhline(100 / found.players, color=INK, ls=":", lw=1)
    axis.set_xlim(0, 100)
    axis.set_ylim(0, 102)
    axis.set_xlabel("when (% of a game's moves)")
    axis.set_ylabel("leader wins (%)")


def _draw_drawn(axis: Any, found: Findings) -> None:
    drawn = 100 * (found.drawn.value or 0.0)
    axis.barh([1, 0], [100 - drawn, drawn], color=[COLOURS[0], COLOURS[1]])
    axis.set_yticks([1, 0], ["won", "drawn"])
    axis.set_xlim(0, 100)
    axis.set_xlabel("games among equals (%)")


def _draw_moves(axis: Any, found: Findings) -> None:
    told = found.habits.told
    half = _BARS // 2
    shown = told if len(told) <= _BARS else [*told[:half], *told[-half:]]
    places = range(len(shown))
    axis.barh(places, [100 * one.made / one.legal for one in shown], color=COLOURS[0])
    for k, one in enumerate(shown):
        chance = 100 * one.expected / one.legal
        axis.plot([chance, chance], [k - 0.4, k + 0.4], color=INK, lw=2)
    axis.set_yticks(places, [one.name[:40] for one in shown])
    axis.invert_yaxis()
    axis.figure.set_size_inches(8.6, max(2.0, 0.28 * len(shown) + 1.0))
    axis.set_xlim(0, 101)
    axis.set_xlabel("made, of the times it was legal (%); the line: at random")


_ARTICLES: tuple[tuple[str, Callable[[Findings], str], Drawing | None], ...] = (
    ("How long it takes", say.length, _draw_lengths),
    ("Where one sits", say.seats, _draw_seats),
    ("Luck and skill", say.luck, _draw_luck),
    ("The ladder of strength", say.ladder, _draw_ladder),
    ("What hidden things are worth", say.peeking, _draw_peeking),
    ("When it is decided", say.decided, _draw_decided),
    ("Leads, kept and lost", say.lead, _draw_lead),
    ("Stalemates", say.stalemates, _draw_drawn),
    ("Moves that are no choice", say.moves, _draw_moves),
)
