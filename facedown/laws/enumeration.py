"""Small games, enumerated: which worlds a view allows, how likely each is, what is sampled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from facedown.core import OVER, Memo, Position, Stream, derive
from facedown.laws.clock import now
from facedown.laws.findings import Violation, viewer_name
from facedown.laws.lab import Lab, OutOfTimeError
from facedown.laws.law import FOUNDATION, law, wants
from facedown.laws.probes import Unseen, chances, difference, draws, short
from facedown.laws.statistics import chi_squared, tail
from facedown.laws.stories import located, replay
from facedown.laws.worlds import world_of

_MOST_HISTORIES = 60_000
_MOST_SECONDS = 4.0
_MOST_SETS = 40
_LEAST_SAMPLES, _MOST_SAMPLES = 200, 2000
_THRESHOLD = 1e-6

Path = tuple["Path", int] | None  # the moves to a node, last first


def path_moves(path: Path) -> tuple[int, ...]:
    """The moves of a path, first first."""
    moves: list[int] = []
    while path is not None:
        path, move = path
        moves.append(move)
    return tuple(reversed(moves))


@dataclass
class _Node:
    """A position of one level, reached by one history or more.

    `entered` is, for each viewer, the probability of getting here by a move that he sees: where he
    sees nothing, choices are pending, which a world does not hold. `seen` counts what he has seen,
    and `unseen` knows whose choices could be pending even after a choice of his own.
    """

    position: Position
    path: Path
    chance: float
    entered: list[float]
    seen: list[int]
    unseen: Unseen
    memos: tuple[Memo, ...]  # the viewers', empty in a game that keeps none


@dataclass
class InfoSet:
    """The worlds that one view of one viewer allows, with the probabilities of their histories."""

    viewer: int
    path: Path
    memo: Memo
    worlds: dict[bytes, float] = field(default_factory=dict)
    pending: set[bytes] = field(default_factory=set)  # same view, with choices pending
    seen: int = 0
    served: bool = True  # the game has worlds for this viewer here
    recurs: bool = False  # a world comes up at two levels: no probability to speak of


class Enumeration:
    """All histories of a game, level by level, as far as the budget reaches."""

    def __init__(self, lab: Lab) -> None:
        self.lab, self.sets = lab, dict[tuple[int, bytes], InfoSet]()
        self.histories, self.depth, self.complete = 0, 0, False
        self._until = min(now() + _MOST_SECONDS, lab.deadline)
        ones, zeros = [1.0] * len(lab.viewers), [0] * len(lab.viewers)
        memos = tuple(Memo(lab.game) for _ in lab.viewers)
        level = {b"": _Node(lab.game.start(), None, 1.0, ones, zeros, Unseen(), memos)}
        while level:
            self._note(level)
            following = self._expand(level)
            if following is None:
                break
            level = following
            self.depth += bool(level)
        self.complete = not level
        self._least = [
            min((node.seen[k] for node in level.values()), default=1 << 30)
            for k in range(len(lab.viewers))
        ]

    def exact(self) -> list[InfoSet]:
        """The information sets of which no history is missing."""
        places = {viewer: k for k, viewer in enumerate(self.lab.viewers)}
        return [
            found
            for found in self.sets.values()
            if found.worlds and found.seen <= self._least[places[found.viewer]] and found.served
        ]

    def _note(self, level: dict[bytes, _Node]) -> None:
        for node in level.values():
            world = short(node.position.digest())
            for k, viewer in enumerate(self.lab.viewers):
                with located(self.lab.game, path_moves(node.path)):
                    view, turn = node.position.view(viewer), node.position.turn()
                    pending = node.unseen.pending(view, turn, viewer)
                key = (viewer, short(view.digest() + node.memos[k].digest()))
                found = self.sets.setdefault(key, InfoSet(viewer, node.path, node.memos[k]))
                if node.entered[k] <= 0.0 or pending:
                    found.pending.add(world)
                    continue
                found.recurs |= world in found.worlds
                found.worlds[world] = found.worlds.get(world, 0.0) + node.entered[k]
                found.seen = max(found.seen, node.seen[k])
                found.served = draws(view, viewer)

    def _expand(self, level: dict[bytes, _Node]) -> dict[bytes, _Node] | None:
        """The next level; None where the budget does not reach so far."""
        following: dict[bytes, _Node] = {}
        for node in level.values():
            if node.position.turn() == OVER:
                continue
            legal = node.position.legal()
            for move, chance in zip(legal, chances(node.position, legal), strict=True):
                self.histories += 1
                if self.histories > _MOST_HISTORIES or now() > self._until:
                    return None
                if chance > 0.0:
                    self._reach(following, node, move, node.chance * chance)
        return following

    def _reach(self, level: dict[bytes, _Node], node: _Node, move: int, chance: float) -> None:
        after = node.position.copy()
        with located(self.lab.game, (*path_moves(node.path), move)):
            after.play(move)
            tokens = [node.position.sees(move, viewer) for viewer in self.lab.viewers]
        sees = [token != 0 for token in tokens]
        memos = self._advanced(node.memos, tokens)
        entered = [chance * saw for saw in sees]
        seen = [count + saw for count, saw in zip(node.seen, sees, strict=True)]
        digest = after.digest() + b"".join(memo.digest() for memo in memos)
        known = level.get(digest)
        if known is None:
            blind = [v for v, saw in zip(self.lab.viewers, sees, strict=True) if not saw]
            unseen = node.unseen.after(node.position.turn(), blind) if blind else node.unseen
            level[digest] = _Node(after, (node.path, move), chance, entered, seen, unseen, memos)
            return
        known.chance += chance
        known.entered = [a + b for a, b in zip(known.entered, entered, strict=True)]
        known.seen = [min(a, b) for a, b in zip(known.seen, seen, strict=True)]

    def _advanced(self, memos: tuple[Memo, ...], tokens: list[int]) -> tuple[Memo, ...]:
        """The viewers' memos after these tokens."""
        if not self.lab.game.has("remember"):
            return memos
        after = tuple(memo.copy() for memo in memos)
        for memo, token, viewer in zip(after, tokens, self.lab.viewers, strict=True):
            if token:
                memo.remember(token, viewer)
        return after


@dataclass
class _Sampled:
    """What came of sampling one information set."""

    found: InfoSet
    counts: Counter[bytes]
    strange: Position | None  # a world that no history leads to, or that holds a pending choice
    pending: bool


def _enumerated(lab: Lab) -> Enumeration:
    return lab.memo("enumeration", lambda: Enumeration(lab))


def _note_reach(lab: Lab) -> None:
    reach = _enumerated(lab)
    if not reach.complete:
        reached = f"the game is too large to enumerate beyond ply {reach.depth}"
        lab.note = "; ".join(filter(None, (lab.note, reached)))


def _chosen(lab: Lab) -> list[InfoSet]:
    """Information sets at random, those with several worlds first."""
    sets = _enumerated(lab).exact()
    Stream(derive(lab.seed, "law", "sets")).shuffle(sets)
    sets.sort(key=lambda found: len(found.worlds) < 2)
    return sets[:_MOST_SETS]


def _sample(lab: Lab, found: InfoSet, times: int = 1, turn: str = "first") -> _Sampled:
    truth = replay(lab.game, path_moves(found.path))
    several = len(found.worlds) > 1
    wanted = min(_MOST_SAMPLES, 25 * len(found.worlds)) if several else _LEAST_SAMPLES // 10
    wanted = times * (max(_LEAST_SAMPLES, wanted) if several else wanted)
    path = "/".join(map(str, path_moves(found.path)))
    stream = Stream(derive(lab.seed, "law", "sample", turn, found.viewer, path))
    result = _Sampled(found, Counter(), None, False)
    for _ in range(wanted):
        lab.look()
        world = world_of(truth, found.viewer, stream, found.memo)
        digest = short(world.digest())
        result.counts[digest] += 1
        if digest not in found.worlds and result.strange is None:
            result.strange, result.pending = world, digest in found.pending
    return result


def _samples(lab: Lab) -> list[_Sampled]:
    def make() -> list[_Sampled]:
        made: list[_Sampled] = []
        try:
            for found in _chosen(lab):
                made.append(_sample(lab, found))
        except OutOfTimeError:
            lab.note = "stopped by the clock"
        return made

    return lab.memo("samples", make)


@law(
    "worlds-possible", "Every world could have come about.", needs=(*FOUNDATION, "worlds-keep-view")
)
def worlds_possible(lab: Lab) -> Iterator[Violation]:
    """No sampled world is outside the enumeration of histories with the same view."""
    wants(lab, "determinize")
    for sampled in _samples(lab):
        if sampled.strange is None:
            continue
        who, moves = viewer_name(sampled.found.viewer), path_moves(sampled.found.path)
        how = difference(replay(lab.game, moves), sampled.strange)
        if sampled.pending:
            what = f"determinize for {who} guesses a choice that is pending"
        else:
            what = f"determinize for {who} gives a world that no history leads to"
        yield lab.broken(f"{what}: from a true position, {how}", moves, sampled.found.viewer)
    _note_reach(lab)


@law(
    "worlds-frequencies",
    "Worlds come as often as their histories do, given the view.",
    needs=(*FOUNDATION, "worlds-keep-view", "worlds-possible"),
)
def worlds_frequencies(lab: Lab) -> Iterator[Violation]:
    """Chi-squared on each information set and over all; what fails is sampled afresh."""
    wants(lab, "determinize")
    tested = [s for s in _samples(lab) if len(s.found.worlds) > 1 and not s.found.recurs]
    total, freedom = 0.0, 0
    failed = False
    for sampled in tested:
        lab.look()
        statistic, degrees = _statistic(sampled)
        total, freedom = total + statistic, freedom + degrees
        if tail(statistic, degrees) < _THRESHOLD / len(tested):
            again = _sample(lab, sampled.found, 4, "again")
            if tail(*_statistic(again)) < _THRESHOLD:
                failed = True
                yield _off(lab, again)
    if not failed and tail(total, freedom) < _THRESHOLD:
        fresh = [_sample(lab, sampled.found, 2, "all") for sampled in tested]
        parts = [_statistic(sampled) for sampled in fresh]
        if tail(sum(part[0] for part in parts), sum(part[1] for part in parts)) < _THRESHOLD:
            yield _off(lab, min(fresh, key=lambda sampled: tail(*_statistic(sampled))))
    _note_reach(lab)


def _expected(found: InfoSet) -> dict[bytes, float]:
    total = sum(found.worlds.values())
    return {world: chance / total for world, chance in found.worlds.items()}


def _statistic(sampled: _Sampled) -> tuple[float, int]:
    return chi_squared(sampled.counts, _expected(sampled.found))


def _off(lab: Lab, sampled: _Sampled) -> Violation:
    """The violation, with the world that is furthest off."""
    expected, n = _expected(sampled.found), sum(sampled.counts.values())
    worst = max(expected, key=lambda world: abs(sampled.counts[world] / n - expected[world]))
    viewer, moves = sampled.found.viewer, path_moves(sampled.found.path)
    what = (
        f"determinize for {viewer_name(viewer)} has the wrong frequencies: of the {len(expected)} "
        f"worlds that his view allows one has probability {expected[worst]:.3f} and came "
        f"{sampled.counts[worst]} times in {n}"
    )
    return lab.broken(what, moves, viewer)
