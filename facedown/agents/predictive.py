"""SDMCTS with a predictor: PMGA (Bitan and Kraus 2017, section 5), and any model of one's own."""

# Annotations here are real objects, not strings: specs are converted by them, in subclasses too.
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from facedown.agents.semi import SemiDeterminized
from facedown.belief.predictor import features_of, replies_of
from facedown.belief.secrets import Foresight, Predicted
from facedown.core import Position, SpecError
from facedown.search.thread import Foreseen

OWN = "game"
"""In place of a file: the model that comes with the game."""


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
        features_of(self.game)
        self.model_file()
        if self.replies is not None:
            self._replies = replies_of(self.game)
            self.reply_file()
        self._seconds: list[float] = []
        self._expected: dict[int, float] = {}  # by own move: log-odds of the reply
        self.called: float | None = None  # how likely it is after the last move, where foreseen

    def require(self) -> None:
        """The models are read for it: nothing else says whether they are those of the game."""
        super().require()
        self.prepare_models()

    def prepare(self) -> None:
        super().prepare()
        self.prepare_models()

    def prepare_models(self) -> None:
        """Have the models read."""
        assert self.secrets.model
        assert self.calls is None or self.calls.model

    def make_belief(self, viewer: int) -> Predicted:
        return Predicted(super().make_belief(viewer), self.secrets)

    @cached_property
    def secrets(self) -> Foresight:
        """What the model says of the last action."""
        return Foresight(self.model_file(), self.game, "secrets", self.adapt)

    @cached_property
    def calls(self) -> Foresight | None:
        """What the second model says of replies."""
        if self.replies is None:
            return None
        return Foresight(self.reply_file(), self.game, "replies", self.adapt)

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
        super().clocked(player, seconds)
        self._seconds.append(seconds)

    def foresee(self, view: Position, legal: Sequence[int]) -> Foreseen | None:
        """How likely each move is answered with the reply that the second model predicts."""
        if self.calls is None:
            return None
        self.calls.learn(view, self.player)
        asking, seconds = [move for move in legal if self._replies.asks(move)], self._seconds
        rows = [self._replies.values(view.record, self.player, move, seconds) for move in asking]
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
        return {**plain, **reply}


@dataclass(eq=False)
class Shipped(Predictive):
    """SDMCTS with the model that comes with the game, unless `predictor` names another."""

    def model_file(self) -> str:
        if self.predictor is None and not self.game.predictor:
            raise SpecError(f"{self.game.name} comes with no model: sdmcts:predictor=FILE")
        return self.predictor or self.game.predictor
