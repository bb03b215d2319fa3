"""`facedown agents`: who plays, and with what options."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from facedown.commands.options import Json

if TYPE_CHECKING:
    from facedown.core import Game


def agents(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Show their options in this game.")
    ] = None,
    json: Json = False,
) -> None:
    """List the agents; with GAME also their options."""
    from facedown.commands.screen import notes, print_json

    with notes():
        listed, variants = _listed(game)
    if json:
        print_json({"game": game, "agents": listed, "variants": variants})
    else:
        _show(listed, game, variants)


def _listed(spec: str | None) -> tuple[list[dict[str, Any]], dict[str, list[str]]]:
    """The agents, and the variants of the game's rules that their options can name."""
    from facedown.agents.registry import entries
    from facedown.core.variants import VARIABLE
    from facedown.games.registry import load_game

    game = load_game(spec) if spec is not None else None
    listed = [
        {"name": name, "summary": summary, **({} if game is None else _in_game(name, game))}
        for name, summary in entries(game).items()
    ]
    if game is None:
        return listed, {}
    return listed, {rule: found for rule in VARIABLE if (found := game.variants(rule))}


def _in_game(name: str, game: Game) -> dict[str, Any]:
    """An agent's options in a game with what they are unless told otherwise."""
    from facedown.agents.options import agent_options, given_options, settings_of
    from facedown.agents.registry import agent_class, resolve
    from facedown.core import SpecError

    try:
        maker, spec = agent_class(name, game), resolve(name, game)
    except SpecError as error:
        return {"plays": False, "lacks": str(error), "cheats": False, "options": {}}
    own = {key: option.default for key, option in agent_options(maker).items()}
    own.update(settings_of(maker, spec, game))
    own.update(given_options(maker, spec, game))
    own = {key: _plain(value) for key, value in own.items()}
    bounded = own.get("iterations") is not None or own.get("seconds") is not None
    if "iterations" in own and "samples" not in own and not bounded:
        from facedown.agents.thinking import ITERATIONS

        own["iterations"] = ITERATIONS
    lacks = _lacking(name, maker, game)
    return {"plays": not lacks, "lacks": lacks, "cheats": maker.cheats, "options": own}


def _plain(value: Any) -> Any:
    """An option's value as a spec says it."""
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, tuple):
        return "/".join(one if isinstance(one, str) else one.__name__ for one in value)
    return value


def _lacking(name: str, maker: Any, game: Game) -> str:
    """What the game lacks for an agent to play it, in words; empty: nothing."""
    if name == "scripted":
        return "" if game.scripted is not None else "this game has no scripted player"
    if not hasattr(maker, "base"):
        return ""
    from facedown.core import SpecError
    from facedown.search.search import check_recipe, check_worlds

    try:
        check_recipe(game, maker.base.in_game(game), 0)
        check_worlds(game, maker.base)
    except SpecError as error:
        return str(error)
    return ""


def _show(listed: list[dict[str, Any]], game: str | None, variants: dict[str, list[str]]) -> None:
    from rich.markup import escape

    from facedown.commands.screen import console, table

    common = _common(listed)
    shown = table("agent", "how it plays", *(["options of its own"] if game else []))
    for entry in listed:
        cheats = " [red](cheats)[/]" if entry.get("cheats") else ""
        cells = [f"[bold]{entry['name']}[/]", entry["summary"] + cheats]
        shown.add_row(*cells, *([escape(_options(entry, common))] if game else []))
    screen = console()
    screen.print(shown)
    if game is not None:
        screen.print("\nOptions of all that search, with their defaults:")
        screen.print(escape(_worded(common)))
    if variants:
        named = (f"{rule}={name}" for rule, names in variants.items() for name in names)
        screen.print(f"\nVariants of this game's rules: {escape(' '.join(named))}")
    screen.print("\nAn agent of your own: path/to/file.py:ClassName", style="dim")
    if game is None:
        screen.print("`facedown agents GAME` shows their options", style="dim")


def _common(listed: list[dict[str, Any]]) -> dict[str, Any]:
    """The options that all agents with a tree have, with the default that most of them share."""
    found = [entry["options"] for entry in listed if "bandit" in entry.get("options", ())]
    if not found:
        return {}
    shared = [key for key in found[0] if all(key in options for options in found)]
    values = {key: [options[key] for options in found] for key in shared}
    return {key: max(given, key=given.count) for key, given in values.items()}


def _options(entry: dict[str, Any], common: dict[str, Any]) -> str:
    """What is not as in `common`."""
    if not entry["plays"]:
        return str(entry["lacks"])
    missing = object()
    return _worded({k: v for k, v in entry["options"].items() if common.get(k, missing) != v})


def _worded(options: dict[str, Any]) -> str:
    """Options as a spec would write them; a dash where there is no default."""
    words = {None: "-", True: "true", False: "false"}
    return " ".join(
        f"{key}={words[value] if value is None or isinstance(value, bool) else value}"
        for key, value in options.items()
    )
