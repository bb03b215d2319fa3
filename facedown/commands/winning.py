"""`facedown winning`: cribbage's chances of winning, learnt from self-play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from facedown.commands.options import Json, Overwrite


def winning(
    out: Annotated[Path, typer.Option(help="The file to write, at the end and at once.")],
    hands: Annotated[int, typer.Option(help="Hands that the agent plays with itself.")] = 20_000,
    seed: Annotated[int, typer.Option(help="Of the deals and of the agents.")] = 0,
    agent: Annotated[
        str | None,
        typer.Option(metavar="AGENT", help="Who plays them.", show_default="best:iterations=200"),
    ] = None,
    overwrite: Overwrite = False,
    json: Json = False,
) -> None:
    """Learn cribbage's chances of winning, and the worth of throws, from self-play."""
    from facedown.agents.registry import check_agent
    from facedown.arena.winning import AGENT, learn
    from facedown.commands.screen import notes, print_json, remark
    from facedown.core import SpecError
    from facedown.core.files import NewFile
    from facedown.games.registry import load_game

    if hands < 1:
        raise SpecError(f"hands is {hands}; at least 1 is wanted")
    place = NewFile(out, overwrite=overwrite)
    with notes(only=True) as progress:
        check_agent(agent or AGENT, load_game("cribbage"))
        learnt = learn(hands, seed, agent or AGENT, progress.step)
    out = place.write(learnt.packed())
    share = float(learnt.winning[0, 0])
    if json:
        print_json({**learnt.about, "first_dealer": share})
    else:
        remark(f"{out}: the first dealer wins {share:.1%} of games ({hands} hands)", "")
