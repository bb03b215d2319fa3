"""The documentation site: the tutorial happens as it is told, links lead somewhere, it builds."""

import importlib.util
import re
import shutil
import subprocess
import sys

import pytest

import facedown
from facedown import CHANCE, Stream
from support import EXAMPLES, ROOT
from support.running import run

DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), ROOT / "README.md"])
FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
MADE = {DOCS / "changes.md", DOCS / "results" / "index.md"}  # by the site's hooks


def hooks():
    made = importlib.util.spec_from_file_location("hooks", DOCS / "site" / "hooks.py")
    module = importlib.util.module_from_spec(made)
    made.loader.exec_module(module)
    return module


def anchors(page):
    """The names of a page's headings, as Markdown makes them."""
    heads = re.findall(r"^#+ (.+)$", FENCED.sub("", page.read_text()), re.MULTILINE)
    plain = (re.sub(r"[`*]|\]\([^)]*\)|\[", "", head) for head in heads)
    return {re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", head.lower()).strip()) for head in plain}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    text = re.sub(r"`[^`\n]+`", "", FENCED.sub("", page.read_text()))
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"https?:", link):
            continue
        path, _, name = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists() or target in MADE, link
        assert not name or name in anchors(target), link


def tutorial(kind):
    text = (DOCS / "tutorial.md").read_text()
    return re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("file", ["whist.py", "whist_worlds.py", "fast_whist.py"])
def test_the_files_of_the_tutorial_are_the_examples(file):
    assert tutorial(f'python title="{file}"') == [(EXAMPLES / file).read_text()]


def test_the_plain_game_of_the_tutorial_is_as_long_as_it_says():
    lines = len((EXAMPLES / "whist.py").read_text().splitlines())
    assert lines < 100
    assert f"a class of {lines} lines" in (DOCS / "tutorial.md").read_text()


def test_the_commands_of_the_tutorial_work(monkeypatch):
    monkeypatch.chdir(EXAMPLES)
    commands = [line for block in tutorial("console") for line in block.splitlines()]
    assert len(commands) == 4
    for command in commands:
        words = command.removeprefix("$ facedown ").replace("--games 40", "--games 2").split()
        words = ["2" if word == "20" else word for word in words]
        assert run(*words).status == 0, command


def test_the_careless_sampler_of_the_tutorial_is_found_out(monkeypatch):
    monkeypatch.chdir(EXAMPLES)
    game = "whist_worlds.py:Careless:ranks=QKA,suits=hs,hand=2"
    ran = run("check", game, "--law", "worlds-modelled", "--games", "100")
    assert ran.status == 1
    assert "no history with his observations leads to" in ran.out


def test_both_games_of_the_tutorial_are_one_game():
    plain, fast = (
        facedown.load_game(f"{EXAMPLES / name}:Whist") for name in ("whist.py", "fast_whist.py")
    )
    for seed in range(20):
        stream, pair = Stream(seed), (plain.start(), fast.start())
        while not pair[1].over:
            legal = [sorted(position.legal_text()) for position in pair]
            assert legal[0] == legal[1]
            assert pair[0].turn() == pair[1].turn()
            move = stream.choice(legal[0])
            for viewer in range(2) if pair[1].turn() == CHANCE else ():
                seen = [
                    one.game.text.observation_text(
                        one.sees(one.game.parse_move(move, one.legal()), viewer), viewer
                    )
                    for one in pair
                ]
                assert seen[0] == seen[1]
            for position in pair:
                position.apply(move)
        assert list(pair[0].payoff()) == list(pair[1].payoff())


def test_sources_shown_are_found_whole():
    found = hooks().shown("::: source facedown/search/bandits.py ucb1")
    assert found.startswith('```python title="facedown/search/bandits.py"\ndef ucb1(')
    assert found.endswith("```")


def test_code_has_no_equations():
    text = "a `$x$` b\n```\n$ facedown $y$\n```\n$z$"
    assert hooks().in_text(text, lambda bare: bare.replace("$z$", "Z")) == text.replace("$z$", "Z")


def test_an_equation_that_cannot_be_drawn_is_told():
    pytest.importorskip("latex2mathml", reason="equations want the extra docs")
    drawn = hooks().drawn
    assert "<math" in drawn("so $x_1$ is")
    with pytest.raises(ValueError, match="argmax of x"):
        drawn(r"so $\nocommand{argmax of x}$ is")


@pytest.mark.slow
def test_the_site_builds_and_loads_nothing_from_elsewhere(tmp_path):
    pytest.importorskip("mkdocs", reason="the site wants the extra docs")
    pytest.importorskip("material", reason="the site wants the extra docs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    loaded = re.compile(
        r"<(?:script|img|iframe)[^>]*\ssrc=\"(https?:[^\"]+)|<link[^>]*\srel=\"?"
        r"(?:stylesheet|preload|icon)[^>]*href=\"?(https?:[^\">]+)"
    )
    for page in tmp_path.rglob("*.html"):
        assert not loaded.findall(page.read_text()), page
    shutil.rmtree(tmp_path, ignore_errors=True)
