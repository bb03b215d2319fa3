"""Compiled rules, asked once more as plain Python, so that they note what they ask themselves.

A compiled rule cannot be watched. But its author wrote it in Python, over records: the same
function, with noting code (`laws.branches`) in place of its own and of its helpers', is asked on a
copy of the position. Nothing is judged by its answers.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from facedown.core import Game, Position, Stream
from facedown.laws.branches import Branches, readable
from facedown.laws.clock import now

_MOST_ERRORS = 3
_SLOW_SHARE = 0.25  # of the time of all rules, for one that takes long: `determinize`, as a rule


class Shadow:
    """The rules of a compiled game as functions that note; one that raises is asked no more."""

    def __init__(self, game: Game, branches: Branches) -> None:
        self.game, self._branches = game, branches
        self._made: dict[int, Any] = {}
        self._scopes: dict[int, dict[str, Any]] = {}
        self._errors: dict[str, int] = {}
        self._spent: dict[str, float] = {}
        self.seconds = 0.0  # that all of them took
        functions: dict[str, Any] = getattr(game.rules, "functions", {})
        wanted = ("turn", "legal", "apply", "sees", "payoff", "hide", "determinize")
        found = {name: self._noting(functions[name]) for name in wanted if name in functions}
        self.rules = {name: rule for name, rule in found.items() if rule is not None}
        context = getattr(game.rules, "context", None)
        self._first = () if context is None else (context.reshape(-1)[0],)
        self._place, self._moves = game.start(), np.zeros(game.most_moves, np.int32)
        self._pay, self._stream = np.zeros(game.players), Stream(1)

    def look(self, position: Position, viewer: int) -> None:
        """Ask what is asked at a position for a viewer; of the first one, what is asked once."""
        if viewer == 0:
            self._ask("turn", position.record)
            if position.over:
                self._ask("payoff", position.record, self._pay)
            else:
                self._ask("legal", position.record, self._moves)
        self._ask("hide", self._copied(position), viewer)

    def move(self, position: Position, move: int, viewer: int) -> None:
        """Ask what a viewer sees of a move; for the first one, what becomes of it."""
        self._ask("sees", position.record, move, viewer)
        if viewer == 0:
            self._ask("apply", self._copied(position), move)

    def world(self, position: Position, viewer: int) -> None:
        """Draw a world, in a game that keeps no memos."""
        if self._spent.get("determinize", 0.0) > _SLOW_SHARE * self.seconds:
            return
        record, rules = self._copied(position), self.game.rules
        rules.python["hide"](rules.ctx, self._place.address, viewer)
        self._ask("determinize", record, viewer, self._stream.address)

    def _copied(self, position: Position) -> Any:
        self.game.rules.copy(self._place.address, position.address)
        return self._place.record

    def _ask(self, name: str, *given: Any) -> None:
        rule = self.rules.get(name)
        if rule is None:
            return
        began = now()
        try:
            with np.errstate(all="ignore"):
                rule(*self._first, *given)
        except Exception:  # as Python it may not run: of types that only compiled code mixes
            self._errors[name] = self._errors.get(name, 0) + 1
            if self._errors[name] >= _MOST_ERRORS:
                del self.rules[name]
        took = now() - began
        self._spent[name] = self._spent.get(name, 0.0) + took
        self.seconds += took

    def _noting(self, function: Any) -> Any:
        """A function, compiled or not, that notes; None where its source is not to be had."""
        plain = getattr(function, "py_func", function)
        if not isinstance(plain, FunctionType) or not readable(plain.__module__):
            return None
        if id(plain) not in self._made:
            self._made[id(plain)] = None
            code = self._branches.noting(plain)
            if code is not None:
                scope = self._scope(plain.__globals__)
                made = FunctionType(
                    code, scope, plain.__name__, plain.__defaults__, plain.__closure__
                )
                self._made[id(plain)] = made
        return self._made[id(plain)]

    def _scope(self, names: dict[str, Any]) -> dict[str, Any]:
        """The names that a function finds, with helpers that note for those that are compiled."""
        if id(names) not in self._scopes:
            scope = self._scopes[id(names)] = {**names, **self._branches.calls}
            for name, value in names.items():
                plain = getattr(value, "py_func", None)
                if plain is not None:
                    scope[name] = self._noting(value) or value
        return self._scopes[id(names)]
