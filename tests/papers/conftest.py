"""What the tests of papers share."""

import pytest

from facedown.papers import plots


@pytest.fixture(autouse=True)
def _coarse(monkeypatch):
    """Coarse pictures take less time, and have the same on them."""
    monkeypatch.setattr(plots, "DPI", 40)
