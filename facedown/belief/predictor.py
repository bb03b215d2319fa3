"""Predictors of what the other hides or does next: loading a model, its odds, adapting to a person.

A model's file is one that `skops` wrote. It is data: nothing in it is run, and a file that asks for
any type beside those of the classifiers here is refused before anything of it is made.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from facedown.belief.forest import Forest, forest_of
from facedown.belief.vetting import vet_archive, vet_pipeline
from facedown.core import FacedownError, Game, SpecError
from facedown.core.learning import Features, Predicted, Replies

About = Literal["secrets", "replies"]
"""What is predicted: what the action just made hides, or how a move will be answered."""

ABOUT: tuple[About, ...] = get_args(About)

FORMAT = 1
TRUSTED = (
    "numpy.dtype",
    "sklearn.calibration._CalibratedClassifier",
    "sklearn.calibration._SigmoidCalibration",
    "sklearn.neural_network._stochastic_optimizers.AdamOptimizer",
    "sklearn.tree._tree.Tree",
)
"""The types of the classifiers that `skops` does not know for harmless by itself."""

_MOST_BYTES = 64 << 20
_SURE = 0.001  # no prediction is surer than this: a model is never right about everything
_NEAR = 1e-6  # how close a loaded model comes to what it predicted when it was saved


class MissingLearnError(FacedownError):
    """There is no scikit-learn, or no skops."""

    def __init__(self) -> None:
        super().__init__("models need scikit-learn and skops: pip install 'facedown[learn]'")


@dataclass(frozen=True, eq=False)
class Model:
    """A trained classifier and what it was trained on.

    `shift` is added to its log-odds: where one kind of sample was drawn more often for training
    than it came, that takes it back. `about` says of whom it was learnt, and how.
    """

    game: str
    features: tuple[str, ...]
    digest: str
    estimator: Any
    shift: float = 0.0
    about: Mapping[str, Any] = field(default_factory=dict)

    def chances(self, values: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
        """How likely each row [samples, features] is of the last label, as the classifier says."""
        shares: np.ndarray[Any, np.dtype[np.float64]] = self.estimator.predict_proba(
            np.asarray(values, np.float64)
        )[:, 1]
        return shares

    @cached_property
    def _forest(self) -> Forest | None:
        return forest_of(self.estimator)

    def log_odds(self, values: Sequence[float]) -> float:
        """The log-odds of the last label, for the numbers of one sample."""
        return self.all_log_odds([values])[0]

    def all_log_odds(self, rows: Sequence[Sequence[float]]) -> list[float]:
        """The same for several samples [samples, features]."""
        if not rows:
            return []
        forest = self._forest
        shares = self.chances(rows) if forest is None else forest.shares(rows)
        return [log_odds(share) + self.shift for share in shares.tolist()]


def log_odds(share: float) -> float:
    """The log-odds of a share that is kept away from 0 and 1."""
    share = min(max(share, _SURE), 1 - _SURE)
    return math.log(share / (1 - share))


def share_of(odds: float) -> float:
    """The share that has these log-odds.

    >>> share_of(0.0)
    0.5
    """
    return 1.0 / (1.0 + math.exp(-odds))


# --- loading --------------------------------------------------------------------------------------


def load_predictor(file: str | Path, game: Game, about: About = "secrets") -> Model:
    """The model of a file, for what this game predicts; SpecError says why it cannot be used."""
    features = predicted_of(game, about)
    path = Path(file)
    try:
        stamp = path.stat()
        if not path.is_file() or not 0 < stamp.st_size <= _MOST_BYTES:
            raise SpecError(f"{file} is no model of `facedown learn`: {_oddity(path)}")
    except OSError as error:
        raise SpecError(f"cannot read {file}: {error.strerror}") from None
    model = _loaded(str(path.resolve()), stamp.st_mtime_ns, stamp.st_size)
    if model.game != game.name:
        raise SpecError(f"{file} is a model of {model.game}; one of {game.name} is wanted")
    for other in ABOUT:
        if other != about and model.digest == _digest(game, other):
            raise SpecError(
                f"{file} predicts {other}; a model of {about} is wanted "
                f"(`facedown learn {game.name} --about {about}`)"
            )
    if (model.digest, model.features) != (features.digest, features.names):
        new = [name for name in features.names if name not in model.features]
        old = [name for name in model.features if name not in features.names]
        told = f" (lacks {', '.join(new) or 'none'}; has {', '.join(old) or 'none'} beside them)"
        raise SpecError(
            f"{file} was trained on other features than {game.name} has now{told}: "
            "train it again with `facedown learn`"
        )
    return model


def _oddity(path: Path) -> str:
    """What is wrong with something that cannot be a model, whatever it holds."""
    if not path.is_file():
        return "it is no file"
    return "it is too large" if path.stat().st_size else "it is empty"


def features_of(game: Game) -> Features:
    """The game's features; SpecError where it offers none."""
    if game.features is None:
        raise SpecError(f"{game.name} offers no features, so nothing of it can be predicted")
    return game.features


def replies_of(game: Game) -> Replies:
    """The game's replies; SpecError where it offers none."""
    if game.replies is None:
        raise SpecError(f"{game.name} offers no features of replies, so none can be predicted")
    return game.replies


def predicted_of(game: Game, about: About) -> Predicted:
    """What a model of this kind predicts in the game; SpecError where that is nothing."""
    return features_of(game) if about == "secrets" else replies_of(game)


def _digest(game: Game, about: About) -> str | None:
    """The digest of a model of this kind; None where the game has none."""
    found = game.features if about == "secrets" else game.replies
    return None if found is None else found.digest


@lru_cache(maxsize=16)
def _loaded(path: str, changed: int, size: int) -> Model:
    """The model of a file as it was at this time."""
    plain = _plain(path)
    try:
        probe, expected = plain.pop("probe"), np.asarray(plain.pop("expected"))
        number, made = plain.pop("format"), plain.pop("scikit-learn")
        if number != FORMAT:
            raise SpecError(f"{path} has format {number}; this version of facedown reads {FORMAT}")
        _check(plain, probe)
        model = Model(**{**plain, "features": tuple(plain["features"])})
        near = np.allclose(_tried(model, probe), expected, atol=_NEAR)
    except SpecError:
        raise
    except Exception as error:
        raise SpecError(f"{path} is no model that can be used: {_told(error)}") from None
    if not near:
        raise SpecError(
            f"{path}, made by scikit-learn {made}, does not predict here what it did there: "
            "train it again with `facedown learn`"
        )
    return model


def _check(plain: dict[str, Any], probe: Any) -> None:
    """ValueError where something is not what `Model` says, or cannot be asked with such samples."""
    wanted = {"game": str, "digest": str, "features": list, "shift": float, "about": dict}
    for name, kind in wanted.items():
        if not isinstance(plain[name], kind):
            raise ValueError(f"{name} is {plain[name]!r}; a {kind.__name__} is wanted")
    if not math.isfinite(plain["shift"]):
        raise ValueError(f"shift is {plain['shift']}; a finite number is wanted")
    if not all(isinstance(name, str) for name in plain["features"]):
        raise ValueError("features has something else than names")
    if len(probe) == 0 or np.shape(probe)[1:] != (len(plain["features"]),):
        raise ValueError(f"its samples are not of {len(plain['features'])} features")
    vet_pipeline(plain["estimator"], len(plain["features"]))


def _tried(model: Model, probe: Any) -> Any:
    """The predictions for some samples; one alone is asked for, too, as at the table."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.log_odds(probe[0])
        return model.chances(probe)


def _plain(path: str) -> dict[str, Any]:
    """What the file holds, nothing but trusted types."""
    try:
        import sklearn  # noqa: F401  # only whether it is there: the models are its own
        import skops.io as skops
    except ModuleNotFoundError:
        raise MissingLearnError from None
    try:
        data = Path(path).read_bytes()
        vet_archive(data)
        with warnings.catch_warnings():  # of another version: `probe` tells whether it matters
            warnings.simplefilter("ignore")
            unsafe = sorted(set(skops.get_untrusted_types(data=data)) - set(TRUSTED))
            if unsafe:
                raise SpecError(f"{path} is not safe to load: it asks for {', '.join(unsafe)}")
            plain = skops.loads(data, trusted=list(TRUSTED))
    except SpecError:
        raise
    except Exception as error:  # whatever a broken file makes of skops
        raise SpecError(f"{path} is no model of `facedown learn`: {_told(error)}") from None
    if not isinstance(plain, dict):
        raise SpecError(f"{path} is no model of `facedown learn`: it holds something else")
    return plain


def _told(error: Exception) -> str:
    words = " ".join(str(error).split())[:200]
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


# --- adapting -------------------------------------------------------------------------------------


class Adaptation:
    """How far the person at the table is from those whom a model was trained on.

    Their log-odds of the predicted label are the model's plus an offset that is theirs. The prior
    of the offset is normal around 0 with the standard deviation `spread`; each action that comes
    out, with what the model said of it, updates the posterior by Bayes' rule, on a grid;
    predictions are means over the posterior.

    >>> person = Adaptation()
    >>> for _ in range(6):
    ...     person.update(0.0, True)
    >>> 0.6 < person.share(0.0) < 0.7
    True
    """

    def __init__(self, spread: float = 0.5) -> None:
        self._offsets = np.linspace(-4.0, 4.0, 81)
        self._weights = np.exp(-0.5 * (self._offsets / spread) ** 2)
        self._weights /= self._weights.sum()

    def update(self, odds: float, came: bool) -> None:
        """An action of which the model said these log-odds was, or was not, as predicted."""
        shares = self._shares(odds)
        self._weights *= shares if came else 1.0 - shares
        self._weights /= self._weights.sum()

    def share(self, odds: float) -> float:
        """How likely an action is, of which the model says these log-odds."""
        return float(self._weights @ self._shares(odds))

    @property
    def offset(self) -> float:
        """The mean of the offset, as far as it is known."""
        return float(self._weights @ self._offsets)

    def _shares(self, odds: float) -> np.ndarray[Any, np.dtype[np.float64]]:
        shares: np.ndarray[Any, np.dtype[np.float64]] = 1.0 / (
            1.0 + np.exp(-(odds + self._offsets))
        )
        return shares
