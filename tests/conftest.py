"""Settings of all tests, and what any test may ask for."""

import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

# A first call may compile or load compiled code: no test here is about time.
settings.register_profile("facedown", deadline=None)
settings.load_profile("facedown")


@pytest.fixture(autouse=True)
def _own_store(tmp_path_factory, monkeypatch):
    """Every test keeps its results in a store of its own, and nobody's is touched."""
    monkeypatch.setenv("FACEDOWN_STORE", str(tmp_path_factory.mktemp("store") / "store.db"))


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C interrupts this test and the processes that it starts, whatever started the tests.

    A shell that runs something in the background (`nohup make test &`, some CI systems) has it
    ignore SIGINT, its children inherit that, and Python then leaves it at that: rightly so.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
