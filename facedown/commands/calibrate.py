"""`facedown calibrate`: the best options of an agent, by an elimination tournament."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from facedown.commands import InterruptedRunError
from facedown.commands.options import Jobs, Json, RunSeed, StoreFile, whole

if TYPE_CHECKING:
    from facedown.commands.screen import Notes
    from facedown.papers.calibration import Elimination, PairingProgress


def calibrate(
    game: Annotated[str, typer.Argument(metavar="GAME")],
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="With the options that are fixed.")],
    over: Annotated[
        list[str],
        typer.Option(
            metavar="OPTION=VALUE,VALUE...",
            help="Values that are tried; all combinations where it is repeated.",
        ),
    ],
    games: Annotated[int, typer.Option(callback=whole, help="Games of a pairing.")] = 100,
    seed: RunSeed = None,
    jobs: Jobs = None,
    store: StoreFile = None,
    json: Json = False,
) -> None:
    """Find an agent's options by an elimination tournament (Bitan and Kraus 2017)."""
    from facedown.arena.sweep import parse_grid
    from facedown.commands.screen import notes, print_json
    from facedown.papers.calibration import KIND, Elimination
    from facedown.store.store import Store

    grid = parse_grid(over)
    tournament = Elimination(game, agent, grid, games, seed or 0, jobs=jobs)
    tournament.check()
    with Store(store) as opened, notes(only=True) as progress:
        tournament.seed = opened.seed_for(KIND, tournament.settings, seed)
        tournament.store, tournament.tell = opened, _teller(progress)
        try:
            winner = tournament.play()
        except KeyboardInterrupt as stop:
            raise InterruptedRunError(
                f"interrupted after {len(tournament.pairings)} of {tournament.total} pairings; "
                "the same command goes on from there"
            ) from stop
    if json:
        print_json(_plain(tournament, winner))
    else:
        _show(tournament, winner)


def _plain(tournament: Elimination, winner: str) -> dict[str, object]:
    pairings = [
        {"round": one.round, "agents": one.specs, "won": one.won, "winner": one.winner}
        for one in tournament.pairings
    ]
    return {
        "game": tournament.game,
        "candidates": len(tournament.candidates),
        "games": tournament.games,
        "seed": tournament.seed,
        "pairings": pairings,
        "winner": winner,
    }


def _show(tournament: Elimination, winner: str) -> None:
    """All pairings, who went on first, and the winner."""
    from rich.markup import escape

    from facedown.commands.screen import console, table

    shown = table("round", "goes on", "games", "is out", "games", right=(0, 2, 4))
    head = len(tournament.agent) + 1  # what all candidates have in common
    for one in tournament.pairings:
        order = (0, 1) if one.winner == one.specs[0] else (1, 0)
        cells = [x for k in order for x in (escape(one.specs[k][head:]), f"{one.won[k]:g}")]
        shown.add_row(str(one.round), *cells)
    screen = console()
    screen.print(shown)
    words = ["facedown", "calibrate", tournament.game, tournament.agent]
    for name, values in tournament.grid.items():
        words += ["--over", f"{name}={','.join(values)}"]
    words += ["--games", str(tournament.games), "--seed", str(tournament.seed)]
    count = len(tournament.candidates)
    screen.print(f"of {count} candidates the winner is {winner}", markup=False, soft_wrap=True)
    screen.print(f"again: {shlex.join(words)}", style="dim", markup=False, soft_wrap=True)


def _teller(progress: Notes) -> Callable[[PairingProgress], None]:
    """A bar that moves in a terminal, and a line for every pairing that is finished."""
    from facedown.commands.paper import time_text

    def tell(step: PairingProgress) -> None:
        left = "" if step.left is None else f", about {time_text(step.left)} to go"
        if step.finished is None:
            progress.compiled()
            size = step.cell.games
            words = f"{step.cell.name} of {step.total}{left}: {step.games} of {size} games"
            progress.step(words, step.done * size + step.games, step.total * size)
            return
        one = step.finished
        score = f"{max(one.won):g} to {min(one.won):g}"
        pace = f"{step.done + 1} of {step.total} pairings{left}"
        progress.line(f"{pace}; {one.winner} goes on, {score}")

    return tell
