"""Beliefs with odds of their own for the labels of worlds, the unseen part of the last action."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from facedown.belief.belief import Belief, Counts, Marginals, Wanted
from facedown.belief.pool import Pool
from facedown.belief.predictor import (
    About,
    Adaptation,
    features_of,
    load_predictor,
    predicted_of,
    share_of,
)
from facedown.core import Game, Position


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


class BySecret(Belief):
    """The worlds of another belief; how likely their labels are is up to this one."""

    def __init__(self, worlds: Belief) -> None:
        super().__init__(worlds.game, worlds.viewer, worlds.seed)
        self.inner = worlds
        self.learns = worlds.learns

    @property
    def remembers(self) -> bool:  # type: ignore[override]
        return self.inner.remembers

    def observe(self, token: int) -> None:
        self.inner.observe(token)

    def overhear(self, token: int) -> None:
        self.inner.overhear(token)

    def clocked(self, player: int, seconds: float) -> None:
        self.inner.clocked(player, seconds)

    def expect(self, counts: Counts) -> None:
        self.inner.expect(counts)

    def pool(self, view: Position, wanted: Wanted) -> Pool:
        return self.inner.pool(view, wanted)

    def worlds(self, view: Position, wanted: Wanted) -> Pool:
        return self.inner.worlds(view, wanted)

    def odds(self, view: Position, labels: Sequence[int]) -> Mapping[int, float]:
        return self.inner.odds(view, labels)

    def marginals(self, view: Position, wanted: Wanted) -> Marginals:
        return self.inner.marginals(view, wanted)

    @property
    def states(self) -> int | None:
        return self.inner.states

    def summary(self) -> dict[str, Any]:
        return self.inner.summary()


class Predicted(BySecret):
    """Odds by a trained model, where it is open which of its two labels the last action has.

    The model sees features of the viewer's view and the other's response times, where they are told
    (`clocked`).
    """

    def __init__(self, worlds: Belief, secrets: Foresight) -> None:
        super().__init__(worlds)
        self._features, self.secrets = features_of(self.game), secrets
        self.seconds: list[float] = []
        self._odds: dict[int, float] = {}

    def clocked(self, player: int, seconds: float) -> None:
        super().clocked(player, seconds)
        self.seconds.append(seconds)

    def odds(self, view: Position, labels: Sequence[int]) -> Mapping[int, float]:
        self.secrets.learn(view, self.viewer)
        self._odds = dict(self._said(view, labels))
        return self._odds

    def _said(self, view: Position, labels: Sequence[int]) -> Mapping[int, float]:
        negative, positive = self._features.labels
        if set(labels) != {negative, positive}:
            return super().odds(view, labels)
        values = self._features.values(view.record, self.viewer, self.seconds)
        said = self.secrets.model.log_odds(values)
        self.secrets.said[self._features.moment(view.record)] = said
        share = self.secrets.share(said)
        return {negative: 1 - share, positive: share}

    def summary(self) -> dict[str, Any]:
        """The odds of the last decision."""
        return {**super().summary(), "odds": self._odds}
