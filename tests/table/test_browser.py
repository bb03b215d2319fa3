"""Games played in a real browser."""

import pytest

from facedown.arena.replay import replay
from facedown.store.store import Store
from support.browsers import browser, my_turn_or_end, needs_browser, served, sit_down


@pytest.fixture(scope="module")
def chromium():
    needs_browser()
    with browser() as found:
        yield found


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    needs_browser()
    with served(tmp_path_factory.mktemp("served")) as found:
        yield found


@pytest.fixture
def page(chromium):
    made = chromium.new_page(viewport={"width": 1280, "height": 800})
    yield made
    made.close()


def test_a_game_of_kuhn_is_played_by_clicking(server, page, tmp_path):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    sit_down(page, server.url, "Kuhn", against="random")
    moved = 0
    while my_turn_or_end(page):
        before = page.locator("[data-ticket]").first.get_attribute("data-ticket")
        page.locator(".board [data-part].can").first.click()
        page.wait_for_function(
            "at => document.querySelector('.board [data-ticket]').dataset.ticket !== at",
            arg=before,
        )
        moved += 1
    assert moved >= 1
    assert all(url.startswith((server.url, "data:")) for url in asked)
    with Store(server.log.parent / "store.db") as store:
        run = list(store.runs())[-1]
        record = store.matches(run.id)[0].record(0)
    replay(record)
    assert record.agents == ("human", "random")
    assert len([move for move in record.moves if move.player == 0]) == moved
