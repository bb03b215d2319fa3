"""A rule file's terms, as a manager sends them, in the numbers and tokens of the game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from facedown.core import Game, Position, SpecError
from facedown.core.canonical import stable_hash
from facedown.core.plain import PlainRules
from facedown.gdl import layout as at
from facedown.gdl.game import NetworkGame
from facedown.gdl.lifted_game import LiftedGame, step_seen
from facedown.gdl.syntax import Description, Term


class Vocabulary(ABC):
    """Between terms and numbers, for one role of one game; SpecError where there is no number."""

    def __init__(self, game: Game, description: Description, role: str) -> None:
        self.game, self.description, self.role = game, description, role

    @property
    @abstractmethod
    def player(self) -> int:
        """The number of the role among the players."""

    @abstractmethod
    def number(self, role: str, move: Term) -> int:
        """The number of a role's move."""

    @abstractmethod
    def term(self, move: int) -> Term:
        """The move of a number."""

    @abstractmethod
    def percept_token(self, percepts: Iterable[Term]) -> int:
        """What the contract's `sees` gives the role of a step after which the game goes on."""

    @abstractmethod
    def forced(self, position: Position) -> int | None:
        """The role's move in a position where it is not asked, having only one; None without."""

    @abstractmethod
    def steps(self, position: Position) -> int:
        """How many joint moves led to a position."""

    @abstractmethod
    def named(self, player: int) -> str:
        """The role of a player."""


class NetworkVocabulary(Vocabulary):
    """Of a game by a rule network, whose numbers are all known."""

    def __init__(self, game: Game, description: Description, role: str) -> None:
        super().__init__(game, description, role)
        assert isinstance(game.definition, NetworkGame)
        self._definition = game.definition
        self._network = game.definition.network

    @property
    def player(self) -> int:
        return self._network.roles.index(self.role)

    def number(self, role: str, move: Term) -> int:
        return self._definition.move_number(role, move)

    def term(self, move: int) -> Term:
        slot = self._network.slots[move]
        assert slot is not None
        return slot[1]

    def percept_token(self, percepts: Iterable[Term]) -> int:
        return self._definition.percept_token(self.player, percepts, over=False)

    def forced(self, position: Position) -> int | None:
        move = int(position.record["pending"][self.player])
        return None if move < 0 else move

    def steps(self, position: Position) -> int:
        return int(position.record["clock"][at.STEP])

    def named(self, player: int) -> str:
        return self._network.roles[player]


class LiftedVocabulary(Vocabulary):
    """Of a game by the lifted reasoner, which numbers moves as it meets them."""

    def __init__(self, game: Game, description: Description, role: str) -> None:
        super().__init__(game, description, role)
        assert isinstance(game.definition, LiftedGame)
        assert isinstance(game.rules, PlainRules)
        self._definition, self._rules = game.definition, game.rules

    @property
    def player(self) -> int:
        return self._definition.roles.index(self.role)

    def number(self, role: str, move: Term) -> int:
        return self._rules.number(move)

    def term(self, move: int) -> Term:
        found: Term = self._rules.values[move]
        return found

    def percept_token(self, percepts: Iterable[Term]) -> int:
        return stable_hash(step_seen(percepts, over=False))

    def forced(self, position: Position) -> int | None:
        move = position.record.pending[self.player]
        return None if move is None else self._rules.number(move)

    def steps(self, position: Position) -> int:
        return int(position.record.step)

    def named(self, player: int) -> str:
        return self._definition.roles[player]


def check_role(description: Description, role: str) -> None:
    """SpecError where nobody plays this role."""
    players = [name for name in description.roles if name != "random"]
    if role not in players:
        raise SpecError(f"nobody plays {role!r} here; roles: {', '.join(players)}")


def vocabulary(game: Game, description: Description, role: str) -> Vocabulary:
    """The vocabulary of a role; SpecError where nobody plays it."""
    check_role(description, role)
    networked = isinstance(game.definition, NetworkGame)
    return (NetworkVocabulary if networked else LiftedVocabulary)(game, description, role)
