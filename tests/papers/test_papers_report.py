"""The report: one file that asks no network for anything, with every exhibit and its verdict."""

import re

import pytest

from facedown.papers.produce import produce
from facedown.papers.report import report, states_of
from facedown.papers.verdict import Claim, plain, verdict
from support.running import run
from support.tiny_paper import PAPER, run_of


def page_of(folder):
    return report([PAPER], states_of([PAPER], folder), folder)


def test_a_report_has_tables_pictures_and_verdicts_inside(tmp_path):
    produce(run_of(tmp_path, games=20))
    text = page_of(tmp_path)
    assert text.count("<article") == 1
    assert '<span class="badge agrees">agrees</span>' in text
    assert "standard: 20 games a cell, seed 1" in text
    assert re.search(r'src="data:image/png;base64,[A-Za-z0-9+/=]{10000,}"', text)
    assert '<div class="scroll"><table>' in text
    assert not re.search(r'(src|href)="(?!data:|#)', text)  # nothing from elsewhere
    assert "http" not in text
    assert "<script" not in text


def test_what_was_not_played_says_how_to(tmp_path):
    text = page_of(tmp_path)
    assert "Not played yet: <code>facedown paper tiny2020 table-1</code>" in text
    assert "1 tables and figures: 1 not played." in text


def test_words_of_others_are_shown_and_not_obeyed(tmp_path, monkeypatch):
    produce(run_of(tmp_path))
    evil = "<script>alert(1)</script>"
    monkeypatch.setattr(PAPER, "source", evil)
    text = page_of(tmp_path)
    assert evil not in text
    assert "&lt;script&gt;" in text


def test_the_command(tmp_path):
    missing = run("report", "--from", str(tmp_path / "nowhere"))
    assert missing.status == 2
    assert "there is no folder" in missing.err
    folder = tmp_path / "results"
    run("paper", "kelly2017", "first-dealer", "--games", "300", "--out", str(folder))
    made = run("report", "kelly2017", "--from", str(folder))
    assert made.status == 0
    assert (
        f"1 of {len(re.findall('<article', (folder / 'kelly2017.html').read_text()))}" in made.out
    )
    again = run("report", "kelly2017", "--from", str(folder))  # the usual file is replaced
    assert again.status == 0
    other = ("report", "kelly2017", "--from", str(folder), "--out", str(tmp_path / "it.html"))
    assert run(*other).status == 0
    assert run(*other).status == 2  # one of the user's own is not


# --- verdicts ------------------------------------------------------------------------------------

A, D, LEFT = (Claim(name, name) for name in ("agrees", "differs", "open"))


@pytest.mark.parametrize(
    ("claims", "words"),
    [
        ([], "nothing is published to compare with."),
        ([A], "agrees (1 of 1)."),
        ([A, LEFT], "agrees (1 of 2; 1 open, for too few games)."),
        ([LEFT, LEFT], "open: too few games to say (2 claims)."),
        ([D], "differs in 1 of 1: differs; why is not known."),
        (
            [A, A, D, LEFT],
            "differs in 1 of 4: differs; why is not known. 2 agree; 1 open, for too few",
        ),
    ],
)
def test_a_verdict_is_plain(claims, words):
    assert verdict(claims).startswith(words)
    assert plain(claims) in words.replace("nothing", "none")
