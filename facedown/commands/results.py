"""`facedown results`: what the store holds, and the ways into and out of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from facedown.commands.options import Json, Overwrite, Rules, StoreFile, Trust, whole, wholes

if TYPE_CHECKING:
    from facedown.core import Game
    from facedown.store.kept import Kept
    from facedown.store.store import Run, Store

results = typer.Typer(
    name="results", help="What was played and kept: list, show, export, import, verify, delete."
)

Numbers = Annotated[
    list[int],
    typer.Argument(
        metavar="RUN...", help="Numbers of runs, as `list` shows them.", callback=wholes
    ),
]


@results.command("list")
def list_runs(
    kind: Annotated[
        str | None, typer.Option(metavar="KIND", help="Only runs of match, play, import ...")
    ] = None,
    store: StoreFile = None,
    json: Json = False,
) -> None:
    """List the runs, the last one last."""
    from rich.markup import escape

    from facedown.commands.screen import console, print_json, table

    with _existing(store) as opened:
        found = [run for run in opened.runs() if kind is None or run.kind == kind]
    if json:
        print_json({"store": opened.path, "runs": [_plain(run) for run in found]})
        return
    shown = table("run", "kind", "what", "games", "seed", "begun", "state", right=(0, 3))
    for run in found:
        games = f"{run.done:,}" if run.finished else f"{run.done:,} of {run.wanted:,}"
        state = "finished" if run.finished else "unfinished"
        begun = run.begun[:16].replace("T", " ")
        what = escape(run.name)
        shown.add_row(str(run.id), run.kind, what, games, str(run.seed), begun, state)
    console().print(shown)
    console().print(f"{len(found)} runs in {escape(opened.path)}", style="dim", soft_wrap=True)


@results.command()
def show(
    number: Annotated[int, typer.Argument(metavar="RUN", callback=whole)],
    store: StoreFile = None,
    json: Json = False,
) -> None:
    """Show a run: its matches with their results, seeds and the revision that played them."""
    from facedown.commands.screen import print_json
    from facedown.store.models import model_of

    with _existing(store) as opened:
        run = opened.run(number)
        matches, model = opened.matches(number), model_of(opened, number)
    learnt = {} if model is None else {"file": model.file, "about": dict(model.about)}
    if json:
        plain = {**_plain(run), "matches": [_match_plain(one) for one in matches]}
        print_json({**plain, **({"model": learnt} if learnt else {})})
        return
    _show_run(run, matches)
    if learnt:
        print_json(learnt)


@results.command()
def export(
    numbers: Numbers,
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="A new file: .jsonl, .csv or .parquet.")
    ],
    form: Annotated[
        str, typer.Option("--as", metavar="FORM", help="jsonl, csv or parquet, whatever its name.")
    ] = "",
    overwrite: Overwrite = False,
    store: StoreFile = None,
) -> None:
    """Write the games of runs into a file: JSON lines, CSV or Parquet; or what a run has learnt."""
    from facedown.commands.screen import console
    from facedown.core.files import NewFile
    from facedown.store import export as exporting
    from facedown.store.models import model_of

    with _existing(store) as opened:
        matches = [match for run in numbers for match in _matches(opened, run)]
        place = NewFile(out, overwrite=overwrite)
        model = model_of(opened, numbers[0]) if len(numbers) == 1 else None
        if model is not None:
            file = place.write(model.content)
            console().print(f"{model.file} written to {file}", markup=False, soft_wrap=True)
            return
        count, file = exporting.export(matches, place, form)
    console().print(f"{count:,} games written to {file}", markup=False, soft_wrap=True)


@results.command("import")
def take_in(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Records, as JSON lines.")],
    store: StoreFile = None,
) -> None:
    """Take a file of records into the store, as a run of its own."""
    from facedown.commands.screen import console
    from facedown.store.export import import_records
    from facedown.store.store import Store

    with Store(store) as opened:
        kept = import_records(opened, file)
    console().print(f"run {kept.run}: {kept.done:,} games of {file}", markup=False, soft_wrap=True)


@results.command()
def delete(
    numbers: Numbers,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    store: StoreFile = None,
) -> None:
    """Delete runs with all their games, for good."""
    from facedown.commands.screen import console
    from facedown.shown import shown

    with _existing(store) as opened:
        runs = [opened.run(number) for number in numbers]
        for run in runs:
            words = f"run {run.id}, {run.name}, {run.done:,} games"
            if not yes and not typer.confirm(shown(f"delete {words}?")):
                console().print(f"run {run.id} stays")
                continue
            opened.delete(run.id)
            console().print(f"deleted: {words}", markup=False, soft_wrap=True)


@results.command()
def verify(
    numbers: Annotated[
        list[int] | None,
        typer.Argument(
            metavar="[RUN...]", help="Unless given, all runs.", show_default=False, callback=wholes
        ),
    ] = None,
    rules: Rules = None,
    trust: Trust = False,
    store: StoreFile = None,
) -> None:
    """Check the file, play recorded games again, and compare ends and results."""
    from facedown.commands.replay import loader
    from facedown.commands.screen import console, notes

    screen, failed, load = console(), 0, loader(rules, trust)
    with _existing(store) as opened, notes() as progress:
        for fault in opened.damage():
            failed += 1
            screen.print(f"[bold red]the file is damaged: {fault}[/]", soft_wrap=True)
        for run in [opened.run(n) for n in numbers] if numbers else list(opened.runs()):
            count, faults = 0, list[str]()
            for match in opened.matches(run.id):
                checked, wrong = _verified(match, load, progress.games)
                count, faults = count + checked, faults + wrong
            _tell_verified(run, count, faults)
            failed += len(faults)
    if failed:
        raise typer.Exit(1)


def _verified(match: Kept, load: Callable[[str], Game], progress: Any) -> tuple[int, list[str]]:
    """How many games of a match were played again, and what differs."""
    from facedown.arena.match import recounted
    from facedown.arena.replay import replay
    from facedown.core import FacedownError

    count, faults = 0, []
    try:
        game = load(match.game)
        for record in match.records():
            try:
                replay(record, load(record.game))
            except FacedownError as error:
                faults.append(str(error))
            count += 1
            progress(count, match.done)
        if count != match.done:
            faults.append(f"{match.done} games were counted, {count} are there")
        if match.result is not None and match.settings.get("agents"):
            faults += recounted(match, game)
    except FacedownError as error:
        faults.append(str(error))
    return count, faults


def _tell_verified(run: Run, count: int, faults: list[str]) -> None:
    from rich.markup import escape

    from facedown.commands.screen import console

    screen, games = console(), "1 game" if count == 1 else f"{count:,} games"
    if not faults:
        screen.print(f"[green]run {run.id}: {games} replayed to the recorded end[/]")
        return
    screen.print(f"[bold red]run {run.id}: {len(faults)} of {games} differ[/]")
    for fault in faults[:10]:
        screen.print(f"  {escape(fault)}", soft_wrap=True)
    if len(faults) > 10:
        screen.print(f"  and {len(faults) - 10} more")


def _existing(store: str | None) -> Store:
    """The store that was named, which must be there."""
    from facedown.store.store import Store

    return Store(store, create=False)


def _matches(opened: Store, run: int) -> list[Kept]:
    opened.run(run)  # that there is none is better said than written as an empty file
    return opened.matches(run)


def _plain(run: Run) -> dict[str, Any]:
    return {**run._asdict(), "settings": dict(run.settings), "revisions": list(run.revisions)}


def _match_plain(match: Kept) -> dict[str, Any]:
    names = (
        "place", "name", "game", "settings", "seed", "revision", "version", "wanted", "done",
        "seconds", "begun", "finished", "result", "numbers",
    )  # fmt: skip
    return {name: getattr(match, name) for name in names}


def _show_run(run: Run, matches: list[Kept]) -> None:
    from rich.markup import escape

    from facedown.commands.screen import console
    from facedown.store.errors import readable

    screen = console()
    state = f"finished {run.finished}" if run.finished else "unfinished"
    screen.print(f"[bold]run {run.id}[/]: {run.kind}, {escape(run.name)}", soft_wrap=True)
    screen.print(f"seed {run.seed}, begun {run.begun}, {state}", soft_wrap=True)
    for match in matches:
        screen.print()
        if len(matches) > 1:
            screen.print(f"match {match.place}: {escape(match.name)}", soft_wrap=True)
        if match.result is not None:
            from facedown.arena.results import MatchResult
            from facedown.commands.match import result_table

            with readable(match.store.path):
                result = MatchResult.from_json(match.result)
            screen.print(result_table(result))
        pace = f"{match.done:,} of {match.wanted:,} games of {match.game} in {match.seconds:.1f} s"
        by = f"revision {match.revision}" if match.revision else "played elsewhere"
        line = f"{pace}, seed {match.seed}, {by}, facedown {match.version}"
        screen.print(escape(line), style="dim", soft_wrap=True)
