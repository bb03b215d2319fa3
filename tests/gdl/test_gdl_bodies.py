"""Bodies taken apart mean what they meant: held against a direct evaluation of the formulas."""

from __future__ import annotations

from itertools import product

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from facedown.gdl import bodies
from facedown.gdl.bodies import And, Not, Or, rules_of, variables
from facedown.gdl.syntax import Atom, Place, Variable
from facedown.gdl.terms import unbound
from support.naive_rules import consequences

DOMAIN = ("a", "b")
X, Y, Z = map(Variable, "xyz")

atoms = st.one_of(
    st.sampled_from([X, Y, Z]).map(lambda v: Atom("p", (v,))),
    st.sampled_from([X, Y, Z]).map(lambda v: Atom("q", (v,))),
    st.tuples(st.sampled_from([X, Y, Z, "a"]), st.sampled_from([X, Y, Z])).map(
        lambda pair: Atom("r", pair)
    ),
    st.just(Atom("s")),
    st.tuples(st.sampled_from([X, Y, Z, "a"]), st.sampled_from([X, Y, Z])).map(
        lambda pair: Atom("distinct", pair)
    ),
)
parts = st.recursive(
    atoms,
    lambda inner: st.one_of(
        inner.map(Not),
        st.lists(inner, min_size=1, max_size=3).map(lambda found: And(tuple(found))),
        st.lists(inner, min_size=1, max_size=3).map(lambda found: Or(tuple(found))),
    ),
    max_leaves=6,
)
worlds = st.fixed_dictionaries(
    {
        ("p", 1): st.sets(st.tuples(st.sampled_from(DOMAIN))),
        ("q", 1): st.sets(st.tuples(st.sampled_from(DOMAIN))),
        ("r", 2): st.sets(st.tuples(st.sampled_from(DOMAIN), st.sampled_from(DOMAIN))),
        ("s", 0): st.sets(st.just(())),
    }
)


def branches(formula):
    """A formula as alternatives of parts that are atoms or negated."""
    if isinstance(formula, Or):
        return [each for part in formula.parts for each in branches(part)]
    if isinstance(formula, And):
        chosen = product(*map(branches, formula.parts))
        return [[part for each in choice for part in each] for choice in chosen]
    if isinstance(formula, Not) and isinstance(formula.part, Or):
        return branches(And(tuple(map(Not, formula.part.parts))))
    return [[formula]]


def equality(part):
    return isinstance(part, Not) and isinstance(part.part, Atom) and part.part.name == "distinct"


def values(formula, known, facts):
    """The values of its variables, beyond the known ones, under which a formula holds.

    A variable that stands only in a `not` belongs to that: it speaks of any value.
    """
    for branch in branches(formula):
        plain = [part for part in branch if isinstance(part, Atom) or equality(part)]
        names = sorted(set().union(*map(variables, plain)) - set(known))
        for chosen in product(DOMAIN, repeat=len(names)):
            both = {**known, **dict(zip(names, chosen, strict=True))}
            if all(part_holds(part, both, facts) for part in branch):
                yield both


def part_holds(part, known, facts):
    if isinstance(part, Not):
        return next(values(part.part, known, facts), None) is None
    args = tuple(known[arg.name] if isinstance(arg, Variable) else arg for arg in part.args)
    return args[0] != args[1] if part.name == "distinct" else args in facts[part.name, len(args)]


def check(head, body, facts):
    numbers = iter(range(1000))
    made = rules_of(head, body, Place(1, 1), lambda: f"aux{next(numbers)}")
    assume(not any(map(unbound, made)))
    heads = {
        tuple(known[arg.name] for arg in head.args)
        for chosen in product(DOMAIN, repeat=len(head.args))
        for known in values(
            body, dict(zip([arg.name for arg in head.args], chosen, strict=True)), facts
        )
    }
    assert consequences(made, facts).get((head.name, len(head.args)), set()) == heads


@given(st.sampled_from([(), (X,), (X, Y)]), st.lists(parts, min_size=1, max_size=3), worlds)
@settings(max_examples=400, deadline=None)
def test_rules_mean_what_the_formula_means(args, found, facts):
    binders = [Atom("r", (arg, arg)) for arg in args[1:]]
    check(Atom("h", args), And((*binders, *found)), facts)


@given(st.sampled_from([(), (X,)]), st.lists(parts, min_size=2, max_size=4), worlds)
@settings(max_examples=200, deadline=None)
def test_so_do_new_relations(args, found, facts):
    before, bodies.MAX_ALTERNATIVES = bodies.MAX_ALTERNATIVES, 1
    try:
        check(Atom("h", args), And(tuple(found)), facts)
    finally:
        bodies.MAX_ALTERNATIVES = before
