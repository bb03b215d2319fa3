"""Liar's dice in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from facedown.core.constants import CHANCE, OVER
from facedown.games.wording import columns, count, seat_name, turn_text


@dataclass(frozen=True)
class Table:
    """How many play, with how many dice of how many faces."""

    players: int
    dice: int
    faces: int

    @property
    def bids(self) -> int:
        """The number of different bids, which is also the number of the move that calls."""
        return self.players * self.dice * self.faces

    def turn(self, view: Any) -> int:
        """Who acts in a view."""
        if view["rolled"] < self.players * self.dice:
            return CHANCE
        return OVER if view["called"] else int(view["n"]) % self.players

    def dice_of(self, view: Any, player: int) -> list[int]:
        """A player's dice that are rolled: faces from 1, 0 for one that is hidden."""
        first = player * self.dice
        last = min(first + self.dice, int(view["rolled"]))
        return [int(face) + 1 for face in view["dice"][first:last]]

    def move_text(self, move: int) -> str:
        """A move as people write it."""
        if move < self.bids:
            return f"{move // self.faces + 1}x{move % self.faces + 1}"
        return "liar" if move == self.bids else f"roll {move - self.bids}"

    def observation_text(self, token: int) -> str:
        """What a token of `sees` tells."""
        own = self.bids + 1
        player, move = divmod(token - 1, own)
        if player < self.players:
            deed = "calls liar" if move == self.bids else f"bids {self.move_text(move)}"
            return f"player {player} {deed}"
        rest = token - 1 - own * self.players
        if rest < self.faces:
            return f"you roll {rest + 1}"
        return f"player {rest - self.faces} rolls in secret"

    def hidden_text(self, world: Any, viewer: int) -> str:
        """The dice that the viewer does not see, in order of their faces."""
        rolled = []
        for player in range(self.players):
            faces = sorted(self.dice_of(world, player))
            if player != viewer and faces:
                rolled.append(f"player {player} rolled {' '.join(map(str, faces))}")
        return ", ".join(rolled)

    def hidden_facts(self, world: Any, viewer: int) -> list[str]:
        """The same by faces: what others have at least one of."""
        verb = "rolled" if self.dice == 1 else "has a"
        return [
            f"player {player} {verb} {face}"
            for player in range(self.players)
            for face in sorted({*self.dice_of(world, player)})
            if player != viewer
        ]

    def view_text(self, view: Any, viewer: int) -> str:
        """A view for the terminal."""
        bids = [self.move_text(int(bid)) for bid in view["bids"][: view["n"]]]
        caller = len(bids) % self.players
        rows = []
        for player in range(self.players):
            said = [*bids[player :: self.players]]
            if view["called"] and player == caller:
                said.append("liar!")
            dice = "".join(f"[{face or '?'}]" for face in self.dice_of(view, player))
            rows.append((seat_name(player, viewer), dice, ", ".join(said)))
        each = f"{self.players} players, {count(self.dice, 'die')} each, {self.faces} is wild"
        standing = f"  standing bid: {bids[-1] if bids else 'none'}"
        head = f"Liar's dice ({each}): {turn_text(self.turn(view), viewer)}"
        return "\n".join([head, *columns(rows), standing])
