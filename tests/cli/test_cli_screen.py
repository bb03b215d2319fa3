"""What moves on the screen gives way to what is printed; a pipe is told now and then."""

import io

from rich.console import Console

from facedown.commands import screen
from facedown.table.terminal import Terminal

HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"  # the cursor, while a line moves


def moves(console):
    """Whether a line moves on a screen."""
    written = console.file.getvalue()
    return written.rfind(HIDE) > written.rfind(SHOW)


def test_what_moves_is_cleared_before_anything_is_printed():
    terminal = Terminal(Console(file=io.StringIO(), force_terminal=True))
    cleared = []
    terminal.before = lambda: cleared.append(terminal.console.file.getvalue())
    terminal.say("one")
    terminal.say("two")
    assert len(cleared) == 2
    assert "one" not in cleared[0]
    assert "two" not in cleared[1]


def test_the_line_of_who_thinks_stops_when_a_line_is_printed():
    terminal = Terminal(Console(file=io.StringIO(), force_terminal=True))
    with terminal.busy("player 1 is thinking"):
        assert moves(terminal.console)
        terminal.say("news")
        assert not moves(terminal.console)
    terminal.say("more")


def test_compiling_takes_the_place_of_who_thinks(monkeypatch):
    notes = screen.Notes()
    notes.console = Console(file=io.StringIO(), force_terminal=True)
    terminal = Terminal(Console(file=io.StringIO(), force_terminal=True))
    terminal.before, notes.before = notes.clear, lambda: terminal.before()
    with terminal.busy("player 1 is thinking"):
        notes.compiling("search: kernel", None)
        assert not moves(terminal.console)
        for _ in range(2):
            notes.compiling("search: kernel", 1.0)
    terminal.say("news")
    assert "functions" in notes.console.file.getvalue()
    assert not moves(notes.console)


def test_a_pipe_is_told_now_and_then(monkeypatch, capsys):
    notes = screen.Notes()
    notes.step("cell", 1, 9)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(notes.pace, "line_due", lambda: True)
    notes.step("cell", 3, 9)
    assert capsys.readouterr().err == "cell: 3 of 9\n"
