"""Networks over the traits of moves: which move a player would choose, as a file and as arrays.

In a game that tells traits of positions and moves (the rule `traits`) a small network gives each
move a number, its *score*; a softmax over the scores is a policy, which informs the priors of a
search (Dobre and Lascarides 2018, equation 4). `facedown learn GAME --about moves` trains one; its
file is plain JSON, looked at before it is used, and needs nothing to be read but this.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from facedown.core.errors import SpecError
from facedown.core.files import read_bounded
from facedown.core.learning import Traits
from facedown.core.records import address_of, lined_up
from facedown.search.state import Net

if TYPE_CHECKING:
    from facedown.core import Game

Array = np.ndarray[Any, np.dtype[np.float64]]

FORMAT = "facedown network 1"
MOST_BYTES = 16 << 20
MOST_LAYERS, WIDEST = 8, 1024
LARGEST = 1e6
"""The largest that a weight may be: far from where sums overflow."""
DIGITS = 6
"""Significant digits of a weight in a file."""


@dataclass(frozen=True, eq=False)
class Network:
    """A network: layers of weights [in, out] and offsets [out], the first over all traits.

    Between layers is the rectifier max(0, x); the last has one number, the score of a move. The
    traits of the position come first, then those of the move. `about` says whose choices it was
    trained on, and how.
    """

    game: str
    traits: Traits
    layers: tuple[tuple[Array, Array], ...]
    about: Mapping[str, Any]

    def __post_init__(self) -> None:
        if not 1 <= len(self.layers) <= MOST_LAYERS:
            raise SpecError(f"a network of {len(self.layers)} layers: 1 to {MOST_LAYERS} wanted")
        width = len(self.traits.position) + len(self.traits.move)
        for k, (weights, offsets) in enumerate(self.layers, 1):
            out = 1 if k == len(self.layers) else offsets.size
            if weights.shape != (width, out) or offsets.shape != (out,) or not 0 < out <= WIDEST:
                shape = f"{weights.shape} and {offsets.shape}"
                raise SpecError(f"layer {k} is {shape}; {width} numbers come into it")
            for some in (weights, offsets):
                if not (np.isfinite(some).all() and (np.abs(some) <= LARGEST).all()):
                    raise SpecError(f"layer {k} has numbers that no network has")
            width = out

    def scores(self, position: Any, moves: Any) -> Array:
        """The score of each move [moves], by the traits of the position and of moves [moves, n]."""
        rows = np.asarray(moves, np.float64)
        whole = np.broadcast_to(np.asarray(position, np.float64), (len(rows), len(position)))
        values: Array = np.concatenate([whole, rows], axis=1)
        for k, (weights, offsets) in enumerate(self.layers):
            values = values @ weights + offsets
            if k < len(self.layers) - 1:
                values = np.maximum(values, 0.0)
        return values[:, 0]

    # --- files -----------------------------------------------------------------------------------

    def packed(self) -> str:
        """What a file of it holds."""
        plain = {
            "format": FORMAT,
            "game": self.game,
            "about": dict(self.about),
            "version": self.traits.version,
            "position": list(self.traits.position),
            "move": list(self.traits.move),
            "layers": [
                {"weights": [_short(row) for row in weights], "offsets": _short(offsets)}
                for weights, offsets in self.layers
            ],
        }
        return json.dumps(plain, separators=(",", ":")).replace("],[", "],\n[") + "\n"


def _short(numbers: Any) -> list[float]:
    return [float(f"{number:.{DIGITS}g}") for number in numbers]


def load_network(file: str | Path) -> Network:
    """The network that a file holds; SpecError says what is wrong with it."""
    try:
        text = read_bounded(file, MOST_BYTES).decode()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not text"
        raise SpecError(f"{file} cannot be read: {why}") from None
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError):
        raise SpecError(f"{file} holds no network: it is not JSON") from None
    try:
        return _from_json(plain)
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        why = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise SpecError(f"{file} holds no network: {why}") from None
    except SpecError as error:
        raise SpecError(f"{file}: {error}") from None


def _from_json(plain: Any) -> Network:
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise ValueError(f"its format is not {FORMAT!r}")
    names = [tuple(map(str, plain[part])) for part in ("position", "move")]
    traits = Traits(names[0], names[1], int(plain["version"]))
    layers = tuple(
        (_numbers(layer["weights"], 2), _numbers(layer["offsets"], 1)) for layer in plain["layers"]
    )
    return Network(str(plain["game"]), traits, layers, dict(plain["about"]))


def _numbers(given: Any, dimensions: int) -> Array:
    """Numbers of a file as an array of so many dimensions; ValueError for anything else."""
    rows = given if dimensions == 2 else [given]
    for row in rows:
        for number in row:
            if type(number) not in (int, float) or not math.isfinite(number):
                raise ValueError(f"{number!r} is no number of a layer")
    found = np.array(given, np.float64)
    if found.ndim != dimensions:
        raise ValueError("its layers are no tables of numbers")
    return found


def network_of(game: Game, file: str | None) -> Network:
    """The network in a file, or the game's own, for the traits that the game tells.

    SpecError where there is none, or it is another game's.
    """
    if game.traits is None:
        raise SpecError(f"{game.name} has no rule 'traits', which a network asks")
    found = file or game.move_network
    if not found:
        raise SpecError(
            f"no network comes with {game.name}: network=FILE is wanted, which "
            f"`facedown learn {game.name} --about moves` writes"
        )
    try:
        changed = Path(found).stat().st_mtime_ns
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise SpecError(f"{found} cannot be read: {why}") from None
    network = _loaded(found, changed)
    if network.game != game.name:
        raise SpecError(f"{found} is a network of {network.game}; one of {game.name} is wanted")
    if network.traits != game.traits:
        raise SpecError(
            f"{found} was trained on other traits than {game.name} tells now: train it again with "
            f"`facedown learn {game.name} --about moves`"
        )
    return network


@cache
def _loaded(file: str, changed: int) -> Network:
    return load_network(file)


# --- where compiled code finds it ----------------------------------------------------------------


class Scorer:
    """A network where compiled code finds it, with room to work in: for one thread of a search.

    Keep it as long as the state refers to it. `traits` is where those of the position, then those
    of the moves are told, and where the scores of the moves are put.
    """

    def __init__(self, network: Network, most_moves: int) -> None:
        position, move = len(network.traits.position), len(network.traits.move)
        widths = [position + move, *(len(offsets) for _, offsets in network.layers)]
        self._widths = np.array(widths, np.int64)
        parts = [part.ravel() for layer in network.layers for part in layer]
        self._weights = lined_up(sum(map(len, parts)), np.float64)
        self._weights[:] = np.concatenate(parts)
        self.traits = lined_up(position + most_moves * move, np.float64)
        self._asked = lined_up(most_moves, np.int32)
        self._work = lined_up(3 * max(widths), np.float64)
        self._record = np.zeros(1, Net)
        self._record[0] = (
            position,
            move,
            len(network.layers),
            max(widths),
            *(address_of(each) for each in self._arrays()),
        )
        self.address = address_of(self._record)

    def _arrays(self) -> Sequence[np.ndarray[Any, Any]]:
        return self._widths, self._weights, self.traits, self._asked, self._work
