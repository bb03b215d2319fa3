"""A tournament on a Ray cluster of three nodes on this machine, one of which is killed."""

import importlib.util
import json
import time

import pytest

from facedown.arena import cluster
from facedown.arena.cluster import Cluster, MissingRayError, play_on_node
from facedown.arena.match import arrange
from facedown.arena.work import Task
from facedown.store.store import Store
from support import SUPPORT
from support.running import run, started

RAY = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="Ray is not installed: pip install .[cluster]"
)
AGENTS = ("so-ismcts:iterations=200", "mo-ismcts:iterations=200", "random")
TOURNAMENT = ("tournament", "leduc", *AGENTS, "--games", "300", "--seed", "5", "--margin", "0.02")


def plan(games=10):
    return arrange("kuhn", ["random*2"], games).plan(3)


def test_a_worker_plays_what_it_is_given_if_its_code_is_the_same():
    code = cluster.code_of(plan())
    chunk = play_on_node(Task(plan(), [0, 3]), code)
    assert chunk.error is None
    assert [row.place for row in chunk.games.rows] == [0, 3]


def test_a_worker_of_another_revision_plays_nothing():
    chunk = play_on_node(Task(plan(), [0]), "feed")
    assert "code that plays kuhn, feed is wanted" in str(chunk.error)
    assert chunk.games.rows == []


def test_a_node_compiles_once(monkeypatch, tmp_path):
    made = []
    monkeypatch.setattr(cluster, "cache_root", lambda: tmp_path)
    monkeypatch.setattr(cluster, "warm_up", lambda *given: made.append(given))
    for _ in range(3):  # three workers
        cluster.compile_once.cache_clear()
        cluster.compile_once("kuhn", ("random",), "feed")
    assert made == [("kuhn", ("random",))]
    cluster.compile_once("kuhn", ("random",), "code")
    assert len(made) == 2


def test_without_ray_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(MissingRayError, match=r"pip install 'facedown\[cluster\]'"):
        Cluster("auto")
    ran = run("match", "kuhn", "random", "random", "--backend", "ray", "--address", "auto")
    assert ran.status == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--backend", "cloud"), "no backend 'cloud'; there are local and ray"),
        (("--backend", "ray"), "the backend ray wants --address"),
        (("--address", "auto"), "--address is for --backend ray"),
    ],
)
def test_what_cannot_be_meant_is_refused(words, said):
    ran = run("match", "kuhn", "random", "random", *words)
    assert ran.status == 2
    assert said in ran.err


def _done(file):
    if not file.exists():
        return 0
    with Store(file, create=False) as store:
        return sum(one.done for one in store.runs())


def _counted(result):
    return {name: value for name, value in result.items() if name not in ("run", "revisions")}


@RAY
@pytest.mark.slow
def test_a_node_that_is_killed_changes_nothing(tmp_path):
    here, there = tmp_path / "here.db", tmp_path / "there.db"
    expected = run(*TOURNAMENT, "--store", str(here), "--json").json
    with started(str(SUPPORT / "loopback_cluster.py"), stdin=True) as nodes:
        address = nodes.stdout.readline().strip()
        words = (*TOURNAMENT, "--store", str(there), "--json")
        ray = ("--backend", "ray", "--address", address)
        with started("-m", "facedown", *words, *ray) as process:
            while _done(there) < 30 and process.poll() is None:
                time.sleep(0.05)
            before = _done(there)
            nodes.stdin.write("kill\n")
            nodes.stdin.flush()
            assert nodes.stdout.readline().strip() == "killed"
            out, err = process.communicate(timeout=600)
        nodes.stdin.close()
        nodes.wait(timeout=60)
    assert process.returncode == 0, err
    assert 30 <= before < expected["games"]
    assert _counted(json.loads(out)) == _counted(expected)
    with Store(here) as one, Store(there) as other:
        for first, second in zip(one.matches(1), other.matches(1), strict=True):
            assert [game.payoffs for game in first.records()] == [
                game.payoffs for game in second.records()
            ]
