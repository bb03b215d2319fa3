"""Models that somebody made on purpose: refused in one line, before compiled code walks them."""

import io
import json
import zipfile
from functools import cache

import numpy as np
import pytest
import skops.io as skops
from sklearn.linear_model import LogisticRegression

from facedown.belief.predictor import FORMAT, load_predictor
from facedown.core import SpecError
from facedown.games.registry import load_game
from facedown.learn.models import estimator
from support.running import program

FEATURES = load_game("cheat").features


@cache
def samples():
    random = np.random.default_rng(3)
    values = random.normal(size=(200, len(FEATURES.names)))
    return values, (values[:, 0] + random.normal(size=200) > 0).astype(int)


def trained(name):
    return estimator(name, 1).fit(*samples())


def written(file, made, **other):
    probe = samples()[0][:4]
    plain = {
        "format": FORMAT, "scikit-learn": "1", "game": "cheat", "features": list(FEATURES.names),
        "digest": FEATURES.digest, "shift": 0.0, "about": {}, "estimator": made, "probe": probe,
        "expected": np.full(4, 0.5), **other,
    }  # fmt: skip
    file.write_bytes(skops.dumps(plain))
    return file


def changed_tree(tree, change):
    """A tree whose state was changed, as a file may have it."""
    state = tree.__getstate__()
    change(state)
    made = tree.__class__(*tree.__reduce__()[1])
    made.__setstate__(state)
    return made


def far(state):
    state["nodes"]["left_child"][0] = 10**12


def back(state):
    inner = np.flatnonzero(state["nodes"]["left_child"] > 0)[-1]
    state["nodes"]["right_child"][inner] = 0


def itself(state):
    state["nodes"]["left_child"][0] = 0


def negative(state):
    state["nodes"]["right_child"][0] = -7


def feature(state):
    state["nodes"]["feature"][0] = 10**9


def empty(state):
    state["values"][:] = 0.0


def unknown(state):
    state["values"][:] = np.nan


def threshold(state):
    state["nodes"]["threshold"][:] = np.inf


CHANGES = [far, back, itself, negative, feature, empty, unknown, threshold]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", ["random-forest", "decision-tree"])
def test_what_is_no_tree_is_not_walked(name, change, tmp_path):
    made = trained(name)
    last = made.steps[-1][1]
    one = last.estimators_[3] if name == "random-forest" else last
    one.tree_ = changed_tree(one.tree_, change)
    with pytest.raises(SpecError, match="is no model that can be used: ValueError: "):
        load_predictor(written(tmp_path / "model.skops", made), load_game("cheat"))


def test_a_crafted_model_ends_no_program(tmp_path):
    made = trained("random-forest")
    one = made.steps[-1][1].estimators_[0]
    one.tree_ = changed_tree(one.tree_, far)
    file = written(tmp_path / "model.skops", made)
    match = ("match", "cheat", f"sdmcts:predictor={file}", "random", "--games", "1")
    ran = program(*match, "--store", ":memory:")
    assert ran.status == 2
    assert ran.err.startswith(f"facedown: {file} is no model that can be used: ValueError: a node")


VECTORS = {
    "_n_support": np.array([10**6, 5], np.int32),
    "support_": np.arange(3, dtype=np.int32),
    "support_vectors_": np.zeros((2, 2)),
    "_dual_coef_": np.zeros((1, 1)),
    "_intercept_": np.zeros(0),
    "kernel": "precomputed",
    "_sparse": True,
    "_probA": np.zeros(9),
}


@pytest.mark.parametrize("name", VECTORS)
def test_support_vectors_are_as_many_as_they_say(name, tmp_path):
    made = trained("svm")
    setattr(made.steps[-1][1].calibrated_classifiers_[0].estimator, name, VECTORS[name])
    with pytest.raises(SpecError, match="is no model that can be used"):
        load_predictor(written(tmp_path / "model.skops", made), load_game("cheat"))


def test_layers_of_a_network_fit_together(tmp_path):
    made = trained("neural-network")
    made.steps[-1][1].n_layers_ = 10**9
    with pytest.raises(SpecError, match="its layers are not as many as it says"):
        load_predictor(written(tmp_path / "model.skops", made), load_game("cheat"))


def test_other_classifiers_are_not_even_loaded(tmp_path):
    made = trained("decision-tree")
    made.steps[-1] = ("last", LogisticRegression().fit(*samples()))
    with pytest.raises(SpecError, match=r"not safe to load: it asks for sklearn\.linear_model"):
        load_predictor(written(tmp_path / "model.skops", made), load_game("cheat"))


def test_a_tree_of_many_outputs_is_not_even_made(tmp_path):
    file = written(tmp_path / "model.skops", trained("decision-tree"))
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    schema = parts["schema.json"].decode()
    at = schema.index('"content": "1"', schema.index('"Tree"'))
    parts["schema.json"] = (schema[:at] + schema[at:].replace('"1"', '"100000"', 1)).encode()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    with pytest.raises(SpecError, match="a tree has more than one output"):
        load_predictor(file, load_game("cheat"))


def test_a_file_that_unpacks_to_much_more_is_not_unpacked(tmp_path):
    file = written(tmp_path / "model.skops", trained("decision-tree"))
    bomb = io.BytesIO()
    with (
        zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("big", "w") as big,
    ):
        for _ in range(600):
            big.write(bytes(1 << 20))
    file.write_bytes(bomb.getvalue())
    with pytest.raises(SpecError, match="it unpacks to 629,145,600 bytes"):
        load_predictor(file, load_game("cheat"))


def test_deep_parts_of_a_file(tmp_path):
    file = tmp_path / "model.skops"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("schema.json", "[" * 100_000 + "]" * 100_000)
    with pytest.raises(SpecError, match="too deep"):
        load_predictor(file, load_game("cheat"))


def test_what_is_honest_is_loaded(tmp_path):
    for name in ("random-forest", "svm", "decision-tree", "neural-network"):
        made = trained(name)
        expected = made.predict_proba(samples()[0][:4])[:, 1]
        file = written(tmp_path / f"{name}.skops", made, expected=expected)
        assert load_predictor(file, load_game("cheat")).estimator.steps[-1][1] is not None


def test_tables_of_cribbage_are_looked_at(tmp_path):
    from facedown.games.cribbage.learnt import Learnt, read

    file = tmp_path / "tables.npz"
    Learnt(winning=np.full((3, 3), 0.5)).save(file)
    with pytest.raises(SpecError, match="holds no tables of cribbage: ValueError: a table is not"):
        read(file)
    file.write_bytes(b"PK")
    with pytest.raises(SpecError, match="holds no tables of cribbage"):
        read(file)


@pytest.mark.parametrize("totals", [{"a": {"chosen": 1e999, "legal": 2}}, {"a": 3}, [1], "x"])
def test_preferences_of_strange_numbers(tmp_path, totals):
    from facedown.search.preferences import load_preferences

    file = tmp_path / "prefs.json"
    plain = {"format": "facedown preferences 1", "game": "g", "kinds": ["a"], "decisions": []}
    file.write_text(json.dumps({**plain, "totals": totals, "about": {}}))
    with pytest.raises(SpecError, match="holds no preferences"):
        load_preferences(file)
