"""Games played in a real browser."""

import html
import random
import re
import signal

import pytest

from facedown.arena.replay import replay
from facedown.games.registry import load_game
from facedown.gdl.library import find
from facedown.store.records import read_records
from facedown.store.store import Store
from support import SUPPORT
from support.browsers import (
    browser,
    click_a_move,
    my_turn_or_end,
    needs_browser,
    play_out,
    send,
    served,
    serving,
    sit_down,
)
from support.canary import WORDS
from support.running import run

CANARY = f"{SUPPORT / 'canary.py'}:Canary"


@pytest.fixture(scope="module")
def chromium():
    needs_browser()
    with browser() as found:
        yield found


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    needs_browser()
    folder = tmp_path_factory.mktemp("served")
    with served(folder, CANARY, env={"XDG_DATA_HOME": str(folder)}) as found:
        yield found


@pytest.fixture
def page(chromium):
    made = chromium.new_page(viewport={"width": 1280, "height": 800})
    yield made
    made.close()


def last_record(server):
    with Store(server.log.parent / "store.db") as store:
        return store.matches(list(store.runs())[-1].id)[0].record(0)


def frames_of(page):
    """All that comes over the page's sockets from now on, as it comes."""
    frames = []
    page.on(
        "websocket",
        lambda ws: ws.on("framereceived", lambda frame: frames.append(str(frame))),
    )
    return frames


def unescaped(text):
    """A text without what HTML and JSON in one another make of its letters."""
    text = text.replace("\\u003c", "<").replace("\\u003e", ">").replace("\\/", "/")
    for _ in range(4):
        text = html.unescape(text)
    return text


def html_of(page):
    """The page as the server made it."""
    with page.expect_response(page.url) as answer:
        page.reload()
    return answer.value.text()


def test_a_game_is_played_by_clicking_looked_back_on_and_forked(server, page, tmp_path):
    asked, wrong = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    sit_down(page, server.url, "kuhn", against="so-ismcts", budget=200)
    decided, pointed = play_out(page, random.Random(1))
    assert 1 <= decided == pointed
    assert all(url.startswith((server.url, "data:")) for url in asked)
    record = last_record(server)
    replay(record)
    assert record.agents == ("human", "so-ismcts:iterations=200")
    assert len([move for move in record.moves if move.player == 0]) == decided
    page.get_by_text("Look back").click()
    said = page.locator(".status")
    page.wait_for_function("document.querySelector('.status')?.innerText.includes(' of ')")
    last = len(record.moves)
    assert said.inner_text().startswith(f"{last} of {last}: player")
    page.locator("body").press("ArrowLeft")
    page.wait_for_function(
        "n => document.querySelector('.status').innerText.startsWith(n)", arg=f"{last - 1} of"
    )
    with page.expect_download() as file:
        page.get_by_text("The game as a file").click()
    file.value.save_as(tmp_path / "game.jsonl")
    assert [m.text for m in next(read_records(tmp_path / "game.jsonl")).moves] == [
        m.text for m in record.moves
    ]
    page.get_by_role("button", name="Over time").click()
    page.locator("svg.heat").wait_for()
    for _ in range(last - 3):
        page.locator("body").press("ArrowLeft")
    page.wait_for_function("document.querySelector('.status').innerText.startsWith('2 of')")
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_url("**/table/**")
    play_out(page, random.Random(2))
    forked = last_record(server)
    assert forked.assisted
    assert [m.text for m in forked.moves[:2]] == [m.text for m in record.moves[:2]]
    assert wrong == []


def test_no_frame_ever_has_the_others_word(server, page, chromium):
    frames = frames_of(page)
    sit_down(page, server.url, CANARY, people=2, called="<img src=x onerror=alert(1)>")
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    link = page.locator("a[href^='/join/']").get_attribute("href")
    other = chromium.new_page()
    theirs = frames_of(other)
    other.goto(server.url.rstrip("/") + link)
    other.get_by_label("What the others call you").fill("<b>Bob</b>")
    send(other, "Take a seat")
    frames.append(html_of(page))
    theirs.append(html_of(other))
    draw, until = random.Random(3), 0
    for number in range(6):
        acting = page if number % 2 == 0 else other
        assert my_turn_or_end(acting)
        assert "<b>Bob</b>" in acting.locator("ul.seats").inner_text()
        until = len(frames), len(theirs)
        click_a_move(acting, draw)
    assert not my_turn_or_end(page)
    record = last_record(server)
    words = [move.text for move in record.moves[:2]]
    assert set(words) <= set(WORDS)
    for mine, his, seen in ((0, 1, frames[: until[0]]), (1, 0, theirs[: until[1]])):
        sent = unescaped("".join(seen))
        assert words[mine] in sent
        assert words[his] not in sent
        assert re.sub("[^a-z]", "", words[his].replace("b>", "")) not in re.sub("[^a-z]", "", sent)
    assert page.locator("ul.seats b").count() == 0
    other.close()


@pytest.mark.slow
def test_a_reload_and_a_restart_come_back_to_the_same_game(tmp_path, chromium):
    needs_browser()
    draw = random.Random(4)
    page = chromium.new_page()
    with served(tmp_path) as first:
        sit_down(page, first.url, "cribbage", against="scripted")
        for _ in range(2):
            assert my_turn_or_end(page)
            click_a_move(page, draw)
        assert my_turn_or_end(page)
        here, moves = page.url, page.locator("button.move").all_inner_texts()
        page.reload()
        assert my_turn_or_end(page)
        assert page.locator("button.move").all_inner_texts() == moves
        first.end(signal.SIGKILL)
    with served(tmp_path) as second:  # the port may be another's by now
        page.goto(here.replace(first.url, second.url))
        assert my_turn_or_end(page)
        assert page.locator("button.move").all_inner_texts() == moves
    page.close()


def test_by_keyboard_and_on_a_small_screen(server, chromium):
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    sit_down(page, server.url, "kuhn", against="random")
    words = page.locator(".board .hidden-text")
    assert my_turn_or_end(page)
    assert words.bounding_box()["x"] < 0  # for readers alone
    page.get_by_role("button", name="In words").click()
    assert words.bounding_box()["x"] >= 0
    while my_turn_or_end(page):
        before = page.locator(".board [data-ticket]").first.get_attribute("data-ticket")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        part = page.locator(".board [data-part].can").first
        assert part.get_attribute("role") == "button"
        assert part.get_attribute("aria-label")
        part.focus()
        page.keyboard.press("Enter")
        page.wait_for_function(
            "at => document.querySelector('.board [data-ticket]').dataset.ticket !== at",
            arg=before,
        )
    page.close()


@pytest.mark.slow
def test_a_rule_file_of_a_visitors_is_tried_and_played(server, page, tmp_path):
    bad, good = tmp_path / "bad.kif", tmp_path / "doors.kif"
    bad.write_text("(role <script>alert(1)</script>)")
    good.write_text(find("monty-hall").read_text())
    page.goto(server.url)
    page.get_by_text("Rules of your own").click()
    page.locator("input[type=file]").set_input_files(bad)
    page.get_by_text("bad:1").wait_for()
    page.locator("input[type=file]").set_input_files(good)
    page.get_by_text("the rules can be played").wait_for()
    send(page, "Sit down")
    play_out(page, random.Random(3))
    assert last_record(server).game.startswith("gdl:doors-")


def test_a_file_is_looked_at_over_the_server_and_offline(page, tmp_path):
    file, offline = tmp_path / "games.jsonl", tmp_path / "game.html"
    players = ("so-ismcts:iterations=50", "random")
    assert run("match", "kuhn", *players, "--games", "1", "--save", str(file)).status == 0
    last = len(next(read_records(file)).moves)
    with serving(tmp_path, "replay", str(file), "--web", "--port", "0") as server:
        page.goto(f"{server.url}replay/0")
        page.get_by_text(f"{last} of {last}: player").wait_for()
        page.locator("body").press("ArrowLeft")
        page.get_by_text(f"{last - 1} of {last}: player").wait_for()
        assert page.locator(".board svg").count() == 1
        with page.expect_download() as download:
            page.get_by_text("A page that works offline").click()
        download.value.save_as(offline)
    page.context.set_offline(True)
    page.goto(offline.as_uri())
    page.get_by_text(f"0 of {last}").wait_for()
    page.locator("body").press("ArrowRight")
    page.get_by_text(f"1 of {last}").wait_for()
    assert page.locator("#board svg").count() == 1
    page.get_by_label("Seen by").select_option(label="player 1: random")
    assert page.locator("#heats svg").count() == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "against"),
    [
        ("cribbage", "scripted"),
        ("cheat", "scripted"),
        ("resistance", "random"),
        ("settlers", "scripted"),
        ("krieg-tic-tac-toe-3x3", "random"),
    ],
)
def test_whole_games_are_played_by_clicking(server, page, spec, against):
    sit_down(page, server.url, spec, against=against)
    decided, pointed = play_out(page, random.Random(7))
    record = last_record(server)
    assert record.game == spec
    replay(record, load_game(spec))
    assert len([move for move in record.moves if move.player == 0]) == decided
    assert pointed > 0 or spec == "krieg-tic-tac-toe-3x3"
