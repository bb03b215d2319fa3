"""Frames and messages: what goes out comes back, and nothing off the wire raises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facedown.bridges.jsettlers.board import (
    EDGES,
    NODES,
    edges_at,
    ends,
    hexes_at,
    neighbours,
    read_layout,
)
from facedown.bridges.jsettlers.fields import Gain, Oddity
from facedown.bridges.jsettlers.framing import Frames, packed, unpacked
from facedown.bridges.jsettlers.messages import (
    FROM_ROBOT,
    FROM_SERVER,
    Accepted,
    BoardLayout,
    Offer,
    Production,
    Statistics,
    Version,
    parse,
)
from facedown.bridges.jsettlers.requests import piece_move
from support.jsettlers_talk import BOARD

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@given(TEXTS)
def test_a_frame_holds_any_text(text: str) -> None:
    frame = packed(text)
    assert int.from_bytes(frame[:2], "big") == len(frame) - 2
    assert unpacked(frame[2:]) == text
    assert b"\0" not in frame[2:]


@given(st.lists(TEXTS, max_size=5), st.integers(1, 7))
def test_frames_are_found_however_the_bytes_come(texts: list[str], step: int) -> None:
    data, frames, found = b"".join(map(packed, texts)), Frames(), list[str]()
    for start in range(0, len(data), step):
        found += frames.feed(data[start : start + step])
    assert found == texts
    assert not frames.broken_off


def test_a_frame_that_is_not_whole_is_broken_off() -> None:
    frames = Frames()
    assert list(frames.feed(b"\x00\x05abc")) == []
    assert frames.broken_off


def test_a_text_that_is_too_long_is_no_frame() -> None:
    with pytest.raises(ValueError, match="a frame holds 65,535"):
        packed("x" * 70_000)


@given(st.binary(max_size=60))
def test_no_bytes_raise(data: bytes) -> None:
    assert isinstance(unpacked(data), str)
    list(Frames().feed(data))


NUMBERS = st.sampled_from(sorted({*FROM_SERVER, *FROM_ROBOT, 1099, 7}))
FIELDS = st.lists(st.sampled_from(["g", "0", "-1", "3", "99", "true", "x", "\t", "", "|", "6"]))


@given(NUMBERS, FIELDS, st.sampled_from(",|"))
def test_no_fields_raise(number: int, fields: list[str], separator: str) -> None:
    for table in (FROM_SERVER, FROM_ROBOT):
        message = parse(f"{number}|{separator.join(fields)}", table)
        if not isinstance(message, Oddity):
            assert parse(str(message), table) == message


@given(TEXTS)
def test_no_text_raises(text: str) -> None:
    parse(text)
    parse(f"1086|{text}")


def test_what_is_wrong_is_said() -> None:
    assert parse("1026|g,4,15") == Oddity(1026, "1026|g,4,15", "4 is not within 0 and 3")
    assert parse("1026|g") == Oddity(1026, "1026|g", "a field is missing")
    assert parse("1041|g,1,yes") == Oddity(1041, "1041|g,1,yes", "'yes' is neither true nor false")
    assert parse("1086|g|1|100|5") == Oddity(1086, "1086|g|1|100|5", "an amount is missing")
    assert parse("1031|g").reason == "nothing is known of this number"  # a robot's, not a server's
    assert parse("1028|g,٣").reason == "'٣' is no number"


def test_fields_are_read_as_they_are_written() -> None:
    offer = parse("1041|g,0,false,true,false,true,0,0,0,1,0,1,0,0,0,0")
    assert offer == Offer("g", 0, (False, True, False, True), (0, 0, 0, 1, 0), (1, 0, 0, 0, 0))
    gains = parse("1092|g|2|0|7|1|3|1|5|0|1|3|1|3")
    assert gains == Production("g", (Gain(0, 7, ((1, 3), (1, 5))), Gain(1, 3, ((1, 3),))))
    assert parse("9998|2700,2.7.00,X,\t") == Version(2700, "2.7.00", "X", "")
    assert isinstance(parse("1039|g,3,0,0,0,0,1,0,1,0,0,0,0"), Accepted)


def test_a_final_score_is_told_from_the_time() -> None:
    ended, timed = parse("1061|g,10,5,6,6,true,true,true,true"), parse("1061|g,t2,1794834551,0,0")
    assert isinstance(ended, Statistics)
    assert isinstance(timed, Statistics)
    assert ended.points == (10, 5, 6, 6)
    assert timed.points is None


def test_the_island_has_the_right_shape() -> None:
    assert (len(NODES), len(EDGES)) == (54, 72)
    assert sum(len(hexes_at(node)) for node in NODES) == 19 * 6
    for edge in EDGES:
        assert all(edge in edges_at(node) for node in ends(edge))
    for node in NODES:
        assert all(node in neighbours(other) for other in neighbours(node))


def test_a_layout_is_read() -> None:
    layout = parse(BOARD)
    assert isinstance(layout, BoardLayout)
    board = read_layout(layout.kinds, layout.numbers, layout.robber)
    assert board is not None
    assert board.robber == 185
    assert board.resource[185] == 0
    assert 185 not in board.number
    assert (board.resource[0x37], board.number[0x37]) == (5, 8)
    assert (
        board.harbour[0x27] == board.harbour[0x38] == 6
    )  # 9: three of anything, facing south-east
    assert board.harbour[0x5A] == 5  # 69 = 4 * 16 + 5: two of wood
    assert len(board.harbour) == 18


def test_water_and_impossible_layouts_are_no_boards() -> None:
    assert read_layout([6] * 37, [-1] * 37, -1) is None
    assert read_layout([1] * 37, [-1] * 37, 0x37) is None
    assert read_layout([1] * 37, [3] * 37, 0x11) is None


@pytest.mark.parametrize(("piece", "coord"), [(1, 34), (0, 0), (2, 999), (3, 0x38), (-2, 0x38)])
def test_what_has_no_place_on_the_board_is_no_move(piece: int, coord: int) -> None:
    """A settlement at 0x22, where there is a road, was asked for in a recorded game."""
    with pytest.raises(ValueError, match="can stand at"):
        piece_move(piece, coord)
