"""Programs that start at once on one empty cache, and in folders that are not to be trusted."""

import os
import subprocess
import sys

import pytest

from facedown.arena.ahead import Ahead
from facedown.core.jit import JIT
from support import SUPPORT

ROUNDS = 5
LOADS = """
import sys
import facedown
sys.stdin.readline()
game = facedown.load_game(sys.argv[1])
position = game.start()
print(game.players, position.turn(), position.legal())
"""


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="nothing is compiled")
@pytest.mark.parametrize("game", ["kuhn", f"{SUPPORT / 'crooked_compiled.py'}:WritesContext"])
def test_programs_that_start_at_once_on_an_empty_cache_all_load_the_game(game, tmp_path):
    for n in range(ROUNDS):
        place = {**os.environ, "FACEDOWN_CACHE": str(tmp_path / str(n))}
        command = [sys.executable, "-c", LOADS, game]
        programs = [
            subprocess.Popen(
                command, stdin=-1, stdout=-1, stderr=-1, text=True, cwd=tmp_path, env=place
            )
            for _ in range(2)
        ]
        told = [program.communicate("go\n") for program in programs]
        assert [program.returncode for program in programs] == [0, 0], told
        assert told[0] == told[1]
        assert told[0][0]
        kept = [one.name for one in (tmp_path / str(n) / "compiled").iterdir()]
        assert not [name for name in kept if name.startswith(".")]


def test_who_compiles_ahead_takes_no_module_from_the_folder_it_stands_in(tmp_path, monkeypatch):
    (tmp_path / "json.py").write_text("open('taken', 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    step = ("kuhn", ("random",))
    with Ahead([step], wanted=True) as ahead:
        ahead.wait(step)
        assert ahead.working
    assert not (tmp_path / "taken").exists()
