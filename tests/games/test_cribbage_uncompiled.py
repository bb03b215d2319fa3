"""Cribbage with the JIT off and with bounds checks: the same worlds, policies and trees."""

import os
import subprocess
import sys
from functools import cache

import pytest

from support import ROOT

SCRIPT = """
import hashlib
import sys
from functools import cache

import numpy as np

from facedown.agents.registry import make_agent
from facedown.core import CHANCE, PUBLIC, Stream
from facedown.core.records import address_of
from facedown.games.registry import load_game
from facedown.search.budget import Budget

game, stream, digest = load_game(sys.argv[1]), Stream(7), hashlib.sha256()
position, out, searched = game.start(), np.zeros(2), 0
while not position.over:
    for viewer in (PUBLIC, 0, 1):
        world = position.view(viewer)
        world.determinize(viewer, stream)
        digest.update(world.digest() + position.infoset(viewer).to_bytes(8, "little"))
    stops = game.rules.python["horizon"](game.rules.ctx, position.address, address_of(out))
    digest.update(out.tobytes() if stops else b"-")
    player = position.turn()
    if player == CHANCE:
        position.apply(position.draw(stream))
        continue
    digest.update(np.round(position.prior(position.legal()), 9).tobytes())
    move = game.rules.python["playout"](game.rules.ctx, position.address, stream.address)
    digest.update(int(move).to_bytes(4, "little"))
    world = position.view(player)
    world.determinize(player, stream, "skilled")
    digest.update(world.digest())
    if searched < 3 or position.record["n"] == 4 and searched < 6:
        searched += 1
        for spec in ("so-ismcts", "best"):
            agent = make_agent(spec, game, player, 1)
            search = agent.start_search(position.view(player), position.legal()).run(Budget(40))
            digest.update(repr(search.dump()).encode())
    position.apply(stream.choice(position.legal()))
print(digest.hexdigest(), position.payoff(), searched)
"""


@cache
def run(spec, flag="FACEDOWN_TEST"):
    environment = {**os.environ, flag: "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, spec], env=environment, capture_output=True, text=True
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("spec", ["cribbage", "cribbage:kelly2017=true"])
@pytest.mark.slow
@pytest.mark.parametrize("flag", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_rules_and_searches_are_the_same_without_the_jit_and_with_bounds_checks(spec, flag):
    wanted = run(spec)
    assert wanted.endswith(" 6\n")
    assert run(spec, flag) == wanted
