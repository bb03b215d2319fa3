"""`facedown new`: a game of one's own to begin with, and its test."""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from typing import Annotated

import typer

from facedown.commands.options import Overwrite


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Of the game: letters, digits, -.")],
    folder: Annotated[
        str, typer.Option("--in", metavar="FOLDER", help="Where the files are written.")
    ] = ".",
    overwrite: Overwrite = False,
) -> None:
    """Write a small game that works, in one file, and its test: change it into yours."""
    from facedown.commands.screen import console

    game, test = write_skeleton(name, Path(folder), overwrite=overwrite)
    screen, spec = console(), f"{game}:{class_name(name)}"
    screen.print(f"{game} and {test} are written. Try them, then change them:", soft_wrap=True)
    for line in (
        f"facedown check {spec}",
        f"facedown match {spec} so-ismcts random",
        f"facedown play {spec}",
        f"python -m pytest {test}",
    ):
        screen.print(f"  {line}", soft_wrap=True, highlight=False)


def class_name(name: str) -> str:
    """The class of a game of this name.

    >>> class_name("my-game")
    'MyGame'
    """
    return "".join(part.capitalize() for part in re.split(r"[-_]+", name) if part)


def write_skeleton(name: str, folder: Path, *, overwrite: bool = False) -> tuple[Path, Path]:
    """Write a game and its test into a folder; SpecError, and nothing written, where one is."""
    from facedown.core import SpecError
    from facedown.core.files import NewFile

    module = name.replace("-", "_").lower()
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,59}", name) or keyword.iskeyword(module):
        wanted = "a letter, then letters, digits, - or _ are wanted, and no word of Python's own"
        raise SpecError(f"{name!r} cannot name a game's file: {wanted}")
    if not folder.is_dir():
        raise SpecError(f"there is no folder {folder}")
    files = folder / f"{module}.py", folder / f"test_{module}.py"
    made = [NewFile(file, overwrite=overwrite) for file in files]  # SpecError where one is there
    for file, text in zip(made, (GAME, TEST), strict=True):
        file.write(text.replace("MyGame", class_name(name)).replace("my_game", module))
    return files


GAME = '''"""my_game: two players get a card each, may swap it once; the higher card wins.

Change it into your game, rule by rule, and let `facedown check` tell what is not right yet.
"""

from __future__ import annotations

from typing import NamedTuple

from facedown import CHANCE, OVER

CARDS = range(1, 7)
NO_CARD, FACE_DOWN = 0, -1


class Position(NamedTuple):
    """All there is to know. A tuple never changes: `apply` returns a new one."""

    hands: tuple[int, ...] = (NO_CARD, NO_CARD)
    gone: tuple[int, ...] = ()  # cards that were swapped, face up
    played: tuple[str, ...] = ()  # by player 0, then by player 1


class MyGame:
    players = 2
    bounds = (-1.0, 1.0)  # the lowest and the highest payoff
    moves = 8  # how many different moves there are: six cards, keep, swap
    most_moves = 6  # how many are legal at once
    most_plies = 6  # how long a game can get

    def start(self) -> Position:
        """Nothing is dealt yet: every random thing is a move, made by chance."""
        return Position()

    def turn(self, s: Position) -> int:
        """Who acts: a player's number, CHANCE or OVER."""
        if NO_CARD in s.hands:
            return CHANCE
        return len(s.played) if len(s.played) < self.players else OVER

    def legal(self, s: Position) -> list[str]:
        """The moves of whoever acts: any values that can key a dict."""
        if NO_CARD in s.hands:
            return [f"card {card}" for card in CARDS if card not in (*s.hands, *s.gone)]
        return ["keep", "swap"]

    def apply(self, s: Position, move: str) -> Position:
        """The position after a move."""
        if move.startswith("card"):
            return s._replace(hands=self._with(s.hands, s.hands.index(NO_CARD), int(move[5:])))
        played, player = (*s.played, move), len(s.played)
        if move == "keep":
            return s._replace(played=played)
        hands, gone = self._with(s.hands, player, NO_CARD), (*s.gone, s.hands[player])
        return Position(hands, gone, played)

    def _with(self, hands: tuple[int, ...], player: int, card: int) -> tuple[int, ...]:
        return tuple(card if k == player else old for k, old in enumerate(hands))

    def sees(self, s: Position, move: str, viewer: int) -> str:
        """What a viewer learns from a move, asked before it is made: a card is for its owner."""
        if move == "swap":
            return f"swap: {s.hands[len(s.played)]} is gone"
        if move == "keep":
            return move
        owner = s.hands.index(NO_CARD)
        return move if viewer == owner else f"player {owner} gets a card"

    def payoff(self, s: Position) -> tuple[float, float]:
        """One number for each player, at the end."""
        gain = 1.0 if s.hands[0] > s.hands[1] else -1.0
        return gain, -gain

    def hide(self, s: Position, viewer: int) -> Position:
        """What the viewer can know of a position, and all of that."""
        hands = tuple(
            card if player == viewer or card == NO_CARD else FACE_DOWN
            for player, card in enumerate(s.hands)
        )
        return s._replace(hands=hands)

    def infoset(self, s: Position, viewer: int) -> Position:
        """A key of what the viewer knows."""
        return self.hide(s, viewer)

    def copy(self, s: Position) -> Position:
        """A tuple is its own copy. Leave this out and positions are copied by `deepcopy`."""
        return s

    # `determinize` is not needed: worlds are found by these rules alone. Text is for people:

    def view_text(self, s: Position, viewer: int) -> str:
        shown = {NO_CARD: "-", FACE_DOWN: "?"}
        hands = " ".join(f"[{shown.get(card, card)}]" for card in s.hands)
        played, gone = ", ".join(s.played) or "nothing yet", ", ".join(map(str, s.gone)) or "none"
        return f"hands: {hands}; gone: {gone}; played: {played}"

    def hidden_text(self, s: Position, viewer: int) -> str:
        others = [player for player in range(self.players) if player != viewer]
        return ", ".join(f"player {player} holds {s.hands[player]}" for player in others)
'''

TEST = '''"""my_game keeps the laws of the contract, and agents play it."""

from pathlib import Path

import facedown

SPEC = f"{Path(__file__).with_name('my_game.py')}:MyGame"


def test_no_law_is_broken():
    found = facedown.check(SPEC, games=20, seconds=30)
    assert found.ok, [violation.text for broken in found.broken for violation in broken.violations]


def test_a_search_beats_a_random_player():
    agents = ["so-ismcts:iterations=200", "random"]
    result = facedown.match(SPEC, agents, games=60, seed=1)
    assert result.errors == 0
    assert result.agents[0].mean_payoff > 0
'''
