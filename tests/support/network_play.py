"""A game by its network beside the lifted reasoner's, move by move and jump by jump."""

from __future__ import annotations

from facedown.core import CHANCE, Game, Position, Stream
from facedown.gdl.checks import goal_value
from facedown.gdl.game import NetworkGame
from facedown.gdl.lifted import Lifted, State
from facedown.gdl.syntax import Term


class Beside:
    """One position of the network's game and the reasoner's state of the same history.

    All happens in one record, so that the network goes from state to state in one area.
    """

    def __init__(self, game: Game, stream: Stream) -> None:
        self.game, self.stream = game, stream
        self.definition: NetworkGame = game.definition
        self.network = self.definition.network
        self.lifted = Lifted(self.definition.description)
        self.here, self.state = game.start(), self.lifted.initial()
        self.past = [(self.here.copy(), self.state)]

    def jump(self) -> None:
        """Go back to a position met before."""
        there, self.state = self.stream.choice(self.past)
        self.game.rules.copy(self.here.address, there.address)

    def check(self) -> None:
        """The state, the legal moves, the end and the goals."""
        known = set(self.network.fluents)
        assert set(self.definition.holding(self.here.record)) == known & self.state
        over = self.lifted.terminal(self.state)
        assert self.here.over == over
        if over:
            assert self.here.payoff() == [self.goal(p) for p in range(self.game.players)]
            return
        for place, role in enumerate(self.network.roles):
            assert legal_of(self.here, place) == set(self.lifted.legal(self.state, role)), role

    def goal(self, player: int) -> float:
        terms = self.lifted.goals(self.state, self.network.roles[player])
        values = [value for term in terms if (value := goal_value(term)) is not None]
        return float(max(values, default=self.definition.bounds[0]))

    def step(self) -> None:
        """Make a random joint move, and compare what everybody sees."""
        moves = {}
        for place, role in enumerate(self.network.roles):
            moves[role] = self.stream.choice(sorted(legal_of(self.here, place), key=str))
        steps = int(self.here.record["clock"][0])
        after, told = self._next(moves)
        while int(self.here.record["clock"][0]) == steps:
            turn = self.here.turn()
            chosen = moves[self.network.roles[turn]] if turn >= 0 else moves.get("random")
            legal = {self.game.move_text(move): move for move in self.here.legal()}
            move = (
                legal.get(str(chosen))
                if turn >= 0 or len(legal) > 1
                else next(iter(legal.values()))
            )
            assert move is not None
            if turn == CHANCE and not self.network.open:
                over = self.lifted.terminal(after)
                for player, percepts in enumerate(told):
                    token = self.definition.percept_token(player, percepts, over=over)
                    assert self.here.sees(move, player) == token
            self.here.apply(move)
        self.state = after
        self.past.append((self.here.copy(), after))

    def _next(self, moves: dict[str, Term]) -> tuple[State, list[list[Term]]]:
        joint = [moves[role] for role in self.lifted.roles]
        players = self.network.roles[: self.game.players]
        told = [self.lifted.sees(self.state, joint, role) for role in players]
        return self.lifted.next(self.state, joint), told

    def run(self, steps: int, jumps: float = 0.1) -> None:
        """Compare so many positions; ends are left by a jump."""
        for _ in range(steps):
            self.check()
            if self.here.over or self.stream.random() < jumps:
                self.jump()
            else:
                self.step()


def legal_of(position: Position, place: int) -> set[Term]:
    """The legal moves of a role in a true position, from the record."""
    from facedown.gdl.network import members

    network = position.game.definition.network
    slots = (network.slots[k] for k in members(position.record["legal"]))
    return {slot[1] for slot in slots if slot is not None and slot[0] == place}
