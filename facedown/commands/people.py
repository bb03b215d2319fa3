"""`facedown people`: games of simulated people, recorded."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from facedown.commands.options import Json, Overwrite, Seed, whole


def people(
    game: Annotated[str, typer.Argument(metavar="GAME")],
    save: Annotated[str, typer.Option(metavar="FILE", help="Record the games in this file.")],
    pairs: Annotated[
        int, typer.Option(callback=whole, help="Pairs; nobody is in two of them.")
    ] = 30,
    matches: Annotated[int, typer.Option(callback=whole, help="Games of each pair.")] = 3,
    first: Annotated[int, typer.Option(callback=whole, help="The number of the first person.")] = 0,
    seed: Seed = None,
    overwrite: Overwrite = False,
    json: Json = False,
) -> None:
    """Have simulated people play each other, record it, and show how they behave."""
    from facedown.commands.screen import notes, print_json, remark, seed_or_random
    from facedown.games.registry import load_game
    from facedown.learn.people import Gathering, behaviour, fingerprint, people_of
    from facedown.store.records import RecordFile

    gathering, records = Gathering(game, pairs, matches, seed_or_random(seed), first), []
    with notes(only=True) as progress:
        loaded = load_game(game)
        crowd = people_of(loaded)
        with RecordFile(save, overwrite=overwrite) as file:
            for record in gathering.play(loaded):
                records.append(record)
                file.add(record)
                progress.games(len(records), gathering.games)
    counted = behaviour(loaded, records)
    # of variants there is no fingerprint, so nothing is known
    same = fingerprint(loaded) == crowd.frozen if loaded.name == game else None
    if json:
        shares = {name: {"count": n, "of": of} for name, (n, of) in counted.items()}
        digest = {"people": crowd.frozen, "unchanged": same}
        told = {"game": game, "of": "simulated people", "seed": gathering.seed}
        print_json({**told, **digest, "figures": shares})
        return
    _show_people(counted, crowd.published)
    remark(f"simulated people, not human players; frozen as {crowd.frozen}")
    if same is False:
        remark("they have been changed since: results with them cannot be compared", "red")
    remark(f"{len(records)} games of {pairs} pairs, seed {gathering.seed}, in {file.path}")


def _show_people(counted: Any, published: Any) -> None:
    from facedown.commands.screen import console, table

    shown = table("simulated people", "share", "of", "people, published", right=(1, 2, 3))
    for name, (count, of) in counted.items():
        low, high = published[name]
        stated = f"{low:.1%}" if low == high else f"{low:.1%}–{high:.1%}"
        shown.add_row(name, f"{count / of:.1%}" if of else "-", f"{of:,}", stated)
    console().print(shown)
