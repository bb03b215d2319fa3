"""What the reader makes of rule files, good ones and such whose meaning is plain."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facedown.core import SpecError
from facedown.gdl.reader import read, read_file
from facedown.gdl.syntax import Atom, Compound, Description, Literal, Rule, Variable

ROLE = "(role white)\n"


def rules(text: str) -> list[str]:
    """The rules beside the role's."""
    return [str(rule) for rule in read(ROLE + text).rules if rule.head.name != "role"]


def repairs(text: str) -> list[str]:
    return [f"{r.place.line}:{r.place.column} {r.words}" for r in read(ROLE + text).repairs]


def test_case_comments_numbers_and_odd_names():
    text = "(INIT (Cell 1 1 B)) ; (init nothing)\n(++ 1 2)(<=(next(f ?X))(++ ?x 2))"
    assert rules(text) == ["(init (cell 1 1 b))", "(++ 1 2)", "(<= (next (f ?x)) (++ ?x 2))"]
    assert repairs(text) == []


def test_keywords_count_by_position():
    text = "(<= (sees white (does ?r (legal ?m))) (does ?r ?m))\n(<= (terminal) (true (terminal)))"
    assert rules(text) == [
        "(<= (sees white (does ?r (legal ?m))) (does ?r ?m))",
        "(<= terminal (true terminal))",
    ]


def test_a_variable_as_a_whole_fluent():
    assert rules("(<= (next ?f) (true ?f) (not moved))") == ["(<= (next ?f) (true ?f) (not moved))"]


def test_places_are_those_of_the_statements():
    made = read("; first\n\n(role white)\r\n  (init a)\r(init b)")
    assert [(r.place.line, r.place.column) for r in made.rules] == [(3, 1), (4, 3), (5, 1)]


def test_roles_in_order_and_once():
    assert read("(role b) (role a) (role b) (role random)").roles == ("b", "a", "random")


def test_rules_in_one_list_as_a_manager_sends_them():
    wrapped = read("((role white) (<= (legal white noop) (true a)))")
    assert wrapped.rules == read("(role white) (<= (legal white noop) (true a))").rules
    assert wrapped.repairs == ()


def test_base_and_input_are_left_out_unless_asked_for():
    hints = "(base (f 1)) (<= (input ?p ?m) (legal ?p ?m))"
    assert rules(hints) == []
    assert rules(hints + "(<= (legal ?p ?m) (input ?p ?m))")[-1] == (
        "(<= (legal ?p ?m) (input ?p ?m))"
    )


# or, and, not


def test_or_is_split_at_any_depth():
    assert rules("(<= p (or (q a) (or (q b) (and (q c) (or (q d) (q e))))))") == [
        "(<= p (q a))",
        "(<= p (q b))",
        "(<= p (q c) (q d))",
        "(<= p (q c) (q e))",
    ]


def test_not_before_or_and_not():
    assert rules("(<= p (not (or a b)))") == ["(<= p (not a) (not b))"]
    assert rules("(<= p (not (and a b)))") == ["(<= p (not a))", "(<= p (not b))"]
    assert rules("(<= p (not (not a)))") == ["(<= p a)"]
    assert rules("(<= p (not (and a (or b (not c)))))") == [
        "(<= p (not a))",
        "(<= p (not b) c)",
    ]


def test_free_variables_in_a_not_mean_that_there_is_none():
    assert rules("(<= p (q ?x) (not (r ?x ?y)))") == [
        "(<= p (q ?x) (not (aux1 ?x)))",
        "(<= (aux1 ?x) (r ?x ?y))",
    ]
    assert rules("(<= p (q ?x) (not (and (r ?x ?y) (s ?y))))") == [
        "(<= p (q ?x) (not (aux1 ?x)))",
        "(<= (aux1 ?x) (r ?x ?y) (s ?y))",
    ]


def test_a_part_of_a_not_is_bound_from_outside_where_it_must_be():
    assert rules("(<= p (q ?x) (not (and (s ?y) (distinct ?x ?y))))") == [
        "(<= p (q ?x) (not (aux1 ?x)))",
        "(<= (aux1 ?x) (q ?x) (s ?y) (distinct ?x ?y))",
    ]


def test_new_relations_have_new_names():
    assert rules("(aux1 b) (<= p (not (q ?x)))")[1:] == [
        "(<= p (not aux2))",
        "(<= aux2 (q ?x))",
    ]


def test_many_alternatives_become_new_relations():
    body = " ".join(f"(or (a{i} ?x) (b{i} ?x))" for i in range(20))
    made = rules(f"(<= (p ?x) {body})")
    assert len(made) == 41
    assert made[0] == "(<= (p ?x) " + " ".join(f"(aux{i} ?x)" for i in range(1, 21)) + ")"
    assert "(<= (aux1 ?x) (b0 ?x))" in made


def test_not_distinct_makes_terms_equal():
    assert rules("(<= (p ?x ?y) (q ?x) (not (distinct ?x (f ?y ?z))) (r ?y ?z))") == [
        "(<= (p (f ?y ?z) ?y) (q (f ?y ?z)) (r ?y ?z))"
    ]
    assert rules("(<= p (not (distinct a b)))") == []
    assert rules("(<= p (q ?x) (not (distinct ?x (f ?x))))") == []


# repairs


def test_a_role_that_nothing_binds():
    text = "(<= (legal ?p noop)\n (not (true (control ?p))))\n(goal ?r 0)"
    assert rules(text) == [
        "(<= (legal ?p noop) (role ?p) (not (true (control ?p))))",
        "(<= (goal ?r 0) (role ?r))",
    ]
    assert repairs(text) == [
        "2:1 nothing binds ?p, a role; (role ?p) added: "
        "(<= (legal ?p noop) (not (true (control ?p))))",
        "4:1 nothing binds ?r, a role; (role ?r) added: (goal ?r 0)",
    ]


def test_an_arity_slip_reads_as_written():
    text = "(<= (next wrong) (does white (guess ?n)) (not (true secret ?n)))"
    assert rules(text) == [text]
    assert repairs(text) == [
        "2:47 true takes 1 argument, not 2; read as written, a relation that no rule makes true: "
        "(true secret ?n)"
    ]


def test_a_blank_that_is_missing_after_the_arrow():
    text = "(<=terminal (true b)) (<=(legal white go) (true b)) (<=x)"
    assert rules(text) == ["(<= terminal (true b))", "(<= (legal white go) (true b))", "x"]
    assert [words.partition(" ")[2] for words in repairs(text)] == [
        "a blank is missing after <=: <=terminal",
        "a blank is missing after <=: <=x",
    ]


@pytest.mark.parametrize("arrow", ["=>", "<-", ":-"])
def test_rules_by_another_arrow_are_refused_where_they_stand(arrow):
    with pytest.raises(SpecError, match=rf"rules:2:1: {arrow} makes no rule"):
        read(f"(role a)\n({arrow} (role ?r) (legal ?r go))")
    assert read(f"(role a) ({arrow} b c)").rules[1].head.name == arrow  # a relation's name


def test_closing_parentheses_too_many():
    assert rules("(init a)))\n(init b)") == ["(init a)", "(init b)"]
    assert repairs("(init a)))\n(init b)") == [
        "2:9 a closing parenthesis too many, ignored",
        "2:10 a closing parenthesis too many, ignored",
    ]


def test_the_last_parenthesis_missing():
    text = "(<= p (q a)\n(<= q (r b))\n(init c"
    assert rules(text) == ["(<= p (q a))", "(<= q (r b))", "(init c)"]
    assert repairs(text) == [
        "2:1 not closed before the rule in line 3; closed there",
        "4:1 not closed at the end of the file; closed there",
    ]


def test_a_rule_closed_too_early_takes_what_follows():
    text = "(<= (goal white 100)\n(true (chosen ?d)))\n(true (car ?d)))"
    assert rules(text) == ["(<= (goal white 100) (true (chosen ?d)) (true (car ?d)))"]
    assert repairs(text) == [
        "4:1 outside of any rule; taken into the body of the rule before",
        "4:16 a closing parenthesis too many, ignored",
    ]


def test_bytes_that_are_no_text_may_stand_in_comments(tmp_path):
    file = tmp_path / "game.kif"
    file.write_bytes(b"; by J\xf6rg\n(role white)")
    made = read_file(file)
    assert made.roles == ("white",)
    assert [(r.place.line, r.place.column, r.words) for r in made.repairs] == [
        (1, 7, "a comment is not UTF-8")
    ]
    file.write_bytes(b"\xef\xbb\xbf(role white)")
    assert read_file(file).repairs == ()


# round trips

names = st.text(alphabet="abcxyz019_+-.*é", min_size=1, max_size=4).filter(
    lambda name: not name.startswith("aux")
)
variable_names = st.sampled_from(["x", "y", "z"]).map(Variable)
terms = st.recursive(
    names | variable_names,
    lambda inner: st.builds(
        Compound, names, st.lists(inner, min_size=1, max_size=3).map(tuple)
    ),
    max_leaves=5,
)  # fmt: skip
atoms = st.builds(Atom, names, st.lists(terms, max_size=3).map(tuple))


@given(st.lists(st.tuples(atoms, st.lists(atoms, max_size=3)), max_size=4))
@settings(max_examples=60, deadline=None)
def test_what_is_written_reads_as_the_same(parts):
    made = [Rule(Atom("role", ("white",)))]
    for head, body in parts:
        literals = tuple(map(Literal, body))
        negated = tuple(Literal(atom, positive=False) for atom in (head, *body))
        made += [Rule(head, literals), Rule(head, literals + negated)]
    text = str(Description("t", ("white",), tuple(made)))
    assert read(text).rules == tuple(dict.fromkeys(made))


formulas = st.recursive(
    atoms.map(str),
    lambda inner: st.builds(
        lambda name, parts: f"({name} {' '.join(parts if name != 'not' else parts[:1])})",
        st.sampled_from(["and", "or", "not"]),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=8,
)


@given(atoms, formulas)
@settings(max_examples=100, deadline=None)
def test_what_has_been_taken_apart_stays_so(head, body):
    once = read(f"{ROLE}(<= {head} {body})")
    again = read(str(once))
    assert again.rules == once.rules
    assert again.repairs == ()


@given(st.text(alphabet="()?;<=aArRoleinottrue \n01\x00é", max_size=80))
@settings(max_examples=200, deadline=None)
def test_any_text_is_read_or_refused(text):
    said = ""
    try:
        made = read(text, "fuzz")
    except SpecError as error:
        said = str(error)
    assert "\n" not in said
    assert said.startswith("fuzz:") if said else made.roles


@given(st.binary(max_size=60))
@settings(max_examples=100, deadline=None)
def test_any_file_is_read_or_refused(tmp_path_factory, data):
    file = tmp_path_factory.mktemp("fuzz") / "game.kif"
    file.write_bytes(data)
    with pytest.raises(SpecError):
        read_file(file)
    file.write_bytes(b"(role white)\n;" + data.replace(b"\n", b"").replace(b"\r", b""))
    assert read_file(file).roles == ("white",)
