"""`facedown jsettlers` as a program: what is wrong is one line and status 2."""

import signal
import socket

import pytest

from support.jsettlers_servers import WELCOME, server
from support.running import run, started


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--port", "0"), "--port 0: 1 to 65535 is wanted"),
        (("--games", "0"), "--games 0: 1 to 1e+09 is wanted"),
        (("--thinking", "0"), "--thinking 0: 0.1 to 600 is wanted"),
        (("--name", "a,b"), "--name 'a,b': a word without commas, bars and tabs is wanted"),
        (("--name", ""), "--name '': a word"),
        (("--cookie", "x|y"), "--cookie 'x|y': a word"),
        (("--record", "/"), "cannot write /: it is a folder"),
    ],
)
def test_options_that_cannot_be_meant(words, said):
    ran = run("jsettlers", *words)
    assert ran.status == 2
    assert said in ran.err


def closed_port():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return listening.getsockname()[1]


def test_no_server_there():
    ran = run("jsettlers", "--port", str(closed_port()), "--agent", "random")
    assert ran.status == 2
    assert "cannot be reached: Connection refused" in ran.err
    assert len(ran.err.splitlines()) == 1


def looked_at(guest):
    """The first call only finds out whether anybody listens."""


def test_a_login_that_is_refused():
    def refuse(guest):
        guest.hear_until("1022|")
        guest.say(*WELCOME, "1059|Cookie contents do not match the running server.")

    with server(looked_at, refuse) as (port, guests):
        ran = run("jsettlers", "--port", str(port), "--agent", "random", "--cookie", "wrong")
    assert ran.status == 2
    assert "refuses us: Cookie contents do not match the running server." in ran.err
    assert guests[1].heard[1].startswith("1022|facedown,wrong,")


def test_an_agent_that_is_not_there_or_peeks():
    with server(looked_at) as (port, _):
        ran = run("jsettlers", "--port", str(port), "--agent", "nobody")
    assert ran.status == 2
    assert "no agent 'nobody'" in ran.err
    with server(looked_at) as (port, _):
        ran = run("jsettlers", "--port", str(port), "--agent", "cheating-uct")
    assert ran.status == 2
    assert "cheating-uct wants to see what no server tells" in ran.err


def test_the_end_of_a_server_is_a_clean_end(tmp_path):
    def serve(guest):
        guest.let_in()
        guest.say("1069|23,>>> Shutting down server. <<<")

    kept = tmp_path / "kept.tsv"
    with server(looked_at, serve) as (port, _):
        words = ("--port", str(port), "--agent", "random", "--json", "--record", str(kept))
        ran = run("jsettlers", *words)
    assert ran.status == 0
    assert ran.json == {"games": [], "played": 0, "won": 0}
    assert "\tS\t1069|23," in kept.read_text()


def test_ctrl_c_leaves_the_games(interruptible):
    left = []

    def serve(guest):
        guest.let_in()
        guest.say("1023|g,1,PL=4")
        guest.hear_until("1013|")
        guest.say("1021|g")
        guest.hear_until("1012|")
        program.send_signal(signal.SIGINT)
        left.append(guest.hear_until("1011|"))

    with server(looked_at, serve) as (port, _):
        words = ("jsettlers", "--port", str(port), "--agent", "random")
        with started("-m", "facedown", *words) as program:
            out, err = program.communicate(timeout=300)
    assert program.returncode == 130
    assert left == ["1011|facedown,-,g"]
    assert err.endswith("facedown: interrupted\n")
    assert "0 games played, 0 won" in out
