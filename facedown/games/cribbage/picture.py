"""Cribbage as a picture: hands, the play, the cut and the crib, and a board with pegs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from facedown.core import drawing
from facedown.games import wording
from facedown.games.cribbage.board import board
from facedown.games.cribbage.cards import SUITS
from facedown.games.cribbage.counting import count_text
from facedown.games.cribbage.state import CUT, GO, PLAY, THROWS
from facedown.games.cribbage.text import (
    RANK_NAMES,
    card_text,
    cards_of,
    pair_cards,
    series,
    show_items,
    status_text,
    throws,
)

WIDTH, HEIGHT = 960, 660
_RED = "#b8283a"
_LEFT, _STEP, _BOARD = 190, 92, 752  # where hands begin, from card to card, where the board begins
_FAR, _NEAR, _MIDDLE = 40, HEIGHT - 158, 268
_PALE, _SHADE = "#cfe8da", "#1d6149"

_SHAPES = (  # clubs, diamonds, hearts, spades, some 20 high around the origin
    "M-4 -5 A4.6 4.6 0 1 1 4 -5 A4.6 4.6 0 1 1 2 3 L4 9 H-4 L-2 3 A4.6 4.6 0 1 1 -4 -5Z",
    "M0 -10 L8 0 L0 10 L-8 0Z",
    "M0 9 C-16 -3 -8 -14 0 -6 C8 -14 16 -3 0 9Z",
    "M0 -10 C13 1 9 8 2 5 L4 10 H-4 L-2 5 C-9 8 -13 1 0 -10Z",
)


def _suit(x: float, y: float, suit: int, scale: float) -> str:
    colour = _RED if suit in (1, 2) else drawing.INK
    place = f'transform="translate({x:g} {y:g}) scale({scale:g})"'
    return f'<path d="{_SHAPES[suit]}" {place} fill="{colour}"/>'


def _face(card: int) -> str:
    """A card face up with its upper left corner at the origin."""
    rank, suit = card // SUITS, card % SUITS
    name = "10" if RANK_NAMES[rank] == "T" else RANK_NAMES[rank]
    colour = _RED if suit in (1, 2) else drawing.INK
    width, height = drawing.CARD_WIDTH, drawing.CARD_HEIGHT
    corner = drawing.text(14, 24, name, size=19, colour=colour, bold=True, serif=True)
    corner += _suit(14, 37, suit, 0.8)
    sheet = (
        f'<rect x="3" y="4" width="{width}" height="{height}" rx="9" fill="#000" '
        f'fill-opacity="0.25"/><rect width="{width}" height="{height}" rx="9" '
        f'fill="{drawing.CREAM}" stroke="#b9ad93"/>'
    )
    turned = f'<g transform="rotate(180 {width / 2:g} {height / 2:g})">{corner}</g>'
    big = drawing.text(width / 2, 58, name, size=30, colour=colour, bold=True, serif=True)
    return sheet + corner + turned + big + _suit(width / 2, 82, suit, 1.6)


def _card(x: float, y: float, card: int | None, *, scale: float = 1.0, dim: bool = False) -> str:
    """A card, face down where it is None."""
    piece = drawing.card_back(0, 0) if card is None else _face(card)
    if dim:  # shaded, not see-through: cards of the play overlap
        size = f'width="{drawing.CARD_WIDTH}" height="{drawing.CARD_HEIGHT}" rx="9"'
        piece += f'<rect {size} fill="{_SHADE}" fill-opacity="0.5"/>'
    return f'<g transform="translate({x:g} {y:g}) scale({scale:g})">{piece}</g>'


def picture(view: Any, viewer: int) -> str:
    """The table from the viewer's side; the public looks over player 0's shoulder."""
    near = viewer if viewer >= 0 else 0
    pieces = [
        *_seat(view, 1 - near, viewer, _FAR),
        *_seat(view, near, viewer, _NEAR),
        *_pack(view, viewer),
        *(_play(view, near) if _playing(view) else _show(view, viewer)),
        board(_BOARD, 30, [int(x) for x in view["score"]], [int(x) for x in view["back"]]),
    ]
    return drawing.svg(WIDTH, HEIGHT, pieces)


def move_parts(move: int) -> tuple[str, ...]:
    """The card that is played, the two that are thrown, or the count for a go."""
    if move == GO:
        return ("count",)
    cards = [move] if move < GO else pair_cards(move - THROWS)
    return tuple(f"card:{card_text(card)}" for card in cards)


def _playing(view: Any) -> bool:
    """Whether the cards of the play are what to look at; else the last show."""
    done = int(view["left"][0]) + int(view["left"][1]) == 0
    return int(view["stage"]) in (CUT, PLAY) and not done


def _hand(view: Any, player: int) -> list[int | None]:
    known: list[int | None] = [*cards_of(int(view["held"][player]))]
    return known or [None] * int(view["left"][player])


def _seat(view: Any, player: int, viewer: int, y: float) -> Iterator[str]:
    active = view["actor"] == player or (player == viewer and throws(view, viewer))
    yield drawing.label(100, y + 30, wording.seat_name(player, viewer), active=active)
    words = f"{int(view['score'][player])} points"
    yield drawing.text(100, y + 66, words, size=18, bold=True)
    if view["dealer"] == player:
        yield drawing.text(100, y + 90, "deals", size=14, colour=_PALE)
    for k, card in enumerate(_hand(view, player)):
        piece = _card(_LEFT + _STEP * k, y, card)
        yield piece if card is None else drawing.part(f"card:{card_text(card)}", piece)
    yield from _thrown(view, player, y)


def _thrown(view: Any, player: int, y: float) -> Iterator[str]:
    """What a player has put into the crib, beside his hand: faces if he is the one who looks."""
    cards = cards_of(int(view["thrown"][player]))
    if not cards and (view["stage"] not in (CUT, PLAY)):
        return
    for k in range(2):
        yield _card(_BOARD - 108 + 46 * k, y + 26, cards[k] if cards else None, scale=0.55)
    yield drawing.text(_BOARD - 62, y + 110, "to the crib", size=13, colour=_PALE)


def _pack(view: Any, viewer: int) -> Iterator[str]:
    x, y = 58, _MIDDLE
    yield drawing.card_back(x + 4, y + 4)
    cut = int(view["cut"])
    yield _card(x, y, cut if cut >= 0 else None)
    status = status_text(view, viewer)
    yield drawing.text(100, y + 146, "the cut" if cut >= 0 else "the pack", size=14, colour=_PALE)
    yield drawing.text(_LEFT, y - 62, status, size=18, bold=True, anchor="start")


def _play(view: Any, near: int) -> Iterator[str]:
    """The cards of the play in a row, nearer to whoever played them; earlier counts are dim."""
    counts = series(view)
    x = _LEFT
    for k, said in enumerate(counts):
        dim = k < len(counts) - 1 or view["count"] == 0
        for player, card in said:
            if card != GO:
                yield _card(x, _MIDDLE + (18 if player == near else -18), card, dim=dim)
                x += 52
        x += 22
    if view["stage"] == PLAY:
        words = f"count {int(view['count'])}"
        plate = drawing.text(_LEFT + 500, _MIDDLE - 62, words, size=22, bold=True, anchor="end")
        yield drawing.part("count", plate)


def _show(view: Any, viewer: int) -> Iterator[str]:
    """How the hands of the last show were counted."""
    for k, (player, what, cards, items) in enumerate(show_items(view)):
        y = _MIDDLE - 36 + 66 * k
        for j, card in enumerate(cards_of(cards)):
            yield _card(_LEFT + 42 * j, y, card, scale=0.46)
        yield _card(_LEFT + 182, y, int(view["last"][0]), scale=0.46)
        whose = f"{wording.seat_name(player, viewer)}, {what}"
        yield drawing.text(_LEFT + 236, y + 22, whose, size=14, colour=_PALE, anchor="start")
        said = count_text(items)
        yield drawing.text(_LEFT + 236, y + 44, said, size=16, anchor="start", serif=True)
