"""A game's rules as two networks, and all that compiled code must know of them, packed in `ctx`.

One network is of what happens (legal moves, the end, goals, the next state), the other of what is
seen of it, which a playout never asks for.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from facedown.core.errors import SpecError
from facedown.core.records import aligned
from facedown.gdl import layout as at
from facedown.gdl.checks import goal_value
from facedown.gdl.circuit import FALSE, TRUE, Circuit
from facedown.gdl.engine import workers
from facedown.gdl.ground import Ground, Limits, ground
from facedown.gdl.layout import Block
from facedown.gdl.simulate import RANDOM
from facedown.gdl.syntax import Description, Term
from facedown.gdl.wiring import BITS, Network, Wiring

SHARED = 6
"""So many moves of a role that share a condition are put behind one gate."""

AREAS = 32
"""In how many areas a network can be at work at once, unless they are large."""

_AREA_BYTES = 32 << 20
"""What the areas of one game may take together, if two of them fit."""


@dataclass(frozen=True)
class Group:
    """Moves of one role that are legal only while `gate` holds, in words of their own."""

    role: int
    gate: int
    first: int
    end: int


class RuleNetwork:
    """The networks of a game and the names of what they are about.

    `roles` has the players in their order, then `random` if it plays. `slots` has the (role, move)
    of every number of a move, `percepts` the (player, percept) of every bit of what is seen, None
    where there is none; `goals` (player, value). The game is `open` if it is one of GDL and not of
    GDL-II: then everybody sees all moves.
    """

    def __init__(
        self,
        description: Description,
        limits: Limits | None = None,
        found: Ground | None = None,
    ) -> None:
        began = time.perf_counter()
        found = found or ground(description, limits)
        self.source, self.ground_seconds, self.ground_rules = (
            description.source,
            found.seconds,
            found.size,
        )
        named = [role for role in description.roles if role != RANDOM]
        self.players = len(named)
        self.roles = [*named, *(role for role in description.roles if role == RANDOM)]
        if not named:
            raise SpecError(f"{description.source}: no role but random; a player is wanted")
        self.open = description.perfect
        try:
            circuit = Circuit(found)
        except SpecError as error:
            raise SpecError(f"{description.source}: {error}") from None
        self._lay_out(circuit, found)
        self.seconds = time.perf_counter() - began

    def _lay_out(self, circuit: Circuit, found: Ground) -> None:
        self.fluents = circuit.fluents
        self.initial = [(fluent,) in found.atoms["init"] for fluent in circuit.fluents]
        self.goals = self._goals(found)
        self.groups, legal = self._legal(circuit)
        node = dict(zip(circuit.moves, circuit.does_nodes, strict=True))
        nodes = [0 if s is None else node[self.roles[s[0]], s[1]] for s in self.slots]
        nexts = [circuit.literal("next", fluent) for fluent in circuit.fluents]
        rest = [circuit.literal("terminal")]
        rest += [circuit.literal("goal", self.roles[r], str(v)) for r, v in self.goals]
        views = [*legal, *(group.gate for group in self.groups), *rest]
        self.play = Wiring(circuit, nexts, nodes, views, []).network()
        self.percepts, self.sight_words = self._percepts(found)
        sights = [
            FALSE if s is None else circuit.literal("sees", self.roles[s[0]], s[1])
            for s in self.percepts
        ]
        self.sight = Wiring(circuit, [FALSE] * len(nexts), nodes, [], sights).network()

    def _goals(self, found: Ground) -> list[tuple[int, int]]:
        """(player, value) of every goal, lower values first."""
        goals = []
        for role, value in found.atoms["goal"]:
            if role not in self.roles[: self.players]:
                continue
            number = goal_value(value)
            if number is None:
                what = f"the goal of {role} is {value}; a whole number is wanted"
                raise SpecError(f"{self.source}: {what}")
            goals.append((self.roles.index(str(role)), number))
        return sorted(goals)

    def _legal(self, circuit: Circuit) -> tuple[list[Group], list[int]]:
        """Slots for all moves, and the literals that make them legal where their gate holds.

        legal is gate & rest where several moves share the gate, which is mostly whose turn it is:
        so a change of turn changes one gate.
        """
        made = []
        for role, move in circuit.moves:
            literal = circuit.literal("legal", role, move)
            parts = circuit.ins[literal] if literal > TRUE else None
            made.append((self.roles.index(str(role)), move, parts or frozenset([literal])))
        count = Counter((r, x) for r, _, parts in made for x in parts if len(parts) > 1)
        by_group: dict[tuple[int, int], list[tuple[Term, int]]] = {}
        for r, move, parts in made:
            gate = max(sorted(parts), key=lambda x: count[r, x])
            if len(parts) < 2 or count[r, gate] < SHARED:
                gate = TRUE
            rest = circuit.conjunction(parts - {gate})
            by_group.setdefault((r, gate), []).append((move, rest))
        groups, legal = [], list[int]()
        self.slots: list[tuple[int, Term] | None] = []
        for (r, gate), moves in sorted(by_group.items(), key=lambda item: item[0]):
            first = len(legal) // BITS
            self.slots += [(r, move) for move, _ in moves]
            legal += [literal for _, literal in moves]
            self.slots += [None] * (-len(legal) % BITS)
            legal += [FALSE] * (-len(legal) % BITS)
            groups.append(Group(r, gate, first, len(legal) // BITS))
        return groups, legal

    def _percepts(self, found: Ground) -> tuple[list[tuple[int, Term] | None], list[int]]:
        """The percepts of each player in words of their own, and where those begin."""
        bits: list[tuple[int, Term] | None] = []
        first = [0]
        for player, role in enumerate(self.roles[: self.players]):
            seen = sorted((args[1] for args in found.atoms["sees"] if args[0] == role), key=str)
            bits += [(player, percept) for percept in seen]
            bits += [None] * (-len(bits) % BITS)
            first.append(len(bits) // BITS)
        return bits, first

    @property
    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest goal; 0 and 100 are within them."""
        values = [0, 100, *(value for _, value in self.goals)]
        return float(min(values)), float(max(values))

    @property
    def legal_words(self) -> int:
        """How many words the legal moves of all roles take."""
        return len(self.slots) // BITS

    @property
    def state(self) -> np.dtype[Any]:
        """The dtype of a record, without gaps."""
        chains = 1 if self.open else self.players
        fields: list[tuple[Any, ...]] = [
            ("state", np.uint64, self.play.fluent_words),  # the fluents that hold
            ("legal", np.uint64, self.legal_words),  # the legal moves of every role
            ("chain", np.uint64, chains),  # what each player has observed, as one key
            ("pending", np.int32, len(self.roles)),  # the choice of each role, -1 before it
            ("last", np.int32, len(self.roles)),  # the joint move before, -1 unknown
            ("clock", np.int32, at.CLOCK),  # steps made, who acts, whether it keeps chains; 0
        ]
        return np.dtype(fields)

    def context(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """All of this for compiled code, with the areas behind it in the same block."""
        return _Packer(self).context()


@lru_cache(maxsize=8)
def rule_network(description: Description, limits: Limits | None = None) -> RuleNetwork:
    """The networks of a game; those used last are kept."""
    return RuleNetwork(description, limits)


class _Packer:
    """Lays out `ctx` and the areas of a game."""

    def __init__(self, rules: RuleNetwork) -> None:
        self.rules = rules
        self.head = np.zeros(at.HEAD, np.int64)
        self.ctx, self.area, self.fresh = Block(8 * at.HEAD), Block(at.AREA_HEAD), Block()
        self.fresh.used = at.AREA_HEAD

    def context(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        rules, h = self.rules, self.head
        self._numbers()
        self._record()
        h[at.FROM_AT] = self.area.reserve(16 * rules.play.fluent_words)
        h[at.JOINT_AT] = self.area.reserve(4 * len(rules.roles))
        self._network(at.PLAY, rules.play)
        self._network(at.SIGHT, rules.sight)
        self._tables()
        h[at.AREA_SIZE] = size = self.area.used
        areas = AREAS
        while areas > 2 and areas * size > _AREA_BYTES:
            areas //= 2
        fresh = np.zeros(size, np.uint8)
        self.fresh.write(fresh)
        h[at.FRESH_AT] = self.ctx.add(fresh[at.AREA_HEAD :])
        h[at.AREAS], h[at.AREAS_AT] = areas, self.ctx.used
        memory: np.ndarray[Any, np.dtype[np.uint8]] = aligned(1, self.ctx.used + areas * size)[0]
        self.ctx.write(memory)
        memory[: 8 * at.HEAD] = h.view(np.uint8)
        return memory[: self.ctx.used]

    def _numbers(self) -> None:
        rules, h = self.rules, self.head
        h[at.ROLES], h[at.PLAYERS], h[at.OPEN] = len(rules.roles), rules.players, rules.open
        h[at.STATE_WORDS], h[at.LEGAL_WORDS] = rules.play.fluent_words, rules.legal_words
        h[at.GO] = len(rules.slots)
        h[at.GROUPS], h[at.GOALS] = len(rules.groups), len(rules.goals)
        h[at.TERMINAL] = len(rules.slots) + len(rules.groups)
        h[at.LOWEST] = 0  # what a player gets who has no goal
        h[at.GO_TO], h[at.DO], h[at.GO_ON] = workers()

    def _record(self) -> None:
        h, kind = self.head, self.rules.state
        assert kind.fields is not None
        h[at.CHAINS] = kind["chain"].shape[0]
        h[at.RECORD_WORDS] = -(-kind.itemsize // 8)
        for place, name in (
            (at.LEGAL_AT, "legal"),
            (at.CHAIN_AT, "chain"),
            (at.PENDING_AT, "pending"),
            (at.LAST_AT, "last"),
            (at.CLOCK_AT, "clock"),
        ):
            h[place] = kind.fields[name][1]

    def _tables(self) -> None:
        rules, h = self.rules, self.head
        first = len(rules.slots)
        groups = [(g.role, g.first, g.end, first + k) for k, g in enumerate(rules.groups)]
        goals = [
            (player, value, int(h[at.TERMINAL]) + 1 + k)
            for k, (player, value) in enumerate(rules.goals)
        ]
        roles = range(len(rules.roles) + 1)
        begins = [min([g.first for g in rules.groups if g.role >= r], default=-1) for r in roles]
        begins = [rules.legal_words if word < 0 else word for word in begins]
        owners = [g.role for g in rules.groups for _ in range(g.first, g.end)]
        h[at.GROUPS_AT] = self.ctx.add(np.array(groups, np.int64))
        h[at.GOALS_AT] = self.ctx.add(np.array(goals, np.int64))
        h[at.ROLE_WORDS_AT] = self.ctx.add(np.array(begins, np.int64))
        h[at.WORD_ROLES_AT] = self.ctx.add(np.array(owners, np.int64))
        h[at.START_AT] = self.ctx.add(words(rules.initial, rules.play.fluent_words))
        sights = [word + rules.sight.outputs // BITS for word in rules.sight_words]
        h[at.SIGHT_WORDS_AT] = self.ctx.add(np.array(sights, np.int64))

    def _network(self, which: int, network: Network) -> None:
        n = self.head[which : which + at.NETWORK]
        n[at.PTR_AT], n[at.EDGE_AT] = self.ctx.add(network.ptr), self.ctx.add(network.edge)
        n[at.SEGMENTS_AT] = self.ctx.add(network.segments)
        n[at.VIEW_SEGMENTS], n[at.SEGMENTS] = network.view_segments, len(network.segments)
        n[at.COUNTERS], n[at.EDGES] = len(network.bias), len(network.edge)
        n[at.WORDS], n[at.FLUENT_WORDS] = network.words, network.fluent_words
        n[at.OUTPUTS], n[at.MOVES] = network.outputs, network.moves
        state = np.zeros(network.fluent_words + 1, np.uint64)
        state[-1] = 1  # nothing is settled yet
        n[at.STATE_AT] = self._fresh(state)
        n[at.BITS_AT] = self._fresh(words(network.bias[: BITS * network.words] >= 0, network.words))
        loops = bool((network.segments[:, 1] < network.segments[:, 2]).any())
        n[at.HELD_AT] = self._fresh(np.zeros(network.words if loops else 0, np.uint64))
        n[at.COUNT_AT] = self._fresh(network.bias)
        does = np.full(len(self.rules.roles) + 1, -1, np.int32)
        does[-1] = 0
        n[at.DOES_AT] = self._fresh(does)

    def _fresh(self, content: np.ndarray[Any, Any]) -> int:
        """Room in every area, with its first content."""
        place = self.area.reserve(content.nbytes)
        self.fresh.used = place
        self.fresh.add(content)
        return place


def words(flags: Sequence[bool] | np.ndarray[Any, Any], n: int) -> np.ndarray[Any, Any]:
    """A set of numbers as `n` words.

    >>> words([True, False, True], 1)
    array([5], dtype=uint64)
    """
    padded = np.zeros(n * BITS, bool)
    padded[: len(flags)] = flags
    return np.packbits(padded, bitorder="little").view(np.uint64)


def members(words: np.ndarray[Any, Any]) -> list[int]:
    """The numbers in a set of words.

    >>> members(np.array([5, 1], np.uint64))
    [0, 2, 64]
    """
    bits = np.unpackbits(np.ascontiguousarray(words).view(np.uint8), bitorder="little")
    return [int(k) for k in np.flatnonzero(bits)]
