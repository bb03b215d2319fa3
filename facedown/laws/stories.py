"""Random games, and games that look alike to one viewer: the material that laws are tried on."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from facedown.core import CHANCE, OVER, Game, Position, RuleError, Stream
from facedown.laws.probes import chances, move_name, raw_legal

MOST_CANDIDATES = 64
"""How many legal moves are tried at one position where trying all would take too long."""

_STRAY = 40  # plies that a look-alike may take beyond the story that it follows


@dataclass(frozen=True)
class Story:
    """A game from its start: the moves, whether it ended, and what a rule raised on the way."""

    seed: int
    moves: tuple[int, ...]
    ended: bool = False
    error: RuleError | None = None
    cut: bool = False  # longer than `most_plies`, and cut there


def explained(error: Exception) -> RuleError:
    """Any exception as a RuleError whose text names the rule's line."""
    if isinstance(error, RuleError):
        return error
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    return RuleError(f"raised {type(error).__name__}: {error}{place}")


@contextmanager
def located(game: Game, moves: Sequence[int], *then: str) -> Iterator[None]:
    """What a rule raises within this block is raised as a RuleError after `moves` and `then`."""
    try:
        yield
    except Exception as error:
        known = explained(error)
        names = () if known.moves else (*(move_name(game, move) for move in moves), *then)
        raise known.within(moves=names) from error


def pick_move(position: Position, legal: list[int], stream: Stream) -> int:
    """A move of a random game: chance by its weights, players evenly."""
    if position.turn() != CHANCE:
        return stream.choice(legal)
    left = stream.random()
    for move, chance in zip(legal, chances(position, legal), strict=True):
        left -= chance
        if left < 0:
            return move
    return legal[-1]


def playable(position: Position) -> list[int]:
    """The legal moves where the game goes on; none where it is over or `turn` or `legal` is off."""
    turn = position.turn()
    if turn == OVER or not CHANCE <= turn < position.game.players:
        return []
    n, moves = raw_legal(position)
    game = position.game
    within = 0 < n <= game.most_moves and all(0 <= move < game.moves for move in moves)
    return moves if within else []


def play(game: Game, seed: int, stream: Stream, most: int) -> Story:
    """A random game of at most `most` plies; stops before a rule that raises."""
    moves: list[int] = []
    try:
        position = game.start()
        while len(moves) < most:
            legal = playable(position)
            if not legal:
                return Story(seed, tuple(moves), ended=position.turn() == OVER)
            move = pick_move(position, legal, stream)
            moves.append(move)
            position.play(move)
        return Story(seed, tuple(moves), ended=position.turn() == OVER, cut=not position.over)
    except Exception as error:
        names = [move_name(game, move) for move in moves]
        raised = explained(error).within(seed=seed, moves=names)
        return Story(seed, tuple(moves[:-1]), error=raised)


def replay(game: Game, moves: Sequence[int]) -> Position:
    """The position that the moves lead to from the start."""
    position = game.start()
    for ply, move in enumerate(moves):
        with located(game, moves[: ply + 1]):
            position.play(move)
    return position


def observed(game: Game, moves: Sequence[int], viewer: int) -> list[tuple[int, int]]:
    """The viewer's tokens along the moves that are not nothing, each with its ply."""
    position, tokens = game.start(), []
    for ply, move in enumerate(moves):
        with located(game, moves[: ply + 1]):
            token = position.sees(move, viewer)
            position.play(move)
        if token:
            tokens.append((ply, token))
    return tokens


def _fitting(
    position: Position, legal: list[int], viewer: int, wanted: int, stream: Stream
) -> list[int]:
    """The legal moves that the viewer sees as nothing or as the wanted token; some, if many."""
    if len(legal) > MOST_CANDIDATES:
        legal = legal.copy()
        stream.shuffle(legal)
        legal = legal[:MOST_CANDIDATES]
    return [move for move in legal if position.sees(move, viewer) in (0, wanted)]


def follow(
    game: Game, prefix: Sequence[int], tokens: Sequence[int], viewer: int, stream: Stream
) -> tuple[list[int], int]:
    """Random moves from `prefix` on that show the viewer `tokens`; how many of them were shown."""
    position, moves, shown = replay(game, prefix), list(prefix), 0
    most = len(prefix) + 2 * len(tokens) + _STRAY
    while shown < len(tokens) and len(moves) < most:
        with located(game, moves):
            legal = playable(position)
            fitting = _fitting(position, legal, viewer, tokens[shown], stream)
        if not fitting:
            break
        move = pick_move(position, legal, stream)
        if move not in fitting:
            move = stream.choice(fitting)
        moves.append(move)
        with located(game, moves):
            shown += position.sees(move, viewer) != 0
            position.play(move)
    return moves, shown


def look_alike(
    game: Game, moves: Sequence[int], viewer: int, stream: Stream, tries: int = 4
) -> list[int] | None:
    """Another story in which the viewer has observed the same as after `moves`, if one is found.

    It ends as soon as the viewer has observed all of it.
    """
    seen = observed(game, moves, viewer)
    tokens = [token for _, token in seen]
    for attempt in range(tries):
        cut = 0 if attempt < tries // 2 else stream.below(len(moves) + 1)
        behind = sum(ply < cut for ply, _ in seen)
        found, shown = follow(game, moves[:cut], tokens[behind:], viewer, stream)
        if shown == len(tokens) - behind:
            return found
    return None


def twin(game: Game, story: Story, viewer: int, stream: Stream) -> Story | None:
    """A story that forks off this one unseen by the viewer, and looks the same for a while."""
    seen = observed(game, story.moves, viewer)
    if not story.moves:
        return None
    first = stream.below(len(story.moves))
    for step in range(min(len(story.moves), 12)):
        fork = (first + step) % len(story.moves)
        other = _detour(game, story.moves, fork, viewer, stream)
        if other is not None:
            rest = [token for ply, token in seen if ply > fork]
            prefix = (*story.moves[:fork], other)
            moves, _ = follow(game, prefix, rest, viewer, stream)
            return Story(story.seed, tuple(moves))
    return None


def _detour(game: Game, moves: Sequence[int], fork: int, viewer: int, stream: Stream) -> int | None:
    """Another move at ply `fork` that the viewer sees in the same way."""
    position = replay(game, moves[:fork])
    with located(game, moves[:fork]):
        token = position.sees(moves[fork], viewer)
        legal = [move for move in playable(position) if move != moves[fork]]
        stream.shuffle(legal)
        alike = (m for m in legal[:MOST_CANDIDATES] if position.sees(m, viewer) == token)
        return next(alike, None)
