"""A clerk: beside the mind that plays, it follows a match by its rules and knows what is legal.

It runs in a process of its own (`facedown.ggp.worker`) with the lifted reasoner and nothing else,
no agent and no network, so that it is there when a mind misses its clock: then a
move of this step is answered, and not one of a step before. In GDL it knows the position. In GDL-II
it follows some positions by chance, as others might have moved, and keeps those in which the player
would have perceived what it was told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from time import monotonic

from facedown.core.errors import FacedownError, SpecError
from facedown.core.streams import Stream, derive
from facedown.gdl.checks import checked
from facedown.gdl.lifted import Lifted, State
from facedown.gdl.memory import prepare
from facedown.gdl.reader import read
from facedown.gdl.syntax import Description, Term
from facedown.ggp.messages import Start, Told, read_term, spelled, spelling_of
from facedown.ggp.told import LostError, asked_again, joint_of, perceived
from facedown.ggp.vocabulary import check_role
from facedown.ggp.worker import NO_MATCH

POSITIONS = 8
"""That are followed in GDL-II."""

TRIES = 12
"""For each of them: moves of others that are drawn for a step, until one is perceived as told."""

SHARE = 0.5
"""Of the time until the deadline: what these tries may take."""

Exchange = tuple[Told | None, str]
"""What a manager told before a move, None before the first, and what it was answered."""


class Clerk:
    """Knows the legal moves of one match after another."""

    def __init__(self, spec: str, seed: int) -> None:
        self._seed, self._matches = seed, 0
        self._following: Following | None = None

    def warm_up(self) -> None:
        """Have what the reasoner is compiled of ready."""
        prepare()

    def start(self, start: Start, seconds: float) -> str:
        """Read the rules of a match; why nobody could play it, or nothing.

        How long that may take is up to whoever asks.
        """
        self._following = None
        self._matches += 1
        try:
            rules = checked(read(start.rules, "rules"))
            check_role(rules, start.role)
        except FacedownError as error:
            return str(error)
        seed = derive(self._seed, "match", self._matches)
        self._following = Following(start, rules, seed)
        return ""

    def legal(self, steps: Sequence[Exchange], told: Told | None, deadline: float) -> list[str]:
        """The legal moves after all these steps and what was told of the last one, as text."""
        if self._following is None:
            raise SpecError(NO_MATCH)
        return self._following.legal(steps, told, deadline)


class Following:
    """One match as far as it was told, in positions that it may be in."""

    def __init__(self, start: Start, rules: Description, seed: int) -> None:
        self._rules = rules
        self._role, self._spelling = start.role, spelling_of(start.rules)
        self._reasoner, self._stream = Lifted(self._rules), Stream(seed)
        self._states: list[State] = [self._reasoner.initial()]
        self._made = 0  # moves of the player that were taken in
        self._answer: Term | None = None  # the last of them

    def legal(self, steps: Sequence[Exchange], told: Told | None, deadline: float) -> list[str]:
        """The legal moves now; those that most positions allow where there are several."""
        for before, answer in steps[self._made :]:
            self._states = self._after(before, deadline)
            self._answer, self._made = read_term(answer), self._made + 1
        states = self._after(told, deadline)
        votes = Counter(move for state in states for move in self._moves(state))
        most = max(votes.values(), default=0)
        return [spelled(move, self._spelling) for move, count in votes.items() if count == most]

    def _moves(self, state: State) -> list[Term]:
        over = self._reasoner.terminal(state)
        return [] if over else self._reasoner.legal(state, self._role)

    def _after(self, told: Told | None, deadline: float) -> list[State]:
        """The positions after a step, which may be asked for again. FacedownError."""
        if told is None:
            return self._states
        if not self._rules.perfect:
            return self._perceived(told, deadline)
        if asked_again(self._rules, told, self._made):
            return self._states
        joint = joint_of(self._rules, told, self._answer)
        moves = [joint[role] for role in self._rules.roles]
        return [self._reasoner.next(state, moves) for state in self._states]

    def _perceived(self, told: Told, deadline: float) -> list[State]:
        """Positions in which others have moved somehow, and the player perceives what it did.

        Where none is found, any in which the player could have moved so.
        """
        own, percepts = perceived(self._rules, self._role, told, self._answer)
        until = monotonic() + SHARE * max(deadline - monotonic(), 0.0)
        found, others = list[State](), list[State]()
        for _ in range(POSITIONS * TRIES):
            if len(found) == POSITIONS or (others and monotonic() > until):
                break
            try:
                state, agrees = self._stepped(own, set(percepts))
            except FacedownError:  # a rule that does not hold out, or nothing is legal
                continue
            (found if agrees else others).append(state)
        if not found and not others:
            raise LostError(f"{own} was not legal in any position that is followed")
        return found or others[:POSITIONS]

    def _stepped(self, own: Term, percepts: set[Term]) -> tuple[State, bool]:
        """One of the positions after moves of others by chance; whether it agrees with percepts."""
        state, reasoner = self._stream.choice(self._states), self._reasoner
        if own not in self._moves(state):
            raise LostError(f"{own} is not legal")
        moves = [
            own if role == self._role else self._stream.choice(reasoner.legal(state, role))
            for role in reasoner.roles
        ]
        seen = set(reasoner.sees(state, moves, self._role))
        return reasoner.next(state, moves), seen == percepts
