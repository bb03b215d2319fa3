"""The process of `building`: rule networks, one after another, each within limits.

It reads pickled `(description, limits)` and writes a pickled answer to each: `("network", it)`, or
`("limit", words)`, or `("error", words)`. All is imported before the first request comes. Where CPU
time or memory run out the system ends it.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import resource
import signal
import sys
from typing import Any, BinaryIO

from facedown.core.errors import SpecError
from facedown.gdl.errors import LimitError
from facedown.gdl.ground import Limits, ground
from facedown.gdl.network import RuleNetwork
from facedown.gdl.syntax import Description


def _answer(description: Description, limits: Limits) -> tuple[str, Any]:
    try:
        found = ground(description, limits, here=True)
        return "network", RuleNetwork(description, limits, found)
    except LimitError as error:
        return "limit", str(error)
    except SpecError as error:
        return "error", str(error)
    except MemoryError:
        words = f"more than {limits.megabytes:,} MB of memory"
        return "limit", f"{description.source}: no rule network: {words}"


def _bounded(limits: Limits) -> None:
    """Have the system end this process where it takes more from now on."""
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    room = limits.megabytes << 20
    resource.setrlimit(resource.RLIMIT_AS, (room if most < 0 else min(room, most), most))
    signal.setitimer(signal.ITIMER_PROF, limits.seconds)


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer until there are no more requests."""
    while True:
        try:
            description, limits = pickle.load(requests)
        except EOFError:
            return
        _bounded(limits)
        told = _answer(description, limits)
        signal.setitimer(signal.ITIMER_PROF, 0)
        pickle.dump(told, answers, protocol=5)
        answers.flush()


def main() -> int:
    """Serve by standard input and output; what is printed on the way goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with contextlib.suppress(ImportError):
        import clingo  # noqa: F401  # it takes its time
    serve(sys.stdin.buffer, answers)
    return 0


if __name__ == "__main__":
    sys.exit(main())
