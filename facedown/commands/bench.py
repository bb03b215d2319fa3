"""`facedown bench`: how fast this machine searches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from facedown.commands.options import Json

if TYPE_CHECKING:
    from facedown.arena.bench import Bench


def bench(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Unless given, every game of the house.")
    ] = None,
    agent: Annotated[str, typer.Argument(metavar="[AGENT]")] = "so-ismcts",
    seconds: Annotated[
        float | None,
        typer.Option(
            help="Time each search for so long.",
            show_default="AGENT's budget; or 1, and of one GAME 20,000 and 1,000,000 iterations",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Time a search from the first decision after a fixed deal."""
    from facedown.arena.bench import bench as run
    from facedown.arena.bench import bench_steps
    from facedown.commands.screen import console, notes, print_json
    from facedown.core import SpecError
    from facedown.games.registry import GAMES

    if seconds is not None and not seconds > 0:
        raise SpecError(f"seconds is {seconds}; more than 0 is wanted")
    specs = list(GAMES) if game is None else [game]
    with notes(only=True) as progress:
        found = []
        for done, spec in enumerate(specs):
            progress.step(f"timing {agent} on {spec}", done, len(specs))
            if game is not None and seconds is None:
                found += bench_steps(spec, agent)
            else:
                found.append(run(spec, agent, seconds=seconds))
    if json:
        first = found[0].to_json()
        print_json({**first, "all": [one.to_json() for one in found]} if len(found) > 1 else first)
    else:
        console().print(bench_table(found))


def bench_table(found: list[Bench], *, agents: bool = True) -> object:
    """The speeds as a table, with or without the agents' column."""
    from rich.markup import escape

    from facedown.commands.screen import table

    names = ("game", "agent") if agents else ("game",)
    numbers = ("iterations", "iterations/s", "playouts/s", "nodes", "memory")
    shown = table(*names, *numbers, right=tuple(range(len(names), len(names) + len(numbers))))
    for one in found:
        shown.add_row(
            *(escape(name) for name in (one.game, one.agent)[: len(names)]),
            f"{one.iterations:,}",
            f"[bold]{one.iterations_per_second:,.0f}[/]",
            f"{one.playouts_per_second:,.0f}",
            f"{one.nodes:,}",
            size_text(one.bytes),
        )
    return shown


def size_text(n: int) -> str:
    """A number of bytes in words.

    >>> size_text(900), size_text(3_200_000)
    ('900 B', '3.2 MB')
    """
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if n >= unit:
            return f"{n / unit:.1f} {name}"
    return f"{n} B"
