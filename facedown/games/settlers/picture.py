"""Settlers as a picture: the island in its sea, the players, and the viewer's own cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from facedown.games import drawing, wording
from facedown.games.settlers import art
from facedown.games.settlers import state as st
from facedown.games.settlers.geometry import (
    CENTRES,
    EDGE_ENDS,
    HARBOUR_NODES,
    HARBOURS,
    HEXES,
    NODE_POINTS,
    NODES,
    WIDTH,
)
from facedown.games.settlers.state import unpack
from facedown.games.settlers.text import (
    CARD,
    RESOURCE,
    honours,
    offer_text,
    owner_at,
    roads_of,
    status,
)

ACROSS, DOWN = 1180, 800
_R = 67.0  # the radius of a hex
_X, _Y = 392.0, 420.0  # the middle of the island
_PANEL, _PANEL_WIDTH = 782, 366
_BOX = 106


def _point(x: float, y: float) -> tuple[float, float]:
    """Where a point of the geometry lies in the picture."""
    return _X + x * WIDTH * _R, _Y + y * _R


NODE = [_point(x, y) for x, y in NODE_POINTS]
HEX = [_point(x, y) for x, y in CENTRES]


def picture(view: Any, viewer: int, players: int) -> str:
    """The table as the viewer sees it; the public sees no cards."""
    pieces = [
        drawing.text(_X, 48, status(view, viewer), size=21, bold=True),
        *_sea(),
        *(_tile(view, h) for h in range(HEXES)),
        *_harbours(view),
        *_network(view, players),
        *_nodes(view),
        *_players(view, viewer, players),
        *_hand(view, viewer),
        *_table(view),
    ]
    return drawing.svg(ACROSS, DOWN, pieces)


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
    return ground + icon + token + figure + f'<g opacity="0.55">{name}</g>'


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
    for player in range(players):
        for edge in roads_of(view, player):
            a, b = (NODE[int(node)] for node in EDGE_ENDS[edge])
            yield art.road(a, b, player)


def _nodes(view: Any) -> Iterator[str]:
    """Buildings; where nothing stands, the number by which one names the place."""
    for node in range(NODES):
        x, y = NODE[node]
        owner = owner_at(view, node)
        if owner is not None:
            yield art.building(x, y, *owner)
        elif view["phase"] != st.BOARD:
            yield (
                f'<g opacity="0.78"><circle cx="{x:.1f}" cy="{y:.1f}" r="8.5" fill="#fffaf0"/>'
                + drawing.text(x, y + 4, str(node), size=11, colour="#4b4232")
                + "</g>"
            )


# --- the players ----------------------------------------------------------------------------------


def _players(view: Any, viewer: int, players: int) -> Iterator[str]:
    for player in range(players):
        yield from _seat(view, viewer, player, 28 + _BOX * player)


def _seat(view: Any, viewer: int, player: int, y: float) -> Iterator[str]:
    x, turn = _PANEL, int(view["player"]) == player and view["phase"] != st.BOARD
    acts = int(view["actor"]) == player
    rim = drawing.GOLD if acts else "#0d3a2b"
    yield (
        f'<rect x="{x}" y="{y:g}" width="{_PANEL_WIDTH}" height="{_BOX - 10}" rx="12" '
        f'fill="#0d3a2b" fill-opacity="0.85" stroke="{rim}" stroke-width="3.5"/>'
    )
    yield art.building(x + 32, y + 36, player, city=False)
    name = wording.seat_name(player, viewer) + (" - turn" if turn else "")
    colour = drawing.GOLD if turn else drawing.CREAM
    yield drawing.text(x + 60, y + 30, name, size=18, bold=True, anchor="start", colour=colour)
    points = str(int(view["points"][player]))
    yield drawing.text(x + _PANEL_WIDTH - 34, y + 40, points, size=34, bold=True, serif=True)
    yield drawing.text(x + _PANEL_WIDTH - 34, y + 58, "points", size=12)
    yield from _tallies(view, player, x + 60, y + 42)
    badges = "  +  ".join(honours(view, player))
    if badges:
        where = (x + 60, y + 88)
        yield drawing.text(*where, badges, size=14, colour=drawing.GOLD, anchor="start", bold=True)


def _tallies(view: Any, player: int, x: float, y: float) -> Iterator[str]:
    """Cards in hand, development cards, knights and the length of the road."""
    held, unplayed = int(view["held"][player]), int(view["unplayed"][player])
    yield art.back(x, y, "#7d2a3c") + _figure(x + 24, y + 18, held)
    yield art.back(x + 62, y, "#4d3f8f", "?") + _figure(x + 86, y + 18, unplayed)
    knights, length = int(view["knights"][player]), int(view["lengths"][player])
    yield drawing.text(x + 120, y + 17, f"knights {knights}", size=14, anchor="start")
    yield drawing.text(x + 194, y + 17, f"road {length}", size=14, anchor="start")


def _figure(x: float, y: float, number: int) -> str:
    return drawing.text(x, y, str(number), size=18, bold=True, anchor="start")


def _hand(view: Any, viewer: int) -> Iterator[str]:
    """The viewer's resources and development cards."""
    y = 28 + 4 * _BOX + 6
    if viewer < 0:
        yield drawing.text(_PANEL, y + 22, "all hands are hidden", size=16, anchor="start")
        return
    yield drawing.text(_PANEL, y + 16, "your hand", size=16, bold=True, anchor="start")
    for resource, n in enumerate(unpack(view["hands"][viewer])):
        x = _PANEL + 74 * resource
        yield art.card(x, y + 28, resource, n)
        yield drawing.text(x + 29, y + 126, RESOURCE[resource], size=13)
    owned = [f"{n} {CARD[k]}" for k, n in enumerate(unpack(view["cards"][viewer])) if n]
    fresh = " (some bought now)" if owned and int(view["fresh"]) else ""
    for k, words in enumerate(
        _lines(", ".join(owned) + fresh if owned else "no development cards")
    ):
        yield drawing.text(_PANEL, y + 156 + 20 * k, words, size=16, anchor="start")


def _lines(words: str, width: int = 38) -> list[str]:
    """Words in lines of about so many letters."""
    lines = [""]
    for word in words.split(" "):
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _table(view: Any) -> Iterator[str]:
    """What lies before all: the deck, what the bank lacks, an offer."""
    lacking = [RESOURCE[k] for k in range(5) if not int(view["stock"]) >> 8 * k + 7 & 1]
    notes = [f"{wording.count(int(view['left']), 'development card')} in the deck"]
    notes += [f"the bank has no {', '.join(lacking)}"] if lacking else []
    y = DOWN - 34
    for words in reversed(notes):
        yield drawing.text(_PANEL, y, words, size=15, anchor="start", colour="#cfe8da")
        y -= 22
    offer = offer_text(view)
    if offer:
        for words in reversed(_lines(offer)):
            yield drawing.text(
                _PANEL, y, words, size=17, anchor="start", colour=drawing.GOLD, bold=True
            )
            y -= 23
