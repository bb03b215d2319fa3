"""The compile cache: found again wherever files lie, never wrong, never in the way."""

import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from facedown.core.jit import JIT
from facedown.games.registry import load_game

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")

RULES = """
from numba import types
from facedown.core.jit import jit, native, on_compile

{extra}
STEP = {step}

@jit
def grown(n):
    return n + STEP

def add(n):
    return grown(n) * 2

if __name__ == "__main__":
    on_compile(lambda what, seconds: print(what) if seconds is None else None)
    print(native(add, types.int64(types.int64)).ctypes(20))
"""


def ran(
    folder: Path, cache: Path, step: int = 1, extra: str = "", name: str = "adding", **more: str
) -> list[str]:
    """What a program prints that compiles a function, in a folder of its own."""
    folder.mkdir(exist_ok=True)
    file = folder / f"{name}.py"
    file.write_text(RULES.format(step=step, extra=extra))
    environment = {**os.environ, "FACEDOWN_CACHE": str(cache), **more}
    done = subprocess.run(
        [sys.executable, str(file)], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1] + done.stderr.split("\n")[:-1]


COMPILED = "__main__: add"


def test_code_is_found_again_wherever_its_file_lies_and_whatever_stands_beside_it(tmp_path):
    cache = tmp_path / "cache"
    assert ran(tmp_path / "a", cache) == [COMPILED, "42"]
    assert ran(tmp_path / "a", cache) == ["42"]
    assert ran(tmp_path / "b", cache, extra="# a comment\nOTHER = 3\n") == ["42"]


def test_the_same_code_in_files_of_two_names_is_kept_for_both(tmp_path):
    for told in ([COMPILED, "42"], ["42"]):
        for name in ("adding", "summing"):
            assert ran(tmp_path, tmp_path / "cache", name=name) == told


LOADED = """
import sys
from pathlib import Path
from numba import types
from facedown.core.jit import native, on_compile
from facedown.core.specs import load_module

add = load_module(Path(sys.argv[1])).add
on_compile(lambda what, seconds: print("compiled") if seconds is None else None)
print(native(add, types.int64(types.int64)).ctypes(20))
"""


def test_so_is_that_of_a_game_file_which_has_its_name_by_where_it_lies(tmp_path):
    told = []
    for name in ("a", "b", "a"):
        (tmp_path / name).mkdir(exist_ok=True)
        file = tmp_path / name / "adding.py"
        file.write_text(RULES.format(step=1, extra=""))
        done = subprocess.run(
            [sys.executable, "-c", LOADED, str(file)],
            capture_output=True,
            text=True,
            env={**os.environ, "FACEDOWN_CACHE": str(tmp_path / "cache")},
        )
        told.append((done.stdout.split(), done.stderr))
    assert told == [(["compiled", "42"], ""), (["42"], ""), (["42"], "")]


def test_a_number_that_a_helper_uses_is_part_of_the_code(tmp_path):
    cache = tmp_path / "cache"
    assert ran(tmp_path / "a", cache) == [COMPILED, "42"]
    assert ran(tmp_path / "a", cache, step=2) == [COMPILED, "44"]
    assert ran(tmp_path / "a", cache) == ["42"]


def test_a_game_that_is_loaded_again_is_not_linked_again():
    one, other = (load_game("kuhn").rules.table.tolist() for _ in range(2))
    assert one == other


SUFFIXES, DAMAGES = (".nbi", ".nbc", "seal.json"), (b"", b"\x80\x04nonsense" * 9, None)
SOON = (".nbc", DAMAGES[1])
MORE = [
    pytest.param(suffix, damage, marks=pytest.mark.slow)
    for suffix, damage in product(SUFFIXES, DAMAGES)
    if (suffix, damage) != SOON
]


@pytest.mark.parametrize(("suffix", "damage"), [SOON, *MORE])
def test_damaged_code_is_set_aside_with_one_line_and_compiled_anew(tmp_path, suffix, damage):
    cache = tmp_path / "cache"
    ran(tmp_path / "a", cache)
    (file,) = (one for one in cache.rglob("*") if one.name.endswith(suffix))
    if damage is None:
        file.unlink()
    else:
        file.write_bytes(damage)
    compiled, number, line = ran(tmp_path / "a", cache)
    assert (compiled, number) == (COMPILED, "42")
    assert line.startswith("facedown: compiled code is damaged and is compiled anew: ")
    assert ran(tmp_path / "a", cache) == ["42"]
    assert len(list((cache / "compiled").iterdir())) == 1


def test_code_in_a_folder_that_others_can_write_to_is_neither_read_nor_written(tmp_path):
    cache = tmp_path / "cache"
    ran(tmp_path / "a", cache)
    (place,) = (cache / "compiled").iterdir()
    before = sorted(place.iterdir())
    for folder in (place, cache / "compiled"):
        folder.chmod(0o777)
        compiled, number, line = ran(tmp_path / "a", cache)
        assert (compiled, number) == (COMPILED, "42")
        assert "can be written by them" in line
        folder.chmod(0o700)
    assert sorted(place.iterdir()) == before


def test_without_a_place_to_write_code_is_compiled_every_time(tmp_path):
    (tmp_path / "file").write_text("no folder")
    for _ in range(2):
        assert ran(tmp_path / "a", tmp_path / "file") == [COMPILED, "42"]


def test_without_a_home_the_cache_is_in_the_folder_for_temporary_files(tmp_path, monkeypatch):
    from facedown.core.compile_cache import cache_root

    for name in ("FACEDOWN_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("nobody")))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert cache_root() == tmp_path / f"facedown-{os.geteuid()}"


def test_two_cold_processes_at_once_both_compile_and_leave_one_copy(tmp_path):
    cache = tmp_path / "cache"
    folder = tmp_path / "a"
    folder.mkdir()
    (folder / "adding.py").write_text(RULES.format(step=1, extra=""))
    environment = {**os.environ, "FACEDOWN_CACHE": str(cache)}
    command = [sys.executable, str(folder / "adding.py")]
    both = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        for _ in range(2)
    ]
    for one in both:
        out, err = one.communicate()
        assert (out.split()[-1], err) == (b"42", b"")
    assert len(list((cache / "compiled").iterdir())) == 1
