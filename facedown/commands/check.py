"""`facedown check`: is a game sound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from facedown.commands.options import Json, seed_word, whole

if TYPE_CHECKING:
    from facedown.laws import Finding, Findings

_MARKS = {"held": "[green]held[/]", "broken": "[bold red]BROKEN[/]", "skipped": "[dim]skipped[/]"}


def check(
    game: Annotated[str, typer.Argument(metavar="GAME")],
    games: Annotated[int, typer.Option(callback=whole, help="Random games to look at.")] = 50,
    seed: Annotated[
        int, typer.Option(callback=seed_word, help="Of the first random game; the others follow.")
    ] = 0,
    seconds: Annotated[float, typer.Option(help="About how long it may take.")] = 60.0,
    law: Annotated[
        list[str] | None, typer.Option(help="Try only this law, and what it needs; repeatable.")
    ] = None,
    json: Json = False,
) -> None:
    """Fuzz a game against its laws; status 1 if one is broken."""
    from facedown.commands.screen import notes, print_json
    from facedown.core import SpecError
    from facedown.games.registry import load_game
    from facedown.laws import check_game

    if games < 1 or not seconds > 0:
        raise SpecError(f"games {games}, seconds {seconds:g}: 1 game and some time are wanted")
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
        _show_findings(game, found)
    if not found.ok:
        raise typer.Exit(1)


def _show_findings(game: str, found: Findings) -> None:
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
    broken = len(found.broken)
    laws = "1 law is broken" if broken == 1 else f"{broken} laws are broken"
    end = f"[bold red]{laws}[/]" if broken else "[bold green]no law is broken[/]"
    facts = f"{found.games} random games from seed {found.seed}, {found.seconds:.1f} s"
    screen.print(f"{escape(game)}: {end} [dim]({facts})[/]", soft_wrap=True)


def _words(finding: Finding) -> str:
    if finding.status == "broken":
        return finding.statement
    cases = f"{finding.cases:,} cases" if finding.status == "held" else ""
    return "; ".join(part for part in (cases, finding.note) if part)
