"""Samplers held to the truth itself: a true position is one more world of its view.

Who knows no more than the view cannot tell the position of a random game from a world drawn for it:
given the view both are drawn alike. So whatever the view shows, the truth has something that the
world lacks as often as the other way round. What is counted is what differs (atoms,
`laws.probes`), all in all and apart for each thing that the view shows: a failed guess that is
forgotten, or weights that are wrong once a certain card is shown, leave their mark there, also in
games far too large to follow all histories. What seems off is counted again in other games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from facedown.core import Memo, Position, Stream, derive
from facedown.laws.findings import viewer_name
from facedown.laws.lab import Lab
from facedown.laws.looks import Broken
from facedown.laws.probes import Atom, placed_atoms
from facedown.laws.scratch import Scratch
from facedown.laws.statistics import surprise
from facedown.laws.stories import pick_move, playable

_MOST_COUNTED = 400_000
_MOST_AT_ONCE = 4_000  # pairs that one world adds; of larger games some of what is shown is left
_LEAST = 12  # differences of which something is said
_ODD = 1e-2  # by chance, of all that was counted: what is that odd is counted again
_SURE = 1e-9
_OFTEN = 100  # games between two looks at the counts
_MOST_SUSPECTS = 200
ALL: Atom = ("", "")
"""What every view shows."""

Key = tuple[int, Atom, Atom]  # the viewer, what the view shows, what truth or world has


@dataclass
class _Count:
    truth: int = 0  # times that only the truth had it
    world: int = 0  # times that only the world had it

    @property
    def chance(self) -> float:
        """How likely it is that one side is so far ahead."""
        n = self.truth + self.world
        return surprise(self.truth / n, 0.5, n) if n >= _LEAST else 1.0


@dataclass
class _Suspect:
    key: Key
    count: _Count = field(default_factory=_Count)
    games: int = 0
    moves: tuple[int, ...] = ()  # to the last place at which it differed


class Exchange:
    """Plays random games and counts; `broken` is told of a sampler that is off."""

    def __init__(self, lab: Lab, broken: Callable[[Broken, int | None], None]) -> None:
        self.lab, self._broken = lab, broken
        self.able = lab.game.has("determinize")
        self.games = self.worlds = 0
        self._scratch = Scratch(lab.game)
        self._counts: dict[Key, _Count] = {}
        self._suspects: dict[Key, _Suspect] = {}
        self._done: set[Key] = set()
        self._longest = dict.fromkeys(lab.viewers, 1)  # tokens of a viewer in one game, at most
        self.moves: tuple[int, ...] = ()

    def round(self, number: int) -> None:
        """One random game, in which every viewer has a world drawn once."""
        lab, stream = self.lab, Stream(derive(self.lab.seed, "law", "exchange", number))
        viewers = lab.viewers if len(lab.viewers) < 8 else (stream.choice(lab.viewers),)
        left = {v: 1 + stream.below(self._longest[v]) for v in viewers}
        seen, memos = dict.fromkeys(viewers, 0), {v: Memo(lab.game) for v in viewers}
        position, moves = lab.game.start(), list[int]()
        self.games += 1
        while left and len(moves) < lab.game.most_plies and (legal := playable(position)):
            move = pick_move(position, legal, stream)
            told = {v: position.sees(move, v) for v in left}
            moves.append(move)
            self.moves = tuple(moves)
            position.play(move)
            for viewer, token in told.items():
                if not token:
                    continue
                seen[viewer] += 1
                if memos[viewer].address:
                    memos[viewer].remember(token, viewer)
                if seen[viewer] == left[viewer]:
                    del left[viewer]
                    self._meet(position, viewer, memos[viewer], stream)
        for viewer in left:
            self._longest[viewer] = max(self._longest[viewer], seen[viewer])
        if self.games % 8 == 0:
            for viewer in viewers:  # every game may be longer than those before
                self._longest[viewer] = max(self._longest[viewer], seen[viewer] + 1)
        if self.games % _OFTEN == 0:
            self._weigh()

    def _meet(self, truth: Position, viewer: int, memo: Memo, stream: Stream) -> None:
        """Draw a world, and count what it has and the truth has not, and the other way round.

        The time is chosen by what the viewer has seen, and by nothing else.
        """
        view = truth.view(viewer)
        if view.turn() != truth.turn():
            return  # choices are pending, which no world has
        shown = placed_atoms(view)
        world = view
        world.determinize(viewer, stream, memo=memo)
        self.worlds += 1
        one, other = placed_atoms(truth), placed_atoms(world)
        if one == other:
            return
        only, lacks = one - other, other - one
        given = self._given(shown, len(only) + len(lacks))
        for atom in only:
            self._count(viewer, given, atom, truth=True)
        for atom in lacks:
            self._count(viewer, given, atom, truth=False)

    def _given(self, shown: frozenset[Atom], n: int) -> list[Atom]:
        """What of the view is told apart: all of it, or what a share of all numbers falls on."""
        if n * len(shown) <= _MOST_AT_ONCE:
            return [ALL, *shown]
        share = n * len(shown) // _MOST_AT_ONCE + 1
        return [ALL, *(atom for atom in shown if hash(atom) % share == 0)]

    def _count(self, viewer: int, given: Iterable[Atom], atom: Atom, *, truth: bool) -> None:
        counts, suspects = self._counts, self._suspects
        for shown in given:
            key = (viewer, shown, atom)
            suspect = suspects.get(key)
            if suspect is not None:
                suspect.moves = self.moves
                count = suspect.count
            else:
                known = counts.get(key)
                if known is None:
                    if len(counts) >= _MOST_COUNTED:
                        continue
                    known = counts[key] = _Count()
                count = known
            if truth:
                count.truth += 1
            else:
                count.world += 1

    # --- what the counts say ---------------------------------------------------------------------

    def _weigh(self) -> None:
        """Suspect what is odd; tell of what is odd again in games that came later."""
        for key, suspect in list(self._suspects.items()):
            if key not in self._done and suspect.count.chance < _SURE:
                self._done.add(key)
                self._broken(("worlds-frequencies", self._words(suspect), suspect.moves), key[0])
        if len(self._suspects) >= _MOST_SUSPECTS:
            return
        limit = _ODD / max(1, len(self._counts))
        odd = [key for key, count in self._counts.items() if count.chance < limit]
        odd.sort(key=lambda key: self._counts[key].chance)
        for key in odd[: _MOST_SUSPECTS - len(self._suspects)]:
            del self._counts[key]
            self._suspects[key] = _Suspect(key)

    def _words(self, suspect: _Suspect) -> str:
        viewer, shown, atom = suspect.key
        count = suspect.count
        where = "" if shown == ALL else f" where his view has {_told(shown)}"
        return (
            f"determinize for {viewer_name(viewer)} has the wrong frequencies{where}: of pairs of "
            f"a true position and a world of its view that differ in {_told(atom)} the truth had "
            f"it {count.truth} times, the world {count.world} times; the last of them"
        )


def _told(atom: Atom) -> str:
    return f"{atom[0].strip('.') or 'state'} = {atom[1]}"
