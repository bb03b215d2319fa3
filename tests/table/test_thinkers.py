"""Places to search at: never more at once than there are, and the longest wait ends first."""

import threading
import time

from facedown.table.thinkers import Thinkers


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
