"""Streams that are closed, full or without end: one clear line, and nothing lost."""

import os
import resource
import subprocess
import sys

import pytest

from facedown.store.store import Store
from support import ROOT
from support.running import run

LIMIT = 1 << 30
"""Bytes of address space: a file without end that is read to its end would ask for more."""


def shell(words: str, streams: str, *, unbuffered: bool = False) -> subprocess.CompletedProcess:
    """`facedown WORDS STREAMS` as a shell runs it."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHON": sys.executable}
    environment |= {"PYTHONUNBUFFERED": "1" if unbuffered else ""}
    line = f'exec "$PYTHON" -m facedown {words} {streams}'
    return subprocess.run(["bash", "-c", line], env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("unbuffered", [False, True])
@pytest.mark.parametrize("words", ["--version", "games", "agents kuhn --json"])
def test_a_full_device_is_told_in_one_line(words, unbuffered):
    ran = shell(words, "> /dev/full", unbuffered=unbuffered)
    assert ran.stderr == "facedown: cannot write: No space left on device\n"
    assert ran.returncode == 1


def test_a_closed_input_has_ended():
    ran = shell("play kuhn --against random --seed 1", "<&-")
    assert (ran.returncode, "unexpected" in ran.stderr) == (0, False)


def test_with_all_streams_closed_the_games_are_kept_and_nothing_else_is_written_there():
    ran = shell("match kuhn random random --games 6 --seed 1", "<&- >&- 2>&-")
    assert ran.returncode == 0
    with Store(os.environ["FACEDOWN_STORE"], create=False) as store:
        assert store.damage() == []
        (run,) = store.runs()
        (match,) = store.matches(run.id)
        assert len(list(match.records())) == 6


def test_no_later_file_gets_the_number_of_a_closed_stream():
    script = (
        "import os; from facedown import cli; cli.main(['--version']); "
        "assert os.open(os.devnull, os.O_RDONLY) > 2"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHON": sys.executable}
    line = f'exec "$PYTHON" -c "{script}" <&- >&-'
    ran = subprocess.run(["bash", "-c", line], env=environment, stderr=subprocess.PIPE)
    assert (ran.returncode, ran.stderr) == (0, b"")


SETTLED = "match settlers {} random*3 --games 1"
READERS = {
    "records": ("replay {}", "holds no games|not JSON|more than 67,108,864 characters"),
    "preferences": (SETTLED.format("pomcp-ts:preferences={}"), "not JSON|larger than"),
    "network": (SETTLED.format("pomcp-nn:network={}"), "not JSON|larger than"),
    "a tournament": ("tournament {}", "wants game|larger than"),
    "a study": ("serve --study {}", "title is missing|larger than"),
    "rules": ("match gdl:{} random random", "no rules here|more than 4,000,000 characters"),
}


@pytest.fixture
def little_memory():
    """Have whatever reads without end fail here."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    with open("/proc/self/statm") as file:
        taken = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + LIMIT, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.skipif(sys.platform != "linux", reason="a device without end, limits")
@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize("place", ["pipe", "device"])
def test_a_file_without_end_and_a_pipe_without_a_writer(kind, place, tmp_path, little_memory):
    file = tmp_path / "given.toml"
    os.mkfifo(file) if place == "pipe" else file.symlink_to("/dev/zero")
    words, says = READERS[kind]
    ran = run(*words.format(file).split())
    assert ran.status == 2
    (line,) = ran.err.splitlines()
    assert any(part in line for part in says.split("|")), line
