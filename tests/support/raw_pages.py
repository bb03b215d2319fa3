"""A page without a browser: its text, its socket, whatever one likes to send over it."""

from __future__ import annotations

import http.client
import json
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import unescape
from typing import Any
from urllib.parse import urlencode


def get(port: int, path: str, headers: Mapping[str, str] | None = None) -> tuple[int, str]:
    """The status and the body of a page."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        line.request("GET", path, headers=dict(headers or {}))
        answer = line.getresponse()
        return answer.status, answer.read().decode("utf-8", "replace")
    finally:
        line.close()


class RawPage:
    """A page as it was served, and a socket that says it is that page."""

    def __init__(self, socket: Any, client: str, html: str) -> None:
        self.socket, self.client, self.html = socket, client, html
        self.frames: list[str] = []

    @property
    def elements(self) -> dict[str, dict[str, Any]]:
        """What the page is made of, as the server describes it."""
        found = re.search(r"parseElements\(String\.raw`(.*?)`\)", self.html, re.DOTALL)
        assert found is not None
        return dict(json.loads(unescape(found[1])))

    def listener(self, kind: str = "click") -> tuple[int, str]:
        """What listens to an event on the board: the board's id, and the listener's."""
        for name, element in self.elements.items():
            if "board" in element.get("class", ()):
                for event in element["events"]:
                    if event["type"] == kind:
                        return int(name), str(event["listener_id"])
        raise AssertionError("there is no board")

    def send(self, text: str | bytes) -> None:
        self.socket.send(text)

    def event(self, listener: tuple[int, str], *args: object, client: str | None = None) -> None:
        """An event as a page sends it."""
        plain = {"id": listener[0], "client_id": client or self.client, "listener_id": listener[1],
                 "args": list(map(json.dumps, args))}  # fmt: skip
        self.send(f'42["event",{json.dumps(plain)}]')

    def receive(self, seconds: float = 0.5) -> list[str]:
        """What came until nothing comes for so long."""
        came = []
        while True:
            try:
                frame = self.socket.recv(timeout=seconds)
            except TimeoutError:
                self.frames += came
                return came
            text = frame if isinstance(frame, str) else frame.decode("utf-8", "replace")
            if text == "2":  # a ping
                self.send("3")
            came.append(text)

    def wait_for(self, *patterns: str, seconds: float = 120.0) -> str:
        """All that came so far, once each of these is found in it, the page itself included."""
        until = time.monotonic() + seconds
        while True:
            came = "".join([self.html, *self.frames])
            if all(re.search(pattern, came) for pattern in patterns):
                return came
            assert time.monotonic() < until, f"no {patterns} in {came[-2000:]}"
            self.receive(0.05)


@contextmanager
def raw_page(port: int, path: str) -> Iterator[RawPage]:
    """A page, connected."""
    from websockets.sync.client import connect

    status, html = get(port, path)
    assert status == 200, html
    found = re.search(r"client_id\W+([0-9a-f-]{36})", unescape(html))
    assert found is not None, html
    client = found[1]
    query = urlencode({"EIO": 4, "transport": "websocket", "client_id": client,
                       "document_id": "1", "tab_id": "1", "next_message_id": 0,
                       "implicit_handshake": "true"})  # fmt: skip
    where = f"ws://127.0.0.1:{port}/_nicegui_ws/socket.io/?{query}"
    with connect(where, origin=f"http://127.0.0.1:{port}", max_size=None) as socket:
        page = RawPage(socket, client, html)
        page.wait_for(r'0\{"sid"')
        page.send("40")
        page.wait_for(r'40\{"sid"')
        yield page


def post(port: int, path: str, plain: object, **headers: str) -> tuple[int, str]:
    """The status and the answer to a form."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    try:
        body = plain if isinstance(plain, bytes) else json.dumps(plain).encode()
        line.request("POST", path, body, {"content-type": "application/json", **headers})
        answer = line.getresponse()
        return answer.status, answer.read().decode()
    finally:
        line.close()
