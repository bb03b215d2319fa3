"""Random games by the hundred thousand: compiled, for no agent need be asked."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from facedown.arena import statistics
from facedown.arena.results import AgentResult, MatchResult
from facedown.core import Game, SpecError
from facedown.games.registry import load_game
from facedown.search.playouts import PAID, SHARED, SQUARES, WINS
from facedown.search.recipe import Recipe
from facedown.search.search import Search

_CHUNK = 2_000  # games between two looks at Ctrl-C and at the progress
NOTE = "seats do not rotate: the first agent is player 0 in every game"


def random_match(
    game_spec: str,
    games: int,
    seed: int = 0,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> MatchResult:
    """The result of random games, one entry a player: what a place at the table is worth.

    As `run_match` with one `random` for each seat, but compiled, every game with a deal of its
    own, and the seats do not rotate: `agents[p]` is player p.

    >>> found = random_match("kuhn", 1000, seed=1)
    >>> sum(agent.wins for agent in found.agents)
    1000
    """
    if games < 1:
        raise SpecError(f"games is {games}; at least 1 is wanted")
    game = load_game(game_spec)
    began = time.perf_counter()
    search = Search(game, Recipe(belief=("truth",)), game.start(), 0, [], seed)
    tally = np.zeros((4, game.players))
    for first in range(0, games, _CHUNK):
        tally += search.play_out(min(_CHUNK, games - first))
        if progress is not None:
            progress(min(first + _CHUNK, games), games)
    return MatchResult(
        game=game_spec,
        seed=seed,
        games=games,
        duplicate=False,
        seconds=time.perf_counter() - began,
        agents=tuple(_player(game, tally[:, p], games) for p in range(game.players)),
        notes=(NOTE,),
    )


def _player(game: Game, column: np.ndarray[Any, np.dtype[np.float64]], games: int) -> AgentResult:
    wins, draws = int(column[WINS]), int(column[SHARED])
    rate, paid = (wins + draws / 2) / games, float(column[PAID]) / games
    often = (wins, draws, games - wins - draws)
    low, high = statistics.bounded_interval((1.0, 0.5, 0.0), (1, 1, 1), often=often)
    error = None
    if games > 1:
        error = float(np.sqrt(max(0.0, column[SQUARES] / games - paid**2) / (games - 1)))
    return AgentResult(
        spec="random",
        wins=wins,
        draws=draws,
        games=games,
        win_rate=rate,
        low=low,
        high=high,
        mean_payoff=paid,
        standard_error=error,
        p_value=_p_value(wins, draws, games, game.players),
        cheats=False,
        forfeits={},
    )


def _p_value(wins: int, draws: int, games: int, players: int) -> float:
    """Against an even result, as a match has it: exact where games are won or lost, else t."""
    if not draws:
        return statistics.binomial_test(wins, games, 1 / players)
    rate = (wins + draws / 2) / games
    error = math.sqrt(((wins + draws / 4) / games - rate**2) / (games - 1)) if games > 1 else None
    return statistics.t_test(statistics.Mean(rate - 1 / players, error, games))
