"""`facedown jsettlers`: an agent as a robot at a JSettlers server."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from facedown.commands.options import Json, Overwrite, Seed, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from facedown.bridges.jsettlers.recording import Said
    from facedown.bridges.jsettlers.sitting import Result


def jsettlers(
    host: Annotated[str, typer.Option(help="Where the server is.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(callback=whole, help="Its port.")] = 8880,
    cookie: Annotated[
        str,
        typer.Option(
            help="The server's cookie for robots (its jsettlers.bots.cookie).",
            envvar="FACEDOWN_JSETTLERS_COOKIE",
        ),
    ] = "",
    agent: Annotated[
        str, typer.Option(metavar="AGENT", help="Who plays `settlers`.")
    ] = "best:iterations=20000",
    name: Annotated[str, typer.Option(help="The robot's name at the server.")] = "facedown",
    games: Annotated[
        int | None,
        typer.Option(callback=whole, help="Leave after so many games.", show_default="never"),
    ] = None,
    thinking: Annotated[
        float, typer.Option(help="Seconds for a request at most; the server waits for 8.")
    ] = 6.0,
    processes: Annotated[
        int, typer.Option(callback=whole, help="Processes that think; games at once share them.")
    ] = 1,
    retries: Annotated[
        int, typer.Option(callback=whole, help="How often to call again when the line breaks.")
    ] = 5,
    record: Annotated[
        str | None, typer.Option(metavar="OUT.tsv", help="Keep all that is said in a new file.")
    ] = None,
    overwrite: Overwrite = False,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Log in as a robot, sit down where asked to, and play whole games until Ctrl-C."""
    import logging

    from facedown.bridges.jsettlers.client import Account, Limits, Robot
    from facedown.bridges.jsettlers.minds import Minds
    from facedown.commands.screen import say, seed_or_random

    _check("--port", port, 1, 65535)
    _check("--games", 1 if games is None else games, 1, 10**9)
    _check("--thinking", thinking, 0.1, 600)
    _check("--processes", processes, 1, 64)
    _check("--retries", retries, 0, 1000)
    account = Account(host, port, _word("--cookie", cookie), _word("--name", name, least=1))
    limits = Limits(games, retries, thinking)
    logging.basicConfig(format="%(asctime)s %(message)s", datefmt="%H:%M:%S", level=logging.INFO)
    with ExitStack() as stack:
        keep = _recorder(record, overwrite, stack)
        minds = Minds(agent, seed_or_random(seed), processes)
        stack.callback(minds.close)
        robot = Robot(account, minds, limits, keep, _announce)
        robot.probe()
        say(f"{agent}: getting ready (on a cold cache rules and searches are compiled first)")
        minds.ready()
        try:
            robot.run()
        finally:
            _summary(robot.results, as_json=json)


def _check(option: str, value: float, low: float, high: float) -> None:
    from facedown.core import SpecError

    if not low <= value <= high:
        raise SpecError(f"{option} {value:g}: {low:g} to {high:g} is wanted")


def _word(option: str, text: str, least: int = 0) -> str:
    """A text that can stand in a message."""
    from facedown.core import SpecError

    if not least <= len(text) <= 100 or any(mark in text for mark in ",|\t\n\0"):
        raise SpecError(f"{option} {text!r}: a word without commas, bars and tabs is wanted")
    return text


def _recorder(
    record: str | None, overwrite: bool, stack: ExitStack
) -> Callable[[Said], None] | None:
    """What keeps all that is said, a line at a time; SpecError where nothing can be written."""
    from pathlib import Path

    from facedown.commands.screen import say
    from facedown.core.files import NewFile, make_folder

    if record is None:
        return None
    make_folder(Path(record).parent)
    place = NewFile(record, overwrite=overwrite)
    file = stack.enter_context(place.part.open("wb", buffering=0))
    out, full = place.place(), False  # there from the beginning, to be looked at

    def keep(said: Said) -> None:
        nonlocal full
        try:
            if not full:
                file.write(f"{said}\n".encode("utf-8", "backslashreplace"))
        except OSError as error:  # the game is more than its record
            full = True
            say(f"{out} ends here: {error.strerror}")

    return keep


def _announce(result: Result) -> None:
    from facedown.commands.screen import say

    if not result.points:
        say(f"{result.game}: seat {result.seat}, not played out")
        return
    points = " ".join(map(str, result.points))
    outcome = "won" if result.won else "lost"
    say(f"{result.game}: seat {result.seat}, {outcome}; points by seat: {points}")


def _summary(results: Sequence[Result], *, as_json: bool) -> None:
    from facedown.commands.screen import print_json

    played = [result for result in results if result.points]
    won = sum(result.won for result in played)
    if as_json:
        games = [vars(result) | {"won": result.won} for result in results]
        print_json({"games": games, "played": len(played), "won": won})
    else:
        print(f"{len(played)} games played, {won} won")
