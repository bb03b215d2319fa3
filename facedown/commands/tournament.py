"""`facedown tournament`: many agents, who meets whom, and how strong each is."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated, Any

import typer

from facedown.commands import InterruptedRunError
from facedown.commands.options import (
    Address,
    BackendName,
    Clock,
    Isolate,
    IsolateLimits,
    Jobs,
    Json,
    Margin,
    New,
    Seed,
    Stop,
    StoreFile,
    whole,
)

if TYPE_CHECKING:
    from facedown.arena.schedule import Met, Reached, Telling
    from facedown.arena.tournament import Description, Tournament, TournamentResult
    from facedown.commands.screen import Notes
    from facedown.store.store import Run


def tournament(
    game: Annotated[
        str, typer.Argument(metavar="GAME|FILE.toml", help="A game, or a file that says it all.")
    ],
    agents: Annotated[
        list[str] | None, typer.Argument(metavar="[AGENT...]", show_default=False)
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            metavar="FORM",
            help="round-robin, against, ladder, elimination or tables.",
            show_default="round-robin, or against where that is given",
        ),
    ] = None,
    over: Annotated[
        list[str] | None,
        typer.Option(
            metavar="OPTION=VALUE,VALUE...",
            help="Values that every agent is tried with; all combinations where it is repeated.",
            show_default=False,
        ),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AGENT", help="Whom all agents meet; may be repeated.", show_default=False
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(callback=whole, help="Games of a match, at most.", show_default="100"),
    ] = None,
    seed: Seed = None,
    jobs: Jobs = None,
    clock: Clock = None,
    duplicate: Annotated[
        bool | None, typer.Option(help="Play each deal once from every seat.", show_default="yes")
    ] = None,
    stop: Stop = None,
    margin: Margin = None,
    backend: BackendName = "local",
    address: Address = None,
    isolate: Isolate = None,
    limits: IsolateLimits = "",
    new: New = False,
    store: StoreFile = None,
    json: Json = False,
) -> None:
    """Play a tournament: round robin, one against many, ladder, elimination; sweeps of options.

    The store keeps its games: the same command goes on where it stopped, and shows what is done.
    """
    from facedown.arena.apart.limits import limits_of
    from facedown.arena.apart.seat import Cells, Isolation
    from facedown.arena.backends import backend_of
    from facedown.arena.sweep import parse_grid
    from facedown.arena.tournament import Tournament
    from facedown.commands.screen import notes, print_json
    from facedown.store.store import Store

    given = {
        "agents": agents, "form": form, "against": against, "games": games, "clock": clock,
        "duplicate": duplicate, "stop": stop, "margin": margin, "seed": seed,
        "over": parse_grid(over) if over else None,
    }  # fmt: skip
    told, seed = _described(game, {k: v for k, v in given.items() if v not in (None, [])})
    where = backend_of(backend, address, jobs)
    with notes(only=True) as progress, Store(store) as opened:
        apart = Isolation(isolate, Cells(limits_of(limits)))
        played = Tournament(told, jobs=jobs, isolation=apart)
        run = played.begin(opened, seed, new=new)
        _tell_begun(run, played)
        try:
            result = played.play(opened, run, where, _teller(progress, played))
        except KeyboardInterrupt as stopped:
            done = opened.run(run.id).done
            raise InterruptedRunError(
                f"interrupted after {done:,} games of run {run.id}; "
                "the same command goes on from there"
            ) from stopped
    if json:
        current = {"revision": played.revision, "revisions": list(run.revisions)}
        print_json({**result.to_json(), **current})
        return
    _show(result, played, run, shlex.join(_again(game, told, run.seed)))


def _described(game: str, given: dict[str, Any]) -> tuple[Description, int | None]:
    """What is to be played, and by which seed: a file's words, or those of the command line."""
    from facedown.arena.tournament import described, read_description

    plain: dict[str, Any] = {"game": game}
    if game.endswith(".toml"):
        plain = read_description(game)
    plain |= given
    if plain.get("against"):
        plain.setdefault("form", "against")
    return described(plain), plain.get("seed")


def _tell_begun(run: Run, played: Tournament) -> None:
    from facedown.commands.screen import say

    if run.finished is None and run.done:
        say(f"run {run.id} goes on: {run.done:,} games are there")


def _teller(progress: Notes, played: Tournament) -> Telling:
    """A bar that moves in a terminal, and a line for every encounter that has ended."""
    told = played.description
    at_most = told.form == "ladder" or told.stopping is not None

    def tell(step: Reached) -> None:
        if step.met is not None:
            progress.line(f"{step.met.name}: {_score(step.met)}")
        progress.games(step.done, played.most_games, at_most=at_most)

    return tell


def _score(met: Met) -> str:
    points = " to ".join(f"{one:g}" for one in met.points)
    verdict = f", {' and '.join(met.verdicts)}" if met.verdicts else ""
    return f"{points} in {met.games} games{verdict}"


def _show(result: TournamentResult, played: Tournament, run: Run, again: str) -> None:
    """Who met whom, how strong all are, how to get it again."""
    from rich.markup import escape

    from facedown.commands.screen import console, remark

    screen = console()
    screen.print(_met_table(result))
    screen.print()
    screen.print(_rating_table(result))
    screen.print()
    if result.order:
        words = "wins" if result.form == "elimination" else "stands highest"
        screen.print(escape(f"{result.order[0]} {words}"), soft_wrap=True)
    remark(
        f"run {result.run}: {result.games:,} games of {result.game}, {result.form}, "
        f"seed {result.seed}"
    )
    if run.finished:
        remark(f"finished {run.finished[:16].replace('T', ' ')}; --new plays another")
    others = [one for one in run.revisions if one != played.revision]
    if others:
        line = f"played by revision {others[0]} of the code, which is now {played.revision}"
        remark(f"{line}: --new plays it anew", style="yellow")
    remark(f"again: {again}")


def _met_table(result: TournamentResult) -> object:
    from rich.markup import escape

    from facedown.commands.screen import table

    named = bool(result.order)
    verdicts = any(one.verdicts for one in result.met)
    heads = [*(["encounter"] if named else []), "agents", "points", "games"]
    shown = table(*heads, *(["verdict"] if verdicts else []), right=(named + 1, named + 2))
    for one in result.met:
        cells = [one.name] if named else []
        cells += ["\n".join(map(escape, one.agents)), "\n".join(f"{p:g}" for p in one.points)]
        shown.add_row(*cells, str(one.games), *([" ".join(one.verdicts)] if verdicts else []))
    return shown


def _rating_table(result: TournamentResult) -> object:
    from rich.markup import escape

    from facedown.commands.screen import table

    shown = table("agent", "Elo (95 %)", "games", "share of wins", right=(1, 2, 3))
    for one in result.ratings:
        elo = f"[bold]{one.rating:+.0f}[/] ({one.low:+.0f} to {one.high:+.0f})"
        shown.add_row(escape(one.agent), elo, str(one.games), f"{one.share:.1%}")
    return shown


def _again(game: str, told: Description, seed: int) -> list[str]:
    """The command that plays the same tournament."""
    words = ["facedown", "tournament", game]
    if game.endswith(".toml"):
        return [*words, "--seed", str(seed)]
    words += [*told.agents, "--form", told.form, "--games", str(told.games), "--seed", str(seed)]
    for option, values in told.over.items():
        words += ["--over", f"{option}={','.join(values)}"]
    for agent in told.against:
        words += ["--against", agent]
    words += [] if told.clock is None else ["--clock", f"{told.clock:g}"]
    words += [] if told.stop is None else ["--stop", f"{told.stop:g}"]
    words += [] if told.margin is None else ["--margin", f"{told.margin:g}"]
    return words if told.duplicate else [*words, "--no-duplicate"]
