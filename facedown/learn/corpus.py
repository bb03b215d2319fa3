"""Samples from recorded games: of every action that hid something, or of every reply, the features.

Records of agents, of simulated people and of real people (`facedown play --save --consent`) are
read alike. Of real people there are times but no names: whoever plays in one file of records counts
as one person. Their games are left out where they did not agree to be learnt from, or were helped.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from facedown.agents.person import is_simulated
from facedown.arena.replay import plies
from facedown.belief.predictor import About, features_of, predicted_of, replies_of
from facedown.core import CHANCE, Game, SpecError
from facedown.core.learning import Predicted
from facedown.games.registry import load_game
from facedown.learn.sources import records_of
from facedown.store.records import HUMAN, GameRecord, MoveRecord, RecordError

Array = np.ndarray[Any, Any]

PEOPLE, SIMULATED, AGENTS = "people", "simulated people", "agents"


@dataclass(frozen=True)
class Sample:
    """One action: its features, whether it was as predicted, where it comes from.

    `pair` is who played whom, and `people` those of them whose actions are learnt from. In a pair's
    order of time come `sitting`, `match` (which game of it) and `round` (the place in the game).
    """

    values: tuple[float, ...]
    positive: bool
    pair: tuple[str, ...]
    people: frozenset[str]
    sitting: tuple[str, int]
    match: int
    round: int


@dataclass(frozen=True, eq=False)
class Corpus:
    """Samples in order of pair and, within it, of time.

    `values` [samples, features]; `positive`, `pair`, `match`, `round` [samples]. `pairs` has by the
    number of a pair its two players, and `kin` the pairs that share a person with it, itself
    included; an agent that many people met is nothing that they have in common.
    `kind` is whose actions they are, `about` what is to be told of them; `left_out` counts games
    by the reason.
    """

    game: str
    kind: str
    about: About
    features: Predicted
    values: Array
    positive: Array
    pair: Array
    match: Array
    round: Array
    pairs: tuple[tuple[str, ...], ...]
    kin: tuple[frozenset[int], ...]
    left_out: Mapping[str, int]

    def __len__(self) -> int:
        return len(self.positive)


def read_corpus(
    game_spec: str,
    sources: Sequence[str | Path],
    about: About = "secrets",
    store: str | None = None,
) -> Corpus:
    """The samples of files of records, and of runs of the store, by their numbers.

    SpecError where there are none or they do not fit.
    """
    game = load_game(game_spec)
    if game.players != 2:
        raise SpecError(f"{game.name} has {game.players} players; what is learnt here is of two")
    predicted_of(game, about)
    once = list({Path(source).resolve(): str(source) for source in sources}.values())
    records = ((f"file {k}", one) for k, name in enumerate(once) for one in records_of(name, store))
    return _gathered(game, records, " and ".join(map(str, once)), about)


def gather(game: Game, records: Iterable[GameRecord], about: About = "secrets") -> Corpus:
    """The samples of games, all of one game and of one kind of players, as if of one file."""
    return _gathered(game, (("the file", record) for record in records), "the records", about)


def _gathered(
    game: Game, records: Iterable[tuple[str, GameRecord]], source: str, about: About
) -> Corpus:
    """The samples of games, each with the name of its file; `source` is for messages."""
    kinds: set[str] = set()
    left_out: Counter[str] = Counter()
    samples: list[Sample] = []
    games = 0
    for file, record in records:
        games += 1
        if record.game != game.spec:
            raise RecordError(f"{source}: games of {record.game} among those of {game.spec}")
        kinds.add(kind_of(record))
        if len(kinds) > 1:
            raise RecordError(
                f"{source}: games of {' and '.join(sorted(kinds))} are mixed; one kind is wanted"
            )
        reason = unusable(record)
        if reason:
            left_out[reason] += 1
            continue
        samples.extend(samples_of(game, record, file, about))
    if not samples:
        told = "".join(f", {n} of them {reason}" for reason, n in left_out.items())
        raise RecordError(f"{source}: nothing to learn from in {games} games{told}")
    return _stacked(game, kinds.pop(), about, samples, left_out)


def seats_of(record: GameRecord, agent: str | None) -> frozenset[int]:
    """The players of a game that an agent played, by its spec or by its name; None: all of them."""
    return frozenset(
        player
        for player, spec in enumerate(record.agents)
        if agent is None or agent in (spec, spec.partition(":")[0])
    )


def kind_of(record: GameRecord) -> str:
    """Whose actions a game is about: people's if there are any, real ones before simulated ones."""
    if HUMAN in record.agents:
        return PEOPLE
    return SIMULATED if any(map(is_simulated, record.agents)) else AGENTS


def unusable(record: GameRecord) -> str:
    """Why a game is left out; empty: it is not."""
    if HUMAN not in record.agents:
        return ""
    if not record.consent:
        return "without consent"
    return "assisted" if record.assisted else ""


def samples_of(
    game: Game, record: GameRecord, file: str = "the file", about: About = "secrets"
) -> Iterator[Sample]:
    """The actions of the people in a game, or of all players where all are agents."""
    kind, names = kind_of(record), _players(record, file)
    pair = tuple(sorted(names))
    meant = [_meant(spec, kind) for spec in record.agents]
    people = frozenset(name for name, counts in zip(names, meant, strict=True) if counts)
    # when a program played says nothing, and would make results depend on it
    sitting = (record.started, 0) if kind == PEOPLE else ("", record.seed)
    found = _secrets if about == "secrets" else _replies
    for one in found(game, record, meant):
        values = tuple(map(float, one.values))
        yield Sample(values, one.positive, pair, people, sitting, record.number, one.moment)


@dataclass(frozen=True)
class _Seen:
    """An action as a player has it before them: features, what it was, its number."""

    values: Sequence[float]
    positive: bool
    moment: int


def _secrets(game: Game, record: GameRecord, meant: Sequence[bool]) -> Iterator[_Seen]:
    """The actions that hid something, each from the side of the player who has to answer it."""
    features = features_of(game)
    seconds: list[list[float]] = [[] for _ in meant]
    for move, position in plies(record, game):
        if move.player != CHANCE:
            seconds[move.player].append(response(record, move))
        answering = position.turn()
        if answering < 0 or not meant[1 - answering]:
            continue
        label = position.secret(answering)
        if label in features.labels:
            view = position.view(answering).record
            values = features.values(view, answering, seconds[1 - answering])
            yield _Seen(values, label == features.positive, features.moment(view))


def _replies(game: Game, record: GameRecord, meant: Sequence[bool]) -> Iterator[_Seen]:
    """The replies, each from the side of the player who is answered, before their own move."""
    replies = replies_of(game)
    seconds: list[list[float]] = [[] for _ in meant]
    before, asked = game.start(), None
    for move, position in plies(record, game):
        player = move.player
        if player != CHANCE:
            if asked is not None:
                yield replace(asked, positive=move.move == replies.reply)
            asked = None
            if replies.asks(move.move) and meant[1 - player]:
                view = before.view(player).record
                values = replies.values(view, player, move.move, seconds[1 - player])
                asked = _Seen(values, False, replies.moment(view))
            seconds[player].append(response(record, move))
        if position.turn() >= 0:
            before = position
            if asked is not None and replies.reply not in position.legal():
                asked = None


def response(record: GameRecord, move: MoveRecord) -> float:
    """The seconds that others saw a decision take; NaN for a program, whose time means nothing."""
    told = (move.summary or {}).get("response")
    if is_simulated(record.agents[move.player]) and isinstance(told, int | float):
        return float(told)
    return move.seconds if record.agents[move.player] == HUMAN else math.nan


def _meant(spec: str, kind: str) -> bool:
    return kind == AGENTS or (spec == HUMAN if kind == PEOPLE else is_simulated(spec))


def _players(record: GameRecord, file: str) -> list[str]:
    """Who plays, as far as a record tells one from another.

    A simulated person is the same wherever they sit, and so is an agent that people meet. Of people
    there is no name: all that is known is whose file it is. Agents among themselves are known
    within a run alone.
    """
    return [_player(record, player, spec, file) for player, spec in enumerate(record.agents)]


def _player(record: GameRecord, player: int, spec: str, file: str) -> str:
    if spec == HUMAN:
        return f"{spec} of {file}"
    if is_simulated(spec):
        for move in record.moves:
            if move.player == player and "simulated" in (move.summary or {}):
                return f"person {(move.summary or {})['simulated']}"
    return f"{spec} of seed {record.seed}" if kind_of(record) == AGENTS else spec


def _stacked(
    game: Game, kind: str, about: About, samples: list[Sample], left_out: Mapping[str, int]
) -> Corpus:
    pairs = tuple(sorted({one.pair for one in samples}))
    numbers = {pair: k for k, pair in enumerate(pairs)}
    samples.sort(key=lambda one: (numbers[one.pair], one.sitting, one.match, one.round))
    people = {one.pair: one.people for one in samples}
    kin = tuple(
        frozenset(k for k, other in enumerate(pairs) if k == own or people[pair] & people[other])
        for own, pair in enumerate(pairs)
    )
    return Corpus(
        game=game.spec,
        kind=kind,
        about=about,
        features=predicted_of(game, about),
        values=np.array([one.values for one in samples]),
        positive=np.array([one.positive for one in samples]),
        pair=np.array([numbers[one.pair] for one in samples]),
        match=np.array([one.match for one in samples]),
        round=np.array([one.round for one in samples]),
        pairs=pairs,
        kin=kin,
        left_out=dict(left_out),
    )
