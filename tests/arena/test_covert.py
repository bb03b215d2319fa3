"""Ways past an agent's walls that are no files, no network and no process: none is there."""

from __future__ import annotations

import os
import platform
import signal
import time

import pytest

from facedown.agents.base import Agent
from facedown.arena.apart import refusals
from facedown.arena.apart.hosts import Host
from facedown.arena.apart.limits import Limits
from facedown.arena.apart.seat import ApartAgent, Cells
from facedown.arena.game import play_game
from facedown.games.registry import load_game
from support import SUPPORT
from support.covert import LooksEverywhere
from support.running import started

AGENTS = SUPPORT / "covert.py"
SMALL = Cells(Limits(memory=400, files=8))


class Bets(Agent):
    """Plays the last move: an agent that passes is asked a second time."""

    def choose(self, view, legal):
        return legal[-1]


def seated(name, clock):
    return lambda game, player: ApartAgent(game, player, 1, f"{AGENTS}:{name}", SMALL, clock=clock)


def against(name, clock=20.0, other=None):
    """A game of Kuhn poker that one of these begins, against one that bets or another of them."""
    second = seated(other, clock) if other else lambda game, player: Bets(game, player, seed=2)
    return play_game(load_game("kuhn"), [seated(name, clock), second], deal_seed=7, clock=clock)


def found(record, player=0):
    assert record.forfeits == ()
    return next(move.summary["found"] for move in record.moves if move.player == player)


@pytest.fixture(scope="module")
def everything():
    return found(against("LooksEverywhere"))


@pytest.mark.parametrize("look", [look.__name__ for look in LooksEverywhere.LOOKS])
def test_nothing_is_found_or_left_behind(everything, look):
    assert everything[look] == []


def test_what_a_player_needs_is_there():
    assert found(against("ReadsDevices")) == ["00000000", 8, ""]
    assert found(against("RunsAnInterpreter")) == ["False", "True"]


def test_a_lock_that_one_holds_the_other_does_not_find():
    assert found(against("Locks", other="FindsLocks"), player=1) == []


def test_a_name_that_one_has_taken_the_other_can_take_too():
    record = against("FindsAbstractSockets", other="FindsAbstractSockets")
    assert found(record) == found(record, player=1) == []


GREEDY = "Died: its processes took more than 400 MB"
LINES = {
    "TakesMemoryNobodyMaps": "",
    "TakesMemoryByThreadsChildren": GREEDY,
    "DumpsItsCore": "Died: its process was ended by SIG",
    "NamesEverything": "OutOfTurn: it sent a line that nobody had asked for",
    "PacesBeyondNumbers": "",
    "PacesBackwards": "",
    "SumsMarkup": "",
    "RaisesItself": r"[bold]\x1b[31mOops\u202e: ",
    "AnswersInPieces": "",
    "AnswersTheNextToo": "OutOfTurn: it sent a line that nobody had asked for",
    "SendsDescriptors": "",
    "SendsUrgently": "",
    "ExecsWithTheLine": "",
}
LATE = {
    "TakesMemoryByChildren": GREEDY,
    "AnswersLate": "Overrun: more than 8 s for a move",
    "LeavesATracer": "Overrun: more than 8 s for a move",
    "SumsManyKeys": "",
}


@pytest.mark.parametrize(
    ("name", "reason"),
    [*LINES.items(), *(pytest.param(*one, marks=pytest.mark.slow) for one in LATE.items())],
)
def test_it_forfeits_or_plays_on(name, reason):
    before = len(os.listdir("/proc/self/fd"))
    record = against(name, clock=8.0)
    told = [forfeit.reason for forfeit in record.forfeits]
    assert len(told) == bool(reason)
    assert all(one.startswith(reason) and one.isprintable() for one in told), told
    assert len(os.listdir("/proc/self/fd")) <= before + 1  # the server's, where it is the first


def marked():
    """The processes of an agent that has left its mark on them, by their numbers."""
    numbers = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/maps") as file:
                if "covert-mark" in file.read():
                    numbers.append(int(pid))
        except OSError:
            continue
    return numbers


def waited(holds, seconds=30.0):
    deadline = time.monotonic() + seconds
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.05)
    return holds()


def test_an_agent_that_would_outlive_a_killed_match_does_not(tmp_path):
    words = ("match", "kuhn", f"{AGENTS}:Outlives", "random", "--store", str(tmp_path / "s.db"))
    with started("-m", "facedown", *words) as process:
        try:
            assert waited(lambda: len(marked()) >= 2, 60.0)
        finally:
            os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    assert waited(lambda: marked() == [])


def test_others_do_not_wait_for_all_that_an_agent_names():
    """What it names is loaded one by one, between what is asked of the server."""
    host = Host("kuhn")
    try:
        for _ in range(5):
            host.warm([f"facedown.search.n{k}" for k in range(500)], ["nothing"] * 500)
        agent, control = host.seat((), 100)
        with agent, control:
            assert host.alive
    finally:
        host.end()


def test_the_filter_knows_both_machines_and_says_so_of_others():
    for machine in ("x86_64", "aarch64"):
        steps = refusals.program(machine)
        assert len(steps) < 256
        for place, (_, yes, no, _) in enumerate(steps):
            assert place + 1 + max(yes, no) <= len(steps)  # no step leads out of it
    with pytest.raises(OSError, match="no calls are known on pdp11"):
        refusals.program("pdp11")
    assert platform.system() == "Linux"
