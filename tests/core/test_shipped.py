"""Code that comes with the package: lent where it is as it was packed, for this function alone."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from numba import types

from facedown.core import compile_cache, shipped
from facedown.core.jit import JIT, jit, native, on_compile
from support import CHILD_PATH

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")


@jit
def grown(n):
    return n + 1


def add(n):
    return grown(n) * 2


def subtract(n):
    return n - 1


SIGNATURE = types.int64(types.int64)
STEP = ("a game", ("an agent",))


def pack(cache: Path, folder: Path, needs: tuple[str, ...] = (), processor=None) -> None:
    """Make a package's folder of the code in a cache."""
    places = {}
    for place in (cache / "compiled").iterdir():
        ignored = shutil.ignore_patterns(compile_cache.SEAL)
        shutil.copytree(place, folder / place.name, ignore=ignored)
        files = compile_cache.digests(folder / place.name)
        places[place.name] = {"step": 0, "files": files}
    of = processor or compile_cache.this_processor()
    cargo = shipped.Shipment(of, needs, (STEP,), places)
    (folder / shipped.MANIFEST).write_text(json.dumps(cargo.to_json()))


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A package with `add` compiled in it, a user's empty cache, and what is compiled then."""
    told = []
    monkeypatch.setenv("FACEDOWN_CACHE", str(tmp_path / "builder"))
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "package")
    monkeypatch.setattr(shipped, "LENT", set())
    shipped.shipment.cache_clear()
    native(add, SIGNATURE)
    pack(tmp_path / "builder", tmp_path / "package")
    monkeypatch.setenv("FACEDOWN_CACHE", str(tmp_path / "user"))
    shipped.shipment.cache_clear()
    on_compile(lambda what, seconds: told.append(what) if seconds is None else None)
    yield tmp_path / "package", told
    on_compile(None)
    shipped.shipment.cache_clear()


def test_what_the_package_brings_is_not_compiled_again(house):
    _, told = house
    assert native(add, SIGNATURE).ctypes(20) == 42
    assert told == []
    assert shipped.lent() == [STEP]
    assert native(subtract, SIGNATURE).ctypes(20) == 19  # which it does not have
    assert told == ["test_shipped: subtract"]


def test_the_users_own_code_comes_first(house, monkeypatch):
    package, told = house
    shutil.copytree(package.parent / "builder", package.parent / "own")
    monkeypatch.setenv("FACEDOWN_CACHE", str(package.parent / "own"))
    assert native(add, SIGNATURE).ctypes(20) == 42
    assert (told, shipped.lent()) == ([], [])


def test_it_can_be_switched_off(house, monkeypatch):
    _, told = house
    monkeypatch.setenv("FACEDOWN_SHIPPED", "off")
    assert native(add, SIGNATURE).ctypes(20) == 42
    assert (told, shipped.lent()) == (["test_shipped: add"], [])


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_what_is_not_as_it_was_packed_is_never_read(house, capsys, suffix):
    package, told = house
    (file,) = package.rglob(f"*{suffix}")
    file.write_bytes(file.read_bytes()[:-1] + b"!")
    assert native(add, SIGNATURE).ctypes(20) == 42
    assert told == ["test_shipped: add"]
    assert "is not as it was packed, and is compiled anew" in capsys.readouterr().err


def test_a_file_too_many_is_noticed(house, capsys):
    package, told = house
    (file,) = package.rglob("*.nbc")
    file.with_name("more.nbc").write_bytes(b"")
    assert native(add, SIGNATURE).ctypes(20) == 42
    assert told == ["test_shipped: add"]


@pytest.mark.parametrize("text", ["{", "[]", '{"processor": 3}'])
def test_a_manifest_that_cannot_be_read_is_told_of(house, capsys, text):
    package, told = house
    (package / shipped.MANIFEST).write_text(text)
    assert native(add, SIGNATURE).ctypes(20) == 42
    assert told == ["test_shipped: add"]
    assert "manifest.json" in capsys.readouterr().err


def test_a_processor_that_lacks_something_does_without(house):
    package, told = house
    manifest = json.loads((package / shipped.MANIFEST).read_text())
    (package / shipped.MANIFEST).write_text(json.dumps({**manifest, "needs": ["telepathy"]}))
    assert native(add, SIGNATURE).ctypes(20) == 42
    assert told == ["test_shipped: add"]


def test_nothing_is_compiled_in_the_background_of_tests(house, monkeypatch):
    native(add, SIGNATURE)
    assert shipped.lent()
    assert shipped.tailor() is None


def test_the_background_is_one_process_and_can_be_switched_off(house, monkeypatch):
    started = []
    monkeypatch.setattr(subprocess, "Popen", lambda words, **more: started.append(words))
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    shipped.tailor()
    assert started == []  # nothing was lent
    native(add, SIGNATURE)
    monkeypatch.setenv("FACEDOWN_TAILOR", "off")
    shipped.tailor()
    assert started == []
    monkeypatch.delenv("FACEDOWN_TAILOR")
    with shipped.claim():  # somebody compiles
        shipped.tailor()
    assert started == []
    shipped.tailor()
    ((python, _, _, program, steps, tailor),) = started
    assert (python, program, tailor) == (sys.executable, shipped.TAILOR, "--tailor")
    assert json.loads(steps) == [["a game", ["an agent"]]]


OTHER = """
import sys
from pathlib import Path
from numba import types
from facedown.core import compile_cache, shipped
from facedown.core.jit import native, on_compile
sys.path.insert(0, sys.argv[1])
from adding import add
shipped.FOLDER = Path(sys.argv[1]) / "package"
on_compile(lambda what, seconds: print("compiled") if seconds is None else None)
print(native(add, types.int64(types.int64)).ctypes(20), *compile_cache.this_processor())
"""


def test_code_for_another_processor_of_the_kind_is_lent(tmp_path):
    (tmp_path / "adding.py").write_text("def add(n):\n    return n * 2 + 2\n")

    def ran(cache, **more):
        place = {"FACEDOWN_CACHE": str(tmp_path / cache), "PYTHONPATH": CHILD_PATH}
        words = [sys.executable, "-c", OTHER, str(tmp_path)]
        environment = {**os.environ, **place, **more}
        done = subprocess.run(words, capture_output=True, text=True, env=environment)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.split()

    general = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    assert ran("builder", **general) == ["compiled", "42", "generic"]
    pack(tmp_path / "builder", tmp_path / "package", processor=("generic", ""))
    number, own, *_ = ran("user", FACEDOWN_TAILOR="off")
    assert number == "42"
    assert own != "generic"
    assert not (tmp_path / "user").exists()


@pytest.mark.parametrize(
    "entry", [5, None, {"step": 0, "files": {}}, {"step": 7, "files": {"a": "b"}}, {"step": 0}]
)
def test_a_manifest_with_an_entry_that_is_none_is_told_of(house, capsys, entry):
    package, told = house
    manifest = json.loads((package / shipped.MANIFEST).read_text())
    manifest["places"] = dict.fromkeys(manifest["places"], entry)
    (package / shipped.MANIFEST).write_text(json.dumps(manifest))
    assert native(add, SIGNATURE).ctypes(20) == 42
    assert told == ["test_shipped: add"]
    assert "cannot be read" in capsys.readouterr().err
