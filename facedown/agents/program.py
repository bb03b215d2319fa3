"""Programs as agents: any language, by lines of JSON (docs/protocol.md)."""

# Annotations here are real objects, not strings: see facedown.agents.base.
from dataclasses import dataclass

from facedown.agents.base import Agent
from facedown.core import SpecError


@dataclass(eq=False)
class Program(Agent):
    """A program that is started by its command line, always in a process of its own.

    Matches and tables seat it apart (`facedown.arena.apart`); nobody can ask it otherwise.
    """

    command: str = ""

    def require(self) -> None:
        raise SpecError("a program plays apart: in matches and at the table")

    def prepare(self) -> None:
        self.require()
