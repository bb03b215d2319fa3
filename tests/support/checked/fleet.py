"""Hidden placement: both put a long and a short ship on four by three cells, then shoot in turn.

A shot tells both whether it hit. Once in the game a player may ask the radar instead: how many of
the other's cells in a row are ships; the answer is told to who asks alone. Who has hit all three
cells of the other wins; after seven turns each nobody does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from facedown.core import OVER, Stream

WIDTH, HEIGHT, TURNS = 4, 3, 7
CELLS = WIDTH * HEIGHT

Move = tuple[Any, ...]
Ships = tuple[int, ...]  # the cells: two of the long ship, one of the short one


def _placements() -> list[Ships]:
    across = [(c, c + 1) for c in range(CELLS) if c % WIDTH < WIDTH - 1]
    down = [(c, c + WIDTH) for c in range(CELLS - WIDTH)]
    return [(a, b, c) for a, b in (*across, *down) for c in range(CELLS) if c not in (a, b)]


PLACEMENTS = _placements()


@dataclass
class Sea:
    ships: list[Ships] = field(default_factory=list)
    shots: list[tuple[int, int, bool]] = field(default_factory=list)  # who, cell, hit
    asked: list[tuple[int, int]] = field(default_factory=list)  # who, row
    heard: list[int] = field(default_factory=list)  # the answers; -1 is one of somebody else
    turns: int = 0


class Fleet:
    """Moves: ("place", number), ("shoot", cell), ("radar", row)."""

    players, bounds, most_plies = 2, (-1.0, 1.0), 2 + 2 * TURNS

    def start(self) -> Sea:
        return Sea()

    def copy(self, s: Sea) -> Sea:
        return Sea(list(s.ships), list(s.shots), list(s.asked), list(s.heard), s.turns)

    def hits(self, s: Sea, player: int) -> int:
        return sum(hit for who, _, hit in s.shots if who == player)

    def turn(self, s: Sea) -> int:
        if len(s.ships) < 2:
            return len(s.ships)
        over = s.turns == 2 * TURNS or max(self.hits(s, 0), self.hits(s, 1)) == 3
        return OVER if over else s.turns % 2

    def legal(self, s: Sea) -> list[Move]:
        if len(s.ships) < 2:
            return [("place", k) for k in range(len(PLACEMENTS))]
        me = s.turns % 2
        shot = {cell for who, cell, _ in s.shots if who == me}
        moves: list[Move] = [("shoot", cell) for cell in range(CELLS) if cell not in shot]
        if all(who != me for who, _ in s.asked):
            moves += [("radar", row) for row in range(HEIGHT)]
        return moves

    def apply(self, s: Sea, move: Move) -> None:
        kind, value = move
        if kind == "place":
            s.ships.append(PLACEMENTS[value])
            return
        me = s.turns % 2
        if kind == "shoot":
            s.shots.append((me, value, value in s.ships[1 - me]))
        else:
            s.asked.append((me, value))
            s.heard.append(self.count(s.ships[1 - me], value))
        s.turns += 1

    def count(self, ships: Ships, row: int) -> int:
        return sum(cell // WIDTH == row for cell in ships)

    def sees(self, s: Sea, move: Move, viewer: int) -> Any:
        kind, value = move
        if kind == "place":
            return move if viewer == len(s.ships) else "placed"
        me = s.turns % 2
        if kind == "shoot":
            return (*move, value in s.ships[1 - me])
        return (*move, self.count(s.ships[1 - me], value)) if viewer == me else move

    def payoff(self, s: Sea) -> list[float]:
        won = [float(self.hits(s, p) == 3) for p in range(2)]
        return [won[0] - won[1], won[1] - won[0]]

    def hide(self, s: Sea, viewer: int) -> None:
        s.ships = [ships if p == viewer else () for p, ships in enumerate(s.ships)]
        s.heard = [n if who == viewer else -1 for (who, _), n in zip(s.asked, s.heard, strict=True)]

    def infoset(self, s: Sea, viewer: int) -> Any:
        own = s.ships[viewer] if 0 <= viewer < len(s.ships) else ()
        heard = tuple(h for (who, _), h in zip(s.asked, s.heard, strict=True) if who == viewer)
        return own, len(s.ships), tuple(s.shots), tuple(s.asked), heard, s.turns

    def fits(self, s: Sea, player: int, ships: Ships) -> bool:
        """Whether the player's ships can lie there, by all that the view tells."""
        if any(who != player and (cell in ships) != hit for who, cell, hit in s.shots):
            return False
        answers = zip(s.asked, s.heard, strict=True)
        return all(who == player or n in (-1, self.count(ships, row)) for (who, row), n in answers)

    def placed(self, s: Sea, player: int, stream: Stream) -> Ships:
        """Ships for a player whose ships are hidden."""
        return stream.choice([ships for ships in PLACEMENTS if self.fits(s, player, ships)])

    def determinize(self, s: Sea, viewer: int, stream: Stream) -> None:
        for player in range(len(s.ships)):
            if player != viewer:
                s.ships[player] = self.placed(s, player, stream)
        for k, (who, row) in enumerate(s.asked):
            s.heard[k] = self.count(s.ships[1 - who], row)
