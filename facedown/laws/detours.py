"""Histories made from one another: games that look the same to a viewer, made on purpose.

One hidden move is replaced by another that the viewer sees alike, and the rest is played as it was;
where that cannot be, the move that was displaced is, as if two cards had been swapped in the deal,
else any move that the viewer sees alike. Nothing is asked of the rules but `legal`, `sees` and
`apply`, so a wrong `hide`, `infoset` or `determinize` has no say in it.
"""

from __future__ import annotations

from facedown.core import Position, Stream
from facedown.laws.ledger import Walked
from facedown.laws.seeking import Seeker

_FEW = 24  # moves that are tried in place of one that does not fit


class Unseen:
    """Chooses the moves of another history that looks to a viewer like a story from a ply on.

    `eye` is the viewer's place among those of the walk. It ends where it cannot be like the story:
    if it can, with the story's own move, of which the viewer is told something else.
    """

    def __init__(self, story: Walked, at: int, viewer: int, eye: int, stream: Stream) -> None:
        self.story, self.at, self.viewer, self.eye = story, at, viewer, eye
        self._stream = stream
        self._swapped: dict[int, int] = {}
        self.apart = False

    def __call__(self, position: Position, legal: list[int], ply: int) -> int | None:
        story = self.story
        if ply >= len(story.moves) or self.apart:
            return None
        own = story.moves[ply]
        if ply < self.at:
            return own
        token = story.tokens[ply][self.eye]
        if ply > self.at:
            for move in (own, self._swapped.get(own, -1)):
                if move in legal and position.sees(move, self.viewer) == token:
                    return move
        found = self._other(position, legal, own, token)
        if ply == self.at:
            self._swapped = {} if found is None else {own: found, found: own}
        elif own in legal and (found is None or self._stream.below(2)):
            self.apart = True
            return own
        return found

    def _other(self, position: Position, legal: list[int], own: int, token: int) -> int | None:
        """Another legal move that the viewer sees alike."""
        some = [move for move in legal if move != own]
        self._stream.shuffle(some)
        alike = (m for m in some[:_FEW] if position.sees(m, self.viewer) == token)
        return next(alike, None)


class Sibling:
    """Chooses the moves of a story up to a ply, another one there, and no more."""

    def __init__(self, story: Walked, at: int, stream: Stream) -> None:
        self.story, self.at, self._stream = story, at, stream

    def __call__(self, position: Position, legal: list[int], ply: int) -> int | None:
        if ply > self.at:
            return None
        own = self.story.moves[ply]
        if ply < self.at:
            return own
        return self._stream.choice([move for move in legal if move != own] or [own])


class Altered:
    """Chooses moves like those of a story, but for some plies; goes on by itself after its end."""

    def __init__(
        self, moves: tuple[int, ...], plies: frozenset[int], seeker: Seeker, stream: Stream
    ) -> None:
        self._moves, self._plies = moves, plies
        self._seeker, self._stream = seeker, stream

    def __call__(self, position: Position, legal: list[int], ply: int) -> int | None:
        if ply < len(self._moves):
            own, keep = self._moves[ply], ply not in self._plies
            if keep and own in legal:
                return own
            if not keep and len(legal) > 1:
                possible = [m for m in self._seeker.possible(position, legal) if m != own]
                return self._stream.choice(possible) if possible else own
        return self._seeker.pick(position, legal, self._stream)
