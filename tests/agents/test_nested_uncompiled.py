"""The kernels of imperfect-information simulations, compiled and not."""

import json
import os
import subprocess
import sys

from support import CHILD_PATH, nested_decisions


def test_simulations_without_the_jit_give_the_same():
    """Uncompiled, whatever lies outside of its array is an error, and not read in silence."""
    environment = {**os.environ, "PYTHONPATH": CHILD_PATH, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, nested_decisions.__file__], env=environment, capture_output=True, text=True
    )
    assert done.stderr == ""
    assert json.loads(done.stdout) == json.loads(json.dumps(nested_decisions.decisions()))
