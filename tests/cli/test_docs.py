"""What the documents say is what happens."""

import doctest
import re

import pytest

from support import EXAMPLES, ROOT
from support.running import run

DOCS = ROOT / "docs"


def blocks(name, kind):
    return re.findall(rf"```{kind}\n(.*?)```", (DOCS / name).read_text(), re.DOTALL)


@pytest.mark.parametrize(
    ("document", "files"),
    [
        ("new-game.md", ["bluff.py", "fast_bluff.py"]),
        ("new-agent.md", ["caller.py", "bandits.py"]),
    ],
)
def test_the_examples_shown_are_the_files(document, files):
    assert blocks(document, "python") == [(EXAMPLES / file).read_text() for file in files]


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


@pytest.mark.parametrize("game", ["bluff.py", "fast_bluff.py"])
def test_the_games_shown_are_sound(game):
    ran = run("check", f"{EXAMPLES / game}:Bluff", "--games", "10", "--seconds", "20")
    assert ran.status == 0, ran.out


def test_both_games_shown_are_the_same_game():
    plain, fast = (
        run("match", f"{EXAMPLES / name}:Bluff", "random*2", "--seed", "4", "--json").json
        for name in ("bluff.py", "fast_bluff.py")
    )
    assert plain["agents"] == fast["agents"]


@pytest.mark.parametrize("document", ["new-game.md", "new-agent.md"])
def test_the_commands_shown_work(document, monkeypatch):
    monkeypatch.chdir(ROOT)
    lines = [line for block in blocks(document, "console") for line in block.splitlines()]
    assert lines
    for line in lines:
        words = line.removeprefix("$ facedown ").split()
        more = {"match": ["--games", "4"], "check": ["--games", "2"]}.get(words[0], [])
        assert run(*words, *more).status == 0
