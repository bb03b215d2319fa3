"""Samplers judged where stories have come: against all that could be, or against models.

Where the histories that give a viewer's tokens can all be followed (`laws.informed`) a sampler is
held to the very worlds and their probabilities. Where they are too many, a HyperPlay bag stands for
them, if it keeps at least half of its models; else nothing is said, and that is told.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from facedown.belief.belief import NoWorldError
from facedown.belief.hyperplay import Bag
from facedown.core import Position, Stream, derive
from facedown.laws.clock import now
from facedown.laws.findings import Violation, viewer_name
from facedown.laws.informed import Informed, informed
from facedown.laws.lab import Lab
from facedown.laws.law import FOUNDATION, law, wants
from facedown.laws.looks import Broken
from facedown.laws.probes import Atom, atoms, difference, draws, short
from facedown.laws.replayed import led_to, passing
from facedown.laws.statistics import chi_squared, surprise, tail
from facedown.laws.stories import located, observed, replay

WORLDS = "worlds-modelled"

Asked = tuple[tuple[int, ...], int]  # the moves of a story, and the viewer

STAGES = ((150, 1e-2), (1000, 1e-4), (4000, 1e-6))
"""Samples, and how unlikely they must be for the next stage; what fails all three is broken."""

BUDGETS = ((10_000, 0.5), (30_000, 1.5), (80_000, 4.0))
"""Moves tried to follow all histories of a story, and seconds; stories take turns."""

SUSPECT = ((30_000, 1.5), (30_000, 1.5), (120_000, 8.0))
"""The same for places that are suspect: some are beyond all budgets, and must not take all time."""

_MOST_OF_IT = 0.1  # of the time of a check, for the histories of one place
_MODEL_SECONDS = 1.0
_MOST_WAITING = 400
_TRIED = 60  # worlds for which a history is sought, before that is left where it seldom succeeds
_RETOLD = 2  # worlds at one place
_PLACES = 5  # of one story, that are judged exactly
_FEW = 40  # worlds that are counted one by one
_MODELS = 120
_TRIES = 3  # places of a story at which a bag is asked for models
_MODEL_LIMIT = 3_000
_RARE = 5 / _MODELS  # what all models lack is, as a rule, rarer than this
_FAR = 0.4  # where weights of models are approximate: 0.25 off the exact ones was met
_SURE = 2.5  # standard errors, each of at most a half, beyond which what is exact is far: five
_THOROUGH = 2_000  # moves of a scout; in Python they would take too long


@dataclass
class Judged:
    """How many places were judged, and how."""

    exactly: int = 0
    by_models: int = 0
    not_at_all: int = 0
    samples: int = 0
    retold: int = 0  # worlds for which a history was sought

    @property
    def words(self) -> str:
        """All of it in words."""
        left = f", {self.not_at_all} left open: no bag kept its models" if self.not_at_all else ""
        return f"{self.exactly} places exactly, {self.by_models} by models{left}"


@dataclass
class _Models:
    """What a bag holds: shares of atoms, and how many models as good as independent ones it has."""

    shares: dict[Atom, float]
    worth: float
    exact: bool

    def far(self, n: int) -> float:
        """How far a share of `n` samples has to be off to say so."""
        return min(_FAR, _SURE * math.sqrt(1 / self.worth + 1 / n)) if self.exact else _FAR


@dataclass
class _Truth:
    """What a view allows: chances of worlds by digest, shares of atoms, a history for each."""

    worlds: dict[bytes, float]
    shares: dict[Atom, float]


class Judge:
    """Takes stories, gives what is wrong with the sampler along them."""

    def __init__(self, lab: Lab) -> None:
        self.lab, self.counts = lab, Judged()
        self._suspects: list[Asked] = []
        self._waiting: list[Asked] = []
        self._number = 0
        self.able = lab.game.has("determinize")
        self._replays = self._failed = 0
        self.seconds = float("inf")  # of the whole check

    @property
    def waiting(self) -> bool:
        """Whether there is anything to judge."""
        return self.able and bool(self._suspects or self._waiting)

    def suspect(self, moves: tuple[int, ...], viewer: int) -> None:
        """Judge this before anything else."""
        if len(self._suspects) < _MOST_WAITING:
            self._suspects.append((moves, viewer))

    def add(self, moves: tuple[int, ...], viewer: int) -> None:
        """Judge along this story, if there is time."""
        self._waiting.append((moves, viewer))
        del self._waiting[:-_MOST_WAITING]

    def next(self, until: float) -> Iterator[tuple[Broken, int]]:
        """Judge along one story; what is broken there, for whom."""
        stream = Stream(derive(self.lab.seed, "law", "judge", self._number))
        self._number += 1
        place = bool(self._suspects) and (not self._waiting or stream.below(2) == 0)
        if not place and self._retells and stream.below(2):
            self._retell(*self._waiting.pop(stream.below(len(self._waiting))), until, stream)
            return
        if place:
            moves, viewer = self._suspects.pop(stream.below(len(self._suspects)))
        else:
            moves, viewer = self._waiting.pop(stream.below(len(self._waiting)))
        states, seconds = stream.choice(SUSPECT if place else BUDGETS)
        game = self.lab.game
        soon = min(until, now() + min(seconds, _MOST_OF_IT * self.seconds))
        seen = observed(game, moves, viewer)
        found = informed(game, [token for _, token in seen], viewer, states, soon)
        for k in self._chosen(found, len(seen), place, stream):
            ply = seen[k - 1][0] + 1
            for broken in self._exactly(moves[:ply], viewer, found, k, stream):
                yield broken, viewer
            if now() > until:
                return
        at = len(seen)
        for _ in range(_TRIES):  # beyond what is known exactly; nearer to it, where models are lost
            if found.whole >= at:
                break
            at = found.whole + 1 + stream.below(at - found.whole)
            tokens, ply = [token for _, token in seen[:at]], seen[at - 1][0] + 1
            held, at = self._held(tokens, viewer, stream), at - 1
            if held is not None:
                for broken in self._by_models(moves[:ply], viewer, tokens, held, stream):
                    yield broken, viewer
                break

    # --- told again ------------------------------------------------------------------------------

    @property
    def _retells(self) -> bool:
        """Whether a history is found for most worlds, so that one without is worth a look."""
        return self._replays < _TRIED or self._failed < self._replays / 2

    def _retell(self, moves: tuple[int, ...], viewer: int, until: float, stream: Stream) -> None:
        """Along a story seek a history for some worlds; where there is none judge exactly."""
        position, trail = self.lab.game.start(), list[frozenset[Atom]]()
        tokens: list[int] = []
        for ply, move in enumerate(moves):
            if token := position.sees(move, viewer):
                tokens.append(token)
            position.apply(move)
            trail.append(atoms(position))
            view = position.view(viewer)
            if not token or not _hides(position, view, viewer):
                continue
            if now() > until:
                return
            here, gone = moves[: ply + 1], passing(trail)
            for world in self._drawn(view, here, viewer, _RETOLD, stream):
                self.counts.retold += 1
                self._replays += 1
                if not led_to(world, tokens, viewer, gone, len(here), stream):
                    self._failed += 1
                    if led_to(position, tokens, viewer, gone, len(here), stream):
                        self.suspect(here, viewer)
                        return

    def _chosen(self, found: Informed, n: int, place: bool, stream: Stream) -> list[int]:
        """The numbers of tokens after which to judge: where it is suspect, else some at random."""
        whole = list(range(1, min(found.whole, n) + 1))
        if place:
            return whole[-1:]
        last, earlier = whole[-2:], whole[:-2]  # most is known late, and most can be forgotten
        stream.shuffle(earlier)
        return [*last[::-1], *earlier[: _PLACES - len(last)]]

    # --- exactly ---------------------------------------------------------------------------------

    def _exactly(
        self, moves: tuple[int, ...], viewer: int, found: Informed, k: int, stream: Stream
    ) -> Iterator[Broken]:
        truth = replay(self.lab.game, moves)
        view = truth.view(viewer)
        worlds = found.worlds[k]
        if not _hides(truth, view, viewer) or len(worlds) > 4000:
            return
        self.counts.exactly += 1
        allowed: _Truth | None = None
        for n, threshold in STAGES:
            samples = self._drawn(view, moves, viewer, n if len(worlds) > 1 else 10, stream)
            strange = [world for world in samples if short(world.digest()) not in worlds]
            if strange:
                yield self._impossible(truth, strange[0], moves, viewer)
                return
            if len(worlds) == 1:
                return
            allowed = allowed or self._truth(found, k)
            p, what = _unlikely(samples, allowed)
            if p >= threshold:
                return
        words = f"determinize for {viewer_name(viewer)} has the wrong frequencies: of the "
        yield "worlds-frequencies", f"{words}{len(worlds)} worlds that fit {what}", moves

    def _impossible(
        self, truth: Position, strange: Position, moves: tuple[int, ...], viewer: int
    ) -> Broken:
        what = (
            f"determinize for {viewer_name(viewer)} gives a world that no history with his "
            f"observations leads to: from the true position, {difference(truth, strange)}"
        )
        return "worlds-possible", what, moves

    def _drawn(
        self, view: Position, moves: tuple[int, ...], viewer: int, n: int, stream: Stream
    ) -> list[Position]:
        memo, made = self.lab.recalled(moves, viewer), []
        with located(self.lab.game, moves, "(a world is drawn here)"):
            for _ in range(n):
                world = view.copy()
                world.determinize(viewer, stream, memo=memo)
                made.append(world)
        self.counts.samples += n
        return made

    def _truth(self, found: Informed, k: int) -> _Truth:
        total = sum(found.worlds[k].values())
        worlds = {digest: chance / total for digest, chance in found.worlds[k].items()}
        shares: dict[Atom, float] = {}
        for digest, moves in found.histories[k].items():
            for atom in atoms(replay(self.lab.game, moves)):
                shares[atom] = shares.get(atom, 0.0) + worlds[digest]
        return _Truth(worlds, {atom: min(1.0, share) for atom, share in shares.items()})

    # --- by models -------------------------------------------------------------------------------

    def _held(self, tokens: list[int], viewer: int, stream: Stream) -> _Models | None:
        held = self._modelled(viewer, tokens, _MODELS, stream)
        self.counts.not_at_all += held is None
        return held

    def _by_models(
        self,
        moves: tuple[int, ...],
        viewer: int,
        tokens: list[int],
        held: _Models,
        stream: Stream,
    ) -> Iterator[Broken]:
        """Support and marginals against the models; what seems wrong is asked of another bag."""
        truth = replay(self.lab.game, moves)
        view = truth.view(viewer)
        if not _hides(truth, view, viewer):
            return
        self.counts.by_models += 1
        if not _far_apart(self._drawn(view, moves, viewer, 200, stream), held):
            return
        again = self._modelled(viewer, tokens, 2 * _MODELS, stream)
        if again is None:
            return
        what = _far_apart(self._drawn(view, moves, viewer, 400, stream), again)
        if what:
            words = f"determinize for {viewer_name(viewer)} does not agree with the models of"
            yield WORLDS, f"{words} HyperPlay: {what}", moves

    def _modelled(
        self, viewer: int, tokens: list[int], size: int, stream: Stream
    ) -> _Models | None:
        """What a bag holds; None where it loses more than half of its models."""
        game, thorough = self.lab.game, _THOROUGH if self.lab.game.compiled else 0
        seed = stream.below(1 << 40)
        bag = Bag(game, viewer, size, seed, limit=_MODEL_LIMIT, thorough=thorough)
        for token in tokens:
            bag.observe(token)
        try:
            bag.follow(_MODEL_SECONDS)
        except NoWorldError:
            return None
        weights = bag.shares().tolist()
        if bag.active < size / 2 or sum(weight**2 for weight in weights) > 4 / size:
            return None  # lost, or a few of them weigh more than all others
        shares: dict[Atom, float] = {}
        apart: dict[tuple[int, ...], float] = {}
        for moves, weight in zip(bag.histories(), weights, strict=True):
            apart[moves] = apart.get(moves, 0.0) + weight
            for atom in atoms(replay(game, moves)):
                shares[atom] = shares.get(atom, 0.0) + weight
        return _Models(shares, 1 / sum(w**2 for w in apart.values()), bag.exact)


def _hides(truth: Position, view: Position, viewer: int) -> bool:
    """Whether worlds can be drawn from a view that say more than it, and no choice is pending."""
    if view.turn() != truth.turn() or view.digest() == truth.digest():
        return False
    return draws(view, viewer)


def _counted(samples: list[Position]) -> Counter[Atom]:
    return Counter(atom for world in samples for atom in atoms(world))


def _unlikely(samples: list[Position], allowed: _Truth) -> tuple[float, str]:
    """How likely samples so far off are, and what is furthest off, in words."""
    n, counts = len(samples), _counted(samples)
    keys = counts.keys() | allowed.shares.keys()
    p, atom = min(
        (surprise(counts[atom] / n, allowed.shares.get(atom, 0.0), n), atom) for atom in keys
    )
    p *= len(keys)
    share = allowed.shares.get(atom, 0.0)
    what = f"{share:.1%} have {_words(atom)}, and {counts[atom] / n:.1%} of {n} samples do"
    if len(allowed.worlds) <= _FEW:
        digests = Counter(short(world.digest()) for world in samples)
        whole = 2 * tail(*chi_squared(digests, allowed.worlds))
        if whole < p:
            worst = max(allowed.worlds, key=lambda w: abs(digests[w] / n - allowed.worlds[w]))
            chance, came = allowed.worlds[worst], digests[worst]
            what = f"one has probability {chance:.3f} and came {came} times in {n}"
        p = min(p, whole)
    return p, what


def _words(atom: Atom) -> str:
    return f"{atom[0].strip('.') or 'state'} = {atom[1]}"


def _far_apart(samples: list[Position], held: _Models) -> str:
    """What worlds have and no model, or by far not as many, in words; "" where there is nothing."""
    n, counts, shares = len(samples), _counted(samples), held.shares
    for atom in counts.keys() - shares.keys():  # support: none of the models has it
        if counts[atom] / n > _RARE and surprise(counts[atom] / n, _RARE, n) < 1e-5:
            return f"none of them has {_words(atom)}, and {counts[atom] / n:.0%} of {n} worlds"
    keys = counts.keys() | shares.keys()
    atom = max(keys, key=lambda a: abs(counts[a] / n - shares.get(a, 0.0)))
    gap = abs(counts[atom] / n - shares.get(atom, 0.0))
    if gap < held.far(n):
        return ""
    modelled, drawn = shares.get(atom, 0.0), counts[atom] / n
    return f"{modelled:.0%} of them have {_words(atom)}, and {drawn:.0%} of {n} worlds"


@law(
    WORLDS,
    "Along a story worlds agree with all histories, or with models, that give the same tokens.",
    needs=(*FOUNDATION, "worlds-keep-view"),
)
def worlds_modelled(lab: Lab) -> Iterator[Violation]:
    """Judge along the random games; what is exact there is told of the laws that it breaks."""
    wants(lab, "determinize")
    judge = lab.memo("judge", lambda: Judge(lab))
    for number, story in enumerate(lab.stories):
        lab.here = (number, 0)
        judge.add(story.moves, lab.viewers[number % len(lab.viewers)])
    while judge.waiting:
        lab.look()
        for (_, what, moves), viewer in judge.next(lab.deadline):
            yield lab.broken(what, moves, viewer)
    lab.note = judge.counts.words
