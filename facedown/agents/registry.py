"""The agents by name."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

from facedown.agents.base import Agent
from facedown.core import Game, SpecError
from facedown.core.specs import arguments, load_class, parse


@dataclass(frozen=True)
class Entry:
    """Where a registered agent is, and what it does in a few words."""

    module: str
    maker: str
    summary: str


AGENTS: dict[str, Entry] = {
    "random": Entry("facedown.agents.base", "RandomAgent", "any legal move"),
}


def agent_class(spec_text: str, game: Game) -> type[Agent]:
    """The class that a spec names; SpecError lists what there is."""
    spec = parse(spec_text)
    if spec.file is not None:
        return load_class(spec)
    if spec.name not in AGENTS:
        known = ", ".join(AGENTS)
        raise SpecError(f"no agent {spec.name!r}; agents: {known}, or path/to/file.py:ClassName")
    entry = AGENTS[spec.name]
    found: type[Agent] = getattr(importlib.import_module(entry.module), entry.maker)
    return found


def make_agent(spec_text: str, game: Game, player: int, seed: int) -> Agent:
    """The agent that a spec names, ready to play `player` in one game.

    >>> from facedown.games.registry import load_game
    >>> make_agent("random", load_game("kuhn"), 0, seed=1).cheats
    False
    """
    maker: Any = agent_class(spec_text, game)
    options = arguments(maker, parse(spec_text), skip=3)
    made: Agent = maker(game, player, seed, **options)
    return made
