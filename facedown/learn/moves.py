"""What players choose, learnt from recorded games: a network over the traits of moves.

A classifier is trained to tell the move that was chosen from others that were legal, a few of which
are drawn for each decision. Its log-odds are then, but for a number that is the same for all moves
of a position, the logarithm of how likely the move is to be chosen, so that a softmax over them is
the players' policy (noise-contrastive estimation). Half of the decisions are told as another player
sees them, for a search asks of others too.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from facedown.arena.replay import steps
from facedown.belief.predictor import MissingLearnError
from facedown.core import Game, Memo, Position, SpecError, Stream, derive
from facedown.games.registry import load_recorded
from facedown.learn.corpus import seats_of, unusable
from facedown.learn.sources import records_of
from facedown.search.network import Network
from facedown.search.preferences import Preferences
from facedown.store.records import GameRecord, RecordError

Array = np.ndarray[Any, Any]
Progress = Callable[[int, int], None]

OTHERS = 7
"""Moves that were not chosen, for each that was."""
HELD_OUT, FORETOLD = 10, 60
"""Of so many games one tells when to stop, and one what was learnt; so many decisions of each."""
HIDDEN = 32
EPOCHS, PATIENCE = 40, 4
"""Rounds of training at most, and how many may bring nothing."""
_PART = 65536  # samples between two looks


@dataclass(frozen=True, eq=False)
class Choice:
    """A decision with some or all of its moves: traits, which was chosen, kinds if there are any.

    `kinds` are those of the moves told; `legal` has all of the position's, a bit each.
    """

    position: Array
    moves: Array
    chosen: int
    kinds: tuple[int, ...]
    legal: int


@dataclass(frozen=True, eq=False)
class Choices:
    """Decisions to learn from; others, with all of their moves, to tell when to stop; and others.

    Those of the third kind are never looked at in training: they tell what was learnt.
    """

    learnt: Sequence[Choice]
    watched: Sequence[Choice]
    tested: Sequence[Choice]
    games: int
    agents: dict[str, int]
    left_out: dict[str, int]
    agent: str | None = None  # the only one whose decisions they are


@dataclass(frozen=True)
class Foretold:
    """How well choices of held-out games are foretold: mean log score, share of first guesses."""

    name: str
    log_score: float
    first: float

    def to_json(self) -> dict[str, float]:
        """The numbers."""
        return {"log score": round(self.log_score, 4), "first guess": round(self.first, 4)}


# --- decisions ------------------------------------------------------------------------------------


def read_choices(
    game: Game,
    sources: Sequence[str],
    store: str | None = None,
    seed: int = 0,
    agent: str | None = None,
) -> Choices:
    """The decisions of recorded games, of one agent if it is named; SpecError if there are none."""
    if game.traits is None:
        raise SpecError(f"{game.name} tells no traits of its moves (`traits`, `trait_names`)")
    records = (one for source in sources for one in records_of(source, store))
    return gather(game, records, " and ".join(sources), seed, agent)


def gather(
    game: Game,
    records: Iterable[GameRecord],
    source: str,
    seed: int = 0,
    agent: str | None = None,
) -> Choices:
    """The decisions of these games, those of every fifth held out for one thing or the other."""
    learnt: list[Choice] = []
    held: tuple[list[Choice], list[Choice]] = ([], [])
    players: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    load = cache(lambda spec: game if spec == game.spec else load_recorded(spec))
    games = 0
    for record in records:
        if load(record.game).name != game.name:
            raise RecordError(f"{source}: games of {record.game} among those of {game.spec}")
        reason = unusable(record)
        if reason:
            left_out[reason] += 1
            continue
        games += 1
        players.update(record.agents)
        stream = Stream(derive(seed, "moves", games))
        others = OTHERS if 2 * games % HELD_OUT else None
        found = list(choices_of(load(record.game), record, stream, others, agent))
        if others is not None:
            learnt += found
            continue
        stream.shuffle(found)
        held[games % HELD_OUT == 0].extend(found[:FORETOLD])
    if not learnt or not all(held):
        told = "".join(f", {n} left out {reason}" for reason, n in left_out.items())
        raise RecordError(
            f"{source}: {games} games to learn from{told}; at least {HELD_OUT} are wanted, with "
            f"decisions between moves{'' if agent is None else f' by {agent}'}"
        )
    return Choices(learnt, *held, games, dict(sorted(players.items())), dict(left_out), agent)


def choices_of(
    game: Game,
    record: GameRecord,
    stream: Stream,
    others: int | None,
    agent: str | None = None,
) -> Iterator[Choice]:
    """The decisions (of `agent`) between several moves; with `others` only so many of the rest."""
    seats = seats_of(record, agent)
    memos = [Memo(game) for _ in range(game.players)]
    for move, position in steps(record, game):
        player = position.turn()
        if player in seats:
            legal = position.choices()
            if len(legal) > 1:
                yield _choice(position, legal, move, memos, stream, others)
        if game.has("remember"):
            for viewer, memo in enumerate(memos):
                token = position.sees(move, viewer)
                if token:
                    memo.remember(token, viewer)


def _choice(
    position: Position,
    legal: list[int],
    move: int,
    memos: Sequence[Memo],
    stream: Stream,
    others: int | None,
) -> Choice:
    viewer = position.turn()
    if stream.below(2):
        viewer = stream.below(len(memos))
    rest = [one for one in legal if one != move]
    stream.shuffle(rest)
    told = [move, *rest[:others]]
    whole, rows = position.traits(viewer, told, memos[viewer])
    has = position.game.has("kind")
    kinds = tuple(position.kind(one) for one in told) if has else ()
    bits = position.kind_bits() if has else 0
    return Choice(whole.astype(np.float32), rows.astype(np.float32), 0, kinds, bits)


# --- training -------------------------------------------------------------------------------------


def train(
    game: Game,
    choices: Choices,
    seed: int = 0,
    hidden: int = HIDDEN,
    progress: Progress | None = None,
) -> Network:
    """A network of one hidden layer that tells chosen moves from others.

    Of all rounds of training that counts after which the decisions that are watched were foretold
    best.
    """
    values, chosen = samples(choices.learnt)
    fitted = classifier(hidden, derive(seed, "network") % (1 << 31))
    random = np.random.default_rng(derive(seed, "order"))
    best, highest, idle = None, -np.inf, 0
    for done in range(1, EPOCHS + 1):
        order = random.permutation(len(values))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for part in np.array_split(order, -(-len(order) // _PART)):
                fitted.partial_fit(values[part], chosen[part], classes=[False, True])
        network = network_of(game, fitted)
        score = foretold("network", choices.watched, by_network(network)).log_score
        idle = 0 if score > highest else idle + 1
        if not idle:
            best, highest = network, score
        if progress is not None:
            progress(done, EPOCHS)
        if idle == PATIENCE:
            break
    assert best is not None
    return best


def classifier(hidden: int, seed: int) -> Any:
    """A network that is yet to learn, of so many hidden units."""
    try:
        from sklearn.neural_network import MLPClassifier
    except ModuleNotFoundError:
        raise MissingLearnError from None
    return MLPClassifier((hidden,), batch_size=256, random_state=seed)


def samples(choices: Sequence[Choice]) -> tuple[Array, Array]:
    """Traits of position and move [samples, traits], and whether the move was chosen [samples]."""
    whole = np.concatenate(
        [np.repeat(one.position[None], len(one.moves), axis=0) for one in choices]
    )
    values = np.concatenate([whole, np.concatenate([one.moves for one in choices])], axis=1)
    return values, np.concatenate([np.arange(len(one.moves)) == one.chosen for one in choices])


def network_of(game: Game, fitted: Any) -> Network:
    """What a classifier has learnt so far."""
    assert game.traits is not None
    layers = zip(fitted.coefs_, fitted.intercepts_, strict=True)
    copied = tuple((np.array(w, np.float64), np.array(b, np.float64)) for w, b in layers)
    return Network(game.name, game.traits, copied, {})


# --- how well ------------------------------------------------------------------------------------


def by_network(network: Network) -> Callable[[Choice], Array]:
    """The policy of a network: a softmax over its scores."""

    def shares(one: Choice) -> Array:
        scores = network.scores(one.position, one.moves)
        weights = np.exp(scores - scores.max())
        return np.asarray(weights / weights.sum())

    return shares


def by_kinds(known: Preferences) -> Callable[[Choice], Array]:
    """The policy of preferences: a kind by equation 2, then any move of it."""

    def shares(one: Choice) -> Array:
        liked, often = known.conditioned(one.legal), Counter(one.kinds)
        return np.array([liked[kind] / often[kind] for kind in one.kinds])

    return shares


def evenly(one: Choice) -> Array:
    """Every move as likely."""
    return np.full(len(one.moves), 1.0 / len(one.moves))


def foretold(name: str, choices: Sequence[Choice], policy: Callable[[Choice], Array]) -> Foretold:
    """How well a policy foretells decisions; a tie for the first guess counts in part."""
    scores, first = [], []
    for one in choices:
        shares = policy(one)
        scores.append(np.log(max(float(shares[one.chosen]), 1e-12)))
        top = shares >= shares.max() - 1e-12
        first.append(float(top[one.chosen]) / float(top.sum()))
    return Foretold(name, float(np.mean(scores)), float(np.mean(first)))


def preferences_of(game: Game, choices: Choices) -> Preferences:
    """Preferences among kinds counted in the same decisions that a network is trained on."""
    sets: dict[int, list[int]] = {}
    for one in choices.learnt:
        row = sets.setdefault(one.legal, [0] * len(game.kind_names))
        row[one.kinds[one.chosen]] += 1
    return Preferences(game.name, game.kind_names, {k: tuple(v) for k, v in sets.items()}, {})


def compared(game: Game, choices: Choices, network: Network) -> list[Foretold]:
    """The network, preferences among kinds learnt from the same decisions, and no knowledge."""
    found = [foretold("network", choices.tested, by_network(network))]
    if game.has("kind") and game.kind_names:
        kinds = by_kinds(preferences_of(game, choices))
        found.append(foretold("kinds", choices.tested, kinds))
    return [*found, foretold("every move alike", choices.tested, evenly)]
