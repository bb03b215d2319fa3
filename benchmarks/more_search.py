"""Small changes of one search, each against the search without it at equal processor time.

    python benchmarks/more_search.py                       # all of them, in all games
    python benchmarks/more_search.py --games 60 leduc breakthrough

Both play every deal from every seat. What is told is by how much the search with the change is
ahead: half the difference of mean payoffs, as a share of the range of payoffs, in hundredths, with
its 95 % interval.
"""

from __future__ import annotations

import argparse

from facedown.agents.registry import check_agent
from facedown.api import match
from facedown.arena.results import MatchResult
from facedown.core import SpecError
from facedown.games.registry import load_game

GAMES = {
    # games a cell
    "leduc": 400,
    "liars-dice": 400,
    "phantom-ttt": 200,
    "cribbage": 40,
    "breakthrough": 30,
}
CHANGES = {
    "tree reuse": "reuse=true",
    "MAST": "mast=0.4",
    "urgency 0.5": "urgency=0.5",
    "urgency 1": "urgency=1",
    "widening 0.5": "widening=0.5",
}


def ahead(result: MatchResult, game: str) -> tuple[float, float]:
    """By how many hundredths of the range of payoffs the first is ahead, and half its interval."""
    low, high = load_game(game).bounds
    one, other = result.agents
    gain = (one.mean_payoff - other.mean_payoff) / 2 / (high - low)
    return 100 * gain, 196 * (one.standard_error or 0.0) / (high - low)


def main() -> None:
    """Read the command line and print a row for each game."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", default=list(GAMES), metavar="GAME")
    parser.add_argument("--cpu", type=float, default=0.005, help="seconds a move")
    parser.add_argument("--games", type=int, help="a cell; otherwise as many as the game is worth")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print("| game |", " | ".join(f"{name} (`{option}`)" for name, option in CHANGES.items()), "|")
    print("|---" * (1 + len(CHANGES)) + "|")
    for name in given.names:
        print(f"| {name}", end="", flush=True)
        for option in CHANGES.values():
            print(" | " + cell(name, option, given), end="", flush=True)
        print(" |", flush=True)


def cell(name: str, option: str, given: argparse.Namespace) -> str:
    """What a change does in a game; a dash where it cannot be asked for there."""
    base, games = f"so-ismcts:cpu={given.cpu}", given.games or GAMES[name]
    try:
        check_agent(f"{base},{option}", load_game(name))
    except SpecError:
        return "–"
    result = match(name, [f"{base},{option}", base], games, given.seed, jobs=1)
    gain, wide = ahead(result, name)
    return f"{gain:+.1f} ± {wide:.1f}"


if __name__ == "__main__":
    main()
