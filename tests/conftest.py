"""Settings of all tests."""

import pytest
from hypothesis import settings

# A first call may compile or load compiled code: no test here is about time.
settings.register_profile("facedown", deadline=None)
settings.load_profile("facedown")


@pytest.fixture(autouse=True)
def _own_store(tmp_path_factory, monkeypatch):
    """Every test keeps its results in a store of its own, and nobody's is touched."""
    monkeypatch.setenv("FACEDOWN_STORE", str(tmp_path_factory.mktemp("store") / "store.db"))
