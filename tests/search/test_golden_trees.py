"""Fixed seeds give fixed trees: on every machine, compiled or not, with bounds checked or not.

A change that alters a tree on purpose: `python tests/support/battery.py --golden` and say why.
"""

import json
import os
import subprocess
import sys
from functools import cache

import pytest

from facedown.games.registry import GAMES
from support import CHILD_PATH, battery


@pytest.mark.parametrize("name", battery.GOLDEN_FILES)
def test_golden_trees(name):
    wanted = json.loads((battery.GOLDEN / f"{name}.json").read_text())
    found = battery.golden(name)
    assert list(found) == list(wanted)
    for label, tree in found.items():
        assert tree == wanted[label], label


def test_every_identity_and_bandit_has_a_tree_of_its_own():
    """None of the choices is idle: all the digests of one root differ."""
    trees = json.loads((battery.GOLDEN / "leduc.json").read_text())
    assert len({tree["digest"] for tree in trees.values()}) == len(trees)


@pytest.mark.parametrize("name", list(GAMES))
def test_the_signature_of_the_search(name):
    wanted = json.loads((battery.GOLDEN / "signatures.json").read_text())
    assert battery.signature(name) == wanted[name]


@cache
def compiled(iterations):
    return json.loads(json.dumps(battery.battery(iterations)))


WHOLE = [
    pytest.param(switch, 40, marks=pytest.mark.slow)
    for switch in ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK")
]


@pytest.mark.parametrize(("switch", "iterations"), [("NUMBA_DISABLE_JIT", 8), *WHOLE])
def test_kernels_give_the_same_trees_uncompiled_and_with_bounds_checks(switch, iterations):
    environment = {**os.environ, "PYTHONPATH": CHILD_PATH, switch: "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error", battery.__file__, str(iterations)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    for part, wanted in compiled(iterations).items():
        assert found[part] == wanted
