"""Where a clock may strike: never where what is raised would be dropped."""

import gc
import time

import pytest

from facedown.arena.clock import Overrun, can_interrupt, limited


@pytest.mark.skipif(not can_interrupt(), reason="nothing can be interrupted here")
def test_a_strike_waits_for_the_collector_of_garbage_and_is_not_lost():
    finished = []

    def slowly(phase, info):
        if not finished:
            time.sleep(0.05)  # the clock strikes here
        finished.append(phase)

    def collect_for_ever():
        gc.callbacks.append(slowly)
        try:
            while True:
                gc.collect(0)
        finally:
            gc.callbacks.remove(slowly)

    with pytest.raises(Overrun):
        limited(0.02, collect_for_ever)
    assert finished  # the first call came to its end, though its time was up
