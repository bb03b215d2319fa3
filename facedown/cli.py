"""The command line. It starts fast: whatever is heavy is imported by the command that needs it."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Annotated, Any

import typer

from facedown.commands import (
    InterruptedRunError,
    agents,
    analyse,
    bench,
    check,
    demo,
    exploit,
    games,
    gdl,
    ggp,
    jsettlers,
    learn,
    match,
    new,
    paper,
    people,
    play,
    playtest,
    replay,
    report,
    results,
    serve,
    tournament,
    tune,
    winning,
)
from facedown.shown import clipped, one_line

app = typer.Typer(
    name="facedown",
    help="Games in which nobody sees everything: matches, play, checks and searches that never "
    "peek.\n\nGAME is a name with options (`liars-dice:dice=2`) or a class in a file of yours "
    "(`my.py:MyGame`); AGENT likewise (`so-ismcts:iterations=5000,c=0.7`). `facedown games` and "
    "`facedown agents` list what there is, `facedown demo` shows it.",
    add_completion=False,
    rich_markup_mode=None,  # with Rich, help would take twice its time to appear
    pretty_exceptions_enable=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

USAGE, FAILED, INTERRUPTED = 2, 1, 130  # exit statuses

_FULL = (errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EDQUOT)
"""What a device or a limit says that takes no more."""


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib import metadata

        print(f"facedown {metadata.version('facedown')}")
        raise typer.Exit


@app.callback()
def root(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Say the version."),
    ] = False,
) -> None:
    """Print the help where no command is given."""
    if context.invoked_subcommand is None:
        print(context.get_help())


app.command()(games.games)
app.command()(agents.agents)
app.command()(new.new)
app.command()(match.match)
app.command()(tournament.tournament)
app.command()(play.play)
app.command()(serve.serve)
app.command()(replay.replay)
app.command()(bench.bench)
app.command()(check.check)
app.command()(exploit.exploit)
app.command()(analyse.analyse)
app.command()(playtest.playtest)
app.command()(tune.tune)
app.command()(paper.paper)
app.command()(report.report)
app.command()(winning.winning)
app.command()(people.people)
app.command()(learn.learn)
app.command()(jsettlers.jsettlers)
app.command()(demo.demo)
app.add_typer(results.results)
app.add_typer(gdl.gdl)
app.add_typer(ggp.ggp)


@cache
def _command() -> Callable[..., Any]:
    """All commands with their options, which take a moment to put together."""
    return typer.main.get_command(app)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; its exit status: 0, 1 for a failure, 2 for what cannot be meant."""
    _stand_in()
    given = list(sys.argv[1:] if arguments is None else arguments)
    if any("\0" in word for word in given):  # no shell can say that, and no file is named so
        return _tell("a word of the command line has a zero byte in it", USAGE)
    try:
        status = _command()(given, prog_name="facedown", standalone_mode=False)
        sys.stdout.flush()  # what cannot be written is told here, not by Python in the end
    except KeyboardInterrupt:
        return _tell("interrupted", INTERRUPTED)
    except BrokenPipeError:  # whoever read it has gone
        _close_output()
        return FAILED
    except (Exception, SystemExit) as error:
        if isinstance(error.__context__, BrokenPipeError):  # Rich makes an exit of it
            _close_output()
            return FAILED
        return _explain(error, given)
    if status == INTERRUPTED:  # which is what Typer makes of Ctrl-C, without a word
        return _tell("interrupted", INTERRUPTED)
    return status if isinstance(status, int) else 0


def _stand_in() -> None:
    """Open nothing in the place of a stream that was closed (`>&-`).

    No file that is opened later, a store least of all, may get its number: what others print would
    go there.
    """
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)  # the lowest that is free
            if null != descriptor:
                os.dup2(null, descriptor)
                os.close(null)
            setattr(sys, name, os.fdopen(descriptor, "w" if descriptor else "r", closefd=False))


def _close_output() -> None:
    """Have nobody write to a pipe that is closed, at the end either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _explain(error: BaseException, given: Sequence[str]) -> int:
    """Say in one line what went wrong; the exit status."""
    if isinstance(error, InterruptedRunError):
        return _tell(str(error), INTERRUPTED)
    if isinstance(error, typer.Abort):
        return _tell("interrupted", INTERRUPTED)
    usage = getattr(error, "format_message", None)
    if usage is not None:  # of Typer's own, by whatever name this version has for them
        words = re.sub(r"Got unexpected extra arguments?(\(s\))? ", "too much is given: ", usage())
        return _tell(f"{words} ({_help(error)})", int(getattr(error, "exit_code", 2)))
    errors = sys.modules.get("facedown.core.errors")
    if errors is not None and isinstance(error, errors.SpecError):
        return _tell(str(error), USAGE)
    if errors is not None and isinstance(error, errors.FacedownError):
        return _tell(str(error), FAILED)
    if os.environ.get("FACEDOWN_DEBUG"):
        raise error
    if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
        return _tell("there is not enough memory for this", FAILED)
    if isinstance(error, OSError) and error.filename is None and error.errno in _FULL:
        _give_up_output()
        return _tell(f"cannot write: {error.strerror}", FAILED)
    if isinstance(error, OSError) and _is_given(error.filename, given):
        return _tell(f"cannot use {clipped(str(error.filename))}: {error.strerror}", USAGE)
    what = clipped(f"{type(error).__name__}: {error}")
    return _tell(f"unexpected {what} (FACEDOWN_DEBUG=1 shows where)", FAILED)


def _give_up_output() -> None:
    """Leave nothing to be written in the end where it cannot be."""
    try:
        sys.stdout.flush()
    except OSError:
        _close_output()


def _is_given(file: object, given: Sequence[str]) -> bool:
    """Whether a file is one that the command line names, or lies in a folder that it names."""
    words = [part for word in given for part in (word, word.partition("=")[2]) if part]
    places = [place for word in words for place in (word, os.path.abspath(word))]
    return any(file == place or str(file).startswith(place + os.sep) for place in places)


def _help(error: BaseException) -> str:
    path = getattr(getattr(error, "ctx", None), "command_path", "facedown")
    return f"see {path} --help"


def _tell(line: str, status: int) -> int:
    print(f"facedown: {one_line(line)}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
