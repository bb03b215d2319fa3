"""Cheat as a picture: both hands, the pile and what was claimed of it, the deck."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from facedown.core import drawing
from facedown.core.constants import OVER
from facedown.games import wording
from facedown.games.cheat.state import (
    CALL,
    FALSE_HIGHER,
    FALSE_LOWER,
    TAKE,
    TRUE_HIGHER,
    TRUE_LOWER,
)
from facedown.games.cheat.text import (
    RANK_NAMES,
    Round,
    claim_text,
    history,
    lowers,
    move_text,
    next_rank,
    ranks_in,
    round_of,
    round_text,
    status_text,
)

WIDTH, HEIGHT = 960, 660
_FAR, _NEAR, _MIDDLE = 64, HEIGHT - 158, 262
_SPAN = 780  # how wide a hand may be
_LINES = 6  # rounds that are told beside the pile
_PALE = "#cfe8da"


def picture(view: Any, viewer: int, rounds: int, ranks: int) -> str:
    """The table from the viewer's side; the public looks over player 0's shoulder."""
    near = viewer if viewer >= 0 else 0
    pieces = [
        *_seat(view, 1 - near, viewer, _FAR),
        *_seat(view, near, viewer, _NEAR),
        *_pile(view, history(view, ranks)),
        *_deck(view),
        *_claims(view, viewer, ranks),
        *_told(history(view, ranks), int(view["since"]), viewer),
        drawing.text(WIDTH / 2, 40, _title(view, viewer, rounds), size=18, bold=True),
    ]
    return drawing.svg(WIDTH, HEIGHT, pieces)


def _title(view: Any, viewer: int, rounds: int) -> str:
    return f"{round_of(view, rounds)}: {status_text(view, viewer)}"


def _name(rank: int) -> str:
    return "10" if RANK_NAMES[rank] == "T" else RANK_NAMES[rank]


def _seat(view: Any, player: int, viewer: int, y: int) -> Iterator[str]:
    """A hand, spread as far as there is room, and its owner's name plate."""
    known, size = ranks_in(view["cards"][player]), int(view["size"][player])
    faces: list[str | None] = [_name(rank) for rank in known] or [None] * size
    step = min(drawing.CARD_WIDTH + 8, (_SPAN - drawing.CARD_WIDTH) / max(len(faces) - 1, 1))
    left = (WIDTH - drawing.CARD_WIDTH - step * (len(faces) - 1)) / 2
    for k, face in enumerate(faces):
        yield drawing.card(left + k * step, y, face)
    plate = f"{wording.seat_name(player, viewer)}: {wording.count(size, 'card')}"
    if view["times"][player]:
        plate += f", caught {wording.count(int(view['times'][player]), 'time')}"
    below = y + drawing.CARD_HEIGHT + 22 if y < HEIGHT / 2 else y - 22
    yield drawing.label(WIDTH / 2, below, plate, active=int(view["actor"]) == player)


def _pile(view: Any, rounds: list[Round]) -> Iterator[str]:
    """The cards on the table face down, the one turned up first below them; the last claim."""
    x, since = 190.0, int(view["since"])
    table = int(view["table"])
    yield drawing.part("pile", "".join(_heap(view, x, rounds)))
    yield drawing.text(
        x + 42, _MIDDLE + 144, f"table: {wording.count(table, 'card')}", colour=_PALE
    )
    claims = [one for one in rounds[since:] if one.claims]
    if claims:
        said = f"“{claim_text(claims[-1].laid, claims[-1].rank)}”"
        yield drawing.text(x + 42, _MIDDLE + 174, said, size=22, bold=True, serif=True)


def _heap(view: Any, x: float, rounds: list[Round]) -> Iterator[str]:
    """The pile; its cards are turned up where the game is over and all of them are known."""
    table, since = int(view["table"]), int(view["since"])
    laid = [rank for one in rounds[since:] for rank in (one.cards if one.claims else ())]
    cards: list[int | None] = [None] * table
    if since == 0 and table:
        cards[0], laid = int(view["turned"]), [int(view["turned"]), *laid]
    shown = view["actor"] == OVER and len(laid) == table
    if table == 0:
        yield drawing.card_place(x, _MIDDLE)
    for k, rank in enumerate((laid if shown else cards)[-12:]):
        face = None if rank is None else _name(rank)
        yield drawing.card(x + (12 if shown else 5) * k, _MIDDLE - 2 * k, face)


_KINDS = ((TRUE_HIGHER, "true"), (FALSE_HIGHER, "lie"), (TRUE_LOWER, "true"), (FALSE_LOWER, "lie"))


def move_parts(move: int) -> tuple[str, ...]:
    """The plate of a claim; the pile is called, the deck gives a card."""
    if move in (CALL, TAKE):
        return ("pile" if move == CALL else "deck",)
    return (f"claim:{move_text(move)}",)


def _claims(view: Any, viewer: int, ranks: int) -> Iterator[str]:
    """What the viewer may claim, one plate each: truly or lying, of the rank above or below."""
    if viewer < 0 or view["rank"] < 0 or view["actor"] == OVER:
        return
    acts, x = int(view["actor"]) == viewer, 376.0
    size, cards = int(view["size"][viewer]), int(view["cards"][viewer])
    yield drawing.text(x, _MIDDLE - 22, "claim", size=15, colour=_PALE, anchor="start")
    for row, (kind, how) in enumerate(_KINDS):
        y = _MIDDLE + 6 + 37 * row
        rank = next_rank(int(view["rank"]), lowers(kind), ranks)
        held = cards >> 4 * rank & 15
        most = min(held, 4) if how == "true" else min(size - held, 4)
        words = f"{_name(rank)}, {how}"
        yield drawing.text(x, y + 6, words, size=16, anchor="start", bold=how == "true")
        for n in range(1, 5):
            name, live = f"claim:{move_text(kind + n - 1)}", acts and n <= most
            yield drawing.plate(name, x + 66 + 42 * n, y, str(n), width=34, live=live, size=15)


def _deck(view: Any) -> Iterator[str]:
    x, deck = 60.0, int(view["deck"])
    cards = [drawing.card_back(x + 3 * k, _MIDDLE - 2 * k) for k in range(min(deck, 4))]
    yield drawing.part("deck", "".join(cards) or drawing.card_place(x, _MIDDLE))
    yield drawing.text(x + 42, _MIDDLE + 144, f"deck: {wording.count(deck, 'card')}", colour=_PALE)


def _told(rounds: list[Round], since: int, viewer: int) -> Iterator[str]:
    """The last rounds in words, the newest last; those of an earlier pile are paler."""
    first = max(0, len(rounds) - _LINES)
    for k, one in enumerate(rounds[first:]):
        colour = drawing.CREAM if first + k >= since or one.move == TAKE else _PALE
        y = _MIDDLE + 4 + 22 * k
        yield drawing.text(636, y, round_text(one, viewer), size=14, colour=colour, anchor="start")
