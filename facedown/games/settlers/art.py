"""The small drawings of Settlers' pictures: tiles, pieces, cards, as pieces of SVG."""

from __future__ import annotations

from facedown.core import drawing
from facedown.games.settlers.geometry import WIDTH

INK = drawing.INK
TILE = ("#bf5b3f", "#8a93a6", "#a5cf73", "#ecc655", "#4d8a55", "#e3d2a4")
EDGE = ("#8e3d28", "#626b80", "#74a045", "#c29a2c", "#2f6239", "#bda974")
SEAT = ("#d63f3a", "#2c69cf", "#f7f4ea", "#f08a1d")
RIM = ("#6d1512", "#0f2f6b", "#6f6a5c", "#7c3f00")
"""Colours by resource, and by player."""


def at(x: float, y: float, piece: str, scale: float = 1.0) -> str:
    """A drawing around (0, 0) put somewhere else."""
    return f'<g transform="translate({x:.1f} {y:.1f}) scale({scale:g})">{piece}</g>'


def hexagon(x: float, y: float, radius: float, fill: str, rim: str, width: float = 3) -> str:
    """A hexagon that stands on a corner."""
    half = radius * WIDTH / 2
    corners = ((0, -radius), (half, -radius / 2), (half, radius / 2))
    points = [*corners, *((-dx, -dy) for dx, dy in corners)]
    path = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in points)
    return f'<polygon points="{path}" fill="{fill}" stroke="{rim}" stroke-width="{width:g}"/>'


_BRICK = "".join(
    f'<rect x="{x}" y="{y}" width="12" height="6" rx="1" fill="#a33a20" stroke="#f0c3a8"/>'
    for x, y in ((-12, 1), (1, 1), (-5.5, -6), (-12, -13), (1, -13))
)
_ORE = (
    '<path d="M-17 9 L-5 -13 L2 -2 L7 -9 L17 9Z" fill="#566078" stroke="#39415a"/>'
    '<path d="M-5 -13 L-9 -5 L-5 -7 L-2 -4 L-1 -7Z" fill="#eef2f8"/>'
)
_SHEEP = (
    '<g fill="#fffdf5" stroke="#8d8d80"><circle cx="-6" cy="-1" r="7"/>'
    '<circle cx="3" cy="-4" r="7"/><circle cx="5" cy="2" r="7"/><circle cx="-2" cy="3" r="7"/></g>'
    '<ellipse cx="-13" cy="-3" rx="4" ry="5" fill="#3b3a36"/>'
    '<path d="M-5 9v5M5 9v5" stroke="#3b3a36" stroke-width="2.4"/>'
)
_WHEAT = '<path d="M0 13V-2" stroke="#9a6d12" stroke-width="2"/>' + "".join(
    f'<ellipse cx="{side * 4.5}" cy="{y}" rx="3" ry="5.4" fill="#b97f13" '
    f'transform="rotate({side * 32} {side * 4.5} {y})"/>'
    for y in (-9, -2, 5)
    for side in (-1, 1)
)
_WOOD = "".join(
    f'<path d="M{x} -15 L{x + 8} 1 H{x + 3.5} L{x + 10} 10 H{x - 10} L{x - 3.5} 1 H{x - 8}Z" '
    f'fill="{fill}" stroke="#173f24"/>'
    f'<rect x="{x - 1.5}" y="10" width="3" height="5" fill="#6b4423"/>'
    for x, fill in ((7, "#2c6a3d"), (-6, "#24572f"))
)
_DESERT = (
    '<path d="M-3 13V-8a3 3 0 0 1 6 0V13Z" fill="#5c8a4b" stroke="#38602b"/>'
    '<path d="M-3 5H-9V-3M3 2H9V-5" fill="none" stroke="#4a763a" stroke-width="4"/>'
)
ICON = (_BRICK, _ORE, _SHEEP, _WHEAT, _WOOD, _DESERT)
"""By resource, some 30 units across."""


def token(x: float, y: float, number: int) -> str:
    """A number token with as many pips as there are ways to roll it."""
    colour = "#c4271f" if number in (6, 8) else INK
    ways = 6 - abs(7 - number)
    pips = "".join(
        f'<circle cx="{x + 5 * (k - (ways - 1) / 2):.1f}" cy="{y + 12:.1f}" r="1.9" '
        f'fill="{colour}"/>'
        for k in range(ways)
    )
    disc = (
        f'<circle cx="{x:.1f}" cy="{y + 1.5:.1f}" r="20" fill="#000" fill-opacity="0.25"/>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="20" fill="#fdf4dc" stroke="#a48b58"/>'
    )
    figure = drawing.text(x, y + 6, str(number), size=21, colour=colour, bold=True, serif=True)
    return disc + figure + pips


def robber(x: float, y: float) -> str:
    """The robber, a hooded figure."""
    return at(
        x,
        y,
        '<path d="M-13 24 Q-14 2 -6 -6 A9 9 0 1 1 6 -6 Q14 2 13 24Z" fill="#2d2b33" '
        'stroke="#f4efe2" stroke-width="2"/>'
        '<ellipse cx="0" cy="-11" rx="4.4" ry="5" fill="#0d0c10"/>'
        '<circle cx="-1.8" cy="-11.5" r="1.1" fill="#f2d24c"/>'
        '<circle cx="2" cy="-11.5" r="1.1" fill="#f2d24c"/>',
    )


def _between(a: tuple[float, float], b: tuple[float, float]) -> str:
    """The line between two nodes, a little shorter than their distance."""
    (ax, ay), (bx, by) = a, b
    cut = 0.17
    return (
        f'x1="{ax + cut * (bx - ax):.1f}" y1="{ay + cut * (by - ay):.1f}" '
        f'x2="{bx - cut * (bx - ax):.1f}" y2="{by - cut * (by - ay):.1f}" stroke-linecap="round"'
    )


def road(a: tuple[float, float], b: tuple[float, float], player: int) -> str:
    """A road between two nodes."""
    line = _between(a, b)
    return (
        f'<line {line} stroke="{RIM[player]}" stroke-width="14"/>'
        f'<line {line} stroke="{SEAT[player]}" stroke-width="9"/>'
    )


def no_road(a: tuple[float, float], b: tuple[float, float]) -> str:
    """The place of a road, which can be clicked though nothing shows."""
    return f'<line {_between(a, b)} stroke="#fff" stroke-opacity="0" stroke-width="14"/>'


_HOUSE = "M-12 11 V-3 L0 -15 L12 -3 V11Z"
_TOWN = "M-18 13 V-3 H-2 V-13 L8 -23 L18 -13 V13Z"


def building(x: float, y: float, player: int, city: bool) -> str:
    """A settlement, or a city."""
    style = f'fill="{SEAT[player]}" stroke="{RIM[player]}" stroke-width="2.6"'
    shade = f'<path d="{_TOWN if city else _HOUSE}" transform="translate(2 3)" fill-opacity="0.3"/>'
    windows = (
        f'<path d="M4 -8h8v7h-8zM-13 3h6v5h-6zM4 3h8v10h-8z" fill="{RIM[player]}"/>'
        if city
        else f'<path d="M-4 2h8v9h-8z" fill="{RIM[player]}"/>'
    )
    body = f'<path d="{_TOWN if city else _HOUSE}" {style} stroke-linejoin="round"/>'
    return at(x, y, shade + body + windows)


def card(x: float, y: float, resource: int, count: int) -> str:
    """A resource card with how many of it there are."""
    pale = "1" if count else "0.35"
    sheet = (
        f'<rect x="{x:g}" y="{y:g}" width="62" height="76" rx="7" fill="{TILE[resource]}" '
        f'stroke="#fdf8ec" stroke-width="2.5"/>'
    )
    number = drawing.text(x + 31, y + 69, str(count), size=23, bold=True, colour=INK)
    return f'<g opacity="{pale}">{sheet}{at(x + 31, y + 27, ICON[resource], 1.15)}{number}</g>'


def wanted(x: float, y: float, resource: int, live: bool) -> str:
    """A resource to ask for, of the bank or of a player."""
    disc = f'<circle cx="{x:g}" cy="{y:g}" r="21" fill="{TILE[resource]}" stroke="#fdf8ec"/>'
    return f'<g opacity="{1 if live else 0.4}">{disc}{at(x, y, ICON[resource], 0.95)}</g>'


def tool(x: float, y: float, name: str, count: int) -> str:
    """A development card of one's own, with its name, and how many of it there are."""
    sheet = (
        f'<rect x="{x:g}" y="{y:g}" width="68" height="40" rx="6" fill="#4d3f8f" '
        'stroke="#fdf8ec" stroke-width="1.6"/>'
    )
    words = drawing.text(x + 34, y + 16, name, size=12)
    number = drawing.text(x + 34, y + 34, str(count), size=16, bold=True)
    return f'<g opacity="{1 if count else 0.3}">{sheet}{words}{number}</g>'


def back(x: float, y: float, fill: str, mark: str = "") -> str:
    """A small card face down."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="17" height="23" rx="3" fill="{fill}" '
        'stroke="#fdf8ec" stroke-width="1.6"/>'
        + drawing.text(x + 8.5, y + 17, mark, size=13, bold=True)
    )
