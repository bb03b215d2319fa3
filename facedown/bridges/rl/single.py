"""One player's game as an environment of Gymnasium: agents of the house play the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces

from facedown.agents.registry import check_agent, make_agent, spec_of
from facedown.arena.guarded import FaultError, GuardedAgent, worded
from facedown.bridges.rl.encoding import Encode, Mask, Numbers
from facedown.bridges.rl.table import RENDER_MODES, Table
from facedown.core import NOTHING, OVER, PUBLIC, Game, Position, SpecError, derive


class FacedownEnv(gymnasium.Env):  # type: ignore[misc]
    """A step is the player's move and all that happens until it is to move again.

    An observation has the numbers of the player's view; `info["action_mask"]` and `action_masks()`
    say which actions are legal. The reward is the payoff, at the end. An action that the mask
    forbids forfeits the game, and so does an opponent that fails: `info["forfeit"]` says how.

    >>> env = FacedownEnv("kuhn", ["random"])
    >>> observation, info = env.reset(seed=3)
    >>> over = False
    >>> while not over:
    ...     action = int(info["action_mask"].argmax())
    ...     observation, reward, over, _, info = env.step(action)
    >>> abs(reward)
    1.0
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES)}

    def __init__(
        self,
        game: Any,
        opponents: Sequence[Any] = ("random",),
        seat: int = 0,
        *,
        places: bool | None = None,
        encode: Encode | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.table = table = Table(game, places, encode, render_mode)
        self.seat, self.render_mode = _checked_seat(seat, table.game), render_mode
        self.opponents = _seated(opponents, seat, table.game)
        self._agents: dict[int, GuardedAgent] = {}
        self._over = self._done = True
        low, high = table.observations.low, table.observations.high
        self.observation_space = spaces.Box(low, high, dtype=np.float32)
        self.action_space = spaces.Discrete(table.actions.n)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Deal the first game of `seed`; without one, the next of the last seed."""
        super().reset(seed=seed)
        self.close()
        episode = self.table.begin(seed, self._telling)
        for player, spec in self.opponents.items():
            make = partial(_made, spec, derive(episode, "agent", player))
            self._agents[player] = GuardedAgent(self.table.game, player, make, None)
        self._go_on(self._set_up)
        self._done = False
        return self.table.observe(self.seat), self._info()

    def step(self, action: Any) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """Play an action, and on until the player is to move again or the game is over.

        A game that ends before the player's first move is told by the first step, whatever its
        action. ValueError for what is no action at all, and nothing has happened.
        """
        if self._done:
            raise RuntimeError("no game is in play: reset() deals the next")
        if not self._over:
            self._go_on(lambda: self.table.act(self.seat, action))
        self._done = self._over
        reward = float(self.table.payoffs()[self.seat]) if self._over else 0.0
        return self.table.observe(self.seat), reward, self._over, False, self._info()

    def _set_up(self) -> None:
        for agent in self._agents.values():
            agent.set_up()

    def _go_on(self, first: Callable[[], None]) -> None:
        """Do the first thing, then have the others and chance play; an agent may fail anywhere."""
        try:
            first()
            while (turn := self.table.settle()) not in (OVER, self.seat):
                self.table.play(self._agents[turn].choose(self.table.position)[0])
        except FaultError as fault:
            lost = fault.forfeit
            self.table.give_up(lost.player, f"player {lost.player}: {lost.reason}")
            turn = OVER
        self._over = turn == OVER

    def _telling(self, truth: Position, move: int) -> Callable[[], None]:
        """What the opponents will have seen of a move, asked before it is played."""
        text = self.table.game.text
        seen = [(agent, truth.sees(move, agent.player)) for agent in self._agents.values()]
        public = truth.sees(move, PUBLIC)

        def tell() -> None:
            for agent, token in seen:
                if token != NOTHING:
                    agent.observe(token, worded(text.observation_text, token, agent.player))
            if public != NOTHING:
                for agent, _ in seen:
                    agent.overhear(public)

        return tell

    def _info(self) -> dict[str, Any]:
        told = {} if self.table.forfeit is None else {"forfeit": self.table.forfeit}
        return {"action_mask": self.action_masks(), **told}

    def action_masks(self) -> Mask:
        """A one for every action that is legal now, by the name that sb3-contrib asks for."""
        return self.table.mask(self.seat)

    def render(self) -> str | None:
        """The player's view, as text, with `render_mode="ansi"`."""
        return None if self.render_mode is None else self.table.text(self.seat)

    def close(self) -> None:
        """Let go of what the opponents hold beyond this process."""
        for agent in self._agents.values():
            agent.close()
        self._agents.clear()


def _made(spec: str, seed: int, game: Game, player: int) -> Any:
    return make_agent(spec, game, player, seed)


def _checked_seat(seat: int, game: Game) -> int:
    if seat not in range(game.players):
        raise SpecError(f"seat {seat}: {game.spec} has the seats 0 to {game.players - 1}")
    return seat


def _seated(opponents: Sequence[Any], seat: int, game: Game) -> dict[int, str]:
    """The opponents' specs by their seats; SpecError where they do not fit the game."""
    given = [opponents] if isinstance(opponents, str | type) else list(opponents)
    others = [player for player in range(game.players) if player != seat]
    if len(given) not in (1, len(others)):
        wanted = f"1 for all or {len(others)}, one for each other player, is wanted"
        raise SpecError(f"{len(given)} opponents given for {game.spec}; {wanted}")
    specs = [spec_of(one) for one in given]
    for spec in specs:
        check_agent(spec, game)
    return dict(zip(others, specs * len(others) if len(specs) == 1 else specs, strict=True))
