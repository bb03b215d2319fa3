"""What is too much of one address, or too slow, is ended or refused."""

import asyncio

import pytest

from facedown.table.web import guard, limits
from facedown.table.web.guard import Gate, Guard
from facedown.table.web.limits import Rates, watched


def test_rates_count_each_address_within_its_time():
    now = [0.0]
    rates = Rates(2, 60.0, clock=lambda: now[0])
    assert [rates.allow("a") for _ in range(3)] == [True, True, False]
    assert rates.allow("b")
    now[0] = 60.0
    assert [rates.allow("a") for _ in range(3)] == [True, True, False]


def test_rates_remember_only_so_many_addresses(monkeypatch):
    monkeypatch.setattr(limits, "ADDRESSES", 10)
    rates = Rates(1, 60.0)
    assert all(rates.allow(str(number)) for number in range(1000))
    assert rates.remembered == 10


def anybody(host):
    """Any name is served."""
    return True


def asked(kept, kind="http", method="GET", path="/", address="10.0.0.1"):
    """The statuses by which a guard answers, or 'served'."""
    told = []

    async def app(scope, receive, send):
        told.append("served")

    async def send(message):
        told.append(message.get("status", message.get("code")))

    kept.app = app
    scope = {"type": kind, "method": method, "path": path, "headers": [], "client": (address, 1)}
    asyncio.run(kept(scope, None, send))
    return [one for one in told if one is not None]


def test_an_address_may_open_so_many_tables_and_others_still_may(monkeypatch):
    monkeypatch.setattr(guard, "OPENED", (3, 60.0))
    kept = Guard(None, anybody)
    assert [asked(kept, method="POST", path="/open") for _ in range(4)] == [["served"]] * 3 + [
        [429]
    ]
    assert asked(kept, method="POST", path="/open", address="10.0.0.2") == ["served"]
    assert asked(kept) == ["served"]
    assert asked(kept, method="POST", path="/_nicegui_ws/socket.io/") == ["served"]


def test_an_address_may_ask_so_often_and_have_so_many_sockets(monkeypatch):
    monkeypatch.setattr(guard, "REQUESTS", (5, 60.0))
    kept = Guard(None, anybody)
    assert [asked(kept) for _ in range(6)] == [["served"]] * 5 + [[429]]
    monkeypatch.setattr(guard, "PAGES", (1, 60.0))
    kept = Guard(None, anybody)
    assert [asked(kept, path="/table/a/b") for _ in range(2)] == [["served"], [429]]
    assert asked(kept) == ["served"]
    monkeypatch.setattr(guard, "MOST_SOCKETS", 0)
    assert asked(Guard(None, anybody), kind="websocket") == [1008]
    assert asked(Guard(None, anybody)) == ["served"]


def test_sockets_that_have_ended_count_no_more(monkeypatch):
    monkeypatch.setattr(guard, "MOST_SOCKETS", 1)
    kept = Guard(None, anybody)
    assert [asked(kept, kind="websocket") for _ in range(5)] == [["served"]] * 5
    assert not kept.sockets


def test_a_page_that_takes_nothing_is_not_answered_any_more():
    waiting, done = {"s": 0}, []
    gate = Gate(lambda sid: ["page"], lambda sid, m: done.append(m), waiting.__getitem__)
    gate("s", {"client_id": "page"})
    waiting["s"] = guard.MOST_WAITING + 1
    gate("s", {"client_id": "page"})
    assert len(done) == 1
    gate.forget("s")
    assert gate.counted == 0


class Base:
    """As much of a protocol of uvicorn's as is looked at."""

    cycle = None

    def __init__(self, loop):
        self.loop, self.lost = loop, False

    def connection_made(self, transport):
        self.transport, self.client = transport, ("10.0.0.1", 7)

    def connection_lost(self, exc):
        self.lost = True

    def handle_websocket_upgrade(self, *args):
        self.upgraded = True


class Transport:
    aborted = False

    def abort(self):
        self.aborted = True


class Cycle:
    def __init__(self, more_body, response_complete):
        self.more_body, self.response_complete = more_body, response_complete


@pytest.fixture
def loop():
    made = asyncio.new_event_loop()
    yield made
    made.close()


def connected(loop, kind):
    line = kind(loop)
    line.connection_made(Transport())
    return line


@pytest.mark.parametrize(
    ("cycle", "ended"),
    [
        (None, True),
        (Cycle(True, False), True),
        (Cycle(False, True), True),
        (Cycle(False, False), False),
    ],
)
def test_who_does_not_come_to_the_end_of_a_request_is_ended(loop, cycle, ended):
    said = []
    line = connected(loop, watched(Base, said.append))
    line.cycle = cycle
    line.look_again()
    line.look_again()
    assert line.transport.aborted == ended
    assert bool(said) == ended
    line.connection_lost(None)
    assert line.next_look.cancelled() or ended


def test_too_many_connections_of_an_address_are_ended(loop, monkeypatch):
    monkeypatch.setattr(limits, "MOST_CONNECTIONS", 2)
    kind = watched(Base, lambda said: None)
    lines = [connected(loop, kind) for _ in range(3)]
    assert [line.transport.aborted for line in lines] == [False, False, True]
    for line in lines:
        line.connection_lost(None)
    lines = [connected(loop, kind) for _ in range(2)]
    lines[0].handle_websocket_upgrade()
    lines.append(connected(loop, kind))
    assert not any(line.transport.aborted for line in lines)
    for line in lines:
        line.connection_lost(None)
