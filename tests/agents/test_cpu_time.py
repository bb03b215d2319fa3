"""Equal time by the processor: `cpu=` is what an agent's own thread has had of one."""

import time

import pytest

from facedown.agents.registry import make_agent
from facedown.arena.bench import first_decision
from facedown.arena.match import run_match
from facedown.core import SpecError
from facedown.core.clocks import now, own_time
from facedown.games.registry import load_game
from facedown.search.budget import Budget, Clock


def test_within_own_time_the_wall_does_not_count(monkeypatch):
    monkeypatch.setattr(time, "thread_time", lambda: 3.0)
    wall = now()
    with own_time():
        assert now() == 3.0
        with own_time(False):
            assert now() >= wall
        assert now() == 3.0
    assert now() >= wall


def test_a_clock_runs_by_the_processor(monkeypatch):
    used = [0.0]
    monkeypatch.setattr(time, "thread_time", lambda: used[0])
    with own_time():
        clock = Clock(Budget(seconds=0.02))
        asked = 0
        while chunk := clock.chunk():
            used[0] += 0.001  # what a chunk takes
            clock.ran(chunk)
            asked += 1
    assert asked == 20


@pytest.mark.parametrize("agent", ["so-ismcts", "mt-ismcts", "flat-mc"])
def test_a_decision_takes_as_much_of_the_processor_as_it_may(agent):
    game = load_game("leduc")
    root = first_decision(game, 3)
    player = root.turn()
    try:
        made = make_agent(f"{agent}:cpu=0.05", game, player, 1)
    except SpecError as error:
        pytest.skip(str(error))
    view = root.view(player)
    made.choose(view, root.choices())
    began = time.thread_time()
    made.choose(view, root.choices())
    assert time.thread_time() - began >= 0.045
    assert made.report().iterations > 10


def test_a_match_of_equal_time_is_played():
    result = run_match("kuhn", ["so-ismcts:cpu=0.002", "mo-ismcts:cpu=0.002"], 4, 1)
    assert (result.games, result.errors) == (4, 0)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("cpu=0.1,seconds=0.1", "one of them is wanted"),
        ("cpu=0.1,threads=2", "cpu is the time of one thread"),
        ("cpu=-1", "cpu=-1.0: at least 0 is wanted"),
        ("cpu=inf", "a finite number is wanted"),
    ],
)
def test_what_cannot_be_meant_is_refused(options, said):
    with pytest.raises(SpecError, match=said):
        make_agent(f"so-ismcts:{options}", load_game("kuhn"), 0, 1)
