"""Where commands write: results on stdout, everything on the way on stderr."""

from __future__ import annotations

import json
import os
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from typing import TYPE_CHECKING, Any

from facedown.commands.pace import Pace
from facedown.shown import shown

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID
    from rich.table import Table

PIPE_WIDTH = 80  # columns, where nobody says how wide the screen is


def console(*, err: bool = False) -> Console:
    """A console on stdout or stderr: coloured in a terminal, plain and 80 wide in a pipe."""
    from facedown.commands.console import PlainConsole

    made = PlainConsole(stderr=err, highlight=False, emoji=False, soft_wrap=False)
    if not made.is_terminal and "COLUMNS" not in os.environ:
        made.width = PIPE_WIDTH
    return made


def table(*columns: str, right: tuple[int, ...] = (), title: str | None = None) -> Table:
    """A table in the house style; the columns at the places `right` are flush right."""
    from rich import box
    from rich.table import Table

    made = Table(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        padding=(0, 1, 0, 0),
        title=title,
        title_justify="left",
        title_style="bold",
    )
    for place, name in enumerate(columns):
        flush = place in right
        made.add_column(name, justify="right" if flush else "left", no_wrap=flush, overflow="fold")
    return made


def print_json(plain: dict[str, Any]) -> None:
    """One JSON object on stdout, in one line."""
    sys.stdout.write(json.dumps(plain, allow_nan=False) + "\n")


def say(line: str) -> None:
    """One plain line on stderr, never broken into two."""
    sys.stderr.write(shown(line) + "\n")
    sys.stderr.flush()


def remark(line: str, style: str = "dim") -> None:
    """A line about what was shown, beside it."""
    from rich.markup import escape

    console().print(escape(line), style=style, soft_wrap=True)


def seed_or_random(seed: int | None) -> int:
    """The seed that was given, or a new one of 64 bits."""
    return secrets.randbits(64) if seed is None else seed


class Notes:
    """What happens on the way: compiling, games done. Spinners in a terminal, few lines elsewhere.

    Silent as long as nothing compiles, except for the bar that `games` draws in a terminal and the
    line that it writes elsewhere, after ten seconds and then more and more rarely.
    """

    def __init__(self) -> None:
        self.console = console(err=True)
        self._live: Progress | None = None
        self._task: TaskID | None = None
        self._bar: TaskID | None = None
        self._count, self._seconds, self._group = 0, 0.0, ""
        self.pace = Pace()
        self.before: Callable[[], None] = lambda: None
        """Called before a line that moves appears: what else moves on the screen gives way."""

    def compiling(self, what: str, seconds: float | None) -> None:
        """The listener of `on_compile`: `what` begins, or has ended after so many seconds."""
        if seconds is not None:
            self._count += 1
            self._seconds += seconds
            return
        group = what.partition(":")[0]
        if not self.console.is_terminal:
            if group != self._group:
                say(f"compiling {group} (once; it is kept for the next time) ...")
        else:
            live = self._progress()
            words = f"compiling, once: {what} ({self._count} done)"
            if self._task is None:
                self._task = live.add_task(words, total=None)
            live.update(self._task, description=words)
        self._group = group

    def games(self, done: int, total: int, *, at_most: bool = False) -> None:
        """So many games are finished: a bar with the time left, or a line now and then."""
        self.compiled()
        pace = self.pace
        if not self.console.is_terminal:
            pace.start(done)
            if pace.line_due():
                say(pace.told(done, total, at_most=at_most))
        elif done >= total or pace.redraw():
            self.step(pace.told(done, total, at_most=at_most), done, total)

    def step(self, words: str, done: int, total: int) -> None:
        """Step `done` of `total` begins; `words` name it."""
        if not self.console.is_terminal:
            self.pace.start(done)
            if self.pace.line_due():
                say(f"{words}: {done} of {total}")
            return
        live = self._progress()
        if self._bar is None:
            self._bar = live.add_task(words, total=total)
        live.update(self._bar, completed=done, total=total, description=words)

    def line(self, words: str) -> None:
        """Something to keep has happened: a line of its own, above what moves."""
        self.compiled()
        if self._live is not None:
            self._live.console.print(words, markup=False, soft_wrap=True)
        else:
            say(words)

    def compiled(self) -> None:
        """Nothing compiles any more: say what it took."""
        if self._task is not None and self._live is not None:
            self._live.remove_task(self._task)
            self._task = None
        if self._count:
            rules = "1 function" if self._count == 1 else f"{self._count} functions"
            line = f"compiled {rules} in {self._seconds:.1f} s"
            (self._live.console.print if self._live else self.console.print)(line, style="dim")
        self._count, self._seconds, self._group = 0, 0.0, ""

    def _progress(self) -> Progress:
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        if self._live is None:
            self.before()
            parts = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(bar_width=24))
            self._live = Progress(*parts, TimeElapsedColumn(), console=self.console, transient=True)
            self._live.start()
        return self._live

    def clear(self) -> None:
        """Clear away what moves; what comes next begins anew."""
        self.compiled()
        if self._live is not None:
            self._live.stop()
        self._live = self._bar = None


@contextmanager
def notes(*, only: bool = False) -> Iterator[Notes]:
    """Notes that hear of whatever is compiled within the block.

    `only`: the block has no result to print; what a user's game or agent prints goes to stderr.
    """
    from facedown.core.jit import on_compile

    made = Notes()
    on_compile(made.compiling)
    try:
        with redirect_stdout(sys.stderr) if only else nullcontext():
            yield made
    finally:
        on_compile(None)
        made.clear()
