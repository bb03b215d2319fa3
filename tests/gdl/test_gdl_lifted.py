"""The lifted reasoner: on hand-made games, on random programs and on the library."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from facedown.core import SpecError, Stream, derive
from facedown.gdl import library, memory, program
from facedown.gdl.checks import check_rules
from facedown.gdl.errors import LimitError
from facedown.gdl.graph import Graph
from facedown.gdl.lifted import Lifted
from facedown.gdl.reader import read, read_file
from facedown.gdl.simulate import play
from facedown.gdl.syntax import Atom, Compound, Description, Literal, Rule, Variable
from facedown.gdl.terms import unbound
from support.naive_rules import KEYS, Naive, consequences, told


def texts(terms):
    return list(map(str, terms))


# semantics


def test_a_variable_as_a_whole_fluent_and_init_by_rules():
    game = Lifted(
        read("(role a) (n 1) (n 2) (<= (init (f ?x)) (n ?x)) (init g) (legal a noop)"
             "(<= (next ?f) (true ?f) (distinct ?f g))")
    )  # fmt: skip
    assert set(texts(game.initial())) == {"(f 1)", "(f 2)", "g"}
    assert set(texts(game.next(game.initial(), ["noop"]))) == {"(f 1)", "(f 2)"}


def test_legal_moves_are_distinct_and_in_order():
    game = Lifted(
        read("(role a) (n 10) (n 9) (n 1) (<= (legal a (m ?x)) (n ?x)) (<= (legal a (m 9)) (n 1))")
    )
    assert texts(game.legal(frozenset(), "a")) == ["(m 1)", "(m 9)", "(m 10)"]


def test_next_and_legal_inside_sees():
    game = Lifted(
        read("(role a) (role b) (init (at 1)) (<= (legal ?r (go ?x)) (role ?r) (s ?x ?y))"
             "(s 1 2) (s 2 3) (<= (next (at ?y)) (true (at ?x)) (does a (go ?x)) (s ?x ?y))"
             "(<= (sees b (now ?x)) (next (at ?x)))"
             "(<= (sees b (could ?m)) (legal a ?m) (not (does a ?m)))")
    )  # fmt: skip
    moves = [Compound("go", ("1",)), Compound("go", ("2",))]
    assert texts(game.sees(game.initial(), moves, "b")) == ["(now 2)", "(could (go 2))"]
    assert game.sees(game.initial(), moves, "a") == []


def test_keywords_as_function_symbols():
    game = Lifted(read("(role a) (legal a noop) (<= (sees a (does ?r ?m)) (does ?r ?m))"))
    assert texts(game.sees(game.initial(), ["noop"], "a")) == ["(does a noop)"]


def test_an_arity_slip_never_holds():
    game = Lifted(
        read("(role a) (init (secret 1)) (<= (next wrong) (does a ?n) (not (true secret ?n)))")
    )
    assert texts(game.next(game.initial(), ["1"])) == ["wrong"]


def test_recursion_that_depends_on_the_state():
    text = """(role a) (init (wire 1 2)) (init (wire 2 3)) (init (wire 4 5))
      (<= (joined ?x ?y) (true (wire ?x ?y)))
      (<= (joined ?x ?z) (joined ?x ?y) (joined ?y ?z))
      (<= terminal (joined 1 3)) (<= (legal a (cut ?x ?y)) (true (wire ?x ?y)))
      (<= (next (wire ?x ?y)) (true (wire ?x ?y)) (not (does a (cut ?x ?y))))
      (<= (goal a 100) (not (joined 1 3)))"""
    game = Lifted(read(text))
    assert game.terminal(game.initial())
    after = game.next(game.initial(), [Compound("cut", ("2", "3"))])
    assert not game.terminal(after)
    assert game.goals(after, "a") == ["100"]


def test_the_same_variable_twice_and_nested_terms():
    game = Lifted(
        read("(role a) (init (p (f 1 1))) (init (p (f 1 2))) (init (p 3))"
             "(<= (legal a (m ?x)) (true (p (f ?x ?x)))) (<= (legal a (k ?y)) (true (p (f 1 ?y))))")
    )  # fmt: skip
    assert texts(game.legal(game.initial(), "a")) == ["(k 1)", "(k 2)", "(m 1)"]


@pytest.mark.parametrize(
    ("edges", "loops", "ways"), [("(s 2 1)", 40, 2), ("(s 2 1) (s 2 2)", 17, 6765)]
)
def test_more_loops_than_python_nests(edges, loops, ways):
    """Ways through a graph; where 1 goes to 2, and 2 to 1 and 2, Fibonacci's numbers count them."""
    names = [f"?x{i}" for i in range(loops + 1)]
    body = " ".join(f"(s {x} {y})" for x, y in pairwise(names))
    game = Lifted(read(f"(role a) (s 1 2) {edges} (<= (legal a (m {' '.join(names)})) {body})"))
    assert len(game.legal(frozenset(), "a")) == ways


@pytest.mark.parametrize(
    "text",
    [
        "(role a) (nat 0) (<= (nat (s ?x)) (nat ?x))",
        "(role a) (pair a b) (<= (pair (c ?x ?y) (c ?y ?x)) (pair ?x ?y))",
        "(role a) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)"
        "(<= (legal a (n ?a ?b ?c ?d ?e ?f ?g)) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (d ?g))",
        "(role a) (w e) (<= (w (l ?x)) (w ?x)) (<= (w (r ?x)) (w ?x))",
    ],
)
def test_rules_without_end_hit_a_limit(text, monkeypatch):
    monkeypatch.setattr(memory, "MAX_FACTS", 50_000)
    with pytest.raises(LimitError, match=r"the rules make|needs more steps or facts"):
        Lifted(read(text))


def test_what_nobody_can_list_does_no_harm_where_it_is_asked():
    names = "?a ?b ?c ?d ?e ?f ?g ?h"
    domain = " ".join(f"(d {k})" for k in range(10))
    body = " ".join(f"(d {name})" for name in names.split())
    game = Lifted(
        read(f"(role a) {domain} (<= (n {names}) {body}) (<= (legal a yes) (n 1 2 3 4 5 6 7 8))"
             "(<= (legal a no) (n 1 2 3 4 5 6 7 ten))")
    )  # fmt: skip
    assert game.legal(frozenset(), "a") == ["yes"]


def test_a_state_that_grows_without_end_hits_a_limit():
    game = Lifted(read("(role a) (init (n z)) (legal a go) (<= (next (n (s ?x))) (true (n ?x)))"))
    with pytest.raises(LimitError, match="the rules make terms of more than"):
        play(game, games=1)


def test_terms_that_double_hit_a_limit():
    """Each is one symbol around twice the one before: 2 to the 60th in all."""
    chain = " ".join(f"(<= (p{i + 1} (c ?x ?x)) (p{i} ?x))" for i in range(60))
    with pytest.raises(LimitError, match="the rules make terms of more than"):
        Lifted(read(f"(role a) (p0 z) {chain}"))
    game = Lifted(read(f"(role a) (init z) (<= (p0 ?f) (true ?f)) {chain} (<= terminal (p60 ?x))"))
    with pytest.raises(LimitError, match="the rules make terms of more than"):
        game.terminal(game.initial())


def test_unsafe_and_unstratified_rules_are_refused():
    with pytest.raises(SpecError, match=r"t:1:10: nothing binds \?y: \(<= \(p \?y\) \(q \?x\)\)"):
        Lifted(read("(role a) (<= (p ?y) (q ?x))", "t"))
    with pytest.raises(SpecError, match=r"t:1:10: depends on its own negation through q"):
        Lifted(read("(role a) (<= p (not q)) (<= q p)", "t"))


# against the oracle

DOMAIN = ("a", "b", "c")
X, Y, Z = map(Variable, "xyz")
HEADS = [Atom("t", (X, Y)), Atom("u", (X,)), Atom("v"), Atom("w", (Compound("f", (X, "a")),))]
GIVEN = [Atom("e", (X, Y)), Atom("e", (Y, Z)), Atom("e", ("a", Z)), Atom("e", (X, X))]
GIVEN += [Atom("true", (Compound("f", (X, Y)),)), Atom("true", (Y,)), Atom("true", ("a",))]
ASKED = [*HEADS, *GIVEN, Atom("t", (Y, Z)), Atom("u", (Z,)), Atom("w", (Y,))]
ASKED += [Atom("distinct", (X, Y)), Atom("distinct", (Z, "a"))]
literals = st.builds(Literal, st.sampled_from(ASKED), st.sampled_from([True, True, False]))
made_rules = st.builds(
    lambda head, body: Rule(head, tuple(dict.fromkeys(body))),
    st.sampled_from(HEADS),
    st.lists(literals, min_size=1, max_size=4),
)
pairs = st.sets(st.tuples(st.sampled_from(DOMAIN), st.sampled_from(DOMAIN)))


@given(st.lists(made_rules, min_size=1, max_size=6), pairs, pairs)
@settings(max_examples=300, deadline=None)
def test_random_programs_have_the_oracles_consequences(rules, edges, fluents):
    rules = [
        rule
        for rule in rules
        if not unbound(rule) and all(x.positive or x.atom.name != "distinct" for x in rule.body)
    ]
    assume(rules)
    assume(not list(Graph(rules).negative_cycles()))
    facts = [Rule(Atom("e", pair)) for pair in sorted(edges)]
    shown = [
        Rule(Atom("sees", ("r", Compound("got", (head.name, *head.args)))), (Literal(head),))
        for head in HEADS
    ]
    game = Description("random", ("r",), (*facts, *rules, *shown))
    state = frozenset([*(Compound("f", pair) for pair in fluents), "a"])
    reached = consequences(game.rules, {("true", 1): {(f,) for f in state}})
    expected = {args[1] for args in reached.get(("sees", 2), ())}
    assert set(Lifted(game).sees(state, ["noop"], "r")) == expected
    with pytest.MonkeyPatch.context() as patched:  # the same where nothing is listed that need not
        patched.setattr(program, "MAX_DERIVED", -1)
        patched.setattr(program, "MAX_LISTED", -1)
        assert set(Lifted(game).sees(state, ["noop"], "r")) == expected


def random_game(reasoner, stream):
    """The positions of a random game with the joint moves played there; none in the last."""
    state, line = reasoner.initial(), []
    while not reasoner.terminal(state):
        moves = [stream.choice(reasoner.legal(state, role)) for role in reasoner.roles]
        line.append((state, moves))
        state = reasoner.next(state, moves)
    return [*line, (state, None)]


@pytest.mark.parametrize("name", library.names())
def test_library_games_go_as_the_oracle_says(name):
    """A random game, a dozen positions of it, from the first to the last: the oracle is slow."""
    description = read_file(library.find(name))
    reasoner, oracle = Lifted(description), Naive(description)
    assert reasoner.initial() == oracle.initial()
    line = random_game(reasoner, Stream(derive(0, "oracle", name)))
    every = max(1, len(line) // 12)
    for state, moves in [*line[::every], line[-1]]:
        found, wanted = told(reasoner, state, moves), oracle.everything(state, moves or ())
        assert found == {key: wanted[key] for key in found}


def test_all_positions_of_a_small_game_are_as_the_oracle_says():
    description = read_file(library.find("exploding-bomb"))
    reasoner, oracle = Lifted(description), Naive(description)
    waiting, done = [reasoner.initial()], set()
    while waiting:
        state = waiting.pop()
        if state in done:
            continue
        done.add(state)
        if reasoner.terminal(state):
            assert told(reasoner, state) == {k: oracle.everything(state)[k] for k in list(KEYS)[:3]}
            continue
        for moves in product(*(reasoner.legal(state, role) for role in reasoner.roles)):
            assert told(reasoner, state, moves) == oracle.everything(state, moves)
            waiting.append(reasoner.next(state, moves))
    assert len(done) == 1 + 2 + 4 + 8


def test_library_games_are_valid_without_a_warning():
    for name in library.names():
        assert check_rules(read_file(library.find(name))) == []
