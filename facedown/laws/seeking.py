"""Games that go where random play rarely does: rare moves, habits, rare outcomes of chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

from facedown.core import Game, Position, Stream
from facedown.laws.probes import chances, move_name
from facedown.laws.stories import pick_move

_KEEN = 0.7  # how often a habit is followed, and the rarest move taken
_CANDIDATES = 12  # legal moves that are compared for their rarity
_MOST_COUNTED = 200_000
_MOST_HABITS = 4  # words of a game's moves that one player favours


class Seeker:
    """Chooses moves for games in which something rare should happen, and counts what was played.

    A style is one story's: `random` plays evenly and has chance draw by its weights; `rare` takes
    moves that were seldom played, alone or after the last one, and outcomes that chance seldom
    draws; `habits` has every player favour moves that share a word of their text; `novel` has the
    scan choose by what comes together for the first time.
    """

    STYLES = ("random", "novel", "rare", "habits", "novel", "rare")

    def __init__(self, game: Game) -> None:
        self.game = game
        self.played: Counter[Hashable] = Counter()
        self.listed: set[int] = set()
        self.ever: set[int] = set()  # moves that were played at all
        self.style = "random"
        self._words: dict[int, tuple[str, ...]] = {}
        self._vocabulary: dict[int, list[str]] = {}
        self._habits: dict[int, str] = {}
        self._last = -1

    def begin(self, style: str, stream: Stream) -> None:
        """Start a story in this style."""
        self.style, self._last = style, -1
        known = sorted(self._vocabulary.items())
        self._habits = {player: stream.choice(words) for player, words in known}

    def pick(self, position: Position, legal: list[int], stream: Stream) -> int:
        """The move to play, which is counted."""
        return self.count(position, legal, self._wanted(position, legal, stream))

    def count(self, position: Position, legal: list[int], move: int) -> int:
        """Count a move that is played."""
        self.listed.update(legal)
        self.ever.add(move)
        for key in (move, (self._last, move)):
            if key in self.played or len(self.played) < _MOST_COUNTED:
                self.played[key] += 1
        self._learn(position.turn(), move)
        self._last = move
        return move

    def _wanted(self, position: Position, legal: list[int], stream: Stream) -> int:
        if self.style == "random" or len(legal) == 1:
            return pick_move(position, legal, stream)
        if stream.random() >= _KEEN:
            return (
                stream.choice(legal) if self.style == "rare" else pick_move(position, legal, stream)
            )
        possible = self.possible(position, legal)
        if self.style == "habits":
            return self._by_habit(position, possible, stream)
        return self.rarest(possible, stream)

    def possible(self, position: Position, legal: list[int]) -> list[int]:
        """The legal moves that can happen."""
        if position.turn() >= 0 or not self.game.has("weights"):
            return legal
        odds = chances(position, legal)
        return [m for m, chance in zip(legal, odds, strict=True) if chance > 0.0] or legal

    def rarest(self, legal: list[int], stream: Stream) -> int:
        """The move that was played least, after the last one and altogether."""
        some = [stream.choice(legal) for _ in range(_CANDIDATES)]
        return min(some, key=lambda m: (self.played[(self._last, m)], self.played[m]))

    def _by_habit(self, position: Position, legal: list[int], stream: Stream) -> int:
        habit = self._habits.get(position.turn())
        fitting = [m for m in legal[:256] if habit in self._text(m)]
        return stream.choice(fitting or legal)

    def _text(self, move: int) -> tuple[str, ...]:
        if move not in self._words:
            if len(self._words) > _MOST_COUNTED:
                self._words.clear()
            self._words[move] = tuple(move_name(self.game, move).split())[:_MOST_HABITS]
        return self._words[move]

    def _learn(self, player: int, move: int) -> None:
        known = self._vocabulary.setdefault(player, [])
        for word in self._text(move):
            if word not in known and len(known) < 256:
                known.append(word)
