"""`facedown match`: many games, seats rotating, and how sure the result is."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated

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
    Overwrite,
    Save,
    Seed,
    Stop,
    StoreFile,
    whole,
)

if TYPE_CHECKING:
    from facedown.arena.results import AgentResult, MatchResult
    from facedown.core.files import NewFile
    from facedown.store.kept import Kept


def match(
    game: Annotated[str, typer.Argument(metavar="GAME")],
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="AGENT...",
            help="One a seat; AGENT*3 fills three. SIDE=AGENT for each side of a game with sides.",
        ),
    ],
    games: Annotated[int, typer.Option(callback=whole, help="How many games to play.")] = 100,
    seed: Seed = None,
    jobs: Jobs = None,
    clock: Clock = None,
    duplicate: Annotated[bool, typer.Option(help="Play each deal once from every seat.")] = True,
    stop: Stop = None,
    margin: Margin = None,
    backend: BackendName = "local",
    address: Address = None,
    isolate: Isolate = None,
    limits: IsolateLimits = "",
    new: New = False,
    save: Save = None,
    overwrite: Overwrite = False,
    store: StoreFile = None,
    json: Json = False,
) -> None:
    """Play a match: who is stronger, and how sure that is.

    The store keeps its games: the same command goes on where it stopped, and shows what is done.
    """
    from facedown.arena.ahead import search_ahead
    from facedown.arena.apart.limits import limits_of
    from facedown.arena.apart.seat import Cells, Isolation
    from facedown.arena.backends import backend_of
    from facedown.arena.match import MatchInterrupt, arrange, keep_match
    from facedown.arena.sequential import stopping_of
    from facedown.commands.screen import console, notes, print_json
    from facedown.store.store import Store

    stopped = False
    place, where = _place(save, overwrite), backend_of(backend, address, jobs)
    with notes(only=True) as progress, Store(store) as opened, search_ahead(agents):
        apart = Isolation(isolate, Cells(limits_of(limits)))
        fixture = arrange(
            game,
            agents,
            games,
            duplicate=duplicate,
            clock=clock,
            stopping=stopping_of(stop, margin),
            jobs=jobs,
            isolation=apart,
        )
        ask = fixture.ask(seed)
        kept = opened.match(ask, new=new)
        earlier = kept.finished
        _tell_begun(kept)
        if jobs is not None and jobs > 1 and earlier is None and backend == "local":
            from facedown.arena.bench import warm_up

            warm_up(game, agents)  # here, where it shows; the workers then find it in the cache
        try:
            result: MatchResult | None = keep_match(
                fixture, kept, backend=where, progress=progress.games
            )
        except MatchInterrupt as ended:
            result, stopped = ended.result, True
        save = _save(kept, place)
    if result is not None and json:
        which = {"run": kept.run, "revision": kept.revision, "current": ask.revision}
        print_json({**result.to_json(), **which})
    elif result is not None:
        console().print(result_table(result))
        same = _again(game, agents, games, result.seed, clock, duplicate)
        same += [*stop_words(stop, margin), *_isolation_words(isolate, limits)]
        _close(result, same, save)
        _tell_kept(kept, earlier, ask.revision)
    if stopped:
        done = result.games if result else 0
        raise InterruptedRunError(
            f"interrupted after {done} of {games} games; the same command goes on from there"
        )


def _place(save: str | None, overwrite: bool) -> NewFile | None:
    """Where `--save` goes; SpecError, before any game is played, where nothing can be written."""
    from facedown.core.files import NewFile

    return None if save is None else NewFile(save, overwrite=overwrite)


def _save(kept: Kept, place: NewFile | None) -> str | None:
    """Write the games that there are; where they are."""
    from facedown.store.export import export

    return str(export([kept], place, "jsonl")[1]) if place is not None and kept.done else None


def _tell_begun(kept: Kept) -> None:
    """Say that games are there from before, on stderr."""
    from facedown.commands.screen import say

    if kept.finished is None and kept.done:
        say(f"run {kept.run} goes on: {kept.done:,} of {kept.wanted:,} games are there")


def _tell_kept(kept: Kept, earlier: str | None, revision: str) -> None:
    """Say where the result is kept, and that it is no new one, if it is none."""
    from rich.markup import escape

    from facedown.commands.screen import console

    if earlier is None:
        return
    screen = console()
    when = earlier[:16].replace("T", " ")
    line = f"run {kept.run}, finished {when}; --new plays another"
    screen.print(escape(line), style="dim", soft_wrap=True)
    if kept.revision != revision:
        line = f"played by revision {kept.revision} of the code, which is now {revision}"
        screen.print(f"[yellow]{escape(line)}: --new plays it anew[/]", soft_wrap=True)


def result_table(result: MatchResult, title: str | None = None) -> object:
    """The result of a match as a table."""
    from rich.markup import escape

    from facedown.commands.screen import table

    shown = table(
        "agent", "games", "wins", "draws", "win rate (95 %)", "payoff ± se", "p",
        right=(1, 2, 3, 4, 5, 6), title=title,
    )  # fmt: skip
    for agent in result.agents:
        shown.add_row(
            escape(f"{agent.side}: " if agent.side else "")
            + escape(agent.spec)
            + (" [bold red]CHEATS[/]" if agent.cheats else ""),
            str(agent.games),
            str(agent.wins),
            str(agent.draws),
            f"[bold]{agent.win_rate:.1%}[/] ({agent.low:.0%}–{agent.high:.0%})",
            _payoff(agent),
            _p_value(agent.p_value),
        )
    return shown


def verdict_text(result: MatchResult) -> str:
    """What a sequential test has come to, and what it stands for."""
    test, first = result.test or {}, result.agents[0].spec
    words = {
        "better": f"{first} is better",
        "worse": f"{first} is worse",
        "even": f"{first} is even, within {test['margin'] or 0:g}",
        "open": f"nothing is decided about {first}",
    }[test["verdict"]]
    return (
        f"sequential test after {test['deals']} deals: {words} (error {test['error']:g}); its "
        f"share of wins is {test['share']:.1%}, whenever one looks within {test['low']:.1%} to "
        f"{test['high']:.1%}; the table's intervals and p do not allow for stopping"
    )


def stop_words(stop: float | None, margin: float | None) -> list[str]:
    """The options of a test that may end a match, as they are given."""
    words = [] if stop is None else ["--stop", f"{stop:g}"]
    return words if margin is None else [*words, "--margin", f"{margin:g}"]


def _payoff(agent: AgentResult) -> str:
    error = "" if agent.standard_error is None else f" ± {agent.standard_error:.2f}"
    return f"{agent.mean_payoff:+.2f}{error}"


def _p_value(p: float) -> str:
    return f"{p:.2f}" if p >= 0.01 else f"{p:.3f}" if p >= 0.001 else "<0.001"


def _close(result: MatchResult, command: list[str], save: str | None) -> None:
    """What went wrong, what to know, how long it took, how to get it again."""
    from rich.markup import escape

    from facedown.commands.screen import console

    screen = console()
    screen.print()
    for agent in result.agents:
        for reason, count in agent.forfeits.items():
            times = "game" if count == 1 else "games"
            line = f"{agent.spec} forfeited {count} {times}: {reason}"
            screen.print(f"[red]{escape(line)}[/]", soft_wrap=True)
    for note in result.notes:
        screen.print(f"[yellow]{escape(note)}[/]", soft_wrap=True)
    if result.isolation is not None:
        apart = ", ".join(agent.spec for agent in result.agents if agent.isolated)
        screen.print(escape(f"isolated: {apart}"), style="dim", soft_wrap=True)
    if save is not None:
        screen.print(escape(f"games recorded in {save}"), soft_wrap=True)
    if result.test is not None:
        screen.print(escape(verdict_text(result)), soft_wrap=True)
    pace = f"{result.games} games of {result.game} in {result.seconds:.1f} s, seed {result.seed}"
    screen.print(escape(pace), style="dim", soft_wrap=True)
    screen.print(escape(f"again: {shlex.join(command)}"), style="dim", soft_wrap=True)


def _again(
    game: str, agents: list[str], games: int, seed: int, clock: float | None, duplicate: bool
) -> list[str]:
    """The command that plays the same match."""
    words = ["facedown", "match", game, *agents, "--games", str(games), "--seed", str(seed)]
    words += [] if clock is None else ["--clock", f"{clock:g}"]
    return words if duplicate else [*words, "--no-duplicate"]


def _isolation_words(isolate: bool | None, limits: str) -> list[str]:
    words = [] if isolate is None else ["--isolate" if isolate else "--no-isolate"]
    return [*words, "--limits", limits] if limits else words
