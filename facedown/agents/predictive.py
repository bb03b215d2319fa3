"""SDMCTS with a predictor: PMGA (Bitan and Kraus 2017, section 5), and any model of one's own."""

# Annotations here are real objects, not strings: specs are converted by them, in subclasses too.
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from facedown.agents.semi import SemiDeterminized
from facedown.belief.predictor import (
    About,
    Adaptation,
    features_of,
    load_predictor,
    predicted_of,
    replies_of,
    share_of,
)
from facedown.core import Game, Position, SpecError
from facedown.search.thread import Foreseen

OWN = "game"
"""In place of a file: the model that comes with the game."""


class Foresight:
    """A model at the table: what it says of actions, held against what they were.

    `said` has by the number of an action the model's log-odds, until it has come out. With `adapt`
    the shares are shifted to the person at the table, by Bayes' rule, with every one that has.
    """

    def __init__(self, file: str, game: Game, about: About, adapt: bool) -> None:
        self._predicted, self._adapt = predicted_of(game, about), adapt
        self.model = load_predictor(file, game, about)
        self.said: dict[int, float] = {}
        self.person = Adaptation()

    def share(self, said: float) -> float:
        """How likely something is of which the model says these log-odds."""
        return self.person.share(said) if self._adapt else share_of(said)

    def learn(self, view: Position, player: int) -> None:
        """Compare what was said of actions that have come out since with what they were."""
        for moment, label in self._predicted.revealed(view.record, player).items():
            if moment in self.said:
                self.person.update(self.said.pop(moment), label == self._predicted.positive)


@dataclass(eq=False)
class Predictive(SemiDeterminized):
    """SDMCTS whose odds come from the model in the file `predictor` (`facedown learn`).

    The model sees features of the player's view and the other's response times, where they are
    told (`clocked`). `adapt`: its odds are shifted to the person at the table, by Bayes' rule, with
    every action that comes out in this game.

    `replies`: a second model, of how likely the other answers a move of the player's with a certain
    one, as a claim with a call (section 6, future work; `facedown learn --about replies`), or
    `game` for the one that comes with the game. The search then has the other answer the player's
    first move so. It adapts likewise.
    """

    predictor: str | None = None
    adapt: bool = False
    replies: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._features = features_of(self.game)
        self.secrets = Foresight(self.model_file(), self.game, "secrets", self.adapt)
        self.calls: Foresight | None = None
        if self.replies is not None:
            self._replies = replies_of(self.game)
            self.calls = Foresight(self.reply_file(), self.game, "replies", self.adapt)
        self._seconds: list[float] = []
        self._expected: dict[int, float] = {}  # by own move: log-odds of the reply
        self.called: float | None = None  # how likely it is after the last move, where foreseen

    def model_file(self) -> str:
        """Where the model is."""
        if self.predictor is None:
            raise SpecError(
                "sdmcts wants predictor=FILE, a model of `facedown learn`; mga has even odds, "
                "pmga the model that comes with the game"
            )
        return self.predictor

    def reply_file(self) -> str:
        """Where the model of replies is."""
        if self.replies == OWN and not self.game.reply_predictor:
            raise SpecError(f"{self.game.name} comes with no model of replies: replies=FILE")
        return self.game.reply_predictor if self.replies == OWN else str(self.replies)

    def clocked(self, player: int, seconds: float) -> None:
        self._seconds.append(seconds)

    def odds(self, view: Position, labels: Sequence[int]) -> Mapping[int, float]:
        """By the model, where it is open which of its two labels the last action has."""
        self.secrets.learn(view, self.player)
        negative, positive = self._features.labels
        if set(labels) != {negative, positive}:
            return super().odds(view, labels)
        values = self._features.values(view.record, self.player, self._seconds)
        said = self.secrets.model.log_odds(values)
        self.secrets.said[self._features.moment(view.record)] = said
        share = self.secrets.share(said)
        return {negative: 1 - share, positive: share}

    def foresee(self, view: Position, legal: Sequence[int]) -> Foreseen | None:
        """How likely each move is answered with the reply that the second model predicts."""
        if self.calls is None:
            return None
        self.calls.learn(view, self.player)
        asking = [move for move in legal if self._replies.asks(move)]
        rows = [
            self._replies.values(view.record, self.player, move, self._seconds) for move in asking
        ]
        said = self.calls.model.all_log_odds(rows)
        self._expected = dict(zip(asking, said, strict=True))
        shares = {move: self.calls.share(odds) for move, odds in self._expected.items()}
        return Foreseen(self._replies.reply, shares)

    def think(self, view: Position, legal: Sequence[int]) -> int:
        move = super().think(view, legal)
        self.called = None
        if self.calls is not None and move in self._expected:
            said = self._expected[move]
            self.called = self.calls.share(said)
            self.calls.said[self._replies.moment(view.record)] = said
        return move

    def summary(self) -> dict[str, Any] | None:
        plain = super().summary()
        if plain is None:
            return None
        reply = {} if self.called is None else {"reply": self.called}
        return {**plain, "odds": self.predicted, **reply}


@dataclass(eq=False)
class Shipped(Predictive):
    """SDMCTS with the model that comes with the game, unless `predictor` names another."""

    def model_file(self) -> str:
        if self.predictor is None and not self.game.predictor:
            raise SpecError(f"{self.game.name} comes with no model: sdmcts:predictor=FILE")
        return self.predictor or self.game.predictor
