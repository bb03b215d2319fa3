"""A game played at random and written down: every move, what each viewer saw, every view.

`python -m facedown.games.playthrough kuhn 1` prints one. Recorded ones are kept with the tests, so
that a change of the rules or of the text cannot pass unseen.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from textwrap import indent

from facedown.core import CHANCE, PUBLIC, FacedownError, Game, Position, Stream, derive


def playthrough(game: Game, seed: int) -> str:
    """The record of one random game, the same for the same seed on every machine.

    >>> from facedown.games.registry import load_game
    >>> print(playthrough(load_game("kuhn"), 1).splitlines()[0])
    game: kuhn
    """
    deal, players = Stream(derive(seed, "deal")), Stream(derive(seed, "players"))
    position, lines = game.start(), list(_header(game, seed))
    for ply in range(game.most_plies + 1):
        if position.over:
            break
        chance = position.turn() == CHANCE
        move = position.draw(deal) if chance else players.choice(position.legal())
        lines += [f"ply {ply}: {_actor(position)}", *_views(position), *_move(position, move)]
        position.play(move)
    payoffs = " ".join(f"{value:g}" for value in position.payoff())
    lines += ["end", *_views(position), f"payoffs: {payoffs}"]
    return "\n".join(lines) + "\n"


def _header(game: Game, seed: int) -> Iterator[str]:
    low, high = game.bounds
    yield f"game: {game.spec}"
    yield f"seed: {seed}"
    yield f"source of the rules: {getattr(game.definition, 'source', 'not given')}"
    yield f"made by: python -m facedown.games.playthrough {game.spec} {seed}"
    yield f"{game.players} players, payoffs from {low:g} to {high:g}"
    yield ""


def _actor(position: Position) -> str:
    return "chance" if position.turn() == CHANCE else f"player {position.turn()}"


def _viewers(game: Game) -> list[tuple[int, str]]:
    return [(PUBLIC, "the public"), *((k, f"player {k}") for k in range(game.players))]


def _views(position: Position) -> Iterator[str]:
    for viewer, name in _viewers(position.game):
        yield f"  view of {name}:"
        yield indent(position.view(viewer).text(viewer), " " * 4)


def _move(position: Position, move: int) -> Iterator[str]:
    game, names = position.game, [position.game.move_text(k) for k in position.legal()]
    if position.turn() == CHANCE:
        weights = position.weights()
        names = [f"{name} ({weight:.4f})" for name, weight in zip(names, weights, strict=True)]
    yield f"  legal: {', '.join(names)}"
    yield f"  move: {game.move_text(move)}"
    for viewer, name in _viewers(game):
        token = position.sees(move, viewer)
        words = game.text.observation_text(token, viewer) if token else "nothing"
        yield f"  seen by {name}: {token} ({words})"
    yield ""


def main(arguments: list[str]) -> int:
    """Print the playthrough of GAME with SEED; 2 where they are not understood."""
    from facedown.games.registry import load_game

    try:
        spec, seed = arguments
        number = int(seed)
    except ValueError:
        print("usage: python -m facedown.games.playthrough GAME SEED", file=sys.stderr)
        return 2
    try:
        print(playthrough(load_game(spec), number), end="")
    except FacedownError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
