"""Ground rules as a circuit: shared AND nodes over signed literals.

A literal is a node's number, negative where it is negated; node 1 is true. OR is an AND by De
Morgan. Nodes are numbered after their inputs. Atoms that depend on themselves are *registers*:
inputs of the circuit, each fed by the formula of its atom, a loop for each strongly connected
component. What the rules mean there is the least fixed point, which exists where no atom depends on
its own negation.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from facedown.core.errors import SpecError
from facedown.gdl.graph import components
from facedown.gdl.ground import Ground
from facedown.gdl.syntax import Term

TRUE, FALSE = 1, -1
FREQUENT = 6
"""A literal that so many bodies of one atom have is taken out of them."""

_FACT = 0

Node = frozenset[int]


class Circuit:
    """The formulas of a game's atoms.

    `fluents` are those that some output depends on, now or later, by the order of their names, and
    `moves` all (role, move); `fluent_nodes` and `does_nodes` are their nodes. `ins[k]` are the
    literals of an AND node, None for inputs. `loops` are the registers of each component that
    depends on itself, and `feeds[k]` is the literal that feeds register `k`.
    """

    def __init__(self, ground: Ground) -> None:
        self.ins: list[Node | None] = [None, None]
        self.loops: list[list[int]] = []
        self.feeds: dict[int, int] = {}
        self._index: dict[Node, int] = {}
        self._literals: dict[int, int] = {_FACT: TRUE}
        self._ground = ground
        atoms = ground.atoms
        self.moves = sorted(atoms["does"], key=str)
        reached = self._reached()
        self.fluents = sorted(
            (args[0] for args, atom in atoms["true"].items() if atom in reached), key=str
        )
        self.does_nodes = [self._input(atoms["does"][move]) for move in self.moves]
        self._doers = {k: role for k, (role, _) in zip(self.does_nodes, self.moves, strict=True)}
        self._sizes = Counter(self._doers.values())
        self.fluent_nodes = [self._input(atoms["true"][fluent,]) for fluent in self.fluents]
        asks = {atom: self._asked(atom) for atom in sorted(reached)}
        for component in components(asks):
            self._define(component)

    def literal(self, name: str, *args: Term) -> int:
        """The literal of an atom of the language."""
        atom = self._ground.atoms[name].get(args)
        return FALSE if atom is None else self._literals.get(atom, FALSE)

    def _reached(self) -> set[int]:
        """The atoms that what a game shows depends on, now or later."""
        atoms = self._ground.atoms
        fluents = {atom: args for args, atom in atoms["true"].items() if atom != _FACT}
        waiting = [
            a for name in ("legal", "terminal", "goal", "sees") for a in atoms[name].values()
        ]
        reached: set[int] = set()
        while waiting:
            atom = waiting.pop()
            if atom in reached or atom == _FACT:
                continue
            reached.add(atom)
            waiting += self._asked(atom)
            if atom in fluents and fluents[atom] in atoms["next"]:
                waiting.append(atoms["next"][fluents[atom]])
        return reached

    def _asked(self, atom: int) -> list[int]:
        """The atoms that an atom's rules ask for."""
        return sorted({abs(x) for body in self._ground.rules.get(atom, ()) for x in body})

    def _node(self, ins: Node | None) -> int:
        self.ins.append(ins)
        return len(self.ins) - 1

    def _input(self, atom: int) -> int:
        self._literals[atom] = self._node(None)
        return self._literals[atom]

    def conjunction(self, literals: Iterable[int]) -> int:
        """AND: equal nodes are shared, and a single literal needs no node."""
        ins = self._with_few_moves(frozenset(literals) - {TRUE})
        if FALSE in ins or any(-x in ins for x in ins):
            return FALSE
        if len(ins) < 2:
            return min(ins, default=TRUE)
        if ins not in self._index:
            self._index[ins] = self._node(ins)
        return self._index[ins]

    def _with_few_moves(self, ins: Node) -> Node:
        """That a role makes none of most of its moves is to say that it makes one of the others.

        For a role makes exactly one. Where several roles are asked so, nothing is changed: that one
        of them makes such a move is read off a sum over all of these, which mostly stays the same.
        """
        found = Counter(self._doers[-x] for x in ins if -x in self._doers)
        large = [r for r, n in found.items() if n > 3 and 2 * n > self._sizes[r]]
        if len(large) != 1:
            return ins
        own = frozenset(-k for k, role in self._doers.items() if role == large[0])
        return (ins - own) | {-self.conjunction(own - ins)}

    def _bodies(self, atom: int) -> Iterator[list[int]]:
        for body in self._ground.rules.get(atom, ()):
            signs = ((1 if x > 0 else -1, abs(x)) for x in body)
            yield [sign * self._literals.get(a, FALSE) for sign, a in signs]

    def _define(self, component: Sequence[int]) -> None:
        """Give each atom of a component its literal; those that they depend on have theirs."""
        atom = component[0]
        if atom in self._literals:
            return
        inside = set(component)
        bodies = [body for a in component for body in self._ground.rules.get(a, ())]
        if any(-x in inside for body in bodies for x in body if x < 0):
            raise SpecError("an atom of the rules depends on its own negation, which means nothing")
        if not any(x in inside for body in bodies for x in body):
            self._literals[atom] = self.formula(self._bodies(atom))
            return
        self.loops.append([self._input(atom) for atom in component])
        for atom, register in zip(component, self.loops[-1], strict=True):
            self.feeds[register] = self.formula(self._bodies(atom))

    def formula(self, bodies: Iterable[Iterable[int]]) -> int:
        """OR of ANDs, factored: what all bodies have in common is taken out, or what many have.

        (k & x) | (k & y) is k & (x | y), again and again.
        """
        given = {frozenset(body) - {TRUE} for body in bodies}
        left = self._merged({body for body in given if FALSE not in body})
        wide = {self._wide(body): body for body in left}
        common = frozenset.intersection(*wide) if len(wide) > 1 else None
        if common:
            return self.conjunction([*common, self.formula(body - common for body in wide)])
        apart = self._apart(wide)
        return -self.conjunction([*apart, *(-self.conjunction(body) for body in wide.values())])

    def _apart(self, wide: dict[Node, Node]) -> list[int]:
        """Take bodies that share a frequent literal out of `wide`; the negations of what they say.

        Whose turn it is, say, is then asked once and not in each of them.
        """
        count, found = Counter(x for body in wide for x in body), []
        while count and (most := max(count.values())) >= FREQUENT:
            x = min(x for x in count if count[x] == most)
            having = [body for body in wide if x in body]
            found.append(-self.conjunction([x, self.formula(body - {x} for body in having)]))
            for body in having:
                del wide[body]
                count.subtract(body)
        return found

    def _wide(self, body: Node) -> Node:
        """A body that is one AND node, as what that node is made of."""
        if len(body) == 1 and (only := min(body)) > 1:
            return self.ins[only] or body
        return body

    def _merged(self, bodies: set[Node]) -> set[Node]:
        """Bodies that differ in one literal become one body, until there are none."""
        merged = True
        while merged:
            merged, groups = False, defaultdict(list)
            for body in bodies:
                for x in body if len(body) > 1 else ():
                    groups[body - {x}].append(x)
            alike = [key for key, found in groups.items() if len(found) > 1]
            for key in sorted(alike, key=lambda key: (-len(groups[key]), hash(key))):
                found = [x for x in groups[key] if key | {x} in bodies]
                if len(found) > 1:
                    merged = True
                    bodies.difference_update([key | {x} for x in found])
                    bodies.add(key | {-self.conjunction(-x for x in found)} - {TRUE})
        return bodies
