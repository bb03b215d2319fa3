"""The truth of one game after another, which an environment moves on and shows views of."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from facedown.arena.private import unshared
from facedown.arena.replay import forfeit_payoffs
from facedown.bridges.rl.encoding import Actions, Encode, Mask, Numbers, Observations
from facedown.core import CHANCE, OVER, Position, RuleError, SpecError, Stream, derive
from facedown.games.registry import load_game

Teller = Callable[[Position, int], Callable[[], None]]
"""Is asked with the truth and the move that comes; what it gives is called after the move."""

RENDER_MODES = ("ansi",)


class Table:
    """A game in play, chance played by the table.

    The n-th game of a seed is always the same: chance's k-th move has a stream of its own, derived
    from seed, n and k alone, as in a match.
    """

    def __init__(
        self, game: Any, places: bool | None, encode: Encode | None, render_mode: str | None
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise SpecError(f"render_mode {render_mode!r}; None or 'ansi' is wanted")
        self.game = unshared(load_game(game))
        self.observations = Observations(self.game, encode)
        self.actions = Actions(self.game, places)
        self._seed, self._games = secrets.randbits(63), 0
        self.truth: Position | None = None

    def begin(self, seed: int | None, tell: Teller | None = None) -> int:
        """Deal the next game, the first of `seed` where one is given; the game's own seed."""
        if seed is not None:
            self._seed, self._games = int(seed), 0
        episode = derive(self._seed, "game", self._games)
        self._games += 1
        self._deal, self._draws, self._plies, self._tell = derive(episode, "deal"), 0, 0, tell
        self._pay: tuple[float, ...] | None = None
        self.forfeit: str | None = None
        self.truth = self.game.start()
        return episode

    def settle(self) -> int:
        """Play chance's moves; whose turn it is then, or OVER."""
        if self._pay is not None:
            return OVER
        while (turn := self.position.turn()) == CHANCE:
            self.play(self.position.draw(Stream(derive(self._deal, self._draws))))
            self._draws += 1
        if turn != OVER and not 0 <= turn < self.game.players:
            raise RuleError(f"turn gave {turn}, which is no player", rule="turn")
        return turn

    def play(self, move: int) -> None:
        """Play a legal move, and have it told."""
        if self._plies >= self.game.most_plies:
            most = self.game.most_plies
            raise RuleError(f"the game goes on after {most} moves, which is its most_plies")
        told = None if self._tell is None else self._tell(self.position, move)
        self.position.play(move)
        self._plies += 1
        if told is not None:
            told()

    def act(self, player: int, action: Any) -> None:
        """Play the action of the player whose turn it is; an illegal one forfeits the game."""
        move = self.actions.move(action, self.position.choices())
        if move is None:
            self.give_up(player, f"player {player}: action {int(action)} is not legal")
        else:
            self.play(move)

    def give_up(self, player: int, reason: str) -> None:
        """End the game: the lowest payoff for the player, the highest for the others."""
        self._pay = forfeit_payoffs(self.game.bounds, self.game.players, player)
        self.forfeit = reason

    @property
    def position(self) -> Position:
        """The true position; RuntimeError before the first game."""
        if self.truth is None:
            raise RuntimeError("nothing is dealt yet: reset() comes first")
        return self.truth

    def payoffs(self) -> tuple[float, ...]:
        """What every player gets; for finished games."""
        return self._pay or tuple(self.position.payoff())

    def observe(self, player: int) -> Numbers:
        """The player's view, as numbers."""
        return self.observations.of(self.position.view(player), player)

    def mask(self, player: int) -> Mask:
        """The actions that are legal for the player: none where another acts."""
        acts = self._pay is None and self.position.turn() == player
        return self.actions.mask(self.position.offer(player)[1] if acts else [])

    def text(self, player: int) -> str:
        """The player's view, as text."""
        return self.position.view(player).text(player)
