"""A clock strikes, or Ctrl-C, while something is compiled: nobody waits for a lock for ever."""

import threading

import pytest
from llvmlite.binding import ffi, parse_assembly
from numba import types

from facedown.core.jit import JIT, native

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled with the JIT off")


def free() -> bool:
    """Whether another thread gets the lock of LLVM, which whatever it asks LLVM for takes."""
    asker = threading.Thread(target=parse_assembly, args=("",), daemon=True)
    asker.start()
    asker.join(timeout=20)  # a busy machine takes a moment
    return not asker.is_alive()


@pytest.mark.parametrize("after", [0, 1, 2, 4])
def test_an_interrupt_between_a_lock_and_its_with_leaves_it_free(after):
    left = [after]

    def grown(x):  # by another number each time: what is compiled once is there
        return x + x + after

    def strike() -> None:  # called when the lock is taken, before anything would give it back
        left[0] -= 1
        if left[0] < 0:
            ffi.unregister_lock_callback(strike, nothing)
            raise KeyboardInterrupt

    def nothing() -> None:
        pass

    ffi.register_lock_callback(strike, nothing)
    with pytest.raises(KeyboardInterrupt):
        native(grown, types.int64(types.int64))
    assert free()
    assert native(grown, types.int64(types.int64)).ctypes(21) == 42 + after
