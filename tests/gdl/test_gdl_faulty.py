"""Files that cannot be read: what is said, and where."""

from __future__ import annotations

import time

import pytest

from facedown.core import SpecError
from facedown.gdl.lexer import MAX_DEPTH
from facedown.gdl.reader import read, read_file

FAULTY = {
    "": "1:1: no rules here; (role ...) and more are wanted",
    "; only a comment\n": "1:1: no rules here; (role ...) and more are wanted",
    "(init a)": "1:1: no roles; (role ...) is wanted",
    "hello world": "1:1: no roles; (role ...) is wanted",
    "(role)": "1:1: role takes 1 argument, not 0: (role)",
    "(role white\n(role black))": "1:1: role takes 1 argument, not 2: (role white (role black))",
    "(role ?p)": "1:1: roles are facts, (role name): (role ?p)",
    "(<= (role ?p) (player ?p))": "1:1: roles are facts, (role name): (<= (role ?p) (player ?p))",
    "(role (the white))": "1:1: roles are facts, (role name): (role (the white))",
    "(role a)\n(<= (next (f ?x)\n (true (f ?x)))": "2:5: next takes 1 argument, not 2",
    "(role a)\n(<= (next (f ?x))\n (true (f ?x": "3:8: this parenthesis is not closed at the end",
    "(role a)\n(<= p (q\n(<= q r)": "2:7: this parenthesis is not closed before the rule in line 3",
    "(role a) (<= (next a (true b))\n(<= c d)": "1:14: next takes 1 argument, not 2",
    "(role a)\n\n  (<=)": "3:3: a rule without a head: (<=)",
    "(role a) (<= ?x p)": "1:14: a variable where a relation is wanted: ?x",
    "(role a) (<= p ?x)": "1:16: a variable where a relation is wanted: ?x",
    "(role a) (<= p ())": "1:16: an empty pair of parentheses: ()",
    "(role a) (p (f ()))": "1:16: an empty pair of parentheses: ()",
    "(role a) (p ((f) b))": "1:14: a name is wanted after an opening parenthesis: (f)",
    "(role a) (p (?f b))": "1:14: a name is wanted after an opening parenthesis: ?f",
    "(role a) (p ?)": "1:13: a variable without a name: ?",
    "(role a) (<= p (not))": "1:16: not needs one part, not 0: (not)",
    "(role a) (<= p (not q r))": "1:16: not needs one part, not 2: (not q r)",
    "(role a) (<= p (or))": "1:16: or needs parts, not 0: (or)",
    "(role a) (<= p (distinct ?x))": "1:16: distinct takes 2 arguments, not 1: (distinct ?x)",
    "(role a) (<= (true p) q)": "1:14: true cannot be defined by rules: (true p)",
    "(role a) (<= (does a b) q)": "1:14: does cannot be defined by rules: (does a b)",
    "(role a) (<= (distinct a b) q)": "1:14: distinct cannot be defined by rules: (distinct a b)",
    "(role a) (<= (or a b) q)": "1:14: or cannot be defined by rules: (or a b)",
    "(role a) (<= (not a) q)": "1:14: not cannot be defined by rules: (not a)",
    "(role a) (<= (legal a) q)": "1:14: legal takes 2 arguments, not 1: (legal a)",
    "(role a) (<= (terminal now) q)": "1:14: terminal takes no arguments, not 1: (terminal now)",
    "(role a) (true (step 1))": "1:10: (true ...) can stand in the body of a rule only: (true",
    "(role a) (init b) (true (f ?x))": "1:19: (true ...) can stand in the body of a rule only",
    "(role a) (<= p q) (not (r a))": "1:19: (not ...) can stand in the body of a rule only: (not",
    "(role a) (p \x01b)": "1:13: a control character; text is wanted: ?b)",
    # the slip in line 41 of the paper's figure 1: the parenthesis cannot be meant to be there
    "(role r)\n(<= (next (c ?d))\n(true (c ?d)))\n(not (does r open_(door ?d)))": (
        "4:6: does takes 2 arguments, not 3: (does r open_(door ?d))"
    ),
}


@pytest.mark.parametrize("text", FAULTY)
def test_what_cannot_be_meant_is_refused_with_its_place(text):
    with pytest.raises(SpecError) as caught:
        read(text, "game.kif")
    assert str(caught.value).startswith(f"game.kif:{FAULTY[text]}")
    assert len(str(caught.value)) < 200


def test_a_guessed_parenthesis_allows_no_other_guess():
    """Closed at the end, the rule would ask for (true b (true c)): the slip is elsewhere."""
    with pytest.raises(SpecError, match=r"1:16: true takes 1 argument, not 2"):
        read("(role a) (<= p (true b (true c))\n(<= c d)", "game.kif")


def test_files_that_are_none(tmp_path):
    with pytest.raises(SpecError, match="is a folder; a rule file is wanted"):
        read_file(tmp_path)
    with pytest.raises(SpecError, match=r"cannot read .*: No such file"):
        read_file(tmp_path / "nothing.kif")
    with pytest.raises(SpecError, match="cannot read"):
        read_file("a\0b")


def test_a_file_that_is_not_utf_8(tmp_path):
    file = tmp_path / "game.kif"
    file.write_bytes(b"(role white)\n(init (caf\xe9))")
    with pytest.raises(SpecError, match=r"game.kif:2:11: not UTF-8, in which rule files are"):
        read_file(file)
    file.write_bytes("(role white)".encode("utf-16"))
    with pytest.raises(SpecError, match=r"game.kif:1:1: not UTF-8"):
        read_file(file)


def test_a_file_that_is_too_large(tmp_path):
    file = tmp_path / "game.kif"
    file.write_bytes(b"\xc3\xa9" * 9_000_000)
    with pytest.raises(SpecError, match=r"game.kif:1:1: more than 4,000,000 characters"):
        read_file(file)


LARGE = {
    "(" * 100_000: f"1:{MAX_DEPTH + 2}: parentheses nest deeper than {MAX_DEPTH}",
    "(role a)\n" + "(f " * 5_000 + ")" * 5_000: f"2:{3 * MAX_DEPTH + 1}: parentheses nest deeper",
    "(role a)\n(<= p " + "(not " * 200 + "q" + ")" * 201: "parentheses nest deeper",
    "(a) " * 200_000: "more than 500,000 words",
    "x" * 5_000_000: "1:1: more than 4,000,000 characters",
    "(role (f " + "a " * 490_000 + "))": "1:1: roles are facts",
    ")" * 300_000: "1:51: more than 50 parentheses are amiss: )))",
    "(<= a " * 150_000: "1:301: more than 50 parentheses are amiss: (<= a",
    f"(role a) (<= p (not (and {'(q ?x ?y) (r ?y ?z) ' * 20_000})))": "",
    f"(role a) (<= (p ?x) {'(or (a ?x) (b ?x)) ' * 40_000})": "",
    "(role a) (<= p " + "(or a (and b " * 49 + "c" + "))" * 49 + ")": "",
    "(role a) (<= p " + "(and (or a b) (not " * 48 + "c" + "))" * 48 + ")": "too many",
    "(role a) (<= p " + "(not (and (or (q ?x) (r ?y)) " * 48 + "c" + "))" * 48 + ")": "too many",
    f"(role a) (<= p {'(or a b) ' * 6} {'(q ?x) ' * 50_000})": "too many alternatives",
}


@pytest.mark.parametrize("text", LARGE, ids=range(len(LARGE)))
def test_large_texts_are_read_or_refused_in_time(text):
    before = time.thread_time()
    said = refusal(text)
    assert LARGE[text] in said
    assert bool(said) == bool(LARGE[text])
    assert len(said) < 200
    assert time.thread_time() - before < 15


def refusal(text: str) -> str:
    """What is said when a text is refused; empty: it is read."""
    try:
        read(text, "game.kif")
    except SpecError as error:
        return str(error)
    return ""
