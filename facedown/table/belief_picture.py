"""Beliefs over time as a picture: stacked shares, or a heat map, with the truth marked."""

from __future__ import annotations

from collections.abc import Iterator

from facedown.core import drawing
from facedown.core.pictures import described
from facedown.table.believed import BeliefHistory, told_apart

ROWS, BANDS = 26, 12
"""How many facts are drawn; up to how many that exclude each other are stacked."""

_LEFT, _TOP, _ROW, _FULL = 26, 74, 24, 720
_STYLE = """<style>
.fb-paper{fill:#fbfaf5;stroke:#d8d2c0}.fb-ink{fill:#26323a}.fb-faint{fill:#6a747a}.fb-cell{fill:#2f6db5}
.fb-grid{stroke:#26323a;stroke-opacity:.14}.fb-true{fill:none;stroke:#c8471b;stroke-width:2.4}
.fb-dot{fill:#c8471b;stroke:#fff;stroke-width:1}
@media (prefers-color-scheme: dark){.fb-paper{fill:#1d2429;stroke:#39444b}.fb-ink{fill:#eceae2}
.fb-faint{fill:#a3adb2}.fb-cell{fill:#6aa7ee}.fb-grid{stroke:#fff}.fb-true{stroke:#ff8a4c}.fb-dot{fill:#ff8a4c}}
</style>"""
_BANDS = (
    "#2f6db5",
    "#e7b84b",
    "#3f9a6b",
    "#b8395a",
    "#7a5bb0",
    "#c97a3a",
    "#4aa7b8",
    "#8a8f3a",
    "#d98ba0",
    "#5a6b78",
    "#9ac46b",
    "#a8643f",
)


def belief_picture(history: BeliefHistory) -> str:
    """A history as SVG, readable on light and on dark pages."""
    if not history.moments or not history.facts():
        pieces, height = [_text(_LEFT, 66, "nothing was hidden", "faint")], 100
    elif history.exclusive and len(history.facts()) <= BANDS:
        pieces, height = list(_stacked(history)), _TOP + 330
    else:
        facts = history.facts(ROWS)
        pieces, height = list(_heat(history, facts)), _TOP + _ROW * len(facts) + 62
    width = _FULL + 2 * _LEFT
    head = _text(_LEFT, 34, f"What player {history.viewer} could believe", "ink", 19)
    if history.viewer < 0:
        head = _text(_LEFT, 34, "What an onlooker could believe", "ink", 19)
    paper = (
        f'<rect class="fb-paper" x="1" y="1" width="{width - 2}" height="{height - 2}" rx="14"/>'
    )
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img">{_STYLE}{paper}{head}'
        f"{_text(_LEFT, 56, history.who, 'faint', 13)}{''.join(pieces)}</svg>"
    )
    return described(drawn, words_of(history))


def words_of(history: BeliefHistory) -> str:
    """The same in words: at each decision what was likeliest, and what of it is true."""
    lines = [f"What player {history.viewer} could believe, {history.who}"]
    for moment in history.moments:
        best = sorted(moment.shares.items(), key=lambda pair: (-pair[1], pair[0]))[:3]
        told = [
            f"{fact} {share:.0%}{' (true)' if fact in moment.truth else ''}" for fact, share in best
        ]
        lines.append(f"before move {moment.ply + 1}: {', '.join(told) or 'no world was found'}")
    return "\n".join(lines)


def _text(
    x: float, y: float, words: str, kind: str, size: float = 14, anchor: str = "start"
) -> str:
    piece = drawing.text(x, y, words, size=round(size), anchor=anchor)
    return piece.replace(f'fill="{drawing.CREAM}"', f'class="fb-{kind}"')


def _ticks(history: BeliefHistory, x: float, step: float, y: float) -> Iterator[str]:
    """The numbers of moves below, as many as there is room for."""
    every = max(1, round(34 / step))
    for k, moment in enumerate(history.moments):
        if k % every == 0:
            place = x + step * (k + 0.5)
            yield _text(place, y, str(moment.ply + 1), "faint", 12, "middle")
    yield _text(x + step * len(history.moments) / 2, y + 22, "before move", "faint", 13, "middle")


def _heat(history: BeliefHistory, facts: list[str]) -> Iterator[str]:
    """A row for each fact, a column for each decision; a dot where it is true."""
    common, names = told_apart(facts)
    wide = min(300.0, 20 + 7.4 * max(map(len, names)))
    x, step = _LEFT + wide, (_FULL - wide) / len(history.moments)
    if common:
        yield _text(_LEFT, _TOP + 2, f"{common} …", "faint", 13)
    yield from _key(x)
    for row, (fact, name) in enumerate(zip(facts, names, strict=True)):
        y = _TOP + 12 + _ROW * row
        yield _text(x - 10, y + 17, name[:40], "ink", 14, "end")
        line = f'x1="{x:g}" x2="{x + step * len(history.moments):g}" y1="{y:g}" y2="{y:g}"'
        yield f'<line class="fb-grid" {line}/>'
        for k, moment in enumerate(history.moments):
            share = moment.shares.get(fact, 0.0)
            left = x + step * k
            if share > 0:
                yield (
                    f'<rect class="fb-cell" x="{left:.1f}" y="{y + 1:g}" width="{step:.2f}" '
                    f'height="{_ROW - 2}" fill-opacity="{0.06 + 0.94 * share:.3f}"/>'
                )
            if fact in moment.truth:
                size = min(4.2, step * 0.36)
                yield (
                    f'<circle class="fb-dot" cx="{left + step / 2:.1f}" cy="{y + _ROW / 2:g}" '
                    f'r="{size:.1f}"/>'
                )
    yield from _ticks(history, x, step, _TOP + 30 + _ROW * len(facts))


def _key(x: float) -> Iterator[str]:
    """How dark how likely is, and what a dot means."""
    right = _LEFT + _FULL
    for k in range(5):
        yield (
            f'<rect class="fb-cell" x="{right - 240 + 24 * k:g}" y="{_TOP - 14}" width="24" '
            f'height="12" fill-opacity="{0.06 + 0.94 * k / 4:.3f}"/>'
        )
    yield _text(right - 246, _TOP - 3, "0", "faint", 12, "end")
    yield _text(right - 114, _TOP - 3, "100 %", "faint", 12)
    yield f'<circle class="fb-dot" cx="{right - 44}" cy="{_TOP - 8}" r="4.2"/>'
    yield _text(right - 34, _TOP - 3, "true", "faint", 12)


def _stacked(history: BeliefHistory) -> Iterator[str]:
    """Shares that sum to 1, one above another; the true one is framed."""
    facts, high = history.facts(), 236.0
    x, y = _LEFT + 40.0, _TOP + 40.0
    step = (_FULL - 40) / len(history.moments)
    yield from _band_key(facts)
    for k, moment in enumerate(history.moments):
        top = y + high
        for place, fact in enumerate(facts):
            part = high * moment.shares.get(fact, 0.0)
            top -= part
            box = f'x="{x + step * k:.1f}" y="{top:.1f}" width="{step:.2f}" height="{part:.1f}"'
            if part > 0:
                yield f'<rect {box} fill="{_BANDS[place % len(_BANDS)]}"/>'
            if fact in moment.truth and part > 0:
                yield f'<rect class="fb-true" {box}/>'
    for share in (0.0, 0.5, 1.0):
        level = y + high * (1 - share)
        ends = f'x1="{x:g}" x2="{_LEFT + _FULL}" y1="{level:g}" y2="{level:g}"'
        yield f'<line class="fb-grid" {ends}/>'
        yield _text(x - 6, level + 4, f"{share:.0%}".replace("%", " %"), "faint", 12, "end")
    yield from _ticks(history, x, step, y + high + 18)


def _band_key(facts: list[str]) -> Iterator[str]:
    common, names = told_apart(facts)
    x, y = float(_LEFT), float(_TOP)
    yield _text(x, y + 2, f"{common.rstrip(':')}:" if common else "", "faint", 13)
    x += 7 * len(common) + 16 if common else 0
    for place, name in enumerate(names):
        wide = 30 + 7.6 * len(name)
        if x + wide > _LEFT + _FULL:
            x, y = float(_LEFT), y + 20
        fill = _BANDS[place % len(_BANDS)]
        yield f'<rect x="{x:g}" y="{y - 9:g}" width="12" height="12" rx="2" fill="{fill}"/>'
        yield _text(x + 17, y + 2, name, "ink", 13)
        x += wide
    frame = f'x="{_LEFT + _FULL - 70}" y="{_TOP - 32}" width="14" height="12"'
    yield f'<rect class="fb-true" {frame}/>' + _text(
        _LEFT + _FULL - 50, _TOP - 21, "true", "faint", 13
    )
