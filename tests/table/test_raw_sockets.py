"""What strangers may send: refused, noted, and the game unharmed."""

import http.client
import json
import random
import socket
import time

import pytest

from facedown.store.records import HUMAN
from facedown.store.store import Store
from facedown.table.house import House, Order
from support import SUPPORT
from support.browsers import needs_web, served
from support.raw_pages import get, post, raw_page

CANARY = f"{SUPPORT / 'canary.py'}:Canary"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    needs_web()
    folder = tmp_path_factory.mktemp("served")
    with Store(folder / "store.db") as store, House(store, games=[CANARY]) as house:
        orders = [Order(CANARY, (HUMAN, HUMAN)) for _ in range(8)]
        opened = [house.open(order, "<img src=x onerror=alert(1)>") for order in orders]
        links = [
            (f"/table/{table.kept.id}/{token}", f"/table/{table.kept.id}/{table.sit_down()}")
            for table, token in opened
        ]
    with served(folder, CANARY) as found:
        found.links = links
        yield found


@pytest.fixture
def seats(server):
    """The two seats of a table of its own."""
    return server.links.pop()


def until(look, wanted, seconds=120.0):
    """What a look gives, once that is as wanted; else at the end of so many seconds."""
    end = time.monotonic() + seconds
    while not wanted(found := look()) and time.monotonic() < end:
        time.sleep(0.02)
    return found


def log_of(server, *texts, seconds=120.0):
    """The log of the server, once it has these texts."""
    return until(server.log.read_text, lambda log: all(text in log for text in texts), seconds)


def shown(page):
    """All that came until the board was dealt."""
    return page.wait_for("your word is", "data-ticket")


def decisions(server):
    with Store(server.log.parent / "store.db") as store:
        return store.read('SELECT "table", number, player, text FROM decisions ORDER BY 1, 2')


def test_another_origin_or_host_is_refused(server):
    from websockets.exceptions import InvalidStatus
    from websockets.sync.client import connect

    for origin in ("http://evil.example", "null", f"http://127.0.0.1:{server.port + 1}"):
        assert get(server.port, "/", {"Origin": origin})[0] == 403
        where = f"ws://127.0.0.1:{server.port}/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
        with pytest.raises(InvalidStatus, match="403"), connect(where, origin=origin):
            pass
    for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1.evil.example"):
        assert get(server.port, "/", {"Host": host})[0] == 421
    assert get(server.port, "/")[0] == 200
    assert get(server.port, "/", {"Origin": f"http://127.0.0.1:{server.port}"})[0] == 200
    said = "refused: origin 'http://evil.example'"
    assert said in log_of(server, said)


def test_a_server_of_the_network_is_no_page_elsewheres_by_a_name_that_leads_here(tmp_path):
    needs_web()
    with served(tmp_path, "--host", "0.0.0.0", "--allow", "games.example.org") as server:
        port = server.port
        for host in (
            f"127.0.0.1:{port}",
            f"192.168.1.7:{port}",
            "[fe80::1]:80",
            "games.example.org",
        ):
            assert get(port, "/", {"Host": host})[0] == 200
        for host in ("evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}"):
            assert get(port, "/", {"Host": host})[0] == 421
            there = {"Host": host, "Origin": f"http://{host}"}
            assert post(port, "/open", {"game": "kuhn"}, **there)[0] == 421
        said = "--allow has a server answer to a name"
        assert said in log_of(server, said)


def test_a_fork_that_cannot_be_is_refused(server, seats):
    name = seats[0].split("/")[2]
    for plain in ({"ply": 0, "player": 0}, {}, {"ply": "-1", "player": "x"}):
        for game in (name, "nowhere"):  # it is still played
            assert post(server.port, f"/replay/{game}/fork", plain)[0] == 400


def test_wrong_links_open_nothing_and_tokens_are_not_logged(server, seats):
    name, token = seats[0].split("/")[2:]
    for path in (
        f"/table/{name}/{token[:-1]}", f"/table/{name}/x", f"/table/nowhere/{token}",
        f"/table/{name}/%2e%2e", f"/table/{name}/{'a' * 5000}", f"/join/{name}/{token}",
    ):  # fmt: skip
        status, html = get(server.port, path)
        assert status in (200, 404)
        assert "data-ticket" not in html
        assert "words:" not in html
    status, html = get(server.port, f"/replay/{name}")  # while it is played
    assert "This link opens no game that is over" in html
    assert get(server.port, f"/replay/{name}/game.jsonl")[0] == 404
    assert token[:-1] not in log_of(server)


def test_a_seat_sees_its_own_word_and_not_the_others(server, seats):
    with raw_page(server.port, seats[0]) as one, raw_page(server.port, seats[1]) as two:
        for player, page in ((0, one), (1, two)):
            text = shown(page)
            assert "your word is" in text
            own = text.split("your word is ")[1].split("&lt;/li")[0].split("</li")[0]
            other = shown(two if player == 0 else one)
            theirs = other.split("your word is ")[1].split("&lt;/li")[0].split("</li")[0]
            assert own != theirs
            for spelt in {theirs, theirs.replace("&amp;", "&")}:
                assert spelt not in text
            assert "<img src=x" not in text.replace("\\", "")


def test_moves_out_of_turn_replayed_or_for_another_page_are_refused(server, seats):
    with raw_page(server.port, seats[0]) as one, raw_page(server.port, seats[1]) as two:
        shown(two)
        one.wait_for(r"data-ticket\W+1\b")
        mine, theirs = one.listener(), two.listener()
        two.event(theirs, 0, 1)  # out of turn
        two.event(mine, 0, 1, client=one.client)  # as if it were the other page
        two.event(mine, 0, 1)  # another page's listener
        one.event(mine, 0, 99)  # a ticket that is none
        one.event(mine, 7, 1)  # a move that is none
        one.event(mine, True, 1)
        one.event(mine, {"a": [1]}, 1)
        one.event(mine, "card:" + "x" * 1000, 1)
        one.event(mine)
        said = (
            "it is not your turn (seat 1)", "an event for another connection's page",
            "that was a decision of before (seat 0)", "there is no move 7", "a click that is none",
            "a click on a part with an endless name", "an event that is none (KeyError)",
        )  # fmt: skip
        log = log_of(server, *said)
        assert [what for what in said if f"refused: {what}" not in log] == []
        assert decisions(server) == []
        one.event(mine, 0, 1)
        one.event(mine, 0, 1)  # the same again
        news = until(lambda: server.log.read_text()[len(log) :], lambda now: "refused: " in now)
        assert any(f"refused: {what}" in news for what in (said[2], "it is not your turn (seat 0)"))
        made = until(lambda: [row[1:3] for row in decisions(server)], bool)
        assert made == [(0, 0)]


def test_noise_and_floods_leave_the_game_as_it_was(server, seats):
    before = decisions(server)
    draw = random.Random(5)
    with raw_page(server.port, seats[0]) as page:
        for _ in range(60):
            noise = bytes(draw.randrange(256) for _ in range(draw.randrange(1, 200)))
            page.send(draw.choice(['42["event",', "42", "4", '42["event",{}]', '42["event",[1]]',
                                   '42["event",{"client_id":7}]', '42["handshake",{}]',
                                   '42["ack",{}]', '42["log",{"client_id":"x"}]', "451-[]"])
                      + (noise.decode("latin-1") if draw.random() < 0.5 else ""))  # fmt: skip
    with raw_page(server.port, seats[0]) as page:
        flood = "refused: too many events of one connection"
        for _ in range(10):  # so many within some seconds, on a machine that can
            for _ in range(400):
                page.event(page.listener(), "card:none", 1)
            if flood in log_of(server, flood, seconds=10.0):
                break
        assert flood in server.log.read_text()
    assert decisions(server) == before
    with raw_page(server.port, seats[0]) as page:
        assert "your word is" in shown(page)


def test_what_is_too_large_is_refused(server, seats):
    from websockets.exceptions import ConnectionClosed

    path = "/_nicegui_ws/socket.io/?EIO=4&transport=polling"
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
    for more in ("Content-Length: 99999999\r\n", "Content-Length: -1\r\n",
                 "Transfer-Encoding: chunked\r\n"):  # fmt: skip
        with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
            line.sendall(f"{head}{more}\r\n".encode())
            answer = line.recv(1000).decode()
        assert answer.split()[1] in ("400", "411", "413"), answer
    with raw_page(server.port, seats[0]) as page:
        page.send("42" + json.dumps(["event", "x" * (1 << 19)]))
        with pytest.raises(ConnectionClosed):
            page.wait_for("never")
    with raw_page(server.port, seats[0]) as page:
        assert "your word is" in shown(page)


@pytest.mark.parametrize(
    ("asked", "wrong"),
    [
        ({"game": "/etc/passwd:X"}, "no game '/etc/passwd:X' here"),
        ({"game": "kuhn", "against": "program:sh"}, "no agent"),
        ({"game": "kuhn", "against": "mine.py:Mine"}, "no agent"),
        ({"game": "kuhn", "against": "pmga", "agent_options": "predictor=/etc/passwd"}, "numbers"),
        ({"game": "kuhn", "against": "so-ismcts", "agent_options": "threads=64"}, "not for visit"),
        ({"game": "kuhn", "budget": "1e9"}, "at most 1e+06"),
        ({"game": "kuhn", "budget": "nan"}, "more than 0"),
        ({"game": "kuhn", "unit": "years", "budget": "5"}, "iterations or seconds is wanted"),
        ({"game": "kuhn", "unit": "threads", "budget": "64"}, "iterations or seconds is wanted"),
        ({"game": "kuhn", "people": "99"}, "1 to 2 is wanted"),
        ({"game": "kuhn", "seat": "-1"}, "0 to 1 is wanted"),
        ({"game": "kuhn", "seat": {"a": []}}, "whole number"),
        ({"game": "kuhn", "seed": "1;DROP TABLE tables"}, "at most 18 digits"),
        ({"game": ["kuhn"]}, "no game"),
        ({}, "no game ''"),
    ],
)
def test_a_form_that_asks_for_what_is_not_offered_is_told_so(server, asked, wrong):
    status, told = post(server.port, "/open", asked)
    assert status == 400
    assert wrong in json.loads(told)["wrong"]
    assert "\n" not in json.loads(told)["wrong"]


def test_forms_of_strangers_open_nothing(server, seats):
    name, token = seats[0].split("/")[2:]
    for body in (b"", b"[]", b"7", b"{", b"\xff", b'{"game":' * 1000):
        assert post(server.port, "/open", body)[0] in (400, 422)
    assert post(server.port, "/open", {"game": "kuhn"}, Origin="http://evil.example")[0] == 403
    assert post(server.port, "/open", {"game": "kuhn", "called": "x" * (1 << 19)})[0] == 413
    for path in (f"/join/{name}/{token}", f"/join/{name}/x", "/join/nowhere/x"):
        status, told = post(server.port, path, {"called": "Eve"})
        assert status == 400
        assert "no free seat" in json.loads(told)["wrong"]
    assert token not in server.log.read_text()


def test_nothing_may_be_loaded_from_elsewhere(server):
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    line.request("GET", "/")
    headers = dict(line.getresponse().getheaders())
    line.close()
    secured = headers["content-security-policy"]
    assert secured.startswith("default-src 'self'")
    here = f"127.0.0.1:{server.port}"
    (reached,) = (rule for rule in secured.split("; ") if rule.startswith("connect-src"))
    assert reached == f"connect-src 'self' ws://{here} wss://{here}"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"
