"""SDMCTS with a predictor: PMGA (Bitan and Kraus 2017, section 5), and any model of one's own."""

# Annotations here are real objects, not strings: specs are converted by them, in subclasses too.
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from facedown.agents.semi import SemiDeterminized
from facedown.belief.predictor import Adaptation, features_of, load_predictor, share_of
from facedown.core import Position, SpecError


@dataclass(eq=False)
class Predictive(SemiDeterminized):
    """SDMCTS whose odds come from the model in the file `predictor` (`facedown learn`).

    The model sees features of the player's view and the other's response times, where they are
    told (`clocked`). `adapt`: its odds are shifted to the person at the table, by Bayes' rule, with
    every action that comes out in this game.
    """

    predictor: str | None = None
    adapt: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self._features = features_of(self.game)
        self._model = load_predictor(self.model_file(), self.game)
        self._seconds: list[float] = []
        self._said: dict[int, float] = {}  # by action: the model's log-odds, until it comes out
        self.person = Adaptation()

    def model_file(self) -> str:
        """Where the model is."""
        if self.predictor is None:
            raise SpecError(
                "sdmcts wants predictor=FILE, a model of `facedown learn`; mga has even odds, "
                "pmga the model that comes with the game"
            )
        return self.predictor

    def clocked(self, player: int, seconds: float) -> None:
        self._seconds.append(seconds)

    def odds(self, view: Position, labels: Sequence[int]) -> Mapping[int, float]:
        """By the model, where it is open which of its two labels the last action has."""
        self._learn(view)
        negative, positive = self._features.labels
        if set(labels) != {negative, positive}:
            return super().odds(view, labels)
        values = self._features.values(view.record, self.player, self._seconds)
        said = self._model.log_odds(values)
        self._said[self._features.moment(view.record)] = said
        share = self.person.share(said) if self.adapt else share_of(said)
        return {negative: 1 - share, positive: share}

    def _learn(self, view: Position) -> None:
        """Compare what was said of actions that have come out since with what they were."""
        for moment, label in self._features.revealed(view.record, self.player).items():
            if moment in self._said:
                self.person.update(self._said.pop(moment), label == self._features.labels[1])

    def summary(self) -> dict[str, Any] | None:
        plain = super().summary()
        return None if plain is None else {**plain, "odds": self.predicted}


@dataclass(eq=False)
class Shipped(Predictive):
    """SDMCTS with the model that comes with the game, unless `predictor` names another."""

    def model_file(self) -> str:
        if self.predictor is None and not self.game.predictor:
            raise SpecError(f"{self.game.name} comes with no model: sdmcts:predictor=FILE")
        return self.predictor or self.game.predictor
