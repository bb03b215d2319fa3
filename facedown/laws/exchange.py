"""Samplers held to the truth itself: a true position is one more world of its view.

Who knows no more than the view cannot tell the position of a random game from a world drawn for it:
given the view both are drawn alike. So who is shown the two, and has to say which is the truth, is
right every other time, whatever he has learnt from other games. Here one learns: what differs
between the two (atoms, `laws.probes`) is counted, all in all and apart for each thing that the view
shows, and the next pair is told apart by these counts before it is added to them. A failed guess
that is forgotten, or weights that are wrong once a certain card is shown, leave their mark there,
also in games far too large to follow all histories; and one who guesses right too often has proof.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from zlib import crc32

from facedown.core import Memo, Position, Stream, derive
from facedown.laws.findings import viewer_name
from facedown.laws.lab import Lab
from facedown.laws.looks import Broken
from facedown.laws.probes import Atom, draws, placed_atoms
from facedown.laws.statistics import surprise
from facedown.laws.stories import pick_move, playable

_MOST_COUNTED = 400_000
_MOST_AT_ONCE = 1_500  # pairs that one world adds; of larger games some of what is shown is left
_MANY_VIEWERS = 8
_SURE = 1e-10
_CLEAR = 2.0  # standard errors
_CAUTION = 2.0  # times that are added to both counts
_LEAST: tuple[tuple[str, float], ...] = (
    *(("shares", least) for least in (0.05, 0.5)),
    *(("together", least) for least in (0.5, 5.0, 20.0)),
    *(("most", least) for least in (1.0, 1.8, 2.6)),
)
"""How much must speak for one of the two for a guess to count: by the shares of things all in all,
by all that the view shows together, by what says most."""

ALL: Atom = ("", "")
"""What every view shows."""

Key = tuple[int, Atom, Atom]  # the viewer, what the view shows, what truth or world has
Count = list[int]  # times that only the truth had it, and only the world


def _leaning(count: Count) -> float:
    """How much what only one of the two has speaks for the truth: the logarithm of its odds.

    0 where it could well be chance: that is so for most of what is counted.
    """
    truth, world = count
    if (truth - world) ** 2 < _CLEAR**2 * (truth + world):
        return 0.0
    return math.log((truth + _CAUTION) / (world + _CAUTION))


class _Guesses:
    """How often the truth was told from a world of one viewer, by how much spoke for it."""

    def __init__(self) -> None:
        self.right, self.made = [0] * len(_LEAST), [0] * len(_LEAST)

    def add(self, leanings: dict[str, float]) -> None:
        """Each is above 0 where it speaks for what is the truth."""
        for k, (name, least) in enumerate(_LEAST):
            if abs(leanings[name]) >= least:
                self.made[k] += 1
                self.right[k] += leanings[name] > 0

    @property
    def proof(self) -> tuple[int, int] | None:
        """So many right of so many, where chance would hardly have it; None where it would."""
        for right, made in zip(self.right, self.made, strict=True):
            if 2 * right > made and surprise(right / made, 0.5, made) < _SURE:
                return right, made
        return None


class Exchange:
    """Plays random games and counts; `broken` is told of a sampler that is off."""

    def __init__(self, lab: Lab, broken: Callable[[Broken, int | None], None]) -> None:
        self.lab, self._broken = lab, broken
        self.able = lab.game.has("determinize")
        self.games = self.worlds = 0
        self._counts: dict[Key, Count] = {}
        self._guesses = {viewer: _Guesses() for viewer in lab.viewers}
        self._longest = dict.fromkeys(lab.viewers, 1)  # tokens of a viewer in one game, at most
        self.moves: tuple[int, ...] = ()

    def round(self, number: int) -> None:
        """One random game, in which every viewer has a world drawn once."""
        lab, stream = self.lab, Stream(derive(self.lab.seed, "law", "exchange", number))
        many = len(lab.viewers) > _MANY_VIEWERS
        viewers = (stream.choice(lab.viewers),) if many else lab.viewers
        asked = {v: 1 + stream.below(self._longest[v]) for v in viewers}
        seen, memos = dict.fromkeys(viewers, 0), {v: Memo(lab.game) for v in viewers}
        position, moves = lab.game.start(), list[int]()
        self.games += 1
        while len(moves) < lab.game.most_plies and (legal := playable(position)):
            move = pick_move(position, legal, stream)
            told = {v: position.sees(move, v) for v in viewers}
            moves.append(move)
            self.moves = tuple(moves)
            position.play(move)
            for viewer, token in told.items():
                if not token:
                    continue
                seen[viewer] += 1
                if memos[viewer].address:
                    memos[viewer].remember(token, viewer)
                if seen[viewer] == asked[viewer]:
                    self._meet(position, viewer, memos[viewer], stream)
        for viewer in viewers:
            self._longest[viewer] = max(self._longest[viewer], seen[viewer])

    def _meet(self, truth: Position, viewer: int, memo: Memo, stream: Stream) -> None:
        """Draw a world, and count what it has and the truth has not, and the other way round.

        The time is chosen by what the viewer has seen, and by nothing else.
        """
        view = truth.view(viewer)
        if view.turn() != truth.turn() or not draws(view, viewer):
            return  # choices are pending, which no world has
        shown = placed_atoms(view)
        world = view
        world.determinize(viewer, stream, memo=memo)
        self.worlds += 1
        one, other = placed_atoms(truth), placed_atoms(world)
        if one != other:
            self._guess(viewer, shown, one - other, other - one)

    def _guess(
        self, viewer: int, shown: frozenset[Atom], only: frozenset[Atom], lacks: frozenset[Atom]
    ) -> None:
        """Say which is the truth, by what other games have taught; then learn from this one."""
        given, shares, together, most = self._given(shown, len(only) + len(lacks)), 0.0, 0.0, 0.0
        for place, some in enumerate((only, lacks)):
            for atom in some:
                for thing in given:
                    key = (viewer, thing, atom)
                    count = self._counts.get(key)
                    if count is None:
                        if thing is ALL or len(self._counts) < _MOST_COUNTED:
                            self._counts[key] = [1 - place, place]
                        continue
                    leaning = _leaning(count) if place == 0 else -_leaning(count)
                    together += leaning
                    if thing is ALL:
                        shares += leaning
                    if abs(leaning) > abs(most):
                        most = leaning
                    count[place] += 1
        guesses = self._guesses[viewer]
        guesses.add({"shares": shares, "together": together, "most": most})
        if (proof := guesses.proof) is not None:
            what = self._words(self._clearest(viewer), proof)
            self._broken(("worlds-frequencies", what, self.moves), viewer)

    def _clearest(self, viewer: int) -> Key:
        """What tells best that worlds of a viewer are off: all in all, if that does."""

        def clear(key: Key) -> float:
            truth, world = self._counts[key]
            return abs(truth - world) / math.sqrt(truth + world) + (key[1] is ALL)

        return max((key for key in self._counts if key[0] == viewer), key=clear)

    def _given(self, shown: frozenset[Atom], n: int) -> list[Atom]:
        """What of the view is told apart: all of it, or what a share of all numbers falls on."""
        if n * len(shown) <= _MOST_AT_ONCE:
            return [ALL, *shown]
        share = n * len(shown) // _MOST_AT_ONCE + 1
        return [ALL, *(atom for atom in shown if crc32(repr(atom).encode()) % share == 0)]

    def _words(self, key: Key, proof: tuple[int, int]) -> str:
        viewer, shown, atom = key
        truth, world = self._counts[key]
        where = "" if shown == ALL else f" where his view has {_told(shown)}"
        return (
            f"determinize for {viewer_name(viewer)} has the wrong frequencies: true positions were "
            f"told from worlds of their views {proof[0]} times of {proof[1]}, for instance by "
            f"{_told(atom)}{where}, which only the truth had {truth} times and only the world "
            f"{world} times; the last of them"
        )


def _told(atom: Atom) -> str:
    return f"{atom[0].strip('.') or 'state'} = {atom[1]}"
