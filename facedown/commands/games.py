"""`facedown games`: what is played."""

from __future__ import annotations

from facedown.commands.options import Json


def games(json: Json = False) -> None:
    """List the games."""
    from facedown.commands.screen import console, print_json, table
    from facedown.games.registry import GAMES

    if json:
        listed = [{"name": name, "summary": entry.summary} for name, entry in GAMES.items()]
        print_json({"games": listed})
        return
    shown = table("game", "what it is")
    for name, entry in GAMES.items():
        shown.add_row(f"[bold]{name}[/]", entry.summary)
    screen = console()
    screen.print(shown)
    screen.print(
        "\nA game of your own: path/to/file.py:ClassName, gdl:path/to/file.kif", style="dim"
    )
    screen.print("Rule files that come with facedown: facedown gdl list", style="dim")
