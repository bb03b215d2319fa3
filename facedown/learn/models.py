"""The classifiers, how they are compared (section 4.7 of Bitan and Kraus 2017), and their files."""

from __future__ import annotations

import warnings
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from facedown.belief.predictor import FORMAT, MissingLearnError, Model
from facedown.core import SpecError, derive
from facedown.core.files import write_whole
from facedown.learn.corpus import Corpus

Array = np.ndarray[Any, Any]
Progress = Callable[[int, int], None]

CLASSIFIERS = ("random-forest", "svm", "decision-tree", "neural-network")
BLOCKS = 2
"""Parts of a pair's samples, each predicted with those before it, unless told otherwise."""

_EVEN = 0.4  # a class with a smaller share of the samples is drawn again until there are as many
_FEWEST = 10  # samples of each class that something can be learnt from
_EPOCHS = 30  # of a network that cannot be stopped early
_PROBE = 16  # samples whose predictions are kept in the file
_DRAWS = 400  # of the pairs, for the intervals of the AUC


def estimator(name: str, seed: int, copies: bool = False) -> Any:
    """A classifier of this name, untrained; what is unknown in a sample is the median for it.

    Where some samples come as `copies`, too, none can be held out to tell when to stop training:
    the copies would give it away.
    """
    try:
        from sklearn.calibration import CalibratedClassifierCV
        from sklearn.ensemble import RandomForestClassifier
        from sklearn.impute import SimpleImputer
        from sklearn.neural_network import MLPClassifier
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
        from sklearn.svm import SVC
        from sklearn.tree import DecisionTreeClassifier
    except ModuleNotFoundError:
        raise MissingLearnError from None
    state = derive(seed, name) % (1 << 31)
    made = {
        "random-forest": lambda: RandomForestClassifier(
            80, min_samples_leaf=10, random_state=state
        ),
        "svm": lambda: CalibratedClassifierCV(SVC(C=1.0), ensemble=False, cv=3),
        "decision-tree": lambda: DecisionTreeClassifier(
            max_depth=6, min_samples_leaf=20, random_state=state
        ),
        "neural-network": lambda: MLPClassifier(
            (16,),
            alpha=0.1,
            max_iter=_EPOCHS if copies else 200,
            early_stopping=not copies,
            random_state=state,
        ),
    }
    if name not in made:
        raise SpecError(f"no classifier {name!r}; classifiers: {', '.join(CLASSIFIERS)}")
    imputer = SimpleImputer(strategy="median", keep_empty_features=True)
    return make_pipeline(imputer, StandardScaler(), made[name]())


# --- training -------------------------------------------------------------------------------------


def balanced(positive: Array, seed: int) -> tuple[Array, float]:
    """Which samples to train on, the rarer class drawn again if it is much rarer; and the shift.

    The shift takes log-odds that were learnt so back to how often the classes really came.
    """
    of = [np.flatnonzero(~positive), np.flatnonzero(positive)]
    few, many = sorted(of, key=len)
    everything = np.arange(len(positive))
    if len(few) >= _EVEN * len(positive):
        return everything, 0.0
    random = np.random.default_rng(derive(seed, "oversampling"))
    again = random.choice(few, len(many) - len(few))
    return np.concatenate([everything, again]), float(np.log(len(of[1]) / len(of[0])))


def _fitted(
    name: str, values: Array, positive: Array, seed: int, even: bool = True
) -> tuple[Any, float]:
    """A trained classifier and its shift; SpecError where there is too little to learn from.

    `even`: a class that is much rarer is drawn again; else samples are taken as they came.
    """
    counts = int(positive.sum()), int((~positive).sum())
    if min(counts) < _FEWEST:
        raise SpecError(
            f"{counts[0]} and {counts[1]} samples of the two kinds are too few to train on: "
            f"at least {_FEWEST} of each are wanted"
        )
    rows, shift = balanced(positive, seed) if even else (np.arange(len(positive)), 0.0)
    made = estimator(name, seed, copies=len(rows) > len(positive))
    weights = {}
    if name == "svm":  # calibrated on samples held out, none of which may have been trained on
        rows = np.arange(len(positive))
        often = np.exp(np.maximum(0.0, np.where(positive, -shift, shift)))
        weights = {"calibratedclassifiercv__sample_weight": often}
    with warnings.catch_warnings():  # a network that is stopped early is meant to be
        warnings.simplefilter("ignore")
        return made.fit(values[rows], positive[rows].astype(int), **weights), shift


def train(name: str, corpus: Corpus, seed: int = 0) -> Model:
    """A model of this classifier, trained on all samples.

    Replies, which a search draws by the shares, are taken as they came: those that a forest learns
    from copies come out too low, though the log-odds are taken back by as much as there are copies.
    """
    even = corpus.about == "secrets"
    fitted, shift = _fitted(name, corpus.values, corpus.positive, seed, even)
    features = corpus.features
    about = {
        "classifier": name,
        "of": corpus.kind,
        "samples": len(corpus),
        "positive": int(corpus.positive.sum()),
        "pairs": len(corpus.pairs),
        "seed": seed,
    }
    game = corpus.game.partition(":")[0]
    return Model(game, features.names, features.digest, fitted, shift, about)


# --- the paper's cross-validation -----------------------------------------------------------------


def folds(corpus: Corpus, blocks: int = BLOCKS) -> Iterator[tuple[Array, Array]]:
    """Samples to train on and samples to predict, fold by fold; every sample is predicted once.

    A fold predicts a block of a pair's samples, in the order in which they came. It trains on the
    samples of all pairs with which it has no person in common, and on those of the pair itself that
    precede the block: with as many blocks as samples that is the paper's leave-one-sample-out.
    """
    if blocks < 1:
        raise SpecError(f"blocks is {blocks}; at least 1 is wanted")
    for pair, kin in enumerate(corpus.kin):
        own = np.flatnonzero(corpus.pair == pair)
        others = np.flatnonzero(~np.isin(corpus.pair, list(kin)))
        for block in np.array_split(own, min(blocks, len(own))):
            yield np.concatenate([others, own[own < block[0]]]), block


def cross_validate(
    name: str,
    corpus: Corpus,
    blocks: int = BLOCKS,
    seed: int = 0,
    progress: Progress | None = None,
) -> Array:
    """For each sample how likely it is positive, by models that never saw it [samples]."""
    if any(len(kin) == len(corpus.pairs) for kin in corpus.kin):
        raise SpecError(
            "to predict a pair, others are wanted that have nobody in common with it, and there "
            "are none: compare on records of more people, or train one --classifier with --blocks 0"
        )
    shares = np.full(len(corpus), np.nan)
    parts = list(folds(corpus, blocks))
    for k, (learnt, asked) in enumerate(parts):
        fitted, _ = _fitted(name, corpus.values[learnt], corpus.positive[learnt], seed)
        shares[asked] = fitted.predict_proba(corpus.values[asked])[:, 1]
        if progress is not None:
            progress(k + 1, len(parts))
    return shares


@dataclass(frozen=True, eq=False)
class Quality:
    """How well a classifier tells the classes apart.

    `auc` with its 95 % interval over pairs; at a share of 1/2 the rates at which positives (false
    claims) and negatives are recognised, and their geometric mean. The curve: [points] each.
    """

    name: str
    auc: float
    low: float
    high: float
    tpr: float
    tnr: float
    curve: tuple[Array, Array]

    @property
    def g_mean(self) -> float:
        """The geometric mean of the two rates."""
        return float(np.sqrt(self.tpr * self.tnr))

    def to_json(self) -> dict[str, Any]:
        """The numbers, without the curve."""
        rates = {"tpr": self.tpr, "tnr": self.tnr, "g_mean": self.g_mean}
        area = {"auc": self.auc, "low": self.low, "high": self.high}
        return {"classifier": self.name, **area, **rates}


def quality(name: str, corpus: Corpus, shares: Array, seed: int = 0) -> Quality:
    """What the predictions of a classifier are worth."""
    from sklearn.metrics import roc_auc_score, roc_curve

    truth = corpus.positive
    false_rate, true_rate, _ = roc_curve(truth, shares)
    random = np.random.default_rng(derive(seed, "intervals"))
    rows = [np.flatnonzero(corpus.pair == pair) for pair in range(len(corpus.pairs))]
    areas = []
    for _ in range(_DRAWS):
        drawn = np.concatenate([rows[k] for k in random.integers(len(rows), size=len(rows))])
        if truth[drawn].any() and not truth[drawn].all():
            areas.append(roc_auc_score(truth[drawn], shares[drawn]))
    low, high = np.quantile(areas, [0.025, 0.975])
    return Quality(
        name=name,
        auc=float(roc_auc_score(truth, shares)),
        low=float(low),
        high=float(high),
        tpr=float((shares[truth] >= 0.5).mean()),
        tnr=float((shares[~truth] < 0.5).mean()),
        curve=(false_rate, true_rate),
    )


# --- files ----------------------------------------------------------------------------------------


def save_model(model: Model, corpus: Corpus, out: Path) -> None:
    """Write a model, whole or not at all."""
    write_whole(out, packed(model, corpus))


def packed(model: Model, corpus: Corpus) -> bytes:
    """A model as its file holds it, with a few samples by which a reader can check it."""
    try:
        import sklearn
        import skops.io as skops
    except ModuleNotFoundError:
        raise MissingLearnError from None
    probe = corpus.values[:: max(1, len(corpus) // _PROBE)][:_PROBE]
    plain = {
        "format": FORMAT,
        "scikit-learn": sklearn.__version__,
        "game": model.game,
        "features": list(model.features),
        "digest": model.digest,
        "shift": model.shift,
        "about": dict(model.about),
        "estimator": model.estimator,
        "probe": probe,
        "expected": model.chances(probe),
    }
    data: bytes = skops.dumps(plain, compression=zipfile.ZIP_DEFLATED, compresslevel=9)
    return data


def told(model: Model, **more: Any) -> Model:
    """The model with more said about it."""
    return replace(model, about={**model.about, **more})
