"""Settings of all tests, and what any test may ask for."""

import importlib.util
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

# Linear algebra in one thread, here and in programs that tests start: several threads of several
# processes wait for each other by spinning. To be said before NumPy is loaded.
for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

# A first call may compile or load compiled code: no test here is about time.
settings.register_profile("facedown", deadline=None)
settings.load_profile("facedown")


# The doctests of helpers are collected by importing them; these need what may not be installed.
_NEEDED = {
    "support/catanatron_games.py": "catanatron",
    "support/catanatron_table.py": "catanatron",
    "support/loopback_cluster.py": "ray",
}
collect_ignore = [
    file for file, package in _NEEDED.items() if importlib.util.find_spec(package) is None
]


@pytest.fixture(scope="session")
def _stores(tmp_path_factory) -> Iterator[Path]:
    """Files for one store after another; a folder for each would take longer than many a test."""
    folder = tmp_path_factory.mktemp("stores")
    return (folder / f"store-{number}.db" for number in count())


@pytest.fixture(autouse=True)
def _own_store(_stores, monkeypatch):
    """Every test keeps its results in a store of its own, and closes what keeps tables."""
    monkeypatch.setenv("FACEDOWN_STORE", str(next(_stores)))
    yield
    from facedown.store.tables import KEEPER  # loads NumPy

    assert [thread for thread in threading.enumerate() if thread.name == KEEPER] == []


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C interrupts this test and the processes that it starts, whatever started the tests.

    A shell that runs something in the background (`nohup make test &`, some CI systems) has it
    ignore SIGINT, its children inherit that, and Python then leaves it at that: rightly so.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def small_disk(tmp_path):
    """A disk of one megabyte, where the system lets one be mounted."""
    place = tmp_path / "small"
    place.mkdir()
    mount = shutil.which("mount")
    command = [str(mount), "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)]
    if mount is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no small disk can be mounted here")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)
