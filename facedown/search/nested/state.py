"""The state of imperfect-information simulations: one record that compiled code works in."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.belief.walk import BagState
from facedown.core.buffers import Buffer, most_moves
from facedown.core.jit import jit
from facedown.core.records import array, view
from facedown.core.stepping import Play, alarmed

Nested = np.dtype(
    [
        ("models", np.int64),  # of a bag
        ("active", np.int64),  # of them those that a decision is made by
        ("samples", np.int64),  # random games for each move in each model
        ("trials", np.int64),
        ("known", np.int64),  # whether the only model is the truth
        ("distinct", np.int64),
        ("cuts", np.int64),
        ("bags", np.int64),  # address: a BagState for each player
        ("table", np.int64),  # address of what nested players share, 0 where they do not
        ("keys", np.int64),  # address: what each player has seen, as a key [players]
        ("own", np.int64),  # address: the moves of who decides [most_moves]
        ("utilities", np.int64),  # address [most_moves]
        ("values", np.int64),  # address [models, most_moves]
        ("histories", np.int64),  # address: keys of the models' histories [models]
        ("chances", np.int64),  # address: logarithms of how likely they are [models]
    ],
    align=True,
)
"""What nested players are like, and what they work in."""

Task = np.dtype(
    [
        ("me", np.int64),
        ("start", np.int64),  # addresses of positions: the start of the game, the simulated game
        ("truth", np.int64),
        ("path", np.int64),  # address of the moves of the searcher's model, and how many there are
        ("length", np.int64),
        ("candidate", np.int64),
        ("deepest", np.int64),  # decisions after the candidate beyond which a game is lost
        ("discount", np.float64),
        ("low", np.float64),  # the lowest payoff
        ("win", np.float64),
    ],
    align=True,
)
"""What is simulated, for whom."""

Progress = np.dtype(
    [
        ("waiting", np.int64),  # which of all nested models needs room, -1: none
        ("ply", np.int64),
        ("first", np.int64),  # 1 until the candidate is played
        ("depth", np.int64),  # decisions after it
        ("value", np.float64),  # what the searcher got, discounted
        ("raw", np.float64),  # and not
    ],
    align=True,
)
"""How far a simulation has come: where it waits for room, it goes on from here."""

Counts = np.dtype(
    [
        ("states", np.int64),
        ("played", np.int64),  # of them those of random games
        ("joint", np.int64),  # joint moves
        ("all_joint", np.int64),  # whether those of random games are counted too
    ],
    align=True,
)

SimulationState = np.dtype(
    [
        ("play", Play),  # its world is that of random games
        ("task", Task),
        ("nested", Nested),
        ("progress", Progress),
        ("counts", Counts),
        ("control", np.int64),  # address: 1 there means stop
    ],
    align=True,
)

BAG_BYTES = BagState.itemsize

ILLEGAL, HELD = -1, -2
"""Instead of a move or of plies: not legal here; an alarm, a request to stop, or lack of room."""


def buffers(models: int) -> tuple[Buffer, ...]:
    """What nested players with so many models work in."""
    return (
        Buffer("state", SimulationState, lambda game: 1),
        Buffer("bags", BagState, lambda game: game.players),
        Buffer("control", np.int64, lambda game: 1),
        Buffer("rng", np.uint64, lambda game: 1),
        Buffer("keys", np.uint64, lambda game: game.players),
        Buffer("own", np.int32, most_moves),
        Buffer("utilities", np.float64, most_moves),
        Buffer("values", np.float64, lambda game: models * game.most_moves),
        Buffer("histories", np.uint64, lambda game: models),
        Buffer("chances", np.float64, lambda game: models),
    )


@jit
def open_simulation(sim: int) -> Any:
    """The state of simulations at an address."""
    return view(sim, SimulationState)


@jit
def bag_of(sim: int, player: int) -> int:
    """The address of a nested player's bag."""
    return view(sim, SimulationState)["nested"]["bags"] + player * BAG_BYTES  # type: ignore[no-any-return]


@jit
def held(sim: int) -> bool:
    """Whether a rule has raised, or the search was told to stop."""
    return alarmed(sim) or array(view(sim, SimulationState)["control"], 1, np.int64)[0] != 0
