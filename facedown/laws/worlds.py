"""Laws of `determinize`: worlds keep the view, can be played, and come from the view alone."""

from __future__ import annotations

import math
from collections.abc import Iterator

from facedown.core import OVER, Memo, Position, Stream, derive
from facedown.laws.findings import Violation, viewer_name
from facedown.laws.lab import Lab, OutOfTimeError, Recall, Step
from facedown.laws.law import FOUNDATION, law, wants
from facedown.laws.moves import values_fault
from facedown.laws.probes import difference, draws, move_name, raw_payoff, short
from facedown.laws.stories import (
    Story,
    located,
    look_alike,
    observed,
    pick_move,
    playable,
    replay,
)

WORLD = "(a world is drawn here)"
"""Stands among the moves where a sampled world takes the place of the true position."""

_PLAYOUTS = 6  # positions of a story from which worlds are played to their end
_MORE_STORIES = 200  # random games for the comparison with the truth
_SAMPLES = 8
_SIGMAS = 6.0
_LEAST_STORIES = 30
_LEAST_MIXED = 8  # games in which another world was possible, to say "never but the truth"


def world_of(position: Position, viewer: int, stream: Stream, memo: Memo | None = None) -> Position:
    """A world drawn from the viewer's view, freshly hidden, and from the memo if one is kept."""
    world = position.view(viewer)
    world.determinize(viewer, stream, memo=memo)
    return world


@law("worlds-keep-view", "A world looks to the viewer just as his view does.", needs=FOUNDATION)
def worlds_keep_view(lab: Lab) -> Iterator[Violation]:
    """For every viewer at every position: equal view and equal infoset in the sampled world."""
    wants(lab, "determinize")
    for step in lab.steps():
        for viewer in lab.viewers:
            view = step.view(viewer)
            if not draws(view, viewer):
                continue
            lab.look()
            memo = lab.recalled(lab.moves(step.ref), viewer)
            world = world_of(step.position, viewer, lab.stream(step.ref[1], viewer), memo)
            who, back = viewer_name(viewer), world.view(viewer)
            if back.digest() != view.digest():
                acting = "" if viewer == step.turn else ", who is not to act"
                what = f"determinize for {who}{acting}, changes his view: {difference(view, back)}"
                yield lab.broken(what, viewer=viewer)
            elif world.infoset(viewer) != view.infoset(viewer):
                yield lab.broken(f"determinize changes the infoset of {who}", viewer=viewer)


@law("worlds-playable", "A world can be played to its end.", needs=(*FOUNDATION, "ends", "payoffs"))
def worlds_playable(lab: Lab) -> Iterator[Violation]:
    """Play worlds out at random; on his turn the viewer has his true legal moves."""
    wants(lab, "determinize")
    for step in lab.steps():
        length = len(lab.story(step.ref[0]).moves) + 1
        if lab.stream("playouts", step.ref[1]).below(length) >= _PLAYOUTS:
            continue
        for viewer in lab.viewers:
            if not draws(step.view(viewer), viewer):
                continue
            lab.look()
            stream = lab.stream(step.ref[1], viewer)
            fault = _world_fault(lab, step, viewer, stream)
            if fault:
                yield lab.broken(f"a world of {viewer_name(viewer)} {fault}", viewer=viewer)


def _world_fault(lab: Lab, step: Step, viewer: int, stream: Stream) -> str:
    memo = lab.recalled(lab.moves(step.ref), viewer)
    world = world_of(step.position, viewer, stream, memo)
    acts = step.turn == viewer and step.view(viewer).turn() == viewer and step.move is not None
    if acts and (world.turn() != viewer or sorted(world.legal()) != sorted(step.legal)):
        return "has other legal moves for him than there are in truth"
    return _play_out(world, stream, (*lab.names(lab.moves(step.ref)), WORLD))


def _play_out(world: Position, stream: Stream, before: tuple[str, ...]) -> str:
    """Play a world at random to its end; what is wrong with that end, or ""."""
    game = world.game
    names = list(before)
    for _ in range(game.most_plies + 1):
        with located(game, (), *names):
            legal = playable(world)
        if not legal:
            break
        move = pick_move(world, legal, stream)
        names.append(move_name(game, move))
        with located(game, (), *names):
            world.play(move)
    if world.turn() != OVER:
        return f"is not over after {game.most_plies} random moves, or has no legal move"
    with located(game, (), *names):
        fault = values_fault(raw_payoff(world), game.players, game.bounds)
    return f"ends with a bad payoff: payoff {fault}" if fault else ""


@law("worlds-from-view", "A world depends on the view and the stream alone.", needs=FOUNDATION)
def worlds_from_view(lab: Lab) -> Iterator[Violation]:
    """Equal views and equal streams give equal worlds, also where the truths differ."""
    wants(lab, "determinize")
    recall = Recall()
    for step in lab.steps(twins=True):
        for viewer in lab.viewers:
            if not draws(step.view(viewer), viewer):
                continue
            lab.look()
            view, memo = step.digest(viewer), lab.recalled(lab.moves(step.ref), viewer)
            view += b"" if memo is None else memo.digest()
            seed, who = derive(lab.seed, "world", view.hex()), viewer_name(viewer)
            world = world_of(step.position, viewer, Stream(seed), memo)
            if step.ref[0] < len(lab.stories):
                again = world_of(step.position, viewer, Stream(seed), memo)
                if world.digest() != again.digest():
                    what = f"determinize for {who} with one stream gives two worlds"
                    yield lab.broken(f"{what}: {difference(world, again)}", viewer=viewer)
                    continue
            there = recall.clash((viewer, view), short(world.digest()), step.ref)
            if there is not None:
                other = world_of(lab.position(there), viewer, Stream(seed), memo)
                what = (
                    f"determinize for {who} gives another world after {lab.tell(there)}, where "
                    f"his view is equal: {difference(world, other)}; it uses more than the view"
                )
                yield lab.broken(what, viewer=viewer)


class _Meetings:
    """How often sampled worlds met the truth, and how often they met each other."""

    def __init__(self) -> None:
        self.last: tuple[int, ...] = ()  # the moves to the place that was counted last
        self.excess: list[float] = []  # for each game: met the truth, less met each other
        self.mixed = 0  # games in which a look-alike showed that another world was possible
        self.alike = self.others = 0  # look-alikes found, and those that are not the truth
        self.missed = 0  # samples in those games that are not the truth

    def add(self, truth: bytes, worlds: list[bytes], others: list[bytes]) -> None:
        n = len(worlds)
        pairs = n * (n - 1) / 2
        same = sum(worlds[a] == worlds[b] for a in range(n) for b in range(a))
        self.excess.append(sum(world == truth for world in worlds) / n - same / pairs)
        if any(other != truth for other in others):
            self.mixed += 1
            self.missed += sum(world != truth for world in worlds)
        self.alike += len(others)
        self.others += sum(other != truth for other in others)

    @property
    def fault(self) -> str:
        """What the counts say against the sampler; "" if nothing."""
        mixed = self.others >= 0.2 * self.alike and self.mixed >= _LEAST_MIXED
        if mixed and self.missed == 0:
            return (
                f"determinize gave the true position in every one of {self.mixed} games in which "
                "others were possible"
            )
        n = len(self.excess)
        if n < _LEAST_STORIES:
            return ""
        mean = sum(self.excess) / n
        spread = math.sqrt(sum((x - mean) ** 2 for x in self.excess) / (n - 1) / n)
        if mean > 0.02 and mean > _SIGMAS * spread:
            return (
                f"sampled worlds meet the truth {mean:.0%} of the time more often than each other, "
                f"over {n} games: determinize knows more than the view"
            )
        return ""


@law(
    "worlds-not-truth",
    "Sampled worlds meet the truth no more often than chance does.",
    needs=FOUNDATION,
)
def worlds_not_truth(lab: Lab) -> Iterator[Violation]:
    """At one position of each of many games, compare samples with the truth and with each other.

    For an honest sampler the two rates have the same expectation.
    """
    wants(lab, "determinize")
    counted = {viewer: _Meetings() for viewer in lab.viewers}
    try:
        for number in range(max(lab.games, _MORE_STORIES)):
            lab.here = (0, 0)
            known = number < len(lab.stories)
            story = lab.stories[number] if known else lab.random_story(number)
            for viewer, meetings in counted.items():
                _meet(lab, story, viewer, meetings)
                lab.look()
    except OutOfTimeError:
        lab.note = "stopped by the clock"
    for viewer, meetings in counted.items():
        if meetings.fault:
            lab.here = (0, 0)
            what = f"{viewer_name(viewer)}: {meetings.fault}; the last of them"
            yield lab.broken(what, meetings.last, viewer)


def _meet(lab: Lab, story: Story, viewer: int, meetings: _Meetings) -> None:
    """Count at one ply of a story, if it gets so far and anything is hidden there.

    The ply does not depend on the story: else what is hidden would have a say in it.
    """
    longest = lab.memo("longest", lambda: max(len(known.moves) for known in lab.stories))
    stream = Stream(derive(story.seed, "law", lab.law, viewer))
    ply = stream.below(longest + 1)
    moves = story.moves[:ply]
    seen = observed(lab.game, moves, viewer)
    moves = moves[: seen[-1][0] + 1] if seen else ()  # later choices are pending, hence withdrawn
    truth = replay(lab.game, moves)
    view = truth.view(viewer)
    if len(story.moves) < ply or view.digest() == truth.digest() or not draws(view, viewer):
        return
    memo = lab.recalled(moves, viewer)
    worlds = [short(world_of(truth, viewer, stream, memo).digest()) for _ in range(_SAMPLES)]
    found = [look_alike(lab.game, moves, viewer, stream) for _ in range(2)]
    others = [short(replay(lab.game, other).digest()) for other in found if other is not None]
    meetings.add(short(truth.digest()), worlds, others)
    meetings.last = moves
