"""Small decisions of HyperPlay-II, as JSON: what each search found and what it visited."""

from __future__ import annotations

import json
from typing import Any

from facedown.agents.registry import make_agent
from facedown.core import CHANCE, Stream
from facedown.games.registry import load_game
from facedown.search.nested.hyperplay_ii import NestedSearch

SPECS = (
    "hyperplay-ii:models=2,nested=3,samples=1",
    "hyperplay-ii:models=2,nested=2,samples=1,discount=0.9,cut=true,prune=true",
    "hyperplay-ii-shared:models=2,nested=3,samples=2",
)
GAMES = ("kuhn", "exploding-bomb", "monty-hall", "banker-and-thief")


def decided(name: str, spec: str, seed: int = 3) -> list[Any]:
    """The first decision of a game, by its player 0; joint moves counted rule by rule in Kuhn's."""
    game = load_game(name)
    truth, agent, stream = game.start(), make_agent(spec, game, 0, seed), Stream(seed)
    while truth.turn() == CHANCE:
        move = truth.draw(stream)
        if token := truth.sees(move, 0):
            agent.observe(token, "")
        truth.play(move)
    search = agent.start_search(truth.view(0), truth.legal())
    assert isinstance(search, NestedSearch)
    if name == "kuhn":
        search.simulator.count_joint()
    report = search.run(agent.left()).report()
    found = [[one.text, one.visits, round(one.mean, 9)] for one in report.candidates]
    return [found, search.simulator.states, search.simulator.joint_states, search.simulator.played]


def decisions() -> dict[str, list[Any]]:
    """All of them, by game and spec."""
    return {f"{name} {spec}": decided(name, spec) for name in GAMES for spec in SPECS}


if __name__ == "__main__":
    print(json.dumps(decisions()))
