"""What a manager means by what it tells of a step: a joint move, or an own move and percepts."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.errors import FacedownError
from facedown.gdl.syntax import Compound, Description, Term
from facedown.ggp.messages import Told


class LostError(FacedownError):
    """What the manager told cannot be, by the rules."""


def asked_again(rules: Description, told: Told, made: int) -> bool:
    """Whether NIL comes a second time, in GDL for several: the first move is asked for again.

    `made`: how many moves the player has made.
    """
    return len(rules.roles) > 1 and made == 1 and told.turn is None and told.terms is None


def joint_of(rules: Description, told: Told, answer: Term | None) -> dict[str, Term]:
    """The joint move of a step in GDL, which both dialects can tell; `answer` was the player's.

    In that of GDL-II percepts name roles with their moves, `(did white (mark 1 1))`, or are the
    moves in the order of the roles.
    """
    roles, terms = rules.roles, told.terms or ()
    pairs = {
        term.args[0]: term.args[1]
        for term in terms
        if isinstance(term, Compound) and len(term.args) == 2
    }
    if told.turn is not None and set(pairs) == set(roles):
        return {role: pairs[role] for role in roles}
    if len(terms) == len(roles):
        return dict(zip(roles, terms, strict=True))
    own = told.last or answer
    if len(roles) == 1 and own is not None:
        return {roles[0]: own}
    raise LostError(f"{len(terms)} moves told, of {len(roles)} roles")


def perceived(
    rules: Description, role: str, told: Told, answer: Term | None
) -> tuple[Term, Sequence[Term]]:
    """The own move and the percepts of a step in GDL-II; `answer` was the player's.

    A manager that does not tell the own move has carried out what it was answered. One that knows
    GDL alone tells the joint move; where rules have no `sees`, no percepts can be meant.
    """
    terms, own = told.terms or (), told.last or answer
    sees = any(rule.head.name == "sees" for rule in rules.rules)
    if told.turn is None and not sees and len(terms) == len(rules.roles):
        return terms[rules.roles.index(role)], ()
    if own is None:
        raise LostError("the manager does not tell the own move, and none was answered")
    return own, terms
