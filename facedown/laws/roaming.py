"""Games by the thousand, each entered in the ledger, that come back to where rules did rare things.

What rules asked themselves (`laws.branches`) is counted. A position at which a condition came out
as it rarely does is kept; later games begin with its moves, all of them or all but one or two, and
go on from there. Around every such place, and now and then elsewhere, histories are made that one
viewer cannot tell from it (`laws.detours`), and all are entered in the ledger (`laws.ledger`).
"""

from __future__ import annotations

from collections.abc import Callable

from facedown.core import Position, Stream, derive
from facedown.laws.branches import Branches
from facedown.laws.clock import now
from facedown.laws.detours import Altered, Sibling, Unseen
from facedown.laws.lab import Lab
from facedown.laws.ledger import Ledger, Walked
from facedown.laws.looks import Broken
from facedown.laws.seeking import Seeker
from facedown.laws.shadow import Shadow

_FRESH = 0.3  # of the games begin with nothing
_KEPT = 6  # games that are kept for one outcome of a condition
_RARE = 24  # times that make an outcome no longer rare
_ODD, _SETTLED = 4, 300  # times so rare that a world is judged, after so many worlds
_PATHS = 30_000  # ways through a rule that are told apart
_FRONT, _AGAIN = 16, 20  # outcomes that are the rarest for so many games; of many a share
_TIRED = 8  # what a game that began there counts, as times that an outcome was met
_DETOURS, _MORE = 2, 3  # histories made of a game, and of one with a rare place
_BESIDE = 2  # other moves at a rare place
_MOST_RARE = 4  # places of one game
_SHADOWED = 0.6  # of the time, at most, for compiled rules that are asked once more
_STYLES = ("random", "rare", "habits", "rare")

Moves = tuple[int, ...]


class Roamer:
    """Walks games; `broken` is told what does not agree, `suspect` of places with odd worlds."""

    def __init__(
        self,
        lab: Lab,
        seeker: Seeker,
        broken: Callable[[Broken, int | None], None],
        suspect: Callable[[Moves, int], None],
    ) -> None:
        self.lab, self.seeker, self._suspect = lab, seeker, suspect
        self.ledger, self.branches = Ledger(lab, broken), Branches(lab.game)
        self._shadow = Shadow(lab.game, self.branches) if lab.game.compiled else None
        self._counts: dict[int, int] = {}
        self._kept: dict[int, list[Moves]] = {}
        self._chosen: dict[int, int] = {}
        self._places: list[tuple[Moves, int]] = []  # rare ones of the walk that is under way
        self._front: list[int] = []  # the rarest outcomes
        self._rounds = 0
        self._seconds = 0.0
        self._stream = Stream(derive(lab.seed, "law", "roam"))

    @property
    def outcomes(self) -> int:
        """How many outcomes of conditions, and ways through rules, were met."""
        return len(self._counts)

    def round(self, number: int) -> None:
        """One game, and histories that look like it."""
        self._stream = stream = Stream(derive(self.lab.seed, "law", "roam", number))
        self.seeker.begin(_STYLES[number % len(_STYLES)], stream)
        began = now()
        with self.branches.watching():
            self._places, quiet = [], 0
            self.branches.met.clear()
            base = self._base()
            if base is None:
                choose = Altered((), frozenset(), self.seeker, stream)
            else:
                plies = frozenset(stream.below(len(base)) for _ in range(stream.below(3)))
                quiet = min(plies, default=len(base))
                choose = Altered(base, plies, self.seeker, stream)
            story = self.ledger.walk(choose, stream, quiet=quiet, heed=self._heed)
            places, self._places = self._places, []
            self._around(story, places)
        self._seconds += now() - began

    def _around(self, story: Walked, places: list[tuple[Moves, int]]) -> None:
        """Histories that look like the story to somebody, around what is rare in it."""
        stream, viewers = self._stream, self.ledger.viewers
        if not story.moves or not viewers:
            return
        wanted = [(len(story.moves), stream.choice(viewers)) for _ in range(_DETOURS)]
        stream.shuffle(places)
        for moves, viewer in places[:_MOST_RARE]:
            wanted += [(len(moves), viewer)] * _MORE
            self._beside(story, len(moves) - 1)
        for before, viewer in wanted:
            at = stream.below(min(before, len(story.moves)))
            if story.turns[at] == viewer or len(story.legal[at]) == 1:
                at = self._open(story, before, viewer)
            if at >= 0:
                detour = Unseen(story, at, viewer, viewers.index(viewer), stream)
                self.ledger.walk(detour, stream, quiet=at + 1, heed=self._heed)

    def _beside(self, story: Walked, at: int) -> None:
        """Other moves at a ply: what a viewer is told of one may say more than he comes to see."""
        if 0 <= at < len(story.moves) and len(story.legal[at]) > 1:
            for _ in range(_BESIDE):
                sibling = Sibling(story, at, self._stream)
                self.ledger.walk(sibling, self._stream, quiet=at, heed=self._heed)

    def _open(self, story: Walked, before: int, viewer: int) -> int:
        """A ply at which somebody else had a choice; -1 without one."""
        plies = [
            k
            for k in range(min(before, len(story.moves)))
            if story.turns[k] != viewer and len(story.legal[k]) > 1
        ]
        return self._stream.choice(plies) if plies else -1

    # --- what is rare ----------------------------------------------------------------------------

    def _base(self) -> Moves | None:
        """The moves to begin with: to a place where something rare came out."""
        stream = self._stream
        self._rounds += 1
        if not self._front or stream.random() < _FRESH:
            return None
        if self._rounds % _AGAIN == 0:
            known = sorted(self._kept, key=lambda f: self._counts[f] + _TIRED * self._chosen[f])
            self._front = known[: max(_FRONT, len(known) // _FRONT)]
        rarest = stream.choice(self._front)
        self._chosen[rarest] += 1
        return stream.choice(self._kept[rarest]) or None

    def _heed(self, position: Position, moves: Moves, viewer: int, what: str) -> None:
        """Count what came out; note the place where that is rare."""
        met, counts = self.branches.met, self._counts
        if self._shadow is not None and self._shadow.seconds <= _SHADOWED * self._seconds + 1.0:
            self._ask(self._shadow, position, moves, viewer, what)
        if not met:
            return
        path = hash(frozenset(f for f in met if f % 16 < 2)) | 1 << 63
        if path in counts or len(counts) < _PATHS:
            met.add(path)
        least = _RARE
        for outcome in met:
            n = counts.get(outcome, 0)
            counts[outcome] = n + 1
            if n < _RARE:
                self._keep(outcome, n, moves)
                least = min(least, n)
        met.clear()
        if least < _RARE:
            self._places.append((moves, viewer))
            if what == "world" and least < _ODD and self.ledger.drawn > _SETTLED:
                self._suspect(moves, viewer)

    def _ask(
        self, shadow: Shadow, position: Position, moves: Moves, viewer: int, what: str
    ) -> None:
        """Have rules note that were compiled when they were asked."""
        if what == "view":
            shadow.look(position, viewer)
        elif what == "move":
            shadow.move(position, moves[-1], viewer)
        else:
            shadow.world(position, viewer)

    def _keep(self, outcome: int, n: int, moves: Moves) -> None:
        kept = self._kept.get(outcome)
        if kept is None:
            self._kept[outcome] = [moves]
            self._chosen[outcome] = 0
            self._front.append(outcome)
        elif len(kept) < _KEPT:
            kept.append(moves)
        else:
            kept[self._stream.below(_KEPT)] = moves
