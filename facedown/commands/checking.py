"""`facedown check` and `facedown exploit`: is a game sound, can an agent be beaten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from facedown.commands.listing import Json

if TYPE_CHECKING:
    from facedown.arena.exploit import ExploitResult
    from facedown.laws import Finding, Findings

_MARKS = {"held": "[green]held[/]", "broken": "[bold red]BROKEN[/]", "skipped": "[dim]skipped[/]"}


def check(
    game: Annotated[str, typer.Argument(metavar="GAME")],
    games: Annotated[int, typer.Option(help="Random games to look at.")] = 50,
    seed: Annotated[int, typer.Option(help="Of the first random game; the others follow.")] = 0,
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


def exploit(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Two players, zero sum, small.")],
    agent: Annotated[str, typer.Argument(metavar="AGENT")],
    mode: Annotated[
        Literal["play", "average"],
        typer.Option(
            help="play: the agent as it plays, searching at each decision; "
            "average: the average strategy of one search from the deal."
        ),
    ] = "play",
    iterations: Annotated[
        str | None,
        typer.Option(
            help="Where to take the curve, e.g. 100,1000.", show_default="AGENT's, or some"
        ),
    ] = None,
    seeds: Annotated[
        int | None, typer.Option(help="Average over so many.", show_default="100; average: 1")
    ] = None,
    seed: Annotated[int, typer.Option(help="Where those seeds come from.")] = 0,
    json: Json = False,
) -> None:
    """Measure what a best response wins from an agent."""
    from facedown.agents.registry import agent_class
    from facedown.arena.bench import warm_up
    from facedown.arena.exploit import exploit_curve
    from facedown.commands.screen import notes, print_json
    from facedown.games.registry import load_game

    steps = _whole_numbers(iterations)
    with notes(only=True) as progress:
        loaded = load_game(game)
        if not getattr(agent_class(agent, loaded), "cheats", False):  # it will be refused
            warm_up(game, [agent])
        progress.compiled()

        def tell(done: int, total: int) -> None:
            progress.step(f"searching {game}", done, total)

        found = exploit_curve(loaded, agent, steps, seeds, mode, tell, seed=seed)
    if json:
        print_json(found.to_json())
    else:
        _show_curve(found)


def _whole_numbers(text: str | None) -> list[int]:
    from facedown.core import SpecError

    try:
        return [int(part.replace("_", "")) for part in text.split(",")] if text else []
    except ValueError:
        raise SpecError(
            f"iterations is {text!r}; whole numbers are wanted, e.g. 100,1000"
        ) from None


def _show_curve(found: ExploitResult) -> None:
    from rich.markup import escape

    from facedown.commands.screen import console, table

    shown = table(
        "iterations", "exploitability", "best response as 0", "as 1", "time", right=(0, 1, 2, 3, 4)
    )
    for point in found.points:
        first, second = point.best_responses
        shown.add_row(
            "as it is" if point.iterations is None else f"{point.iterations:,}",
            f"[bold]{point.exploitability:.4f}[/]",
            f"{first:+.4f}",
            f"{second:+.4f}",
            f"{point.seconds:.1f} s",
        )
    how = "as it plays" if found.mode == "play" else "average strategy of one search from the deal"
    screen = console()
    screen.print(f"[bold]{escape(found.agent)}[/] in {escape(found.game)}, {how}", soft_wrap=True)
    screen.print(shown)
    seeds = "1 seed" if found.seeds == 1 else f"{found.seeds} seeds"
    facts = f"{found.infosets:,} information sets, {found.histories:,} histories, {seeds}"
    screen.print(f"0 is perfect play; uniform play has {found.uniform:.4f}", soft_wrap=True)
    screen.print(facts, style="dim", soft_wrap=True)
