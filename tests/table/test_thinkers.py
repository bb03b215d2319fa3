"""Places to search at: never more at once than there are, and the longest wait ends first."""

import threading
import time

import pytest

from facedown.table import thinkers as module
from facedown.table.thinkers import LEAST_ITERATIONS, Brake, Thinkers


def test_who_has_been_waited_for_longest_comes_first():
    thinkers, came = Thinkers(1), []

    def think(since):
        with thinkers.place(since):
            came.append(since)

    threads = [threading.Thread(target=think, args=(since,)) for since in (30.0, 10.0, 20.0, 10.0)]
    with thinkers.place():
        for thread in threads:
            thread.start()
        while thinkers.waiting < len(threads):
            time.sleep(0.001)
    for thread in threads:
        thread.join()
    assert came == [10.0, 10.0, 20.0, 30.0]


def test_no_more_think_at_once_than_there_are_places_and_errors_give_them_back():
    thinkers, lock, now, most = Thinkers(3), threading.Lock(), [0], [0]

    def think(number):
        try:
            with thinkers.place(float(number % 5)):
                with lock:
                    now[0] += 1
                    most[0] = max(most[0], now[0])
                time.sleep(0.001)
                with lock:
                    now[0] -= 1
                if number % 3 == 0:
                    raise ValueError
        except ValueError:
            pass

    threads = [threading.Thread(target=think, args=(number,)) for number in range(60)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 1 <= most[0] <= 3
    assert thinkers.free == 3


class Search:
    """As much of a search as a brake looks at: one that goes on until it is stopped."""

    def __init__(self):
        self.iterations, self.ended = 0, threading.Event()

    def stop(self):
        self.ended.set()

    def run(self, seconds=60.0):
        end = time.monotonic() + seconds
        while not self.ended.wait(0.002) and time.monotonic() < end:
            self.iterations += LEAST_ITERATIONS


class Agent:
    search = None


def test_a_brake_lets_a_search_find_something_and_leaves_one_alone_that_has_ended():
    agent = Agent()
    agent.search = before = Search()
    before.iterations = 1000  # of decisions before: it is the same search all along
    brake = Brake(lambda: agent)
    assert not brake()
    before.iterations += LEAST_ITERATIONS - 1
    assert not brake()
    before.iterations += 1
    assert brake()
    before.ended.clear()
    assert not brake()  # it goes on no more, and its next run is not to be ended
    assert not before.ended.is_set()
    agent.search = Search()
    assert not brake()
    agent.search.iterations = LEAST_ITERATIONS
    assert brake()
    agent.search = None
    assert not brake()


def thought(thinkers, since=None):
    """A search at a place of its own, and its thread."""
    agent, told = Agent(), []

    def think():
        with thinkers.place(since, Brake(lambda: agent)) as place:
            agent.search = Search()
            agent.search.run()
            told.append(place.hurried)

    thread = threading.Thread(target=think)
    thread.start()
    while agent.search is None:
        time.sleep(0.001)
    return agent, thread, told


@pytest.fixture
def hasty(monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.1)


@pytest.mark.usefixtures("hasty")
def test_a_search_is_cut_short_once_somebody_has_waited_too_long_for_its_place():
    thinkers = Thinkers(1)
    agent, thread, told = thought(thinkers)
    time.sleep(0.3)
    assert thread.is_alive()  # nobody waits: it thinks as long as it was told to
    began = time.monotonic()
    with thinkers.place():
        assert 0.1 <= time.monotonic() - began < 10
    thread.join()
    assert told == [True]
    assert agent.search.iterations >= LEAST_ITERATIONS


@pytest.mark.usefixtures("hasty")
def test_a_table_whose_people_have_long_waited_thinks_faster_while_others_wait():
    thinkers, now = Thinkers(1), time.monotonic()
    _, thread, told = thought(thinkers, since=now - 60)
    with thinkers.place(now + 60):  # who has hardly waited
        pass
    thread.join()
    assert told == [True]


@pytest.mark.usefixtures("hasty")
def test_nobody_is_hurried_where_all_are_to_think_as_they_were_told_to():
    thinkers = Thinkers(1, hurries=False)
    agent, thread, told = thought(thinkers)
    waiter = threading.Thread(target=lambda: thinkers.place(0.0).__enter__())
    waiter.start()
    time.sleep(0.3)
    assert thinkers.waiting == 1
    agent.search.stop()
    thread.join()
    waiter.join()
    assert told == [False]


def test_work_of_many_pieces_lets_others_first():
    thinkers, came = Thinkers(1), []

    def think():
        with thinkers.place():
            came.append("other")

    with thinkers.place() as held:
        thinkers.breathe(held)  # nobody waits
        thread = threading.Thread(target=think)
        thread.start()
        while not thinkers.waiting:
            time.sleep(0.001)
        thinkers.breathe(held)
        came.append("own")
    thread.join()
    assert came == ["other", "own"]
    assert thinkers.free == 1
