"""A match as whoever runs it may see it: the truth, step by step, for a terminal."""

from __future__ import annotations

from pathlib import Path

from facedown.gdl.checks import checked
from facedown.gdl.lifted import Lifted, State
from facedown.gdl.reader import read_file
from facedown.gdl.scene import in_words
from facedown.gdl.show import Show
from facedown.gdl.simulate import RANDOM, play
from facedown.gdl.syntax import Term
from facedown.ggp.referee import Report


class Looking:
    """Shows the positions of a rule file, on boards where it has any."""

    def __init__(self, path: Path) -> None:
        self._rules = checked(read_file(path))
        roles = [role for role in self._rules.roles if role != RANDOM]
        self._show = Show(self._rules, roles, self._known, partial=True)

    def _known(self) -> tuple[list[Term], ...]:
        """What holds and what can be done, as far as a few random games show."""
        reasoner = Lifted(self._rules)
        met = play(reasoner, games=5, seconds=0.5, steps=200)
        moves = [move for some in met.moves.values() for move in some]
        first = sorted(reasoner.initial(), key=str)
        return sorted(met.fluents, key=str), first, sorted(moves, key=str), []

    def lines(self, state: State, report: Report) -> list[str]:
        """The last joint move, what came of it, and the position."""
        return [self._head(report), *self._show.text(sorted(state, key=str)), ""]

    def _head(self, report: Report) -> str:
        if not report.steps:
            return f"{report.match}: the start"
        turn = report.steps[-1]
        words = []
        for role, move in turn.moves.items():
            asked = turn.asked.get(role)
            stood = f" ({asked.fault})" if asked is not None and asked.fault else ""
            plain = move[1:-1] if move.startswith("(") else in_words(move)
            words.append(f"{role} {plain}{stood}")
        return f"{report.match}: step {len(report.steps)}: {', '.join(words)}"
