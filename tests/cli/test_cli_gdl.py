"""`facedown gdl`: the library, checks and facts of rule files."""

import doctest
import re
from functools import partial

import pytest

from facedown.gdl import ground, library, program
from support import ROOT
from support.running import run

SOUND = """(role a)
(init (n 1))
(<= (legal a go) (true (n ?x)))
(<= (next (n 2)) (does a go))
(<= terminal (true (n 2)))
(<= (goal a 100) (true (n 2)))
"""


@pytest.fixture
def file(tmp_path):
    return tmp_path / "game.kif"


def test_the_library_is_listed():
    assert [each["name"] for each in run("gdl", "list", "--json").json["files"]] == library.names()
    shown = run("gdl", "list")
    assert shown.status == 0
    assert all(name in shown.out for name in library.names())


def test_the_document_has_the_library():
    text = (ROOT / "docs" / "gdl.md").read_text()
    rows = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    written = []
    for names in (re.findall(r"`(.*?)`", row) for row in rows):
        family = names[0].rpartition("-")[0]
        written += [family + name if name.startswith("-") else name for name in names]
    assert set(library.names()) <= set(written)


def test_the_document_runs():
    path = str(ROOT / "docs" / "gdl.md")
    failed, tried = doctest.testfile(path, module_relative=False, verbose=False)
    assert (failed, tried > 5) == (0, True)


def test_check_of_a_sound_file(file):
    file.write_text(SOUND)
    ran = run("gdl", "check", str(file))
    assert ran.status == 0
    assert re.fullmatch(
        r".*game.kif: valid and playable \(20 random games, 20 states, .*\)\n", ran.out
    )
    assert run("gdl", "check", str(file), "--json").json == {
        "source": str(file),
        "findings": [],
        "played": {"games": 20, "states": 20},
    }


def test_check_tells_warnings(file):
    file.write_text(SOUND + "(goal ?p 100))")
    ran = run("gdl", "check", str(file))
    assert ran.status == 0
    assert f"{file}:7:1: warning: nothing binds ?p, a role; (role ?p) added" in ran.out
    assert f"{file}:7:14: warning: a closing parenthesis too many, ignored" in ran.out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(role a", "1:1: no rule for legal"),
        ("", "1:1: no rules here; (role ...) and more are wanted"),
        ("(" * 5000, "1:102: parentheses nest deeper than 100: (((((("),
        (SOUND + "(<= p (not p))", "7:1: p depends on its own negation: (<= p (not p))"),
        (SOUND + "(<= (p ?x) q)", "7:1: no positive literal of the body binds ?x: (<= (p ?x) q)"),
        ("(role a) (init (f ())", "1:19: an empty pair of parentheses: ()"),
    ],
)
@pytest.mark.parametrize("command", ["check", "info"])
def test_what_cannot_be_meant_is_one_line_and_status_2(file, command, text, said):
    file.write_text(text)
    ran = run("gdl", command, str(file))
    assert ran.status == 2
    assert ran.err.startswith(f"facedown: {file}:{said}")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("data", [b"(role \xff)", b"\x00\x01\x02", b"(role a)\n(p \xe9)"])
def test_bytes_that_are_no_text(file, data):
    file.write_bytes(data)
    ran = run("gdl", "check", str(file))
    assert (ran.status, ran.out) == (2, "")
    assert re.match(rf"facedown: {file}:\d+:\d+: (not UTF-8|a control character)", ran.err)


@pytest.fixture
def soon(monkeypatch):
    """Grounding that would not end is stopped after a second of CPU time instead of thirty."""
    monkeypatch.setattr(ground, "Limits", partial(ground.Limits, seconds=1.0))


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("command", ["check", "info"])
def test_rules_without_end(file, command):
    file.write_text(SOUND + "(p a)\n(<= (p (c ?x)) (q ?x))\n(<= (q ?x) (p ?x)) (<= terminal (p b))")
    ran = run("gdl", command, str(file))
    assert (ran.status, ran.out) == (2, "")
    said = "the rules make terms of more than 10,000 symbols, or of 120 levels"
    assert re.fullmatch(rf"facedown: {file}:\d:1: [pq]: {said}\n", ran.err)
    file.write_text(SOUND + "(p a)\n(<= (p (c ?x)) (q ?x))\n(<= (q ?x) (p ?x) (h ?x))\n(h a)")
    assert run("gdl", command, str(file)).status == 0


ENDLESS = SOUND.replace("(true (n 2))", "(true never)") + "(<= (next (n 1)) (true (n 1)))"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("".join(f"(role r{k})" for k in range(2000)) + SOUND, ":1:1: more than 1,000 roles"),
        (
            SOUND + "(q 1 2) (<= p " + " ".join(f"(q ?x{k} ?x{k + 1})" for k in range(600)) + ")",
            ":7:9: more than 500 literals in the body of the rule for: p",
        ),
        (
            ENDLESS + "(init (m a)) (<= (next (m (f ?x ?x))) (true (m ?x)))",
            ":4:1: next: the rules make terms of more than 10,000 symbols, or of 120 levels",
        ),
        (
            ENDLESS + "(init b) (init c) (<= (next (f ?x ?y)) (true ?x) (true ?y))",
            ":4:1: next: the rules make more than 300,000 facts of one relation true",
        ),
        (
            SOUND + "(d 1) (d 2) (<= p " + " ".join(f"(d ?x{k})" for k in range(40))
            + " " + " ".join(f"(e ?x{k})" for k in range(40)) + ") (e 2) (<= (e ?x) (d ?x) never)",
            "",
        ),
    ],
    ids=["roles", "literals", "terms", "states", "fine"],
)  # fmt: skip
@pytest.mark.usefixtures("soon")
def test_files_that_would_take_everything(file, text, said):
    file.write_text(text)
    ran = run("gdl", "check", str(file))
    assert ran.status == (2 if said else 0)
    assert ran.err == (f"facedown: {file}{said}\n" if said else "")


def test_many_rules_that_take_long_together(file, monkeypatch):
    monkeypatch.setattr(program, "MAX_SECONDS", 0.2)
    numbers, body = "".join(f"(d {k})" for k in range(8)), " ".join(f"(d ?x{k})" for k in range(5))
    every = "?x0 ?x1 ?x2 ?x3 ?x4"
    slow = f"{body} (not (e {every})))"  # which never holds
    rules = f"(<= (e {every}) {body})" + "".join(f"(<= (p{k} ?x0) {slow}" for k in range(500))
    file.write_text(SOUND + numbers + rules)
    ran = run("gdl", "check", str(file))
    assert ran.status == 0  # a match plays it by its network, which needs none of these rules
    assert re.search(r"reasoner.* p\d+: the rules need more than 0\.2 s for one position", ran.out)


def test_a_game_that_goes_wrong_is_status_1(file):
    file.write_text(SOUND.replace("terminal (true (n 2))", "terminal (true (n 3))"))
    ran = run("gdl", "check", str(file), "--steps", "5")
    assert ran.status == 1
    assert f"{file}:1:1: error: a" in ran.out
    assert "cannot be played" in ran.out


def test_a_game_that_ends_without_a_goal_is_doubtful(file):
    file.write_text(SOUND.replace("(goal a 100) (true (n 2))", "(goal a 100) (true (n 1))"))
    ran = run("gdl", "check", str(file))
    assert ran.status == 0
    assert f"{file}:1:1: warning: a has no goal at the end, which counts as 0 (random" in ran.out


def test_other_mistakes(tmp_path):
    assert run("gdl", "check", str(tmp_path)).err == (
        f"facedown: {tmp_path} is a folder; a rule file is wanted\n"
    )
    for command in ("check", "info"):
        assert "no rule file 'chess', and none of this name in the library: banker" in (
            run("gdl", command, "chess").err
        )
        assert run("gdl", command, "monty-hall", "--games", "0").status == 2
    assert run("gdl").status == 2


def test_info():
    ran = run("gdl", "info", "small-poker", "--games", "20", "--json")
    assert ran.json["roles"] == ["random", "first", "second"]
    assert ran.json["language"] == "GDL-II"
    assert ran.json["sample"]["games"] == 20
    shown = run("gdl", "info", "small-poker", "--games", "20").out
    for label in ("roles", "fluents", "moves", "percepts", "goals", "states a second"):
        assert label in shown
