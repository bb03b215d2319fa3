"""`facedown analyse`: what a game is like, and which recipe to try first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from facedown.commands.options import Json, Seed, whole

if TYPE_CHECKING:
    from facedown.arena.analysis.analyse import Analysis
    from facedown.arena.analysis.numbers import Measure

_TREE = {
    "plies": ("plies", "moves of a game, chance's included"),
    "decisions": ("decisions", "of them choices of a player"),
    "branching": ("branching", "moves to choose from"),
    "hidden": ("hidden", "of them with more than one position left"),
    "worlds": ("  worlds", "positions left, in effect (median)"),
    "disambiguation": ("disambiguation", "of these ruled out by the next decision"),
    "same_payoff": ("leaf correlation", "sibling ends pay the same"),
    "same_winner": ("  of winners", "sibling ends have the same winner"),
    "bias": ("bias", "player 0's share where they have"),
    "favoured": ("  over all", "player 0's share of random games"),
}
_DECISIONS = {
    "fusion": ("strategy fusion", "what knowing the position would gain *"),
    "nonlocality": ("non-locality", "what good moves, not random ones, tell"),
    "stake": ("stake", "a good move's gain over a random one *"),
    "matters": ("decisions matter", "where that is 0.05 or more"),
}


def analyse(
    game: Annotated[str, typer.Argument(metavar="GAME")],
    seconds: Annotated[
        float, typer.Option(metavar="SECONDS", help="How long to look, compiling apart.")
    ] = 30.0,
    samples: Annotated[
        int | None,
        typer.Option(
            callback=whole,
            help="Random games to look at, whatever time that takes: a seed then gives the same.",
            show_default="as many as there is time for; small games are enumerated",
        ),
    ] = None,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Say what a game is like, and which recipe to try first."""
    from facedown.arena.analysis.analyse import analyse_game
    from facedown.commands.screen import notes, print_json, seed_or_random
    from facedown.games.registry import load_game

    with notes(only=True) as progress:
        loaded = load_game(game)
        progress.compiled()

        def tell(done: float, total: float) -> None:
            what = "seconds" if samples is None else "games"
            progress.step(f"looking at {game} ({what})", int(min(done, total)), int(total))

        found = analyse_game(loaded, seconds, samples, seed_or_random(seed), tell)
    if json:
        print_json(found.to_json())
    else:
        _show(found)


def _show(found: Analysis) -> None:
    from facedown.commands.screen import console, table

    shown = table("measure", "value", "95 %", "what it says", right=(1,))
    for row in _rows(found):
        shown.add_row(*row)
    screen = console()
    screen.print(shown)
    tree, many = found.tree, found.decisions.samples
    how = "counted exactly" if tree.exact else f"{tree.samples:,} random games"
    lines = [
        f"* in standard deviations of a random game's payoff ({tree.spread:.3g})",
        f"{found.game}: {how}; {many:,} decisions searched; seed {found.seed}",
        f"try first: {found.advice.recipe} ({found.advice.why})",
        f"hold it against: {', '.join(found.advice.others)}",
    ]
    for line in lines:
        screen.print(line, soft_wrap=True, markup=False)


def _rows(found: Analysis) -> Iterator[tuple[str, ...]]:
    tree = found.tree
    for name, (label, meaning) in _TREE.items():
        yield label, *_numbers(getattr(tree, name), tree.exact), meaning
        steps = tree.steps if name == "disambiguation" and len(tree.steps) <= _STEPS else ()
        for k, step in enumerate(steps, 1):
            yield (
                f"  {k} to {k + 1}",
                *_numbers(step, tree.exact),
                f"from decision {k} to decision {k + 1}",
            )
    for name, (label, meaning) in _DECISIONS.items():
        yield label, *_numbers(getattr(found.decisions, name), exact=False), meaning


_STEPS = 6  # decisions of a player that are shown one by one


def _numbers(one: Measure, exact: bool) -> tuple[str, str]:
    """A value and its interval in words."""
    value = "none" if one.value is None else _told(one.value)
    if exact or one.low is None or one.high is None:
        return value, "exact" if exact and one.value is not None else ""
    return value, f"{_told(one.low)}–{_told(one.high)}"


def _told(value: float) -> str:
    return f"{value:.3f}" if abs(value) < 10 else f"{value:.1f}"
