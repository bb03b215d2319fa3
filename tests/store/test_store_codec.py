"""Games as rows: whatever is packed comes back, whoever numbered its words."""

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facedown.core import CHANCE
from facedown.store import codec
from facedown.store.codec import Batch, Heading, Packer
from facedown.store.export import line_writer
from facedown.store.records import Forfeit, GameRecord, MoveRecord, RecordError

HEADING = Heading("kuhn", 7, "0.1.0")

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
microseconds = st.integers(0, 10**6) | st.integers(0, 10**13)
moves = st.builds(
    MoveRecord,
    st.integers(CHANCE, 3),
    st.integers(-5, 300) | st.integers(-(2**70), 2**70),
    words,
    microseconds.map(lambda micro: micro / 1e6),
    st.none() | st.dictionaries(words, plain, max_size=3),
)
times = st.datetimes().map(lambda when: when.isoformat(timespec="milliseconds") + "+00:00")


@st.composite
def games(draw):
    players = draw(st.integers(1, 4))
    payoff = st.floats(allow_nan=False, allow_infinity=False)
    return GameRecord(
        game=draw(st.sampled_from(["kuhn", "leduc"])),
        seed=draw(st.sampled_from([7, 2**64 + 1, -3])),
        number=draw(st.integers(0, 2**40)),
        deal=draw(st.integers(0, 2**40)),
        deal_seed=draw(st.integers(0, 2**64 - 1)),
        rotation=draw(st.integers(0, 10)),
        agents=tuple(draw(st.lists(words, min_size=players, max_size=players))),
        cheats=tuple(draw(st.lists(st.booleans(), min_size=players, max_size=players))),
        moves=tuple(draw(st.lists(moves, max_size=8))),
        payoffs=tuple(draw(st.lists(payoff, min_size=players, max_size=players))),
        forfeits=tuple(draw(st.lists(st.builds(Forfeit, st.integers(0, 3), words), max_size=1))),
        assisted=draw(st.booleans()),
        consent=draw(st.booleans()),
        started=draw(times | words | st.just("")),
        facedown=draw(st.sampled_from(["0.1.0", "0.2.0"])),
    )


@settings(max_examples=40)
@given(st.lists(games(), max_size=6))
def test_what_is_packed_comes_back(records):
    packer = Packer(HEADING)
    rows = [packer.pack(record) for record in records]
    again = Packer(HEADING, packer.casts.items, packer.words.items)
    assert [again.unpack(row) for row in rows] == records


@settings(max_examples=40)
@given(st.lists(games(), max_size=6))
def test_a_line_of_an_export_is_the_record_as_json(records):
    packer = Packer(HEADING)
    rows = [packer.pack(record) for record in records]
    line = line_writer(HEADING, packer)
    assert [line(row) for row in rows] == [
        json.dumps(record.to_json(), ensure_ascii=False, allow_nan=False) + "\n"
        for record in records
    ]


@settings(max_examples=40)
@given(st.lists(games(), max_size=6), st.lists(games(), max_size=6), st.booleans())
def test_a_batch_is_adopted_with_the_numbers_of_the_match(first, second, many):
    packer = Packer(HEADING)
    if many:  # so that they need two bytes
        packer = Packer(HEADING, words=[(0, -k, "filler") for k in range(1000, 1300)])
    rows = [packer.pack(record) for record in first]
    elsewhere = Packer(HEADING)
    sent = [elsewhere.pack(record) for record in second]
    batch = Batch(elsewhere.casts.items, elsewhere.words.items, sent)
    rows += packer.adopt(batch)
    assert [packer.unpack(row) for row in rows] == first + second
    assert [tally.payoffs for tally in batch.tallies()] == [record.payoffs for record in second]


@settings(max_examples=40)
@given(st.lists(games(), min_size=1, max_size=6))
def test_words_beyond_those_that_are_shared_are_spelt(records):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(codec, "MOST_WORDS", 2)
        packer, elsewhere = Packer(HEADING), Packer(HEADING)
        rows = [packer.pack(record) for record in records]
        assert len(packer.words.items) <= 2
        sent = [elsewhere.pack(record) for record in records]
        rows += packer.adopt(Batch(elsewhere.casts.items, elsewhere.words.items, sent))
        assert [packer.unpack(row) for row in rows] == records + records
        line = line_writer(HEADING, packer)
        assert [json.loads(line(row)) for row in rows] == [
            json.loads(json.dumps(record.to_json())) for record in records + records
        ]


def a_game(**changed):
    record = GameRecord(
        game="kuhn", seed=7, number=0, deal=0, deal_seed=5, rotation=0, agents=("a", "b"),
        cheats=(False, True), moves=(MoveRecord(CHANCE, 2, "deal J", 1e-6),), payoffs=(1.0, -1.0),
        facedown="0.1.0",
    )  # fmt: skip
    return replace(record, **changed)


def test_zeros_keep_their_signs():
    packer = Packer(HEADING)
    rows = [packer.pack(a_game(payoffs=pays)) for pays in ((0.0, 1.0), (-0.0, 1.0))]
    assert [math.copysign(1, packer.unpack(row).payoffs[0]) for row in rows] == [1, -1]


def test_a_row_that_cannot_be_read_is_named():
    packer = Packer(HEADING)
    row = packer.pack(a_game())
    for spoilt in (
        row._replace(moves=row.moves[:-1]),
        row._replace(moves=b""),
        row._replace(moves=b"\xff" + row.moves[1:]),
        row._replace(details=b"no zlib"),
        row._replace(payoffs="[1.0"),
        row._replace(cast=9),
        row._replace(moves=bytes((row.moves[0], 200)) + row.moves[2:]),
    ):
        with pytest.raises(RecordError, match="game 0 cannot be read"):
            packer.unpack(spoilt)


def test_a_seed_of_more_than_64_bits_is_refused():
    with pytest.raises(RecordError, match="deal_seed is"):
        Packer(HEADING).pack(a_game(deal_seed=2**64))
