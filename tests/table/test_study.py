"""Studies: their files, and one that is played from consent to thanks in a real browser."""

import csv
import json
import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from facedown.core import SpecError
from facedown.store.records import HUMAN, read_records
from facedown.store.store import Store
from facedown.table.house import House
from facedown.table.study import Study, Studying
from facedown.table.web.limits import OPENED
from support import SUPPORT
from support.browsers import browser, my_turn_or_end, needs_browser, needs_web, play_out, served
from support.raw_pages import get, post
from support.running import run

CANARY = f"{SUPPORT / 'canary.py'}:Canary"
WHOLE = f"""
title = "Words <b>and</b> deeds"
game = "{CANARY}"
consent = "You may leave at any time.\\n\\nWe keep your moves and their times."
thanks = "That was it."
matches = 2
[[condition]]
name = "chance"
against = "random"
[[condition]]
name = "thought"
against = "so-ismcts:iterations=50"
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(WHOLE)
    return path


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (("title =", "titel ="), "'titel' is not known"),
        (('thanks = "That was it."', "thanks = 3"), "thanks is 3; a text is wanted"),
        (("matches = 2", "matches = 0"), "matches is 0; 1 to 1000"),
        (("matches = 2", 'seat = "left"'), "seat is 'left'; a number"),
        (("matches = 2", "seat = 5"), "seat is 5; 0 to 1"),
        (('name = "thought"', 'name = "chance"'), "same name"),
        (('name = "thought"', ""), "a name and against"),
        (("so-ismcts", "nobody"), "no agent 'nobody'"),
        (("[[condition]]", "[[conditions]]"), "'conditions' is not known"),
        (("matches = 2", "matches = ="), "is no TOML"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line(file, change, wrong):
    file.write_text(WHOLE.replace(*change))
    ran = run("serve", "--study", str(file), "--export", str(file.parent / "out"))
    assert ran.status == 2
    assert wrong in ran.err
    assert ran.err.count("\n") == 1
    assert not (file.parent / "out").exists()


def test_conditions_are_balanced_and_codes_are_all_that_is_known(file):
    with Store(":memory:") as store, House(store) as house:
        studying = Studying(house, Study.read(file))
        people = [studying.agree() for _ in range(20)]
        conditions = [person.condition.name for person, _ in people]
        assert conditions.count("chance") == 10
        assert set(conditions[:2]) == {"chance", "thought"}
        person, token = people[0]
        assert studying.find(person.code, token).code == person.code
        assert studying.find(person.code, people[1][1]) is None
        assert studying.find("NOBODY", token) is None
        assert token not in str(store.read("SELECT * FROM tables"))


def test_a_match_that_is_asked_for_twice_at_once_is_one_match(file):
    with Store(":memory:") as store, House(store) as house, ThreadPoolExecutor(8) as several:
        studying = Studying(house, Study.read(file))
        person, token = studying.agree()
        assert studying.match(person.code, token) is None  # the instructions come first
        while person.go_on() != "matches":
            pass
        names = set(several.map(lambda _: studying.match(person.code, token), range(16)))
        assert len(names) == 1
        assert studying.find(person.code, token).matches() == list(names)
        assert studying.match(person.code, token[:-1]) is None


def test_participants_count_as_tables_of_their_address(file, tmp_path):
    needs_web()
    with served(tmp_path, "--study", str(file)) as server:
        statuses = [post(server.port, "/agree", {})[0] for _ in range(OPENED[0] + 1)]
        assert statuses == [200] * OPENED[0] + [429]
        assert post(server.port, "/study/A/b/match", {})[0] == 429
        assert get(server.port, "/")[0] == 200


def test_nothing_is_exported_over_something(file, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine").write_text("x")
    ran = run("serve", "--study", str(file), "--export", str(out), "--store", ":memory:")
    assert (ran.status, "is not empty" in ran.err) == (2, True)
    with pytest.raises(SpecError, match="cannot read"):
        Study.read(tmp_path / "nowhere.toml")


@pytest.mark.slow
def test_a_whole_study_in_a_real_browser(file, tmp_path):
    needs_browser()
    folder = tmp_path / "served"
    folder.mkdir()
    with served(folder, "--study", str(file)) as server, browser() as chromium:
        page = chromium.new_page()
        page.goto(server.url)
        page.get_by_text("We keep your moves").wait_for()
        page.get_by_role("button", name="I agree").click()
        page.wait_for_url("**/study/**")
        page.get_by_text("Each has a word.").wait_for()
        page.get_by_role("button", name="Go on").click()
        page.get_by_role("button", name="a word").click()
        page.get_by_text("No. Try again.").wait_for()
        page.get_by_role("button", name="yes or no").click()
        page.get_by_text("Right: the words are secret.").wait_for()
        page.get_by_role("button", name="three times").click()
        for match in (1, 2):
            page.get_by_text(f"Match {match} of 2").wait_for()
            page.get_by_role("button", name="To the table").click()
            page.wait_for_url("**/table/**")
            assert my_turn_or_end(page)
            for name in ("Hint", "Beliefs", "Take back"):
                assert not page.get_by_role("button", name=name).is_visible()
            assert play_out(page, random.Random(match))[0] == 3
            assert not page.get_by_text("Look back").is_visible()
            page.get_by_role("link", name="Go on").click()
        page.get_by_text("That was it.").wait_for()
        code = page.get_by_text("Your code is").inner_text().split()[3].rstrip(".")
        page.reload()
        page.get_by_text(code).wait_for()
    out = tmp_path / "out"
    command = ("serve", "--study", str(file), "--export", str(out))
    assert run(*command, "--store", str(folder / "store.db")).status == 0
    records = list(read_records(out / f"{code}.jsonl"))
    assert [record.number for record in records] == [0, 1]
    assert all(record.consent and not record.assisted for record in records)
    times = [m.seconds for r in records for m in r.moves if m.player == r.agents.index(HUMAN)]
    assert len(times) == 6
    assert min(times) > 0
    (row,) = csv.DictReader((out / "participants.csv").read_text().splitlines())
    assert row["participant"] == code
    assert row["condition"] in ("chance", "thought")
    assert (row["stage"], row["quiz_wrong"], row["matches"]) == ("thanks", "1", "2")


CHEAT = """
title = "Cheat"
game = "cheat"
consent = "You may leave at any time."
quiz = false
[[condition]]
name = "chance"
against = "random"
[[condition]]
name = "thumb"
against = "scripted"
"""


@pytest.mark.slow
def test_what_a_study_exports_is_learnt_from(tmp_path):
    needs_browser()
    pytest.importorskip("skops")
    study, folder, out = tmp_path / "study.toml", tmp_path / "served", tmp_path / "out"
    study.write_text(CHEAT)
    folder.mkdir()
    with served(folder, "--study", str(study)) as server, browser() as chromium:
        for number in range(8):  # of four, one has seen but six lies: ten are wanted
            page = chromium.new_page()
            page.goto(server.url)
            page.get_by_role("button", name="I agree").click()
            page.get_by_role("button", name="Go on").click()
            page.get_by_role("button", name="To the table").click()
            page.wait_for_url("**/table/**")
            play_out(page, random.Random(number))
            page.get_by_role("link", name="Go on").click()
            page.get_by_text("Thank you").wait_for()
            page.close()
    export = run("serve", "--study", str(study), "--export", str(out),
                 "--store", str(folder / "store.db"))  # fmt: skip
    assert "8 participants" in export.out
    model = tmp_path / "lies.skops"
    learnt = run("learn", "cheat", "--from", str(out), "--out", str(model),
                 "--classifier", "decision-tree", "--blocks", "0", "--json")  # fmt: skip
    assert learnt.status == 0, learnt.err
    assert model.exists()
    assert json.loads(learnt.out)["samples"] > 0
    assert json.loads(learnt.out)["left_out"] == {}
