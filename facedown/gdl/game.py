"""GDL games as games of the contract: by a rule network, with their own words."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from functools import cache, cached_property
from typing import Any

import numpy as np

from facedown.core import OVER, PUBLIC, CompiledGame, SpecError
from facedown.core.compiled import CompiledRules
from facedown.core.jit import JIT, native
from facedown.core.opened import Records
from facedown.core.records import address_of, array
from facedown.core.rules import Rule
from facedown.core.streams import mixed
from facedown.gdl import hidden_rules, open_rules
from facedown.gdl import layout as at
from facedown.gdl.checks import warn_of_no_goal
from facedown.gdl.ground import Limits, ground
from facedown.gdl.knowing import Knower, Known
from facedown.gdl.network import RuleNetwork, members, rule_network, words
from facedown.gdl.rules import glimpse
from facedown.gdl.scene import in_words
from facedown.gdl.show import Chosen, Seen, Show
from facedown.gdl.syntax import Description, Term
from facedown.gdl.wiring import BITS

GO = "go on"
"""The text of the move that makes a step in which chance has nothing to choose."""

_MOST_REMEMBERED = 100_000
_MOST_KNOWN = 1000
_MOST_RULES = 60_000
"""Conclusions are drawn in Python: by so many rules a step takes a second or so."""
_GLIMPSE = Rule("glimpse", 0, "int", ("address", "address", "int", "int", "address"))


class NetworkGame(CompiledGame):
    """A game by the rules of a description, grounded.

    Players are its roles without `random`, moves are numbered by the slots of the network.
    """

    best = "general"

    def __init__(
        self,
        description: Description,
        limits: Limits | None = None,
        network: RuleNetwork | None = None,
    ) -> None:
        self.description = description
        self.network = network = network or rule_network(description, limits)
        self.State = network.state
        self.players, self.bounds = network.players, network.bounds
        self.moves = len(network.slots) + 1
        owners = [slot[0] for slot in network.slots if slot is not None]
        self.most_moves = max([1, *(owners.count(role) for role in range(len(network.roles)))])
        self.source = description.source
        self.words: dict[tuple[int, int], str] = {}
        """What tokens stand for, by viewer and token, as far as they have been given to Python."""
        self.stories: dict[tuple[int, int], tuple[int, Chosen | Seen]] = {}
        """What led to what a player has observed, by player and key: the key before, and the last
        of it; as far as positions were played in Python."""
        self._knowledge: dict[tuple[int, int], tuple[Known, Term | None]] = {}
        self.show = Show(description, network.roles, self._known)
        self._numbers = {slot: k for k, slot in enumerate(network.slots) if slot is not None}
        self._bits = {bit: k for k, bit in enumerate(network.percepts) if bit is not None}

    def make_rules(self) -> CompiledRules:
        return NetworkRules(self)

    def context(self) -> np.ndarray[Any, Any]:
        return self.network.context()

    # --- numbers and terms ---------------------------------------------------------------------

    def move_number(self, role: str, move: Term) -> int:
        """The number of a role's move; SpecError where the rules never allow it."""
        known = self.network.roles
        number = self._numbers.get((known.index(role), move)) if role in known else None
        if number is None:
            raise SpecError(f"{self.source}: {role} can never do {move}")
        return number

    def percept_token(self, player: int, percepts: Iterable[Term], *, over: bool) -> int:
        """The token that `sees` gives a player who sees this of a step; `over`: it was the last.

        Not of an open game. SpecError where the rules never give such a percept.
        """
        first, end = self.network.sight_words[player : player + 2]
        flags = np.zeros(BITS * (end - first), bool)
        for percept in percepts:
            bit = self._bits.get((player, percept))
            if bit is None:
                role = self.network.roles[player]
                raise SpecError(f"{self.source}: {role} can never see {percept}")
            flags[bit - BITS * first] = True
        key = 1
        for word in words(flags, end - first):
            key = mixed(key, int(word))
        return mixed(key, int(over))

    def holding(self, record: Any) -> list[Term]:
        """The fluents that hold in a position; none in a view of a game that is not open."""
        return [self.network.fluents[k] for k in members(record["state"])]

    def percepts(self, player: int, seen: np.ndarray[Any, Any]) -> list[Term]:
        """The percepts of a player in the words of what it sees."""
        first = BITS * self.network.sight_words[player]
        bits = (self.network.percepts[first + k] for k in members(seen))
        return [bit[1] for bit in bits if bit is not None]

    def _known(self) -> tuple[list[Term], ...]:
        """What can hold, what holds first, what players can do, what they can see."""
        network, players = self.network, range(self.players)
        moves = [slot[1] for slot in network.slots if slot is not None and slot[0] in players]
        seen = [percept[1] for percept in network.percepts if percept is not None]
        return list(network.fluents), self._first, moves, seen

    @property
    def _first(self) -> list[Term]:
        network = self.network
        return [f for f, holds in zip(network.fluents, network.initial, strict=True) if holds]

    def story(self, view: Any, viewer: int) -> list[Chosen | Seen]:
        """What a player has done and seen, as far as it is remembered; in a game not open."""
        found: list[Chosen | Seen] = []
        key = int(view["chain"][viewer]) if viewer >= 0 and not self.network.open else 0
        while (viewer, key) in self.stories:
            key, last = self.stories[viewer, key]
            found.append(last)
        return found[::-1]

    def known(self, view: Any, viewer: int) -> Known | None:
        """What a player knows for certain by its story; None where that is not known whole."""
        story, key = self.story(view, viewer), int(view["chain"][viewer])
        steps = sum(isinstance(one, Seen) for one in story)
        if steps != int(view["clock"][at.STEP]) or self._knower is None:
            return None
        if (viewer, key) not in self._knowledge:
            if len(self._knowledge) >= _MOST_KNOWN:
                self._knowledge.clear()
            self._knowledge[viewer, key] = self._concluded(viewer, key)
        return self._knowledge[viewer, key][0]

    def _concluded(self, viewer: int, key: int) -> tuple[Known, Term | None]:
        """What a player knows under a key of its observations, and its choice that is pending."""
        assert self._knower is not None
        todo: list[Chosen | Seen] = []
        while (viewer, key) in self.stories and (viewer, key) not in self._knowledge:
            key, last = self.stories[viewer, key]
            todo.append(last)
        known, move = self._knowledge.get((viewer, key), (None, None))
        known = self._knower.first() if known is None else known
        for one in reversed(todo):
            if isinstance(one, Chosen):
                move = one.move
            else:
                role = self.network.roles[viewer]
                known, move = self._knower.after(known, role, move, one.percepts), None
        return known, move

    @cached_property
    def _knower(self) -> Knower | None:
        """Who draws conclusions; None where the rules are too many for it."""
        if self.network.ground_rules > _MOST_RULES:
            return None
        try:
            return Knower(ground(self.description))
        except SpecError:
            return None

    # --- words ---------------------------------------------------------------------------------

    def move_text(self, move: int) -> str:
        slot = self.network.slots[move] if move < len(self.network.slots) else None
        return GO if slot is None else str(slot[1])

    def move_words(self, move: int) -> str:
        """A move as people would say it."""
        slot = self.network.slots[move] if move < len(self.network.slots) else None
        return GO if slot is None else self.show.move_words(slot[1])

    def move_parts(self, view: Any, viewer: int, move: int) -> tuple[str, ...]:
        slot = self.network.slots[move] if move < len(self.network.slots) else None
        return () if slot is None else self.show.parts(slot[1])

    def joint_text(self, joint: Iterable[int]) -> str:
        """The moves of a joint move with their roles; those that are not known are left out."""
        named = zip(self.network.roles, joint, strict=True)
        return ", ".join(f"{role} does {self.move_text(move)}" for role, move in named if move >= 0)

    def observation_text(self, token: int, viewer: int) -> str:
        if 0 < token < self.moves:
            return f"you choose {self.move_text(token - 1)}"
        return self.words.get((viewer, token), f"token {token}")

    def view_text(self, view: Any, viewer: int) -> str:
        lines = [self._head(view, viewer)]
        if last := self.joint_text(view["last"]):
            lines.append(f"  before: {last}")
        if self._shown(view):
            lines += self.show.text(self.holding(view))
        elif viewer >= 0:
            lines += self.show.told_text(self.story(view, viewer), self.known(view, viewer))
        own = [move if r == viewer else -1 for r, move in enumerate(view["pending"].tolist())]
        if pending := self.joint_text(own):
            lines.append(f"  now: {pending}")
        return "\n".join(lines)

    def picture(self, view: Any, viewer: int) -> str:
        """The boards that the rules have, by their shape; a text where they have none."""
        head = self._head(view, viewer)
        if self._shown(view):
            return self.show.picture(head, self.holding(view), self._deeds(view))
        known = self.known(view, viewer) if viewer >= 0 else None
        return self.show.told_picture(head, self.story(view, viewer), known)

    def _deeds(self, view: Any) -> list[str]:
        """What was done before, a line for each role; the mere words of those who wait are not."""
        named = zip(self.network.roles, view["last"].tolist(), strict=True)
        told = [(role, self.move_words(move)) for role, move in named if move >= 0]
        lines = [f"{role}: {words}" for role, words in told if " " in words]
        return lines or [f"{role}: {words}" for role, words in told]

    def _head(self, view: Any, viewer: int) -> str:
        steps = int(view["clock"][at.STEP])
        role = f", you are {self.network.roles[viewer]}" if viewer >= 0 else ""
        over = ": the game is over" if int(view["clock"][at.ACTOR]) == OVER else ""
        return f"after {steps} step{'' if steps == 1 else 's'}{role}{over}"

    def _shown(self, view: Any) -> bool:
        """Whether a record has its facts: a view of an open game, and every true position."""
        return self.network.open or bool(np.any(view["state"]))

    def hidden_text(self, world: Any, viewer: int) -> str:
        return "" if self.network.open else " ".join(map(str, self.holding(world)))

    def hidden_facts(self, world: Any, viewer: int) -> tuple[str, ...]:
        return () if self.network.open else tuple(map(in_words, self.holding(world)))


@cache
def _glimpse() -> tuple[Any, Any]:
    """The rule `glimpse` for Python, and what must be kept for it."""
    if not JIT:
        return glimpse, None
    made = native(glimpse, _GLIMPSE.signature)
    return _GLIMPSE.prototype(made.address), made


class NetworkRules(CompiledRules):
    """The compiled rules of a GDL game, which note for people what the tokens stand for."""

    def __init__(self, definition: NetworkGame) -> None:
        module = open_rules if definition.network.open else hidden_rules
        super().__init__(definition, module, Records(at.Record, at.Head))
        self._definition = definition
        self._sees, self._pays = self.python["sees"], self.python["payoff"]
        self._applies = self.python["apply"]
        self.python["sees"], self.python["payoff"] = self._noted, self._paid
        if not definition.network.open:
            self.python["apply"] = self._retold
        self._lacking: set[int] = set()  # players who were told to have no goal at an end

    def copy(self, to: int, source: int) -> None:
        """Copy the bytes: unlike a search's worlds, a position keeps what players observe."""
        ctypes.memmove(to, source, self.size)

    def _paid(self, ctx: int, state: int, out: int) -> None:
        """Pay, and say once of a player that it has no goal: it gets 0, and no goal of it is 0."""
        self._pays(ctx, state, out)
        network = self._definition.network
        for player, paid in enumerate(array(out, network.players, np.float64).tolist()):
            if paid == 0.0 and player not in self._lacking and (player, 0) not in network.goals:
                self._lacking.add(player)
                warn_of_no_goal(self._definition.source, network.roles[player])

    def _noted(self, ctx: int, state: int, move: int, viewer: int) -> int:
        token = int(self._sees(ctx, state, move, viewer))
        known = self._definition.words
        if token > self._definition.moves and (viewer, token) not in known:
            if len(known) >= _MOST_REMEMBERED:
                known.clear()
            known[viewer, token] = self._words(ctx, state, move, viewer)
        return token

    def _words(self, ctx: int, state: int, move: int, viewer: int) -> str:
        """What a viewer sees of the step that a move makes."""
        game, network = self._definition, self._definition.network
        if network.open:
            joint = array(state, self.size, np.uint8).view(game.State)[0]["pending"].copy()
            slot = network.slots[move] if move < len(network.slots) else None
            if slot is not None:
                joint[slot[0]] = move
            return game.joint_text(joint)
        told, over = self._seen(state, move, 0 if viewer == PUBLIC else viewer)
        told = [] if viewer == PUBLIC else told
        text = f"you see {', '.join(map(str, told))}" if told else "a step is made"
        return f"{text}; the game is over" if over else text

    def _seen(self, state: int, move: int, player: int) -> tuple[list[Term], bool]:
        """What a player sees of the step that a move makes, and whether it is the last."""
        game = self._definition
        seen = np.zeros(len(game.network.percepts) // BITS + 1, np.uint64)
        over = _glimpse()[0](address_of(self.context), state, move, player, address_of(seen))
        return game.percepts(player, seen), bool(over)

    def _retold(self, ctx: int, state: int, move: int) -> None:
        """Apply a move, and note for people what it adds to the stories of those who see it."""
        game = self._definition
        record = array(state, self.size, np.uint8).view(game.State)[0]
        if int(record["clock"][at.QUIET]) or len(game.stories) >= _MOST_REMEMBERED:
            self._applies(ctx, state, move)
            return
        before, told = record["chain"].tolist(), list[Chosen | Seen | None]()
        for player in range(game.players):
            token = int(self._sees(ctx, state, move, player))
            slot = game.network.slots[move] if token <= game.moves else None
            chosen = None if slot is None else Chosen(slot[1])
            steps = token > game.moves
            told.append(Seen(tuple(self._seen(state, move, player)[0])) if steps else chosen)
        self._applies(ctx, state, move)
        for player, (key, last) in enumerate(zip(before, told, strict=True)):
            after = int(record["chain"][player])
            if last is not None and after != key:
                game.stories[player, after] = key, last
