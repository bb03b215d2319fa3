"""Lines in and out: a person at a terminal, or a script in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape

from facedown.table.person import QuitError


class Terminal:
    """Shows lines and asks for answers; `read` gives a line, or raises EOFError at the end."""

    def __init__(self, console: Console, read: Callable[[], str] | None = None) -> None:
        self.console = console
        self._read = read or input
        self._echo = not sys.stdin.isatty()  # a transcript should show what was answered
        self.before: Callable[[], None] = lambda: None
        """Clears away what moves on the screen (progress), before anything is printed."""

    @contextmanager
    def busy(self, words: str) -> Iterator[None]:
        """A line that moves while somebody thinks, on a screen.

        It gives way to what is printed meanwhile, and to other lines that move.
        """
        if not self.console.is_terminal:
            yield
            return
        self.before()
        shown, outer = self.console.status(words), self.before

        def give_way() -> None:
            shown.stop()
            outer()

        self.before = give_way
        with shown:
            try:
                yield
            finally:
                self.before = outer

    def say(self, text: str = "", style: str | None = None) -> None:
        """Print text as it is; long lines are not broken."""
        self.before()
        self.console.print(escape(text), style=style, soft_wrap=True)

    def show(self, thing: object) -> None:
        """Print something of Rich's, a table or a text with markup."""
        self.before()
        self.console.print(thing)

    def ask(self, prompt: str) -> str:
        """One line of an answer, without the blanks around it."""
        self.before()
        self.console.print(f"[bold]{escape(prompt)}[/]", end=" ", soft_wrap=True)
        try:
            answer = self._read().strip()
        except EOFError:
            self.console.print()
            raise QuitError from None
        except KeyboardInterrupt:
            self.console.print()
            raise
        if self._echo:
            self.say(answer)
        return answer
