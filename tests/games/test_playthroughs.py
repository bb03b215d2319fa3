"""Recorded playthroughs: every game has one, it cites its source, and it can be made again."""

import os
import re
import subprocess
import sys

import pytest

from facedown.games.playthrough import main, playthrough
from facedown.games.registry import GAMES
from support import ROOT
from support.playing import REGISTERED, SHORT, VARIANTS, game

FOLDER = ROOT / "tests" / "playthroughs"
SEEDS = range(5)


def header(text):
    return dict(line.split(": ", 1) for line in text.splitlines()[:4])


def test_every_game_has_a_playthrough_and_every_playthrough_a_game():
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_a_playthrough_cites_where_its_rules_come_from(name):
    cited = header((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))["source of the rules"]
    assert cited == game(name).definition.source
    assert re.search(r"\b(19|20)\d\d\b|arXiv:\d{4}\.\d{5}", cited)


@pytest.mark.parametrize("name", GAMES)
def test_a_playthrough_can_be_made_again(name):
    recorded = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    found = header(recorded)
    spec = SHORT.get(name, name)
    assert found["made by"] == f"python -m facedown.games.playthrough {spec} {found['seed']}"
    assert playthrough(game(spec), int(found["seed"])) == recorded


def test_the_command_prints_it_and_refuses_what_it_does_not_know(capsys):
    assert main(["kuhn", "1"]) == 0
    assert capsys.readouterr().out == playthrough(game("kuhn"), 1)
    assert main(["kuhn"]) == 2
    assert "usage" in capsys.readouterr().err
    assert main(["poker", "1"]) == 2
    assert "no game 'poker'" in capsys.readouterr().err


SCRIPT = """
import sys
from facedown.games.playthrough import playthrough
from facedown.games.registry import load_game
for spec in sys.argv[2:]:
    for seed in range(int(sys.argv[1])):
        print(playthrough(load_game(spec), seed), end="")
"""


WHOLE = [
    pytest.param(flag, len(SEEDS), marks=pytest.mark.slow)
    for flag in ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK")
]


@pytest.mark.parametrize(("flag", "games"), [("NUMBA_DISABLE_JIT", 1), *WHOLE])
def test_rules_without_the_jit_and_with_bounds_checks_play_the_same(flag, games):
    specs = [*REGISTERED, *VARIANTS]
    environment = {**os.environ, flag: "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(games), *specs],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    wanted = "".join(playthrough(game(spec), seed) for spec in specs for seed in range(games))
    assert done.stdout == wanted
