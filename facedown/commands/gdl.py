"""`facedown gdl`: rule files in the Game Description Language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from facedown.commands.options import Json, seed_word, whole

if TYPE_CHECKING:
    from facedown.gdl.checks import Finding
    from facedown.gdl.info import Info
    from facedown.gdl.simulate import Played
    from facedown.gdl.syntax import Description

gdl = typer.Typer(
    name="gdl",
    help="Rule files in GDL and GDL-II: the library's, and any other.",
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

File = Annotated[str, typer.Argument(metavar="FILE", help="A rule file, or a library's name.")]
Games = Annotated[int, typer.Option(callback=whole, help="Random games to play.")]
Seconds = Annotated[float, typer.Option(help="About how long they may take.")]
Seed = Annotated[int, typer.Option(callback=seed_word, help="Of the random games.")]


@gdl.command("list")
def list_library(json: Json = False) -> None:
    """List the library of rule files."""
    from facedown.commands.screen import console, print_json, table
    from facedown.gdl.library import names, summary

    listed = {name: summary(name) for name in names()}
    if json:
        print_json({"files": [{"name": name, "summary": text} for name, text in listed.items()]})
        return
    shown = table("file", "what it is")
    for name, text in listed.items():
        shown.add_row(f"[bold]{name}[/]", text)
    console().print(shown)


@gdl.command()
def check(
    file: File,
    games: Games = 20,
    seconds: Seconds = 10.0,
    seed: Seed = 0,
    steps: Annotated[
        int, typer.Option(callback=whole, help="A game that has not ended then never does.")
    ] = 2000,
    json: Json = False,
) -> None:
    """Check that rules are valid and, by random games, that they can be played."""
    from facedown.commands.screen import print_json
    from facedown.core import SpecError
    from facedown.gdl.checks import check_rules
    from facedown.gdl.library import find
    from facedown.gdl.reader import read_file
    from facedown.gdl.trial import tried

    if games < 1 or steps < 1 or not seconds > 0:
        raise SpecError(f"games {games}, steps {steps}, seconds {seconds:g}: all more than 0")
    description = read_file(find(file))
    findings = check_rules(description)
    played = None
    if not any(each.severity == "error" for each in findings):
        played = tried(description, games=games, seconds=seconds, steps=steps, seed=seed)
        findings += played.faults
    if json:
        print_json(_as_json(description, findings, played))
    else:
        _show_findings(file, description, findings, played)
    _leave(description, findings, played)


def _leave(description: Description, findings: list[Finding], played: Played | None) -> None:
    """Status 2 where the rules cannot be meant, 1 where games go wrong."""
    from facedown.gdl.errors import GdlError

    errors = [each for each in findings if each.severity == "error"]
    if errors and played is None:
        raise GdlError(description.source, errors[0].place, errors[0].words)
    if errors:
        raise typer.Exit(1)


def _as_json(
    description: Description, findings: list[Finding], played: Played | None
) -> dict[str, Any]:
    listed = [
        {
            "severity": each.severity,
            "line": each.place.line,
            "column": each.place.column,
            "words": each.words,
        }
        for each in findings
    ]
    games = None if played is None else {"games": played.games, "states": played.states}
    return {"source": description.source, "findings": listed, "played": games}


def _show_findings(
    file: str, description: Description, findings: list[Finding], played: Played | None
) -> None:
    from rich.markup import escape

    from facedown.commands.screen import console

    screen = console()
    for each in findings:
        style = "red" if each.severity == "error" else "yellow"
        screen.print(f"[{style}]{escape(each.line(description.source))}[/]", soft_wrap=True)
    wrong = sum(each.severity == "error" for each in findings)
    if played is None:
        return
    end = "[bold red]cannot be played[/]" if wrong else "[bold green]valid and playable[/]"
    facts = f"{played.games} random games, {played.states:,} states, {played.seconds:.1f} s"
    screen.print(f"{escape(file)}: {end} [dim]({facts})[/]", soft_wrap=True)


@gdl.command()
def info(
    file: File, games: Games = 100, seconds: Seconds = 5.0, seed: Seed = 0, json: Json = False
) -> None:
    """Show the roles and the size of a game, as random games show it."""
    from facedown.commands.screen import print_json
    from facedown.core import SpecError
    from facedown.gdl.info import info as facts
    from facedown.gdl.library import find

    if games < 1 or not seconds > 0:
        raise SpecError(f"games {games}, seconds {seconds:g}: 1 game and some time are wanted")
    found = facts(find(file), games=games, seconds=seconds, seed=seed)
    if json:
        print_json(found.to_json())
    else:
        _show_info(found)


def _show_info(found: Info) -> None:
    from rich.markup import escape

    from facedown.commands.screen import console, table

    shown = table("", "")
    shown.show_header = False
    for label, value in _rows(found):
        shown.add_row(f"[bold]{label}[/]", escape(value))
    console().print(shown)


def _rows(found: Info) -> list[tuple[str, str]]:
    sample = found.sample
    least, mean, most = sample.steps
    rules = f"{found.rules} of {found.relations} relations"
    recursive = f"; recursive: {', '.join(found.recursive)}" if found.recursive else ""
    repairs = f"; {found.repairs} repaired" if found.repairs else ""
    took = f"read in {found.read_seconds:.3f} s, compiled in {found.compile_seconds:.3f} s"
    return [
        ("file", found.source),
        ("language", found.language),
        ("roles", ", ".join(found.roles)),
        ("rules", f"{rules}{recursive}{repairs}; {took}"),
        ("random games", f"{sample.games}, of {least} to {most} steps, {mean:.1f} on average"),
        ("fluents", f"{sample.fluents} met"),
        ("moves", f"{_each(sample.moves)} met, up to {sample.most_moves} at once"),
        ("percepts", f"{_each(sample.percepts)} met"),
        ("goals", _goals(sample.goals)),
        ("lifted reasoner", f"{sample.states_per_second:,.0f} states a second"),
        *_grounded_rows(found),
    ]


def _grounded_rows(found: Info) -> list[tuple[str, str]]:
    """The lines of the rule network."""
    net = found.grounded
    if net is None:
        return [("rule network", f"none: {found.lacking}")]
    percepts = f"; percepts {_each(net.percepts)}" if any(net.percepts.values()) else ""
    took = f"grounded in {net.ground_seconds:.2f} s, built in {net.network_seconds:.2f} s"
    plain, seeing = f"{net.states_per_second:,.0f}", f"{net.seeing_per_second:,.0f}"
    return [
        ("grounded", f"{net.fluents} fluents; moves {_each(net.moves)}{percepts}"),
        ("rule network", f"{net.rules:,} rules, {net.gates:,} gates, {net.edges:,} edges; {took}"),
        ("its speed", f"{plain} states a second, {seeing} with percepts"),
    ]


def _each(counts: dict[str, int]) -> str:
    return ", ".join(f"{role} {count}" for role, count in counts.items())


def _goals(goals: dict[str, tuple[int, float, int] | None]) -> str:
    return ", ".join(
        f"{role} {spread[0]} to {spread[2]}, mean {spread[1]:.1f}"
        for role, spread in goals.items()
        if spread is not None
    )
