"""GDL games as games of the contract: by a rule network, with their own words."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from facedown.core import NOTHING, CompiledGame, SpecError
from facedown.core.compiled import CompiledRules
from facedown.core.streams import mixed
from facedown.gdl import hidden_rules, open_rules
from facedown.gdl import layout as at
from facedown.gdl.ground import Limits
from facedown.gdl.network import members, rule_network, words
from facedown.gdl.syntax import Description, Term

_MOST_REMEMBERED = 100_000
_GO = "go on"


class NetworkGame(CompiledGame):
    """A game by the rules of a description, grounded.

    Players are its roles without `random`, moves are numbered by the slots of the network.
    """

    def __init__(self, description: Description, limits: Limits | None = None) -> None:
        self.description = description
        self.network = network = rule_network(description, limits)
        self.rules = open_rules if network.open else hidden_rules
        self.State = network.state
        self.players, self.bounds = network.players, network.bounds
        self.moves = len(network.slots) + 1
        slots = [slot[0] for slot in network.slots if slot is not None]
        self.most_moves = max([1, *(slots.count(role) for role in range(len(network.roles)))])
        self.source = description.source
        self._numbers = {slot: k for k, slot in enumerate(network.slots) if slot is not None}
        self._percepts = {bit: k for k, bit in enumerate(network.percepts) if bit is not None}

    def make_rules(self) -> CompiledRules:
        return NetworkRules(self)

    def context(self) -> np.ndarray[Any, Any]:
        return self.network.context()

    # --- numbers and terms ---------------------------------------------------------------------

    def move_number(self, role: str, move: Term) -> int:
        """The number of a role's move; SpecError where the rules never allow it."""
        known = self.network.roles
        place = (known.index(role), move) if role in known else None
        if place not in self._numbers:
            raise SpecError(f"{self.source}: {role} can never do {move}")
        return self._numbers[place]

    def percept_token(self, player: int, percepts: Iterable[Term], *, over: bool) -> int:
        """The token that `sees` gives a player for these percepts; `over`: the game has ended.

        It is of a game with `sees` rules. SpecError where the rules never give such a percept.
        """
        seen, first = [], self.network.sight_words[player]
        n = self.network.sight_words[player + 1] - first
        flags = np.zeros(64 * n, bool)
        for percept in percepts:
            if (player, percept) not in self._percepts:
                role = self.network.roles[player]
                raise SpecError(f"{self.source}: {role} can never see {percept}")
            seen.append(self._percepts[player, percept] - 64 * first)
        flags[seen] = True
        key = 1
        for word in words(flags, n):
            key = mixed(key, int(word))
        return mixed(key, int(over))

    def holding(self, record: Any) -> list[Term]:
        """The fluents that hold in a position; none in a view of a game with `sees` rules."""
        return [self.network.fluents[k] for k in members(record["state"])]

    # --- words ---------------------------------------------------------------------------------

    def move_text(self, move: int) -> str:
        slot = self.network.slots[move] if move < len(self.network.slots) else None
        return _GO if slot is None else str(slot[1])

    def _joint_text(self, joint: Iterable[int]) -> str:
        named = zip(self.network.roles, joint, strict=True)
        return ", ".join(f"{role} {self.move_text(move)}" for role, move in named if move >= 0)

    def observation_text(self, token: int, viewer: int) -> str:
        if 0 < token <= self.moves:
            return f"you choose {self.move_text(token - 1)}"
        return f"token {token}"

    def view_text(self, view: Any, viewer: int) -> str:
        steps = int(view["clock"][at.STEP])
        lines = [f"step {steps + 1}"]
        if last := self._joint_text(view["last"]):
            lines.append(f"  before: {last}")
        if self.network.open:
            lines.append(f"  {' '.join(map(str, self.holding(view)))}")
        elif viewer >= 0:
            lines.append(f"  you are {self.network.roles[viewer]}")
        chosen = [
            move if viewer == role else -1 for role, move in enumerate(view["pending"].tolist())
        ]
        if pending := self._joint_text(chosen):
            lines.append(f"  now: {pending}")
        return "\n".join(lines)

    def hidden_text(self, world: Any, viewer: int) -> str:
        return "" if self.network.open else " ".join(map(str, self.holding(world)))


class NetworkRules(CompiledRules):
    """The compiled rules of a GDL game, and a memory of what tokens stand for.

    A token is a key of a set of percepts; for people the set is noted when the token is first given.
    """

    def __init__(self, definition: NetworkGame) -> None:
        super().__init__(definition)
        self._definition = definition
        self.words: dict[int, str] = {}
        self._sees = self.python["sees"]
        self.python["sees"] = self._noted

    def copy(self, to: int, source: int) -> None:
        """Copy the bytes: unlike a search's worlds, a position keeps what players observe."""
        ctypes.memmove(to, source, self.size)

    def _noted(self, ctx: int, state: int, move: int, viewer: int) -> int:
        return int(self._sees(ctx, state, move, viewer))
