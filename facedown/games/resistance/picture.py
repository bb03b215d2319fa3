"""The Resistance as a picture: the players around the table, the missions, the last votes."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin
from typing import Any

from facedown.core import drawing
from facedown.games import wording
from facedown.games.resistance.rules import (
    APPROVE,
    ENDED,
    FAIL,
    MISSIONS,
    PLAYING,
    REJECT,
    SUCCESS,
    TEAM,
    VOTING,
)
from facedown.games.resistance.table import Table, members
from facedown.games.resistance.text import (
    LOYAL,
    MOVE_NAMES,
    SPY,
    UNKNOWN,
    Proposal,
    leader_of,
    names,
    proposals,
    role,
    status,
    won_by,
)

WIDTH, HEIGHT = 920, 640
_CENTRE = WIDTH / 2, 330.0
_ACROSS, _DOWN, _STEP = 340.0, 194.0, 92  # to the seats, and from mission to mission
_RED, _BLUE, _PALE = "#b3303f", "#2f6db5", "#cfe8da"
_COLOURS = {SPY: _RED, LOYAL: _BLUE, UNKNOWN: "#4f5b57", "": "#4f5b57"}


def picture(table: Table, view: Any, viewer: int) -> str:
    """The table with the viewer at its near side; the public looks over player 0's shoulder."""
    voted = list(proposals(table, view))
    pieces = [
        drawing.text(WIDTH / 2, 50, status(table, view, viewer), size=24, bold=True),
        *_missions(table, view, voted),
        *_rejections(int(view["attempt"])),
    ]
    for player in range(table.players):
        pieces += _seat(table, view, viewer, player, voted[-1] if voted else None)
    pieces += _choices(view, viewer)
    if voted:
        last = (
            f"last vote: team {names(voted[-1].team)}, {'sent' if voted[-1].sent else 'rejected'}"
        )
        pieces.append(drawing.text(WIDTH / 2, HEIGHT - 28, last, size=19, colour=_PALE))
    return drawing.svg(WIDTH, HEIGHT, pieces)


def move_parts(move: int) -> tuple[str, ...]:
    """A team is its players; votes and cards are plates."""
    if move >= TEAM:
        return tuple(f"player:{player}" for player in members(move - TEAM))
    return (MOVE_NAMES[move],)


def _choices(view: Any, viewer: int) -> Iterator[str]:
    """The two answers of a vote or of a mission, beside the viewer's seat, while they wait."""
    phase = int(view["phase"])
    if viewer < 0 or phase not in (VOTING, PLAYING) or not _acts(view, viewer):
        return
    x, y = _CENTRE[0], _CENTRE[1] + _DOWN + 46
    left, right = (REJECT, APPROVE) if phase == VOTING else (FAIL, SUCCESS)
    spy = bool(int(view["spies"]) >> viewer & 1)
    yield drawing.plate(MOVE_NAMES[right], x + 146, y, MOVE_NAMES[right], width=104)
    live = phase == VOTING or spy
    yield drawing.plate(MOVE_NAMES[left], x - 146, y, MOVE_NAMES[left], width=104, live=live)


def _disc(x: float, y: float, radius: float, fill: str, ring: str = drawing.CREAM) -> str:
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{ring}" '
        'stroke-width="2"/>'
    )


def _missions(table: Table, view: Any, voted: list[Proposal]) -> list[str]:
    """Five discs in the middle with how many go; below them who went and how it ended."""
    middle, y = _CENTRE
    pieces = [drawing.text(middle, y - 74, "players to send", size=17, colour=_PALE)]
    for k in range(MISSIONS):
        x = middle + (k - 2) * _STEP
        winner = won_by(table, view, k)
        now = k == view["round"] and view["phase"] != ENDED
        ring = drawing.GOLD if now else drawing.CREAM
        pieces.append(_disc(x, y - 32, 29, _COLOURS[winner] if winner else "#0d3a2b", ring))
        pieces.append(drawing.text(x, y - 25, str(table.sizes[k]), size=22, bold=True))
        for row, note in enumerate(_notes(table, view, k, voted)):
            pieces.append(drawing.text(x, y + 16 + 20 * row, note, size=16, colour=_PALE))
    return pieces


def _notes(table: Table, view: Any, mission: int, voted: list[Proposal]) -> list[str]:
    """Whose a mission is, its failures and its team; before it is played, what is special."""
    winner = won_by(table, view, mission)
    if not winner:
        return ["2 failures", "needed"] if table.needed[mission] > 1 else []
    failures = wording.count(int(view["failures"][mission]), "failure")
    team = next(names(p.team) for p in voted if p.round == mission and p.sent)
    return ["spies" if winner == SPY else "resistance", failures, team]


def _rejections(attempts: int) -> list[str]:
    """Five small marks, one filled for each team that was rejected in this round."""
    x, y = _CENTRE
    marks = [_disc(x + (k - 2) * 26, y + 80, 8, _RED if k < attempts else "none") for k in range(5)]
    return [*marks, drawing.text(x, y + 108, "teams rejected", size=17, colour=_PALE)]


def _place(table: Table, viewer: int, player: int) -> tuple[float, float]:
    """Where a player sits: seats run clockwise from the viewer's, nearest to us."""
    angle = pi / 2 + 2 * pi * (player - max(viewer, 0)) / table.players
    return _CENTRE[0] + _ACROSS * cos(angle), _CENTRE[1] + _DOWN * sin(angle)


def _seat(table: Table, view: Any, viewer: int, player: int, last: Proposal | None) -> list[str]:
    x, y = _place(table, viewer, player)
    shown = role(view, player, viewer)
    on_team = int(view["team"]) >> player & 1
    figure = [
        _disc(x, y, 27, _COLOURS[shown], drawing.GOLD if on_team else drawing.CREAM),
        drawing.text(x, y + 8, _letter(shown), size=22, bold=True, serif=True),
        drawing.label(x, y + 46, wording.seat_name(player, viewer), active=_acts(view, player)),
    ]
    pieces = [drawing.part(f"player:{player}", "".join(figure))]
    if player == leader_of(table, view) and view["phase"] != ENDED:
        pieces.append(drawing.text(x, y - 34, "leader", size=19, colour=drawing.GOLD, bold=True))
    if on_team:
        pieces.append(
            drawing.text(x - 36, y + 5, "team", size=19, colour=drawing.GOLD, anchor="end")
        )
    return [*pieces, *_vote(x + 38, y + 5, view, viewer, player, last)]


def _letter(shown: str) -> str:
    return {SPY: "S", LOYAL: "R", UNKNOWN: "?"}.get(shown, "")


def _acts(view: Any, player: int) -> bool:
    """Whether a player is to act, as far as the view shows: all do who have not chosen yet."""
    if view["phase"] in (VOTING, PLAYING):
        waiting = int(view["team"]) if view["phase"] == PLAYING else ~0
        return bool(waiting & ~int(view["cast"]) & (1 << player))
    return bool(view["actor"] == player)


def _vote(
    x: float, y: float, view: Any, viewer: int, player: int, last: Proposal | None
) -> list[str]:
    """The viewer's own choice that waits, or a player's last vote that is known."""
    if player == viewer and int(view["cast"]) >> player & 1:
        chosen = int(view["chosen"]) >> player & 1
        words = ("success", "fail") if view["phase"] == PLAYING else ("reject", "approve")
        return [drawing.text(x, y, words[chosen], size=17, colour=drawing.GOLD, anchor="start")]
    if last is None or view["phase"] == VOTING:
        return []
    word = "for" if last.votes >> player & 1 else "against"
    return [drawing.text(x, y, word, size=17, colour=_PALE, anchor="start")]
