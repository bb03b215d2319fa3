"""Whole matches on a machine that gives a player an eighth of a processor, at short clocks."""

from __future__ import annotations

import logging
import threading
from multiprocessing import active_children

import pytest

from facedown.gdl.library import find
from facedown.ggp.player import Player
from facedown.ggp.referee import Referee, Setting
from facedown.ggp.server import PlayerServer
from support.slow_machine import slowed
from support.stand_ins import ready_or, stand_in

pytestmark = pytest.mark.slow  # by the wall: clocks run


@pytest.mark.parametrize("name", ["krieg-tic-tac-toe-3x3", "connect-four", "knightthrough"])
def test_a_match_on_a_slow_machine_has_no_illegal_move(name, caplog) -> None:
    """Nor one that is late; and most moves are the mind's own, with thought."""
    others = {process.pid for process in active_children()}
    player = Player("general", seed=1)
    caplog.set_level(logging.INFO, "facedown.ggp")
    try:
        player.ready()
        with PlayerServer("127.0.0.1", 0, player) as server:
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()

            def own() -> list[int]:
                return [p.pid for p in active_children() if p.pid and p.pid not in others]

            assert len(own()) == 2  # the mind and the clerk
            with slowed(own, 1 / 8):
                report = _alone(name, server.url)
            server.shutdown()
    finally:
        player.close()
    assert report.faults(next(iter(report.players))) == {}
    late = sum("any legal move" in each.getMessage() for each in caplog.records)
    assert late <= len(report.steps) / 2


def _alone(name: str, url: str):
    """A match in which the player has the first role, and nobody answers for the other."""
    with stand_in(ready_or(lambda message: "nothing that is legal")) as (other, _):
        return Referee(find(name), [url, other], Setting(5, 2, seed=3)).play()
