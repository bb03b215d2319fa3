"""`facedown check`: is a game sound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from facedown.commands.options import Json, seed_word, whole

if TYPE_CHECKING:
    from facedown.laws import Finding, Findings

TOO_LITTLE = 3
"""The status where too little was seen to say that nothing is broken, unless less was asked for."""

_MOST_SECONDS = 10**6
_MARKS = {"held": "[green]held[/]", "broken": "[bold red]BROKEN[/]", "skipped": "[dim]skipped[/]"}


def check(
    game: Annotated[str, typer.Argument(metavar="GAME")],
    games: Annotated[
        int | None,
        typer.Option(callback=whole, help="Look at so many random games and no further."),
    ] = None,
    seed: Annotated[
        int, typer.Option(callback=seed_word, help="Of the first random game; the others follow.")
    ] = 0,
    seconds: Annotated[float, typer.Option(help="How long it takes, compiling apart.")] = 60.0,
    law: Annotated[
        list[str] | None, typer.Option(help="Try only this law, and what it needs; repeatable.")
    ] = None,
    json: Json = False,
) -> None:
    """Fuzz a game against its laws; status 1 if one is broken, 3 if that is too little to say."""
    from facedown.commands.screen import notes, print_json
    from facedown.core import SpecError
    from facedown.games.registry import load_game
    from facedown.laws import check_game

    if (games is not None and games < 1) or not 0 < seconds <= _MOST_SECONDS:
        what = f"games {'open' if games is None else games}, seconds {seconds:g}"
        raise SpecError(f"{what}: 1 game at least and up to {_MOST_SECONDS:,} s are wanted")
    with notes(only=True) as progress:
        found = check_game(
            lambda: load_game(game),
            seed=seed,
            games=games,
            seconds=seconds,
            progress=progress.step,
            only=tuple(law or ()),
        )
    if json:
        print_json(found.as_json())
    else:
        _show_findings(game, found, whole_check=not law)
    if not found.ok:
        raise typer.Exit(1)
    if found.coverage.lacks and games is None and not law:
        raise typer.Exit(TOO_LITTLE)


def _show_findings(game: str, found: Findings, *, whole_check: bool) -> None:
    from rich.markup import escape

    from facedown.commands.screen import console, table

    shown, screen = table("", "law", "what was found"), console()
    for finding in found:
        shown.add_row(_MARKS[finding.status], finding.law, escape(_words(finding)))
    screen.print(shown)
    for finding in found.broken:
        screen.print(f"[bold red]{finding.law}[/]: {escape(finding.statement)}", soft_wrap=True)
        for violation in finding.violations:
            screen.print(f"  {escape(violation.text)}", soft_wrap=True)
    facts = f"{found.games} random games from seed {found.seed}, {found.seconds:.1f} s"
    screen.print(f"{escape(game)}: {_verdict(found)} [dim]({facts})[/]", soft_wrap=True)
    if whole_check and not found.broken:
        _show_coverage(game, found)


def _verdict(found: Findings) -> str:
    broken = len(found.broken)
    if broken:
        return f"[bold red]{'1 law is' if broken == 1 else f'{broken} laws are'} broken[/]"
    return "[bold green]no law is broken[/]"


def _show_coverage(game: str, found: Findings) -> None:
    """What was looked at, and how much that proves; or what to run for that to be enough."""
    from rich.markup import escape

    from facedown.commands.screen import console

    screen, seen = console(), found.coverage
    screen.print(f"[dim]{escape(seen.text)}[/]", soft_wrap=True)
    if seen.lacks:
        longer = f"facedown check {game} --seconds {max(60, 2 * round(found.seconds))}"
        lacks = "; ".join(seen.lacks)
        screen.print(f"[yellow]too little to say[/]: {escape(lacks)}", soft_wrap=True)
        screen.print(f"run {escape(longer)}", soft_wrap=True)
    else:
        screen.print(f"[dim]{escape(seen.proves)}[/]", soft_wrap=True)


def _words(finding: Finding) -> str:
    if finding.status == "broken":
        return finding.statement
    cases = f"{finding.cases:,} cases" if finding.status == "held" else ""
    return "; ".join(part for part in (cases, finding.note) if part)
