"""Rules of a stranger's, tried in a process of its own before anybody plays by them.

As a module it is that process: it reads the rules from standard input and answers with one JSON
object, `{"roles": [...], "states": N}` or `{"error": words}`. It may use so much CPU time and
memory and no more, it can open no file for writing, and nothing of it is unpickled.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import threading
from typing import Any

from facedown.core.errors import FacedownError, SpecError
from facedown.core.jit import PACKAGE
from facedown.core.machine import as_program
from facedown.gdl.checks import checked
from facedown.gdl.errors import LimitError
from facedown.gdl.ground import Limits, ground
from facedown.gdl.network import RuleNetwork
from facedown.gdl.reader import read
from facedown.shown import one_line

MOST_BYTES = 200_000
LIMITS = Limits(seconds=10.0, rules=300_000, depth=20, megabytes=2_000)
"""What building the network of such rules may take."""
_SECONDS, _MEGABYTES = 20, 3_000  # CPU time and memory of the whole process
_PATIENCE = 90.0  # seconds on a busy machine
_GAMES, _STEPS = 3, 3_000
_one_at_a_time = threading.Lock()


def tried(rules: bytes, name: str) -> dict[str, Any]:
    """What the process found; SpecError where the rules cannot be played within the limits."""
    if len(rules) > MOST_BYTES:
        raise SpecError(f"{name} has {len(rules):,} bytes; {MOST_BYTES:,} are allowed")
    path = os.pathsep.join(filter(None, [str(PACKAGE.parent), os.environ.get("PYTHONPATH")]))
    with _one_at_a_time:
        try:
            done = subprocess.run(
                as_program("facedown.gdl.stranger", name),
                input=rules, capture_output=True, timeout=_PATIENCE, check=False,
                env={**os.environ, "PYTHONPATH": path},
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise SpecError(f"{name} was not tried out within {_PATIENCE:g} s") from None
    if done.returncode != 0:
        raise SpecError(f"{name} takes more than {_SECONDS} s of CPU time or {_MEGABYTES:,} MB")
    found: dict[str, Any] = json.loads(done.stdout)
    if "error" in found:
        raise SpecError(str(found["error"]))
    return found


def _bounded() -> None:
    """Have the system end this process where it takes more."""
    room = _MEGABYTES << 20
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # writing then fails, and nothing ends
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _answer(rules: bytes, name: str) -> dict[str, Any]:
    from facedown.gdl.play import random_games

    try:
        description = checked(read(rules.decode("utf-8-sig"), name))
        network = RuleNetwork(description, LIMITS, ground(description, LIMITS, here=True))
        played = random_games(network, _GAMES, 1, most=_STEPS)
    except UnicodeDecodeError:
        return {"error": f"{name} is no text in UTF-8"}
    except LimitError as error:
        return {"error": f"too large to be played here: {one_line(str(error))}"}
    except FacedownError as error:
        return {"error": one_line(str(error))}
    except (MemoryError, RecursionError):
        return {"error": f"{name} takes too much memory"}
    if played.games < _GAMES:
        return {"error": f"{name}: a random game did not end within {_STEPS:,} steps"}
    return {"roles": [str(role) for role in network.roles], "states": played.states}


def main() -> int:
    """Answer one request."""
    _bounded()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what is printed on the way
    rules = sys.stdin.buffer.read(MOST_BYTES + 1)
    with answers:
        json.dump(_answer(rules, sys.argv[1]), answers)
    return 0


if __name__ == "__main__":
    sys.exit(main())
