"""The program as a process of its own: how it starts, how it is interrupted."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest

from facedown.store.records import read_records
from support import ROOT, SUPPORT
from support.running import program, started, without_notes

PLAYERS = SUPPORT / "crooked_players.py"


@pytest.mark.parametrize("command", ["--help", "--version", "games", "match --help"])
def test_what_answers_at_once_imports_nothing_heavy(command):
    script = (
        "import sys\n"
        "import facedown\n"
        "from facedown.cli import main\n"
        f"assert main({command.split()!r}) == 0\n"
        "heavy = {'numpy', 'numba', 'scipy', 'llvmlite'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=ROOT, capture_output=True)


def test_a_match_of_random_players_does_not_load_the_search():
    script = (
        "import sys\n"
        "from facedown.cli import main\n"
        "assert main(['match', 'kuhn', 'random', 'random']) == 0\n"
        "assert not any(name.startswith('facedown.search') for name in sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=ROOT, capture_output=True)


def test_status_stdout_and_stderr_of_the_program():
    ran = program("match", "kuhn", "random", "random", "--json", "--seed", "1")
    assert (ran.status, ran.err) == (0, "")
    assert ran.json["seed"] == 1
    ran = program("match", "kuhn", "random", "nobody", "--json")
    assert (ran.status, ran.out) == (2, "")
    assert "Traceback" not in ran.err


def _games_kept() -> int:
    """How many games the test's store has."""
    try:
        with closing(
            sqlite3.connect(f"file:{os.environ['FACEDOWN_STORE']}?mode=ro", uri=True)
        ) as db:
            return int(db.execute("SELECT count(*) FROM games").fetchone()[0])
    except sqlite3.OperationalError:  # not there yet
        return 0


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_keeps_what_was_finished(tmp_path, jobs):
    file = tmp_path / "games.jsonl"
    command = ("match", "kuhn", f"{PLAYERS}:Sleepy", "random", "--games", "100000", "--jobs", jobs)
    save = ("--save", str(file), "--seed", "1")
    with started("-m", "facedown", *command, *save) as process:
        end = time.perf_counter() + 300  # of a busy machine
        while not _games_kept() and time.perf_counter() < end:
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert process.returncode == 130
    games = len(list(read_records(file)))
    assert games > 0
    assert f"interrupted after {games} of 100000 games" in err
    assert "Traceback" not in err
    assert f"{games} games of kuhn" in out


@pytest.fixture
def ignored():
    """SIGINT is ignored here, and by what is started, as `nohup facedown match ... &` has it."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ignored")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_who_starts_it_may_have_it_ignore_ctrl_c(jobs):
    match = ("match", "kuhn", f"{PLAYERS}:Sleepy", "random", "--games", "40", "--jobs", jobs)
    with started("-m", "facedown", *match, "--seed", "1") as process:
        while process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.2)
        out, err = process.communicate()
    assert (process.returncode, without_notes(err)) == (0, "")
    assert "40 games of kuhn" in out
