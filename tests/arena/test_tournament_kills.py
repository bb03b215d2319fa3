"""Tournaments that are killed at random moments end as if they had not been."""

import json
import os
import random
import signal
import time

import pytest

from facedown.store.store import Store
from support.running import program, started

AGENTS = ("so-ismcts:iterations=300", "random", "scripted", "mo-ismcts:iterations=300")


def words(file, form, seed, jobs):
    fixed = ("tournament", "leduc", *AGENTS, "--games", "60", "--margin", "0.1", "--form", form)
    return (*fixed, "--seed", str(seed), "--jobs", jobs, "--store", str(file), "--json")


def done(file):
    if not file.exists():
        return 0
    with Store(file, create=False) as store:
        return sum(run.done for run in store.runs())


def killed(command, file, kills, draw):
    """How often it was killed, each time after it had come further."""
    for deaths in range(kills):
        before = done(file)
        with started("-m", "facedown", *command) as process:
            while done(file) == before and process.poll() is None:
                time.sleep(0.02)
            time.sleep(draw.uniform(0, 0.5))
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
        if process.returncode != -signal.SIGKILL:
            return deaths
        with Store(file) as store:
            assert store.damage() == []
    return kills


def games(file):
    with Store(file) as store:
        return [
            [
                (one.number, one.payoffs, [move.text for move in one.moves])
                for one in match.records()
            ]
            for match in sorted(store.matches(1), key=lambda match: match.name)
        ]


def check(folder, form, seed, jobs, kills):
    there, here = folder / "killed.db", folder / "whole.db"
    deaths = killed(words(there, form, seed, jobs), there, kills, random.Random(seed))
    last, whole = (program(*words(file, form, seed, "1")) for file in (there, here))
    assert last.status == whole.status == 0, last.err + whole.err
    counted = [{k: v for k, v in one.json.items() if k != "revisions"} for one in (last, whole)]
    assert counted[0] == counted[1], json.dumps(counted)
    assert games(there) == games(here)
    return deaths


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_a_tournament_that_is_killed_ends_as_if_it_had_not_been(tmp_path, seed):
    form = ("round-robin", "elimination", "ladder")[seed % 3]
    assert check(tmp_path, form, seed, "12"[seed // 3], kills=5) >= 1
