"""SDMCTS: semi-determinized search (Bitan and Kraus 2017, section 3)."""

# Annotations here are real objects, not strings: specs are converted by them, in subclasses too.
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from facedown.agents.searching import Choice, SmoothUCT
from facedown.core import Position, SpecError
from facedown.search.recipe import Identity, Labels, Recipe


@dataclass(eq=False)
class SemiDeterminized(SmoothUCT):
    """Smooth-UCT in which only the unseen part of the last action is determined, all ways in turn.

    The labels of the worlds are what the game's rule `secret` says of them: a claim was true, or it
    was not. There is one root for each label and one tree below; iterations take the labels in turn
    (Algorithm 1). At the end each move is worth E[a] = sum over labels of P(label) Q(label, a), and
    the best is played. P comes from `odds`: here every label is as likely.

    Nodes are the game's own abstraction (`bucket`) where it has one, else what their player knows;
    beyond the tree moves are drawn by the game's `playout` where it has one.
    """

    abstract: bool | None = None  # where the game can
    informed: bool | None = None
    final: Choice = "mean"
    base: ClassVar[Recipe] = Recipe(identity=Identity.MANY, labels=Labels.ROOT)

    def make_recipe(self) -> Recipe:
        if self.final != "mean":
            raise SpecError(f"final={self.final}: mean is wanted, the best expectation over labels")
        if self.informed is None:
            self.informed = self.game.has("playout")
        if self.abstract is None:
            self.abstract = self.game.has("bucket")
        return super().make_recipe()

    def odds(self, view: Position, labels: Sequence[int]) -> Mapping[int, float]:
        """How likely each label is."""
        return {label: 1 / len(labels) for label in labels}

    def think(self, view: Position, legal: Sequence[int]) -> int:
        search = self.search = self.start_search(view, legal)
        self.predicted = dict(self.odds(view, search.labels))  # first: the clock counts it
        search.run(self.left())
        worth = search.expected(self.predicted)
        if not worth:  # too few iterations to have tried anything under every label
            return self.decide(search.report())
        return max(worth, key=lambda move: worth[move])


@dataclass(eq=False)
class Peeking(SemiDeterminized):
    """SDMCTS that peeks at the truth and is right with probability `accuracy`: it cheats.

    What it foresees is the true label with that probability, else another one; that label gets
    `accuracy` for its odds, all others share the rest (section 5, FPMGA).
    """

    accuracy: float = 0.85
    cheats: ClassVar[bool] = True

    def make_recipe(self) -> Recipe:
        if not 0 <= self.accuracy <= 1:
            raise SpecError(f"accuracy={self.accuracy}: between 0 and 1 is wanted")
        return super().make_recipe()

    def odds(self, view: Position, labels: Sequence[int]) -> Mapping[int, float]:
        if len(labels) == 1 or self._truth not in labels:  # nothing there to foresee
            return super().odds(view, labels)
        foreseen = self._truth
        others = [label for label in labels if label != self._truth]
        if self.stream.random() >= self.accuracy:
            foreseen = self.stream.choice(others)
        rest = (1 - self.accuracy) / (len(labels) - 1)
        return {label: self.accuracy if label == foreseen else rest for label in labels}

    def think(self, view: Position, legal: Sequence[int]) -> int:
        """From the truth it takes the label, and searches what its player may know."""
        self._truth = view.secret(self.player) % (1 << 64)
        return super().think(view.view(self.player), legal)
