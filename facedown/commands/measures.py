"""`facedown measures`: what a game's tree is like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from facedown.commands.options import Json, seed_word, whole

if TYPE_CHECKING:
    from facedown.arena.measures import Measure, Measures

_MEANINGS = {
    "same_payoff": ("leaf correlation", "sibling ends pay the same"),
    "same_winner": ("  of winners", "sibling ends have the same winner"),
    "bias": ("bias", "player 0's share where they have"),
    "favoured": ("  over all", "player 0's share of random games"),
    "disambiguation": ("disambiguation", "worlds ruled out by a player's next decision"),
}


def measures(
    game: Annotated[str, typer.Argument(metavar="GAME")],
    samples: Annotated[
        int | None,
        typer.Option(
            callback=whole, help="Random games.", show_default="1000; small games are enumerated"
        ),
    ] = None,
    seed: Annotated[int, typer.Option(callback=seed_word, help="Of the random games.")] = 0,
    json: Json = False,
) -> None:
    """Measure when it harms to search worlds as if all were seen (Long et al. 2010)."""
    from facedown.arena.measures import measure
    from facedown.commands.screen import notes, print_json
    from facedown.games.registry import load_game

    with notes(only=True) as progress:
        loaded = load_game(game)
        progress.compiled()

        def tell(done: int, total: int) -> None:
            progress.step(f"playing {game} at random", done, total)

        found = measure(loaded, samples, seed, tell)
    if json:
        print_json(found.to_json())
    else:
        _show(found)


def _show(found: Measures) -> None:
    from facedown.commands.screen import console, table

    shown = table("measure", "value", "95 %", "what it says", right=(1,))
    for name, (label, meaning) in _MEANINGS.items():
        shown.add_row(label, *_numbers(getattr(found, name), found.exact), meaning)
    for k, step in enumerate(found.steps, 1):
        shown.add_row(f"  {k} to {k + 1}", *_numbers(step, found.exact), _step_text(k))
    screen = console()
    screen.print(shown)
    how = "exact" if found.exact else f"{found.samples:,} random games, seed {found.seed}"
    screen.print(f"{found.game}: {how}", soft_wrap=True, markup=False)


def _step_text(k: int) -> str:
    return f"from decision {k} to decision {k + 1}"


def _numbers(one: Measure, exact: bool) -> tuple[str, str]:
    """A value and its interval in words."""
    value = "none" if one.value is None else f"{one.value:.3f}"
    if exact or one.low is None or one.high is None:
        return value, "exact" if exact and one.value is not None else ""
    return value, f"{one.low:.3f}–{one.high:.3f}"
