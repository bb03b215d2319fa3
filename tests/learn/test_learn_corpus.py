"""Samples of recorded games: whose, with which times, and what is refused."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from facedown.arena.match import run_match
from facedown.core import SpecError
from facedown.learn.corpus import AGENTS, PEOPLE, SIMULATED, gather, read_corpus, samples_of
from facedown.learn.models import folds
from facedown.store.records import HUMAN, RecordError, read_records, write_records
from support.learning_games import FIRST, cheat, corpus, records


def as_people(record, **more):
    """The game as if player 0 had been a person at the terminal, and player 1 an agent."""
    moves = tuple(
        replace(move, summary=None, seconds=(move.summary or {}).get("response", 0.0))
        for move in record.moves
    )
    agents = (HUMAN, "mga")
    return replace(record, agents=agents, moves=moves, **{"consent": True, **more})


def test_every_claim_that_somebody_answers_is_a_sample():
    record = records()[0]
    samples = list(samples_of(cheat(), record))
    claims = [move for move in record.moves if move.player >= 0 and move.move < 16]
    assert len(claims) - 1 <= len(samples) <= len(claims)
    assert [one.positive for one in samples] == [m.move >= 8 for m in claims[: len(samples)]]
    assert all(one.round < other.round for one, other in pairwise(samples))


def test_times_are_the_simulated_ones_of_simulated_people():
    record = records()[0]
    place = cheat().features.names.index("response")
    claims = [move for move in record.moves if move.player >= 0 and move.move < 16]
    for one, move in zip(samples_of(cheat(), record), claims, strict=False):
        assert one.values[place] == move.summary["response"] > 0.5


def test_a_corpus_knows_pairs_and_who_is_in_them():
    found = corpus()
    assert found.kind == SIMULATED
    assert found.pairs[0] == (f"person {FIRST}", f"person {FIRST + 1}")
    assert found.kin == tuple(frozenset([k]) for k in range(6))
    assert found.values.shape == (len(found), 21)
    order = list(zip(found.pair, found.match, found.round, strict=True))
    assert order == sorted(order)


def test_pairs_that_share_a_person_are_kin():
    one, *_, other = records()
    person = next(m.summary["simulated"] for m in one.moves if m.player == 0)
    moves = tuple(
        replace(move, summary={**move.summary, "simulated": person}) if move.player == 0 else move
        for move in other.moves
    )
    found = gather(cheat(), [one, replace(other, moves=moves)])
    assert found.kin == (frozenset({0, 1}),) * 2


def test_an_agent_that_many_met_makes_nobody_kin():
    games = [replace(one, agents=("person", "scripted"), seed=1) for one in records()[::2]]
    found = gather(cheat(), games)
    assert found.kind == SIMULATED
    assert found.kin == tuple(frozenset([k]) for k in range(6))
    for learnt, asked in folds(found, 1):
        assert len(learnt) + len(asked) == len(found)


def sittings(file, *named):
    """A file of games of people: (seed, number, hour of the day) of each."""
    games = [
        as_people(records()[k], seed=seed, number=number, started=f"2026-03-01T{hour:02}:00:00Z")
        for k, (seed, number, hour) in enumerate(named)
    ]
    write_records(file, games)
    return file


def test_the_sittings_of_a_file_are_one_persons_in_the_order_of_time(tmp_path):
    one = sittings(tmp_path / "one.jsonl", (1, 0, 9), (1, 1, 10), (1, 0, 12), (7, 0, 11))
    other = sittings(tmp_path / "other.jsonl", (1, 0, 9))
    found = read_corpus("cheat", [one, other, one])
    assert found.pairs == (("human of file 0", "mga"), ("human of file 1", "mga"))
    assert found.kin == (frozenset({0}), frozenset({1}))
    own = [list(samples_of(cheat(), game)) for game in read_records(one)]
    values = [sample.values for k in (0, 1, 3, 2) for sample in own[k]]
    assert np.array_equal(found.values[found.pair == 0], np.array(values), equal_nan=True)


def test_of_people_only_the_peoples_claims_count_and_their_times_are_real():
    record = as_people(records()[0])
    found = gather(cheat(), [record])
    own = [m for m in record.moves if m.player == 0 and m.move < 16]
    assert found.kind == PEOPLE
    assert len(own) - 1 <= len(found) <= len(own)
    place = cheat().features.names.index("response")
    assert found.values[:, place].tolist() == [m.seconds for m in own[: len(found)]]
    assert "human" in " ".join(found.pairs[0])


def test_games_without_consent_and_with_help_are_left_out():
    games = [
        as_people(records()[0]),
        as_people(records()[1], consent=False),
        as_people(records()[2], assisted=True),
    ]
    found = gather(cheat(), games)
    assert found.left_out == {"without consent": 1, "assisted": 1}
    assert set(found.match) == {games[0].number}
    with pytest.raises(RecordError, match="nothing to learn from in 1 games, 1 of them without"):
        gather(cheat(), games[1:2])


def test_agents_have_no_response_times(tmp_path):
    file = tmp_path / "agents.jsonl"
    run_match("cheat", ["random", "scripted"], games=2, seed=4, save=file)
    found = read_corpus("cheat", [file])
    assert found.kind == AGENTS
    assert all(map(math.isnan, found.values[:, 0]))


def test_empty_and_mixed_records_are_refused(tmp_path):
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    with pytest.raises(SpecError, match="nothing to learn from in 0 games"):
        read_corpus("cheat", [empty])
    mixed = tmp_path / "mixed.jsonl"
    write_records(mixed, [records()[0], as_people(records()[1])])
    with pytest.raises(SpecError, match="people and simulated people are mixed"):
        read_corpus("cheat", [mixed])
    other = tmp_path / "other.jsonl"
    run_match("kuhn", ["random*2"], games=1, seed=1, save=other)
    with pytest.raises(SpecError, match="games of kuhn among those of cheat"):
        read_corpus("cheat", [other])
    with pytest.raises(SpecError, match="kuhn offers no features"):
        read_corpus("kuhn", [other])
    with pytest.raises(SpecError, match="resistance has 5 players"):
        read_corpus("resistance", [other])
