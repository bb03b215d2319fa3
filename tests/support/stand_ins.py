"""Players that a referee may meet: each answers as a function of the message says."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import Request, urlopen


@contextmanager
def stand_in(answer: Callable[[str], str]) -> Iterator[tuple[str, list[str]]]:
    """A player that answers so: where it is, and the messages that it gets."""
    messages: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            message = self.rfile.read(int(self.headers["Content-Length"])).decode()
            messages.append(message)
            data = answer(message).encode()
            with suppress(BrokenPipeError, ConnectionResetError):  # nobody waited for it
                self.send_response(200)
                self.end_headers()
                self.wfile.write(data)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/", messages
    finally:
        server.shutdown()
        server.server_close()


def post(url: str, message: str, seconds: float = 300.0) -> str:
    """What a player answers to a message."""
    request = Request(url, message.encode(), {"Content-Type": "text/acl"}, method="POST")
    with urlopen(request, timeout=seconds) as response:
        return response.read().decode()


def ready_or(move: Callable[[str], str]) -> Callable[[str], str]:
    """READY and DONE where they are wanted, and moves by a function of the message."""

    def answer(message: str) -> str:
        if message.startswith("(START"):
            return "READY"
        return move(message) if message.startswith("(PLAY") else "DONE"

    return answer
