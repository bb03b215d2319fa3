"""One game: the match alone holds the true position, agents get their views."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from facedown.arena.guarded import FaultError, GuardedAgent, Maker, worded
from facedown.arena.private import unshared
from facedown.arena.replay import forfeit_payoffs
from facedown.core import CHANCE, NOTHING, OVER, PUBLIC, Game, Position, RuleError, Stream, derive
from facedown.store.records import Forfeit, GameRecord, MoveRecord

Watch = Callable[[Position], None]
"""Is shown the truth of a game in play."""


@dataclass(frozen=True)
class Header:
    """What a record says of its game beside what happens in it."""

    agents: tuple[str, ...]
    seed: int
    number: int = 0
    deal: int = 0
    rotation: int = 0


def play_game(
    game: Game,
    agents: Sequence[Maker],
    deal_seed: int,
    *,
    clock: float | None = None,
    header: Header | None = None,
    first: int | None = None,
    watch: Watch | None = None,
) -> GameRecord:
    """Play one game; `agents` makes the agent of each player.

    Every agent is told its player's tokens as they come, its own moves' included, and asked for a
    move with its view of the position and the legal moves; one that `cheats` gets a copy of the
    truth. Chance's k-th move is drawn from a stream of its own, so that a deal comes again whatever
    is played; `first` is the place of its first move among the legal ones, where the match decides
    it. An agent that raises, gives what is no legal move, or takes more than `clock` seconds
    for a move forfeits: the lowest payoff for it, the highest for the others. A RuleError stops the
    game, with the seed and the moves that led to it. `watch` is shown the truth at the start and
    after every move, to make views of; it is not to change it.

    >>> from facedown.agents.base import RandomAgent
    >>> from facedown.games.registry import load_game
    >>> makers = [lambda game, player: RandomAgent(game, player, seed=player)] * 2
    >>> sum(play_game(load_game("kuhn"), makers, deal_seed=7).payoffs)
    0.0
    """
    if len(agents) != game.players:
        raise ValueError(f"{len(agents)} agents given; {game.spec} has {game.players} players")
    table = _Table(game, agents, deal_seed, clock, first, watch)
    started = datetime.now(UTC).isoformat(timespec="milliseconds")
    header = header or Header(("?",) * game.players, deal_seed)
    try:
        payoffs, forfeits = table.play()
    except RuleError as error:
        moves = [move.text for move in table.moves]
        raise error.within(seed=header.seed, moves=moves) from error
    return GameRecord(
        game=game.spec,
        deal_seed=deal_seed,
        cheats=tuple(agent.cheats for agent in table.agents),
        moves=tuple(table.moves),
        payoffs=payoffs,
        forfeits=forfeits,
        started=started,
        **vars(header),
    )


class _Table:
    """A game in play: the truth, the agents around it, the moves so far."""

    def __init__(
        self,
        game: Game,
        agents: Sequence[Maker],
        deal_seed: int,
        clock: float | None,
        first: int | None,
        watch: Watch | None,
    ) -> None:
        self._game, self._deal_seed, self._first = unshared(game), deal_seed, first
        self._draws, self._watch = 0, watch
        self.moves: list[MoveRecord] = []
        self.agents = [GuardedAgent(self._game, p, make, clock) for p, make in enumerate(agents)]

    def play(self) -> tuple[tuple[float, ...], tuple[Forfeit, ...]]:
        """Play to the end, or until an agent forfeits."""
        try:
            for agent in self.agents:
                agent.set_up()
            return self._play_out(), ()
        except FaultError as fault:
            game, lost = self._game, fault.forfeit
            return forfeit_payoffs(game.bounds, game.players, lost.player), (lost,)
        finally:
            for agent in self.agents:
                agent.close()

    def _play_out(self) -> tuple[float, ...]:
        self._truth = self._game.start()
        self._shown()
        while (turn := self._truth.turn()) != OVER:
            if len(self.moves) >= self._game.most_plies:
                most = self._game.most_plies
                raise RuleError(f"the game goes on after {most} moves, which is its most_plies")
            if turn == CHANCE:
                self._apply(self._drawn())
            elif 0 <= turn < self._game.players:
                self._apply(self._chosen(turn))
            else:
                raise RuleError(f"turn gave {turn}, which is no player", rule="turn")
        return self._payoffs()

    def _drawn(self) -> MoveRecord:
        """Chance's next move: the k-th of a deal has a stream of its own."""
        began = time.perf_counter()
        if self._draws == 0 and self._first is not None:
            move = self._truth.legal()[self._first]
        else:
            move = self._truth.draw(Stream(derive(self._deal_seed, self._draws)))
        self._draws += 1
        return MoveRecord(CHANCE, move, self._named(move), time.perf_counter() - began)

    def _chosen(self, player: int) -> MoveRecord:
        move, seconds, summary = self.agents[player].choose(self._truth)
        pace = self.agents[player].pace()
        for agent in self.agents:
            if agent.player != player:
                agent.clocked(player, pace)
        return MoveRecord(player, move, self._named(move), seconds, summary)

    def _named(self, move: int) -> str:
        return worded(self._game.move_text, move)

    def _apply(self, played: MoveRecord) -> None:
        """Play a move and tell every player what it has seen of it."""
        told = []
        for agent in self.agents:
            token = self._truth.sees(played.move, agent.player)
            if token != NOTHING:
                text = worded(self._game.text.observation_text, token, agent.player)
                told.append((agent, token, text))
        public = self._truth.sees(played.move, PUBLIC)
        self._truth.play(played.move)
        self.moves.append(played)
        for agent, token, text in told:
            agent.observe(token, text)
        if public != NOTHING:
            for agent in self.agents:
                agent.overhear(public)
        self._shown()

    def _shown(self) -> None:
        if self._watch is not None:
            self._watch(self._truth)

    def _payoffs(self) -> tuple[float, ...]:
        low, high = self._game.bounds
        payoffs = self._truth.payoff()
        for player, pay in enumerate(payoffs):
            if not (math.isfinite(pay) and low - 1e-9 <= pay <= high + 1e-9):
                what = f"payoff {pay} of player {player} is not within bounds ({low:g}, {high:g})"
                raise RuleError(what, rule="payoff")
        return tuple(payoffs)
