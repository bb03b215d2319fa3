"""Rules over opened records: from what a game's author writes to what compiled code calls.

Compiled code hands rules addresses. A rule is written over what lies there: the position as a
record, buffers as arrays of the right length, before them the context where the game has one, after
the position the memo where the game keeps one (`remember`). Between them stands a function of two
lines, made for each rule (`core.made`), that opens what lies at the addresses. Compiled together
with the rule it costs nothing.

The `ctx` that is handed on is the address of a *frame*: where the context lies, a memo of nothing,
and how long buffers are, so that games that differ only in such numbers share their compiled rules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from facedown.core.errors import RuleError
from facedown.core.jit import jit
from facedown.core.made import make, plain
from facedown.core.records import array, view
from facedown.core.rules import Argument, Rule

Frame = np.dtype(
    [
        ("context", np.int64),  # the address of what never changes in a match
        ("nothing", np.int64),  # of a memo of nothing, for whoever has none to hand
        ("most", np.int64),  # legal moves at once
        ("players", np.int64),
    ]
)


@dataclass(frozen=True)
class Records:
    """The types of the records of a game; None where it has no context, or keeps no memo."""

    state: np.dtype[Any]
    context: np.dtype[Any] | None = None
    memo: np.dtype[Any] | None = None

    def takes(self, rule: Rule) -> tuple[Argument, ...]:
        """What a function that serves as the rule takes in a game with these records."""
        lengths = {argument.length for argument in rule.arguments}
        return tuple(
            one for one in rule.arguments if one.name not in lengths and self._has(rule, one)
        )

    def _has(self, rule: Rule, argument: Argument) -> bool:
        if argument.opens == "context":
            return self.context is not None
        return argument.opens != "memo" or self.memo is not None


def open_records(function: Callable[..., Any], rule: Rule, records: Records) -> FunctionType:
    """`function`, a rule over opened records, as one over addresses, not compiled yet.

    RuleError tells of a function that takes something else.
    """
    wanted = records.takes(rule)
    _check(function, rule, [argument.name for argument in wanted])
    names = {"view": view, "array": array, "np": np, "Frame": Frame, "rule": _compiled(function)}
    names |= {"State": records.state, "Context": records.context, "Memo": records.memo}
    code = _template(rule, wanted)
    return make(code, rule.name, names, of=function)


def _compiled(function: Any) -> Any:
    return function if hasattr(function, "py_func") else jit(function)


def _check(function: Callable[..., Any], rule: Rule, wanted: list[str]) -> None:
    """That the arguments are as they should be; the context may have any name."""
    code = plain(function).__code__
    given = list(code.co_varnames[: code.co_argcount])
    named = given[1:] if wanted[:1] == ["ctx"] else given
    odd = code.co_flags & 0x0C or code.co_kwonlyargcount  # *args, **kwargs
    if odd or len(given) != len(wanted) or named != [name for name in wanted if name != "ctx"]:
        asked = f"{plain(function).__name__}({', '.join(given)})"
        right = f"{rule.name}({', '.join('context' if n == 'ctx' else n for n in wanted)})"
        place = f"{code.co_filename}:{code.co_firstlineno}"
        raise RuleError(f"rule {asked}: {right} is wanted ({place})", rule=rule.name)


@cache
def _template(rule: Rule, wanted: tuple[Argument, ...]) -> CodeType:
    """The code of the function between: it opens what the rule wants and calls it."""
    given = ", ".join(argument.name for argument in rule.arguments)
    opened = ", ".join(map(_opening, wanted))
    frame = "frame = view(ctx, Frame)\n    " if "frame[" in opened else ""
    source = f"def {rule.name}({given}):\n    {frame}return rule({opened})\n"
    module = compile(source, "<opened>", "exec")
    return next(one for one in module.co_consts if isinstance(one, CodeType))


def _opening(argument: Argument) -> str:
    """The text that opens an argument."""
    name, opens = argument.name, argument.opens
    if not opens:
        return name
    if opens == "context":
        return 'view(frame["context"], Context)'
    if opens == "memo":
        return f'view({name} if {name} != 0 else frame["nothing"], Memo)'
    if opens == "state":
        return f"view({name}, State)"
    length = argument.length.replace("players", 'frame["players"]').replace("most", 'frame["most"]')
    return f"array({name}, {length}, np.{opens})"
