"""A seat at a table that nobody here holds the truth of: what a player knows from what it is told.

In GDL everybody sees everything, and a seat holds the position itself. In GDL-II a manager tells a
player its own moves and its percepts. These are the tokens that the contract's `sees` would have
given it, and HyperPlay finds histories of the game that give the same tokens: equal observations
give equal views and equal legal moves, so any of those histories shows the view that the player
has, and its moves. Nothing else can get into it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import monotonic

from facedown.agents.base import Agent
from facedown.belief.belief import NoWorldError
from facedown.belief.hyperplay import Bag
from facedown.belief.pool import Pool
from facedown.core import CHANCE, NOTHING, OVER, PUBLIC, Position
from facedown.gdl.syntax import Term
from facedown.ggp.told import LostError
from facedown.ggp.vocabulary import Vocabulary

MODELS = 20
"""Histories that a seat follows in GDL-II."""

LIMIT = 10_000
"""States that each of them may visit for a move."""


@dataclass(frozen=True)
class Sight:
    """The player's view where it has to move, and its legal moves, by their numbers."""

    view: Position
    legal: Sequence[int]


@dataclass(frozen=True)
class Heard:
    """What the player and the public saw of a move, as tokens, and the first in words."""

    token: int
    text: str
    public: int


class Seat(ABC):
    """One player's place in one match."""

    def __init__(self, words: Vocabulary) -> None:
        self.words, self.game, self.player = words, words.game, words.player
        self._heard: list[Heard] = []
        self._passed = 0  # of what was heard, to the agent

    @abstractmethod
    def sight(self, seconds: float) -> Sight:
        """What the player sees now, found within about so many seconds; LostError without."""

    def inform(self, agent: Agent) -> None:
        """Tell an agent what the player has observed since it was last told, as a match does."""
        for heard in self._heard[self._passed :]:
            agent.observe(heard.token, heard.text)
            if heard.public != NOTHING:
                agent.overhear(heard.public)
        self._passed = len(self._heard)

    def _apply(self, position: Position, move: int) -> list[Heard]:
        """Play a move of a history; what was heard of it."""
        token, public = position.sees(move, self.player), position.sees(move, PUBLIC)
        position.play(move)
        if token == NOTHING:
            return []
        return [Heard(token, self.game.text.observation_text(token, self.player), public)]

    def asked(self, position: Position) -> Position:
        """A position of this step in which the player acts; others before it choose anything.

        Their choices are pending: no view has them. Where the player has only one move it is not
        asked, and the position is one in which all players have chosen.
        """
        there = position.copy()
        step = self.words.steps(there)
        while there.turn() not in (self.player, CHANCE, OVER):
            ahead = there.copy()
            if not (legal := ahead.legal()):
                break  # rules by which somebody cannot move
            ahead.play(legal[0])
            if self.words.steps(ahead) != step:
                break  # the last choice of an open game makes the step
            there = ahead
        return there

    def choices(self, asked: Position) -> list[int]:
        """The moves of the player in a position of `asked`."""
        if asked.turn() == self.player:
            found = asked.choices()
        else:
            forced = self.words.forced(asked)
            found = [] if forced is None else [forced]
        if not found:
            raise LostError(f"{self.words.role} has no legal move, and the match goes on")
        return found


class OpenSeat(Seat):
    """Of a game of GDL, where everybody sees the joint moves."""

    def __init__(self, words: Vocabulary) -> None:
        super().__init__(words)
        self._position = self.game.start()

    def advance(self, joint: Mapping[str, Term]) -> None:
        """Carry out a joint move, by role; LostError where it is not legal."""
        position, step = self._position, self.words.steps(self._position)
        if position.over:
            raise LostError("the game is over, by the rules, and the match goes on")
        while self.words.steps(position) == step:
            turn = position.turn()
            legal = position.legal()
            move = legal[0]  # of CHANCE, where nobody has a choice
            if turn != CHANCE:
                role = self.words.named(turn)
                move = self.words.number(role, joint[role])
                if move not in legal:
                    raise LostError(f"{role} did {joint[role]}, which is not legal")
            self._heard += self._apply(position, move)

    def sight(self, seconds: float) -> Sight:
        if self._position.over:
            raise LostError("the game is over, by the rules, and the match goes on")
        asked = self.asked(self._position)
        return Sight(asked.view(self.player), self.choices(asked))


@dataclass(frozen=True)
class _Known:
    """What a seat has taken in: so many steps, and the tokens that they gave.

    A clock may interrupt a seat anywhere. Steps and tokens change in one assignment, and the bag
    gets those that it lacks: none is fed twice, and none is lost.
    """

    steps: int = 0
    tokens: tuple[int, ...] = ()

    def after(self, tokens: Sequence[int]) -> _Known:
        """With those of the next step; NOTHING is no token."""
        seen = (token for token in tokens if token != NOTHING)
        return _Known(self.steps + 1, (*self.tokens, *seen))


class HiddenSeat(Seat):
    """Of a game of GDL-II: it is fed the player's own moves and percepts, and knows no more."""

    def __init__(self, words: Vocabulary, seed: int) -> None:
        super().__init__(words)
        self.bag = Bag(
            self.game, self.player, MODELS, seed, limit=LIMIT, weigh="choices", reseed=True
        )
        self._stand: Position | None = None  # of a model, where the player acts or has no choice
        self._told: list[tuple[Term, int]] = []  # own moves, and the tokens of percepts, by step
        self._known = _Known()
        self._failed = 0  # how often no model was found, one after another

    @property
    def told(self) -> list[Term]:
        """The player's own moves, as they were told."""
        return [own for own, _ in self._told]

    def advance(self, own: Term, percepts: Sequence[Term]) -> None:
        """Note the move that was carried out for the player, and what it then perceived."""
        self._told.append((own, self.words.percept_token(percepts)))

    def sight(self, seconds: float) -> Sight:
        """NoWorldError where no history was found in time; ask again, and the search goes on."""
        deadline = monotonic() + seconds
        while self._known.steps < len(self._told):
            stand = self._stand or self._found(deadline)[0]
            own, percepts = self._told[self._known.steps]
            tokens = [percepts]
            if stand.turn() == self.player:  # else it had no choice, which is no observation
                move = self.words.number(self.words.role, own)
                tokens.insert(0, stand.sees(move, self.player))
            self._stand = None
            self._known = self._known.after(tokens)
        self._stand, legal = self._found(deadline)
        return Sight(self._stand.view(self.player), legal)

    def _found(self, deadline: float) -> tuple[Position, list[int]]:
        """Where the player stands by what was observed, and the moves legal in all models."""
        worlds = self._worlds(deadline)
        heard, position = list[Heard](), self.game.start()
        for move in self.bag.histories()[0]:
            heard += self._apply(position, move)
        self._heard = heard  # all at once: a clock may strike anywhere
        stand = self.asked(position)
        legal = self.choices(stand)
        others = [self.choices(self.asked(worlds.position(k))) for k in range(1, len(worlds))]
        return stand, [move for move in legal if all(move in moves for moves in others)] or legal

    def _worlds(self, deadline: float) -> Pool:
        """The positions of models; the search for one goes on until the time is up."""
        for token in self._known.tokens[len(self.bag.observed) :]:
            self.bag.observe(token)
        while True:
            left = max(deadline - monotonic(), 0.01)
            try:
                found = self.bag.held(left)
            except NoWorldError:
                self._failed += 1
                self.bag.dig(self._failed)  # deeper, then from the start, and on in later turns
                if monotonic() > deadline:
                    raise
            else:
                self._failed = 0
                return found
