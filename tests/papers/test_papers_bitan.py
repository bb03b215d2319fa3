"""Bitan and Kraus 2017: what is counted in games of Cheat, the pages, pairs of simulated people."""

from dataclasses import replace
from functools import cache

import pytest
from scipy.stats import f_oneway

from facedown.arena.match import recounted
from facedown.arena.replay import replay
from facedown.core import CHANCE
from facedown.games.registry import load_game
from facedown.learn.people import Gathering, behaviour
from facedown.papers.archive import Archive
from facedown.papers.bitan2017.agents import people_of
from facedown.papers.bitan2017.calls import foretold
from facedown.papers.bitan2017.counting import estimate, one_way, row_of, told
from facedown.papers.cells import PAIR_MATCHES, Cell, CellResult
from facedown.papers.paper import Found
from facedown.papers.registry import load_paper
from facedown.store.records import MoveRecord
from facedown.store.store import Store

PAPER = load_paper("bitan2017")
game = cache(load_game)


@cache
def people():
    return tuple(Gathering("cheat", 3, 2, 5, 700).play(game("cheat")))


# --- counting -------------------------------------------------------------------------------------


@pytest.mark.parametrize("player", [0, 1])
def test_columns_agree_with_the_rules_and_with_how_people_are_counted(player):
    for record in people():
        row = row_of(record, game("cheat"), player)
        alone = replace(record, agents=tuple("us" if p == player else "them" for p in (0, 1)))
        counted = behaviour(game("cheat"), [alone], lambda spec: spec == "us")
        assert (row["lies"], row["claims"]) == counted["false claims"]
        assert (row["takes"], row["moves"]) == counted["cards taken"]
        assert row["calls"] == counted["calls"][0]
        end = replay(record, game("cheat")).record
        assert row["end"] == int(end["size"][player]) - int(end["size"][1 - player])
        assert row["rounds"] == int(end["n"])
        caught = int(end["times"][1 - player])
        assert row["caught"] == caught <= row["calls"]
        assert row["score"] == {-1.0: 0.0, 0.0: 0.5, 1.0: 1.0}[record.payoffs[player]]


def test_the_difference_is_the_mean_over_rounds():
    """Cards laid and taken round by round, the pile to whom it goes: counted without the rules."""
    record = people()[0]
    size, pile, gaps, last = [8, 8], 1, [], None
    for move in record.moves:
        if move.player == CHANCE:
            continue
        if move.move < 16:
            size[move.player] -= move.move % 4 + 1
            pile += move.move % 4 + 1
        elif move.move == 17:
            size[move.player] += 1
        else:
            taker = 1 - move.player if last >= 8 else move.player
            size[taker] += pile
            pile = 0
        last = move.move
        gaps.append(size[0] - size[1])
    row = row_of(record, game("cheat"), 0)
    assert row["difference"] == pytest.approx(sum(gaps) / len(gaps), abs=1e-6)
    assert row["end"] == gaps[-1]


def test_columns_follow_the_agents_not_the_seats():
    """The first agent of the cell is player 1 wherever the seats have turned."""
    turned = [replace(record, rotation=k % 2) for k, record in enumerate(people())]
    found = told(turned)
    first, second = found["sides"]
    for k, record in enumerate(turned):
        assert first["moves"][k] == row_of(record, game("cheat"), k % 2)["moves"]
        assert first["end"][k] == -second["end"][k]
    assert found["people"] == game("cheat").people.frozen


def test_games_without_people_have_no_digest_of_them():
    record = replace(people()[0], agents=("mga", "so-ismcts"))
    assert told([record])["people"] is None


def test_times_are_means_over_own_moves():
    moves = tuple(
        MoveRecord(move.player, move.move, move.text, 2.0 if move.player == 0 else 5.0)
        for move in people()[0].moves
    )
    record = replace(people()[0], moves=moves)
    assert row_of(record, game("cheat"), 0)["seconds"] == 2.0


# --- statistics -----------------------------------------------------------------------------------


def test_an_estimate_is_a_ratio_with_students_interval():
    """Four games: 1 of 2, 3 of 4, 0 of 1, 2 of 3 calls were right; the interval by hand."""
    found = estimate([1, 3, 0, 2], [2, 4, 1, 3])
    assert found.value == 0.6
    residuals = [1 - 1.2, 3 - 2.4, 0 - 0.6, 2 - 1.8]
    error = (4 / 3 * sum(r * r for r in residuals)) ** 0.5 / 10
    assert found.high - found.value == pytest.approx(3.182446 * error, rel=1e-5)  # t(3) at 97.5 %
    assert estimate([2.0]).text() == "**2.0** (–)"
    share = estimate([9, 10, 10, 7], [10, 10, 10, 10])
    assert (share.value, share.high) == (0.9, 1.0)
    assert estimate([9, 10, 10, 7]).high > 10


def test_the_analysis_of_variance_by_hand():
    """Groups 1 2 3, 2 3 4, 6 7 8: between 42 / 2, within 6 / 6, so F = 21."""
    found = one_way([[1, 2, 3], [2, 3, 4], [6, 7, 8]])
    assert (found.f, found.between, found.within) == (pytest.approx(21.0), 2, 6)
    assert found.p == pytest.approx(f_oneway([1, 2, 3], [2, 3, 4], [6, 7, 8]).pvalue)
    assert found.text == "F(2, 6) = 21.00, p = 0.002"
    assert one_way([[1.0], [2.0, 3.0]]) is None


# --- pages ----------------------------------------------------------------------------------------


def found_of(exhibit, numbers):
    """An exhibit whose cells were all measured in the same few games."""
    one = PAPER.exhibits[exhibit]
    budget = one.budget(4, None, 9)
    result = Gathering("cheat", 1, 2, 5, 700).match()
    cells = one.cells(budget)
    return one, Found(budget, [CellResult(cell, result, numbers, "2020-01-01") for cell in cells])


def test_the_three_agents_meet_people_of_their_own():
    one, found = found_of("figure-3", told(people()))
    body, wanted = one.page(found).body, [outcome.cell for outcome in found.outcomes]
    assert [cell.seed for cell in wanted] == [9, 10, 11]
    assert {cell.agents[1] for cell in wanted} == {"person"}
    assert not any(cell.duplicate for cell in wanted)
    assert "**simulated people**, not human players (frozen as f87c25d63a1317d7)" in body
    assert "F(2, 15) = 0.00, p = 1.000" in body  # the same games three times
    assert body.count("it cheats") == 1


def test_all_accuracies_meet_the_same_people():
    _, found = found_of("accuracy", told(people()))
    wanted = [outcome.cell for outcome in found.outcomes]
    assert {cell.seed for cell in wanted} == {9}
    assert "fpmga:iterations=300,accuracy=0.85" in {cell.agents[0] for cell in wanted}
    assert len(wanted) == 7


def test_people_who_were_changed_are_told():
    _, found = found_of("accuracy", {"people": "0123456789abcdef"})
    assert "NOT those frozen as f87c25d63a1317d7" in people_of(found)


def test_both_agents_meet_the_same_people_with_and_without_replies():
    numbers = {**foretold(people()), "foreseen": [0.5] * len(people())}
    one, found = found_of("calls", numbers)
    body, wanted = one.page(found).body, [outcome.cell for outcome in found.outcomes]
    assert [cell.agents for cell in wanted] == [
        ("pmga:iterations=300", "person"),
        ("pmga:replies=game,iterations=300", "person"),
    ]
    assert {cell.seed for cell in wanted} == {9}
    assert "**simulated people**, not human players" in body
    assert "of the same games, %: **0.0** (–)" in body  # the same games twice
    first, second = told(people())["sides"]
    share = 100 * sum(second["calls"]) / sum(first["claims"])
    assert f"would be called; **{share:.1f}** (" in body
    caught = 100 * sum(second["caught"]) / sum(first["lies"])
    assert body.count(f"| **{caught:.1f}** (") == 2


def test_what_was_foreseen_is_added_up_game_by_game():
    record = people()[0]
    own = [k for k, move in enumerate(record.moves) if move.player == 0][:3]
    moves = tuple(
        replace(move, summary={"reply": 0.25} if k in own else {})
        for k, move in enumerate(record.moves)
    )
    assert foretold([replace(record, moves=moves)])["foreseen"] == [0.75]


# --- pairs ----------------------------------------------------------------------------------------


def claims(records):
    """Who played whom."""
    found = [
        sorted({m.summary["simulated"] for m in record.moves if m.summary is not None})
        for record in records
    ]
    return {"pairs": found}


def test_pairs_play_as_the_command_people_has_them(tmp_path):
    cell = Cell("pairs", "cheat", ("person",) * 2, 4, 3, duplicate=False, seats="pairs",
                measure=claims)  # fmt: skip
    steps = []
    with Store(tmp_path / "store.db") as store:
        archive, run = Archive(store), store.begin_run("paper", "pairs", {}, 3)
        found = archive.play(cell, run, progress=lambda done, all_: steps.append((done, all_)))
        assert archive.find(cell) == found
        (kept,) = store.matches(run)
        assert recounted(kept, game("cheat")) == []
        again = list(kept.records())
    assert found.numbers["pairs"] == [[0, 1]] * PAIR_MATCHES + [[2, 3]] * PAIR_MATCHES
    assert steps == [(k, 4) for k in range(1, 5)]
    gathering = Gathering("cheat", 2, PAIR_MATCHES, 3)
    played = list(gathering.play(game("cheat")))
    assert [(one.number, one.seed, one.payoffs) for one in again] == [
        (one.number, one.seed, one.payoffs) for one in played
    ]
    assert found.result.agents == gathering.match().agents
    assert found.result.notes == ("simulated people, not human players",)


def test_pairs_that_were_stopped_go_on(tmp_path, monkeypatch):
    """What a stopped gathering has played stays; the rest is played, and all is as if at once."""
    cell = Cell("pairs", "cheat", ("person",) * 2, 6, 3, duplicate=False, seats="pairs")

    def stop(done, all_):
        if done == 3:
            raise KeyboardInterrupt

    with Store(tmp_path / "store.db") as store:
        archive, run = Archive(store), store.begin_run("paper", "pairs", {}, 3)
        with pytest.raises(KeyboardInterrupt):
            archive.play(cell, run, progress=stop)
        (kept,) = store.matches(run)
        assert (kept.done, kept.finished) == (3, None)
        steps = []
        found = archive.play(cell, run, progress=lambda done, _: steps.append(done))
    assert steps == [4, 5, 6]
    assert found.result.agents == Gathering("cheat", 3, PAIR_MATCHES, 3).match().agents
