"""A bluffing game with eliminations: three players with a rose and a skull each, face down.

Everybody lays a disc; then one in turn lays another or bids how many discs they can turn without a
skull; others raise or pass. Who has bid the most turns their own discs first, from the top. Enough
roses win; a skull costs a disc, drawn at random, which its owner alone gets to know. Who has none
left is out. After four challenges those who are left share.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from facedown.core import CHANCE, OVER, Stream

PLAYERS, CHALLENGES = 3, 4
DISCS = "RS"

Move = tuple[Any, ...]
Story = tuple[str, str, str, int, float]
"""What one owns, has laid, has done unseen, how many of the laid are turned; how likely."""


@dataclass
class Skull:
    owned: list[str] = field(default_factory=lambda: [DISCS] * PLAYERS)
    mats: list[str] = field(default_factory=lambda: [""] * PLAYERS)
    past: list[list[str]] = field(default_factory=lambda: [[] for _ in range(PLAYERS)])
    turned: list[int] = field(default_factory=lambda: [0] * PLAYERS)
    passed: list[int] = field(default_factory=list)
    phase: str = "lay"
    turn: int = 0
    bid: int = 0
    high: int = -1
    lost: int = 0  # challenges
    log: list[Move] = field(default_factory=list)  # what all have seen


def rest(owned: str, mat: str) -> str:
    """What is in the hand."""
    for disc in mat:
        owned = owned.replace(disc, "", 1)
    return owned


class Skulls:
    """Moves: ("lay", disc), ("bid", n), ("pass",), ("turn", player), ("lose", disc)."""

    players, bounds, most_plies = PLAYERS, (0.0, 1.0), 100

    def start(self) -> Skull:
        return Skull()

    def copy(self, s: Skull) -> Skull:
        past = [list(one) for one in s.past]
        lists = list(s.turned), list(s.passed)
        numbers = s.phase, s.turn, s.bid, s.high, s.lost
        return Skull(list(s.owned), list(s.mats), past, *lists, *numbers, list(s.log))

    def turn(self, s: Skull) -> int:
        return {"lose": CHANCE, "over": OVER}.get(s.phase, s.turn)

    def legal(self, s: Skull) -> list[Move]:
        if s.phase == "lose":
            return [("lose", disc) for disc in sorted(set(s.owned[s.high]))]
        if s.phase == "turn":
            return [("turn", p) for p in self.targets(s)]
        total = sum(map(len, s.mats))
        raises: list[Move] = [("bid", n) for n in range(s.bid + 1, total + 1)]
        if s.phase == "bid":
            return [*raises, ("pass",)]
        hand = rest(s.owned[s.turn], s.mats[s.turn])
        lays: list[Move] = [("lay", disc) for disc in sorted(set(hand))]
        ready = all(s.mats[p] for p in self.left(s))
        return [*lays, *(raises if ready else [])]

    def weights(self, s: Skull) -> list[float]:
        return [float(s.owned[s.high].count(disc)) for _, disc in self.legal(s)]

    def left(self, s: Skull) -> list[int]:
        return [p for p in range(PLAYERS) if s.owned[p]]

    def targets(self, s: Skull) -> list[int]:
        """Whose disc may be turned next: one's own first."""
        shut = [p for p in range(PLAYERS) if s.turned[p] < len(s.mats[p])]
        return [s.high] if s.high in shut else shut

    def apply(self, s: Skull, move: Move) -> None:
        s.log.append(self.told(s, move))
        kind = move[0]
        if kind == "lay":
            s.mats[s.turn] += move[1]
            s.past[s.turn].append(move[1])
            s.turn = self.following(s, s.turn)
        elif kind == "turn":
            self.turn_over(s, move[1])
        elif kind == "lose":
            self.lose(s, move[1])
        else:
            self.bidding(s, move)

    def bidding(self, s: Skull, move: Move) -> None:
        if move[0] == "bid":
            s.phase, s.bid, s.high = "bid", move[1], s.turn
        else:
            s.passed.append(s.turn)
        others = [p for p in self.left(s) if p not in s.passed and p != s.high]
        if not others or s.bid == sum(map(len, s.mats)):
            s.phase, s.turn = "turn", s.high
        else:
            s.turn = self.following(s, s.turn)

    def turn_over(self, s: Skull, player: int) -> None:
        s.turned[player] += 1
        if s.mats[player][-s.turned[player]] == "S":
            s.phase = "lose"
        elif sum(s.turned) == s.bid:
            s.phase = "over"

    def lose(self, s: Skull, disc: str) -> None:
        loser = s.high
        s.owned[loser] = s.owned[loser].replace(disc, "", 1)
        s.past[loser].append(f"-{disc}")
        s.mats, s.turned, s.passed = [""] * PLAYERS, [0] * PLAYERS, []
        s.bid, s.high, s.lost, s.phase = 0, -1, s.lost + 1, "lay"
        s.turn = self.beginner(s, loser)
        if len(self.left(s)) == 1 or s.lost == CHALLENGES:
            s.phase = "over"

    def beginner(self, s: Skull, loser: int) -> int:
        return loser if s.owned[loser] else self.following(s, loser)

    def following(self, s: Skull, player: int) -> int:
        while True:
            player = (player + 1) % PLAYERS
            if s.owned[player] and player not in s.passed:
                return player

    def told(self, s: Skull, move: Move) -> Move:
        """What all see of a move."""
        if move[0] == "lay":
            return ("lay", s.turn)
        if move[0] == "lose":
            return ("lose", s.high)
        if move[0] == "turn":
            return (*move, s.mats[move[1]][-1 - s.turned[move[1]]])
        return (s.turn, *move)

    def sees(self, s: Skull, move: Move, viewer: int) -> Any:
        own = (move[0] == "lay" and viewer == s.turn) or (move[0] == "lose" and viewer == s.high)
        return move if own else self.told(s, move)

    def payoff(self, s: Skull) -> list[float]:
        won = [s.high] if s.high >= 0 else self.left(s)
        return [1.0 / len(won) if p in won else 0.0 for p in range(PLAYERS)]

    def hide(self, s: Skull, viewer: int) -> None:
        for p in range(PLAYERS):
            if p != viewer:
                s.owned[p] = "?" * len(s.owned[p])
                shut = len(s.mats[p]) - s.turned[p]
                s.mats[p] = "?" * shut + s.mats[p][shut:]
                s.past[p] = []

    def infoset(self, s: Skull, viewer: int) -> Any:
        own = (s.owned[viewer], *s.past[viewer]) if viewer >= 0 else ()
        return own, tuple(s.log)

    def stories(self, s: Skull, player: int) -> list[Story]:
        """All that a player may have done unseen."""
        some: list[Story] = [(DISCS, "", "", 0, 1.0)]
        for entry in s.log:
            if entry[0] in ("lay", "turn", "lose"):
                some = [after for one in some for after in self.after(one, entry, player)]
        return some

    def after(self, one: Story, entry: Move, player: int) -> list[Story]:
        owned, mat, past, turned, odds = one
        mine = entry[1] == player
        if entry[0] == "lay":
            some = sorted(set(rest(owned, mat))) if mine else []
            laid = [(owned, mat + disc, past + disc, turned, odds) for disc in some]
            return laid if mine else [one]
        if entry[0] == "turn":
            fits = not mine or mat[-1 - turned] == entry[2]
            return [(owned, mat, past, turned + mine, odds)] if fits else []
        if not mine:
            return [(owned, "", past, 0, odds)]
        return [
            (owned.replace(disc, "", 1), "", f"{past}-{disc}", 0, odds * self.odds(owned, disc))
            for disc in sorted(set(owned))
        ]

    def odds(self, owned: str, disc: str) -> float:
        return owned.count(disc) / len(owned)

    def determinize(self, s: Skull, viewer: int, stream: Stream) -> None:
        for player in range(PLAYERS):
            if player != viewer:
                some = self.stories(s, player)
                at, total = 0, stream.random() * sum(one[-1] for one in some)
                while total >= some[at][-1] and at < len(some) - 1:
                    total, at = total - some[at][-1], at + 1
                owned, mat, past = some[at][:3]
                s.owned[player], s.mats[player] = owned, mat
                s.past[player] = list(past.replace("-R", "r").replace("-S", "s"))
                s.past[player] = [
                    {"r": "-R", "s": "-S"}.get(entry, entry) for entry in s.past[player]
                ]
