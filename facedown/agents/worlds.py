"""Worlds for a search where the game itself cannot draw any: from a HyperPlay bag."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np

from facedown.belief.hyperplay import Bag
from facedown.belief.pool import Pool
from facedown.core import Game, Stream
from facedown.search.recipe import Labels, Recipe, Worlds


def draws(recipe: Recipe) -> bool:
    """Whether a recipe has worlds drawn."""
    return recipe.worlds in (Worlds.DETERMINIZE, Worlds.SAMPLED)


def lacks_worlds(game: Game, recipe: Recipe) -> bool:
    """Whether a recipe has worlds drawn by a game that has no rule for it."""
    return draws(recipe) and recipe.belief is None and not game.has("determinize")


def given(recipe: Recipe) -> Recipe:
    """The recipe with worlds from a bag in place of those that the game would draw."""
    drawn = recipe.worlds is Worlds.DETERMINIZE
    return replace(recipe, worlds=Worlds.GIVEN) if drawn else recipe


def pool_of(
    bag: Bag, recipe: Recipe, player: int, stream: Stream, seconds: float | None = None
) -> Pool:
    """The worlds of a bag, as a recipe that is `given` them wants them.

    By their weights; where they are taken in turn so many as it wants, redrawn by weight; for roots
    by label each with its secret, every label as likely (Bitan and Kraus 2017, Algorithm 1).
    """
    pool = bag.worlds(seconds)
    if recipe.worlds is Worlds.SAMPLED:
        return _redrawn(pool, recipe.samples, stream)
    if recipe.labels is Labels.ROOT:
        return _by_secret(pool, player)
    return pool


def _redrawn(pool: Pool, samples: int, stream: Stream) -> Pool:
    """So many worlds that all count the same: evenly spaced along the weights."""
    points = (np.arange(samples) + stream.random()) * (pool.cumulative[-1] / samples)
    places = np.minimum(np.searchsorted(pool.cumulative, points, side="right"), len(pool) - 1)
    return Pool([pool.position(int(k)) for k in places])


def _by_secret(pool: Pool, player: int) -> Pool:
    worlds = [pool.position(k) for k in range(len(pool))]
    labels = [world.secret(player) % (1 << 64) for world in worlds]
    masses: dict[int, float] = defaultdict(float)
    for label, weight in zip(labels, pool.weights.tolist(), strict=True):
        masses[label] += weight
    weights = [w / masses[label] for w, label in zip(pool.weights, labels, strict=True)]
    return Pool(worlds, weights, labels)
