"""The child process of `ground`: one pass of clingo over a program, within limits.

It reads a pickled `(program, limits)` and writes a pickled answer: `("ground", rules, atoms)`, or
`("limit", words)`, or `("error", words)`. It imports nothing heavy, for it is started anew for
every rule file: a grounding that does not end can only be stopped from outside.
"""

from __future__ import annotations

import pickle
import resource
import signal
import sys
from typing import Any

SIGNATURES = {
    "role": 1,
    "init": 1,
    "true": 1,
    "next": 1,
    "does": 2,
    "legal": 2,
    "goal": 2,
    "terminal": 0,
    "sees": 2,
}
"""The relations whose atoms are told, with their numbers of arguments."""

Answer = tuple[Any, ...]


class LimitReachedError(Exception):
    """More rules than allowed."""


def _bounded(megabytes: int, seconds: float) -> None:
    """Have the system stop this process if nobody else does."""
    room = megabytes << 20
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    signal.setitimer(signal.ITIMER_PROF, seconds)  # CPU time; nothing handles its signal


def _told(symbol: Any) -> Any:
    """A term as plain data: a constant's number, or the number of a function and its arguments."""
    if (arguments := _arguments(symbol)) is None:
        return symbol.number
    return (int(symbol.name[1:]), *map(_told, arguments))


def _arguments(symbol: Any) -> Any:
    """The arguments of a function's term; None where the term is a constant."""
    from clingo import SymbolType

    return symbol.arguments if symbol.type == SymbolType.Function else None


def _depth(symbol: Any) -> int:
    arguments = _arguments(symbol)
    return 1 + max(map(_depth, arguments)) if arguments else 0


class _Depth:
    """What the program asks of a term: whether it nests too deep to go on from."""

    def __init__(self, most: int) -> None:
        self.most, self.exceeded = most, False

    def shallow(self, term: Any) -> list[Any]:
        from clingo import Number

        if _depth(term) <= self.most:
            return [Number(1)]
        self.exceeded = True
        return []


def _grounded(program: str, limits: dict[str, Any]) -> Answer:
    from clingo import Control, Observer

    rules: dict[int, set[tuple[int, ...]]] = {}

    class Listener(Observer):  # type: ignore[misc]  # clingo is taken as untyped
        """Keeps the rules; choices say only that something may be so."""

        heard = 0

        def rule(self, choice: bool, head: Any, body: Any) -> None:
            self.heard += 1
            if self.heard > limits["rules"]:
                raise LimitReachedError
            if not choice and len(head) == 1:
                rules.setdefault(head[0], set()).add(tuple(body))

    control, depth = Control(["--warn=none"]), _Depth(limits["depth"])
    control.register_observer(Listener())
    control.add("base", [], program)
    control.ground([("base", [])], context=depth)
    if depth.exceeded:
        return "limit", f"terms nest more than {limits['depth']} deep"
    atoms = {
        name: [
            (tuple(map(_told, atom.symbol.arguments)), 0 if atom.is_fact else atom.literal)
            for atom in control.symbolic_atoms.by_signature(name, arity)
        ]
        for name, arity in SIGNATURES.items()
    }
    return "ground", {head: list(bodies) for head, bodies in rules.items()}, atoms


def answer(program: str, limits: dict[str, Any]) -> Answer:
    """Ground the program; limits and errors come as words."""
    try:
        return _grounded(program, limits)
    except ImportError:
        return "error", "clingo is not installed; pip install 'facedown[gdl]'"
    except LimitReachedError:
        return "limit", f"more than {limits['rules']:,} ground rules"
    except MemoryError:
        return "limit", f"more than {limits['megabytes']:,} MB of memory"
    except RuntimeError as error:
        if "bad_alloc" in str(error):
            return "limit", f"more than {limits['megabytes']:,} MB of memory"
        return "error", " ".join(str(error).split())


def main() -> int:
    """Answer one request."""
    program, limits = pickle.load(sys.stdin.buffer)
    _bounded(limits["megabytes"], limits["seconds"])
    told = answer(program, limits)
    sys.stdout.buffer.write(pickle.dumps(told, protocol=5))
    return 0


if __name__ == "__main__":
    sys.exit(main())
