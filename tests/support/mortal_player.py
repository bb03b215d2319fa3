"""An agent that takes its process with it, once."""

import os
from pathlib import Path

from facedown.agents.base import Agent


class DiesOnce(Agent):
    """Dies in its first game, and leaves a mark so that it does so once only."""

    mark: str = ""

    def __init__(self, game, player, seed, mark):
        super().__init__(game, player, seed)
        self.mark = mark

    def choose(self, view, legal):
        if not Path(self.mark).exists():
            Path(self.mark).touch()
            os._exit(9)
        return legal[0]
