"""The paper and its games, and recorded games as one player saw them, round by round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from facedown.papers.paper import Paper

if TYPE_CHECKING:
    from facedown.core import Game
    from facedown.store.records import GameRecord

PAPER = Paper(
    "schofield2019",
    "M. Schofield, M. Thielscher, General Game Playing with Imperfect Information, Journal of "
    "Artificial Intelligence Research 66, 2019",
)

MIDDLES = {
    "battleships-in-fog": 6,
    "blind-breakthrough-5x5": 6,
    "border-protection": 4,
    "guess-who": 5,
    "hidden-connect": 4,
    "krieg-tic-tac-toe-3x3": 3,
    "mastermind": 3,
    "transit": 5,
}
"""The games of section 5 as the library has them, each with the round that Table 1 looks at."""

_SOLITAIRES = ("exploding-bomb", "mastermind", "monty-hall", "number-guessing")

WEAK = "hyperplay:models=4,samples=1"
"""Who plays where games need variety: well below its best, as section 5.4 has it."""


@dataclass(frozen=True)
class Seen:
    """A recorded game as its last player saw it: tokens, round by round (one joint move each)."""

    game: Game
    viewer: int
    seed: int  # for whatever is sampled of it
    rounds: list[list[int]]


def seen(records: Iterable[GameRecord]) -> Iterator[Seen]:
    """The games of a match as the last player saw them: in turn the second, who moves blind first.

    A round ends when the viewer sees something that it has not done itself.
    """
    from facedown.core import derive
    from facedown.games.registry import load_game

    game = None
    for record in records:
        game = game or load_game(record.game)
        viewer, position = game.players - 1, game.start()
        rounds: list[list[int]] = [[]]
        for move in record.moves:
            own = position.turn() == viewer
            if token := position.sees(move.move, viewer):
                rounds[-1].append(token)
                if not own:
                    rounds.append([])
            position.play(move.move)
        yield Seen(game, viewer, derive(record.seed, "sampled", record.number), rounds[:-1])


def players(game: str) -> int:
    """How many play a game of the library, without reading it: one, or two."""
    return 1 if game in _SOLITAIRES else 2


def game_text(name: str) -> str:
    """A game of the library as people write it.

    >>> game_text("blind-breakthrough-8x8")
    'Blind Breakthrough 8x8'
    """
    small = {"in", "and"}
    return " ".join(w if w in small or w[0].isdigit() else w.capitalize() for w in name.split("-"))
