"""`facedown ggp player` as a program: it says where it is, plays, and leaves nothing behind."""

import os
import re
import signal
import time
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from support import ROOT
from support.running import program, run, started


@pytest.mark.usefixtures("interruptible")
def test_a_player_and_a_referee_as_programs_and_the_end():
    command = ("ggp", "player", "--port", "0", "--agent", "random", "--seed", "1")
    with started("-m", "facedown", *command) as player:
        try:
            line = ""
            while "plays at" not in line:
                line = player.stderr.readline()
                assert line
            url = re.search(r"random plays at (http://127\.0\.0\.1:\d+/); Ctrl-C ends it", line)[1]
            clocks = ("--start-clock", "90", "--play-clock", "30")  # of a busy machine
            ran = program("ggp", "referee", "monty-hall", "--players", url, *clocks, "--json")
            with urlopen(Request(url, b"(INFO)"), timeout=60) as response:
                assert response.read() == b"available"
            minds = children(player.pid)
        finally:
            player.send_signal(signal.SIGINT)
        _, err = player.communicate(timeout=60)
    assert ran.status == 0
    assert all(not step["asked"]["contestant"]["fault"] for step in ran.json["steps"])
    assert player.returncode == 130
    assert "(PLAY monty-hall." in err
    assert err.endswith("facedown: interrupted\n")
    deadline = time.monotonic() + 30
    while any(map(alive, minds)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(map(alive, minds))


def children(pid: int) -> list[int]:
    """The processes that a process has started, where the system tells."""
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in path.read_text().split()] if path.exists() else []


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_mistakes_are_one_line_and_status_2():
    for words, said in (
        (("player", "--agent", "random", "--host", "256.1.1.1"), "cannot listen at 256.1.1.1"),
        (("player", "--port", "70000"), "port 70000: 0 to 65535 is wanted"),
        (("referee",), "Missing argument 'FILE'"),
    ):
        ran = run("ggp", *words)
        assert ran.status == 2
        assert said in ran.err.splitlines()[-1]


def test_the_document_knows_every_option():
    text = (ROOT / "docs" / "cli.md").read_text()
    for command in ("player", "referee"):
        for option in re.findall(r"--[a-z-]+", run("ggp", command, "--help").out):
            assert option in ("--help", "--log") or option in text
