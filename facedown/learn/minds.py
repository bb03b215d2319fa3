"""How kinds of players play, learnt from games of strangers: a crowd, then each family.

A network of one hidden layer scores moves by their traits, as whoever chooses sees them, and a
softmax over all legal moves is how likely each is chosen; it is trained to make what was chosen
likely (cross-entropy, Adam). That of the crowd is trained on everybody's choices. A family's begins
as the crowd's and is trained on by the family's own. Only the families to learn from are met.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.core import SpecError, Stream, derive
from facedown.games.resistance import Resistance
from facedown.games.resistance.crowd import Crowd
from facedown.games.resistance.layout import (
    HIDDEN,
    MOVE_TRAITS,
    POSITION_TRAITS,
    PROPOSING,
)
from facedown.strangers.family import Family
from facedown.strangers.halves import seated
from facedown.strangers.telling import Told, tell
from facedown.strangers.training_half import TRAINING

Array = np.ndarray[Any, np.dtype[np.float64]]
Progress = Callable[[int, int], None]

CROWD = "crowd"
ALIKE = 0.5
"""The share of tables at which all are of one family."""
MOST_CHOICES = {False: 60_000, True: 9_000}
"""Choices of a family to learn from: between two moves, and among teams."""
BATCH = {False: 512, True: 128}
ROUNDS = {CROWD: 12, "family": 8}
RATE = 3e-3
_TRAITS = POSITION_TRAITS + MOVE_TRAITS


@dataclass
class Net:
    """Weights of the first layer [traits, hidden], its offsets, weights of the second."""

    first: Array
    offsets: Array
    second: Array

    @classmethod
    def drawn(cls, seed: int) -> Net:
        """One that has learnt nothing."""
        random = np.random.default_rng(seed)
        return cls(
            random.normal(0, np.sqrt(2 / _TRAITS), (_TRAITS, HIDDEN)),
            np.zeros(HIDDEN),
            random.normal(0, np.sqrt(1 / HIDDEN), HIDDEN),
        )

    @property
    def parts(self) -> tuple[Array, Array, Array]:
        """All numbers, as they lie."""
        return self.first, self.offsets, self.second

    def copy(self) -> Net:
        """Another one that is the same."""
        return Net(*(part.copy() for part in self.parts))

    def scores(self, traits: Any) -> tuple[Array, Array]:
        """The scores of moves [choice, move], and the hidden layer's values."""
        hidden = np.maximum(traits @ self.first + self.offsets, 0.0)
        return hidden @ self.second, hidden

    def flat(self) -> Array:
        """All numbers in one row, as the game keeps them."""
        return np.concatenate([*(part.ravel() for part in self.parts), np.zeros(1)])


def shares(scores: Array) -> Array:
    """A softmax over the moves of each choice."""
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def log_score(net: Net, told: Sequence[Told]) -> float:
    """The mean logarithm of how likely what was chosen was."""
    found = [
        np.log(shares(net.scores(one.traits)[0])[np.arange(len(one.chosen)), one.chosen])
        for one in told
    ]
    return float(np.concatenate(found).mean())


def evenly(told: Sequence[Told]) -> float:
    """The same where every move is as likely."""
    found = [np.full(len(one.chosen), -np.log(one.traits.shape[1])) for one in told]
    return float(np.concatenate(found).mean())


class Adam:
    """Steps down a gradient (Kingma and Ba 2015), with the paper's constants."""

    def __init__(self, net: Net, rate: float) -> None:
        self.net, self.rate, self.steps = net, rate, 0
        self.means = [np.zeros_like(part) for part in net.parts]
        self.squares = [np.zeros_like(part) for part in net.parts]

    def step(self, gradients: Sequence[Array]) -> None:
        """One step."""
        self.steps += 1
        scale = self.rate * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        rows = zip(self.net.parts, gradients, self.means, self.squares, strict=True)
        for part, gradient, mean, square in rows:
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient * gradient - square)
            part -= scale * mean / (np.sqrt(square) + 1e-8)


def gradients(net: Net, told: Told, weights: Array | None = None) -> tuple[Array, Array, Array]:
    """Of the cross-entropy of a batch, for each part of a net; choices may have weights."""
    scores, hidden = net.scores(told.traits)
    error = shares(scores)
    error[np.arange(len(error)), told.chosen] -= 1.0
    error /= len(error)
    if weights is not None:
        error *= weights[:, None]
    back = error[..., None] * net.second * (hidden > 0)
    rows = back.reshape(-1, HIDDEN)
    first = told.traits.reshape(-1, _TRAITS).T @ rows
    return first, rows.sum(axis=0), (error[..., None] * hidden).sum(axis=(0, 1))


def trained(net: Net, told: Sequence[Told], rounds: int, seed: int, rate: float = RATE) -> Net:
    """A net trained on, for so many rounds over all choices."""
    net = net.copy()
    adam, random = Adam(net, rate), np.random.default_rng(seed)
    for done in range(rounds):
        adam.rate = rate * (1 - done / rounds)
        batches = []
        for one in told:
            size = BATCH[one.traits.shape[1] > 2]
            order = random.permutation(len(one.chosen))
            parts = np.array_split(order, max(1, len(order) // size))
            batches += [one.part(part) for part in parts]
        for k in random.permutation(len(batches)):
            adam.step(gradients(net, batches[k]))
    return net


# --- what is learnt from --------------------------------------------------------------------------


def choices_of(
    game: Resistance, families: Sequence[Family], games: int, seed: int
) -> dict[str, list[Told]]:
    """What players of each family chose, at tables of these families."""
    stream = Stream(derive(seed, "tables"))
    numbers = [TRAINING.number_of(family.name) for family in families]
    seats, parameters = seated(families, games, game.players, ALIKE, stream)
    seats = np.array(numbers)[seats]
    log, _ = TRAINING.games(game, seats, parameters, stream.bits(), games * 60)
    kind = seats[log["game"], log["player"]]
    teams = log["state"]["phase"] == PROPOSING
    found = {}
    for family, number in zip(families, numbers, strict=True):
        some = [log[(kind == number) & (teams == among)] for among in (False, True)]
        found[family.name] = [
            tell(game, part[: MOST_CHOICES[among]], game.most_moves if among else 2)
            for among, part in zip((False, True), some, strict=True)
        ]
    return found


def split(told: Sequence[Told], share: float = 0.1) -> tuple[list[Told], list[Told]]:
    """The first so many to train on, the last to tell what was learnt."""
    cut = [int(len(one.chosen) * (1 - share)) for one in told]
    learnt = [one.part(slice(0, k)) for one, k in zip(told, cut, strict=True)]
    return learnt, [one.part(slice(k, None)) for one, k in zip(told, cut, strict=True)]


@dataclass(frozen=True)
class Learnt:
    """Nets by name, the crowd's first, and how well each foretells its family's held-out choices.

    `foretold` has by family the log score of its own net, of the crowd's, and of no knowledge.
    """

    nets: dict[str, Net]
    foretold: dict[str, tuple[float, float, float]]


def learn(
    games: int,
    seed: int,
    without: Sequence[str] = (),
    progress: Progress | None = None,
) -> Learnt:
    """Learn the crowd and the families from so many games of the strangers to learn from.

    Those named `without` are left out, to see how well the others foretell them.
    """
    families = [one for one in TRAINING.families if one.name not in without]
    if not families or games < 10:
        raise SpecError(f"{games} games of {len(families)} families: at least 10 games of one")
    game = Resistance()
    told = {name: split(some) for name, some in choices_of(game, families, games, seed).items()}
    everybody = [joined([told[name][0][k] for name in told]) for k in range(2)]
    crowd = trained(Net.drawn(derive(seed, "net") % (1 << 32)), everybody, ROUNDS[CROWD], seed)
    nets, foretold = {CROWD: crowd}, {}
    for done, (name, (own, held)) in enumerate(told.items(), 1):
        nets[name] = trained(crowd, own, ROUNDS["family"], seed + done, RATE / 2)
        foretold[name] = (log_score(nets[name], held), log_score(crowd, held), evenly(held))
        if progress is not None:
            progress(done, len(told))
    return Learnt(nets, foretold)


def joined(told: Sequence[Told]) -> Told:
    """Several as one."""
    return Told(
        np.concatenate([one.traits for one in told]), np.concatenate([one.chosen for one in told])
    )


def crowd_of(learnt: Learnt, about: dict[str, Any], own: Array | None = None) -> Crowd:
    """What was learnt, as the game reads it; `own` is a network that has learnt to win."""
    told = {name: [round(x, 4) for x in scores] for name, scores in learnt.foretold.items()}
    nets = {name: net.flat() for name, net in learnt.nets.items()}
    return Crowd(nets, {**about, "log score (own, crowd, even)": told}, own)
