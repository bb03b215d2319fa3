"""A game as an environment of PettingZoo, where agents act one after another (AEC)."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from facedown.bridges.rl.encoding import Encode
from facedown.bridges.rl.table import RENDER_MODES, Table
from facedown.core import OVER


class FacedownAEC(AECEnv):  # type: ignore[misc]
    """Every player is an agent. An observation has the numbers of the agent's view and its mask.

    Rewards are the payoffs, at the end of a game. An action that the mask forbids forfeits the
    game, as an agent's illegal move does in a match; `infos` of all then say so.

    >>> env = FacedownAEC("kuhn")
    >>> env.reset(seed=7)
    >>> for agent in env.agent_iter():
    ...     observation, reward, over, _, _ = env.last()
    ...     env.step(None if over else int(observation["action_mask"].argmax()))
    ...     if over:
    ...         print(agent, reward)
    player_0 -1.0
    player_1 1.0
    """

    def __init__(
        self,
        game: Any,
        *,
        places: bool | None = None,
        encode: Encode | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.table = table = Table(game, places, encode, render_mode)
        self.metadata: dict[str, Any] = {
            "render_modes": list(RENDER_MODES),
            "name": table.game.spec,
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"player_{k}" for k in range(table.game.players)]
        self.agents: list[str] = []
        low, high, n = table.observations.low, table.observations.high, table.actions.n
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low, high, dtype=np.float32),
                    "action_mask": spaces.Box(0, 1, (n,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(n) for agent in self.possible_agents}

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the first game of `seed`; without one, the next of the last seed."""
        self.table.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._skip_agent_selection: str | None = None
        self._go_on()
        self._accumulate_rewards()

    def step(self, action: Any) -> None:
        """Play the action of `agent_selection`; None for one whose game is over.

        ValueError for what is no action at all, and nothing has happened.
        """
        if not self.agents:
            raise RuntimeError("no game is in play: reset() deals the next")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self.table.act(self.possible_agents.index(agent), action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._go_on()
        self._accumulate_rewards()

    def _go_on(self) -> None:
        """On to the next decision, or to the end."""
        turn = self.table.settle()
        if turn != OVER:
            self.agent_selection = self.possible_agents[turn]
            return
        self.agent_selection = self.agents[0]
        self.rewards = dict(zip(self.agents, map(float, self.table.payoffs()), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        if self.table.forfeit is not None:
            self.infos = {agent: {"forfeit": self.table.forfeit} for agent in self.agents}

    def observe(self, agent: str) -> dict[str, Any]:
        """What the agent sees: `observation`, and `action_mask`, all zeros where another acts."""
        player = self.possible_agents.index(agent)
        return {"observation": self.table.observe(player), "action_mask": self.table.mask(player)}

    def render(self) -> str | None:
        """The view of the agent that acts, as text, with `render_mode="ansi"`."""
        if self.render_mode is None:
            return None
        return self.table.text(self.possible_agents.index(self.agent_selection))

    def close(self) -> None:
        """Nothing is held beyond this process."""
