"""One look at a position with a viewer's eyes: all laws of views at once, and a world swapped in.

A sampled world takes the place of the truth; the viewer cannot tell them apart. So the same move,
or another that he sees in the same way, must leave him with equal views, and he has the same legal
moves in the same order. Pairs of histories that he cannot tell apart are so made on purpose,
wherever a story comes, and not met by luck.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

from facedown.core import Memo, Position, Stream
from facedown.laws.findings import viewer_name
from facedown.laws.lab import Lab
from facedown.laws.probes import Unseen, atoms, difference, draws, move_name, short
from facedown.laws.stories import MOST_CANDIDATES, located, look_alike, replay

Broken = tuple[str, str, tuple[int, ...]]  # the law, what is wrong, after which moves

_MOST_KEPT = 150_000
_SELDOM = 4  # of so many looks one hides again what is hidden
_WORLDS = 3  # drawn at a place: what is hidden and matters may be in any of them
_APART = 3  # moves that a viewer sees otherwise in a world, and that are played in both
_SAME = 100  # worlds that are drawn while none has what the truth has


@dataclass
class Place:
    """Where a story has come: the moves, the position, what is legal, what each viewer has seen."""

    moves: tuple[int, ...]
    position: Position
    turn: int
    legal: list[int]
    chains: dict[int, bytes]
    memos: dict[int, Memo]
    unseen: Unseen

    @cached_property
    def digest(self) -> bytes:
        """The position's."""
        return self.position.digest()


@dataclass
class Look:
    """What was looked at: pairs of positions that looked alike, worlds drawn, places to judge."""

    pairs: int = 0
    worlds: int = 0
    suspects: list[tuple[tuple[int, ...], int]] = field(default_factory=list)


class Eyes:
    """Looks at places, and remembers what views and keys there were."""

    def __init__(self, lab: Lab) -> None:
        self.lab, self.look = lab, Look()
        self._views: dict[tuple[int, bytes], tuple[bytes, tuple[int, ...]]] = {}
        self._keys: dict[tuple[int, int], bytes] = {}
        self._samples = lab.game.has("determinize")

    def at(
        self, place: Place, viewer: int, others: Sequence[int], stream: Stream
    ) -> Iterator[Broken]:
        """What is wrong at a place for one viewer; `others` are moves to try there."""
        view = place.position.view(viewer)
        digest, key = view.digest(), place.position.infoset(viewer)
        who = viewer_name(viewer)
        yield from self._seen_alike(place, viewer, digest)
        if stream.below(_SELDOM) == 0 and view.view(viewer).digest() != digest:
            yield "hide-twice", f"hide for {who} changes a view", place.moves
        if view.infoset(viewer) != key:
            yield "infoset", f"infoset for {who} differs on his view", place.moves
        elif self._keys.setdefault((viewer, key), short(digest)) != short(digest):
            yield "infoset", f"infoset for {who} is equal for different views", place.moves
        yield from self.own_turn(place, view, viewer)
        yield from self._turn(place, view, viewer)
        told = {move: place.position.sees(move, viewer) for move in place.legal[:MOST_CANDIDATES]}
        for k in range(_WORLDS if self._samples else 1):
            world = self._partner(place, view, viewer, stream, first=k == 0)
            if world is None:
                break
            some = others if k == 0 else others[k : k + 1]
            yield from self._swapped(place, view, world, viewer, some, digest, told)
            if digest == place.digest:
                break  # nothing is hidden
        if len(self._keys) > _MOST_KEPT:
            self._keys.clear()

    def _seen_alike(self, place: Place, viewer: int, digest: bytes) -> Iterator[Broken]:
        """Whoever has observed the same before had the same view."""
        known = self._views.get((viewer, place.chains[viewer]))
        if known is None:
            if len(self._views) < _MOST_KEPT:
                self._views[viewer, place.chains[viewer]] = short(digest), place.moves
        elif known[1] != place.moves:
            self.look.pairs += 1
            if known[0] != short(digest):
                there = replay(self.lab.game, known[1]).view(viewer)
                yield (
                    "equal-observations",
                    f"{viewer_name(viewer)} has observed the same in two games and has different "
                    f"views: here and after {self._told(known[1])}, "
                    f"{difference(place.position.view(viewer), there)}; hide leaks it, or sees "
                    "does not tell it",
                    place.moves,
                )

    def _told(self, moves: Sequence[int]) -> str:
        return ", ".join(self.lab.names(moves)) or "the start"

    def own_turn(self, place: Place, view: Position, viewer: int) -> Iterator[Broken]:
        """The player to act has the legal moves of his view, in its order."""
        if place.turn == viewer == view.turn() and (shown := view.legal()) != place.legal:
            order = sorted(shown) == sorted(place.legal)
            how = "in another order, which tells of what is hidden" if order else "others"
            what = f"player {viewer}'s legal moves on his view are not those in truth: {how}"
            yield "legal-on-views", what, place.moves

    def _turn(self, place: Place, view: Position, viewer: int) -> Iterator[Broken]:
        """Who has to act knows it, unless his view takes back a choice that he cannot know of."""
        if place.turn != viewer or (shown := view.turn()) == viewer:
            return
        if not place.unseen.pending(view, place.turn, viewer):
            what = f"player {viewer} is to act, and on his view it is turn {shown}"
            yield "turn-on-views", what, place.moves

    def _partner(
        self, place: Place, view: Position, viewer: int, stream: Stream, *, first: bool
    ) -> Position | None:
        """A position that the viewer cannot tell from the truth."""
        if not self._samples or not draws(view, viewer):
            other = look_alike(self.lab.game, place.moves, viewer, stream, tries=2)
            return None if other is None else replay(self.lab.game, other)
        world = self._drawn(place, view, viewer, stream)
        if first and stream.below(_SELDOM) == 0:
            self.suspect(place, view, viewer, stream, world)
        return world

    def _drawn(self, place: Place, view: Position, viewer: int, stream: Stream) -> Position:
        world = view.copy()
        with located(self.lab.game, place.moves, "(a world is drawn here)"):
            world.determinize(viewer, stream, memo=place.memos.get(viewer))
        self.look.worlds += 1
        return world

    def suspect(
        self,
        place: Place,
        view: Position,
        viewer: int,
        stream: Stream,
        first: Position | None = None,
    ) -> None:
        """Note a place where the truth has something that no drawn world has.

        With an honest sampler the truth is one world more: that happens once in as many times as
        worlds are drawn. So more are drawn while it is so.
        """
        draw = partial(self._drawn, place, view, viewer, stream)
        one = first or draw()
        if one.turn() != place.turn or view.digest() == place.digest:
            return
        lacking = atoms(place.position) - atoms(one)
        for _ in range(_SAME):
            if not lacking:
                return
            lacking -= atoms(draw())
        if lacking:
            self.look.suspects.append((place.moves, viewer))

    def _swapped(
        self,
        place: Place,
        view: Position,
        world: Position,
        viewer: int,
        others: Sequence[int],
        digest: bytes,
        told: dict[int, int],
    ) -> Iterator[Broken]:
        """Play on in the truth and in the world, side by side."""
        who, back = viewer_name(viewer), world.view(viewer)
        self.look.pairs += 1
        if back.digest() != digest:
            if self._samples and draws(view, viewer):
                what = f"determinize for {who} changes his view: {difference(view, back)}"
                yield "worlds-keep-view", what, place.moves
            return
        if world.infoset(viewer) != place.position.infoset(viewer):
            yield "infoset", f"infoset for {who} differs in a world of his view", place.moves
        if world.turn() != place.turn:
            if place.turn == viewer == view.turn():
                what = f"player {viewer} is to act, and in a world of his view turn {world.turn()}"
                yield "turn-on-views", what, place.moves
            return  # choices are pending here that the world has withdrawn
        listed = world.legal()
        if place.turn == viewer and listed != place.legal:
            order = sorted(listed) == sorted(place.legal)
            how = "in another order: it tells of what is hidden" if order else "others"
            what = f"player {viewer} has not the same legal moves in a world of his view: {how}"
            yield "legal-on-views", what, place.moves
        legal = set(listed)
        apart = [m for m, token in told.items() if m in legal and world.sees(m, viewer) != token]
        for move in dict.fromkeys((*others, *apart[:_APART])):
            with located(self.lab.game, (*place.moves, move)):
                yield from self._step(place, world, listed, viewer, move, digest)

    def _step(
        self,
        place: Place,
        world: Position,
        listed: list[int],
        viewer: int,
        move: int,
        digest: bytes,
    ) -> Iterator[Broken]:
        """Equal views and equal tokens, equal next views; equal next views, equal tokens."""
        token, who = place.position.sees(move, viewer), viewer_name(viewer)
        after = _played(place.position, move).view(viewer)
        here, moves = after.digest(), (*place.moves, move)
        if token == 0 and here != digest:
            name = move_name(self.lab.game, move)
            what = f"{who} sees nothing of {name} (token 0), yet his view changes"
            yield "unseen-moves", what, moves
        there = world.sees(move, viewer) if move in listed else None
        like = move if there == token else _alike(world, listed, viewer, token)
        if like is not None:
            self.look.pairs += 1
            other = _played(world, like).view(viewer)
            if other.digest() != here:
                what = f"{who} had equal views and got equal tokens, but here and in a world of his"
                yield "next-views", f"{what} view {difference(after, other)}", moves
        if (
            there is not None
            and there != token
            and _played(world, move).view(viewer).digest() == here
        ):
            what = (
                f"sees tells {who} apart whether this is the truth or another world of his view, "
                f"and his views are the same before and after {move_name(self.lab.game, move)}: "
                "the token tells more than the view shows"
            )
            yield "tokens-shown", what, moves


def _played(position: Position, move: int) -> Position:
    after = position.copy()
    after.apply(move)
    return after


def _alike(world: Position, listed: list[int], viewer: int, token: int) -> int | None:
    """A legal move of the world that the viewer sees as this token."""
    some = listed[:MOST_CANDIDATES]
    return next((move for move in some if world.sees(move, viewer) == token), None)
