"""Moves of OpenSpiel's games in words: what a state says of an action, where that never changes."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Any

from facedown.core import Stream

GAMES, PLIES = 20, 3000
"""Random games, and moves in all of them, by which words are learnt."""


class Words:
    """A word for every move that is called the same wherever it was met, by all players alike.

    What a state calls an action may tell what its player cannot know (a capture, a check). What an
    action is called everywhere, in games of nobody's, tells nothing. The rest go by their numbers.
    """

    def __init__(self, source: Any) -> None:
        self._source = source

    def of(self, move: int) -> str:
        """A move as people write it; the same in every position and in every process."""
        return self._known.get(move) or (str(move) if move >= 0 else f"chance {~move}")

    @cached_property
    def _known(self) -> dict[int, str]:
        said = self._heard()
        one = {move: words.pop() for move, words in said.items() if len(words) == 1}
        times = Counter(word.lower() for word in one.values())
        numbers = {str(move) for move in said}
        return {
            move: word
            for move, word in one.items()
            if times[word.lower()] == 1 and word.strip() and word not in numbers
        }

    def _heard(self) -> dict[int, set[str]]:
        """What moves were called in random games."""
        said: dict[int, set[str]] = {}
        stream, left = Stream(1), PLIES
        for _ in range(GAMES):
            state = self._source.new_initial_state()
            while left and not state.is_terminal():
                left -= 1
                state.apply_action(_heard_here(state, stream, said))
        return said


def _heard_here(state: Any, stream: Stream, said: dict[int, set[str]]) -> int:
    """Hear what the legal actions are called; one of them, to go on with."""
    chance: bool = state.is_chance_node()
    player: int = state.current_player()
    legal: list[int] = state.legal_actions()
    for action in legal:
        word = " ".join(str(state.action_to_string(player, action)).split())
        said.setdefault(~action if chance else action, set()).add(f"{'chance: ' * chance}{word}")
    return stream.choice(legal)
