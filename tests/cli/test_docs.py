"""What the documents say is what happens."""

import doctest
import re

import pytest

import facedown
from support import EXAMPLES, ROOT
from support.running import run

DOCS = ROOT / "docs"


def blocks(name, kind):
    return re.findall(rf"```{kind}\n(.*?)```", (DOCS / name).read_text(), re.DOTALL)


@pytest.mark.parametrize(
    ("document", "files"),
    [
        ("../README.md", ["ace.py"]),
        ("new-game.md", ["bluff.py", "fast_bluff.py"]),
        ("new-agent.md", ["caller.py", "bandits.py"]),
        ("new-paper.md", ["reader.py"]),
        ("protocol.md", ["bot.py"]),
    ],
)
def test_the_examples_shown_are_the_files(document, files):
    assert blocks(document, "python") == [(EXAMPLES / file).read_text() for file in files]


def test_the_excerpts_shown_are_of_the_file():
    excerpts = blocks("new-game.md", "py")
    assert len(excerpts) == 3
    for excerpt in excerpts:
        assert excerpt in (EXAMPLES / "peek.py").read_text()


def test_the_api_document_runs():
    failed, tried = doctest.testfile(str(DOCS / "api.md"), module_relative=False, verbose=False)
    assert (failed, tried > 10) == (0, True)


def shown(text):
    """Text without blanks at the ends of lines, rules of tables, and times."""
    lines = [line.rstrip() for line in text.splitlines()]
    joined = "\n".join(line for line in lines if set(line) != {"─"})
    return re.sub(r"\d+\.\d+ s\b", "N s", joined).strip()


@pytest.mark.parametrize("block", blocks("cli.md", "console"))
def test_commands_print_what_the_document_shows(block, monkeypatch):
    monkeypatch.chdir(ROOT)
    command, _, output = block.partition("\n")
    ran = run(*command.removeprefix("$ facedown ").split())
    assert ran.status == 0
    assert shown(ran.out) == shown(output)


GAMES = ["ace.py:Ace", "bluff.py:Bluff", "fast_bluff.py:Bluff", "peek.py:Peek"]


@pytest.mark.parametrize("game", GAMES)
def test_the_games_shown_are_sound(game):
    ran = run("check", f"{EXAMPLES / game}", "--games", "10", "--seconds", "20")
    assert ran.status == 0, ran.out


def test_both_games_shown_are_the_same_game():
    plain, fast = (
        run("match", f"{EXAMPLES / name}:Bluff", "random*2", "--seed", "4", "--json").json
        for name in ("bluff.py", "fast_bluff.py")
    )
    assert plain["agents"] == fast["agents"]


@pytest.mark.parametrize("document", ["new-game.md", "new-agent.md", "new-paper.md", "protocol.md"])
def test_the_commands_shown_work(document, monkeypatch):
    monkeypatch.chdir(ROOT)
    lines = [line for block in blocks(document, "console") for line in block.splitlines()]
    assert lines
    for line in lines:
        words = line.removeprefix("$ facedown ").split()
        more = {"match": ["--games", "4"], "check": ["--games", "2"]}.get(words[0], [])
        assert run(*words, *more).status == 0


def test_the_paper_shown_reads_bets():
    """Bayes' rule: a queen is bet into by a king three times as often as by a jack."""
    kuhn = facedown.load_game("kuhn")
    agent = facedown.make_agent(f"{EXAMPLES / 'reader.py'}:Reading:iterations=200", kuhn, 0, 1)
    truth = facedown.retell(agent, ("deal Q", "deal K", "pass", "bet"))
    found = dict(facedown.inferred(agent, truth.view(0)))
    assert found == pytest.approx({"player 1 holds K": 0.75, "player 1 holds J": 0.25})
    agent.choose(truth.view(0), truth.legal())
    worth = {candidate.text: candidate.mean for candidate in agent.report().candidates}
    assert worth["bet"] == pytest.approx(0.25 * 2 - 0.75 * 2, abs=0.3)
    assert worth["pass"] == -1
