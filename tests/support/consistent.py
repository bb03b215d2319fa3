"""All histories that agree with what a viewer has observed, by plain enumeration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from facedown.core import CHANCE, OVER, Game, Position, Stream

History = tuple[int, ...]


@dataclass
class Told:
    """A game as it went, and what its viewer observed of it."""

    game: Game
    viewer: int
    position: Position
    moves: list[int] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)

    def play(self, move: int) -> None:
        if token := self.position.sees(move, self.viewer):
            self.tokens.append(token)
        self.moves.append(move)
        self.position.play(move)


def tell(game: Game, viewer: int, seed: int) -> Iterator[Told]:
    """A random game, after each of its moves."""
    told, stream = Told(game, viewer, game.start()), Stream(seed)
    while (turn := told.position.turn()) != OVER:
        legal = told.position.legal()
        told.play(told.position.draw(stream) if turn == CHANCE else stream.choice(legal))
        yield told


def after(game: Game, viewer: int, *moves: str) -> Told:
    """The game after moves given as text."""
    told = Told(game, viewer, game.start())
    for move in moves:
        told.play(game.parse_move(move, told.position.legal()))
    return told


def odds(position: Position, viewer: int) -> list[tuple[int, float]]:
    """The moves with how likely they are; the viewer's own are not in question."""
    legal, turn = position.legal(), position.turn()
    if turn == CHANCE:
        return list(zip(legal, position.weights(), strict=True))
    return [(move, 1.0 if turn == viewer else 1 / len(legal)) for move in legal]


class Enumerated:
    """The histories that end with the last token, and the moves that one must try to find all."""

    def __init__(self, game: Game, viewer: int, tokens: Sequence[int]) -> None:
        self.viewer, self.tokens, self.tried = viewer, list(tokens), 0
        self.chances: dict[History, float] = {}
        self._walk(game.start(), (), 0, 1.0)

    def _walk(self, position: Position, history: History, seen: int, chance: float) -> None:
        if seen == len(self.tokens):
            self.chances[history] = chance
            return
        if position.over:
            return
        own = position.turn() == self.viewer
        for move, odd in odds(position, self.viewer):
            token = position.sees(move, self.viewer)
            fits = token in (0, self.tokens[seen])
            self.tried += fits or not own
            if fits and odd > 0:
                after = position.copy()
                after.play(move)
                self._walk(after, (*history, move), seen + bool(token), chance * odd)

    @property
    def shares(self) -> dict[History, float]:
        total = sum(self.chances.values())
        return {history: chance / total for history, chance in self.chances.items()}


def rejected(told: Told, stream: Stream) -> int:
    """States that a sampler visits which starts again from the root whenever a token differs."""
    states, position, seen = 0, told.game.start(), 0
    while seen < len(told.tokens):
        if position.turn() == told.viewer:
            legal = position.legal()
            move = next(m for m in legal if position.sees(m, told.viewer) == told.tokens[seen])
        elif position.turn() == CHANCE:
            move = position.draw(stream)
        else:
            move = stream.choice(position.legal())
        states += 1
        token = position.sees(move, told.viewer)
        if token not in (0, told.tokens[seen]):
            position, seen = told.game.start(), 0
            continue
        position.play(move)
        seen += bool(token)
    return states
