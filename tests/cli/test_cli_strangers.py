"""What comes from strangers (lines, files, messages, names, rules): one clear line each."""

import json
import os
import re
from itertools import islice
from textwrap import dedent

import pytest

from facedown.core import SpecError
from facedown.ggp.server import PlayerServer
from facedown.shown import one_line, shown
from facedown.table.web.server import Address, bind
from support.bad_lines import lines, tried, warm
from support.fuzz import KINDS, fuzzed
from support.running import run

# --- short forms of the long runs; `python -m support.bad_lines`, `python -m support.fuzz` --------


@pytest.fixture(scope="module")
def warmed():
    warm()


@pytest.mark.parametrize("seed", range(4))
def test_bad_lines_end_with_one_line(seed, tmp_path, monkeypatch, warmed):
    monkeypatch.chdir(tmp_path)
    for words in islice(lines(seed), 8):
        found = tried(words)
        assert not found.fault, (words, found.said)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
def test_a_thousand_bad_lines(seed, tmp_path, monkeypatch, warmed):
    monkeypatch.chdir(tmp_path)
    for words in islice(lines(seed), 100):
        found = tried(words)
        assert not found.fault, (words, found.said)


@pytest.mark.parametrize("name", KINDS)
def test_what_is_spoilt_is_taken_or_refused(name, tmp_path):
    found = fuzzed(name, 5 if name in ("models", "stores") else 60, seed=11, folder=tmp_path)
    if found is None:
        pytest.skip("models need the extra `learn`")
    assert not found.faults


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", KINDS)
def test_a_hundred_thousand_that_are_spoilt(name, tmp_path):
    many = {"models": 300, "stores": 1000, "rule files": 4000, "preferences": 5000}
    found = fuzzed(name, many.get(name, 30_000), seed=12, folder=tmp_path)
    assert found is None or not found.faults


# --- escapes -------------------------------------------------------------------------------------

RED = "\x1b[31mred\x1b]0;title\x07\u202e"


def test_what_a_terminal_would_obey_is_spelt():
    assert shown(RED) == r"\x1b[31mred\x1b]0;title\x07\u202e"
    assert shown("é 🂡 \t\n ok") == "é 🂡 \t\n ok"
    assert one_line("half \ud800\nof") == r"half \ud800 of"
    assert len(one_line("x" * 10**6)) < 2000


@pytest.fixture
def painted(tmp_path):
    """Records whose every text would paint the terminal."""
    file = tmp_path / "games.jsonl"
    assert run("match", "kuhn", "random", "random", "--games", "1", "--save", str(file)).status == 0
    plain = json.loads(file.read_text())
    plain["agents"] = [f"random{RED}", f"[bold]x{RED}"]
    plain["forfeits"] = [{"player": 0, "reason": f"because {RED}"}]
    plain["facedown"] = RED
    file.write_text(json.dumps(plain) + "\n")
    return file


def clean(text):
    return not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", text)


def test_no_command_obeys_what_a_record_says(painted):
    assert run("results", "import", str(painted)).status == 0
    commands = (
        ("replay", str(painted)), ("results", "show", "2"), ("results", "list"), ("replay", "2"),
        ("results", "verify"), ("replay", str(painted), "--rules", RED),
        ("match", RED, RED), ("match", "kuhn", RED, "random"), (RED,), ("agents", RED),
    )  # fmt: skip
    for words in commands:
        ran = run(*words)
        assert clean(ran.out), words
        assert clean(ran.err), words


# --- rules and agents of a user's --------------------------------------------------------------

MINE = """
    import sys
    from facedown.games.kuhn import Kuhn

    class Base:
        players, bounds = 2, (-1.0, 1.0)
        moves, most_moves, most_plies = 4, 4, 4
        def start(self): return ()
        def turn(self, s): return -2 if len(s) == 2 else len(s)
        def legal(self, s): return ["a", "b"]
        def apply(self, s, move): return (*s, move)
        def sees(self, s, move, viewer): return move
        def payoff(self, s): return [0.0, 0.0]
        def hide(self, s, viewer): return None
        def infoset(self, s, viewer): return s
        def copy(self, s): return s

    class NoMoves(Base):
        def legal(self, s): return []

    class Leaves(Base):
        def apply(self, s, move): sys.exit(3)

    class Painted(Base):
        def apply(self, s, move): raise ValueError("\\x1b[31mred\\x1b[0m")

    class HalfText(Base):
        def move_text(self, move): return "\\ud800"

    class Crowd(Base):
        players = 10**9

    class Moves(Base):
        most_moves = 10**12

    class Words(Base):
        players = "two"

    class Endless(Base):
        bounds = (0.0, float("inf"))
"""

RULES = {
    "NoMoves": "no legal move",
    "Leaves": "apply",
    "Painted": r"\x1b[31mred",
    "Crowd": "players is 1000000000; 1 to 1,000 is wanted",
    "Moves": "most_moves is 1000000000000; 1 to 16,777,216 is wanted",
    "Words": "players is 'two'; a whole number is wanted",
    "Endless": "bounds (0.0, inf)",
    "HalfText": "move_text",
}


@pytest.fixture
def mine(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(dedent(MINE))
    return file


@pytest.mark.parametrize("name", RULES)
def test_a_fault_of_the_rules_is_told_as_one(name, mine):
    ran = run("match", f"{mine}:{name}", "random", "random", "--games", "1")
    assert ran.status in (1, 2)
    assert ran.err.count("\n") == 1
    assert RULES[name] in ran.err
    assert clean(ran.err)
    assert "unexpected" not in ran.err


def test_a_file_that_leaves(tmp_path):
    file = tmp_path / "leaves.py"
    file.write_text("import sys\nsys.exit(7)\n")
    ran = run("match", f"{file}:Game", "random", "random")
    assert (ran.status, ran.err) == (2, f"facedown: {file} does not load: SystemExit: 7\n")


def test_long_and_deep_and_half(tmp_path):
    file = tmp_path / "games.jsonl"
    for content, said in (
        ("[" * 100_000, "too deep"),
        ('{"format": ' + "9" * 5000 + "}", "thousands of digits"),
        ('{"format": 1, "game": "\\ud800"}', "half of a character"),
    ):
        file.write_text(content + "\n")
        ran = run("replay", str(file))
        assert (ran.status, ran.err.count("\n")) == (2, 1)
        assert said in ran.err
    for words in (
        ("match", "k" * 10**5, "random"),
        ("replay", "x" * 10**5),
        ("check", "a/" * 5000),
    ):
        ran = run(*words)
        assert ran.status == 2
        assert len(ran.err) < 2000
    assert os.listdir(tmp_path) == ["games.jsonl"]


@pytest.mark.parametrize("host", ["\ud800", "a\0b"])
def test_a_host_that_is_none(host):
    with pytest.raises(SpecError, match="cannot listen at"):
        PlayerServer(host, 0, None)
    with pytest.raises(SpecError, match="cannot serve at"):
        bind(Address(host, 0, ()))


BOUNDS = {
    "so-ismcts:threads=1000000": "threads=1000000: at most ",
    "determinized-uct:worlds=10000000000": "worlds=10000000000: at most ",
    "hyperplay:models=100000000": "models=100000000: at most ",
    "hyperplay-ii:nested=100000000": "nested=100000000: at most ",
    "so-ismcts:iterations=99999999999": "iterations=99999999999: at most 2,147,483,646 is wanted",
    "so-ismcts:memory=999999999": "memory=999999999: at most ",
    "so-ismcts:iterations=9999999999999999999999": "a whole number below",
    "so-ismcts:seconds=1e300": "seconds=1e+300: at most 10,000,000 is wanted",
}


@pytest.mark.parametrize("agent", BOUNDS)
def test_no_more_can_be_asked_than_there_is(agent):
    ran = run("match", "kuhn", agent, "random")
    assert ran.status == 2
    assert BOUNDS[agent] in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--games", "10000000000"), "at most 1,000,000,000 is wanted"),
        (("--jobs", "100000"), "jobs is 100,000; at most "),
        (("--seed", "9" * 30), "a seed of at most 64 bits is wanted"),
        (("--clock", "1e300"), "clock is 1e+300; at most 10,000,000 seconds is wanted"),
    ],
)
def test_nor_of_a_match(options, said):
    ran = run("match", "kuhn", "random", "random", *options)
    assert ran.status == 2
    assert said in ran.err
