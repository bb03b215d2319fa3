"""Settlers as a picture: the island in its sea, and beside it the players and the own cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from facedown.core import drawing
from facedown.games.settlers import art
from facedown.games.settlers import state as st
from facedown.games.settlers.geometry import (
    CENTRES,
    EDGE_ENDS,
    EDGES,
    HARBOUR_NODES,
    HARBOURS,
    HEXES,
    NODE_POINTS,
    NODES,
    WIDTH,
)
from facedown.games.settlers.panel import panel
from facedown.games.settlers.text import owner_at, roads_of, status

ACROSS, DOWN = 1180, 800
_R = 67.0  # the radius of a hex
_X, _Y = 392.0, 420.0  # the middle of the island


def _point(x: float, y: float) -> tuple[float, float]:
    """Where a point of the geometry lies in the picture."""
    return _X + x * WIDTH * _R, _Y + y * _R


NODE = [_point(x, y) for x, y in NODE_POINTS]
HEX = [_point(x, y) for x, y in CENTRES]


def picture(view: Any, viewer: int, players: int, composed: bool = False) -> str:
    """The table as the viewer sees it; the public sees no cards."""
    pieces = [
        drawing.text(_X, 48, status(view, viewer), size=21, bold=True),
        *_sea(),
        *(_tile(view, h) for h in range(HEXES)),
        *_harbours(view),
        *_network(view, players),
        *_nodes(view),
        *panel(view, viewer, players, composed),
    ]
    return drawing.svg(ACROSS, DOWN, pieces, wide=True)


# --- the island -----------------------------------------------------------------------------------


def _sea() -> Iterator[str]:
    radius = 5.45 * _R
    half = radius * WIDTH / 2
    points = ((radius, 0), (radius / 2, half), (-radius / 2, half))
    corners = [*points, *((-dx, -dy) for dx, dy in points)]
    path = " ".join(f"{_X + dx:.1f},{_Y + dy:.1f}" for dx, dy in corners)
    yield (
        f'<polygon points="{path}" fill="#3f8fc4" stroke="#e9d8a6" stroke-width="5" '
        'stroke-linejoin="round"/>'
    )
    for h in range(HEXES):
        yield art.hexagon(*HEX[h], _R * 1.13, "#efdfae", "#efdfae", 6)


def _tile(view: Any, h: int) -> str:
    x, y = HEX[h]
    kind, number = int(view["hexes"][h]), int(view["numbers"][h])
    if kind == st.NONE:
        return art.hexagon(x, y, _R - 2, "#3f8fc4", "#8cc1e4")
    ground = art.hexagon(x, y, _R - 2, art.TILE[kind], art.EDGE[kind])
    icon = art.at(x, y - 27, art.ICON[kind], 1.15)
    token = art.token(x, y + 19, number) if number else ""
    robbed = int(view["robber"]) == h
    figure = art.robber(x + (27 if number else 0), y + 14) if robbed else ""
    name = drawing.text(x - 44, y + 4, str(h), size=11, colour="#1f2a1f")
    pieces = ground + icon + token + figure + f'<g opacity="0.55">{name}</g>'
    return drawing.part(f"hex:{h}", pieces)


def _harbours(view: Any) -> Iterator[str]:
    for place in range(HARBOURS):
        kind = int(view["harbours"][place])
        if kind == st.NONE:
            continue
        ends = [NODE[int(node)] for node in HARBOUR_NODES[place]]
        mx, my = (sum(end[k] for end in ends) / 2 for k in range(2))
        away = 1 + 0.62 * _R / ((mx - _X) ** 2 + (my - _Y) ** 2) ** 0.5
        x, y = _X + (mx - _X) * away, _Y + (my - _Y) * away
        for ex, ey in ends:
            yield (
                f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{ex:.1f}" y2="{ey:.1f}" stroke="#7a5230" '
                'stroke-width="6" stroke-dasharray="7 3"/>'
            )
        fill = "#fdf8ec" if kind == st.GENERIC else art.TILE[kind]
        rim = 'stroke="#5c3820" stroke-width="3"'
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="22" fill="{fill}" {rim}/>'
        if kind != st.GENERIC:
            yield art.at(x, y - 5, art.ICON[kind], 0.7)
        rate, low = ("3:1", 6) if kind == st.GENERIC else ("2:1", 18)
        yield drawing.text(x, y + low, rate, size=15, colour=drawing.INK, bold=True)


def _network(view: Any, players: int) -> Iterator[str]:
    """The roads; an edge without one is there to be clicked, and not to be seen."""
    owners = {edge: player for player in range(players) for edge in roads_of(view, player)}
    for edge in range(EDGES if view["phase"] != st.BOARD else 0):
        a, b = (NODE[int(node)] for node in EDGE_ENDS[edge])
        piece = art.road(a, b, owners[edge]) if edge in owners else art.no_road(a, b)
        yield drawing.part(f"edge:{edge}", piece)


def _nodes(view: Any) -> Iterator[str]:
    """Buildings; where nothing stands, the number by which one names the place."""
    if view["phase"] == st.BOARD:
        return
    for node in range(NODES):
        x, y = NODE[node]
        owner = owner_at(view, node)
        piece = _place(x, y, node) if owner is None else art.building(x, y, *owner)
        yield drawing.part(f"node:{node}", piece)


def _place(x: float, y: float, node: int) -> str:
    return (
        f'<g opacity="0.78"><circle cx="{x:.1f}" cy="{y:.1f}" r="8.5" fill="#fffaf0"/>'
        + drawing.text(x, y + 4, str(node), size=11, colour="#4b4232")
        + "</g>"
    )
