"""`facedown games`: what is played."""

from __future__ import annotations

from facedown.commands.options import Json


def games(json: Json = False) -> None:
    """List the games."""
    from rich.markup import escape

    from facedown.commands.screen import console, print_json, table
    from facedown.games.registry import listed

    if json:
        print_json({"games": [{"name": k, "summary": words} for k, words in listed().items()]})
        return
    shown = table("game", "what it is")
    for name, summary in listed().items():
        shown.add_row(f"[bold]{escape(name)}[/]", escape(summary))
    screen = console()
    screen.print(shown)
    screen.print(
        "\nA game of your own: path/to/file.py:ClassName, gdl:path/to/file.kif", style="dim"
    )
    screen.print("Rule files that come with facedown: facedown gdl list", style="dim")
