"""A GDL game by the lifted reasoner: for rules that cannot be grounded; slow, always there.

Its players, turns, views and tokens are those of `rules`, as an ordinary Python class.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from facedown.core import CHANCE, OVER, Stream
from facedown.core.canonical import stable_hash
from facedown.gdl.checks import goal_value, warn_of_no_goal
from facedown.gdl.lifted import Lifted, State
from facedown.gdl.scene import in_words
from facedown.gdl.show import Show
from facedown.gdl.simulate import RANDOM
from facedown.gdl.syntax import Description, Term
from facedown.gdl.terms import term_variables

GO = "go on"
Joint = tuple[Term | None, ...]


@dataclass(frozen=True)
class Lay:
    """A position, or a view of one: what is not known is empty."""

    state: State
    legal: tuple[tuple[Term, ...], ...]  # of every role
    pending: Joint
    last: Joint
    seen: tuple[int, ...]  # a key of what each player has observed
    step: int
    actor: int


class LiftedGame:
    """A game by rules that were not grounded; `reason` says why."""

    best = "general"
    most_moves = 1 << 14
    moves = 1 << 20

    def __init__(self, description: Description, reason: str = "") -> None:
        self.description, self.reason, self.source = description, reason, description.source
        self._lifted = Lifted(description)
        named = [role for role in description.roles if role != RANDOM]
        self.players, self.open = len(named), description.perfect
        self.roles = [*named, *(role for role in description.roles if role == RANDOM)]
        self._order = [self.roles.index(role) for role in description.roles]
        heads = [rule.head for rule in description.rules if rule.head.name == "goal"]
        values = [goal_value(head.args[1]) for head in heads if len(head.args) == 2]
        known = [0, 100, *(value for value in values if value is not None)]
        self.bounds = (float(min(known)), float(max(known)))
        self.show = Show(description, self.roles, self._known, partial=True)
        self._lacking: set[str] = set()  # roles that were told to have no goal at an end

    def start(self) -> Lay:
        nothing: Joint = (None,) * len(self.roles)
        keys = tuple(range(1, 2 if self.open else self.players + 1))
        lay = Lay(self._lifted.initial(), (), nothing, nothing, keys, 0, CHANCE)
        return self._arrived(lay)

    def _arrived(self, lay: Lay) -> Lay:
        """The same at the beginning of a step: what is legal, who has only one move, who acts."""
        if self._lifted.terminal(lay.state):
            nothing: Joint = (None,) * len(self.roles)
            return replace(lay, legal=((),) * len(self.roles), pending=nothing, actor=OVER)
        legal = tuple(tuple(self._lifted.legal(lay.state, role)) for role in self.roles)
        pending = tuple(moves[0] if len(moves) == 1 else None for moves in legal)
        return replace(lay, legal=legal, pending=pending, actor=self._actor(pending))

    def _actor(self, pending: Joint) -> int:
        waiting = [k for k in range(self.players) if pending[k] is None]
        return waiting[0] if waiting else CHANCE

    def turn(self, lay: Lay) -> int:
        return lay.actor

    def legal(self, lay: Lay) -> list[Term]:
        if lay.actor != CHANCE:
            return list(lay.legal[lay.actor])
        chooses = len(self.roles) > self.players and lay.pending[-1] is None
        return list(lay.legal[-1]) if chooses and lay.legal[-1] else [GO]

    def _chosen(self, lay: Lay, move: Term) -> Joint:
        """The pending choices with this one."""
        if lay.actor == CHANCE and (len(self.roles) == self.players or lay.pending[-1] is not None):
            return lay.pending
        place = len(self.roles) - 1 if lay.actor == CHANCE else lay.actor
        return (*lay.pending[:place], move, *lay.pending[place + 1 :])

    def _completes(self, lay: Lay) -> bool:
        return lay.actor == CHANCE or (self.open and lay.pending.count(None) == 1)

    def _moves(self, joint: Joint) -> list[Term]:
        """A joint move in the order of the description's roles."""
        return [joint[k] or "" for k in self._order]

    def apply(self, lay: Lay, move: Term) -> Lay:
        joint = self._chosen(lay, move)
        seen = list(lay.seen)
        if not self._completes(lay):
            if not self.open:
                seen[lay.actor] = stable_hash((seen[lay.actor], move))
            return replace(lay, pending=joint, seen=tuple(seen), actor=self._actor(joint))
        for k in range(len(seen)):
            seen[k] = stable_hash((seen[k], self.sees(lay, move, k)))
        after = self._lifted.next(lay.state, self._moves(joint))
        return self._arrived(
            replace(lay, state=after, last=joint, seen=tuple(seen), step=lay.step + 1)
        )

    def sees(self, lay: Lay, move: Term, viewer: int) -> tuple[object, ...] | None:
        if not self._completes(lay):
            return ("you choose", move) if viewer == lay.actor else None
        joint = self._chosen(lay, move)
        if self.open:
            return ("all do", *joint)
        moves = self._moves(joint)
        over = self._lifted.terminal(self._lifted.next(lay.state, moves))
        percepts = self._lifted.sees(lay.state, moves, self.roles[viewer]) if viewer >= 0 else ()
        return step_seen(percepts, over=over)

    def payoff(self, lay: Lay) -> list[float]:
        return [self._goal(lay.state, role) for role in self.roles[: self.players]]

    def _goal(self, state: State, role: str) -> float:
        values = [goal_value(term) for term in self._lifted.goals(state, role)]
        if not values and role not in self._lacking:
            self._lacking.add(role)
            warn_of_no_goal(self.source, role)
        return float(max((v for v in values if v is not None), default=0))

    def hide(self, lay: Lay, viewer: int) -> Lay:
        own = [k == viewer for k in range(len(self.roles))]
        pending = tuple(
            move if mine or (self.open and len(moves) == 1) else None
            for move, mine, moves in zip(lay.pending, own, lay.legal, strict=True)
        )
        if self.open:
            actor = lay.actor if lay.actor == OVER else self._actor(pending)
            return replace(lay, pending=pending, actor=actor)
        acts = viewer >= 0 and lay.pending[viewer] is None
        return Lay(
            frozenset(),
            tuple(moves if mine else () for moves, mine in zip(lay.legal, own, strict=True)),
            pending,
            tuple(move if mine else None for move, mine in zip(lay.last, own, strict=True)),
            tuple(key if k == viewer else 0 for k, key in enumerate(lay.seen)),
            lay.step,
            lay.actor if lay.actor == OVER else viewer if acts else CHANCE,
        )

    def infoset(self, lay: Lay, viewer: int) -> object:
        if self.open:
            return lay.seen, lay.pending[viewer] if viewer >= 0 else None
        return (lay.seen[viewer] if viewer >= 0 else 0, lay.step, lay.actor == OVER)

    def copy(self, lay: Lay) -> Lay:
        return lay  # it never changes

    def move_text(self, move: Term) -> str:
        return str(move)

    def view_text(self, lay: Lay, viewer: int) -> str:
        role = f", you are {self.roles[viewer]}" if viewer >= 0 else ""
        over = ": the game is over" if lay.actor == OVER else ""
        lines = self.show.text(lay.state) if lay.state else []
        return "\n".join([f"after {lay.step} steps{role}{over}", *lines])

    def picture(self, lay: Lay, viewer: int) -> str:
        """The boards that the rules have; without pieces where the viewer does not see them."""
        head = self.view_text(lay, viewer).partition("\n")[0]
        return self.show.picture(head, lay.state, [])

    def move_words(self, move: Term) -> str:
        return self.show.move_words(move)

    def move_parts(self, lay: Lay, viewer: int, move: Term) -> tuple[str, ...]:
        return self.show.parts(move)

    def _known(self) -> tuple[list[Term], ...]:
        """What can hold as far as the start and the rules' hints show, and what can be done."""
        first = self.start()
        hints = [rule.head for rule in self.description.rules if not rule.body]
        base = [atom.args[0] for atom in hints if atom.name == "base" and len(atom.args) == 1]
        moves = [move for legal in first.legal[: self.players] for move in legal]
        initial = sorted(first.state, key=str)
        fluents = [*initial, *(term for term in base if not term_variables([term]))]
        return fluents, initial, moves, []

    def hidden_text(self, lay: Lay, viewer: int) -> str:
        return "" if self.open else " ".join(sorted(map(str, lay.state)))

    def hidden_facts(self, lay: Lay, viewer: int) -> tuple[str, ...]:
        return () if self.open else tuple(sorted(map(in_words, lay.state)))


class OpenLiftedGame(LiftedGame):
    """One in which nothing is hidden but pending choices: a view is the world already."""

    def determinize(self, lay: Lay, viewer: int, stream: Stream) -> Lay:
        return lay


def step_seen(percepts: Iterable[Term], *, over: bool) -> tuple[object, ...]:
    """What a player who sees these percepts, each once, learns of a step of a game not open."""
    return ("you see", over, *sorted(set(percepts), key=lambda term: (len(str(term)), str(term))))


def lifted_game(description: Description, reason: str = "") -> LiftedGame:
    """The kind of game that the rules are of."""
    kind = OpenLiftedGame if description.perfect else LiftedGame
    return kind(description, reason)
