"""The games by name. Listing them imports none of them."""

from __future__ import annotations

import importlib
import os
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


def load_game(text: str) -> Game:
    """A game by its registered name with options, or as `path/to/file.py:ClassName`.

    A rule file in the Game Description Language is `gdl:path/to/file.kif`; those of the library go
    by their names, with or without `gdl:`.

    >>> load_game("kuhn").players
    2
    """
    from facedown.gdl.library import names

    if text.startswith(RULE_FILE) or text in names():
        from facedown.gdl.load import load

        return load(text.removeprefix(RULE_FILE), text)
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
    from facedown.core.plain import adapt
    from facedown.core.specs import arguments, load_class, parse

    spec = parse(text)
    maker: type[Any] = load_class(spec) if spec.file else _registered(spec.name)
    definition = _made(maker, text, arguments(maker, spec))
    if isinstance(definition, CompiledGame):
        return build(definition, text)
    return adapt(definition, text)


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

    if name not in GAMES:
        known = ", ".join(GAMES)
        raise SpecError(
            f"no game {name!r}; games: {known}, a rule file (gdl:path/to/file.kif, or a name of "
            "`facedown gdl list`), or path/to/file.py:ClassName"
        )
    found: type[Any] = getattr(importlib.import_module(GAMES[name].module), GAMES[name].definition)
    return found
