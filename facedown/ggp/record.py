"""Matches of a referee as recorded games, which `facedown replay` shows and verifies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from facedown.core import CHANCE, FacedownError, Game, Position, SpecError
from facedown.games.registry import RULE_FILE, load_recorded
from facedown.gdl import library
from facedown.gdl.simulate import RANDOM
from facedown.ggp.messages import read_term
from facedown.ggp.referee import Report, Turn
from facedown.ggp.vocabulary import Vocabulary, vocabulary
from facedown.store.records import GameRecord, MoveRecord, RecordError

MOST_BYTES = 100_000_000
"""Of a log that is read."""

_FIELDS = {"match", "rules", "players", "steps", "goals", "seed"}


def spec_of(rules: str | Path) -> str:
    """The game of a rule file, as commands take it; one of the library by its name.

    >>> spec_of(library.find("nim"))
    'nim'
    """
    path = Path(rules)
    own = path.stem in library.names() and path == library.find(path.stem)
    return path.stem if own else f"{RULE_FILE}{path}"


def log_of(file: str | Path) -> Report | None:
    """The match that a file is the log of; None where it is no log of a match.

    RecordError where it is one, and cannot be read.
    """
    path = Path(file)
    try:
        if not path.is_file() or path.stat().st_size > MOST_BYTES:
            return None
        plain = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None  # whoever reads records says what is wrong with it
    if not isinstance(plain, dict) or not set(plain) >= _FIELDS:
        return None
    return report_of(plain, str(file))


def report_of(plain: dict[str, Any], where: str) -> Report:
    """The report that a log holds; RecordError where it holds none."""
    try:
        return Report.from_json(plain)
    except (TypeError, KeyError, AttributeError, ValueError) as error:
        raise RecordError(
            f"{where}: the log of a match lacks what it should have: {error}"
        ) from None


def record_of(report: Report, game: Game | None = None) -> GameRecord:
    """A match that came to its end as a recorded game; RecordError where it did not, or cannot be.

    Who stood in for whom is in the summaries of the moves.
    """
    if not report.goals:
        raise RecordError(f"match {report.match} did not come to its end")
    spec = spec_of(report.rules)
    try:
        game = game or load_recorded(spec)
        words = vocabulary(game, game.definition.description, next(iter(report.players)))
        position = game.start()
        moves = [one for turn in report.steps for one in _moves(position, words, turn)]
        payoffs = tuple(position.payoff())
    except (SpecError, FacedownError, KeyError, ValueError) as error:
        raise RecordError(f"match {report.match}: {error}") from None
    return GameRecord(
        game=spec,
        seed=report.seed,
        number=0,
        deal=0,
        deal_seed=report.seed,
        rotation=0,
        agents=tuple(report.players.values()),
        cheats=(False,) * game.players,
        moves=tuple(moves),
        payoffs=payoffs,
        started=report.started,
    )


def _moves(position: Position, words: Vocabulary, turn: Turn) -> Iterator[MoveRecord]:
    """The moves of the contract that a joint move is, played on the position one by one."""
    step = words.steps(position)
    while not position.over and words.steps(position) == step:
        player, legal = position.turn(), position.legal()
        role = RANDOM if player == CHANCE else words.named(player)
        move = legal[0]  # of CHANCE, where nobody has a choice
        if len(legal) > 1 or player != CHANCE:
            move = words.number(role, read_term(turn.moves[role]))
        if move not in legal:
            raise ValueError(f"{role} did {turn.moves[role]}, which is not legal")
        asked = turn.asked.get(role)
        summary = {"fault": asked.fault} if asked is not None and asked.fault else None
        seconds = 0.0 if asked is None else asked.seconds
        yield MoveRecord(player, move, words.game.move_text(move), seconds, summary)
        position.play(move)
