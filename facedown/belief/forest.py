"""A trained random forest as plain arrays: for the few samples that a player at the table has.

scikit-learn is made for many samples at once; of few it takes longer than many searches do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


class Forest:
    """The chance of the second class that a pipeline (imputer, scaler, random forest) gives.

    All trees lie in one row of nodes: [nodes] of features, thresholds, children (-1 at a leaf) and
    shares; `_roots` [trees] is where they begin.
    """

    def __init__(self, pipeline: Any) -> None:
        imputer, scaler, forest = (step for _, step in pipeline.steps)
        self._unknown, self._mean, self._scale = imputer.statistics_, scaler.mean_, scaler.scale_
        trees = [one.tree_ for one in forest.estimators_]
        ends = np.cumsum([tree.node_count for tree in trees])
        self._roots = np.concatenate([[0], ends[:-1]])
        self._feature = np.concatenate([tree.feature for tree in trees])
        self._threshold = np.concatenate([tree.threshold for tree in trees])
        self._left = self._children([tree.children_left for tree in trees])
        self._right = self._children([tree.children_right for tree in trees])
        values = np.concatenate([tree.value[:, 0, :] for tree in trees])
        self._share = values[:, 1] / values.sum(axis=1)

    def _children(self, children: list[Array]) -> Array:
        """Children as numbers in the row of all nodes."""
        parts = zip(children, self._roots, strict=True)
        return np.concatenate([np.where(own < 0, -1, own + root) for own, root in parts])

    def shares(self, rows: Any) -> Array:
        """The chance of the second class for each row [samples, features]."""
        samples = np.asarray(rows, np.float64)
        samples = np.where(np.isnan(samples), self._unknown, samples)
        samples = ((samples - self._mean) / self._scale).astype(np.float32)  # as in its training
        nodes = np.tile(self._roots, (len(samples), 1))  # [samples, trees]
        own = np.arange(len(samples))[:, None]
        while True:
            left = self._left[nodes]
            if (left < 0).all():
                shares: Array = self._share[nodes].mean(axis=1)
                return shares
            lower = samples[own, self._feature[nodes]] <= self._threshold[nodes]
            below = np.where(lower, left, self._right[nodes])
            nodes = np.where(left < 0, nodes, below)


def forest_of(pipeline: Any) -> Forest | None:
    """The pipeline as a forest; None where it ends in another classifier."""
    last = pipeline.steps[-1][1]
    return Forest(pipeline) if type(last).__name__ == "RandomForestClassifier" else None
