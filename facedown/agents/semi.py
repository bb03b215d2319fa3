"""SDMCTS: semi-determinized search (Bitan and Kraus 2017, section 3)."""

# Annotations here are real objects, not strings: specs are converted by them, in subclasses too.
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from facedown.agents.searching import SearchAgent
from facedown.belief.belief import Belief
from facedown.belief.secrets import BySecret
from facedown.core import Position, SpecError, Stream
from facedown.search.recipe import Growth, Identity, Labels, Playout, Recipe, Smooth


@dataclass(eq=False)
class SemiDeterminized(SearchAgent):
    """Smooth-UCT in which only the unseen part of the last action is determined, all ways in turn.

    The labels of the worlds are what the game's rule `secret` says of them: a claim was true, or it
    was not. There is one root for each label and one tree below; iterations take the labels in turn
    (Algorithm 1). At the end each move is worth E[a] = sum over labels of P(label) Q(label, a), and
    the best is played. P are the odds of the belief: here every label is as likely.

    Nodes are the game's own abstraction (`bucket`) where it has one, else what their player knows;
    beyond the tree moves are drawn by the game's `playout` where it has one.
    """

    base: ClassVar[Recipe] = Recipe(
        identity=Identity.MANY,
        bandit="uct",
        smooth=Smooth(),
        bucket=None,  # where the game can
        labels=Labels.ROOT,
        growth=Growth.PLAYER,
        playout=Playout(informed=None, horizon=None),
        final="mean",
    )

    def make_recipe(self) -> Recipe:
        recipe = super().make_recipe()
        if recipe.final != "mean":
            what = f"final={recipe.final}: mean is wanted, the best expectation over labels"
            raise SpecError(what)
        return recipe

    def think(self, view: Position, legal: Sequence[int]) -> int:
        search = self.search = self.start_search(view, legal)
        self.predicted = dict(self.belief.odds(view, search.labels))  # first: the clock counts it
        search.run(self.left())
        worth = search.expected(self.predicted)
        if not worth:  # too few iterations to have tried anything under every label
            return self.decide(self.report())
        return max(worth, key=lambda move: worth[move])


class Peeked(BySecret):
    """Odds by a peek at the true label, which is foreseen with probability `accuracy`.

    `truth` is the label, told before the odds are asked for.
    """

    def __init__(self, worlds: Belief, accuracy: float, stream: Stream) -> None:
        super().__init__(worlds)
        self._accuracy, self._stream, self.truth = accuracy, stream, 0

    def odds(self, view: Position, labels: Sequence[int]) -> Mapping[int, float]:
        if len(labels) == 1 or self.truth not in labels:  # nothing there to foresee
            return super().odds(view, labels)
        foreseen = self.truth
        others = [label for label in labels if label != self.truth]
        if self._stream.random() >= self._accuracy:
            foreseen = self._stream.choice(others)
        rest = (1 - self._accuracy) / (len(labels) - 1)
        return {label: self._accuracy if label == foreseen else rest for label in labels}


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

    def make_belief(self, viewer: int) -> Belief:
        return Peeked(super().make_belief(viewer), self.accuracy, self.stream)

    def think(self, view: Position, legal: Sequence[int]) -> int:
        """From the truth it takes the label, and searches what its player may know."""
        belief = self.belief
        assert isinstance(belief, Peeked)
        belief.truth = view.secret(self.player) % (1 << 64)
        return super().think(view.view(self.player), legal)
