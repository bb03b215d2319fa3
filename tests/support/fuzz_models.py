"""A small model to spoil, where the extra `learn` is there."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import skops.io as skops

from facedown.belief.predictor import FORMAT, load_predictor
from facedown.games.registry import load_game
from facedown.learn.models import estimator


def model_kind(folder: Path) -> tuple[list[bytes], Callable[[bytes], object]]:
    """Models as their files hold them, and what reads one."""
    game = load_game("cheat")
    features, random = game.features, np.random.default_rng(1)
    assert features is not None
    values = random.normal(size=(120, len(features.names)))
    truth = (values[:, 0] + random.normal(size=120) > 0).astype(int)
    samples = []
    for name in ("decision-tree", "svm"):
        made = estimator(name, 1).fit(values, truth)
        plain = {
            "format": FORMAT, "scikit-learn": "1", "game": "cheat", "shift": 0.0, "about": {},
            "features": list(features.names), "digest": features.digest, "estimator": made,
            "probe": values[:4], "expected": made.predict_proba(values[:4])[:, 1],
        }  # fmt: skip
        samples.append(skops.dumps(plain, compression=zipfile.ZIP_STORED))
    file = folder / "model.skops"

    def take(data: bytes) -> None:
        file.write_bytes(data)
        load_predictor(file, game)

    return samples, take
