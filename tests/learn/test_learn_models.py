"""Classifiers: the cross-validation sees no future, models round trip, bad files are refused."""

import io
import zipfile
from dataclasses import replace

import numpy as np
import pytest
import skops.io

from facedown.agents.registry import make_agent
from facedown.belief.predictor import Adaptation, load_predictor, log_odds, share_of
from facedown.core import SpecError
from facedown.learn.models import (
    CLASSIFIERS,
    balanced,
    cross_validate,
    estimator,
    folds,
    quality,
    save_model,
    train,
)
from support.learning_games import cheat, corpus


@pytest.mark.parametrize("blocks", [1, 2, 5, 10_000])
def test_no_fold_trains_on_the_future_of_its_pair_nor_on_its_people_elsewhere(blocks):
    kin = (frozenset({0, 3}), *corpus().kin[1:3], frozenset({0, 3}), *corpus().kin[4:])
    found, asked_of = replace(corpus(), kin=kin), []
    for learnt, asked in folds(found, blocks):
        (pair,) = set(found.pair[asked])
        moments = list(zip(found.match, found.round, strict=True))
        first = min(moments[k] for k in asked)
        for k in learnt:
            if found.pair[k] == pair:
                assert moments[k] < first
            else:
                assert found.pair[k] not in kin[pair]
        others = [k for k in range(len(found)) if found.pair[k] not in kin[pair]]
        earlier = [k for k in range(len(found)) if found.pair[k] == pair and moments[k] < first]
        assert sorted(learnt) == sorted([*others, *earlier])
        asked_of.extend(asked)
    assert sorted(asked_of) == list(range(len(found)))


def test_shuffled_labels_of_the_future_change_no_prediction():
    """What a pair does later cannot be seen in what was predicted of it before."""
    found = corpus()
    last = np.flatnonzero(found.pair == 2)
    half = last[len(last) // 2 :]
    changed = found.positive.copy()
    changed[half] = ~changed[half]
    before = cross_validate("decision-tree", found, 2)
    after = cross_validate("decision-tree", replace(found, positive=changed), 2)
    first = last[: len(last) // 2]
    assert before[first].tolist() == after[first].tolist()
    assert (before != after).any()  # but other pairs learn from it


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classifiers_learn_and_round_trip(name, tmp_path):
    file = tmp_path / "model.skops"
    model = train(name, corpus(), seed=3)
    save_model(model, corpus(), file)
    loaded = load_predictor(file, cheat())
    assert loaded.about == model.about
    assert loaded.about["of"] == "simulated people"
    assert np.allclose(loaded.chances(corpus().values), model.chances(corpus().values))
    assert loaded.log_odds(corpus().values[0]) == pytest.approx(model.log_odds(corpus().values[0]))
    again = train(name, corpus(), seed=3)
    assert np.array_equal(again.chances(corpus().values), model.chances(corpus().values))


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_one_sample_is_predicted_as_many_are(name):
    model = train(name, corpus(), seed=5)
    values = corpus().values[:150].copy()
    values[::7, ::3] = np.nan
    alone = [share_of(model.log_odds(row)) for row in values]
    assert np.allclose(alone, np.clip(model.chances(values), 0.001, 0.999))


def test_better_than_chance_on_people_it_has_not_met():
    shares = cross_validate("random-forest", corpus(), 1)
    found = quality("random-forest", corpus(), shares)
    assert found.low < found.auc < found.high
    assert found.low > 0.6
    truth = corpus().positive
    ranks = [(a > b) + (a == b) / 2 for a in shares[truth] for b in shares[~truth]]
    assert found.auc == pytest.approx(np.mean(ranks))
    assert found.tpr == pytest.approx(np.mean(shares[truth] >= 0.5))
    assert found.g_mean == pytest.approx((found.tpr * found.tnr) ** 0.5)


def test_the_rarer_class_is_drawn_again_and_the_odds_taken_back():
    positive = np.array([True] * 10 + [False] * 90)
    rows, shift = balanced(positive, 1)
    assert positive[rows].mean() == 0.5
    assert set(rows) == set(range(100))
    assert shift == pytest.approx(np.log(10 / 90))
    even = np.array([True] * 45 + [False] * 55)
    assert balanced(even, 1)[0].tolist() == list(range(100))
    assert balanced(even, 1)[1] == 0.0


@pytest.mark.parametrize("name", ["svm", "neural-network"])
def test_what_is_held_out_has_no_copies_in_training(name):
    """On noise the best is to say how often each class comes: copies would look like knowledge."""
    random = np.random.default_rng(1)
    noise = [(random.normal(size=(n, 21)), random.random(n) < 0.15) for n in (600, 3000)]
    (values, positive), (others, truth) = noise
    model = train(name, replace(corpus(), values=values, positive=positive))
    odds = np.array([log_odds(share) for share in model.chances(others)]) + model.shift

    def loss(odds):
        return float(np.logaddexp(0, np.where(truth, -odds, odds)).mean())

    assert loss(odds) < loss(np.full(len(truth), log_odds(positive.mean()))) + 0.03
    assert not estimator("neural-network", 0, copies=True)[-1].early_stopping


def test_too_little_to_learn_from():
    few = replace(corpus(), values=corpus().values[:5], positive=corpus().positive[:5])
    with pytest.raises(SpecError, match="too few to train on"):
        train("decision-tree", few)
    with pytest.raises(SpecError, match="no classifier 'oracle'; classifiers: random-forest"):
        estimator("oracle", 0)
    alone = replace(corpus(), pairs=corpus().pairs[:1], kin=corpus().kin[:1])
    with pytest.raises(SpecError, match="nobody in common"):
        cross_validate("svm", alone)


# --- files ----------------------------------------------------------------------------------------


class Stranger:
    def __init__(self):
        self.said = "hello"


def saved(tmp_path, **changes):
    """A model's file whose content is changed."""
    file = tmp_path / "changed.skops"
    save_model(train("decision-tree", corpus()), corpus(), file)
    plain = skops.io.load(file, trusted=skops.io.get_untrusted_types(file=file))
    skops.io.dump({**plain, **changes}, file)
    return file


def test_an_unsafe_file_is_refused_before_anything_is_made(tmp_path, monkeypatch):
    file = saved(tmp_path, about={"note": Stranger()})
    monkeypatch.setattr(skops.io, "loads", lambda *_, **__: pytest.fail("it was loaded"))
    with pytest.raises(SpecError, match=r"not safe to load: it asks for test_learn_models\.Stran"):
        load_predictor(file, cheat())


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        ({"digest": "0"}, "trained on other features than cheat has now"),
        ({"game": "leduc"}, "is a model of leduc; one of cheat is wanted"),
        ({"format": 9}, "has format 9"),
        ({"estimator": None}, "no model that can be used"),
        ({"shift": "x"}, "shift is 'x'; a float is wanted"),
        ({"shift": float("nan")}, "shift is nan; a finite number is wanted"),
        ({"about": 5}, "about is 5; a dict is wanted"),
        ({"features": 5}, "features is 5; a list is wanted"),
        ({"features": [5] * 21}, "features has something else than names"),
        ({"features": ["a"]}, "its samples are not of 1 features"),
        ({"features": ["a"] * 21}, "trained on other features than cheat has now"),
        ({"probe": np.zeros((0, 21)), "expected": np.zeros(0)}, "its samples are not of 21"),
        ({"expected": np.zeros(16)}, "does not predict here what it did there"),
    ],
)
def test_other_models_are_refused(changes, match, tmp_path):
    with pytest.raises(SpecError, match=match):
        load_predictor(saved(tmp_path, **changes), cheat())
    with pytest.raises(SpecError, match=match):  # and so for whoever would play with it
        make_agent(f"sdmcts:predictor={tmp_path / 'changed.skops'}", cheat(), 0, 1)


@pytest.mark.parametrize("content", [b"", b"no model", b"PK\x03\x04 broken", None])
def test_broken_files_are_refused(content, tmp_path):
    file = tmp_path / "broken.skops"
    if content is None:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as made:
            made.writestr("schema.json", "{}")
        content = buffer.getvalue()
    file.write_bytes(content)
    with pytest.raises(SpecError, match="is no model of `facedown learn`"):
        load_predictor(file, cheat())
    with pytest.raises(SpecError, match="cannot read"):
        load_predictor(tmp_path / "nothing", cheat())


def test_a_pickle_is_not_run(tmp_path):
    file, witness = tmp_path / "pickle.skops", tmp_path / "witness"
    file.write_bytes(f"cos\nsystem\n(S'touch {witness}'\ntR.".encode())
    with pytest.raises(SpecError, match="is no model"):
        load_predictor(file, cheat())
    assert not witness.exists()


# --- adapting -------------------------------------------------------------------------------------


def test_the_offset_of_a_person_is_found_within_a_few_reveals():
    random = np.random.default_rng(1)
    for true in (-1.5, 0.0, 1.5):
        person = Adaptation(spread=1.0)
        for _ in range(60):
            odds = float(random.normal())
            person.update(odds, bool(random.random() < share_of(odds + true)))
        assert person.offset == pytest.approx(true, abs=0.7)
    fresh = Adaptation()
    assert fresh.offset == pytest.approx(0, abs=1e-9)
    assert fresh.share(0.0) == pytest.approx(0.5)
    assert 0.5 < fresh.share(2.0) < share_of(2.0)  # who does not know is less sure


def test_the_posterior_is_that_of_bayes_rule():
    person = Adaptation(spread=1.0)
    person.update(0.4, True)
    person.update(-0.2, False)
    grid = np.linspace(-4, 4, 81)
    weights = np.exp(-(grid**2) / 2)
    weights *= 1 / (1 + np.exp(-(0.4 + grid))) * (1 - 1 / (1 + np.exp(-(-0.2 + grid))))
    assert person.offset == pytest.approx(float(weights @ grid / weights.sum()))


def test_log_odds_stay_finite():
    assert log_odds(1.0) == pytest.approx(-log_odds(0.0))
    assert share_of(log_odds(0.3)) == pytest.approx(0.3)
