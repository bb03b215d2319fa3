"""Games whose rules are compiled: a record for the position, small functions over it."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
from numba.core.errors import NumbaError

from facedown.core.errors import RuleError
from facedown.core.game import Game, Script
from facedown.core.jit import JIT, native
from facedown.core.learning import Traits
from facedown.core.lessons import Question
from facedown.core.opened import Frame, Records, open_records
from facedown.core.pictures import text_picture
from facedown.core.records import address_of, array, lined_up, to_text
from facedown.core.refused import refused
from facedown.core.rollout import rollout_of
from facedown.core.rules import REQUIRED, RULES, Rule, empty_table, ticket
from facedown.core.streams import Stream
from facedown.core.variants import declared


class CompiledGame:
    """Base class of a game with compiled rules.

    A subclass says what is fixed (`State`, `players`, ...) and how the game shows itself. The rules
    are functions with the contract's names (`start`, `turn`, `legal`, ...) in the module `rules`,
    or, where it names none, in the subclass's own module or its base's. Options are arguments of
    its constructor.

    A rule is handed records and arrays: `legal(s, moves)`, or `legal(v, s, moves)` in a game with a
    context.
    """

    State: np.dtype[Any]
    Memo: ClassVar[np.dtype[Any] | None] = None
    """The type of what a viewer's tokens have proven, kept by the rule `remember`."""
    rules: ClassVar[ModuleType | None] = None
    players: int
    moves: int
    most_moves: int
    bounds: tuple[float, float]
    horizon_bounds: tuple[float, float] | None = None
    worlds: int = 0
    secrets: int = 0
    most_plies: int = 10_000
    settings: ClassVar[dict[str, dict[str, Any]]] = {}
    """The options that agents should have in this game unless told otherwise, by agent."""
    variants: ClassVar[Mapping[str, Mapping[str, tuple[float, float]] | tuple[str, ...]]] = {}
    """Further functions of `rules` that can stand for an optional rule, by the rule's name: what
    the option of that name chooses from. Those of `horizon` come with bounds of their own:
    `{"playout": ("bold",), "horizon": {"winning": (-1.0, 1.0)}}`."""
    kind_names: ClassVar[tuple[str, ...]] = ()
    """What the kinds of moves are called (the rule `kind`), in the order of their numbers."""
    preferences: ClassVar[str] = ""
    """The file of preferences among those kinds that searches have unless told otherwise."""
    trait_names: ClassVar[Traits | None] = None
    """What the numbers are called that the rule `traits` tells of positions and moves."""
    move_network: ClassVar[str] = ""
    """The file of a network over them, for priors of moves; empty: none comes with the game."""
    best: ClassVar[str] = ""
    """The spec of the strongest agent that is known for this game: what `best` stands for."""

    lesson: ClassVar[str] = ""
    """The rules in words, for a person's first game; without them nothing is explained."""
    quiz: ClassVar[tuple[Question, ...]] = ()
    """Questions on the rules, asked after the lesson."""

    scripts: Mapping[str, Script] = {}
    """Rule-of-thumb players of the game by the names that agents have; a docstring says how."""

    sides: tuple[str, ...] = ()
    """The names of the sides that chance's first move puts the players on; () without sides."""

    def side(self, record: Any, player: int) -> int:
        """The place in `sides` of a player's side, from a true position after the first move."""
        raise RuleError(f"{type(self).__name__} has no sides", rule="side")

    def context(self) -> np.ndarray[Any, Any] | None:
        """What never changes in a match (variant, board, tables), public and read-only."""
        return None

    def make_rules(self) -> CompiledRules:
        """The rules, compiled; a game whose positions need more care has its own kind."""
        return CompiledRules(self)

    def move_text(self, move: int) -> str:
        """A move as people write it; the same in every position."""
        return str(move)

    def observation_text(self, token: int, viewer: int) -> str:
        """What a viewer has just seen, in words."""
        return f"token {token}"

    def view_text(self, view: Any, viewer: int) -> str:
        """A view for the terminal."""
        return to_text(view)

    def hidden_text(self, world: Any, viewer: int) -> str:
        """What a world holds that the viewer cannot see, in words; empty: nothing is told."""
        return ""

    def hidden_facts(self, world: Any, viewer: int) -> tuple[str, ...]:
        """The same, fact by fact, where one sentence would be different in nearly every world."""
        told = self.hidden_text(world, viewer)
        return (told,) if told else ()

    def picture(self, view: Any, viewer: int) -> str:
        """A view as SVG."""
        lines = self.view_text(view, viewer).splitlines() or [""]
        return text_picture(lines)

    def move_parts(self, view: Any, viewer: int, move: int) -> tuple[str, ...]:
        """The parts of the picture that make up a legal move of the viewer's, to be clicked."""
        return ()

    def scripted(self, view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
        """The move of the game's own rule-of-thumb player, from its view."""
        return stream.choice(legal)


class CompiledRules:
    """The compiled rules of one game, over the records of `definition` or others that are given."""

    def __init__(
        self,
        definition: CompiledGame,
        module: ModuleType | None = None,
        records: Records | None = None,
    ) -> None:
        module = module or definition.rules or _module_of(type(definition))
        functions = {name: getattr(module, name) for name in RULES if hasattr(module, name)}
        _check_complete(type(definition).__name__, functions, definition.Memo is not None)
        self.table = empty_table()
        self.alarm = np.zeros(1, np.int64)
        self.size = definition.State.itemsize
        self.memo_size = 0 if definition.Memo is None else definition.Memo.itemsize
        self._set_up(definition)
        kind = None if self.context is None else self.context.dtype
        self._records = records or Records(definition.State, kind, definition.Memo)
        self.python: dict[str, Callable[..., Any]] = {}
        self.variants: dict[str, int] = {}
        own = type(definition).scripted is not CompiledGame.scripted
        self.scripted: Script | None = definition.scripted if own else None
        self.scripts: dict[str, Script] = dict(definition.scripts)
        self._kept: list[Any] = []
        self.functions, self._rollout = functions, 0  # as the game's author wrote them
        self._opened: dict[str, Callable[..., Any]] = {}
        for name, function in functions.items():
            self.table[RULES[name].slot] = self._add(name, RULES[name], function)
        for (rule, name), function in declared(definition, partial(_of, module)).items():
            key = f"{rule}:{name}"
            self.variants[key] = self._add(key, RULES[rule], function)

    def _set_up(self, definition: CompiledGame) -> None:
        """The context and the frame, which rules are handed the address of."""
        self.context = definition.context()
        if self.context is not None:
            self.context.setflags(write=False)
        self._nothing = lined_up(max(self.memo_size, 1), np.uint8)
        place = 0 if self.context is None else address_of(self.context)
        self._frame = lined_up(1, Frame)
        self._frame[0] = (
            place,
            address_of(self._nothing),
            definition.most_moves,
            definition.players,
        )
        self.ctx = address_of(self._frame)

    def _add(self, key: str, rule: Rule, function: Callable[..., Any]) -> int:
        """Have a function serve as a rule, for Python under `key`; its address."""
        opened = open_records(function, rule, self._records)
        self._opened[key] = opened
        if not JIT:
            self.python[key] = opened
            return ticket(opened)
        try:
            compiled = native(opened, rule.signature)
        except NumbaError as error:
            raise refused(error, key, function) from error
        self._kept.append(compiled)
        self.python[key] = rule.prototype(compiled.address)
        return int(compiled.address)

    def rollout(self) -> int:
        """The address of the game's rollout, compiled when first asked for; 0 without the JIT."""
        if JIT and not self._rollout:
            compiled = rollout_of(self.functions, self._opened)
            self._kept.append(compiled)
            self._rollout = int(compiled.address)
        return self._rollout

    def copy(self, to: int, source: int) -> None:
        """Copy the bytes, or as the game says."""
        if "copy" in self.python:
            self.python["copy"](self.ctx, to, source)
        else:
            ctypes.memmove(to, source, self.size)

    def memo(self, address: int) -> Any:
        """The record of the memo at `address`."""
        return array(address, self.memo_size, np.uint8).view(self._records.memo)[0].copy()

    def release(self, address: int) -> None:
        """A record needs no releasing."""

    def digest(self, address: int) -> bytes:
        """The record's bytes."""
        return ctypes.string_at(address, self.size)

    def ordered(self, moves: Sequence[int]) -> list[int]:
        """By their numbers, which mean the same in every position."""
        return sorted(moves)

    def raise_alarm(self) -> None:
        """Compiled rules raise nothing."""


def _module_of(kind: type) -> ModuleType:
    """The module with the rules of a class that names none: its own, or else that of a base."""
    modules = [sys.modules[base.__module__] for base in kind.__mro__]
    with_rules = (one for one in modules if all(hasattr(one, rule) for rule in REQUIRED))
    return next(with_rules, modules[0])


def _of(module: ModuleType, name: str) -> Any:
    """A function of a module by its name; None where it has none."""
    return getattr(module, name, None)


def _check_complete(name: str, functions: Mapping[str, Any], memo: bool) -> None:
    """That a game has the rules that it must, and those that belong together."""
    missing = [rule for rule in REQUIRED if rule not in functions]
    if missing:
        raise RuleError(f"{name} has no rule {', '.join(missing)}")
    if memo != ("remember" in functions):
        what = f"{name}: `Memo`, the type of a memo, and the rule `remember` go together"
        raise RuleError(what, rule="remember")


def build(definition: CompiledGame, spec: str) -> Game:
    """The game that a definition with compiled rules describes."""
    return Game(
        spec,
        definition,
        definition.make_rules(),
        definition,
        players=definition.players,
        moves=definition.moves,
        most_moves=definition.most_moves,
        most_plies=definition.most_plies,
        bounds=definition.bounds,
        horizon_bounds=definition.horizon_bounds,
        worlds=definition.worlds,
        secrets=definition.secrets,
    )
