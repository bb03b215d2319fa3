"""The door of a player: whoever drips, floods or sends in chunks, managers are heard."""

import socket
import threading
import time
from contextlib import ExitStack, suppress

import pytest

from facedown.ggp import server as door
from facedown.ggp.messages import MAX_BYTES
from facedown.ggp.server import GUESTS, PlayerServer
from support.stand_ins import post


class Echo:
    """A player who says what it was told."""

    def answer(self, text, since=None):
        return f"heard {text}"


@pytest.fixture
def open_door(monkeypatch):
    monkeypatch.setattr(door, "PATIENCE", 1.0)
    with PlayerServer("127.0.0.1", 0, Echo()) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


def connected(server):
    return socket.create_connection(server.server_address[:2], timeout=30)


def sent(server, data):
    with connected(server) as line:
        line.sendall(data)
        return line.makefile("rb").read()


HEAD = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize("begun", [b"", b"POST / HTTP/1.0\r\n", HEAD, HEAD + b"3\r\n"])
def test_bytes_that_drip_keep_nobody_out(open_door, begun):
    """One byte now and then, on as many lines as are served at once."""
    with ExitStack() as stack:
        lines = [stack.enter_context(connected(open_door)) for _ in range(GUESTS)]
        over = threading.Event()

        def drip():
            while not over.wait(0.05):
                for line in lines:
                    with suppress(OSError):
                        line.send(b"x")

        for line in lines:
            line.sendall(begun)
        dripping = threading.Thread(target=drip)
        dripping.start()
        try:
            for k in range(5):
                assert post(open_door.url, f"(INFO {k})") == f"heard (INFO {k})"
        finally:
            over.set()
            dripping.join()


def test_a_request_has_so_long_to_arrive_however_it_comes(open_door):
    with connected(open_door) as line:
        line.sendall(b"POST / HTTP/1.0\r\n")
        began = time.monotonic()
        with suppress(OSError):  # reset or broken pipe: the line is closed
            while time.monotonic() - began < 300:
                line.sendall(b"A: b\r\n")
                time.sleep(0.1)
    assert 0.5 < time.monotonic() - began < 250


def test_a_clock_runs_from_the_first_byte_and_not_from_the_line_that_was_open_before(
    open_door, monkeypatch
):
    monkeypatch.setattr(door, "PATIENCE", 20.0)
    told = []
    monkeypatch.setattr(Echo, "answer", lambda self, text, since: told.append(since) or "heard")
    with connected(open_door) as line:
        time.sleep(0.3)
        began = time.monotonic()
        line.sendall(b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(IN")
        time.sleep(0.5)
        line.sendall(b"FO)")
        assert line.makefile("rb").read().endswith(b"heard")
    assert told[0] >= began
    assert time.monotonic() - told[0] >= 0.4  # so long it was on its way


def test_who_waits_for_an_answer_makes_no_room(open_door, monkeypatch):
    """Only requests that have not arrived are broken off."""
    go = threading.Event()
    monkeypatch.setattr(Echo, "answer", lambda self, text, since: go.wait(20) and "late")
    with connected(open_door) as line:
        line.sendall(b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)")
        time.sleep(0.3)
        with ExitStack() as stack:
            for _ in range(2 * GUESTS):
                stack.enter_context(connected(open_door)).sendall(b"P")
            go.set()
            assert line.makefile("rb").read().endswith(b"late")


def chunked(*parts, end=b"0\r\n\r\n"):
    return HEAD + b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + end


CHUNKS = {
    "one": (chunked(b"(INFO)"), b"heard (INFO)"),
    "several": (chunked(b"(PLAY ", b"m", b" NIL)"), b"heard (PLAY m NIL)"),
    "extended": (HEAD + b"6;name=value\r\n(INFO)\r\n0\r\n\r\n", b"heard (INFO)"),
    "trailers": (chunked(b"(INFO)", end=b"0\r\nA: b\r\nC: d\r\n\r\n"), b"heard (INFO)"),
    "upper case": (HEAD + b"A\r\n(INFO 012)\r\n0\r\n\r\n", b"heard (INFO 012)"),
    "no length": (HEAD + b"(INFO)\r\n", b"a chunk without its length"),
    "negative": (HEAD + b"-5\r\nhello\r\n0\r\n\r\n", b"a chunk without its length"),
    "huge": (HEAD + b"fffffff\r\n", b"413"),
    "too many": (HEAD + b"%x\r\n" % (MAX_BYTES + 1), b"more than 4,100,000 bytes"),
    "longer than it says": (HEAD + b"3\r\n(INFO)\r\n0\r\n\r\n", b""),
}


@pytest.mark.parametrize("kind", CHUNKS)
def test_messages_in_chunks(open_door, kind):
    data, said = CHUNKS[kind]
    assert said in sent(open_door, data)
    assert post(open_door.url, "(INFO)") == "heard (INFO)"
