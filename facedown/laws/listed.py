"""Laws of `world`: the worlds that a game lists are those of the view, and weigh as they come."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from facedown.core import Position, Stream, derive
from facedown.laws.findings import Violation, viewer_name
from facedown.laws.lab import Lab, Step
from facedown.laws.law import FOUNDATION, law, wants
from facedown.laws.probes import difference, number_text, short
from facedown.laws.statistics import chi_squared, tail
from facedown.laws.views import with_unseen
from facedown.laws.worlds import world_of

_THRESHOLD = 1e-6
_SAMPLES = 400
_TESTS = 40  # views whose frequencies are tried, over all


def listed(view: Position, viewer: int) -> Iterator[tuple[int, Position, float]]:
    """The game's worlds made of a view, each with its number and its weight."""
    for k in range(view.game.worlds):
        world = view.copy()
        yield k, world, world.world(viewer, k)


@law(
    "worlds-listed",
    "The listed worlds keep the view, and the truth is one of them, always the same one.",
    needs=FOUNDATION,
)
def worlds_listed(lab: Lab) -> Iterator[Violation]:
    """Every world of positive weight looks like the view; one of them is the truth."""
    wants(lab, "world")
    numbers: set[int] = set()  # those that the true world can have had all along
    for step, unseen in with_unseen(lab, lab.steps()):
        if step.ref[1] == 0:
            numbers = set(range(lab.game.worlds))
        for viewer in lab.viewers:
            lab.look()
            fault, true = _list_fault(step, viewer)
            if not fault and not unseen.pending(step.view(viewer), step.turn, viewer):
                fault = _truth_fault(numbers, true)
                numbers = numbers & true or numbers
            if fault:
                yield lab.broken(f"world for {viewer_name(viewer)} {fault}", viewer=viewer)


def _truth_fault(before: set[int], now: set[int]) -> str:
    """What is wrong with the numbers of the true world, for one who can have it listed."""
    if not now:
        return "lists no world of positive weight that is the truth"
    if not before & now:
        return f"makes the true world of number {min(now)}, which was not among its numbers before"
    return ""


def _list_fault(step: Step, viewer: int) -> tuple[str, set[int]]:
    """What is wrong with a view's listed worlds, and the numbers of those that are the truth."""
    view, truth = step.view(viewer), step.position.digest()
    key, true = view.infoset(viewer), set[int]()
    for k, world, weight in listed(view, viewer):
        if not (math.isfinite(weight) and weight >= 0.0):
            return f"gives world {k} the weight {number_text(weight)}", true
        if weight == 0.0:
            continue
        back = world.view(viewer)
        if back.digest() != view.digest():
            return f"changes his view in world {k}: {difference(view, back)}", true
        if world.infoset(viewer) != key:
            return f"changes his infoset in world {k}", true
        if world.digest() == truth:
            true.add(k)
    return "", true


@law(
    "worlds-weights",
    "determinize draws the listed worlds, in proportion to their weights.",
    needs=(*FOUNDATION, "worlds-keep-view", "worlds-listed"),
)
def worlds_weights(lab: Lab) -> Iterator[Violation]:
    """Chi-squared at one position of each story; what fails is sampled afresh."""
    wants(lab, "world")
    wants(lab, "determinize")
    tested = 0
    for _, truth in lab.samples():
        for viewer in lab.viewers:
            lab.look()
            expected = _expected(truth, viewer)
            if len(expected) < 2 or tested >= _TESTS:
                continue
            tested += 1
            fault = _draw_fault(lab, truth, viewer, expected, 1)
            if fault and _draw_fault(lab, truth, viewer, expected, 4):
                yield lab.broken(f"determinize for {viewer_name(viewer)} {fault}", viewer=viewer)


def _expected(truth: Position, viewer: int) -> dict[bytes, float]:
    """The probability of each listed world; those that are equal are put together."""
    weights: dict[bytes, float] = {}
    for _, world, weight in listed(truth.view(viewer), viewer):
        if weight > 0.0:
            digest = short(world.digest())
            weights[digest] = weights.get(digest, 0.0) + weight
    total = sum(weights.values())
    return {digest: weight / total for digest, weight in weights.items()}


def _draw_fault(
    lab: Lab, truth: Position, viewer: int, expected: dict[bytes, float], times: int
) -> str:
    """What speaks against determinize drawing as the weights say; "" if nothing."""
    path = "/".join(map(str, lab.moves(lab.here)))
    stream = Stream(derive(lab.seed, "law", lab.law, viewer, path, times))
    n = times * max(_SAMPLES, 20 * len(expected))
    memo = lab.recalled(lab.moves(lab.here), viewer)
    counts = Counter(short(world_of(truth, viewer, stream, memo).digest()) for _ in range(n))
    if counts.keys() - expected.keys():
        return "draws a world that is not listed with a positive weight"
    if tail(*chi_squared(counts, expected)) >= _THRESHOLD:
        return ""
    worst = max(expected, key=lambda world: abs(counts[world] / n - expected[world]))
    return (
        f"draws other worlds than the weights say: one of {len(expected)} has probability "
        f"{expected[worst]:.3f} and came {counts[worst]} times in {n}"
    )
