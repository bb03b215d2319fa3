"""Laws of `suppose`: the labels of a view are those of its worlds, and worlds stay as likely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator

from facedown.core import CHANCE, Memo, Position, Stream
from facedown.laws.findings import Violation, viewer_name
from facedown.laws.lab import Lab, Step
from facedown.laws.law import FOUNDATION, law, wants
from facedown.laws.probes import difference, short
from facedown.laws.statistics import same_source, tail
from facedown.laws.stories import playable
from facedown.laws.views import with_unseen

_SUSPECT, _GUILTY = 1e-2, 1e-6  # probabilities below which one looks again, and accuses
_DRAWS = 4  # worlds of a view, and of each view that supposes a label
_SAMPLES = 600  # worlds of a view whose frequencies are tried
_LEAST = 40  # of them with a label, to say anything of it
_TESTS = 40  # views whose frequencies are tried, over all
_FEW = 20  # worlds of a view that are counted one by one


def _drawn(view: Position, viewer: int, stream: Stream, memo: Memo | None) -> Position:
    world = view.copy()
    world.determinize(viewer, stream, memo=memo)
    return world


@law(
    "labels-supposed",
    "The labels that can be supposed are those of the worlds, and worlds drawn then have them.",
    needs=(*FOUNDATION, "worlds-keep-view"),
)
def labels_supposed(lab: Lab) -> Iterator[Violation]:
    """For every player at every position: worlds with and without a label supposed."""
    wants(lab, "suppose")
    wants(lab, "determinize")
    for step, unseen in with_unseen(lab, lab.steps()):
        for viewer in range(lab.game.players):
            lab.look()
            pending = unseen.pending(step.view(viewer), step.turn, viewer)
            memo, stream = (
                lab.recalled(lab.moves(step.ref), viewer),
                lab.stream(step.ref[1], viewer),
            )
            fault = _label_fault(step, viewer, stream, pending, memo)
            if fault:
                yield lab.broken(f"suppose for {viewer_name(viewer)} {fault}", viewer=viewer)


def _label_fault(step: Step, viewer: int, stream: Stream, pending: bool, memo: Memo | None) -> str:
    """What is wrong with the labels of a view; "" if nothing."""
    view = step.view(viewer)
    supposed = view.supposed(viewer)
    found = {_drawn(view, viewer, stream, memo).secret(viewer) for _ in range(_DRAWS)}
    if not pending:
        found.add(step.position.secret(viewer))
    for label in sorted(found - supposed.keys()):
        return f"has no label {label}, which a world of his view has"
    for label, there in supposed.items():
        for _ in range(_DRAWS):
            world = _drawn(there, viewer, stream, memo)
            if world.secret(viewer) != label:
                return f"with label {label} gives a world with label {world.secret(viewer)}"
            back = world.view(viewer)
            if back.digest() != view.digest():
                return f"with label {label} changes his view: {difference(view, back)}"
    return ""


@law(
    "labels-frequencies",
    "Given a label, worlds are as likely as they are without it being supposed.",
    needs=(*FOUNDATION, "worlds-keep-view", "labels-supposed"),
)
def labels_frequencies(lab: Lab) -> Iterator[Violation]:
    """Two samples at one position of each story, one of them by rejection; what fails, afresh."""
    wants(lab, "suppose")
    wants(lab, "determinize")
    tested = 0
    for number, truth in lab.samples():
        viewer = truth.turn()
        lab.look()
        if viewer < 0 or tested >= _TESTS:
            continue
        tested += 1
        view, stream = truth.view(viewer), lab.stream("samples", number)
        memo = lab.recalled(lab.moves(lab.here), viewer)
        for label in _differing(view, viewer, stream, 1, _SUSPECT, memo):
            if label in _differing(view, viewer, stream, 4, _GUILTY, memo):
                what = f"with label {label} draws its worlds with other frequencies than the view"
                yield lab.broken(f"suppose for {viewer_name(viewer)} {what}", viewer=viewer)


def _differing(
    view: Position,
    viewer: int,
    stream: Stream,
    times: int,
    threshold: float,
    memo: Memo | None,
) -> list[int]:
    """The labels whose supposed worlds are not distributed as those that come up by themselves."""
    by_label: dict[int, list[Position]] = {}
    for _ in range(times * _SAMPLES):
        world = _drawn(view, viewer, stream, memo)
        by_label.setdefault(world.secret(viewer), []).append(world)
    supposed, differing = view.supposed(viewer), []
    for label, worlds in by_label.items():
        if len(worlds) < _LEAST or label not in supposed:
            continue
        others = [_drawn(supposed[label], viewer, stream, memo) for _ in worlds]
        one, two = _counted(worlds, others, viewer, stream)
        if tail(*same_source(one, two)) < threshold:
            differing.append(label)
    return differing


def _counted(
    one: list[Position], two: list[Position], viewer: int, stream: Stream
) -> tuple[Counter[Hashable], Counter[Hashable]]:
    """How often each world is there; where they are many, how often what comes of them is."""
    digests = [Counter[Hashable](short(w.digest()) for w in worlds) for worlds in (one, two)]
    if len(digests[0] | digests[1]) <= _FEW:
        return digests[0], digests[1]
    ends = [Counter[Hashable](_choices(w, viewer, stream) for w in worlds) for worlds in (one, two)]
    return ends[0], ends[1]


def _choices(world: Position, viewer: int, stream: Stream) -> int:
    """How many moves the next of the others has to act, random moves before it; -1 for none."""
    for _ in range(world.game.most_plies):
        legal = playable(world)
        if not legal:
            return -1
        if world.turn() not in (viewer, CHANCE):
            return len(legal)
        chance = world.turn() == CHANCE
        world.play(world.draw(stream) if chance else stream.choice(legal))
    return -1
