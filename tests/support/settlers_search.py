"""A decision of Settlers in the middle of a game, searched by POMCP's agents."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from facedown.agents.registry import make_agent
from facedown.agents.thinking import Searcher
from facedown.core import CHANCE, PUBLIC, Position, Stream
from facedown.games.settlers.moves import KINDS
from facedown.search.budget import Budget
from facedown.search.network import Network
from facedown.search.preferences import Preferences
from facedown.search.search import Search
from support.settlers_table import game

PLIES, LEAST_KINDS = 300, 4

# by the names of legal kinds, how often each was chosen: equation 2 where they are met
CHOSEN = (
    {"end turn": 6, "trade": 2},
    {"road": 5, "end turn": 2, "trade": 1},
    {"settlement": 9, "road": 2, "end turn": 0, "trade": 1},
    {"city": 7, "end turn": 1, "port trade": 1, "trade": 0},
    {"accept": 2, "reject": 5},
)


def preferences() -> Preferences:
    """A few made-up counts, fixed for ever."""
    sets = {}
    for counts in CHOSEN:
        bits = sum(1 << KINDS.index(name) for name in counts)
        sets[bits] = tuple(counts.get(name, 0) for name in KINDS)
    return Preferences("settlers", KINDS, sets, {"from": "a test"})


def network() -> Network:
    """A network of made-up weights, fixed for ever."""
    traits = game().traits
    assert traits is not None
    random = np.random.default_rng(5)
    width = len(traits.position) + len(traits.move)
    layers = [
        (random.normal(0, 0.4, (n, m)), random.normal(0, 0.2, m)) for n, m in ((width, 6), (6, 1))
    ]
    return Network("settlers", traits, tuple((w.round(4), b.round(4)) for w, b in layers), {})


def decision(spec: str) -> tuple[Searcher, Position]:
    """An agent that was told a game by kinds, and the first decision of its with several kinds."""
    agent = make_agent(spec, game(), 1, seed=3)
    assert isinstance(agent, Searcher)
    position, stream = game().start(), Stream(7)
    for ply in range(10 * PLIES):
        kinds = position.kinds()
        if ply >= PLIES and position.turn() == 1 and len(kinds) >= LEAST_KINDS:
            return agent, position
        if position.turn() == CHANCE:
            move = position.draw(stream)
        else:
            move = stream.choice(position.of_kind(stream.choice(kinds)))
        token, public = position.sees(move, 1), position.sees(move, PUBLIC)
        position.play(move)
        agent.observe(token, "")
        agent.overhear(public)
    raise AssertionError("no such decision")


def searched(name: str, iterations: int) -> Search:
    """The search of that decision by an agent with these preferences."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "prefs.json"
        preferences().save(file)
        spec = f"{name}:preferences={file},iterations={iterations}"
        if name == "pomcp-nn":
            (Path(folder) / "network.json").write_text(network().packed())
            spec += f",network={Path(folder) / 'network.json'}"
        agent, position = decision(spec)
        search = agent.start_search(position.view(1), position.legal())
    return search.run(Budget(iterations))
