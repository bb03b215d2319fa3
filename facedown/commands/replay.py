"""`facedown replay`: recorded games, move by move, to the same end."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Annotated

import typer

from facedown.commands.options import Overwrite, Rules, StoreFile, Trust, whole

if TYPE_CHECKING:
    from facedown.core import Game
    from facedown.store.records import GameRecord, MoveRecord

_ADDRESS = re.compile(r"\d{1,18}(/\d{1,18}){0,2}")


def replay(
    source: Annotated[
        str,
        typer.Argument(
            metavar="RUN/GAME|FILE",
            help="A game of the store by its numbers, a whole RUN, a file of records, or the log "
            "of `ggp referee`.",
        ),
    ],
    game: Annotated[
        int | None,
        typer.Option(
            callback=whole,
            metavar="N",
            help="Only the N-th game of the file, from 0, with positions.",
        ),
    ] = None,
    rules: Rules = None,
    trust: Trust = False,
    web: Annotated[bool, typer.Option("--web", help="Look at the games in the browser.")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Of --web; 0: any.")] = 8000,
    html: Annotated[
        str | None,
        typer.Option("--html", metavar="FILE", help="Write the game as a page that works offline."),
    ] = None,
    overwrite: Overwrite = False,
    store: StoreFile = None,
) -> None:
    """Show recorded games ply by ply and verify their ends."""
    from facedown.commands.screen import console, notes
    from facedown.core import SpecError

    address, load = _ADDRESS.fullmatch(source), loader(rules, trust)
    if address is not None and not os.path.exists(source):
        if game is not None:
            raise SpecError(f"--game is for files; {source}/{game} is a game of the store")
        records, alone = _of_store(source, store)
    else:
        logged = _of_referee(source, load)
        records = _of_file(source, game) if logged is None else [(0, logged)]
        alone = game is not None or logged is not None
    if html is not None:
        _write_page(html, records, load, overwrite)
        return
    if web:
        _serve(records, load, port)
        return
    with notes():
        failed = sum(not _show(number, record, alone, load) for number, record in records)
    count = "1 game" if len(records) == 1 else f"{len(records)} games"
    if failed:
        console().print(f"[bold red]{failed} of {count} did not come to the recorded end[/]")
        raise typer.Exit(1)
    console().print(f"[green]{count} replayed to the recorded end[/]")


def _write_page(
    html: str, records: list[tuple[int, GameRecord]], load: Callable[[str], Game], overwrite: bool
) -> None:
    """One game as a page that works offline."""
    from facedown.commands.screen import console
    from facedown.core import SpecError
    from facedown.core.files import NewFile
    from facedown.table.export import html_page
    from facedown.table.story import Story

    if len(records) != 1:
        raise SpecError(f"--html is for one game, not for {len(records)}: name it (--game N)")
    place, record = NewFile(html, overwrite=overwrite), records[0][1]
    written = place.write(html_page(Story(record, load(record.game))))
    console().print(f"written: {written}", markup=False, soft_wrap=True)


def _serve(records: list[tuple[int, GameRecord]], load: Callable[[str], Game], port: int) -> None:
    """The games in the browser, until Ctrl-C; what is played on from them is kept by nobody."""
    from facedown.commands.screen import console
    from facedown.store.store import MEMORY, Store
    from facedown.table.house import House
    from facedown.table.web.server import Address, serve

    with Store(MEMORY) as opened, House(opened) as house:
        for number, record in records:
            house.shown[str(number)] = record, load(record.game)

        def ready(url: str) -> None:
            for number, _ in records[:20]:
                console().print(f"game {number}: {url}replay/{number}", soft_wrap=True)
            console().print("Ctrl-C ends it")

        serve(house, Address(port=port), ready=ready)


def loader(rules: str | None, trust: bool) -> Callable[[str], Game]:
    """What gives the game that a record names, or always the one of `rules`."""
    from facedown.games.registry import load_game, load_recorded

    if rules is not None:
        named = load_game(rules)
        return lambda spec: named
    return cache(partial(load_recorded, trust=trust))


def _of_referee(file: str, load: Callable[[str], Game]) -> GameRecord | None:
    """The match of a referee's log; None where the file is no such log."""
    from facedown.ggp.record import log_of, record_of, spec_of

    log = log_of(file)
    return None if log is None else record_of(log, load(spec_of(log.rules)))


def _of_file(file: str, game: int | None) -> list[tuple[int, GameRecord]]:
    """The games of a file with their places, or one of them."""
    from facedown.core import SpecError
    from facedown.store.records import read_records

    records = list(enumerate(read_records(file)))
    if not records:
        raise SpecError(f"{file} holds no games")
    if game is None:
        return records
    if not 0 <= game < len(records):
        raise SpecError(f"no game {game} in {file}; it holds 0 to {len(records) - 1}")
    return records[game : game + 1]


def _of_store(address: str, store: str | None) -> tuple[list[tuple[int, GameRecord]], bool]:
    """The games at RUN, RUN/GAME or RUN/MATCH/GAME; whether it is a single one."""
    from facedown.core import SpecError
    from facedown.store.store import Store

    numbers = [int(part) for part in address.split("/")]
    with Store(store, create=False) as opened:
        run, matches = opened.run(numbers[0]), opened.matches(numbers[0])
        if len(numbers) == 1:
            return [(k, record) for one in matches for k, record in enumerate(one.records())], False
        place = numbers[1] if len(numbers) == 3 else 0
        if len(numbers) == 2 and len(matches) > 1:
            raise SpecError(f"run {run.id} has {len(matches)} matches: RUN/MATCH/GAME is wanted")
        if place >= len(matches):
            raise SpecError(f"no match {place} in run {run.id}; it has {len(matches)}")
        return [(numbers[-1], matches[place].record(numbers[-1]))], True


def _show(number: int, record: GameRecord, positions: bool, load: Callable[[str], Game]) -> bool:
    """Print one game; whether it comes to its recorded end."""
    from rich.markup import escape

    from facedown.arena.replay import plies, replay
    from facedown.commands.screen import console
    from facedown.core import PUBLIC
    from facedown.store.records import RecordError

    screen, loaded = console(), load(record.game)
    screen.print(f"[bold]game {number}[/]: {escape(_headline(record))}", soft_wrap=True)
    try:
        for ply, (move, position) in enumerate(plies(record, loaded), 1):
            screen.print(escape(_line(ply, move, record)), soft_wrap=True)
            if positions:
                lines = position.text(PUBLIC).splitlines()
                screen.print("\n".join(f"      {escape(line)}" for line in lines), style="dim")
        replay(record, loaded)
    except RecordError as error:
        screen.print(f"  [bold red]{escape(str(error))}[/]", soft_wrap=True)
        return False
    for forfeit in record.forfeits:
        line = f"player {forfeit.player} forfeits: {forfeit.reason}"
        screen.print(f"  [red]{escape(line)}[/]", soft_wrap=True)
    screen.print(f"  payoffs: {' '.join(f'{pay:+g}' for pay in record.payoffs)}\n")
    return True


def _headline(record: GameRecord) -> str:
    cheats = [" (cheats)" if cheating else "" for cheating in record.cheats]
    seats = [f"{p} {spec}{cheats[p]}" for p, spec in enumerate(record.agents)]
    marks = ", assisted" if record.assisted else ""
    return f"{record.game}, seed {record.seed}, players {', '.join(seats)}{marks}"


def _line(ply: int, move: MoveRecord, record: GameRecord) -> str:
    who = "chance" if move.player < 0 else f"player {move.player}"
    line = f"  {ply:3}  {who:<9} {move.text}"
    summary = move.summary or {}
    if isinstance(summary.get("iterations"), int):  # a user's agent may say what it likes
        line += f"   ({summary['iterations']:,} iterations, {move.seconds:.2f} s)"
    return line
