"""Beliefs over time as a picture: statements by plies, against the truth."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from facedown.table.story import Heat

_ROW, _LEFT, _WIDTH = 26, 300, 900


def heat_map(heat: Heat, title: str) -> str:
    """A heat map as SVG: the darker, the likelier; what was so has a golden frame."""
    if not heat.plies:
        return ""
    height = _ROW * (len(heat.texts) + 1) + 12
    step = (_WIDTH - _LEFT - 10) / len(heat.plies)
    pieces = [f"<title>{escape(title)}</title>"]
    for row, text in enumerate(heat.texts):
        pieces.append(_line(heat, row, text, step))
    pieces.append(_axis(heat, step))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'class="heat" font-size="13" font-family="sans-serif">{"".join(pieces)}</svg>'
    )


def _line(heat: Heat, row: int, text: str, step: float) -> str:
    y = row * _ROW + 4
    shown = text if len(text) <= 46 else f"{text[:45]}…"
    bold = ' font-weight="bold"' if heat.true[row][-1] else ""
    cells = [
        f'<text x="{_LEFT - 8}" y="{y + 16}" text-anchor="end" fill="currentColor"{bold}>'
        f"{escape(shown)}</text>"
    ]
    for column, (share, true) in enumerate(zip(heat.shares[row], heat.true[row], strict=True)):
        frame = ' stroke="#e0a325" stroke-width="2"' if true else ""
        label = quoteattr(f"ply {heat.plies[column]}: {text}: {share:.0%}")
        cells.append(
            f'<rect x="{_LEFT + column * step:.1f}" y="{y}" width="{max(step - 1.5, 1):.1f}" '
            f'height="{_ROW - 4}" rx="2" style="fill: var(--accent, #1f6f54)" '
            f'fill-opacity="{0.06 + 0.94 * share:.3f}"'
            f"{frame} aria-label={label}><title>{escape(label[1:-1])}</title></rect>"
        )
    return "".join(cells)


def _axis(heat: Heat, step: float) -> str:
    y, every = _ROW * len(heat.texts) + 22, max(1, len(heat.plies) // 10)
    return (
        f'<text x="{_LEFT - 8}" y="{y}" text-anchor="end" fill="currentColor">ply</text>'
        + "".join(
            f'<text x="{_LEFT + (column + 0.5) * step:.1f}" y="{y}" text-anchor="middle" '
            f'fill="currentColor">{ply}</text>'
            for column, ply in enumerate(heat.plies)
            if column % every == 0
        )
    )
