"""A lesson before the first game: the game's rules and its quiz, once for each person."""

from __future__ import annotations

import json
from pathlib import Path

from facedown.core import Game, SpecError
from facedown.core.files import write_whole
from facedown.core.jit import cache_root
from facedown.core.lessons import Question
from facedown.table.person import QuitError
from facedown.table.terminal import Terminal

SKIP, LEAVE = ("skip", "s"), ("quit", "exit")


class Learnt:
    """Which games' quizzes the user has passed or skipped: a file beside the compiled code."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or cache_root() / "quizzes.json"

    def how(self, game: str) -> str | None:
        """ "passed" or "skipped"; None where the quiz has not been met."""
        return self._read().get(game)

    def note(self, game: str, how: str) -> None:
        """Remember it; where the file cannot be written the quiz will be asked again."""
        kept = {**self._read(), game: how}
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._file, json.dumps(kept, indent=1) + "\n")
        except (OSError, SpecError):
            pass

    def _read(self) -> dict[str, str]:
        try:
            kept = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return kept if isinstance(kept, dict) else {}


def teach(
    game: Game, terminal: Terminal, wanted: bool | None, learnt: Learnt | None = None
) -> None:
    """Explain the game and ask its quiz, before the first game only unless `wanted` says.

    A game without a lesson has none. A QuitError passes.
    """
    learnt = learnt or Learnt()
    asked = learnt.how(game.name) is None if wanted is None else wanted
    if not asked or not game.lesson:
        return
    terminal.say()
    terminal.say(game.lesson)
    passed = all(_ask(terminal, k, len(game.quiz), one) for k, one in enumerate(game.quiz, 1))
    learnt.note(game.name, "passed" if passed else "skipped")


def _ask(terminal: Terminal, number: int, of: int, question: Question) -> bool:
    """Ask until the answer is right; False where the person skips the rest."""
    terminal.say()
    terminal.say(f"{number} of {of}: {question.text}", "bold")
    for k, answer in enumerate(question.answers, 1):
        terminal.say(f"  {k}) {answer}")
    while True:
        given = terminal.ask("your answer (skip goes to the table):").lower()
        if given in LEAVE:
            raise QuitError
        if given in SKIP:
            return False
        place = _place(given, question.answers)
        if place == question.right:
            terminal.say(f"Right: {question.why}.", "green")
            return True
        if place is not None:
            terminal.say("No. Try again.", "yellow")
        elif given:
            terminal.say(f"{given!r}: a number from 1 to {len(question.answers)}", "yellow")


def _place(given: str, answers: tuple[str, ...]) -> int | None:
    """The answer that is meant, by its number from 1 or its words."""
    if given.isdecimal() and 1 <= int(given) <= len(answers):
        return int(given) - 1
    known = [answer.lower() for answer in answers]
    return known.index(given) if given in known else None
