"""The shape of Settlers, as in Table 1 of Dobre and Lascarides (2018).

    python benchmarks/settlers_shape.py [GAMES] [--game SPEC]

What the rules fix is counted off them; depth and branching are means over games of four players
who choose any legal move, any kind of move first, or play as `scripted`. A decision is a player's,
forced ones included; chance's moves are counted apart.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from math import factorial, prod

from rich.console import Console
from rich.table import Table

from facedown.agents.registry import make_agent
from facedown.core import CHANCE, Game, Position, Stream, derive
from facedown.games.registry import load_game
from facedown.games.settlers import moves as m

Choose = Callable[[Position], int]


def any_move(game: Game, seed: int) -> Choose:
    stream = Stream(derive(seed, "moves"))
    return lambda position: stream.choice(position.legal())


def any_kind(game: Game, seed: int) -> Choose:
    stream = Stream(derive(seed, "kinds"))
    return lambda position: stream.choice(position.of_kind(stream.choice(position.kinds())))


def scripted(game: Game, seed: int) -> Choose:
    """As a match has it: everybody decides from his own view."""
    agents = [make_agent("scripted", game, p, derive(seed, p)) for p in range(game.players)]

    def choose(position: Position) -> int:
        player = position.turn()
        return agents[player].choose(position.view(player), position.legal())

    return choose


PLAYERS = {"any move": any_move, "any kind, then a move": any_kind, "scripted": scripted}


def shape(game: Game, choose: Choose, seed: int) -> dict[str, list[float]]:
    """One game: decisions, what could be chosen at each, chance's moves, turns."""
    position, stream = game.start(), Stream(derive(seed, "chance"))
    wide: list[float] = []
    kinds: list[float] = []
    chance = 0
    while not position.over:
        if position.turn() == CHANCE:
            position.apply(position.draw(stream))
            chance += 1
        else:
            wide.append(len(position.legal()))
            kinds.append(len(position.kinds()))
            position.apply(choose(position))
    free = [n for n in wide if n > 1]
    return {
        "decisions a game (depth)": [len(wide)],
        "of them with a choice": [len(free)],
        "legal moves at a decision (branching)": wide,
        "legal moves where there is a choice": free,
        "kinds of legal moves at a decision": kinds,
        "moves of chance a game": [chance],
        "turns a game": [float(position.record["turns"])],
        "decisions a turn": [len(wide) / max(float(position.record["turns"]), 1.0)],
    }


def many(game: Game, make: Callable[[Game, int], Choose], games: int) -> dict[str, str]:
    """Means over games, with the most that was seen."""
    found: dict[str, list[float]] = {}
    for seed in range(games):
        for what, numbers in shape(game, make(game, seed), seed).items():
            found.setdefault(what, []).extend(numbers)
    return {k: f"{statistics.fmean(v):,.1f} (at most {max(v):,.0f})" for k, v in found.items()}


def fixed(game: Game) -> dict[str, str]:
    """What follows from the rules: islands, moves that players have, kinds of them."""
    tiles = factorial(19) // prod(factorial(int(n)) for n in m.LAY_COUNTS)
    harbours = factorial(9) // prod(factorial(int(n)) for n in m.MOOR_COUNTS)
    composed = {m.COUNTER, m.COMPOSE, m.PROPOSE, m.CANCEL, *range(m.GIVE, m.TRADE)}
    answers = {m.ACCEPT, m.REJECT}
    left_out = {
        "none": composed | answers | set(range(m.TRADE, m.LAY)),
        "paper": composed,
        "table": set(range(m.TRADE, m.LAY)),
    }[game.definition.offers]
    moves = set(range(m.LAY)) - left_out
    kinds = {int(m.KIND_OF[move]) for move in moves} | {m.K_PLACEMENT}
    return {
        "islands": f"{tiles * 6 * harbours:.1e}",
        "different moves of players": f"{len(moves):,}",
        "kinds of moves": f"{len(kinds)}",
        "of them the types of the paper": f"{sum(kind <= m.K_TRADE for kind in kinds)}",
    }


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=int, nargs="?", default=40)
    parser.add_argument("--game", default="settlers")
    wanted = parser.parse_args()
    game = load_game(wanted.game)
    rules = Table("by the rules", game.spec)
    for what, number in fixed(game).items():
        rules.add_row(what, number)
    Console().print(rules)
    columns = {name: many(game, make, wanted.games) for name, make in PLAYERS.items()}
    played = Table(f"{wanted.games} games each", *columns)
    for what in next(iter(columns.values())):
        played.add_row(what, *(column[what] for column in columns.values()))
    Console(width=140).print(played)


if __name__ == "__main__":
    main()
