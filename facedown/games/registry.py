"""The games by name. Listing them imports none of them."""

from __future__ import annotations

import importlib
import os
from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from facedown.core import Game


@dataclass(frozen=True)
class Entry:
    """Where a registered game is, and what it is in a few words."""

    module: str
    definition: str
    summary: str


GAMES: dict[str, Entry] = {
    "kuhn": Entry("facedown.games.kuhn", "Kuhn", "Kuhn poker: three cards, two players, one bet"),
    "leduc": Entry(
        "facedown.games.leduc", "Leduc", "Leduc hold'em: six cards, two betting rounds, a board"
    ),
    "liars-dice": Entry(
        "facedown.games.liars_dice", "LiarsDice", "Liar's dice: roll in secret, outbid, call"
    ),
    "phantom-ttt": Entry(
        "facedown.games.phantom_ttt",
        "PhantomTicTacToe",
        "Phantom tic-tac-toe: three in a row, the other's marks unseen",
    ),
    "cribbage": Entry(
        "facedown.games.cribbage", "Cribbage", "Cribbage: the crib, the play, the show, to 121"
    ),
    "cheat": Entry(
        "facedown.games.cheat", "Cheat", "Cheat: claim cards truly or not, call the other's lies"
    ),
    "resistance": Entry(
        "facedown.games.resistance", "Resistance", "The Resistance: hidden spies, votes, missions"
    ),
    "settlers": Entry(
        "facedown.games.settlers", "Settlers", "Settlers: an island, hidden hands, trades, to ten"
    ),
}

RULE_FILE = "gdl:"
"""How a spec begins that names a rule file."""


FAMILIES = {"openspiel:": "facedown.bridges.openspiel"}
"""Modules above this one whose `load` makes the game of a spec that begins so."""

GIVEN: dict[str, Any] = {}
"""Classes and objects that were handed over from Python, by their names, in this process alone."""

GROUP = "facedown.games"
"""The entry points by which distributions of others offer their games."""


def spec_of(game: Any) -> str:
    """The spec of a game that is given as one, as a Game, as a class or as an object."""
    from facedown.core import Game

    if isinstance(game, str):
        return game
    if isinstance(game, Game):
        return game.spec
    return given_name(game, GIVEN, GAMES)


def given_name(given: Any, known: dict[str, Any], taken: Container[str]) -> str:
    """The name of what was handed over, that of its class: kept in `known`, and nobody else's.

    >>> known = {}
    >>> [given_name(one, known, ["str"]) for one in (int, int, 7, "word")]
    ['int', 'int', 'int-2', 'str-2']
    """
    own = (given if isinstance(given, type) else type(given)).__name__
    name, n = own, 1
    while name in taken or (name in known and known[name] is not given):
        n += 1
        name = f"{own}-{n}"
    known[name] = given
    return name


def listed() -> dict[str, str]:
    """All games by name with what they are: ours, then those that others have installed."""
    from facedown.installed import installed

    ours = {name: entry.summary for name, entry in GAMES.items()}
    theirs = {name: one.summary for name, one in installed(GROUP).items() if name not in ours}
    return {**ours, **theirs}


def load_game(game: Any) -> Game:
    """A game by its registered name with options, or as `path/to/file.py:ClassName`.

    A class with a game's methods will do, and an object of one, and a Game is one already.

    A rule file in the Game Description Language is `gdl:path/to/file.kif`; those of the library go
    by their names, with or without `gdl:`. A game of OpenSpiel's is `openspiel:NAME`.

    >>> load_game("kuhn").players
    2
    """
    from facedown.core import Game
    from facedown.gdl.library import names

    if isinstance(game, Game):
        return game
    text = spec_of(game)

    if text.startswith(RULE_FILE) or text in names():
        from facedown.gdl.load import load

        return load(text.removeprefix(RULE_FILE), text)
    for prefix, module in FAMILIES.items():
        if text.startswith(prefix):
            made: Game = importlib.import_module(module).load(text)
            return made
    return _load_class(text)


def load_recorded(text: str, *, trust: bool = False) -> Game:
    """The game that somebody's record names; one in a Python file, which loading runs, on trust.

    >>> load_recorded("kuhn").players
    2
    """
    from facedown.core.errors import SpecError
    from facedown.core.specs import parse

    if text.startswith(RULE_FILE):
        file = Path(text.removeprefix(RULE_FILE))
        if os.path.exists(file) and not os.path.isfile(file):  # a pipe would keep us waiting
            raise SpecError(f"{text} is named by a record, and is no regular file")
    elif not trust and parse(text).file is not None:
        raise SpecError(
            f"a record names the game {text}, and loading it would run that Python file: "
            "--trust runs it, and --rules GAME plays by the rules of a game that you name"
        )
    return load_game(text)


def _load_class(text: str) -> Game:
    from facedown.core.compiled import CompiledGame, build
    from facedown.core.errors import SpecError, foreign
    from facedown.core.plain import adapt
    from facedown.core.specs import arguments, load_class, parse, told

    spec = parse(text)
    given = None if spec.file else GIVEN.get(spec.name)
    if given is not None and not isinstance(given, type):
        definition = given
    else:
        maker: type[Any] = given or (load_class(spec) if spec.file else _registered(spec.name))
    try:
        if given is None or isinstance(given, type):
            definition = _made(maker, text, arguments(maker, spec))
        if isinstance(definition, CompiledGame):
            return build(definition, text)
        return adapt(definition, text)
    except BaseException as error:  # of what a class says when it is asked what it has
        if spec.file is None or not foreign(error):
            raise
        raise SpecError(f"{text} is no game that can be used: {told(error)}") from error


def _made(maker: type[Any], text: str, options: dict[str, Any]) -> Any:
    from facedown.core.errors import FacedownError, SpecError
    from facedown.core.specs import told

    try:
        return maker(**options)
    except (FacedownError, KeyboardInterrupt):
        raise
    except BaseException as error:  # it may leave by sys.exit, too
        raise SpecError(f"{text} cannot be made: {told(error)}") from error


def _registered(name: str) -> type[Any]:
    from facedown.core.errors import SpecError
    from facedown.installed import installed

    if name not in GAMES and (theirs := installed(GROUP)).get(name) is not None:
        return theirs[name].load("game")
    if name not in GAMES:
        known = ", ".join(listed())
        raise SpecError(
            f"no game {name!r}; games: {known}, a rule file (gdl:path/to/file.kif, or a name of "
            "`facedown gdl list`), or path/to/file.py:ClassName"
        )
    found: type[Any] = getattr(importlib.import_module(GAMES[name].module), GAMES[name].definition)
    return found
