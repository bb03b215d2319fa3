"""What a search's moves in Settlers are worth: `python benchmarks/settlers_regret.py SPEC...`.

Games of four scripted players are stopped at decisions of every sort: placing, a turn, an answer to
an offer, the robber, a theft, a discard. Each agent searches there as the player to move; the move
of its best mean, the one it tried most often, and that one where it is better than the scripted
player's by so many standard errors (`doubt`) are each played in the true position, and so is the
scripted player's own; then four scripted players end the game some hundred times (compiled). The
table has how often more a move won than the scripted player's, by sort of decision: small numbers,
for most decisions cost little, but a game has a hundred of them. `--positions`, `--games` and
`--seed` as one likes.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from settlers import ready, scripted

from facedown.agents.searching import exceeds
from facedown.core import Game, Position, derive
from facedown.games.registry import load_game
from facedown.search.budget import Budget
from facedown.search.recipe import Playout, Recipe
from facedown.search.report import Report
from facedown.search.search import Search

SORTS = {"accept": "answer", "reject": "answer", "discard": "discard", "robber": "robber"}
SORTS |= {"rob": "theft"}
TURNS = 4  # decisions of a game's turns that are looked at, for one of every other sort
DOUBTS = (1.0, 2.0, 3.0)
_PLACED = 8  # points of four players who have placed what they begin with


class Decision(NamedTuple):
    """A decision of a game: the moves before it, whose it is, of what sort."""

    moves: list[int]
    player: int
    sort: str
    move: int


def sort_of(position: Position, words: str) -> str:
    """The sort of a decision, by what the scripted player did."""
    if position.record["points"].sum() < _PLACED:
        return "placing"
    return SORTS.get(words.split()[0], "turn")


def decisions(game: Game, seed: int, counts: Counter[str]) -> Iterator[Decision]:
    """Some decisions of one game, all of them counted by sort."""
    moves: list[int] = []
    found: dict[str, list[Decision]] = defaultdict(list)
    for move, position in scripted(game, seed):
        player = position.turn()
        if player >= 0 and len(position.legal()) > 1:
            sort = sort_of(position, game.move_text(move))
            found[sort].append(Decision(list(moves), player, sort, move))
        moves.append(move)
    chooser = random.Random(seed)
    for sort, those in sorted(found.items()):
        counts[sort] += len(those)
        yield from chooser.sample(those, min(len(those), TURNS if sort == "turn" else 1))


def value(position: Position, move: int, games: int, seed: int) -> float:
    """How often the player to move wins after a move, when all go on as `scripted` does."""
    player, after = position.turn(), position.copy()
    after.apply(move)
    if after.over:
        return float(after.payoffs()[player])
    recipe = Recipe(belief=("truth",), playout=Playout(informed="scripted"))
    tally = Search(after.game, recipe, after, 0, [], seed).play_out(games)
    return float(tally[2][player]) / games


def searched(game: Game, spec: str, one: Decision) -> tuple[Report, Position]:
    agent, position = ready(game, spec, one.moves, one.player)
    search = agent.start_search(position.view(one.player), position.legal())
    search.run(Budget(agent.iterations or 0))
    return search.report(), position


def measure(
    game: Game, specs: list[str], decision: Decision, games: int, seed: int
) -> dict[str, float]:
    """By agent and way to choose: what its move wins more than the scripted player's."""
    chosen: dict[str, int] = {}
    for spec in specs:
        report, position = searched(game, spec, decision)
        chosen[f"{spec}, best mean"] = report.best("mean").move
        most = report.best("visits")
        chosen[f"{spec}, most visits"] = most.move
        usual = next((one for one in report.candidates if one.move == decision.move), None)
        for doubt in DOUBTS:
            ahead = exceeds(most, usual, doubt)
            chosen[f"{spec}, doubt={doubt:g}"] = most.move if ahead else decision.move
    worth = {
        move: value(position, move, games, derive(seed, "playouts"))
        for move in {decision.move, *chosen.values()}
    }
    return {name: worth[move] - worth[decision.move] for name, move in chosen.items()}


def main() -> None:
    words = argparse.ArgumentParser(description=(__doc__ or "").split(":", maxsplit=1)[0])
    words.add_argument("specs", nargs="+", metavar="SPEC")
    words.add_argument("--positions", type=int, default=160)
    words.add_argument("--games", type=int, default=500)
    words.add_argument("--seed", type=int, default=1)
    asked = words.parse_args()
    game = load_game("settlers")
    counts: Counter[str] = Counter()
    gains: dict[tuple[str, str], list[float]] = defaultdict(list)
    seen, played = 0, 0
    while seen < asked.positions:
        seed, played = derive(asked.seed, "game", played), played + 1
        for one in decisions(game, seed, counts):
            for name, gain in measure(game, asked.specs, one, asked.games, seed + seen).items():
                gains[name, one.sort].append(gain)
            seen += 1
        print(f"{seen} of {asked.positions} positions", flush=True)
    show(gains, {sort: n / played / game.players for sort, n in counts.items()})


def show(gains: dict[tuple[str, str], list[float]], often: dict[str, float]) -> None:
    for (name, sort), values in sorted(gains.items()):
        error = 1.96 * statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
        row = f"{statistics.mean(values):+.4f} ± {error:.4f}  n = {len(values)}"
        print(f"{sort:<8} {often[sort]:5.1f} a game  {row}  {name}")
    for name in sorted({name for name, _ in gains}):
        whole = sum(n * statistics.mean(gains[name, sort]) for sort, n in often.items())
        print(f"all decisions of a game, as if they added up: {whole:+.3f}  {name}")


if __name__ == "__main__":
    main()
