"""`facedown ggp`: the protocol of general game playing, as a player and as a game manager."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from facedown.commands.options import Json, Overwrite, Seed

if TYPE_CHECKING:
    from facedown.core.files import NewFile
    from facedown.ggp.referee import Report

ggp = typer.Typer(
    name="ggp",
    help="General game playing over HTTP: a player for game managers, and a referee.",
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@ggp.command()
def player(
    port: Annotated[int, typer.Option(help="Where to listen; 0 takes any that is free.")] = 9147,
    agent: Annotated[str, typer.Option(metavar="AGENT", help="Who plays.")] = "so-ismcts",
    host: Annotated[
        str, typer.Option(help="0.0.0.0 lets other machines in; nobody has to log in.")
    ] = "127.0.0.1",
    seed: Seed = None,
) -> None:
    """Play for game managers, GDL and GDL-II, one match after another, until Ctrl-C."""
    import logging

    from facedown.commands.screen import say, seed_or_random
    from facedown.core import SpecError
    from facedown.ggp.player import Player
    from facedown.ggp.server import PlayerServer

    if not 0 <= port <= 65535:
        raise SpecError(f"port {port}: 0 to 65535 is wanted")
    logging.basicConfig(format="%(asctime)s %(message)s", datefmt="%H:%M:%S", level=logging.INFO)
    mind = Player(agent, seed_or_random(seed))
    try:
        with PlayerServer(host, port, mind) as server:
            say(f"{agent}: getting ready (on a cold cache rules and searches are compiled first)")
            mind.ready()
            say(f"{agent} plays at {server.url}; Ctrl-C ends it")
            server.serve_forever()
    finally:
        mind.close()


@ggp.command()
def referee(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A rule file, or a library's name.")],
    more: Annotated[
        list[str] | None,
        typer.Argument(metavar="URL", help="Further players.", show_default=False),
    ] = None,
    players: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="Where the players are, in the order of the roles."),
    ] = None,
    start_clock: Annotated[int, typer.Option(help="Seconds to get ready.")] = 30,
    play_clock: Annotated[int, typer.Option(help="Seconds for a move.")] = 10,
    dialect: Annotated[
        str | None,
        typer.Option(help="gdl or gdl-ii: what players are told.", show_default="by the rules"),
    ] = None,
    seed: Seed = None,
    log: Annotated[
        str | None, typer.Option(metavar="OUT.json", help="Keep the match in a new file.")
    ] = None,
    overwrite: Overwrite = False,
    json: Json = False,
) -> None:
    """Run a match between players over HTTP: `referee FILE --players URL URL`."""
    from facedown.commands.screen import print_json, say, seed_or_random
    from facedown.gdl.library import find
    from facedown.ggp.referee import Referee, Setting, dialect_of

    setting = Setting(start_clock, play_clock, seed_or_random(seed), dialect_of(dialect))
    match = Referee(find(file), [*(players or []), *(more or [])], setting)
    out = _log_file(log, overwrite)
    try:
        report = match.play()
        for warning in report.warnings:
            say(f"warning: {warning}")
        if json:
            print_json(report.to_json())
        else:
            _show(report)
    finally:  # a match that breaks off has a log as far as it came
        if out is not None:
            _keep(match.report, out)


def _log_file(log: str | None, overwrite: bool) -> NewFile | None:
    """Where the log goes; SpecError, before anything is played, where it cannot be written."""
    from pathlib import Path

    from facedown.core import SpecError
    from facedown.core.files import NewFile, make_folder

    if log is None:
        return None
    out = Path(log)
    if not out.name:
        raise SpecError(f"--log {log!r} names no file to write; OUT.json is wanted")
    make_folder(out.parent)
    return NewFile(out, overwrite=overwrite)


def _keep(report: Report, out: NewFile) -> None:
    import json

    from facedown.commands.screen import say

    say(f"logged in {out.write(json.dumps(report.to_json(), indent=1) + chr(10))}")


def _show(report: Report) -> None:
    from rich.markup import escape

    from facedown.commands.screen import console, table

    shown = table("role", "player", "goal", "moves that stood in", right=(2,))
    for role, url in report.players.items():
        faults = ", ".join(f"{count} {what}" for what, count in report.faults(role).items())
        goal = report.goals[role]
        shown.add_row(escape(role), escape(url), "none" if goal is None else str(goal), faults)
    screen = console()
    screen.print(shown)
    screen.print()
    facts = f"match {report.match}: {len(report.steps)} steps, {report.dialect}, seed {report.seed}"
    screen.print(escape(facts), style="dim", soft_wrap=True)
