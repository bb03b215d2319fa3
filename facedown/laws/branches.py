"""What rules ask themselves on the way: which conditions were met, of rules in Python's own code.

A fault that is rare sits behind a condition that is rarely true. So the rules' source is read, and
every condition in it, every side of an `and` and an `or`, every comparison, is given a number.
While they are *watched*, rules note which numbers came out true and which false, and of comparisons
how near the two sides were: who looks for rare positions can follow that like a scent. Functions
keep their meaning: the noting code stands in for theirs only within `watching`.
"""

from __future__ import annotations

import ast
import inspect
import operator
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from facedown.core import Game

_ASKED, _COMPARED = "__facedown_asked__", "__facedown_compared__"
_ROOM = 16  # numbers of one condition: false, true, and how near its sides were
_NEAR = 13  # the most that is told of nearness
_MOST_ITEMS = 40  # of things that are compared item by item

_HOW = {"Eq": operator.eq, "NotEq": operator.ne, "Lt": operator.lt}
_HOW |= {"LtE": operator.le, "Gt": operator.gt, "GtE": operator.ge}

Met = set[int]


class Branches:
    """The conditions of a game's rules; `met` holds what has come out since it was cleared."""

    def __init__(self, game: Game) -> None:
        self.met: Met = set()
        self._conditions = 0
        self._files: dict[str, dict[tuple[str, int], CodeType]] = {}
        self._swapped: list[tuple[FunctionType, CodeType, CodeType]] = []
        if not game.compiled:
            for function in _functions(game.definition):
                self._prepare(function)

    @property
    def any(self) -> bool:
        """Whether there is anything to watch."""
        return bool(self._swapped)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Within this, rules note what they ask."""
        try:
            for function, _, noting in self._swapped:
                function.__code__ = noting
            yield
        finally:
            for function, own, _ in self._swapped:
                function.__code__ = own

    def _prepare(self, function: FunctionType) -> None:
        noting = self.noting(function)
        if noting is not None:
            function.__globals__.update(self.calls)
            self._swapped.append((function, function.__code__, noting))

    @property
    def calls(self) -> dict[str, Any]:
        """What noting code calls, by the names that it has for them."""
        return {_ASKED: self._asked, _COMPARED: self._compared}

    def noting(self, function: FunctionType) -> CodeType | None:
        """The code of a function that notes; None where its source is not to be had."""
        code = function.__code__
        found = self._noting(code.co_filename).get((code.co_qualname, code.co_firstlineno))
        if found is None or found.co_freevars != code.co_freevars:
            return None  # made by a program, or the file has changed since
        return found

    def _noting(self, file: str) -> dict[tuple[str, int], CodeType]:
        """The noting code of all functions of a file, by name and line."""
        if file not in self._files:
            self._files[file] = {}
            try:
                with open(file, encoding="utf-8") as source:
                    tree = ast.parse(source.read(), file)
                tree = ast.fix_missing_locations(_Noting(self._number).visit(tree))
                whole = compile(tree, file, "exec", dont_inherit=True)
            except (OSError, SyntaxError, ValueError, RecursionError):
                return {}
            self._files[file] = {(c.co_qualname, c.co_firstlineno): c for c in _codes(whole)}
        return self._files[file]

    def _number(self) -> int:
        self._conditions += 1
        return self._conditions * _ROOM

    # --- what the noting code calls ------------------------------------------------------------

    def _asked(self, number: int, value: Any) -> Any:
        self.met.add(number + 1 if value else number)
        return value

    def _compared(self, number: int, how: str, one: Any, other: Any) -> Any:
        value = _HOW[how](one, other)
        if value.__class__ is not bool and value.__class__ is not np.bool_:
            return value  # an array of them, say
        self.met.add(number + 1 if value else number)
        if isinstance(one, _WHOLE) and isinstance(other, _WHOLE):
            self.met.add(number + 2 + min(_NEAR, abs(int(one) - int(other)).bit_length()))
        elif one.__class__ in _HELD and one.__class__ is other.__class__:
            self.met.add(number + 2 + _apart(one, other))
        return value


_WHOLE = (int, np.integer)
_HELD = (list, tuple, dict, set, frozenset)


def _apart(one: Any, other: Any) -> int:
    """In how many items two containers of a kind differ."""
    most = max(len(one), len(other))
    if most > _MOST_ITEMS:
        return _NEAR
    if isinstance(one, (list, tuple)):
        alike = sum(a == b for a, b in zip(one, other, strict=False))
    elif isinstance(one, dict):
        alike = sum(key in other and other[key] == value for key, value in one.items())
    else:
        alike = len(one & other)
    return int(min(_NEAR, most - alike))


def _functions(definition: Any) -> list[FunctionType]:
    """The functions that rules of an object may be made of: its classes', and of their modules."""
    kinds = [kind for kind in type(definition).__mro__ if readable(kind.__module__)]
    modules = dict.fromkeys(sys.modules[kind.__module__] for kind in kinds)
    for module in list(modules):
        for value in vars(module).values():
            if isinstance(value, ModuleType) and readable(value.__name__):
                modules[value] = None
    classes = [
        value
        for module in modules
        for value in vars(module).values()
        if inspect.isclass(value) and readable(value.__module__)
    ]
    owners = (*map(vars, dict.fromkeys((*kinds, *classes))), *map(vars, modules))
    found = (_unwrapped(value) for owner in owners for value in owner.values())
    return list(
        dict.fromkeys(f for f in found if isinstance(f, FunctionType) and readable(f.__module__))
    )


def readable(module: str) -> bool:
    """Whether a module may hold rules: Python's own, and the house's tools, do not."""
    if module.startswith("facedown.games."):
        return True
    top = module.partition(".")[0]
    return module in sys.modules and top not in {*sys.stdlib_module_names, "facedown", "numpy"}


def _unwrapped(value: Any) -> Any:
    if isinstance(value, property):
        return value.fget
    return value.__func__ if isinstance(value, (staticmethod, classmethod)) else value


def _codes(code: CodeType) -> Iterator[CodeType]:
    """All code within, of functions and what lies in them."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


class _Noting(ast.NodeTransformer):
    """Puts a call around every condition, which hands its value on."""

    def __init__(self, number: Callable[[], int]) -> None:
        self._number = number

    def _asked(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in (_ASKED, _COMPARED):
            return node  # it is noted already
        return _call(node, _ASKED, ast.Constant(self._number()), node)

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        node.test = self._asked(node.test)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        self.generic_visit(node)
        node.test = self._asked(node.test)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        node.test = self._asked(node.test)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        node.values = [self._asked(value) for value in node.values]
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.ifs = [self._asked(test) for test in node.ifs]
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        how = type(node.ops[0]).__name__
        if len(node.ops) > 1:
            return node
        if how not in _HOW:
            return self._asked(node)
        number, given = ast.Constant(self._number()), ast.Constant(how)
        return _call(node, _COMPARED, number, given, node.left, node.comparators[0])


def _call(node: ast.expr, name: str, *given: ast.expr) -> ast.expr:
    call = ast.Call(ast.Name(name, ast.Load()), list(given), [])
    return ast.copy_location(call, node)
