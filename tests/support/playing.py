"""What the tests of the games share: positions by their moves, every history."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from facedown.core import CHANCE, PUBLIC, Game, Position, Stream
from facedown.games.registry import GAMES, load_game
from support import EXAMPLES, SUPPORT

PLAIN = [f"{EXAMPLES / name}" for name in ("kuhn.py:Kuhn", "leduc.py:Leduc")]
TINY = [f"{SUPPORT / 'tiny.py'}:{name}" for name in ("StrategyFusion", "Pennies")]
VARIANTS = ["liars-dice:faces=3", "liars-dice:dice=2,faces=4,players=3", "liars-dice:dice=3"]
SHORT = {"settlers": "settlers:board=1,turns=5"}
"""What stands for a game whose random games take thousands of plies."""
REGISTERED = [SHORT.get(name, name) for name in GAMES]
ALL = [*REGISTERED, *VARIANTS, *PLAIN, *TINY]


@cache
def game(spec: str) -> Game:
    """A game, loaded once."""
    return load_game(spec)


def played(spec: str, *moves: str) -> Position:
    """The position after the moves, given as text; each must be legal."""
    position = game(spec).start()
    for move in moves:
        position.apply(position.game.parse_move(move, position.legal()))
    return position


def names(position: Position) -> list[str]:
    """The legal moves as text."""
    return [position.game.move_text(move) for move in position.legal()]


def viewers(g: Game) -> list[int]:
    """All players and the public."""
    return [PUBLIC, *range(g.players)]


def histories(
    position: Position, reach: float = 1.0, moves: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Position, float]]:
    """Every history from here on: its moves, its position, chance's probability of it."""
    yield moves, position, reach
    if position.over:
        return
    legal = position.legal()
    chances = position.weights() if position.turn() == CHANCE else [1.0] * len(legal)
    for move, chance in zip(legal, chances, strict=True):
        after = position.copy()
        after.apply(move)
        yield from histories(after, reach * chance, (*moves, position.game.move_text(move)))


def random_moves(g: Game, seed: int) -> Iterator[tuple[Position, int]]:
    """A random game: each position with the move that is then played there; no move at the end."""
    stream, position = Stream(seed), g.start()
    while not position.over:
        chance = position.turn() == CHANCE
        move = position.draw(stream) if chance else stream.choice(position.legal())
        yield position, move
        position.apply(move)
    yield position, -1
