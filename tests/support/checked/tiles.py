"""A game about a bag: twelve tiles of three colours, two racks of two, the rest in the bag.

In turn a player lays a tile open, or puts one back unseen, and draws another; who draws is the only
one to see it. After three turns each the racks are shown: a pair is worth 2, and every tile of a
colour that lies on the table most often 1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from facedown.core import CHANCE, OVER, Stream

COLOURS, COPIES, RACK, TURNS = 3, 4, 2, 3

Move = tuple[str, int]


@dataclass
class Pouch:
    racks: list[list[int]] = field(default_factory=lambda: [[], []])
    bag: list[int] = field(default_factory=lambda: [COPIES] * COLOURS)
    past: list[list[Move]] = field(default_factory=lambda: [[], []])  # draws and returns
    log: list[Any] = field(default_factory=list)  # what all have seen
    moved: int = 0


class Tiles:
    """Moves: ("draw", colour), ("lay", colour), ("back", colour)."""

    players, bounds, most_plies = 2, (0.0, 4.0), 2 * RACK + 4 * TURNS

    def start(self) -> Pouch:
        return Pouch()

    def copy(self, s: Pouch) -> Pouch:
        racks, past = [list(x) for x in s.racks], [list(x) for x in s.past]
        return Pouch(racks, list(s.bag), past, list(s.log), s.moved)

    def drawer(self, s: Pouch) -> int | None:
        """Who has too few tiles."""
        return next((p for p in range(2) if len(s.racks[p]) < RACK), None)

    def turn(self, s: Pouch) -> int:
        if self.drawer(s) is not None:
            return CHANCE
        return OVER if s.moved == 2 * TURNS else s.moved % 2

    def legal(self, s: Pouch) -> list[Move]:
        if self.drawer(s) is not None:
            return [("draw", colour) for colour in range(COLOURS) if s.bag[colour]]
        own = sorted(set(s.racks[s.moved % 2]))
        return [(kind, colour) for kind in ("lay", "back") for colour in own]

    def weights(self, s: Pouch) -> list[float]:
        return [float(s.bag[colour]) for _, colour in self.legal(s)]

    def apply(self, s: Pouch, move: Move) -> None:
        s.log.append(self.told(s, move))
        kind, colour = move
        player = self.drawer(s)
        if player is not None:
            s.racks[player].append(colour)
            s.racks[player].sort()
            s.bag[colour] -= 1
            s.past[player].append(move)
            return
        player = s.moved % 2
        s.racks[player].remove(colour)
        s.moved += 1
        if kind == "back":
            s.bag[colour] += 1
            s.past[player].append(move)

    def told(self, s: Pouch, move: Move) -> Any:
        """What all see of a move."""
        player = self.drawer(s)
        if player is not None:
            return ("draw", player)
        return ("back", s.moved % 2) if move[0] == "back" else (*move, s.moved % 2)

    def sees(self, s: Pouch, move: Move, viewer: int) -> Any:
        player = self.drawer(s)
        actor = s.moved % 2 if player is None else player
        own = move if viewer == actor else self.told(s, move)
        last = s.moved == 2 * TURNS and sum(map(len, s.racks)) == 2 * RACK - 1
        if last and player is not None:  # all is shown
            full = sorted([*s.racks[player], move[1]])
            shown = [full if p == player else rack for p, rack in enumerate(s.racks)]
            return (own, *map(tuple, shown))
        return own

    def payoff(self, s: Pouch) -> list[float]:
        laid = [entry[1] for entry in s.log if entry[0] == "lay"]
        most = max((laid.count(c) for c in range(COLOURS)), default=0)
        best = {c for c in range(COLOURS) if most and laid.count(c) == most}
        return [2.0 * (len(set(r)) == 1) + sum(tile in best for tile in r) for r in s.racks]

    def hide(self, s: Pouch, viewer: int) -> None:
        s.past = [past if p == viewer else [] for p, past in enumerate(s.past)]
        if self.turn(s) == OVER:
            return
        s.racks = [r if p == viewer else [-1] * len(r) for p, r in enumerate(s.racks)]
        s.bag = [-1] * COLOURS

    def infoset(self, s: Pouch, viewer: int) -> Any:
        shown = tuple(map(tuple, s.racks)) if self.turn(s) == OVER else ()
        own = tuple(s.past[viewer]) if viewer >= 0 else ()
        return own, tuple(s.log), shown

    def stories(self, s: Pouch, viewer: int) -> list[tuple[Pouch, float]]:
        """Every way it can have come, with its probability, choices being as likely."""
        worlds = [(Pouch(), 1.0)]
        own = iter(s.past[viewer] if viewer >= 0 else ())
        for entry in s.log:
            kind, actor = entry[0], entry[-1]
            wanted = next(own) if actor == viewer and kind != "lay" else None
            worlds = [after for w, p in worlds for after in self.onward(w, p, entry, wanted)]
        if self.turn(s) == OVER:
            worlds = [(w, p) for w, p in worlds if w.racks == s.racks]
        return worlds

    def onward(
        self, w: Pouch, p: float, entry: Any, wanted: Move | None
    ) -> list[tuple[Pouch, float]]:
        """The ways on that fit an entry of the log, and what the viewer knows of it."""
        moves = [m for m in self.legal(w) if self.told(w, m) == entry and wanted in (None, m)]
        found = []
        for move in moves:
            odds = self.chance(w, move)
            after = self.copy(w)
            self.apply(after, move)
            found.append((after, p * odds))
        return found

    def chance(self, w: Pouch, move: Move) -> float:
        """A draw by the bag; one of two equal tiles is put back twice as often as one of two."""
        return w.bag[move[1]] / sum(w.bag) if move[0] == "draw" else 1 / len(self.legal(w))

    def determinize(self, s: Pouch, viewer: int, stream: Stream) -> None:
        some = self.stories(s, viewer)
        at, total = 0, stream.random() * sum(p for _, p in some)
        while total >= some[at][1] and at < len(some) - 1:
            total, at = total - some[at][1], at + 1
        world = some[at][0]
        s.racks, s.bag, s.past = world.racks, world.bag, world.past
