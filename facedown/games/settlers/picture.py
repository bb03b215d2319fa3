"""Settlers as a picture."""

from __future__ import annotations

from typing import Any


def picture(view: Any, viewer: int, players: int) -> str:
    """The island, the players around it, and what the viewer holds."""
    return ""
