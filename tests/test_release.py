"""What a user installs: a wheel, in an environment of its own, without and with each extra.

Wants a package index; the extras of the development, and those of hundreds of megabytes, are left
out.
"""

import subprocess
import sys
import tomllib
import zipfile

import pytest

from support import ROOT

LEFT_OUT = {"cluster", "dev", "peers", "release"}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = sorted(set(PROJECT["optional-dependencies"]) - LEFT_OUT)
ASKED = {
    "docs": "import material, mkdocstrings, latex2mathml",
    "gdl": "import facedown; facedown.load_game('banker-and-thief')",
    "learn": "import sklearn, skops.io",
    "openspiel": "import facedown; facedown.load_game('openspiel:kuhn_poker')",
    "parquet": "import pyarrow.parquet",
    "plots": "import facedown; facedown.plot([('a', 0.5), ('b', 0.5)])",
    "rl": "from facedown.bridges.rl import aec_env, gym_env",
    "web": "import nicegui, facedown.table.web.server",
}


def tracked():
    """The files of the package that are kept."""
    listed = subprocess.run(
        ["git", "ls-files", "facedown"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return listed.stdout.split()


def ran(*command, **options):
    return subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, **options
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    made = ran(sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", folder, ROOT)
    if made.returncode:
        pytest.skip(f"no wheel can be built here: {made.stderr.splitlines()[-1]}")
    return next(folder.glob("*.whl"))


@pytest.fixture
def installed(wheel, tmp_path):
    """Install the wheel with extras; the environment's Python."""

    def install(*extras, lowest=False):
        python = tmp_path / "env" / "bin" / "python"
        assert ran(sys.executable, "-m", "venv", tmp_path / "env").returncode == 0
        wanted = f"{wheel}[{','.join(extras)}]" if extras else str(wheel)
        floor = [one.replace(">=", "==") for one in PROJECT["dependencies"]] if lowest else []
        done = ran(python, "-m", "pip", "install", "--quiet", wanted, *floor)
        if done.returncode:
            pytest.skip(f"it cannot be installed here: {done.stderr.splitlines()[-1]}")
        return python

    return install


def test_every_extra_is_asked_for():
    assert set(EXTRAS) == set(ASKED)


def test_what_runs_it_agrees_with_the_project():
    cited = (ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {PROJECT['version']}\n" in cited


@pytest.mark.slow
def test_the_wheel_has_all_files_of_the_package(wheel):
    files = tracked()
    if not files:
        pytest.skip("git does not know this folder")
    assert set(files) <= set(zipfile.ZipFile(wheel).namelist())


@pytest.mark.slow
@pytest.mark.parametrize("lowest", [False, True], ids=["newest", "lowest"])
def test_it_runs_without_extras(installed, tmp_path, lowest):
    python = installed(lowest=lowest)
    program = python.with_name("facedown")
    assert ran(program, "--version").stdout == f"facedown {PROJECT['version']}\n"
    place = {"FACEDOWN_STORE": str(tmp_path / "store.db"), "PATH": "/usr/bin:/bin"}
    match = ran(program, "match", "kuhn", "random", "random", "--games", "4", env=place)
    assert match.returncode == 0, match.stderr
    serve = ran(program, "serve", "--port", "0", env=place)
    assert serve.returncode == 2
    assert "web" in serve.stderr


@pytest.mark.slow
@pytest.mark.parametrize("extra", EXTRAS)
def test_it_runs_with_each_extra(installed, extra):
    done = ran(installed(extra), "-c", ASKED[extra])
    assert done.returncode == 0, done.stderr
