"""Records that go on where others end: a game that is another with a wider state."""

import numpy as np
import pytest
from numba import carray, from_dtype, types

from facedown.core.jit import JIT, jit, native

NARROW = np.dtype([("a", "<i8")])
WIDE = np.dtype([("a", "<i8"), ("b", "<i8")])


@jit
def doubled(s):
    return s["a"] * 2


def by_narrow(s):
    return doubled(carray(s, 1)[0])


def by_wide(s):
    return doubled(carray(s, 1)[0]) + carray(s, 1)[0]["b"]


@pytest.mark.skipif(not JIT, reason="something is to be compiled")
def test_a_helper_is_taken_over_for_a_wider_record_without_a_remark(monkeypatch, tmp_path):
    """Warnings are errors here: Numba warns where it has the helper for the narrow one already."""
    monkeypatch.setenv("FACEDOWN_CACHE", str(tmp_path))
    for rule, dtype, cells, due in ((by_narrow, NARROW, [3], 6), (by_wide, WIDE, [3, 5], 11)):
        made = native(rule, types.int64(types.CPointer(from_dtype(dtype))))
        assert made.ctypes(np.array(cells).ctypes.data) == due
