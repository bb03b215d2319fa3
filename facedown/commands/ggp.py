"""`facedown ggp`: the protocol of general game playing, as a player and as a game manager."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from facedown.commands.options import Json, Overwrite, Seed, whole

if TYPE_CHECKING:
    from pathlib import Path

    from facedown.core.files import NewFile
    from facedown.gdl.lifted import State
    from facedown.ggp.contest import Standing
    from facedown.ggp.referee import Report, Watch

ggp = typer.Typer(
    name="ggp",
    help="General game playing over HTTP: a player for game managers, and a referee.",
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


StartClock = Annotated[int, typer.Option(callback=whole, help="Seconds to get ready.")]
PlayClock = Annotated[int, typer.Option(callback=whole, help="Seconds for a move.")]
Dialect = Annotated[
    str | None,
    typer.Option(help="gdl or gdl-ii: what players are told.", show_default="by the rules"),
]
Scramble = Annotated[
    bool, typer.Option("--scramble", help="Send the rules by other names, drawn by the seed.")
]
Watched = Annotated[
    bool, typer.Option("--watch", help="Show the truth while it is played, on stderr.")
]


@ggp.command()
def player(
    port: Annotated[
        int, typer.Option(callback=whole, help="Where to listen; 0 takes any that is free.")
    ] = 9147,
    agent: Annotated[str, typer.Option(metavar="AGENT", help="Who plays.")] = "general",
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
    start_clock: StartClock = 30,
    play_clock: PlayClock = 10,
    dialect: Dialect = None,
    scramble: Scramble = False,
    watch: Watched = False,
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

    told = dialect_of(dialect)
    setting = Setting(start_clock, play_clock, seed_or_random(seed), told, scramble)
    path = find(file)
    looks = _looking(path) if watch else None
    match = Referee(path, [*(players or []), *(more or [])], setting, looks)
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


@ggp.command()
def tournament(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Rule files, or names of the library.")
    ],
    players: Annotated[
        list[str], typer.Option(metavar="URL", help="Where a player is; repeat it for each.")
    ],
    rounds: Annotated[
        int, typer.Option(callback=whole, help="How often all meet in all seats.")
    ] = 1,
    start_clock: StartClock = 30,
    play_clock: PlayClock = 10,
    scramble: Scramble = False,
    watch: Watched = False,
    seed: Seed = None,
    logs: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="Keep a log a match there, and go on with those."),
    ] = None,
    json: Json = False,
) -> None:
    """Have players meet over several rule files, in all seats, and rate them."""
    from pathlib import Path

    from facedown.commands.screen import print_json, say, seed_or_random
    from facedown.gdl.library import find
    from facedown.ggp.contest import Contest, Encounter, standings_json
    from facedown.ggp.referee import Setting

    setting = Setting(start_clock, play_clock, seed_or_random(seed), None, scramble)
    folder = None if logs is None else Path(logs)
    paths = [find(file) for file in files]
    contest = Contest(paths, players, setting, rounds=rounds, logs=folder)
    looks = {path: _looking(path) for path in paths} if watch else {}

    def tell(one: Encounter, report: Report) -> None:
        goals = ", ".join(f"{report.players[role]} {goal}" for role, goal in report.goals.items())
        say(f"{one.number + 1} of {len(contest.encounters)}: {one.file.stem}: {goals}")

    standings = contest.play(tell, looks.get)
    if json:
        print_json({"seed": setting.seed, "standings": standings_json(standings)})
    else:
        _show_standings(standings, setting.seed)


def _show_standings(standings: list[Standing], seed: int) -> None:
    from rich.markup import escape

    from facedown.commands.screen import console, table

    rated = table("#", "player", "rating", "from", "to", "stood in", right=(0, 2, 3, 4))
    for place, one in enumerate(standings, 1):
        three = ("", "", "")
        if one.rating is not None:
            numbers = (one.rating.rating, one.rating.low, one.rating.high)
            three = (f"{numbers[0]:+.0f}", f"{numbers[1]:+.0f}", f"{numbers[2]:+.0f}")
        faults = ", ".join(f"{count} {what}" for what, count in one.faults.items())
        rated.add_row(str(place), escape(one.player), *three, faults)
    places = [f"#{place}" for place in range(1, len(standings) + 1)]
    goals = table("mean goals", *places, right=tuple(range(1, len(places) + 1)))
    for name in dict.fromkeys(name for one in standings for name in one.goals):
        means = [f"{one.goals[name]:.1f}" if name in one.goals else "" for one in standings]
        goals.add_row(escape(name), *means)
    screen = console()
    for shown in (rated, goals):
        screen.print(shown)
        screen.print()
    matches = sum(one.matches for one in standings)
    screen.print(f"{matches} seats in all; ratings on Elo's scale, seed {seed}", style="dim")


def _looking(path: Path) -> Watch:
    """Shows the truth of a match, step by step."""
    from rich.markup import escape

    from facedown.commands.screen import console
    from facedown.ggp.looking import Looking

    screen, looks = console(err=True), Looking(path)

    def watch(state: State, report: Report) -> None:
        for line in looks.lines(state, report):
            screen.print(escape(line), highlight=False, soft_wrap=True)

    return watch


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
