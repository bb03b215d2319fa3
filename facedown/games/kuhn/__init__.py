"""Kuhn poker (Kuhn 1950): three cards, two players, one chip each in the pot, one bet of one chip.

Cards are 0 (jack), 1 (queen), 2 (king); -1 is unknown or not dealt. Moves: 0 passes (checks or
folds), 1 bets (or calls); 2, 3 and 4 are chance's, the card dealt to the next player.

The whole game is in this file: the rules, which are compiled, then how it shows itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from facedown.core import CHANCE, OVER, CompiledGame, Stream, below, drawing, mix
from facedown.games.wording import columns, count, seat_name, turn_text

# Whole words: in eight runs side by side a search took 207 ns an iteration at the median against
# 243 on bytes, though the best runs of both were alike (202 and 206).
State = np.dtype(
    [("cards", np.int32, 2), ("line", np.int32, 3), ("n", np.int32), ("dealt", np.int32)]
)

PASS, BET, DEAL = 0, 1, 2
HIDDEN = -1


def start(s: Any) -> None:
    s["cards"][:] = HIDDEN
    s["line"][:] = HIDDEN
    s["n"] = 0
    s["dealt"] = 0


def turn(s: Any) -> int:
    if s["dealt"] < 2:
        return CHANCE
    n, line = s["n"], s["line"]
    if n == 3 or (n == 2 and not (line[0] == PASS and line[1] == BET)):
        return OVER
    return int(n % 2)


def legal(s: Any, moves: Any) -> int:
    if s["dealt"] == 2:
        moves[0], moves[1] = PASS, BET
        return 2
    n = 0
    for card in range(3):
        if s["dealt"] == 0 or s["cards"][0] != card:
            moves[n] = DEAL + card
            n += 1
    return n


def apply(s: Any, move: int) -> None:
    if move >= DEAL:
        s["cards"][s["dealt"]] = move - DEAL
        s["dealt"] += 1
    else:
        s["line"][s["n"]] = move
        s["n"] += 1


def sees(s: Any, move: int, viewer: int) -> int:
    """A dealt card shows its face to its owner alone; everyone sees that it was dealt."""
    if move >= DEAL and viewer != s["dealt"]:
        return DEAL + 4
    return move + 1


def payoff(s: Any, pay: Any) -> None:
    n, line = s["n"], s["line"]
    last = line[n - 1]
    if last == PASS and (n == 3 or line[0] == BET):  # a bet was passed on: the bettor wins a chip
        gain = -1.0 if n == 3 else 1.0
    else:
        stake = 2.0 if last == BET else 1.0
        gain = stake if s["cards"][0] > s["cards"][1] else -stake
    pay[0], pay[1] = gain, -gain


def hide(s: Any, viewer: int) -> None:
    for player in range(2):
        if player != viewer:
            s["cards"][player] = HIDDEN


def infoset(s: Any, viewer: int) -> int:
    card = s["cards"][viewer] if viewer >= 0 else HIDDEN
    key = mix(int(s["dealt"]) + 1, int(card) + 1)
    for k in range(s["n"]):
        key = mix(key, int(s["line"][k]) + 1)
    return key  # type: ignore[no-any-return]


def determinize(s: Any, viewer: int, rng: int) -> None:
    for player in range(s["dealt"]):
        if player == viewer:
            continue
        other = s["cards"][1 - player]
        if other == HIDDEN:
            s["cards"][player] = below(rng, 3)
        else:
            s["cards"][player] = (other + 1 + below(rng, 2)) % 3


def world(s: Any, viewer: int, k: int) -> float:
    """The six deals: card k // 2 to the first player, one of the others to the second."""
    first = k // 2
    deal = first, (first + 1 + k % 2) % 3
    weight = 1.0
    for player in range(s["dealt"]):
        if s["cards"][player] != HIDDEN and s["cards"][player] != deal[player]:
            weight = 0.0
        s["cards"][player] = deal[player]
    return weight


# --- words, picture, player -----------------------------------------------------------------------

MOVES, RANKS = ("pass", "bet", "deal J", "deal Q", "deal K"), "JQK"
WIDTH, HEIGHT = 520, 400
BETS: dict[tuple[int, ...], tuple[float, float, float]] = {
    (): (1 / 3, 0.0, 1.0),
    (PASS,): (1 / 3, 0.0, 1.0),
    (BET,): (0.0, 1 / 3, 1.0),
    (PASS, BET): (0.0, 2 / 3, 1.0),
}
"""One of Kuhn's equilibria (alpha = 1/3): how often to bet (or call) with a jack, a queen or a
king, after what has been played."""


def played(view: Any) -> tuple[int, ...]:
    """What the players have done."""
    return tuple(int(move) for move in view["line"][: view["n"]])


def chips(view: Any) -> list[int]:
    """What each player has put into the pot."""
    return [1 + (BET in played(view)[player::2]) for player in range(2)]


class Kuhn(CompiledGame):
    """Kuhn poker: three cards, two players, one bet."""

    State = State
    players = 2
    moves = 5
    most_moves = 3
    most_plies = 5
    worlds = 6
    bounds = (-2.0, 2.0)
    best = "oos"
    source = (
        "H. W. Kuhn, A simplified two-person poker, in Contributions to the Theory of Games I, "
        "Annals of Mathematics Studies 24, Princeton 1950, pp. 97-103"
    )

    def move_text(self, move: int) -> str:
        return MOVES[move]

    def observation_text(self, token: int, viewer: int) -> str:
        if token <= DEAL:
            return MOVES[token - 1]
        rank = token - 1 - DEAL
        return f"you are dealt {RANKS[rank]}" if rank < 3 else "a card is dealt face down"

    def hidden_text(self, world: Any, viewer: int) -> str:
        others = (player for player in range(int(world["dealt"])) if player != viewer)
        return ", ".join(f"player {p} holds {RANKS[world['cards'][p]]}" for p in others)

    def view_text(self, view: Any, viewer: int) -> str:
        rows = []
        for player in range(2):
            card = int(view["cards"][player])
            shown = f"[{RANKS[card] if card >= 0 else '?'}]" if player < view["dealt"] else ""
            paid = f"{count(chips(view)[player], 'chip')} in the pot"
            rows.append((seat_name(player, viewer), shown, paid))
        head = f"Kuhn poker: pot {sum(chips(view))}, {turn_text(turn(view), viewer)}"
        line = ", ".join(MOVES[move] for move in played(view))
        return "\n".join([head, *columns(rows), f"  played: {line or 'nothing yet'}"])

    def picture(self, view: Any, viewer: int) -> str:
        """The table from the viewer's side; the public looks over player 0's shoulder."""
        near, status = max(viewer, 0), turn_text(turn(view), viewer)
        return drawing.svg(
            WIDTH,
            HEIGHT,
            [
                *_seat(view, 1 - near, viewer, 34),
                *_seat(view, near, viewer, HEIGHT - 152),
                drawing.text(WIDTH / 2, 196, f"pot {sum(chips(view))}", size=20, bold=True),
                drawing.text(WIDTH / 2, 220, status, size=16, colour="#cfe8da"),
            ],
        )

    def move_parts(self, view: Any, viewer: int, move: int) -> tuple[str, ...]:
        """The own card passes, the own chips bet."""
        return (f"chips:{viewer}" if move == BET else f"card:{viewer}",)

    def scripted(self, view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
        """By the book: bet as often as an equilibrium does."""
        often = BETS[played(view)][int(view["cards"][player])]
        return BET if stream.random() < often else PASS


def _seat(view: Any, player: int, viewer: int, y: float) -> list[str]:
    rank = int(view["cards"][player])
    moves = ", ".join(MOVES[move] for move in played(view)[player::2])
    left, face = (WIDTH - drawing.CARD_WIDTH) / 2, RANKS[rank] if rank >= 0 else None
    card = drawing.card(left, y, face, dealt=player < view["dealt"])
    return [
        drawing.part(f"card:{player}", card),
        drawing.label(112, y + 46, seat_name(player, viewer), active=turn(view) == player),
        drawing.text(112, y + 84, moves, size=17, serif=True),
        drawing.part(f"chips:{player}", drawing.chips(WIDTH - 150, y + 74, chips(view)[player])),
    ]
