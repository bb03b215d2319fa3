"""By which names a server is called, and what its pages may reach."""

import pytest

from facedown.table.web.guard import policy
from facedown.table.web.server import Address


@pytest.mark.parametrize(
    ("address", "host", "served"),
    [
        (Address(), "127.0.0.1:8000", True),
        (Address(), "LOCALHOST:9000", True),  # a port that is led on, as of a container
        (Address(), "[::1]:8000", True),
        (Address(), "192.168.1.7:8000", False),
        (Address(), "evil.example", False),
        (Address(), "", False),
        (Address(), "localhost:8000:1", False),
        (Address(), "localhost:8000.evil.example", False),
        (Address("0.0.0.0"), "192.168.1.7:8000", True),
        (Address("0.0.0.0"), "[fe80::1]:8000", True),
        (Address("0.0.0.0"), "localhost:8000", True),
        (Address("0.0.0.0"), "evil.example:8000", False),
        (Address("0.0.0.0"), "127.0.0.1.evil.example", False),
        (Address("0.0.0.0"), "192.168.1.7:x", False),
        (Address("0.0.0.0"), "", False),
        (Address("games.local"), "games.local:8000", True),
        (Address("127.0.0.1", allowed=("Games.example.org",)), "games.example.org", True),
        (Address("127.0.0.1", allowed=("a.example:8443",)), "a.example:8443", True),
        (Address("127.0.0.1", allowed=("a.example:8443",)), "a.example:80", False),
        (Address("::", allowed=("a.example",)), "b.example", False),
    ],
)
def test_only_by_names_of_its_own_and_by_numbers(address, host, served):
    assert address.serves(host) is served


def test_this_machines_name_is_its_own(monkeypatch):
    monkeypatch.setattr("socket.gethostname", lambda: "Lab7")
    assert Address("0.0.0.0").serves("lab7:8000")
    assert Address("0.0.0.0").serves("lab7.local")
    assert not Address("127.0.0.1").serves("lab7")


@pytest.mark.parametrize("host", ["", "a b", "a;script-src *", "*", "a/b", "ä.example", "'self'"])
def test_a_host_that_is_none_adds_nothing_to_the_policy(host):
    assert "connect-src 'self'; " in policy(host)
