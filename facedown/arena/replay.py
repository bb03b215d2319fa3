"""Playing a recorded game again, move by move, to the same end."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

from facedown.arena.private import unshared
from facedown.core import CHANCE, OVER, Game, Position, RuleError
from facedown.games.registry import load_recorded
from facedown.store.records import GameRecord, MoveRecord, RecordError


def replay(record: GameRecord, game: Game | None = None) -> Position:
    """The position at the end of a recorded game, after every move was checked.

    By the rules of `game`, or of the game that it names, unless that is in somebody's Python file.
    Moves are found by their text among the legal ones: a game in plain Python numbers its moves as
    it meets them. RecordError says at which ply what differs: a move that is not legal, another
    player's turn, an end too early or too late, other payoffs.
    """
    *_, (_, position) = _walk(record, game)
    _check_end(record, position)
    return position


def plies(record: GameRecord, game: Game | None = None) -> Iterator[tuple[MoveRecord, Position]]:
    """Each move of a recorded game with the position after it, for those who look on."""
    for move, position in _walk(record, game):
        if move is not None:
            yield move, position.copy()


def steps(record: GameRecord, game: Game | None = None) -> Iterator[tuple[int, Position]]:
    """Each move with the position in which it was made, which changes in place."""
    position = _start(record, game)
    for ply, move in enumerate(record.moves, 1):
        with _told(record, ply):
            number = _find(position, move)
        yield number, position
        with _told(record, ply):
            position.play(number)


def decisions(record: GameRecord, game: Game | None = None) -> Iterator[tuple[int, Position]]:
    """Each move of a player with the position in which it was chosen, which changes in place."""
    return (step for step in steps(record, game) if step[1].turn() != CHANCE)


def forfeit_payoffs(bounds: tuple[float, float], players: int, loser: int) -> tuple[float, ...]:
    """What a game pays that one player has lost other than by the rules."""
    return tuple(bounds[0] if player == loser else bounds[1] for player in range(players))


def _start(record: GameRecord, game: Game | None) -> Position:
    """The start of a recorded game."""
    game = unshared(game) if game is not None else load_recorded(record.game)
    if len(record.agents) != game.players or len(record.payoffs) != game.players:
        raise RecordError(f"{_name(record)}: it is not for {game.players} players")
    return game.start()


@contextmanager
def _told(record: GameRecord, ply: int) -> Iterator[None]:
    """RecordError for what does not fit at a ply."""
    try:
        yield
    except RuleError as error:
        raise RecordError(f"{_name(record)}, ply {ply}: {error}") from error
    except ValueError as error:
        raise RecordError(f"{_name(record)}, ply {ply}: {error}") from None


def _walk(record: GameRecord, game: Game | None) -> Iterator[tuple[MoveRecord | None, Position]]:
    """The start, then every move with the position after it, which changes in place."""
    position = _start(record, game)
    yield None, position
    for ply, move in enumerate(record.moves, 1):
        with _told(record, ply):
            position.play(_find(position, move))
        yield move, position


def _find(position: Position, move: MoveRecord) -> int:
    """The legal move of the position that was recorded; ValueError where there is none."""
    turn, game = position.turn(), position.game
    if turn != move.player:
        raise ValueError(f"{_who(move.player)} played {move.text!r}, but it is {_turn(turn)}")
    legal = position.legal()
    if not legal and turn == CHANCE and game.compiled:
        legal = [move.move]  # chance that draws without listing its outcomes
    if move.move in legal and game.move_text(move.move) == move.text:
        return move.move  # as it is but for games that number their moves anew
    texts = {number: game.move_text(number) for number in legal}
    named = [number for number, text in texts.items() if text == move.text]
    if not named:
        raise ValueError(f"{move.text!r} is not legal; legal: {', '.join(texts.values())}")
    return named[0]


def _check_end(record: GameRecord, position: Position) -> None:
    if record.forfeits:
        game, loser = position.game, record.forfeits[0].player
        payoffs = list(forfeit_payoffs(game.bounds, game.players, loser))
    elif position.over:
        payoffs = position.payoff()
    else:
        turn = _turn(position.turn())
        raise RecordError(f"{_name(record)}, after ply {len(record.moves)}: no end, it is {turn}")
    if not all(map(_close, payoffs, record.payoffs)):
        given = f"payoffs {list(record.payoffs)} recorded, {payoffs} replayed"
        raise RecordError(f"{_name(record)}, after ply {len(record.moves)}: {given}")


def _close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)


def _name(record: GameRecord) -> str:
    return f"game {record.number} of {record.game} (seed {record.seed})"


def _who(player: int) -> str:
    return "chance" if player == CHANCE else f"player {player}"


def _turn(turn: int) -> str:
    return "over" if turn == OVER else f"{_who(turn)}'s turn"
