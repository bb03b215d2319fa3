"""Processes of minds as their owner sees them: late, stuck, gone, and slow to be there."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Iterator
from multiprocessing import Pipe, active_children
from multiprocessing.connection import Connection
from time import monotonic
from types import SimpleNamespace
from typing import Any

import pytest

from facedown.ggp import worker as workers
from facedown.ggp.player import Player
from facedown.ggp.worker import GoneError, Worker

COUNTING = """((role a) (init (n 0)) (legal a up) (legal a stop)
    (<= (next (n 0)) (does a up)) (<= terminal (not (true (n 0)))) (goal a 100))"""


class Still:
    """A process that does nothing; `line` is its end of the connection."""

    line: Connection
    pid = None

    def __init__(self, target: Any, name: str, args: tuple[Any, ...], daemon: bool) -> None:
        Still.line = Connection(os.dup(args[0].fileno()))

    def start(self) -> None: ...
    def kill(self) -> None: ...
    def join(self, seconds: float) -> None: ...
    def is_alive(self) -> bool:
        return True


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> Iterator[Worker]:
    context = SimpleNamespace(Pipe=Pipe, Process=Still)
    monkeypatch.setattr(workers.multiprocessing, "get_context", lambda how: context)
    monkeypatch.setattr(workers, "GRACE", 1.0)
    monkeypatch.setattr(workers, "POLL", 0.02)
    made = Worker("random", 1)
    yield made
    made.end()
    Still.line.close()


def test_a_mind_is_late_before_it_is_stuck(still) -> None:
    Still.line.send((0, "done", None))
    assert not still.ask("play", deadline=monotonic() + 0.1).done
    assert not still.idle
    with pytest.raises(GoneError, match="was to be back long ago"):
        still.ask("play", deadline=monotonic() + 1000)


def test_a_request_has_its_time_from_when_the_mind_comes_to_it(still, monkeypatch) -> None:
    monkeypatch.setattr(workers, "monotonic", lambda: clock[0])
    clock = [monotonic()]  # a moment after it began
    still.tell("start", seconds=10.0)
    clock[0] += 500  # it is warming up
    assert not still.idle
    Still.line.send((0, "done", None))
    assert not still.idle
    clock[0] += 10.2
    assert not still.idle
    Still.line.send((1, "done", "ready"))
    assert still.idle
    clock[0] += 1000
    assert still.idle


def test_late_answers_are_dropped(still) -> None:
    Still.line.send((0, "done", None))
    assert not still.ask("play", deadline=monotonic()).done
    still.tell("play", seconds=5.0)
    for told in [(1, "legal", ["a"]), (1, "done", "a"), (2, "legal", ["b"]), (2, "done", "b")]:
        Still.line.send(told)
    answer = still.wait(monotonic() + 5)
    assert (answer.done, answer.value, answer.legal) == (True, "b", ["b"])


def test_nobody_waits_until_a_mind_at_work_reads_what_it_is_told(still) -> None:
    for _ in range(3):
        still.tell("start", "x" * 4_000_000)  # else this hangs: nobody reads
    assert [len(Still.line.recv()[2][0]) for _ in range(3)] == [4_000_000] * 3


def test_a_mind_that_needs_longer_than_the_clocks_to_be_there_gets_there(caplog) -> None:
    """A real one: asked before it is warm, and then ended from outside."""
    others, minds = set(active_children()), set()
    player = Player("random", seed=1)
    try:
        assert player.answer(f"(START m a {COUNTING} 2 1)") == "ready"
        for _ in range(2):
            assert played_until_it_thinks(player, caplog) in ("up", "stop")
            (mind,) = (each for each in set(active_children()) - others if "Mind" in each.name)
            minds.add(mind.pid)
            os.kill(mind.pid, signal.SIGKILL)
        assert len(minds) == 2
    finally:
        player.close()


def played_until_it_thinks(player: Player, caplog: pytest.LogCaptureFixture) -> str:
    began = monotonic()
    while monotonic() - began < 240:
        caplog.clear()
        with caplog.at_level(logging.WARNING, "facedown.ggp"):
            move = player.answer("(PLAY m (up))")
        if "is late" not in caplog.text:
            return move
    raise AssertionError(caplog.text)
