"""What the games' pictures are drawn with: a table, cards, dice and chips, as pieces of SVG.

Every function gives a piece of SVG as text; `svg` wraps pieces into a picture. Text is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

CARD_WIDTH, CARD_HEIGHT, DIE = 84, 118, 56
CREAM, INK, GOLD = "#fdf8ec", "#26323a", "#e7b84b"
_SERIF = "Georgia, 'DejaVu Serif', serif"
_SANS = "'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', sans-serif"
_COURT = {"J": "#2f7f86", "Q": "#b8395a", "K": "#3a4a9f"}
_SHADOW = 'fill="#000" fill-opacity="0.25"'

_DEFS = """<defs>
<radialGradient id="felt" cx="50%" cy="45%" r="75%">
<stop offset="0" stop-color="#2f8a68"/><stop offset="1" stop-color="#14503c"/></radialGradient>
<linearGradient id="wood" x1="0" y1="0" x2="0" y2="1">
<stop offset="0" stop-color="#8a5a35"/><stop offset="1" stop-color="#5c3820"/></linearGradient>
<pattern id="back" width="14" height="14" patternUnits="userSpaceOnUse">
<rect width="14" height="14" fill="#7d2a3c"/>
<path d="M7 0 14 7 7 14 0 7Z" fill="none" stroke="#c9808c" stroke-width="1.2"/>
<circle cx="7" cy="7" r="1.6" fill="#e7c1a0"/></pattern>
</defs>"""


def svg(width: int, height: int, pieces: Iterable[str], *, wide: bool = False) -> str:
    """A picture: a wooden table with felt, and the pieces on it.

    A `wide` one has two halves side by side, of which a small screen shows one at a time.
    """
    shape = ' class="wide"' if wide else ""
    table = (
        f'<rect width="{width}" height="{height}" rx="28" fill="url(#wood)"/>'
        f'<rect x="12" y="12" width="{width - 24}" height="{height - 24}" rx="20" '
        'fill="url(#felt)" stroke="#0d3a2b" stroke-width="2"/>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img"{shape}>{_DEFS}{table}{"".join(pieces)}</svg>'
    )


def part(name: str, piece: str) -> str:
    """A piece that can be clicked, by the name that `move_parts` of the game gives it.

    >>> part("card:5h", "<rect/>")
    '<g data-part="card:5h"><rect/></g>'
    """
    return f"<g data-part={quoteattr(name)}>{piece}</g>"


def text(
    x: float,
    y: float,
    words: str,
    *,
    size: int = 16,
    colour: str = CREAM,
    anchor: str = "middle",
    bold: bool = False,
    serif: bool = False,
) -> str:
    """Words with their base line at `y`; anchor is start, middle or end."""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-family="{_SERIF if serif else _SANS}" '
        f'font-size="{size}" fill="{colour}" text-anchor="{anchor}"{weight}>{escape(words)}</text>'
    )


def label(x: float, y: float, words: str, *, active: bool = False) -> str:
    """A name plate centred at (x, y); golden for the one whose turn it is."""
    width = 22 + 8.6 * len(words)
    fill, colour = (GOLD, INK) if active else ("#0d3a2b", CREAM)
    plate = (
        f'<rect x="{x - width / 2:g}" y="{y - 14:g}" width="{width:g}" height="28" rx="14" '
        f'fill="{fill}" fill-opacity="0.92"/>'
    )
    return plate + text(x, y + 5, words, size=15, colour=colour, bold=active)


def plate(
    name: str, x: float, y: float, words: str, *, width: float, live: bool = True, size: int = 16
) -> str:
    """A plate to click, the part `name`, its middle at (x, y); pale where it does nothing now."""
    height = 2.1 * size
    fill = f'fill="#f4e3b5" fill-opacity="{1 if live else 0.16}"'
    box = (
        f'<rect x="{x - width / 2:g}" y="{y - height / 2:g}" width="{width:g}" height="{height:g}" '
        f'rx="{height / 3:g}" {fill} stroke="{CREAM}" stroke-opacity="{0.9 if live else 0.3}"/>'
    )
    colour = INK if live else "#a9c6b7"
    return part(name, box + text(x, y + 0.36 * size, words, size=size, colour=colour, bold=live))


def _sheet(x: float, y: float, fill: str) -> str:
    size = f'width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="9"'
    return (
        f'<rect x="{x + 3:g}" y="{y + 4:g}" {size} {_SHADOW}/>'
        f'<rect x="{x:g}" y="{y:g}" {size} fill="{fill}" stroke="#b9ad93"/>'
    )


def card_back(x: float, y: float) -> str:
    """A card face down, its upper left corner at (x, y)."""
    return (
        _sheet(x, y, CREAM) + f'<rect x="{x + 6:g}" y="{y + 6:g}" width="{CARD_WIDTH - 12}" '
        f'height="{CARD_HEIGHT - 12}" rx="5" fill="url(#back)"/>'
    )


def card_place(x: float, y: float) -> str:
    """The place of a card that is not dealt yet."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="9" fill="none" '
        f'stroke="{CREAM}" stroke-opacity="0.45" stroke-width="2" stroke-dasharray="7 6"/>'
    )


def card_face(x: float, y: float, rank: str) -> str:
    """A card face up: J, Q and K wear a hat of their own."""
    colour = _COURT.get(rank, INK)
    middle, low = x + CARD_WIDTH / 2, y + CARD_HEIGHT
    frame = (
        f'<rect x="{x + 16:g}" y="{y + 24:g}" width="{CARD_WIDTH - 32}" '
        f'height="{CARD_HEIGHT - 48}" rx="6" fill="{colour}" fill-opacity="0.12" '
        f'stroke="{colour}" stroke-opacity="0.5"/>'
    )
    corner = text(x + 11, y + 21, rank, size=18, colour=colour, bold=True, serif=True)
    turned = f'<g transform="rotate(180 {middle:g} {y + CARD_HEIGHT / 2:g})">{corner}</g>'
    big = text(middle, low - 33, rank, size=38, colour=colour, bold=True, serif=True)
    return _sheet(x, y, CREAM) + frame + corner + turned + _hat(middle, y + 48, rank, colour) + big


def _hat(x: float, y: float, rank: str, colour: str) -> str:
    """A cap with a feather, a coronet or a crown; (x, y) is the middle of its lower edge."""
    shapes = {
        "J": "M-15 0 H15 L10 -8 Q0 -14 -10 -8Z M9 -9 Q20 -16 17 -23 Q8 -18 4 -11Z",
        "Q": "M-15 0 H15 L18 -11 L8 -5 L0 -14 L-8 -5 L-18 -11Z",
        "K": "M-15 0 H15 L17 -16 L8 -7 L0 -19 L-8 -7 L-17 -16Z",
    }
    points = {"Q": ((-18, -12), (0, -15), (18, -12)), "K": ((-17, -17), (0, -20), (17, -17))}
    balls = "".join(
        f'<circle cx="{x + dx:g}" cy="{y + dy:g}" r="2.6" fill="{GOLD}" stroke="{colour}"/>'
        for dx, dy in points.get(rank, ())
    )
    path = shapes.get(rank, "")
    return f'<path d="{path}" transform="translate({x:g} {y:g})" fill="{colour}"/>{balls}'


def card(x: float, y: float, rank: str | None, *, dealt: bool = True) -> str:
    """A card face up, face down where its rank is None, or its empty place."""
    if not dealt:
        return card_place(x, y)
    return card_back(x, y) if rank is None else card_face(x, y, rank)


_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def die(x: float, y: float, face: int, *, wild: bool = False, size: int = DIE) -> str:
    """A die with 1 to 6 pips, its upper left corner at (x, y); 0 is hidden under a cup."""
    if face == 0:
        return cup(x, y, size=size)
    step, pip = size * 0.27, size * 0.09
    fill, dot = (GOLD, "#5c3820") if wild else (CREAM, INK)
    box = f'width="{size}" height="{size}" rx="{size * 0.2:g}"'
    pips = "".join(
        f'<circle cx="{x + size / 2 + dx * step:g}" cy="{y + size / 2 + dy * step:g}" '
        f'r="{pip:g}" fill="{dot}"/>'
        for dx, dy in _PIPS[face]
    )
    return (
        f'<rect x="{x + 2:g}" y="{y + 3:g}" {box} {_SHADOW}/>'
        f'<rect x="{x:g}" y="{y:g}" {box} fill="{fill}" stroke="#b9ad93"/>{pips}'
    )


def cup(x: float, y: float, *, size: int = DIE) -> str:
    """A leather cup turned over a die that nobody else may see."""
    path = "M3 52 L10 8 Q28 -2 46 8 L53 52 Q28 63 3 52Z"
    question = text(28, 43, "?", size=26, colour="#f0d9b5", bold=True, serif=True)
    return (
        f'<g transform="translate({x:g} {y:g}) scale({size / DIE:g})">'
        f'<path d="{path}" transform="translate(2 3)" {_SHADOW}/>'
        f'<path d="{path}" fill="#7a4a2b" stroke="#4e2d18" stroke-width="1.5"/>'
        '<path d="M8.2 19 Q28 27 47.8 19" fill="none" stroke="#c39a6b" stroke-width="2"/>'
        f"{question}</g>"
    )


def chips(x: float, y: float, n: int) -> str:
    """A stack of `n` chips whose lowest one is centred at (x, y), with the number beside it."""
    colours = ("#d8534e", "#f2efe6", "#3d6fb6")
    stack = "".join(
        f'<ellipse cx="{x:g}" cy="{y - 5 * k:g}" rx="19" ry="8" fill="{colours[k % 3]}" '
        f'stroke="#222" stroke-opacity="0.55"/>'
        f'<ellipse cx="{x:g}" cy="{y - 5 * k - 0.5:g}" rx="11" ry="4.2" fill="none" '
        'stroke="#222" stroke-opacity="0.4" stroke-dasharray="4 3"/>'
        for k in range(n)
    )
    return stack + text(x + 28, y + 4, str(n), size=18, bold=True, anchor="start")
