"""The file of a model of players: kinds of them by name, the crowd first, each with a network."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from facedown.core.errors import SpecError
from facedown.core.files import read_bounded
from facedown.games.resistance.layout import MOST_KINDS, NET, TEMPERS
from facedown.games.resistance.traits import TRAITS

FORMAT = "facedown minds 1"
SHIPPED = Path(__file__).with_name("minds.json")
STEPS = (-1.0, 0.0, 1.0)
"""How much readier to approve players of each temper are, as a change of log-odds."""
TEMPERATE = (0.25, 0.5, 0.25)
"""How many have each temper."""
LARGEST = 1e4
MOST_BYTES = 4 << 20

Numbers = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, eq=False)
class Crowd:
    """Networks by the name of their kind, the whole crowd's first; `about` says how they came.

    `own` is one that has learnt to win among them: how one plays oneself, where nothing better is
    at hand. Without it one plays as the crowd does.
    """

    nets: Mapping[str, Numbers]
    about: Mapping[str, Any] = field(default_factory=dict)
    own: Numbers | None = None

    def __post_init__(self) -> None:
        if not 1 <= len(self.nets) <= MOST_KINDS:
            raise SpecError(f"{len(self.nets)} kinds of players: 1 to {MOST_KINDS} are wanted")
        for name, net in [*self.nets.items(), ("own", self.winning)]:
            if net.shape != (NET,) or not (np.abs(net) <= LARGEST).all():
                raise SpecError(f"{name}: {NET} numbers within {LARGEST:g} of 0 are wanted")

    @property
    def winning(self) -> Numbers:
        """How one plays oneself."""
        return next(iter(self.nets.values())) if self.own is None else self.own

    def put(self, v: Any) -> None:
        """Put it where the rules look it up."""
        v["nets"][MOST_KINDS] = self.winning
        v["kinds"] = len(self.nets)
        v["nets"][: len(self.nets)] = list(self.nets.values())
        v["tempers"][:TEMPERS] = STEPS
        v["temperate"][:TEMPERS] = TEMPERATE
        v["shares"][: len(self.nets)] = 1 / len(self.nets)

    def packed(self) -> str:
        """What a file of it holds."""
        plain = {
            "format": FORMAT,
            "traits": TRAITS.digest,
            "about": dict(self.about),
            "kinds": {name: _rounded(net) for name, net in self.nets.items()},
            **({} if self.own is None else {"own": _rounded(self.own)}),
        }
        return json.dumps(plain, separators=(",", ":")).replace('],"', '],\n"') + "\n"


def _rounded(net: Numbers) -> list[float]:
    return [float(f"{x:.5g}") for x in net.tolist()]


def load_crowd(file: str | Path) -> Crowd:
    """The model that a file holds; SpecError says what is wrong with it."""
    try:
        plain = json.loads(read_bounded(file, MOST_BYTES))
    except OSError as error:
        raise SpecError(f"{file} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise SpecError(f"{file} holds no minds: it is not JSON") from None
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise SpecError(f"{file} holds no minds: its format is not {FORMAT!r}")
    if plain.get("traits") != TRAITS.digest:
        raise SpecError(f"{file} was learnt on other traits: learn it again (`--about minds`)")
    try:
        nets = {str(name): np.array(net, np.float64) for name, net in plain["kinds"].items()}
        own = np.array(plain["own"], np.float64) if "own" in plain else None
        return Crowd(nets, dict(plain["about"]), own)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SpecError(f"{file} holds no minds: {error}") from None
    except SpecError as error:
        raise SpecError(f"{file}: {error}") from None


@cache
def shipped() -> Crowd | None:
    """The model that comes with the game; None where there is none yet."""
    return load_crowd(SHIPPED) if SHIPPED.exists() else None
