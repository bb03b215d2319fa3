"""What a game may say to people before their first game: its rules, and questions on them."""

from __future__ import annotations

from typing import NamedTuple


class Question(NamedTuple):
    """A question of a quiz: what is asked, the answers, which one is right (from 0), and why."""

    text: str
    answers: tuple[str, ...]
    right: int
    why: str
