"""What a model's file holds, looked at before it is used: compiled code trusts what it is given.

scikit-learn's trees and support vectors are walked by code that checks nothing: a child at 10**12
ends the process, and a tree that leads back to itself never ends. So a file may hold nothing but
the types of the classifiers here, is small when it is unpacked, and every tree is one.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any

import numpy as np

MOST_UNPACKED = 512 << 20
"""Bytes that a file may unpack to."""

_MOST_NODES = 20_000_000  # of all trees together
_TYPES = {
    "builtins.dict", "builtins.list", "builtins.str", "builtins.tuple", "numpy.dtype",
    "numpy.float64", "numpy.int64", "numpy.int32", "numpy.float32", "numpy.bool", "numpy.bool_",
    "numpy.ndarray", "numpy.random.mtrand.RandomState",
    "sklearn.calibration.CalibratedClassifierCV", "sklearn.calibration._CalibratedClassifier",
    "sklearn.calibration._SigmoidCalibration", "sklearn.ensemble._forest.RandomForestClassifier",
    "sklearn.impute._base.SimpleImputer",
    "sklearn.neural_network._multilayer_perceptron.MLPClassifier",
    "sklearn.neural_network._stochastic_optimizers.AdamOptimizer", "sklearn.pipeline.Pipeline",
    "sklearn.preprocessing._data.StandardScaler", "sklearn.preprocessing._label.LabelBinarizer",
    "sklearn.svm._classes.SVC", "sklearn.tree._classes.DecisionTreeClassifier",
    "sklearn.tree._tree.Tree",
}  # fmt: skip


def vet_archive(data: bytes) -> None:
    """ValueError where a file asks for other types than the classifiers have, or is too large."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        unpacked = sum(one.file_size for one in archive.infolist())
        if unpacked > MOST_UNPACKED:
            raise ValueError(f"it unpacks to {unpacked:,} bytes; {MOST_UNPACKED:,} are allowed")
        try:
            schema = json.loads(archive.read("schema.json"))
        except RecursionError:
            raise ValueError("its parts lie too deep within each other") from None
    foreign = sorted({name for name in _types(schema) if name not in _TYPES})
    if foreign:
        raise ValueError(f"it is not safe to load: it asks for {', '.join(foreign[:5])}")


def _types(schema: Any) -> Iterator[str]:
    """The types of all parts; ValueError where a tree would be made with other outputs than one."""
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            if "__class__" in part:
                yield f"{part.get('__module__')}.{part['__class__']}"
            if part.get("__class__") == "Tree" and _outputs(part) != "1":
                raise ValueError("a tree has more than one output")
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)


def _outputs(tree: dict[str, Any]) -> Any:
    """How many outputs a tree is made with, which is believed without a look at its classes."""
    try:
        return tree["__reduce__"]["args"]["content"][2]["content"]
    except (KeyError, IndexError, TypeError):
        return None


def vet_pipeline(pipeline: Any, features: int) -> None:
    """ValueError where a classifier of so many features is not made as ours are."""
    names = [type(step).__name__ for _, step in pipeline.steps]
    if names[:-1] != ["SimpleImputer", "StandardScaler"]:
        raise ValueError(f"it is a pipeline of {', '.join(names)}")
    imputer, scaler, last = (step for _, step in pipeline.steps)
    for name, values in (
        ("medians", imputer.statistics_), ("means", scaler.mean_), ("scales", scaler.scale_)
    ):  # fmt: skip
        _numbers(name, values, (features,))
    _VETTERS[names[-1]](last, features)


def _numbers(name: str, values: Any, shape: tuple[int, ...]) -> None:
    """ValueError where something is no array of finite numbers of this shape."""
    if not isinstance(values, np.ndarray) or values.shape != shape or values.dtype.kind != "f":
        raise ValueError(f"its {name} are no array of {' by '.join(map(str, shape))} numbers")
    if not np.isfinite(values).all():
        raise ValueError(f"its {name} are not all finite")


# --- trees ---------------------------------------------------------------------------------------


def _vet_forest(forest: Any, features: int) -> None:
    trees = [one.tree_ for one in forest.estimators_]
    if not trees or sum(int(tree.node_count) for tree in trees) > _MOST_NODES:
        raise ValueError(f"1 to {_MOST_NODES:,} nodes are wanted")
    _vet_classes(forest)
    for one in forest.estimators_:
        _vet_tree(one, features)


def _vet_tree(classifier: Any, features: int) -> None:
    tree = classifier.tree_
    nodes = int(tree.node_count)
    if not 1 <= nodes <= int(tree.capacity):  # its arrays are as long as it says, wherever they end
        raise ValueError(f"a tree has {nodes} nodes, and room for {int(tree.capacity)}")
    _vet_classes(classifier)
    if (int(tree.n_features), int(tree.n_outputs), list(tree.n_classes)) != (features, 1, [2]):
        raise ValueError(f"a tree is not of {features} features and two classes")
    _vet_nodes(tree.children_left, tree.children_right, tree.feature, features)
    _numbers("thresholds", tree.threshold, (nodes,))
    _numbers("shares", tree.value, (nodes, 1, 2))
    if not (tree.value.min() >= 0.0 and (tree.value.sum(axis=2) > 0.0).all()):
        raise ValueError("a node has shares below 0, or none")


def _vet_nodes(left: Any, right: Any, feature: Any, features: int) -> None:
    """ValueError where nodes lead anywhere but to later ones: those that do make a tree."""
    own = np.arange(len(left))
    leaf = left == -1
    if (right[leaf] != -1).any():
        raise ValueError("a leaf of a tree has a child")
    for child in (left[~leaf], right[~leaf]):
        if ((child <= own[~leaf]) | (child >= len(own))).any():
            raise ValueError("a node of a tree leads back, or out of it")
    asked = feature[~leaf]
    if ((asked < 0) | (asked >= features)).any():
        raise ValueError(f"a node asks for a feature that is none of {features}")


def _vet_classes(classifier: Any) -> None:
    if list(classifier.classes_) != [0, 1] or int(classifier.n_classes_) != 2:
        raise ValueError("it has other classes than 0 and 1")
    if int(classifier.n_outputs_) != 1:
        raise ValueError("it has more than one output")


# --- other classifiers ---------------------------------------------------------------------------


def _vet_vectors(calibrated: Any, features: int) -> None:
    (one,) = calibrated.calibrated_classifiers_
    if list(calibrated.classes_) != [0, 1] or type(one.estimator).__name__ != "SVC":
        raise ValueError("it calibrates no support vectors of two classes")
    svc = one.estimator
    count = len(svc.support_)
    _numbers("support vectors", svc.support_vectors_, (count, features))
    for name in ("dual_coef_", "_dual_coef_"):
        _numbers("coefficients", getattr(svc, name), (1, count))
    for name in ("intercept_", "_intercept_"):
        _numbers("offsets", getattr(svc, name), (1,))
    each = [int(n) for n in svc._n_support]
    if len(each) != 2 or min(each) < 0 or sum(each) != count or svc.support_.shape != (count,):
        raise ValueError(f"it has {count} support vectors, but says {each}")
    if (svc.kernel, svc._sparse, list(svc.classes_)) != ("rbf", False, [0, 1]):
        raise ValueError("its support vectors are of another kind")
    lengths = [len(one) for one in (svc._probA, svc._probB, svc.class_weight_)]
    if lengths != [0, 0, 2]:
        raise ValueError("its support vectors are of another kind")


def _vet_network(network: Any, features: int) -> None:
    layers = network.coefs_
    if not 1 <= len(layers) <= 20 or len(network.intercepts_) != len(layers):
        raise ValueError(f"it has {len(layers)} layers")
    if int(network.n_layers_) != len(layers) + 1:
        raise ValueError("its layers are not as many as it says")
    width = features
    for layer, offsets in zip(layers, network.intercepts_, strict=True):
        _numbers("weights", layer, (width, layer.shape[-1]))
        width = layer.shape[-1]
        _numbers("offsets", offsets, (width,))


_VETTERS = {
    "RandomForestClassifier": _vet_forest,
    "DecisionTreeClassifier": _vet_tree,
    "CalibratedClassifierCV": _vet_vectors,
    "MLPClassifier": _vet_network,
}
