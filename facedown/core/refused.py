"""Why Numba cannot compile a rule, in one line: the rule, the line, the way out."""

from __future__ import annotations

import linecache
import os
import re
from collections.abc import Callable
from typing import Any

from facedown.core.errors import RuleError
from facedown.shown import clipped

_PLACE = re.compile(r'File "([^"]+)", line (\d+)|at (\S+\.py) \((\d+)\)')
_NOISE = ("Failed in ", "During: ", "There are ", "- Of which", "Overload of", "File ", "<source")

HINTS = (
    (r"Field '(\w+)' was not found in record", "the State has no field '{0}'"),
    (r"Unknown attribute '(\w+)' of type Record", "the State has no field '{0}'"),
    (
        r"Untyped global name '(\w+)'",
        "compiled rules can use numbers, tuples and arrays of other names, and functions that are "
        "decorated with facedown.jit: {0} is none of these",
    ),
    (r"name '(\w+)' is not defined", "{0} is not defined in the rules' file"),
    (
        r"Cannot unify (.+?) and (.+?) for '([\w.]+)'",
        "{2} is {0} here and {1} there: have it be one",
    ),
    (r"Can't unify return type", "a rule gives one type at all its ends: int(...), or a float"),
    (
        r"reflected list|Use of reflected",
        "lists are not for rules: fill the array that is handed in",
    ),
    (
        r"[Uu]nsupported|not supported|opcode",
        "this is not to be had in compiled code: write it in loops",
    ),
)
"""What the compiler's words mean, and what to change."""

_OPENED = 3  # lines of what opens the records for a rule, which goes by the rule's file

USUAL = "NUMBA_DISABLE_JIT=1 runs the rules as plain Python, for a debugger"


def refused(error: Exception, rule: str, function: Callable[..., Any]) -> RuleError:
    """The error of a rule that cannot be compiled."""
    code = getattr(function, "py_func", function).__code__
    file, line = _place(str(error), code.co_filename, code.co_firstlineno)
    source = linecache.getline(file, line).strip()
    where = f"{file}:{line}" + (f": {clipped(source, 100)}" if source else "")
    what = f"rule {rule!r} cannot be compiled ({where}): {_words(str(error))}"
    return RuleError(f"{what}; {_hint(str(error))}", rule=rule)


def _place(text: str, file: str, first: int) -> tuple[str, int]:
    """The innermost line of the rule's own file that the error names; else where the rule is."""
    if found := re.search(r"name '(\w+)'", text):  # of names no line is told
        for line in range(first, len(linecache.getlines(file)) + 1):
            if re.search(rf"\b{found[1]}\b", linecache.getline(file, line)):
                return file, line
    for one, line, other, number in _PLACE.findall(text):
        inside = int(line or number) > _OPENED or first <= _OPENED
        if inside and os.path.basename(one or other) == os.path.basename(file):
            return file, int(line or number)
    return file, first


def _words(text: str) -> str:
    """What is wrong, in the compiler's own words."""
    lines = [line.strip() for line in text.splitlines()]
    told = [line for line in lines if line and not line.startswith(_NOISE)]
    if not told:
        return "Numba does not say why"
    words = told[0]
    if words.startswith("No implementation of function") and len(told) > 1:
        called = told[1].removeprefix(">>> ")
        return f"there is no {clipped(called, 160)} for these types"
    return clipped(words, 200)


def _hint(text: str) -> str:
    for pattern, words in HINTS:
        if found := re.search(pattern, text):
            return words.format(*found.groups())
    return USUAL
