"""A true match beside the seats of its players, and players that are up to something."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from facedown.agents.base import Agent
from facedown.agents.searching import SingleObserver
from facedown.core import CHANCE, PUBLIC, Game, Position, Stream
from facedown.gdl.lifted import Lifted
from facedown.gdl.syntax import Description, Term
from facedown.ggp.seat import HiddenSeat, OpenSeat
from facedown.ggp.vocabulary import Vocabulary, vocabulary
from facedown.search.budget import Budget


@dataclass(eq=False)
class Listener(Agent):
    """Keeps what it is told."""

    told: list[tuple[str, int, str]] = field(default_factory=list)

    def observe(self, token: int, text: str) -> None:
        self.told.append(("own", token, text))

    def overhear(self, token: int) -> None:
        self.told.append(("public", token, ""))


class Patient(Agent):
    """Plays anything, but given more than half a minute it never comes back."""

    seconds = 0.0

    def allow(self, seconds: float) -> None:
        self.seconds = seconds

    def choose(self, view: Position, legal: Sequence[int]) -> int:
        if self.seconds > 30:
            time.sleep(1000)
        return self.stream.choice(legal)


class Sleeper(Agent):
    """Never comes back."""

    def choose(self, view: Position, legal: Sequence[int]) -> int:
        time.sleep(1000)
        return legal[0]


class Dreamer(SingleObserver):
    """Thinks a little, and never comes back to say what it has found."""

    def think(self, view: Position, legal: Sequence[int]) -> int:
        self.search = self.start_search(view, legal)
        self.search.run(Budget(300))
        time.sleep(1000)
        return legal[0]


class Crooked(Agent):
    """Plays what is not legal."""

    def choose(self, view: Position, legal: Sequence[int]) -> int:
        return -1


class Table:
    """The truth: a position of the contract, and the lifted reasoner's state of the same match.

    What the managers of this world tell comes from the reasoner alone; what players may see and
    hear comes from the position, as in a match.
    """

    def __init__(self, game: Game, description: Description, seed: int) -> None:
        self.game, self.description, self.stream = game, description, Stream(seed)
        self.rules = Lifted(description)
        self.state, self.position = self.rules.initial(), game.start()
        roles = [role for role in description.roles if role != "random"]
        self.words = {role: vocabulary(game, description, role) for role in roles}
        self.heard: dict[str, list[tuple[str, int, str]]] = {role: [] for role in roles}
        self.last: dict[str, Term] = {}
        self.percepts: dict[str, list[Term]] = {}

    @property
    def over(self) -> bool:
        return self.position.over

    def asked(self, role: str) -> tuple[bytes, list[Term]]:
        """The true view of a role where it has to move, and its legal moves."""
        words, there = self.words[role], self.position.copy()
        step = words.steps(there)
        for _ in range(self.game.players):
            ahead = there.copy()
            if ahead.turn() in (words.player, CHANCE):
                break
            ahead.apply(self.stream.choice(ahead.legal()))
            there = ahead if words.steps(ahead) == step else there
        return there.view(words.player).digest(), self.rules.legal(self.state, role)

    def step(self) -> None:
        """A random joint move."""
        moves = {r: self.stream.choice(self.rules.legal(self.state, r)) for r in self.rules.roles}
        joint = [moves[role] for role in self.rules.roles]
        self.percepts = {role: self.rules.sees(self.state, joint, role) for role in self.words}
        words = next(iter(self.words.values()))
        step = words.steps(self.position)
        while words.steps(self.position) == step:
            self._apply(words, moves)
        self.state, self.last = self.rules.next(self.state, joint), moves

    def _apply(self, words: Vocabulary, moves: dict[str, Term]) -> None:
        turn, legal = self.position.turn(), self.position.legal()
        move = legal[0]
        if turn != CHANCE or len(legal) > 1:
            role = "random" if turn == CHANCE else words.named(turn)
            move = words.number(role, moves[role])
        public = self.position.sees(move, PUBLIC)
        for role, own in self.words.items():
            if token := self.position.sees(move, own.player):
                text = self.game.text.observation_text(token, own.player)
                self.heard[role].append(("own", token, text))
                self.heard[role] += [("public", public, "")] if public else []
        self.position.apply(move)


def tell(seat: OpenSeat | HiddenSeat, table: Table) -> None:
    """Tell a seat of the last step what its manager would."""
    if isinstance(seat, OpenSeat):
        seat.advance(table.last)
    else:
        role = seat.words.role
        seat.advance(table.last[role], table.percepts[role])
