"""What the public names do that is more than one call: games by their spec, as in the commands."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.arena.exploit import ExploitResult, Mode, exploit_curve
from facedown.arena.measures import Measures, measure
from facedown.games.registry import load_game
from facedown.laws import Findings, check_game


def check(game: str, *, seed: int = 0, games: int = 50, seconds: float | None = 60.0) -> Findings:
    """Fuzz a game against the laws of the contract, as `facedown check` does.

    >>> check("kuhn", games=5).ok
    True
    """
    return check_game(lambda: load_game(game), seed=seed, games=games, seconds=seconds)


def exploit(
    game: str,
    agent: str,
    iterations: Sequence[int] = (),
    *,
    seeds: int | None = None,
    mode: Mode = "play",
    seed: int = 0,
) -> ExploitResult:
    """What a best response wins from an agent, exactly, as `facedown exploit` does.

    >>> found = exploit("kuhn", "random", seeds=50)
    >>> 0.3 < found.points[0].exploitability < 0.6, round(found.uniform, 3)
    (True, 0.458)
    """
    return exploit_curve(load_game(game), agent, iterations, seeds, mode, seed=seed)


def measures(game: str, *, samples: int | None = None, seed: int = 0) -> Measures:
    """Leaf correlation, bias and disambiguation of a game's tree, as `facedown measures` does.

    >>> measures("kuhn").disambiguation.value
    0.0
    """
    return measure(load_game(game), samples, seed)
