"""What HyperPlay is compared with: random samples (section 5.1), and whole information sets."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from facedown.core import CHANCE, OVER, Game, Position, Stream

ENOUGH = 100
"""Histories that agree after a round before the next one is looked at."""

MOST = 20_000
"""Joint moves tried in a round for that."""


class RandomSampling:
    """How many states a sampler visits that starts again whenever an observation differs.

    Its chance to get through round n is the product of the chances to pass each round (equation
    17). Each is found by trying random joint moves after random histories that have passed all
    rounds before, so that rare histories need not be met from the root: the product is what
    starting from the root would give (splitting, as in a particle filter).
    """

    def __init__(self, game: Game, viewer: int, seed: int) -> None:
        self.viewer, self._stream = viewer, Stream(seed)
        self._passed = [game.start()]
        self.valid = 1.0
        """The chance that a random history agrees so far: P(Valid(h))."""
        self.visited = 0.0
        """States that an attempt visits before it fails or is through."""
        self.log_histories: float | None = 0.0
        """The logarithm of the product of the numbers of joint moves: an upper bound of them.

        None where no sample was found: how many moves there are after it nobody knows.
        """

    @property
    def cost(self) -> float | None:
        """The expected number of states for one sample; None where no sample was found."""
        return self.visited / self.valid if self.valid > 0 else None

    def observe(self, tokens: Sequence[int]) -> None:
        """Go on by a round that shows the viewer these tokens."""
        tried, choices, passed = 0, 0.0, list[Position]()
        while self._passed and len(passed) < ENOUGH and tried < MOST:
            position = self._stream.choice(self._passed).copy()
            agrees, choice = self.joint_move(position, tokens)
            tried, choices = tried + 1, choices + choice
            if agrees:
                passed.append(position)
        self.visited += self.valid
        log, self.log_histories = self.log_histories, None
        if log is not None and passed:
            self.log_histories = log + math.log(choices / tried)
        # stopped by a success, successes / tries would be too high by one success
        through = (len(passed) - 1) / (tried - 1) if len(passed) == ENOUGH else len(passed) / MOST
        self.valid *= through
        self._passed = passed

    def joint_move(self, position: Position, tokens: Sequence[int]) -> tuple[bool, int]:
        """Play a joint move with the viewer's own part; whether it agrees, and of how many."""
        seen, choices = 0, 1
        while (turn := position.turn()) != OVER:
            legal = position.legal()
            if turn == self.viewer:
                legal = [m for m in legal if position.sees(m, turn) == tokens[seen]]
                if not legal:
                    return False, choices
            choices *= len(legal)
            move = position.draw(self._stream) if turn == CHANCE else self._stream.choice(legal)
            token = position.sees(move, self.viewer)
            position.play(move)
            if token and turn != self.viewer:
                return seen + 1 == len(tokens) and token == tokens[seen], choices
            seen += bool(token)
        return False, choices


History = tuple[int, ...]


class InformationSet:
    """All histories that agree with what a viewer has seen; None where there are too many."""

    def __init__(self, game: Game, viewer: int, most: int) -> None:
        self.viewer, self.most = viewer, most
        self.members: dict[History, Position] | None = {(): game.start()}

    def observe(self, tokens: Sequence[int]) -> None:
        """Go on by a round that shows the viewer these tokens."""
        members, found = self.members or {}, dict[History, Position]()
        for history, position in members.items():
            for moves, after in _joint_moves(position, self.viewer, tokens):
                found[(*history, *moves)] = after
                if len(found) > self.most:
                    self.members = None
                    return
        self.members = None if self.members is None else found


def _joint_moves(
    position: Position, viewer: int, tokens: Sequence[int], seen: int = 0
) -> Iterator[tuple[History, Position]]:
    """The joint moves that show the viewer these tokens, with the positions after them."""
    if (turn := position.turn()) == OVER:
        return
    for move in position.legal():
        token = position.sees(move, viewer)
        if token not in (0, tokens[seen]):
            continue
        after = position.copy()
        after.play(move)
        if token and seen + 1 == len(tokens):
            yield (move,), after
        elif not (token and turn != viewer):
            for rest, end in _joint_moves(after, viewer, tokens, seen + bool(token)):
                yield (move, *rest), end
