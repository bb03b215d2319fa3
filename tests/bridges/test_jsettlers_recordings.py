"""Every recorded game mirrored: no message may say what the rules do not."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from facedown.bridges.jsettlers import messages as say
from facedown.bridges.jsettlers.fields import Oddity
from facedown.bridges.jsettlers.messages import (
    FROM_ROBOT,
    FROM_SERVER,
    IGNORED,
    JoinRequest,
    parse,
)
from facedown.bridges.jsettlers.mind import Mind
from facedown.bridges.jsettlers.mirror import Mirror
from facedown.bridges.jsettlers.needs import Need, need_of
from facedown.bridges.jsettlers.recording import Said, read_recording, seat_games
from facedown.bridges.jsettlers.scoring import Score, parts, score
from facedown.bridges.jsettlers.seat import Seat
from facedown.bridges.jsettlers.table import TO_WIN
from support.jsettlers_requests import Asked, requests
from support.jsettlers_talk import RECORDINGS

pytestmark = pytest.mark.skipif(not RECORDINGS, reason="no recordings beside the repository")

EXPLAINED = {
    # 4:1 asked for beside a harbour of 3:1, and taken as it stands
    "conv-illegal-requests.tsv.gz": ["bank rates"],
    "conv-refused-then-game.tsv.gz": ["bank rates"] * 3,
    # 4:1 of a resource whose own harbour one has: the server fails midway, and says nothing
    "conv-minimal-python-robot.tsv.gz": ["hand totals", "own hands"],
}


@cache
def mirrors(path: Path) -> list[Mirror]:
    """Every game of a recording, mirrored to its end; nobody changes them then."""
    found = []
    for seat, talk in seat_games(path):
        mirror = Mirror(seat)
        for said in talk:
            message = parse(said.text)
            if said.side == "S" and not isinstance(message, Oddity):
                mirror.take(message)
        found.append(mirror)
    return found


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.name)
def test_no_message_differs_from_the_rules(path: Path) -> None:
    differences = [text for mirror in mirrors(path) for text in mirror.differences]
    assert [text.partition(":")[0] for text in differences] == EXPLAINED.get(path.name, [])


def test_everything_is_compared() -> None:
    checked: Counter[str] = Counter()
    ended = 0
    for path in RECORDINGS:
        for mirror in mirrors(path):
            checked += mirror.checked
            ended += mirror.final is not None
    assert ended == 150
    assert checked == {
        "production": 8939,
        "hand totals": 20701,
        "own hands": 5204,
        "bank rates": 5795,
        "trades": 1204,
        "discards": 847,
        "points": 600,
    }


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.name)
def test_every_message_is_understood_and_can_be_written(path: Path) -> None:
    cosmetic = {1058, 1078, 1018, 1099999, -1}  # of robots and people: faces, games, nonsense
    for said in read_recording(path):
        table = FROM_SERVER if said.side == "S" else FROM_ROBOT
        message = parse(said.text, table)
        if isinstance(message, Oddity):
            assert message.number in (IGNORED if said.side == "S" else cosmetic), message
        else:
            assert parse(str(message), table) == message


# --- requests -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def mind() -> Mind:
    return Mind("random", 1)


LONGEST = sorted(RECORDINGS, key=lambda path: path.stat().st_size)[-2:]
OTHERS = [path for path in RECORDINGS if path not in LONGEST]
LONG_BY_NATURE = [pytest.param(path, marks=pytest.mark.slow) for path in LONGEST]


@pytest.mark.parametrize("path", [*OTHERS, *LONG_BY_NATURE], ids=lambda path: path.name)
def test_what_a_server_took_is_legal_and_what_it_refused_is_not(path: Path, mind: Mind) -> None:
    """By the rules of `settlers:offers=table`, with what the robot knew when it asked."""
    for number, talk in seat_games(path):
        seat = Seat(game_of(talk), number, mind.sit)
        for asked in requests(seat, talk):
            if asked.fate != "nothing" and asked.legal != (asked.fate == "taken"):
                assert explained(asked, seat), (path.name, asked)


def test_hands_that_were_hidden_are_always_held_for_possible() -> None:
    """Whole games, each from two or three seats."""
    games = parts(path for path in RECORDINGS if path.name.startswith("conv-"))
    found = sum((score(one, game) for game in games for one in game), Score())
    assert found.hands > 500
    assert found.hands > found.certain > 0
    assert found.impossible == found.outside == 0


def explained(asked: Asked, seat: Seat) -> bool:
    """Where the server is more generous than the rules."""
    table, message = seat.mirror.table, asked.message
    if asked.fate == "refused":
        return False
    if isinstance(message, say.Reject):  # of an offer that was withdrawn meanwhile
        return need_of(table) != Need.ANSWER
    if isinstance(message, say.Offer):  # a counter-offer to one that was withdrawn meanwhile
        return table.turn != table.me and need_of(table) != Need.ANSWER
    if isinstance(message, say.MoveRobber):  # of a knight that has won the game: we claim first
        return table.points(table.me) >= TO_WIN
    if isinstance(message, say.BankTrade):  # at a worse rate than one has
        kind = next(kind for kind, amount in enumerate(message.give) if amount)
        assert table.board is not None
        return message.give[kind] > table.own.rate(kind, table.board)
    return isinstance(message, say.Roll | say.EndTurn) and table.turn != table.me  # others' dice


def game_of(talk: list[Said]) -> str:
    asked = parse(talk[0].text)
    assert isinstance(asked, JoinRequest)
    return asked.game
