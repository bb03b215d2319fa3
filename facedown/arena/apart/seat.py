"""An agent apart, as the match sees it: one like any other, that is told and asked in lines."""

from __future__ import annotations

import base64
import contextlib
import math
import os
import shlex
import shutil
import signal
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any

from facedown.arena.apart import linux
from facedown.arena.apart.hosts import POSSIBLE, Host, host_of
from facedown.arena.apart.jail import COUNTED, REFUSED, WALLS, Cell
from facedown.arena.apart.limits import LONGEST, Limits
from facedown.arena.apart.lines import GoneError, LateError, Line, LineError
from facedown.arena.apart.values import packed
from facedown.arena.guarded import SETUP_SECONDS, Closing, FaultError
from facedown.core import Game, Position, SpecError
from facedown.core.jit import cache_root
from facedown.core.plain import PlainRules
from facedown.core.specs import PROGRAM, Spec, parse
from facedown.shown import one_line

PROTOCOL = 1
"""The version of what passes between a match and an agent."""

_SHORTLY = 0.25  # seconds for the server to say how an agent has ended
_LONGEST = 400  # characters of a reason
_SLOWEST = 1e9  # seconds, beyond any pace


@dataclass(frozen=True)
class Cells:
    """How agents are put apart in a match: what they may use, and files that they must not see."""

    limits: Limits = field(default_factory=Limits)
    hidden: tuple[str, ...] = ()
    walls: tuple[str, ...] = WALLS

    def cell(self, folders: Sequence[str]) -> Cell:
        """The cell of an agent that is made of what is in these folders."""
        return Cell(tuple(folders), self.hidden, str(cache_root()), self.limits, self.walls)


@dataclass(frozen=True)
class Isolation:
    """Which agents of a match play apart, and what keeps them in on this system.

    Those that are wanted to (`isolate`), or else those from files, where that is possible; programs
    always do. What is
    `enforced` keeps them in; what is `missing` the system did not give.
    """

    isolate: bool | None = None
    cells: Cells = field(default_factory=Cells)
    enforced: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    def apart(self, spec: str) -> bool:
        """Whether an agent plays apart.

        >>> Isolation().apart("so-ismcts"), Isolation().apart("mine.py:Mine")
        (False, True)
        """
        parsed = parse(spec)
        if parsed.name == PROGRAM and parsed.file is None:
            return True
        return parsed.file is not None and POSSIBLE if self.isolate is None else self.isolate

    def checked(self, specs: Iterable[str], game: Game) -> Isolation:
        """What is wrong with any of these that play apart is found in a process apart: SpecError.

        Gives the isolation with what it comes to on this system.
        """
        found = self
        for spec in specs:
            if self.apart(spec):
                try:
                    agent = ApartAgent(game, 0, 0, spec, self.cells, check=True)
                except FaultError as fault:
                    raise SpecError(f"{spec} cannot be made: {fault.forfeit.reason}") from None
                agent.close()
                found = replace(self, enforced=agent.enforced, missing=agent.missing)
        return found

    @classmethod
    def told(cls, isolate: bool | None, plain: Mapping[str, Any] | None) -> Isolation:
        """The isolation of a match that was played, by what its settings say."""
        if plain is None:
            return cls(isolate)
        cells, walls = Cells(Limits(**plain["limits"])), (plain["enforced"], plain["missing"])
        return cls(isolate, cells, *map(tuple, walls))

    def to_json(self) -> dict[str, Any]:
        """What a result says of it."""
        limits = self.cells.limits.to_json()
        return {"enforced": list(self.enforced), "missing": list(self.missing), "limits": limits}


class ApartAgent(Closing):
    """One player's agent in a process of its own, for one game.

    What it sends is a number of a legal move and what may be recorded; whatever else it does comes
    out as a FaultError. `clock` is the seconds that it may take for a move, after which its process
    is ended.
    """

    def __init__(
        self,
        game: Game,
        player: int,
        seed: int,
        spec: str,
        cells: Cells,
        *,
        clock: float | None = None,
        check: bool = False,
    ) -> None:
        self.player, self.cheats = player, False
        self._game, self._plain = game, isinstance(game.rules, PlainRules)
        self._clock = clock
        self._told: list[dict[str, Any]] = []
        self._summary: dict[str, Any] | None = None
        self._pace: float | None = None
        self.enforced: tuple[str, ...] = ()
        self.missing: tuple[str, ...] = ()
        made = Made.of(parse(spec))
        self._program = made.command is not None
        host = host_of(game.spec)
        agent, self._control = host.seat(cells.walls, cells.limits.memory)
        self._memory = cells.limits.memory
        self._line = Line(agent)
        try:
            self._start(host, made, cells, {"agent": spec, "seed": seed, "check": check})
        except BaseException:
            self.close()
            raise

    # --- getting ready -------------------------------------------------------------------------

    def _start(self, host: Host, made: Made, cells: Cells, more: Mapping[str, Any]) -> None:
        clock = LONGEST if self._clock is None and not more["check"] else SETUP_SECONDS
        deadline = monotonic() + clock
        late = f"Overrun: more than {clock:g} s to get ready"
        cell = cells.cell([*made.folders, *_game_folders(self._game)]).to_json()
        self._send({"cell": cell, "command": made.command, "folder": made.folder}, deadline, late)
        enforced = self._receive(deadline, late).get("enforced", [])  # said before it is the agent
        every = (*WALLS, COUNTED, REFUSED)
        self.enforced = tuple(wall for wall in every if wall in enforced)
        self.missing = tuple(wall for wall in every if wall not in enforced)
        if not {"processes", "files"} <= set(enforced):
            with contextlib.suppress(OSError, AttributeError):
                linux.keep_memory_private()
        if self._program and more["check"]:
            return
        self._send(self._beginning(more), deadline, late)
        self._prepared(host, self._receive(deadline, late))

    def _beginning(self, more: Mapping[str, Any]) -> dict[str, Any]:
        game = self._game
        begin = {
            "type": "start",
            "protocol": PROTOCOL,
            "game": game.spec,
            "players": game.players,
            "player": self.player,
            "bounds": list(game.bounds),
            "clock": self._clock,
            "seed": more["seed"],
        }
        return begin if self._program else {**begin, **more}

    def _prepared(self, host: Host, answer: Mapping[str, Any]) -> None:
        if answer.get("spec") is True:
            raise SpecError(self._reason(answer))
        if "error" in answer:
            raise FaultError(self.player, self._reason(answer))
        if not answer.get("ready"):
            raise FaultError(self.player, 'NotReady: it did not begin with {"ready": true}')
        self.cheats = answer.get("cheats") is True
        host.warm(answer.get("modules"), answer.get("kernels"))

    # --- what an agent is told and asked ---------------------------------------------------------

    def observe(self, token: int, text: str) -> None:
        """Note what the player has seen; it is sent with the next question."""
        told = {"token": str(token), "text": text}
        rules = self._game.rules
        if isinstance(rules, PlainRules) and token in rules.tokens and not self._program:
            told["value"] = packed(rules.tokens[token])
        self._told.append(told)

    def overhear(self, token: int) -> None:
        """Note what the public has seen."""
        self._told.append({"overheard": str(token)})

    def clocked(self, player: int, seconds: float) -> None:
        """Note how long another took."""
        known = None if math.isnan(seconds) else seconds
        self._told.append({"clocked": player, "seconds": known})

    def pace(self) -> float | None:
        """How long others saw the last choice take, as the agent has it."""
        return self._pace

    def summary(self) -> dict[str, Any] | None:
        """What the agent would have recorded of it."""
        return self._summary

    def choose(self, view: Position, legal: Sequence[int]) -> Any:
        """What the agent gives as its move: whoever asked looks whether it is one."""
        clock = LONGEST if self._clock is None else self._clock
        deadline, late = monotonic() + clock, f"Overrun: more than {clock:g} s for a move"
        if self._line.unasked():
            raise FaultError(self.player, "OutOfTurn: it sent a line that nobody had asked for")
        asked = {"type": "choose", "told": self._told, "legal": self._listed(legal)}
        self._send({**asked, **self._seen(view)}, deadline, late)
        self._told = []
        answer = self._receive(deadline, late)
        if "error" in answer:
            raise FaultError(self.player, self._reason(answer))
        pace, summary = answer.get("pace"), answer.get("summary")
        self._pace = pace if isinstance(pace, int | float) and abs(pace) < _SLOWEST else None
        self._summary = summary if isinstance(summary, dict) else None
        return answer.get("move")

    def _listed(self, legal: Sequence[int]) -> list[dict[str, Any]]:
        rules = self._game.rules
        if self._program:
            return [{"move": move, "text": self._game.move_text(move)} for move in legal]
        if isinstance(rules, PlainRules):
            return [{"move": move, "value": packed(rules.values[move])} for move in legal]
        return [{"move": move} for move in legal]

    def _seen(self, view: Position) -> dict[str, Any]:
        """The view: for a program to read, for Python to be made of again."""
        if self._program:
            return {"text": view.text(self.player), "view": view.to_json()}
        if self._plain:
            return {"value": packed(view.record)}
        return {"record": base64.b64encode(view.digest()).decode()}

    # --- lines -----------------------------------------------------------------------------------

    def _send(self, message: Mapping[str, Any], deadline: float, late: str) -> None:
        try:
            self._line.send(message, deadline)
        except LateError:
            raise FaultError(self.player, late) from None
        except GoneError:
            raise FaultError(self.player, self._ended()) from None

    def _receive(self, deadline: float, late: str) -> dict[str, Any]:
        try:
            return self._line.receive(deadline)
        except LateError:
            raise FaultError(self.player, late) from None
        except GoneError:
            raise FaultError(self.player, self._ended()) from None
        except LineError as error:
            raise FaultError(self.player, f"NoAnswer: what it sent is no line: {error}") from None

    def _ended(self) -> str:
        """How the agent's process has ended, as the server has it."""
        try:
            told = Line(self._control).receive(monotonic() + _SHORTLY)
            status = told["status"]
        except (LateError, GoneError, LineError, KeyError):
            return "Died: it closed its line"  # and goes on, until it is ended
        if told.get("greedy"):
            return f"Died: its processes took more than {self._memory} MB"
        if status < 0:
            with contextlib.suppress(ValueError):
                return f"Died: its process was ended by {signal.Signals(-status).name}"
        return f"Died: its process ended with status {status}"

    def _reason(self, answer: Mapping[str, Any]) -> str:
        given = answer["error"]
        return one_line(given[:_LONGEST]) if isinstance(given, str) else "Error: it gave no reason"

    def close(self) -> None:
        """End the process: the server does, when this line is closed."""
        self._line.close()
        self._control.close()


@dataclass(frozen=True)
class Made:
    """What an agent is made of: the command of a program, where it starts, what it reads."""

    command: list[str] | None
    folder: str
    folders: tuple[str, ...]

    @classmethod
    def of(cls, spec: Spec) -> Made:
        """What a spec names; SpecError where it is not there."""
        if spec.name == PROGRAM and spec.file is None:
            return cls._program(spec)
        named = [value.rpartition(".py:")[0] + ".py" if ".py:" in value else value
                 for value in spec.options.values()]  # fmt: skip
        files = [os.path.abspath(value) for value in named if os.path.isfile(value)]
        if spec.file is None:
            return cls(None, os.getcwd(), tuple(files))
        if not spec.file.is_file():
            raise SpecError(f"there is no file {spec.file}")
        folder = str(spec.file.absolute().parent)
        return cls(None, os.getcwd(), (folder, str(spec.file.absolute()), *files))

    @classmethod
    def _program(cls, spec: Spec) -> Made:
        try:
            words = shlex.split(spec.options["command"])
        except ValueError as error:
            raise SpecError(f"{spec.text!r} is no command line: {error}") from None
        if not words:
            raise SpecError("program: wants a command, as in program:./mybot")
        found = shutil.which(words[0])
        if found is None:
            raise SpecError(f"there is no program {words[0]!r} that can be run")
        files = [os.path.abspath(word) for word in words[1:] if os.path.exists(word)]
        place = os.path.abspath(found)
        folders = {os.path.dirname(one) for one in (place, *files) if not os.path.isdir(one)}
        command = [place, *words[1:]]
        return cls(command, os.getcwd(), tuple(sorted({*folders, place, *files})))


def _game_folders(game: Game) -> list[str]:
    """Where a user's own game is, which may import more while it is played."""
    file = parse(game.spec).file if ".py:" in game.spec else None
    return [] if file is None else [str(Path(file).absolute().parent)]
