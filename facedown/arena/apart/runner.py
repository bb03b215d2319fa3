"""A Python agent in its own process: it is told and asked in lines, and knows nothing else."""

from __future__ import annotations

import base64
import ctypes
import json
import operator
import socket
import sys
from collections.abc import Sequence
from typing import Any

from facedown.agents.options import given_options
from facedown.agents.registry import agent_class, make_agent, resolve
from facedown.arena.apart.lines import encoded
from facedown.arena.apart.values import unpacked
from facedown.arena.guarded import described, summary_of, what_is_wrong
from facedown.core import Game, Position, SpecError
from facedown.core.jit import KERNELS
from facedown.core.plain import PlainRules


def run(line: socket.socket, game: Game) -> int:
    """Play one game; the status of the process."""
    source = line.makefile("rb")
    start = json.loads(source.readline())
    try:
        agent = _made(game, start)
        if not start.get("check"):
            _rehearse(game)
        ready = encoded(_ready(agent))
    except SpecError as error:
        line.sendall(encoded({"error": str(error), "spec": True}))
        return 1
    except BaseException as error:
        line.sendall(encoded({"error": described(error)}))
        return 1
    line.sendall(ready)
    if start.get("check"):
        return 0
    answers = _Answers(game, agent)
    for asked in source:
        try:
            answer = answers.answer(json.loads(asked))
        except BaseException as error:
            answer = {"error": described(error)}
        line.sendall(encoded(answer))
        if "error" in answer:
            return 1
    return 0


def _made(game: Game, start: dict[str, Any]) -> Any:
    """The agent, or where it is only to be checked its class, whose options are then right."""
    spec = start["agent"]
    if not start.get("check"):
        return make_agent(spec, game, start["player"], start["seed"])
    kind = agent_class(spec, game)
    given_options(kind, resolve(spec, game), game)
    return kind


def _ready(agent: Any) -> dict[str, Any]:
    """That the agent is ready; and what it took, so that others begin with it."""
    modules = [name for name in sys.modules if name.startswith("facedown.")]
    kernels = [one.function.__qualname__ for one in KERNELS if one.compiled]
    cheats = bool(getattr(agent, "cheats", False))
    return {"ready": True, "cheats": cheats, "modules": modules, "kernels": kernels}


class _Stand:
    """An agent that plays its first move."""

    def observe(self, token: int, text: str) -> None:
        """Nothing is kept."""

    def choose(self, view: Position, legal: list[int]) -> int:
        """The first."""
        return legal[0]


def _rehearse(game: Game) -> None:
    """Answer a question of no game: what memory that takes is then this process's own."""
    if isinstance(game.rules, PlainRules):
        return  # its numbers are given as moves are met: none is to be met here
    record = base64.b64encode(bytes(game.rules.size)).decode()
    told = [{"token": "1", "text": ""}, {"overheard": "1"}]
    asked = {"told": told, "legal": [{"move": 0}], "record": record}
    encoded(_Answers(game, _Stand()).answer(json.loads(json.dumps(asked))))


class _Answers:
    """What the agent is told and asked, line by line."""

    def __init__(self, game: Game, agent: Any) -> None:
        self._game, self._agent = game, agent

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The agent's choice, having been told all that came before."""
        for told in asked["told"]:
            self._tell(told)
        legal = self._numbers(asked["legal"])
        given = self._agent.choose(self._view(asked), list(legal))
        wrong = what_is_wrong(given, legal, self._game)
        if wrong:
            return {"error": wrong}
        place = legal.index(operator.index(given))
        paced = getattr(self._agent, "pace", None)
        return {
            "move": asked["legal"][place]["move"],
            "summary": summary_of(self._agent),
            "pace": None if paced is None else paced(),
        }

    def _tell(self, told: dict[str, Any]) -> None:
        if "clocked" in told:
            self._call("clocked", told["clocked"], _seconds(told["seconds"]))
        elif "overheard" in told:
            self._call("overhear", int(told["overheard"]))
        else:
            token, rules = int(told["token"]), self._game.rules
            if "value" in told and isinstance(rules, PlainRules):
                rules.tokens[token] = unpacked(told["value"])
            self._agent.observe(token, told["text"])

    def _call(self, name: str, *args: Any) -> None:
        """Call what an agent need not have."""
        method = getattr(self._agent, name, None)
        if method is not None:
            method(*args)

    def _numbers(self, legal: Sequence[dict[str, Any]]) -> list[int]:
        """The legal moves as this game numbers them."""
        rules = self._game.rules
        if isinstance(rules, PlainRules):
            return [rules.number(unpacked(one["value"])) for one in legal]
        return [one["move"] for one in legal]

    def _view(self, asked: dict[str, Any]) -> Position:
        """The view, made of what was sent."""
        view, rules = Position(self._game), self._game.rules
        if isinstance(rules, PlainRules):
            rules.objects[view.address] = unpacked(asked["value"])
            return view
        data = base64.b64decode(asked["record"])
        ctypes.memmove(view.address, data, min(len(data), rules.size))
        return view


def _seconds(given: float | None) -> float:
    return float("nan") if given is None else given
