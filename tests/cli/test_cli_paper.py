"""`facedown paper`."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from facedown.papers.registry import PAPERS, load_paper
from facedown.store.store import Store
from support.running import run


def test_the_list_names_papers_and_their_tables():
    for shown in (run("paper"), run("paper", "--list")):
        assert shown.status == 0
        for name in PAPERS:
            assert name in shown.out
            assert all(exhibit in shown.out for exhibit in load_paper(name).exhibits)


def test_the_command_writes_page_and_lines_and_goes_on_from_them(tmp_path):
    line = ("paper", "kelly2017", "first-dealer", "--games", "300", "--out", str(tmp_path))
    ran = run(*line)
    assert ran.status == 0
    assert "2 of 2 cells" in ran.err
    page = (tmp_path / "kelly2017" / "first-dealer.md").read_text()
    assert page in ran.out
    assert "60 % (chapter 4, a million games)" in page
    again = run(*line)
    assert (again.status, again.out, again.err) == (0, ran.out, "")
    states = json.loads(run("paper", "kelly2017", "--out", str(tmp_path), "--json").out)["exhibits"]
    (one,) = [state for state in states if state["exhibit"] == "first-dealer"]
    assert (one["state"], one["budget"]["games"], one["verdict"]) == ("less", 300, "agrees")
    assert one["revisions"]


def test_a_checkout_lists_what_the_project_has_played(tmp_path, monkeypatch):
    ours = tmp_path / "docs" / "results"
    assert (
        run("paper", "kelly2017", "first-dealer", "--games", "300", "--out", str(ours)).status == 0
    )
    monkeypatch.setenv("FACEDOWN_STORE", str(tmp_path / "empty.db"))
    for folder, state in ((tmp_path, "less"), (ours, "missing")):
        monkeypatch.chdir(folder)
        listed = json.loads(run("paper", "kelly2017", "--json").out)["exhibits"]
        assert [one["state"] for one in listed if one["exhibit"] == "first-dealer"] == [state]


def test_scales_have_budgets_of_their_own(tmp_path, monkeypatch):
    line = ("paper", "kelly2017", "first-dealer", "--out", str(tmp_path))
    assert "Budget: 2,000 games" in run(*line, "--scale", "quick").out
    shown = run("paper", "kelly2017", "--list", "--out", str(tmp_path)).out
    assert any(row.startswith("first-dealer") and "quick" in row for row in shown.splitlines())
    asked = []

    def counted(spec, games, *args, **kwargs):
        asked.append(games)
        raise KeyboardInterrupt

    monkeypatch.setattr("facedown.arena.random_play.random_match", counted)
    assert run(*line, "--scale", "full").status == 130
    assert asked == [1_000_000]
    told = run(*line, "--scale", "huge")
    assert told.status == 2
    assert "scale is 'huge'; quick, standard or full is wanted" in told.err


def test_ctrl_c_says_what_is_kept(tmp_path, monkeypatch):
    def stop(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("facedown.arena.random_play.random_match", stop)
    ran = run("paper", "kelly2017", "first-dealer", "--out", str(tmp_path))
    assert ran.status == 130
    assert "interrupted in first-dealer after 0 of 2 cells" in ran.err
    assert "the same command goes on from there" in ran.err


@pytest.mark.parametrize("after", [5, *(pytest.param(n, marks=pytest.mark.slow) for n in (0, 17))])
def test_a_killed_run_goes_on_and_ends_as_one_that_was_not(tmp_path, after):
    """kill -9 when the store has so many games; the same command does the rest, and no more."""
    words = [
        "paper",
        "kelly2017",
        "strength",
        "--games",
        "24",
        "--iterations",
        "120",
        "--jobs",
        "1",
    ]
    store, out = tmp_path / "store.db", tmp_path / "out"
    line = [*words, "--store", str(store), "--out", str(out)]
    process = subprocess.Popen(
        [sys.executable, "-m", "facedown", *line], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        _wait(process, store, after)
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    before = _games(store)
    ran = run(*line)
    assert ran.status == 0
    with Store(store) as opened:
        assert sum(one.done for one in opened.runs()) == 24
    assert before >= after
    whole = [*words, "--store", str(tmp_path / "whole.db"), "--out", str(tmp_path / "whole")]
    assert run(*whole).status == 0
    one, two = (folder / "kelly2017" / "strength.md" for folder in (out, tmp_path / "whole"))
    assert one.read_text() == two.read_text()


def _wait(process, store, games):
    """Until the store has so many games, or the process has ended."""
    while process.poll() is None and (not os.path.exists(store) or _games(store) < games):
        time.sleep(0.02)


def _games(store):
    if not os.path.exists(store):
        return 0
    with Store(store) as opened:
        return sum(one.done for one in opened.runs())
