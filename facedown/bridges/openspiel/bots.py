"""An agent of the house as a bot of OpenSpiel's, for its own evaluations.

OpenSpiel hands a bot the true state. What the agent gets of it is its player's view and, move by
move, what its player has seen: both come from the state's history, whichever way the state came
about, so that a bot may be asked in the middle of a game that nobody told it of.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from facedown.agents.registry import check_agent, make_agent, spec_of
from facedown.arena.private import unshared
from facedown.bridges.openspiel import PREFIX
from facedown.bridges.openspiel.games import loaded
from facedown.bridges.openspiel.ours import FacedownGame
from facedown.core import CHANCE, PUBLIC, SpecError, derive

if TYPE_CHECKING:
    from facedown.core import Game

try:
    from pyspiel import Bot as _Bot
except ImportError:  # and nobody can ask for one
    _Bot = object


class FacedownBot(_Bot):  # type: ignore[misc]
    """A player's bot. Games of one seed are always the same; each has an agent of its own."""

    def __init__(self, game: Any, agent: Any, player: int, seed: int | None = None) -> None:
        super().__init__()
        name = str(game).removesuffix("()")
        self._own = isinstance(game, FacedownGame)  # then its moves are the actions
        self._game: Game = game.game if self._own else unshared(loaded(name, PREFIX + name))
        if player not in range(self._game.players):
            most = self._game.players - 1
            raise SpecError(f"player {player}: {name} has the players 0 to {most}")
        self._spec, self._player = spec_of(agent), player
        check_agent(self._spec, self._game)
        self._seed = secrets.randbits(63) if seed is None else seed
        self._games = 0
        self.restart()

    # --- what OpenSpiel calls --------------------------------------------------------------------

    def restart(self) -> None:
        """A new game, and a new agent."""
        seed = derive(self._seed, "game", self._games)
        self._games += 1
        self._agent = make_agent(self._spec, self._game, self._player, seed)
        self._truth, self._heard = self._game.start(), list[int]()

    def restart_at(self, state: Any) -> None:
        """A new game that has come to this state."""
        self.restart()
        self._follow(state)

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Somebody is about to play this; the agent hears of it what its player sees."""
        self._follow(state)

    def step(self, state: Any) -> int:
        """The action to play."""
        self._follow(state)
        view, legal = self._truth.offer(self._player)
        chosen = self._agent.choose(view, legal)
        if chosen not in legal:
            raise SpecError(f"{self._spec} chose {chosen}, which is not legal here")
        return chosen if self._own else int(self._game.rules.values[chosen])  # type: ignore[attr-defined]

    def provides_policy(self) -> bool:
        """Whether it says how likely its actions are: not at all."""
        return False

    # --- the game as it follows it ---------------------------------------------------------------

    def _follow(self, state: Any) -> None:
        """Hear what the state has had since the last time; begin anew if it is of another game."""
        history = state.history()
        if history[: len(self._heard)] != self._heard:
            self.restart()
        for action in history[len(self._heard) :]:
            self._hear(action)

    def _hear(self, action: int) -> None:
        move = action if self._own else self._number(action)
        token = self._truth.sees(move, self._player)
        public = self._truth.sees(move, PUBLIC)
        self._truth.play(move)
        self._heard.append(action)
        if token:
            text = self._game.text.observation_text(token, self._player)
            self._agent.observe(token, text)
        if public:
            self._agent.overhear(public)

    def _number(self, action: int) -> int:
        chance = self._truth.turn() == CHANCE
        move: int = self._game.rules.number(~action if chance else action)  # type: ignore[attr-defined]
        return move
